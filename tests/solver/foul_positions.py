"""Positions of renju that are won only because a stone changes a foul, for tests of threats."""

from __future__ import annotations

from typing import NamedTuple

from tengen import BLACK, WHITE, Board, Rules
from tengen.game.points import Colour


class FoulChange(NamedTuple):
    """A position, and the one move that wins.

    Attributes:
        black: the black stones by name.
        white: the white ones.
        attacker: who is to move.
        first: the move.
        size: of the board.
    """

    black: str
    white: str
    attacker: Colour
    first: str
    size: int = 15


FOUL_CHANGES = (
    # k10 makes an overline of what would be a second four at h10.
    FoulChange("g6 h7 h8 h9 f10 g10 j10", "h5 i7 j8 i9", BLACK, "k10"),
    # i8 stops what made i9 no double-three, and i9 is the answer to k9.
    FoulChange("g7 k7 g8 h8 k8 f9 h10 f11", "i7 g9 h9 j9", WHITE, "i8"),
)


def set_up(row: FoulChange) -> Board:
    """The board of one of them."""
    rules = Rules.named("renju", row.size)
    return Board.from_stones(row.black.split(), row.white.split(), row.attacker, rules)
