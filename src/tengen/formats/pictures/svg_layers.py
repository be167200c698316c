"""A picture of a board, layer upon layer, as SVG.

It uses only presentation attributes and shapes in ``<defs>``: no style sheet, script, font
or other resource is asked for, so that a page with a strict Content-Security-Policy may hold it. Two
pictures on one page may share an identifier only where both mean the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from tengen.formats.pictures.svg_coordinates import CoordinateStyle, coordinate_texts
from tengen.formats.pictures.svg_layout import CELL, LENGTHS, Layout, layout, star_points
from tengen.formats.pictures.svg_shapes import cross, figure, fit, num, shape, shortened
from tengen.formats.pictures.svg_themes import THEMES, StoneColours, Theme
from tengen.formats.text import for_xml
from tengen.game.points import BLACK, WHITE, Point
from tengen.game.record import Mark

FONT = "Helvetica,Arial,'DejaVu Sans Condensed',sans-serif"

_STONE = LENGTHS["stone"] * CELL
_HEAT: Mapping[str, float] = LENGTHS["heat"]
_NUMBERS: Sequence[float] = LENGTHS["numbers"]
_NUMBER_BESIDE: Mapping[str, float] = LENGTHS["numberBeside"]
_LAST: Mapping[str, float] = LENGTHS["last"]
_MARK: Mapping[str, float] = LENGTHS["mark"]
_MARK_BESIDE: Mapping[str, float] = LENGTHS["markBeside"]
_ARROW: Mapping[str, float] = LENGTHS["arrow"]
_BASELINE: float = LENGTHS["baseline"]
_LIT: Mapping[str, float] = LENGTHS["lit"]
_SHADE: Mapping[str, float] = LENGTHS["shade"]
_PENS: Mapping[str, float] = LENGTHS["pens"]
_OPACITY: Mapping[str, Any] = LENGTHS["opacity"]
_LEGEND = (1.0, 0.5, 0.1)
_LEGEND_STEP = 2.4
_LETTERS: Mapping[int, str] = {BLACK: "b", WHITE: "w"}
_NAMES: Mapping[int, str] = {BLACK: "black", WHITE: "white"}


@dataclass(frozen=True, slots=True)
class Picture:
    """The content of a picture, checked to fit the board.

    Attributes:
        columns: number of columns.
        rows: number of rows.
        position: the colour of every point.
        theme: a name in `THEMES`.
        signs: X and O in cells instead of stones on lines.
        coordinates: draw coordinates.
        coordinate_style: style of the coordinates.
        rounded: True if the board's corners may be rounded.
        numbers: the number written on the stone that stands on a point, if one does.
        last: the point of the last move.
        wins: winning rows.
        losses: rows of a foul that lost.
        crosses: points forbidden to Black.
        marks: signs beside points.
        heat: weights of points.
        arrows: from a point to another.
        title: the picture in a few words.
        description: the position in words.
        lang: the language of both.
    """

    columns: int
    rows: int
    position: bytes
    theme: str
    signs: bool = False
    coordinates: bool = True
    coordinate_style: CoordinateStyle = "letters"
    rounded: bool = True
    numbers: Mapping[Point, int] = field(default_factory=dict)
    last: Point | None = None
    wins: tuple[tuple[Point, ...], ...] = ()
    losses: tuple[tuple[Point, ...], ...] = ()
    crosses: tuple[Point, ...] = ()
    marks: tuple[Mark, ...] = ()
    heat: Mapping[Point, float] = field(default_factory=dict)
    arrows: tuple[tuple[Point, Point], ...] = ()
    title: str = ""
    description: str = ""
    lang: str = "en"

    def layout(self) -> Layout:
        """Return the layout of its parts."""
        return layout(
            self.columns,
            self.rows,
            signs=self.signs,
            coordinates=self.coordinates,
            legend=any(self.heat.values()),
            style=self.coordinate_style,
        )


_Lettering: TypeAlias = tuple[str, float, float, float, str]
"""A bold text: its colour, size, x, y and letters."""

Window: TypeAlias = tuple[float, float, float, float]
"""A part of a picture: left, top, width and height in units."""


def render(picture: Picture, plan: Layout, width: int, height: int, window: Window | None = None) -> str:
    """Render the picture, or the part of it in a window, as SVG text.

    Args:
        picture: the content.
        plan: the layout.
        width: width in pixels.
        height: height in pixels.
        window: the part to show; everything if None.
    """
    view = window or (0, 0, plan.width, plan.height)
    return "".join(_Artist(picture, plan).lines(width, height, view))


class _Artist:
    """One picture being drawn."""

    def __init__(self, picture: Picture, plan: Layout) -> None:
        self.picture = picture
        self.plan = plan
        self.theme: Theme = THEMES[picture.theme]
        self.prefix = f"tengen-{picture.theme}"
        first, second = self.theme.board
        size = f"{num(plan.width)}x{num(plan.height)}"
        self.board = first if first == second else f"url(#{self.prefix}-{size})"

    def lines(self, width: int, height: int, view: Window) -> Iterator[str]:
        picture = self.picture
        title = for_xml(picture.title)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tengen" role="img" '
            f"aria-label={quoteattr(title)} xml:lang={quoteattr(picture.lang)} "
            f'width="{width}" height="{height}" viewBox="{" ".join(num(length, 4) for length in view)}" '
            f'font-family="{FONT}" text-anchor="middle">\n'
        )
        yield f"<title>{escape(title)}</title>\n"
        if picture.description:
            yield f"<desc>{escape(picture.description)}</desc>\n"
        yield from self.definitions()
        yield from self.grid()
        yield from self.coordinates()
        covered = self.covered()
        if covered:
            yield from self.row_lines(covered)
            yield from self.stones()
        else:
            yield from self.stones()
            yield from self.row_lines(covered)
        yield from self.heat()
        yield from self.numbers()
        yield from self.last()
        yield from self.crosses()
        yield from self.marks()
        yield from self.arrows()
        yield from self.legend()
        yield "</svg>\n"

    def centre(self, point: Point) -> str:
        x, y = self.plan.at(point)
        return f'cx="{num(x)}" cy="{num(y)}"'

    def colours(self, point: Point) -> StoneColours | None:
        return self.theme.stones.get(self.picture.position[point])

    def definitions(self) -> Iterator[str]:
        yield "<defs>"
        if self.board.startswith("url"):
            first, second = self.theme.board
            yield (
                f'<linearGradient id="{self.board[5:-1]}" gradientUnits="userSpaceOnUse" x1="0" y1="0" '
                f'x2="{num(self.plan.width)}" y2="{num(self.plan.height)}">'
                f'<stop stop-color="{first}"/><stop offset="1" stop-color="{second}"/></linearGradient>'
            )
        for colour in sorted(set(self.picture.position) - {0}):
            yield from self.sign(colour) if self.picture.signs else self.stone(colour)
        yield "</defs>\n"

    def stone(self, colour: int) -> Iterator[str]:
        ours = self.theme.stones[colour]
        name = f"{self.prefix}-{_LETTERS[colour]}"
        fill = ours.shade[0][1]
        if len(ours.shade) > 1:
            fill = f"url(#{name}-shade)"
            stops = "".join(f'<stop offset="{num(at)}" stop-color="{c}"/>' for at, c in ours.shade)
            lit = " ".join(f'{at}="{num(_LIT[at])}"' for at in ("cx", "cy", "r"))
            yield f'<radialGradient id="{name}-shade" {lit}>{stops}</radialGradient>'
        shadow = ""
        if self.theme.shadow:
            yield (
                f'<radialGradient id="{name}-shadow"><stop offset="{num(_SHADE["full"])}" '
                f'stop-opacity="{num(_OPACITY["shade"])}"/>'
                '<stop offset="1" stop-opacity="0"/></radialGradient>'
            )
            shadow = (
                f'<circle cx="{num(_SHADE["right"])}" cy="{num(_SHADE["down"])}" '
                f'r="{num(_SHADE["radius"])}" fill="url(#{name}-shadow)"/>'
            )
        yield (
            f'<g id="{name}">{shadow}<circle r="{num(_STONE - _PENS["rim"] / 2)}" fill="{fill}" '
            f'stroke="{ours.rim}" stroke-width="{num(_PENS["rim"])}"/></g>'
        )

    def sign(self, colour: int) -> Iterator[str]:
        sign = self.theme.stones[colour].sign
        shape = (
            f'<path d="{cross(0, 0, LENGTHS["cross"] * CELL)}"'
            if colour == BLACK
            else f'<circle r="{num(LENGTHS["ring"] * CELL)}"'
        )
        yield (
            f'{shape} id="{self.prefix}-{_LETTERS[colour]}-sign" fill="none" stroke="{sign}" '
            f'stroke-width="{num(_PENS["sign"])}" stroke-linecap="round"/>'
        )

    def grid(self) -> Iterator[str]:
        plan, theme = self.plan, self.theme
        # Smaller where there is little board for it to be a corner of.
        radius = theme.radius * min(1, plan.width / (9 * CELL)) if self.picture.rounded else 0
        yield (
            f'<rect class="board" width="{num(plan.width)}" height="{num(plan.height)}" '
            f'rx="{num(radius)}" fill="{self.board}"/>\n'
        )
        left, right = plan.left - plan.reach, plan.right + plan.reach
        top, bottom = plan.top - plan.reach, plan.bottom + plan.reach
        # A board one point wide has no line across: a short one shows the point.
        if left == right:
            left, right = left - CELL / 4, right + CELL / 4
        if top == bottom:
            top, bottom = top - CELL / 4, bottom + CELL / 4
        more = 1 if self.picture.signs else 0
        columns = [plan.left - plan.reach + x * CELL for x in range(plan.columns + more)]
        rows = [plan.top - plan.reach + y * CELL for y in range(plan.rows + more)]
        inner = "".join(f"M{num(x)} {num(top)}V{num(bottom)}" for x in columns[1:-1])
        inner += "".join(f"M{num(left)} {num(y)}H{num(right)}" for y in rows[1:-1])
        outer = "".join(
            f"M{num(x)} {num(top)}V{num(bottom)}" for x in dict.fromkeys((columns[0], columns[-1]))
        )
        outer += "".join(f"M{num(left)} {num(y)}H{num(right)}" for y in dict.fromkeys((rows[0], rows[-1])))
        yield f'<g class="grid" stroke="{theme.grid}" stroke-linecap="square">'
        if inner:
            yield f'<path d="{inner}" stroke-width="{num(plan.lines[0])}"/>'
        yield f'<path d="{outer}" stroke-width="{num(plan.lines[1])}"/></g>\n'
        stars = [] if self.picture.signs else star_points(plan.columns, plan.rows)
        if stars:
            yield f'<g class="stars" fill="{theme.grid}">'
            for point in stars:
                yield f'<circle {self.centre(point)} r="{num(LENGTHS["star"])}"/>'
            yield "</g>\n"

    def coordinates(self) -> Iterator[str]:
        plan = self.plan
        if not plan.text:
            return
        columns, rows = coordinate_texts(plan.columns, plan.rows, plan.style)
        yield f'<g class="coordinates" fill="{self.theme.label}" font-size="{num(plan.text)}">'
        line = plan.top - plan.label_gap if plan.style == "chinese" else plan.bottom + plan.label_gap
        y = num(line + _BASELINE * plan.text)
        for x, text in enumerate(columns):
            yield f'<text x="{num(plan.left + x * CELL)}" y="{y}">{text}</text>'
        x_text = num(plan.left - plan.label_aside)
        for row, text in enumerate(rows):
            y = num(plan.bottom - row * CELL + _BASELINE * plan.text)
            yield f'<text x="{x_text}" y="{y}">{text}</text>'
        yield "</g>\n"

    def heat(self) -> Iterator[str]:
        weights = {point: weight for point, weight in self.picture.heat.items() if weight}
        if not weights:
            return
        largest = max(abs(weight) for weight in weights.values())
        yield '<g class="heat">'
        for point, weight in weights.items():
            yield self.disc(*self.plan.at(point), weight / largest)
        best = max(weights.values())
        chosen = [point for point, weight in weights.items() if weight == best]
        if len(chosen) == 1 and len(weights) > 1:
            radius = num(_HEAT["chosen"] * CELL)
            yield (
                f'<circle class="chosen" {self.centre(chosen[0])} r="{radius}" fill="none" '
                f'stroke="{self.theme.here}" stroke-width="{num(_PENS["chosen"])}"/>'
            )
        inside: list[_Lettering] = []
        across: list[_Lettering] = []
        for point, weight in weights.items():
            if abs(weight) >= _HEAT["written"] * largest:
                text = figure(weight)
                size = fit(text, _HEAT["figure"] * CELL, _HEAT["room"] * CELL)
                group = inside if weight > _HEAT["inside"] * largest else across
                group.append((self.theme.ink, size, *self.plan.at(point), text))
        yield from self.texts(inside)
        yield from self.texts(across, halo=True)
        yield "</g>\n"

    def disc(self, x: float, y: float, share: float, unit: float = CELL) -> str:
        """Draw a weight: its area is its share of the largest; below zero it is a ring."""
        radius = max(_HEAT["disc"] * unit * math.sqrt(abs(share)), _HEAT["least"])
        place = f'<circle cx="{num(x)}" cy="{num(y)}"'
        if share < 0:
            inner = max(radius - _PENS["below"] / 2, _HEAT["least"] / 2)
            return (
                f'{place} r="{num(inner)}" fill="none" stroke="{self.theme.warn}" '
                f'stroke-width="{num(_PENS["below"])}" stroke-opacity="{num(_OPACITY["below"])}"/>'
            )
        least, more = _OPACITY["weight"]
        opacity = num(least + more * share)
        return f'{place} r="{num(radius)}" fill="{self.theme.heat}" fill-opacity="{opacity}"/>'

    def stones(self) -> Iterator[str]:
        suffix = "-sign" if self.picture.signs else ""
        for colour in (BLACK, WHITE):
            points = [point for point, stone in enumerate(self.picture.position) if stone == colour]
            if not points:
                continue
            yield f'<g class="{_NAMES[colour]}">'
            for point in points:
                x, y = self.plan.at(point)
                name = f"#{self.prefix}-{_LETTERS[colour]}{suffix}"
                yield f'<use href="{name}" x="{num(x)}" y="{num(y)}"/>'
            yield "</g>\n"

    def covered(self) -> bool:
        """Return whether rows go behind stones, which then have rims: they bear marks or numbers."""
        picture = self.picture
        upon = {*picture.numbers, *(mark.point for mark in picture.marks)}
        rows = (*picture.wins, *picture.losses)
        return not picture.signs and any(point in upon for row in rows for point in row)

    def row_lines(self, covered: bool) -> Iterator[str]:
        beyond = LENGTHS["beyond"] * CELL if self.picture.signs else 0
        for rows, kind in ((self.picture.wins, "win"), (self.picture.losses, "loss")):
            if not rows:
                continue
            path = "".join(self.stretch(row, beyond) for row in rows)
            over, under = self.theme.row if kind == "win" else (self.theme.warn, self.theme.row[1])
            dashes = f' stroke-dasharray="{LENGTHS["dashes"]}"' if kind == "loss" else ""
            yield f'<g class="{kind}" fill="none" stroke-linecap="round">'
            if covered:
                # One outline round all the stones, with a little light between.
                rims = [self.centre(point) for point in dict.fromkeys(p for row in rows for p in row)]
                yield f'<path d="{path}" stroke="{over}" stroke-width="{num(_PENS["behind"])}"/>'
                beyond_stones = LENGTHS["rims"]
                for rim_width, colour in ((beyond_stones["line"], over), (beyond_stones["light"], under)):
                    yield f'<g stroke="none" fill="{colour}">'
                    yield from (f'<circle {rim} r="{num(_STONE + rim_width)}"/>' for rim in rims)
                    yield "</g>"
            else:
                yield (
                    f'<path d="{path}" stroke="{under}" stroke-width="{num(_PENS["under"])}" '
                    f'stroke-opacity="{num(_OPACITY["under"])}"/>'
                    f'<path d="{path}" stroke="{over}" stroke-width="{num(_PENS["row"])}"{dashes}/>'
                )
            yield "</g>\n"

    def stretch(self, row: tuple[Point, ...], beyond: float) -> str:
        (ax, ay), (bx, by) = self.plan.at(row[0]), self.plan.at(row[-1])
        length = math.hypot(bx - ax, by - ay)
        dx, dy = ((bx - ax) / length * beyond, (by - ay) / length * beyond) if length else (beyond, 0)
        return f"M{num(ax - dx)} {num(ay - dy)}L{num(bx + dx)} {num(by + dy)}"

    def numbers(self) -> Iterator[str]:
        if not self.picture.numbers:
            return
        texts = []
        for point, number in self.picture.numbers.items():
            x, y = self.plan.at(point)
            ours = self.colours(point)
            if ours is None:
                continue
            text = str(number)
            if self.picture.signs:
                right, down, small = (_NUMBER_BESIDE[name] * CELL for name in ("right", "down", "size"))
                texts.append((self.theme.label, small, x + right, y + down, text))
                continue
            colour = ours.last if point == self.picture.last else ours.text
            size = _NUMBERS[min(len(text), len(_NUMBERS)) - 1] * CELL
            texts.append((colour, size, x, y, text))
        yield '<g class="numbers">'
        yield from self.texts(texts, halo=self.picture.signs)
        yield "</g>\n"

    def texts(self, texts: Iterable[_Lettering], *, halo: bool = False) -> Iterator[str]:
        """Draw bold texts, equal styles in a group."""
        groups: dict[tuple[str, float], list[str]] = {}
        for colour, size, x, y, text in texts:
            line = f'<text x="{num(x)}" y="{num(y + _BASELINE * size)}">{escape(text)}</text>'
            groups.setdefault((colour, size), []).append(line)
        around = (
            f' stroke="{self.theme.board[0]}" stroke-width="{num(_PENS["halo"])}" '
            f'stroke-opacity="{num(_OPACITY["halo"])}" '
            'stroke-linejoin="round" paint-order="stroke"'
            if halo
            else ""
        )
        for (colour, size), lines in groups.items():
            yield f'<g fill="{colour}" font-size="{num(size)}" font-weight="700"{around}>'
            yield from lines
            yield "</g>"

    def last(self) -> Iterator[str]:
        point = self.picture.last
        if point is None:
            return
        x, y = self.plan.at(point)
        if self.picture.signs:
            inset = _LAST["frame"] * CELL
            yield (
                f'<rect class="last" x="{num(x - inset)}" y="{num(y - inset)}" width="{num(2 * inset)}" '
                f'height="{num(2 * inset)}" rx="3" fill="none" stroke="{self.theme.warn}" '
                f'stroke-width="{num(_PENS["frame"])}"/>\n'
            )
            return
        ours = self.colours(point)
        if ours is None:
            return
        picture = self.picture
        taken = point in {*picture.numbers, *picture.heat, *(mark.point for mark in picture.marks)}
        radius = _LAST["around" if taken else "ring"] * CELL
        yield (
            f'<circle class="last" {self.centre(point)} r="{num(radius)}" fill="none" '
            f'stroke="{ours.last}" stroke-width="{num(_PENS["around" if taken else "last"])}"/>\n'
        )

    def crosses(self) -> Iterator[str]:
        if not self.picture.crosses:
            return
        path = "".join(
            cross(*self.plan.at(point), LENGTHS["foul"] * CELL) for point in self.picture.crosses
        )
        yield (
            f'<path class="fouls" d="{path}" fill="none" stroke="{self.theme.warn}" '
            f'stroke-width="{num(_PENS["foul"])}" stroke-linecap="round"/>\n'
        )

    def marks(self) -> Iterator[str]:
        if not self.picture.marks:
            return
        yield '<g class="marks">'
        texts = []
        for mark in self.picture.marks:
            x, y = self.plan.at(mark.point)
            ours = self.colours(mark.point)
            size, colour = CELL, self.theme.ink
            if ours is not None and self.picture.signs:
                # The sign keeps the middle of its cell.
                right, up, size = (_MARK_BESIDE[name] * CELL for name in ("right", "up", "size"))
                x, y = x + right, y - up
            elif ours is not None:
                colour = ours.text
            if mark.kind == "label":
                label = shortened(mark.label)
                if ours is None:
                    radius = num(_MARK["clearing"] * CELL)
                    yield f'<circle cx="{num(x)}" cy="{num(y)}" r="{radius}" fill="{self.board}"/>'
                text_size = fit(label, _MARK["label"] * size, _MARK["room"] * size)
                texts.append((colour, text_size, x, y, label))
            else:
                width = num(_PENS["beside" if size < CELL else "mark"])
                yield (
                    f'<path class="{mark.kind}" d="{shape(mark.kind, x, y, size)}" fill="none" '
                    f'stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>'
                )
        yield from self.texts(texts)
        yield "</g>\n"

    def arrows(self) -> Iterator[str]:
        if not self.picture.arrows:
            return
        colour = self.theme.here
        yield f'<g class="arrows" stroke="{colour}" fill="{colour}" opacity="{num(_OPACITY["arrows"])}">'
        for start, end in self.picture.arrows:
            (ax, ay), (bx, by) = self.plan.at(start), self.plan.at(end)
            length = math.hypot(bx - ax, by - ay)
            ux, uy = (bx - ax) / length, (by - ay) / length
            # From the rim of one point's stone to the other's; neighbours stand closer than two rims.
            tail = min(_ARROW["tail"] * CELL, _ARROW["length"] * length)
            head = max(length - _ARROW["tip"] * CELL, _ARROW["least"] * length)
            neck = head - _ARROW["head"] * CELL
            half = _ARROW["width"] * CELL
            corners = [
                (ax + ux * neck - uy * half, ay + uy * neck + ux * half),
                (ax + ux * head, ay + uy * head),
                (ax + ux * neck + uy * half, ay + uy * neck - ux * half),
            ]
            yield (
                f'<path d="M{num(ax + ux * tail)} {num(ay + uy * tail)}'
                f'L{num(ax + ux * neck)} {num(ay + uy * neck)}" stroke-width="{num(_PENS["arrow"])}" '
                'stroke-linecap="round"/>'
                f'<path d="M{"L".join(f"{num(x)} {num(y)}" for x, y in corners)}Z" stroke="none"/>'
            )
        yield "</g>\n"

    def legend(self) -> Iterator[str]:
        """Draw a scale under the board: the largest weight, half and a tenth of it, and the lowest."""
        weights = [weight for weight in self.picture.heat.values() if weight]
        if not weights:
            return
        largest = max(abs(weight) for weight in weights)
        shares = [share for share in _LEGEND if share * largest <= max(weights)]
        if min(weights) < 0:
            shares.append(min(weights) / largest)
        plan = self.plan
        # On a board too narrow for one disc and its figure all is smaller.
        unit = min(CELL, plan.width / _LEGEND_STEP)
        step = _LEGEND_STEP * unit
        shares = shares[: max(1, int(plan.width / step))]
        figures = [figure(share * largest) for share in shares]
        size = min(fit(text, 0.38 * unit, 1.22 * unit) for text in figures)
        x, y = (plan.width - step * len(shares)) / 2 + 0.6 * unit, plan.height - 0.66 * CELL
        yield f'<g class="legend" fill="{self.theme.label}" font-size="{num(size)}" text-anchor="start">'
        for share, text in zip(shares, figures, strict=True):
            yield self.disc(x, y, share, unit)
            yield f'<text x="{num(x + 0.58 * unit)}" y="{num(y + _BASELINE * size)}">{text}</text>'
            x += step
        yield "</g>\n"
