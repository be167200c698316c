"""Wins by continuous fours: found if there is one, and proven not to be there otherwise.

A depth-first search comes first (`tengen.engine.threats.vcf_kernel`): where there are few fours, as in
nearly every position of a game, it is done in less than a millisecond. What it has not settled by then is
searched by df-pn (`tengen.solver.threats.threat_search`), which takes longer for each position and far
fewer of them, where many fours in many orders lead to the same ones.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from tengen.game.arguments import check_flag
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.last_reply import with_block
from tengen.game.player import Limit, check_search
from tengen.game.points import Colour
from tengen.solver.limits import attacker_of, check_memory
from tengen.solver.solution import ALL_NODES, Solution, left_after
from tengen.solver.threats.threat_search import (
    MEMORY,
    by_threats,
    set_number,
    shortened,
    where_fouls_lose,
    with_line_if_fouls_lose,
)

_DEPTH_FIRST = 100_000
"""Nodes of the depth-first search: what takes it so many, df-pn does sooner."""


def solve_vcf(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    shortest: bool = False,
    stop: threading.Event | None = None,
    *,
    memory_mb: int = MEMORY,
) -> Solution:
    """Look for a win by continuous fours.

    Args:
        board: a game that is not over.
        limit: `seconds`, `nodes`, and `depth` in plies, the five included; None is no limit.
        colour: who attacks, and moves first; whose turn it is if None.
        shortest: find a win of the fewest fours. Where a limit is reached when a win is known, but not
            whether it is one, that win is told, and `Solution.shortest` is False.
        stop: when set, ends it.
        memory_mb: megabytes for the positions to remember.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no colour, or amount of memory, or an argument of another kind.
    """
    check_search(board, limit, stop)
    check_flag("shortest", shortest)
    check_memory(memory_mb)
    began = time.perf_counter()
    limit = limit or Limit()
    attacker = attacker_of(colour, board.turn)
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    first = Limit(limit.seconds, min(nodes, _DEPTH_FIRST), limit.depth)
    found, open_at = depth_first(board, first, attacker, shortest, stop)
    left = left_after(found, limit)
    late = limit.seconds is not None and found.seconds >= limit.seconds
    over = nodes <= _DEPTH_FIRST or late or (stop is not None and stop.is_set())
    if open_at is None or over:
        return found
    fours = set_number("fours")
    proven = by_threats(board, attacker, left, stop, memory_mb, fours)
    if shortest and proven.winner is not None:
        # One four fewer than may be enough is searched as well, for the defence that is shown.
        start, left = max(2 * open_at - 1, 3), left_after(proven, left)
        proven = shortened(proven, board, left, stop, memory_mb, fours, start)
    return replace(proven, nodes=found.nodes + proven.nodes, seconds=time.perf_counter() - began)


def depth_first(
    board: Board, limit: Limit, attacker: Colour, shortest: bool, stop: threading.Event | None
) -> tuple[Solution, int | None]:
    """What a depth-first search finds; see `solve_vcf`.

    Returns:
        What it finds; and where nodes or time ran out before that was known, how many fours it was looking
        at then. Fewer do not win, if the shortest win is looked for.
    """
    if board.outcome() is not None:
        raise GameOver("error.game_over.choose")
    from tengen.engine.board.conversion import point_of, position_of, stopped_in_time
    from tengen.engine.board.records import SCRATCH, new_record
    from tengen.engine.kernels.jit import build
    from tengen.engine.threats.vcf_kernel import UNLIMITED, fours

    build(fours)  # before the clock runs
    state, tables = position_of(board, attacker)
    work, record = new_record(SCRATCH), state[0]
    record["most_nodes"] = ALL_NODES if limit.nodes is None else limit.nodes
    most = UNLIMITED if limit.depth is None else min(max((limit.depth - 1) // 2, 0), UNLIMITED)
    free = board.rules.points - sum(map(bool, board.position))
    # No line has more fours than there are pairs of free points.
    deepest = min(most, free // 2)
    began = time.perf_counter()
    length, count = 0, 0

    with stopped_in_time(record, limit.seconds, stop):
        for count in range(deepest + 1) if shortest else (deepest,):
            length = int(fours(state, tables, work, record["ply"], count))
            if length or record["ended"]:
                break
    seconds = time.perf_counter() - began
    cells = work[0]["line"][:length]
    line = with_block(board, [point_of(board, cell) for cell in cells], attacker)
    ended = bool(record["ended"]) and not length
    proven = bool(length) or not (ended or deepest < free // 2)
    winner = attacker if length else None
    nodes, fewest = int(record["nodes"]), shortest and bool(length)
    found = Solution(winner, proven, line, length, length // 2, nodes, seconds, fewest)
    if proven and not length and record["stuck"]:
        left = left_after(found, limit)
        lost, _ = depth_first(where_fouls_lose(board), left, attacker, shortest, stop)
        found = with_line_if_fouls_lose(found, lost)
    return found, count if ended else None
