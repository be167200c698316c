"""Wins by continuous fours (VCF): found if there is one, and otherwise proven not to exist.

A depth-first search comes first (`tengen.engine.threats.vcf_kernel`): where there are few fours, as in
nearly every position of a game, it takes less than a millisecond. What it leaves undecided goes to df-pn
(`tengen.solver.threats.df_pn`), which takes longer for each position, but visits far fewer of them where
many fours transpose into the same positions.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from tengen.engine.board.conversion import point_of, position_of, stopped_in_time
from tengen.engine.board.records import SCRATCH, new_record
from tengen.engine.kernels.declarations import build
from tengen.engine.threats.vcf_kernel import UNLIMITED, find_vcf
from tengen.game.arguments import check_flag
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.last_reply import with_block
from tengen.game.player import Limit, check_search
from tengen.game.points import Colour
from tengen.solver.limits import ALL_NODES, THREAT_MEMORY, attacker_of, check_memory, check_threat_rules
from tengen.solver.results import Solution, remaining_limit
from tengen.solver.threats.df_pn import (
    shortest_win,
    solve_by_df_pn,
    where_fouls_lose,
    with_line_if_fouls_lose,
)

_DEPTH_FIRST_NODES = 100_000
"""Nodes of the depth-first search; df-pn is faster where that is not enough."""


def solve_vcf(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    shortest: bool = False,
    stop: threading.Event | None = None,
    *,
    memory_mb: int = THREAT_MEMORY,
) -> Solution:
    """Search for a win by continuous fours.

    Args:
        board: a game that is not over.
        limit: `seconds`, `nodes`, and `depth` in plies, the five included; None is no limit.
        colour: the attacker, which moves first; the side to move if None.
        shortest: find a win of the fewest fours. If a limit is reached after a win has been found and
            before it is known to be the shortest, the result is that win, and `Solution.shortest` is
            False.
        stop: ends the search when set.
        memory_mb: megabytes for the transposition table.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
        TengenError: no colour, or amount of memory, or an argument of the wrong type.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_stones("f8 g8 h8 i9 i10", "e8", turn=tengen.BLACK)
        >>> solution = tengen.solve_vcf(board)
        >>> " ".join(board.name(point) for point in solution.line)
        'i8 j8 i7 i6 i11'

        White has no such win, and that is proven:

        >>> solution = tengen.solve_vcf(board, colour=tengen.WHITE)
        >>> solution.winner is None, solution.proven, solution.line
        (True, True, ())
    """
    check_search(board, limit, stop)
    check_flag("shortest", shortest)
    check_memory(memory_mb)
    began = time.perf_counter()
    limit = limit or Limit()
    attacker = attacker_of(colour, board.turn)
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    first = Limit(limit.seconds, min(nodes, _DEPTH_FIRST_NODES), limit.depth)
    solution, open_at = solve_depth_first(board, first, attacker, shortest, stop)
    left = remaining_limit(limit, solution)
    late = limit.seconds is not None and solution.seconds >= limit.seconds
    over = nodes <= _DEPTH_FIRST_NODES or late or (stop is not None and stop.is_set())
    if open_at is None or over:
        return solution
    proven = solve_by_df_pn(board, attacker, left, stop, memory_mb, "fours")
    if shortest and proven.winner is not None:
        # The iteration of one four fewer, which finds no win, gives the defence that the line shows.
        start, left = max(2 * open_at - 1, 3), remaining_limit(left, proven)
        proven = shortest_win(proven, board, left, stop, memory_mb, "fours", start)
    return replace(proven, nodes=solution.nodes + proven.nodes, seconds=time.perf_counter() - began)


def solve_depth_first(
    board: Board, limit: Limit, attacker: Colour, shortest: bool, stop: threading.Event | None
) -> tuple[Solution, int | None]:
    """Search depth-first for a win by fours; for the arguments see `solve_vcf`.

    Returns:
        The solution; and, if a limit was reached first, the number of fours of the unfinished iteration,
        otherwise None. With `shortest`, there is no win of fewer fours.
    """
    if board.outcome() is not None:
        raise GameOver("error.game_over.choose")
    build(find_vcf)  # before the clock runs
    check_threat_rules(board.rules)
    state, tables = position_of(board, attacker)
    scratch, record = new_record(SCRATCH), state[0]
    record["most_nodes"] = ALL_NODES if limit.nodes is None else limit.nodes
    most = UNLIMITED if limit.depth is None else min(max((limit.depth - 1) // 2, 0), UNLIMITED)
    free = board.rules.points - sum(map(bool, board.position))
    # No line has more fours than there are pairs of free points.
    deepest = min(most, free // 2)
    began = time.perf_counter()
    length, count = 0, 0
    with stopped_in_time(record, limit.seconds, stop):
        for count in range(deepest + 1) if shortest else (deepest,):
            length = int(find_vcf(state, tables, scratch, record["ply"], count))
            if length or record["ended"]:
                break
    seconds = time.perf_counter() - began
    cells = scratch[0]["line"][:length]
    line = with_block(board, [point_of(board, cell) for cell in cells], attacker)
    ended = bool(record["ended"]) and not length
    proven = bool(length) or not (ended or deepest < free // 2)
    winner = attacker if length else None
    nodes, fewest = int(record["nodes"]), shortest and bool(length)
    solution = Solution(winner, proven, line, length, length // 2, nodes, seconds, fewest)
    if proven and not length and record["stuck"]:
        left = remaining_limit(limit, solution)
        lost, _ = solve_depth_first(where_fouls_lose(board), left, attacker, shortest, stop)
        solution = with_line_if_fouls_lose(solution, lost)
    return solution, count if ended else None
