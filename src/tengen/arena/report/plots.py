"""The plots of a report, drawn by matplotlib as SVG that belongs to the page it stands in.

The page's fonts write the texts, so that any language can be read, and the page's palette colours them,
so that they follow its light and its dark theme. matplotlib itself sees neither: it lays out stand-ins of
the same width, and placeholders of the colours, which are replaced afterwards.
"""

from __future__ import annotations

import io
import math
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tengen.arena.rating import Rating
from tengen.arena.report.markup import clean
from tengen.extras import importing
from tengen.game.points import BLACK, WHITE, Colour
from tengen.words import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 420
"""Of a plot, in units; at that width in pixels its texts have their natural size."""

_INK, _SOFT, _LINE, _HERE, _PANEL, _BLACK, _WHITE, _RIM = (f"#0102{i:02x}" for i in range(1, 9))
_VARIABLES = {
    _INK: "var(--ink)",
    _SOFT: "var(--soft)",
    _LINE: "var(--line)",
    _HERE: "var(--here)",
    _PANEL: "var(--panel)",
    _BLACK: "var(--black)",
    _WHITE: "var(--white)",
    _RIM: "var(--stone-rim)",
}
_LABEL = 22
"""The most cells of text that the name of a player takes."""
_ROW = 22
_LEAST_SECONDS = 1e-5
_BARS = 24
_LEVEL = re.compile(r"level:([0-9]+)")
_FONTS = (
    (re.compile(r"font: ([0-9.]+)px [^;]*"), r"font-size: \1px"),
    (re.compile(r"font-family: [^;]*;? ?"), ""),
)
"""The font requests of different versions of matplotlib, and their replacement."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot, and its figures as a table.

    Attributes:
        name: its identifier in the page.
        title: its title.
        svg: the drawing.
        head: the columns of its table.
        rows: the table.
    """

    name: str
    title: str
    svg: ET.Element
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def ratings_plot(ratings: Sequence[Rating], lang: str) -> Plot:
    """The ratings of all players, strongest first, with their errors."""

    def draw(axes: Axes, labels: _Labels) -> None:
        places = range(len(ratings))
        elos = [rating.elo for rating in ratings]
        axes.errorbar(
            elos, places, xerr=[rating.error for rating in ratings], fmt="none", ecolor=_SOFT, capsize=3
        )
        axes.plot(elos, places, "o", color=_HERE, markersize=6)
        axes.axvline(0, color=_LINE, zorder=0)
        axes.locator_params(axis="x", nbins=5)
        axes.set_yticks(places, [labels.name(rating.name) for rating in ratings])
        axes.set_ylim(len(ratings) - 0.5, -0.5)
        axes.set_xlabel(labels(say("report.elo", lang)))

    rows = tuple((rating.name, elo(rating.elo), f"±{rating.error:.0f}") for rating in ratings)
    title = say("report.plot.ratings", lang)
    head = (say("report.player", lang), say("report.elo", lang), say("report.error", lang))
    return _plot("ratings", title, head, rows, _ROW * len(ratings) + 50, draw)


def levels_plot(ratings: Sequence[Rating], lang: str) -> Plot | None:
    """The rating by level, where at least two levels have played."""
    levels = sorted(
        (int(match.group(1)), rating)
        for rating in ratings
        if (match := _LEVEL.fullmatch(rating.name)) is not None
    )
    if len(levels) < 2:
        return None

    def draw(axes: Axes, labels: _Labels) -> None:
        numbers = [level for level, _ in levels]
        elos = [rating.elo for _, rating in levels]
        axes.errorbar(
            numbers,
            elos,
            yerr=[rating.error for _, rating in levels],
            color=_HERE,
            ecolor=_SOFT,
            marker="o",
            capsize=3,
        )
        axes.set_xticks(numbers)
        axes.set_xlabel(labels(say("report.level", lang)))
        axes.set_ylabel(labels(say("report.elo", lang)))

    rows = tuple((str(level), elo(rating.elo), f"±{rating.error:.0f}") for level, rating in levels)
    title = say("report.plot.levels", lang)
    head = (say("report.level", lang), say("report.elo", lang), say("report.error", lang))
    return _plot("levels", title, head, rows, 220, draw)


def seconds_plot(seconds: Mapping[str, Sequence[float]], lang: str) -> Plot | None:
    """The seconds that each player took for a move: the middle half as a box, 5 to 95 % as whiskers."""
    import numpy as np

    known = {name: values for name, values in seconds.items() if values}
    if not known:
        return None
    shares = (5, 25, 50, 75, 95)
    quantiles = {name: np.percentile(values, shares) for name, values in known.items()}

    def draw(axes: Axes, labels: _Labels) -> None:
        places = range(len(quantiles))
        low, first, middle, third, high = np.maximum(list(quantiles.values()), _LEAST_SECONDS).T
        axes.hlines(places, low, high, color=_SOFT, zorder=1)
        axes.barh(places, third - first, left=first, height=0.6, color=_PANEL, edgecolor=_INK, linewidth=1)
        axes.vlines(middle, *np.add.outer((-0.3, 0.3), places), color=_HERE, linewidth=2.5)
        axes.set_xscale("log")
        _decades(axes, low.min(), high.max())
        axes.set_yticks(places, [labels.name(name) for name in quantiles])
        axes.set_ylim(len(quantiles) - 0.5, -0.5)
        axes.set_xlabel(labels(say("report.time", lang)))

    rows = tuple((name, *(duration(value) for value in values)) for name, values in quantiles.items())
    title = say("report.plot.seconds", lang)
    head = (say("report.player", lang), *(f"{share}%" for share in shares))
    return _plot("seconds", title, head, rows, _ROW * len(known) + 50, draw)


def lengths_plot(lengths: Mapping[Colour | None, Sequence[int]], lang: str) -> Plot | None:
    """Plot the lengths of the games, by winner."""
    import numpy as np
    from matplotlib.ticker import MaxNLocator

    everything = [moves for values in lengths.values() for moves in values]
    if not everything:
        return None
    least, most = min(everything), max(everything)
    step = max(1, math.ceil((most - least + 1) / _BARS))
    edges = np.arange(least, most + step + 1, step) - 0.5
    sides: tuple[tuple[Colour | None, str, str], ...] = (
        (BLACK, _BLACK, say("report.result.black", lang)),
        (WHITE, _WHITE, say("report.result.white", lang)),
        (None, _HERE, say("report.result.draw", lang)),
    )
    counts = {colour: np.histogram(lengths[colour], edges)[0] for colour, _, _ in sides}

    def draw(axes: Axes, labels: _Labels) -> None:
        base = np.zeros(len(edges) - 1)
        for colour, fill, label in sides:
            if lengths[colour]:
                axes.bar(
                    edges[:-1],
                    counts[colour],
                    width=step,
                    align="edge",
                    bottom=base,
                    color=fill,
                    edgecolor=_RIM,
                    linewidth=0.8,
                    label=labels(label),
                )
                base = base + counts[colour]
        axes.set_xlim(edges[0], edges[-1])
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
        axes.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
        axes.set_xlabel(labels(say("report.length", lang)))
        axes.set_ylabel(labels(say("report.games", lang)))
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, borderaxespad=0)

    rows = tuple(
        (
            str(first) if step == 1 else f"{first}–{first + step - 1}",
            *(str(counts[colour][index]) for colour, _, _ in sides),
        )
        for index, first in enumerate(range(least, most + 1, step))
        if any(counts[colour][index] for colour, _, _ in sides)
    )
    title = say("report.plot.lengths", lang)
    head = (say("report.length", lang), *(label for _, _, label in sides))
    return _plot("lengths", title, head, rows, 240, draw)


def elo(value: float) -> str:
    """A rating as it is written: ``+120``, ``−35``, ``0``."""
    whole = round(value)
    return f"{whole:+d}".replace("-", "−") if whole else "0"


def duration(seconds: float) -> str:
    """A time in seconds, milliseconds or microseconds, with as many figures as mean something."""
    size, unit = (1.0, "s") if seconds >= 0.1 else (1e-3, "ms") if seconds >= 1e-4 else (1e-6, "µs")
    count = seconds / size
    return f"{count:.0f} {unit}" if count >= 10 else f"{count:.2g} {unit}"


class _Labels:
    """Texts that matplotlib is not to see: it gets plain ones that are about as wide."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """The stand-in of a text."""
        mark = f"t{len(self._texts)}t"
        # A little wider: the font of the reader is unknown.
        stand_in = mark + "n" * max(0, math.ceil(1.1 * _cells(text)) + 1 - len(mark))
        self._texts[stand_in] = clean(text)
        return stand_in

    def name(self, text: str) -> str:
        """The stand-in of a name, which is cut where it would take up all the room."""
        head, tail = text, ""
        while _cells(head) + _cells(tail) > _LABEL:
            # The middle goes: specs differ at their ends.
            if tail:
                head, tail = (head[:-1], tail) if len(head) > len(tail) else (head, tail[1:])
            else:
                head, tail = text[: len(text) // 2], text[len(text) // 2 :]
        return self(f"{head}…{tail}" if tail else head)

    def text(self, stand_in: str) -> str:
        """The text of a stand-in."""
        return self._texts.get(stand_in, stand_in)


def _cells(text: str) -> int:
    """About how wide a text is, in latin letters."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _decades(axes: Axes, low: float, high: float) -> None:
    """Label a logarithmic axis of seconds at its powers of ten, which it is made to show."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    last = max(last, first + 1)
    powers = range(first, last + 1)
    axes.set_xlim(10.0**first, 10.0**last)
    axes.minorticks_off()
    # There is room for about five labels.
    step = math.ceil(len(powers) / 5)
    labels = ["" if (power - first) % step else duration(10.0**power) for power in powers]
    axes.set_xticks([10.0**power for power in powers], labels)


def _plot(
    name: str,
    title: str,
    head: tuple[str, ...],
    rows: tuple[tuple[str, ...], ...],
    height: float,
    draw: Callable[[Axes, _Labels], None],
) -> Plot:
    with importing("arena"):
        import matplotlib as mpl
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure

    style: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,
        "font.size": 12,
        "text.color": _INK,
        "axes.labelcolor": _SOFT,
        "axes.edgecolor": _SOFT,
        "axes.linewidth": 0.8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": False,
        "xtick.color": _SOFT,
        "ytick.color": _SOFT,
        "ytick.labelcolor": _INK,
    }
    labels = _Labels()
    file = io.StringIO()
    with mpl.rc_context(style):
        # One unit of the drawing is a point, 1/72 inch.
        figure = Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.add_subplot(), labels)
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return Plot(name, title, _adapted(file.getvalue(), name, title, labels), head, rows)


def _adapted(svg: str, name: str, title: str, labels: _Labels) -> ET.Element:
    """The drawing as a part of a page: without name spaces, with the page's colours, fonts and words."""
    root = ET.fromstring(svg)
    for element in root.iter():
        _adapt(element, labels)
    # A style sheet within the drawing would be one for the whole page.
    for parent in (root, *root.iter("defs")):
        for unwanted in (*parent.findall("metadata"), *parent.findall("style")):
            parent.remove(unwanted)
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"plot-{name}")
    heading = ET.Element("title", id=f"plot-{name}")
    heading.text = title
    root.insert(0, heading)
    return root


def _adapt(element: ET.Element, labels: _Labels) -> None:
    element.tag = element.tag.rpartition("}")[2]
    for key, value in list(element.attrib.items()):
        del element.attrib[key]
        # Only what is referred to keeps its identifier; all others are the same in every drawing.
        if key != "id" or element.tag in ("clipPath", "path"):
            element.set(key.rpartition("}")[2], value)
    style = element.get("style")
    if style:
        for pattern, instead in _FONTS:
            style = pattern.sub(instead, style)
        for placeholder, variable in _VARIABLES.items():
            style = style.replace(placeholder, variable)
        element.set("style", style)
    if element.text and element.text.strip():
        element.text = labels.text(element.text.strip())
