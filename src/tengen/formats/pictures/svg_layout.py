"""Where things stand in a picture of a board: the lengths that all its layers share.

Lengths are in units of a thirtieth of a cell, x to the right and y *down*, as SVG counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tengen.game.points import Point

CELL = 30.0
"""Distance between neighbouring points, in units."""

_TRADITION = {
    (9, 9): ((2, 4, 6), False),
    (13, 13): ((3, 6, 9), False),
    (15, 15): ((3, 7, 11), False),
    (19, 19): ((3, 9, 15), True),
}
"""Rows and columns of the star points, and whether those in the middle of a side are stars too."""

_LEAST_WITH_CENTRE = 5
_SHARP_FROM = 12


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the points of a board are.

    Attributes:
        columns: of the board.
        rows: of the board.
        signs: whether stones are X and O in cells, and so lines run between points.
        text: size of the coordinates; 0 for none.
        left: x of the first column's points.
        top: y of the top row's points.
        width: of the whole picture.
        height: of the whole picture.
        lines: widths of the lines within the board and of those round it.
    """

    columns: int
    rows: int
    signs: bool
    text: float
    left: float
    top: float
    width: float
    height: float
    lines: tuple[float, float] = (0.9, 1.7)

    def at(self, point: Point) -> tuple[float, float]:
        """Centre of a point."""
        y, x = divmod(point, self.columns)
        return self.left + x * CELL, self.top + (self.rows - 1 - y) * CELL

    @property
    def reach(self) -> float:
        """How far the grid goes beyond the centres of the outer points."""
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
        """From the outer points' centres to the middle of the coordinates."""
        return (0.61 if self.signs else 0.54) * CELL + self.text / 2


def layout(columns: int, rows: int, *, signs: bool, coordinates: bool, legend: bool) -> Layout:
    """The layout of a board as it is drawn when nobody asks for a size in pixels."""
    longest = max(columns, rows)
    # Boards with many points are shown smaller, so their coordinates need more of a cell.
    text = CELL * min(max(0.36 + (longest - 15) * 0.006, 0.3), 0.56) if coordinates else 0.0
    plan = Layout(columns, rows, signs, text, 0, 0, 0, 0)
    margin = plan.label_gap + text / 2 + 0.16 * CELL if coordinates else (0.8 if signs else 0.68) * CELL
    return replace(
        plan,
        left=margin,
        top=margin,
        width=2 * margin + (columns - 1) * CELL,
        height=2 * margin + (rows - 1) * CELL + (1.1 * CELL if legend else 0),
    )


def fitted(plan: Layout, pixels: int) -> tuple[Layout, int]:
    """The same picture at a width in pixels, with a whole number of pixels to a cell.

    Lines then fall on the middle of a pixel, are an odd number of pixels wide and so stay sharp; the
    margins take what is over. Where cells are so small that this would cost much of the board, they keep
    a broken width.

    Returns:
        The layout, and the height in pixels.
    """
    scale = pixels / plan.width
    whole = math.floor(scale * CELL)
    if whole < _SHARP_FROM:
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


def _odd(length: float) -> int:
    """The odd number next to a length."""
    return max(1, 2 * round((length - 1) / 2) + 1)


def star_points(columns: int, rows: int) -> list[Point]:
    """The points that tradition marks: five on 9x9, 13x13 and 15x15, nine on 19x19.

    Other boards show their centre, if they have one and it needs finding.
    """
    if (columns, rows) in _TRADITION:
        lines, sides = _TRADITION[columns, rows]
        ends, middle = (lines[0], lines[2]), lines[1]
        return [
            y * columns + x
            for y in lines
            for x in lines
            if sides or (x in ends and y in ends) or x == y == middle
        ]
    if columns % 2 and rows % 2 and min(columns, rows) >= _LEAST_WITH_CENTRE:
        return [rows // 2 * columns + columns // 2]
    return []
