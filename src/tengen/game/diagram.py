"""A position drawn in plain text, readable on any terminal and by `tengen.formats`.

    3  . . .
    2  . X .
    1  O . .
       a b c

Black is ``X``, White ``O``. Marked points stand in brackets (the last move) or between the sign given
for them (a winning row, say).
"""

from __future__ import annotations

from collections.abc import Mapping

from tengen.game.notation import column_name
from tengen.game.points import PASS, Point

STONES = ".XO"
"""The characters for an empty point, a black and a white stone."""


def diagram(
    position: bytes,
    width: int,
    last: Point | None = None,
    signs: Mapping[Point, str] | None = None,
    brackets: Mapping[Point, str] | None = None,
) -> str:
    """Draw a position, the top row first, with coordinates to the left and below.

    Args:
        position: the colour of every point, in order.
        width: number of columns.
        last: a point to draw in square brackets.
        signs: one-character signs drawn in place of a point.
        brackets: points to draw with this one-character sign on either side.
    """
    signs = signs or {}
    sides = {point: (sign, sign) for point, sign in (brackets or {}).items()}
    if last is not None and last != PASS:
        sides[last] = "[", "]"
    columns = [column_name(x) for x in range(width)]
    cell = max(len(name) for name in columns)
    height = len(position) // width
    margin = len(str(height))
    rows = []
    for y in reversed(range(height)):
        row = f"{y + 1:>{margin}} "
        close = " "
        for point in range(y * width, (y + 1) * width):
            left, right = sides.get(point, (" ", " "))
            # Where columns are one wide, neighbours share the space; a bracket wins over a blank.
            gap = (left if close == " " else close) if cell == 1 else close + " " * (cell - 2) + left
            row += gap + signs.get(point, STONES[position[point]])
            close = right
        rows.append((row + close).rstrip())
    rows.append(f"{'':{margin}} " + "".join(f" {name:>{cell}}" for name in columns))
    return "\n".join(rows)
