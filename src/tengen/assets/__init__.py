"""The modules and style sheets that draw in the browser: the board, the replay of a game, every page.

Style sheets and ES modules without dependencies, served as they are by the web app and embedded in
the reports of the arena. Each begins with a comment on its purpose; other modules build on
`board.js` and `replay.js`. The lengths and colours of a board are JSON, which Python reads; for the browser
``python -m tengen.assets`` generates `board_lengths.js` and `board_themes.css` from it.
"""

from __future__ import annotations

import base64
import json
from importlib.resources import files
from typing import Any


def read(name: str) -> str:
    """Return the text of one of the files here, such as ``board.css``.

    Raises:
        FileNotFoundError: there is no such file.
    """
    return files(__name__).joinpath(name).read_text("utf-8")


def names() -> list[str]:
    """Return the names of all style sheets and modules here."""
    suffixes = (".css", ".js")
    return sorted(entry.name for entry in files(__name__).iterdir() if entry.name.endswith(suffixes))


def styles(*modules: str) -> str:
    """Return style sheets as one, each named without its suffix."""
    return "\n".join(read(f"{module}.css") for module in modules)


def import_map() -> str:
    """Return an import map with all modules here, for a page that is opened from a file.

    Such a page may not import other files: the map holds the modules themselves, by their names,
    such as ``board.js``. A module cannot find others by a path from a ``data:`` address, so they
    import each other by name too.
    """
    modules = [name for name in names() if name.endswith(".js")]
    addresses = {}
    for module in modules:
        text = read(module)
        for name in modules:
            text = text.replace(f'"./{name}"', f'"{name}"')
        encoded = base64.b64encode(text.encode()).decode()
        addresses[module] = f"data:text/javascript;charset=utf-8;base64,{encoded}"
    return json.dumps({"imports": addresses})


def board_lengths() -> dict[str, Any]:
    """Return the lengths of a drawn board.

    Lengths are parts of a cell, except where units are named: a thirtieth of a cell, as the SVG
    counts.

    - ``cell``: the distance between neighbouring points, in units.
    - ``lines``: widths of the lines within the board and of those round it, in units; ``sharp``:
      from so many pixels a cell on, lines are fitted to pixels.
    - ``star``: radius of a star point, in units; ``stars``: by size, the columns and rows of the
      star points, and whether those in the middle of a side are stars too; ``centre``: from this
      side on, other boards show theirs.
    - ``gap``: from the outer points to the coordinates, half of their size not counted; ``margin``:
      from the outer points to the edge where there are no coordinates. Both for stones and for
      signs.
    - ``coordinates``: their ``size`` on a board of the ``usual`` side, what each line more adds,
      the ``least`` and the ``most``; how far they stay from the ``edge``, and those of rows
      ``aside``; how much ``wider`` than two figures two Chinese numerals are, in parts of the size.
    - ``stone``: its radius; ``cross`` and ``ring``: the signs of Black and of White; ``beyond``:
      how far the line of a row goes beyond the middle of its last signs.
    - ``heat``: the ``disc`` of the largest weight, the ``least`` one in units, the ring round the
      ``chosen`` one, the ``figure`` and its ``room``; ``written``, ``inside``: the share of the
      largest weight from which a weight is written out, and from which it has room within its disc.
    - ``numbers``: sizes of those of one to three figures, and of more; ``numberBeside``: where one
      stands by a sign.
    - ``last``: the ``ring`` on a stone, the one ``around`` what is written on it, the ``frame``
      round a sign.
    - ``foul``: half the side of a cross.
    - ``premove``: radii of the ``ring`` round a stone that is to be played next, and of the ``dot``
      upon it.
    - ``mark``: sizes of the shapes; the size of a ``label``, its ``room`` and the ``clearing``
      under it; ``markBeside``: where one stands by a sign.
    - ``arrow``: where its ``tail`` begins, at most so much of its whole ``length``; how far from
      the point its ``tip`` ends, at ``least`` so far along; its ``head`` and half the ``width`` of
      it.
    - ``lit``: the gradient of a stone: its middle and radius, and where the second of three steps
      is for ``black`` and for ``white``; ``shade``: what it throws, in units: how far ``right`` and
      ``down``, its ``radius``, and where (``full``) on it grows thin. ``rims``: round the stones of
      a row that is behind them, what is beyond the stone, in units: the ``line``, and the ``light``
      within.
    - ``pens``: widths of strokes, in units: the ``rim`` of a stone and its ``sign``; the ``row``,
      the light beneath (``under``) and a row behind its stones (``behind``); a weight ``below``
      zero and the ``chosen`` one; the ``halo`` of a text; the ``last`` move's ring, the one
      ``around`` what is written, the ``frame`` round a sign; a ``foul``; a ``mark`` and one
      ``beside`` a sign; an ``arrow``. ``dashes``: of the rows of a foul.
    - ``opacity``: of the ``shade``, of the light ``under`` a row, of a weight ``below`` zero, of a
      ``halo``, of ``arrows``, and of a ``weight``: the least, and what the largest has more.
    - ``letters``: the most of a label. ``signs``: boards have them up to this ``side``, and up to
      so many in a ``row``.
    - ``baseline``: from the middle of a text down, in parts of its size.
    """
    lengths: dict[str, Any] = json.loads(read("board_lengths.json"))
    return lengths


def board_themes() -> dict[str, dict[str, str]]:
    """Return the colours of drawn boards by theme and name.

    The themes of a dark page are ``"wood dark"`` and the like; a radius is in pixels, without its
    unit. Wood names every colour; the others name those that differ. The pictures' theme "dark" is
    the plain board of a dark page. Lines and coordinates stand out from every board by a contrast
    of 3:1 (WCAG 2.2), of 7:1 on that of high contrast; so do marks and the edges of stones, but on
    wood, where light and shade do. Slate is dark on light pages too: only so do both colours of
    stones, and the marks, stand out from it.

    - ``wood``: the board, top left and bottom right. ``grid``: lines and star points. ``label``:
      coordinates. ``radius``: of its corners.
    - ``ink``: marks on empty points, and figures upon the heat. ``heat``: the disc under a weight.
    - ``here``: the one accent: the heaviest point, arrows. ``warn``: fouls, and weights below zero.
    - ``row``: the line through a winning row. ``light``: what sets it off from the stones.
    - ``shade``: what stones throw.
    - ``black``, ``white``: the stones from the lit side to the dark one, in three steps; their rim;
      the text upon them; the last move's ring or number; the sign that stands for them.
    """
    themes: dict[str, dict[str, str]] = {}
    for name, colours in _themes().items():
        for side, suffix in enumerate(("", " dark")):
            own = {key: value if isinstance(value, str) else value[side] for key, value in colours.items()}
            themes[name + suffix] = {**themes.get(f"wood{suffix}", {}), **own}
    return themes


def generated() -> dict[str, str]:
    """Return the files that are made of JSON, by name."""
    made = "made of {}.json by python -m tengen.assets"
    lengths = json.dumps(board_lengths(), separators=(", ", ": "))
    rules = []
    for name, colours in _themes().items():
        selector = "[data-board]" if name == "wood" else f'[data-board="{name}"]'
        lines = [f"  --board-{key}: {_css(value)};\n" for key, value in colours.items()]
        rules.append(f"{selector} {{\n{''.join(lines)}}}\n")
    return {
        "board_lengths.js": f"/**\n * The lengths of a drawn board, {made.format('board_lengths')}.\n */\n"
        f"// prettier-ignore\nexport const LENGTHS = {lengths};\n",
        "board_themes.css": f"/* The colours of a drawn board, {made.format('board_themes')}. */\n\n"
        + "\n".join(rules),
    }


def _themes() -> dict[str, dict[str, str | list[str]]]:
    """Return the themes as they are written: two values where a dark page has another one."""
    themes: dict[str, dict[str, str | list[str]]] = json.loads(read("board_themes.json"))
    return themes


def _css(value: str | list[str]) -> str:
    if isinstance(value, list):
        return f"light-dark({', '.join(value)})"
    return f"{value}px" if value.isdigit() else value
