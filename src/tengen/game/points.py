"""Points, colours, and the straight lines through a point.

A point is an int, ``y * width + x``, with x counted from the left and y from the bottom. The lines
through it are `range`s that stop at the edge of the board, so that no walk along them can wrap round.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

Point: TypeAlias = int
Colour: TypeAlias = int

EMPTY: Colour = 0
"""The colour of a point without a stone.

Examples:
    >>> import tengen
    >>> board = tengen.Board.from_moves("h8")
    >>> board["h8"] == tengen.EMPTY, board["i9"] == tengen.EMPTY
    (False, True)
    >>> len(board.stones(tengen.EMPTY))
    224
"""

BLACK: Colour = 1
"""The colour of the side that moves first.

Examples:
    >>> import tengen
    >>> board = tengen.Board.from_moves("h8i9g7")
    >>> board["h8"] == tengen.BLACK, board.turn == tengen.BLACK
    (True, False)
    >>> [board.name(point) for point in board.stones(tengen.BLACK)]
    ['g7', 'h8']
"""

WHITE: Colour = 2
"""The colour of the side that moves second.

Examples:
    >>> import tengen
    >>> board = tengen.Board.from_moves("h8i9g7")
    >>> board["i9"] == tengen.WHITE, board.turn == tengen.WHITE
    (True, True)
"""

PASS: Point = -1
"""The move of a side that passes, legal only where `Rules.passing` is True; its name is ``--``.

Examples:
    >>> import tengen
    >>> board = tengen.Board.from_moves("h8i9g7", tengen.Rules.named("renju", passing=True))
    >>> board.push(tengen.PASS)
    >>> board.name(board.last), board.point("--") == tengen.PASS
    ('--', True)
    >>> board.push("--")
    >>> board.outcome().reason, board.outcome().winner
    ('passes', None)
    >>> tengen.Board.from_moves("h8i9g7--")
    Traceback (most recent call last):
        ...
    tengen.game.errors.IllegalMove: these rules do not allow passing
"""

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""One direction for each of the four axes: row, column, rising and falling diagonal."""


class Axis(NamedTuple):
    """One of the four lines through a point: the points after it and before it, outward, edge last."""

    forward: range
    backward: range


Grid: TypeAlias = tuple[tuple[Axis, ...], ...]
"""The four axes of every point of a board, in the order of `DIRECTIONS`; see `axes`."""


def opponent(colour: Colour) -> Colour:
    """Return the other colour."""
    return BLACK + WHITE - colour


@lru_cache(maxsize=64)
def axes(width: int, height: int) -> Grid:
    """Return the four axes of each point of a board, in the order of `DIRECTIONS`."""
    return tuple(_axes_of(x, y, width, height) for y in range(height) for x in range(width))


@lru_cache(maxsize=64)
def stars(width: int, height: int, radius: int) -> tuple[tuple[Point, ...], ...]:
    """Return, for each point of a board, the points on its axes up to `radius` steps away."""
    return tuple(
        tuple(point for axis in lines for ray in axis for point in ray[:radius])
        for lines in axes(width, height)
    )


def _axes_of(x: int, y: int, width: int, height: int) -> tuple[Axis, ...]:
    point = y * width + x
    left, right, below, above = x, width - 1 - x, y, height - 1 - y
    return (
        Axis(_ray(point, 1, right), _ray(point, -1, left)),
        Axis(_ray(point, width, above), _ray(point, -width, below)),
        Axis(_ray(point, width + 1, min(right, above)), _ray(point, -width - 1, min(left, below))),
        Axis(_ray(point, 1 - width, min(right, below)), _ray(point, width - 1, min(left, above))),
    )


def _ray(point: Point, step: int, length: int) -> range:
    if length == 0:
        return range(0)  # the step itself may be 0 on a board one point wide
    return range(point + step, point + step * (length + 1), step)


def distance(a: Point, b: Point, width: int) -> int:
    """Return the king's moves between two points of a board of this width."""
    (ay, ax), (by, bx) = divmod(a, width), divmod(b, width)
    return max(abs(ax - bx), abs(ay - by))
