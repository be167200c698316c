"""Wins by continuous fours: found if there is one, and proven not to be there otherwise."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import numpy as np

from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.player import Limit
from tengen.game.points import Colour, Point

ALL_NODES = 1 << 62
"""More nodes than can ever be spent."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver has found.

    Attributes:
        winner: the attacker, if it wins; None otherwise.
        proven: whether that is certain; False where a limit was reached first.
        line: the winning moves of both sides in turn, the five included; empty without a win. Where the
            defender has no defence left, any legal reply stands in it. Where it has only fouls left, and
            may play them, a foul ends the line.
        length: plies of the line.
        fours: the attacker's fours in it, the five not counted.
        nodes: stones put down.
        seconds: how long it took.
        shortest: whether no win by such moves takes fewer plies, which is known only where that was asked.
    """

    winner: Colour | None
    proven: bool
    line: tuple[Point, ...]
    length: int
    fours: int
    nodes: int
    seconds: float
    shortest: bool = False


def solve_vcf(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    shortest: bool = False,
    stop: threading.Event | None = None,
) -> Solution:
    """Look for a win by continuous fours.

    Args:
        board: a game that is not over.
        limit: `seconds`, `nodes`, and `depth` in plies, the five included; None is no limit.
        colour: who attacks, and moves first; whose turn it is if None.
        shortest: find a win of the fewest fours.
        stop: when set, ends it.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
    """
    if board.outcome() is not None:
        raise GameOver("error.game_over.choose")
    from tengen.engine.bridge import point_of, position_of, stopped_in_time
    from tengen.engine.search_state import WORK
    from tengen.engine.vcf_kernel import UNLIMITED, fours

    limit = limit or Limit()
    attacker = board.turn if colour is None else colour
    state, tables = position_of(board, attacker)
    work, record = np.zeros(1, WORK), state[0]
    record["most_nodes"] = ALL_NODES if limit.nodes is None else limit.nodes
    most = UNLIMITED if limit.depth is None else min(max((limit.depth - 1) // 2, 0), UNLIMITED)
    free = board.rules.points - sum(map(bool, board.position))
    # No line has more fours than there are pairs of free points.
    deepest = min(most, free // 2)
    began = time.perf_counter()
    length = 0

    def end() -> None:
        record["stop"] = 1

    with stopped_in_time(end, limit.seconds, stop):
        for count in range(deepest + 1) if shortest else (deepest,):
            length = int(fours(state, tables, work, 0, count))
            if length or record["ended"]:
                break
    seconds = time.perf_counter() - began
    line = tuple(point_of(board, cell) for cell in work[0]["line"][:length])
    proven = bool(length) or not (record["ended"] or deepest < free // 2)
    winner = attacker if length else None
    nodes, fewest = int(record["nodes"]), shortest and bool(length)
    return Solution(winner, proven, line, length, length // 2, nodes, seconds, fewest)
