"""The graph of a game: Black's win rate in each position, with marks where it was thrown away.

>>> from tengen.formats.pictures.win_rate_graph import WinRateGraph
>>> graph = WinRateGraph((0.5, 0.55, 0.9, 1.0), {2: "mistake"})
>>> graph.svg[:4], graph.png(width=400)[1:4]
('<svg', b'PNG')
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from xml.sax.saxutils import escape, quoteattr

from tengen.formats.pictures.raster import check_size, to_png
from tengen.formats.pictures.saving import save_picture
from tengen.formats.pictures.svg_layers import FONT
from tengen.formats.pictures.svg_shapes import num
from tengen.formats.text import for_xml

_WIDTH, _HEIGHT = 800, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 784.0, 12.0, 248.0
"""The edges of the plot in a picture of that size."""

_LEGEND = 288.0
"""Y of the legend's baseline."""

_HATCH = 8
_LETTERS = 14
_WHITE, _BLACK, _LINE, _GRID, _INK = "#f7f6f2", "#3c3a36", "#d0402a", "#8f8473", "#55524b"
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_MOST_LABELS = 12

DOTS: Mapping[str, tuple[str, str, float]] = {
    "inaccuracy": ("?!", "#8f8473", 4.0),
    "mistake": ("?", "#d8912c", 5.5),
    "blunder": ("??", "#d0402a", 6.5),
}
"""The sign, the colour and the radius of each kind of mark."""


@dataclass(frozen=True)
class WinRateGraph:
    """A picture of the win rates of a game. In a notebook it shows itself.

    Attributes:
        rates: Black's win rate, from 0 to 1, in each position.
        marks: the kind of mark, a name of `DOTS`, by ply.
        first: the ply of the first position.
        turning_point: the ply at which a line is drawn; None for no line.
        title: the title for people who cannot see the picture.
        lang: the language of the title.
        missing: the number of positions before the first that have no rate; they are hatched.
    """

    rates: Sequence[float]
    marks: Mapping[int, str] = field(default_factory=dict)
    first: int = 0
    turning_point: int | None = None
    title: str = ""
    lang: str = "en"
    missing: int = 0

    @cached_property
    def svg(self) -> str:
        """The picture as an SVG document."""
        return self._drawn(_WIDTH)

    def save(self, path: str | os.PathLike[str], width: int = _WIDTH) -> None:
        """Write the picture to a file whose extension gives the format, svg or png.

        Args:
            path: the file; one of its name is replaced.
            width: of a PNG file, in pixels.

        Raises:
            FileError: it cannot be written, or its extension is another one.
            PictureError: fewer or more pixels than can be drawn.
        """
        save_picture(path, {".svg": self.svg.encode, ".png": lambda: self.png(width)})

    def png(self, width: int = _WIDTH) -> bytes:
        """Return the picture as a PNG file.

        Args:
            width: in pixels; the height follows.

        Raises:
            PictureError: fewer or more pixels than can be drawn.
        """
        check_size(width, 1)
        height = self._height(width)
        check_size(width, height)
        return to_png(self._drawn(width), width, height)

    def _repr_svg_(self) -> str:
        return self.svg

    @staticmethod
    def _height(width: int) -> int:
        return max(round(width * _HEIGHT / _WIDTH), 1)

    def _drawn(self, width: int) -> str:
        return "".join(self._parts(width))

    def _parts(self, width: int) -> Iterator[str]:
        title = for_xml(self.title)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label={quoteattr(title)} '
            f'xml:lang={quoteattr(self.lang)} width="{width}" height="{self._height(width)}" '
            f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="{FONT}" font-size="{_LETTERS}" fill="{_INK}">\n'
            f"<title>{escape(title)}</title>\n"
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>\n'
            f'<path fill="{_WHITE}" d="M{_LEFT:g} {_TOP:g}H{_RIGHT:g}V{_BOTTOM:g}H{_LEFT:g}Z"/>\n'
        )
        places = [self._place(number) for number in range(len(self.rates))]
        if places:
            line = "L".join(f"{num(x)} {num(y)}" for x, y in places)
            yield f'<path fill="{_BLACK}" d="M{num(places[0][0])} {_BOTTOM:g}L{line}V{_BOTTOM:g}Z"/>\n'
        yield from self._gap()
        yield from self._axes()
        for number, (x, y) in enumerate(places):
            kind = self.marks.get(self.first + number)
            if kind is not None:
                yield _dot(kind, x, y)
        yield from _legend()
        yield "</svg>\n"

    def _place(self, number: int) -> tuple[float, float]:
        """Return the place of a position in the plot."""
        return self._x(number), _BOTTOM - self.rates[number] * (_BOTTOM - _TOP)

    def _x(self, number: int) -> float:
        share = (self.missing + number) / max(self.missing + len(self.rates) - 1, 1)
        return _LEFT + share * (_RIGHT - _LEFT)

    def _gap(self) -> Iterator[str]:
        """Yield the hatched part without rates, and how many positions it is, without words."""
        if not self.missing:
            return
        end = self._x(0) if self.rates else _RIGHT
        yield f'<path fill="#fff" d="M{_LEFT:g} {_TOP:g}H{num(end)}V{_BOTTOM:g}H{_LEFT:g}Z"/>\n'
        lines = "".join(
            f"M{num(x)} {_TOP:g}V{_BOTTOM:g}" for x in range(int(_LEFT) + _HATCH, int(end), _HATCH)
        )
        yield f'<path stroke="{_GRID}" stroke-dasharray="3 5" d="{lines}"/>\n' if lines else ""
        counts = f"{len(self.rates)} / {self.missing + len(self.rates)}"
        yield f'<text x="{_RIGHT:g}" y="{_LEGEND:g}" text-anchor="end">{counts}</text>\n'

    def _axes(self) -> Iterator[str]:
        middle = (_TOP + _BOTTOM) / 2
        yield (
            f'<path fill="none" stroke="{_GRID}" d="M{_LEFT:g} {_TOP:g}H{_RIGHT:g}V{_BOTTOM:g}H{_LEFT:g}Z'
            f'M{_LEFT:g} {middle:g}H{_RIGHT:g}"/>\n'
        )
        for percent, y in ((100, _TOP), (50, middle), (0, _BOTTOM)):
            yield f'<text x="{_LEFT - 6:g}" y="{y + 5:g}" text-anchor="end">{percent}%</text>\n'
        last = len(self.rates) - 1
        step = next((step for step in _STEPS if self.missing + last <= step * _MOST_LABELS), _STEPS[-1])
        for number in range(-self.missing, last + 1):
            if (self.first + number) % step == 0:
                place = f'x="{num(self._x(number))}" y="{_BOTTOM + 18:g}"'
                yield f'<text {place} text-anchor="middle">{self.first + number}</text>\n'
        if self.turning_point is not None and self.first < self.turning_point <= self.first + last:
            x, _ = self._place(self.turning_point - self.first)
            yield f'<path stroke="{_LINE}" stroke-width="1.5" d="M{num(x)} {_TOP:g}V{_BOTTOM:g}"/>\n'


def _dot(kind: str, x: float, y: float) -> str:
    _, colour, radius = DOTS[kind]
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{radius:g}" fill="{colour}" stroke="#fff"/>\n'


def _legend() -> Iterator[str]:
    """Yield the signs of the marks, which need no words."""
    for number, (kind, (sign, _, _)) in enumerate(DOTS.items()):
        x = _LEFT + 8 + 56 * number
        yield _dot(kind, x, _LEGEND - 5)
        yield f'<text x="{x + 12:g}" y="{_LEGEND:g}" font-weight="bold">{sign}</text>\n'
