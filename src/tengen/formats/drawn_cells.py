"""Drawings of boards as programs and messengers write them, redrawn in the signs of `tengen.formats.ascii`.

Read are tables of 0, 1 and 2 or of 0, 1 and -1 (``1 2 0``, ``[[0, 1], [2, 0]]``, ``0120``); cells between
tabs, commas or semicolons, blank ones included; boards of emoji or of Chinese characters; rows named by
letters; rows with slashes between them, runs of empty points counted or not; one row after the other on
a single line; and diagrams whose stones are numbered in the order of play.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt

from tengen.game.rules import MAX_SIDE
from tengen.plaintext.characters import clean, plain
from tengen.words import Message

_FEW = 3
_EMPTY = frozenset((".", "", "0", "-", "_", "+", "·", "空", "十", "┼"))
_FENCE = re.compile(r"\s*(?:```|~~~)\w*\s*")
_QUOTED = re.compile(r"^[>\s]*> ?")
_NUMBER = re.compile(r"(-?[0-9]{1,3})(?:\.0*)?")
_LIST_SIGNS = str.maketrans("", "", "[](){}\"'")
_STONES = {
    **dict.fromkeys("⚫⬤🖤●黑✖❌✕✗✘☓", "X"),
    **dict.fromkeys("⚪🤍○◯白⭕🅾", "O"),
    **dict.fromkeys("➕➖🟫🟨🟧🟩🟦🟪🟥空十▫▪", "."),
}
_SQUARES = {"⬛": "X", "⬜": "O", "■": "X", "□": "O", "◼": "X", "◻": "O"}
_STRING = re.compile(r"""[\s\[({]*["'`]([^"'`]{3,})["'`][\s\])};,]*""")
_RUN = re.compile(r"[0-9]{1,2}|[xXoObBwW.]")


@dataclass(slots=True)
class Redrawn:
    """A drawing in plain signs, ``. X O``.

    Attributes:
        text: the drawing, a row a line.
        order: the cells of numbered stones in the order of play: rows from the top and columns from the
            left, from 0; empty if stones are not numbered.
        notes: assumptions, in sentences.
    """

    text: str
    order: list[tuple[int, int]] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)


def redrawn(text: str) -> Redrawn | None:
    """Redraw a drawing in plain signs; None if it is in none of the forms of this module."""
    lines = [line for line in clean(text).split("\n") if not _FENCE.fullmatch(line)]
    if lines and all(_QUOTED.match(line) for line in lines if line.strip()):
        lines = [_QUOTED.sub("", line) for line in lines]
    comments = [line for line in lines if re.match(r"#\s+\w", line)]
    rows = [line for line in lines if line.strip(" ") and line not in comments]
    if len(rows) == 1:
        rows = re.split(r"(?<=\])\s*,?\s*(?=\[)", rows[0])
    if rows and all(_STRING.fullmatch(row) for row in rows):
        rows = [_STRING.sub(r"\1", row) for row in rows]
    if not rows:
        return None
    drawing = _numbers(rows) or _cells(rows) or _pictured(rows) or _one_line(rows) or _named_rows(rows)
    if drawing is not None:
        drawing.text = "\n".join([*comments, drawing.text])
        return drawing
    if rows != [line for line in clean(text).split("\n") if line.strip()][len(comments) :]:
        return Redrawn("\n".join([*comments, *rows]))  # without the quotes and fences around it
    return None


def _numbers(rows: Sequence[str]) -> Redrawn | None:
    """A table of numbers that are colours, or of the numbers of moves."""
    grid = [re.split(r"[\s,;|]+", plain(row).translate(_LIST_SIGNS).strip(" \t,;|")) for row in rows]
    signs = {sign for cells in grid for sign in "".join(cells)}
    together = all(len(cells) == 1 and len(cells[0]) >= _FEW for cells in grid)
    if together and (signs <= set("012") or (signs <= set(".-_+123456789") and signs & set(".-_+"))):
        grid = [list(cells[0]) for cells in grid]
    values = [[_NUMBER.fullmatch(cell) for cell in cells] for cells in grid]
    texts = [
        [cell if number is None else number.group(1) for cell, number in zip(cells, numbers, strict=True)]
        for cells, numbers in zip(grid, values, strict=True)
    ]
    texts = _without_names(texts)
    if not _is_board(texts):
        return None
    signs = {cell for cells in texts for cell in cells}
    if signs.isdisjoint({"1", "2", "-1"}) and (signs != {"0"} or len(texts) < 5):
        return None
    if signs <= {"0", "1", "2"} or signs <= {"0", "1", "-1"} or signs <= {".", "-", "_", "+", "1", "2"}:
        colours = {"1": "X", "2": "O", "-1": "O"}
        white = "-1" if "-1" in signs else "2"
        note = Message("assumed.digits", {"white": white})
        return Redrawn(
            _drawn([[colours.get(cell, ".") for cell in cells] for cells in texts]), notes=[note]
        )
    numbered = {
        int(cell): (y, x)
        for y, cells in enumerate(texts)
        for x, cell in enumerate(cells)
        if cell.isdigit() and cell != "0"
    }
    empty = [cell for cells in texts for cell in cells if cell in _EMPTY]
    if sorted(numbered) != list(range(1, len(numbered) + 1)) or len(numbered) < _FEW:
        return None
    if len(empty) + len(numbered) != len(texts) * len(texts[0]):
        return None
    order = [numbered[number] for number in sorted(numbered)]
    drawn = [["." if cell in _EMPTY else "XO"[(int(cell) + 1) % 2] for cell in cells] for cells in texts]
    return Redrawn(_drawn(drawn), order, [Message("assumed.numbered", {"moves": len(order)})])


def _is_board(grid: Sequence[Sequence[str]]) -> bool:
    """Return whether a table has rows of equal width and the shape of a board, not of a list of points."""
    height, width = len(grid), len(grid[0]) if grid else 0
    even = all(len(cells) == width for cells in grid)
    return even and height >= _FEW and width >= _FEW and (width == height or min(width, height) > 4)


def _without_names(grid: list[list[str]]) -> list[list[str]]:
    """A table without a row that names its columns and without a column that names its rows."""
    for at in (0, -1):
        if len(grid) > _FEW and _counts([cell for cell in grid[at] if cell]) and len(grid[at]) > _FEW:
            grid = grid[1:] if at == 0 else grid[:-1]
    for at in (0, -1):
        names = [cells[at] for cells in grid if cells]
        if len(names) == len(grid) > _FEW and (_counts(names) or _counts(names[::-1])):
            grid = [cells[1:] if at == 0 else cells[:-1] for cells in grid]
    return grid


def _counts(names: Sequence[str]) -> bool:
    """Return whether names count up: 0, 1, 2 or 1, 2, 3, or a, b, c, perhaps without i."""
    if len(names) < _FEW:
        return False
    if all(name.isdigit() and len(name) < _FEW for name in names):
        numbers = [int(name) for name in names]
        return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    letters = "abcdefghijklmnopqrstuvwxyz"
    joined = "".join(names).lower()
    return len(joined) == len(names) and (
        letters.startswith(joined) or letters.replace("i", "").startswith(joined)
    )


def _cells(rows: Sequence[str]) -> Redrawn | None:
    """Cells between tabs, commas or semicolons, blank where a point is empty."""
    for sign in "\t,;":
        bare = [re.sub(r"[\])}]\s*,?\s*$", "", row).translate(_LIST_SIGNS) for row in rows]
        split = _without_names([[cell.strip() for cell in row.split(sign)] for row in bare])
        signs = {cell for cells in split for cell in cells}
        stones = {cell.upper() for cell in signs} - _EMPTY - {"*"}
        usual = {"X", "O", "B", "W", "●", "○", "⚫", "⚪", "黑", "白", "@", "#"}
        if _is_board(split) and stones and stones <= usual and signs & _EMPTY:
            return Redrawn(_drawn([[_sign(cell) for cell in cells] for cells in split]))
    return None


def _sign(cell: str) -> str:
    return "." if cell in _EMPTY else _STONES.get(cell, cell)


def _pictured(rows: Sequence[str]) -> Redrawn | None:
    """A board of emoji or Chinese characters."""
    signs = set("".join(rows))
    if signs.isdisjoint({*_STONES, *_SQUARES} - set("●○◯⚫⚪⬤")):
        return None
    table = dict(_STONES)
    stones = {_STONES[sign] for sign in signs & _STONES.keys()} - {"."}
    table |= dict.fromkeys(_SQUARES, ".") if stones else _SQUARES
    notes = [] if stones or signs.isdisjoint(_SQUARES) else [Message("assumed.squares")]
    drawn = ["".join(table.get(sign, sign) for sign in row) for row in rows]
    return Redrawn("\n".join(drawn), notes=notes)


def _one_line(rows: Sequence[str]) -> Redrawn | None:
    """Rows with slashes between them, or one after the other."""
    if len(rows) != 1:
        return None
    line = plain(rows[0]).strip()
    parts = line.split("/")
    if len(parts) >= _FEW:
        grid = ["".join(_run(piece) for piece in _RUN.findall(part)) for part in parts]
        whole = all("".join(_RUN.findall(part)) == part for part in parts)
        even = len({len(row) for row in grid}) == 1 and len(grid[0]) >= _FEW
        if whole and even and len(grid) <= MAX_SIDE and re.search("[A-Za-z]", line):
            return Redrawn("\n".join(grid))
    side = isqrt(len(line))
    signs = set(line)
    if side < _FEW or side > MAX_SIDE or side * side != len(line):
        return None
    if signs <= set("012") and "0" in signs and len(signs) > 1:
        drawing = _numbers([line[start : start + side] for start in range(0, len(line), side)])
    elif signs <= set(".xXoO_-bBwW+") and signs & set(".-_+") and signs - set(".-_+"):
        drawing = Redrawn("\n".join(line[start : start + side] for start in range(0, len(line), side)))
    else:
        return None
    if drawing is not None:
        drawing.notes.append(Message("assumed.side", {"side": side}))
    return drawing


def _run(piece: str) -> str:
    return "." * int(piece) if piece.isdigit() else piece


def _named_rows(rows: Sequence[str]) -> Redrawn | None:
    """Rows with letters beside them."""
    grid = [plain(row).split() for row in rows]
    while grid and _counts(grid[0]):
        grid = grid[1:]
    names = [cells[0] for cells in grid if cells]
    bare = [cells[1:] for cells in grid]
    letters = all(name.isalpha() for name in names) and (_counts(names) or _counts(names[::-1]))
    if letters and _is_board(bare) and all(len(cell) == 1 for cells in bare for cell in cells):
        return Redrawn(_drawn(bare))
    return None


def _drawn(grid: Sequence[Sequence[str]]) -> str:
    return "\n".join(" ".join(cells) for cells in grid)
