"""The 26 regular openings of renju: three stones, numbered, recognised on any board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from tengen.game.board import Board
from tengen.game.notation import parse_point
from tengen.game.points import BLACK, WHITE, Point
from tengen.game.symmetry import symmetries

_REGULAR = {
    "D": ("h9", "h10 i10 j10 i9 j9 i8 j8 h7 i7 j7 h6 i6 j6"),
    "I": ("i9", "j10 j9 j8 j7 j6 i8 i7 i6 h7 h6 g7 g6 f6"),
}
"""Moves 2 and 3 of the direct and the indirect openings after h8, in the order of their numbers."""

REGULAR = tuple(f"{number}{kind}" for kind in _REGULAR for number in range(1, 14))
"""Codes of the 26 regular openings, 1D to 13D and 1I to 13I; names: ``opening.regular.<code>``."""


def regular_opening(board: Board) -> str | None:
    """Identify the regular opening on the board, up to symmetry.

    Returns:
        Its code, such as ``"4D"``; None for any other position, or a board of unsuitable shape (not
        square, even, or smaller than 5x5).
    """
    side = board.width
    black, white = board.stones(BLACK), board.stones(WHITE)
    if side != board.height or side % 2 == 0 or side < 5 or (len(black), len(white)) != (2, 1):
        return None
    return _codes(side).get((frozenset(black), white[0]))


@lru_cache(maxsize=16)
def _codes(side: int) -> Mapping[tuple[frozenset[Point], Point], str]:
    """Return the code of every regular opening on a board of this side, by black stones and white stone."""
    codes = {}
    for kind, (second, thirds) in _REGULAR.items():
        for number, third in enumerate(thirds.split(), 1):
            centre, white, black = (_shifted(name, side) for name in ("h8", second, third))
            for symmetry in symmetries(side, side):
                stones = frozenset((symmetry[centre], symmetry[black]))
                codes[stones, symmetry[white]] = f"{number}{kind}"
    return codes


def _shifted(name: str, side: int) -> Point:
    """Map a point of the 15x15 board to the point as far from the centre of a board of another side."""
    y, x = divmod(parse_point(name, 15, 15), 15)
    shift = side // 2 - 7
    return (y + shift) * side + x + shift
