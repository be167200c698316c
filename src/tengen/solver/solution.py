"""What the searches for a win by threats bring, and what they leave of a limit."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game.arguments import MOST_NODES
from tengen.game.player import Limit
from tengen.game.points import Colour, Point

ALL_NODES = MOST_NODES
"""More nodes than can ever be spent."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver has found.

    Attributes:
        winner: the attacker, if it wins; None otherwise.
        proven: whether that is certain; False where a limit was reached first.
        line: the winning moves of both sides in turn, the five included; empty without a win. Where the
            defender has no defence left, it blocks one of the fives (`tengen.game.last_reply`). Where
            only fouls are left, and may be played, a foul ends the line.
        length: plies of the line.
        fours: the attacker's fours in it, the five not counted.
        nodes: stones put down.
        seconds: how long it took.
        shortest: whether no win by such moves takes fewer plies, which is known only where that was asked.
        if_fouls_lose: where there is no win only because it ends with Black left with nothing but fouls,
            which is a draw where they are forbidden: the line by which White wins where a foul may be
            played and loses. Empty otherwise.
    """

    winner: Colour | None
    proven: bool
    line: tuple[Point, ...]
    length: int
    fours: int
    nodes: int
    seconds: float
    shortest: bool = False
    if_fouls_lose: tuple[Point, ...] = ()


def left_after(found: Solution, limit: Limit) -> Limit:
    """What a search has left of a limit: of one without a bound of nodes, `ALL_NODES` without its own."""
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    return Limit(limit.seconds, nodes, limit.depth).after(found.seconds, found.nodes)
