"""The layout of a picture of a board: the lengths shared by all its layers.

Lengths are in units of a thirtieth of a cell, x to the right and y *down*, as in SVG; those shared with the
browser's board are in `tengen.assets`, in ``board_lengths.json``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tengen.assets import board_lengths
from tengen.formats.pictures.svg_coordinates import CoordinateStyle
from tengen.game.points import Point

LENGTHS = board_lengths()
"""The lengths shared with the browser, as `board_lengths` explains them."""

CELL = float(LENGTHS["cell"])
"""Distance between neighbouring points, in units."""

_COORDINATES: Mapping[str, float] = LENGTHS["coordinates"]


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of the points of a board.

    Attributes:
        columns: number of columns.
        rows: number of rows.
        signs: True if stones are X and O in cells, so that lines run between points.
        text: size of the coordinates; 0 for none.
        left: x of the first column's points.
        top: y of the top row's points.
        width: width of the whole picture.
        height: height of the whole picture.
        lines: widths of the lines within the board and of those round it.
        style: style of the coordinates.
    """

    columns: int
    rows: int
    signs: bool
    text: float
    left: float
    top: float
    width: float
    height: float
    lines: tuple[float, float] = (LENGTHS["lines"][0], LENGTHS["lines"][1])
    style: CoordinateStyle = "letters"

    def at(self, point: Point) -> tuple[float, float]:
        """Return the centre of a point."""
        y, x = divmod(point, self.columns)
        return self.left + x * CELL, self.top + (self.rows - 1 - y) * CELL

    @property
    def reach(self) -> float:
        """The distance of the grid's edge from the centres of the outer points."""
        return CELL / 2 if self.signs else 0

    @property
    def right(self) -> float:
        """X of the last column's points."""
        return self.left + (self.columns - 1) * CELL

    @property
    def bottom(self) -> float:
        """Y of the bottom row's points."""
        return self.top + (self.rows - 1) * CELL

    @property
    def label_gap(self) -> float:
        """From the outer points' centres to the middle of the columns' coordinates."""
        return _of(LENGTHS["gap"], signs=self.signs) * CELL + self.text / 2

    @property
    def wider(self) -> float:
        """The extra width of two Chinese numerals over the two figures that margins have room for."""
        return _COORDINATES["wider"] * self.text if self.style == "chinese" and self.rows > 10 else 0

    @property
    def label_aside(self) -> float:
        """From the outer points' centres to the middle of the rows' coordinates."""
        return self.label_gap + _COORDINATES["aside"] * CELL + self.wider / 2


def layout(
    columns: int,
    rows: int,
    *,
    signs: bool,
    coordinates: bool,
    legend: bool,
    style: CoordinateStyle = "letters",
) -> Layout:
    """Return the layout of a board, before any size in pixels."""
    # Boards with many points are shown smaller, so their coordinates need more of a cell.
    share = _COORDINATES["size"] + (max(columns, rows) - _COORDINATES["usual"]) * _COORDINATES["more"]
    text = CELL * min(max(share, _COORDINATES["least"]), _COORDINATES["most"]) if coordinates else 0.0
    plan = Layout(columns, rows, signs, text, 0, 0, 0, 0, style=style)
    if coordinates:
        margin = plan.label_gap + text / 2 + _COORDINATES["edge"] * CELL
    else:
        margin = _of(LENGTHS["margin"], signs=signs) * CELL
    return replace(
        plan,
        left=margin + plan.wider,
        top=margin,
        width=2 * margin + plan.wider + (columns - 1) * CELL,
        height=2 * margin + (rows - 1) * CELL + (1.1 * CELL if legend else 0),
    )


def fitted(plan: Layout, pixels: int) -> tuple[Layout, int]:
    """Fit a layout to a width in pixels, with a whole number of pixels to a cell.

    Lines then fall on the middle of a pixel, are an odd number of pixels wide and so stay sharp; the
    margins take the rest. Cells so small that this would cost much of the board keep a fractional width.

    Returns:
        The layout, and the height in pixels.
    """
    scale = pixels / plan.width
    whole = math.floor(scale * CELL)
    if whole < LENGTHS["sharp"]:
        height = math.ceil(plan.height * scale)
        return replace(plan, height=height / scale), height
    scale = whole / CELL
    margin = (pixels / scale - plan.width) / 2
    height = math.ceil((plan.height + 2 * margin) * scale)

    def sharp(place: float) -> float:
        line = place + margin - plan.reach
        return (math.floor(line * scale) + 0.5) / scale + plan.reach

    fitting = replace(
        plan,
        left=sharp(plan.left),
        top=sharp(plan.top),
        width=pixels / scale,
        height=height / scale,
        lines=(_odd(plan.lines[0] * scale) / scale, _odd(plan.lines[1] * scale) / scale),
    )
    return fitting, height


def _of(lengths: Mapping[str, float], *, signs: bool) -> float:
    """Return the length for signs, or for stones."""
    return lengths["signs" if signs else "stones"]


def _odd(length: float) -> int:
    """Return the odd number nearest to a length."""
    return max(1, 2 * round((length - 1) / 2) + 1)


def star_points(columns: int, rows: int) -> list[Point]:
    """Return the star points: five on 9x9, 13x13 and 15x15, nine on 19x19.

    Other boards mark their centre, if they have one and are large enough.
    """
    known = LENGTHS["stars"].get(f"{columns}x{rows}")
    if known:
        lines, sides = known["lines"], known["sides"]
        ends, middle = (lines[0], lines[2]), lines[1]
        return [
            y * columns + x
            for y in lines
            for x in lines
            if sides or (x in ends and y in ends) or x == y == middle
        ]
    if columns % 2 and rows % 2 and min(columns, rows) >= LENGTHS["centre"]:
        return [rows // 2 * columns + columns // 2]
    return []
