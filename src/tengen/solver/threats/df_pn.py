"""Depth-first proof-number search (df-pn) for wins by a set of threats, and for the shortest of them.

The kernel is `tengen.engine.threats.pn_kernel`. The callers check the arguments:
`tengen.solver.threats.vcf` for fours, `tengen.solver.threats.vct` for every set of threats.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from tengen.engine.board.conversion import point_of, position_of, stopped_in_time
from tengen.engine.board.position import make
from tengen.engine.board.records import Kind, Record
from tengen.engine.threats.pn_search import PnSearch
from tengen.engine.threats.pn_table import new_pn_table
from tengen.engine.threats.threat_moves import ANY, FOURS, THREES
from tengen.game.board import Board
from tengen.game.last_reply import with_block
from tengen.game.player import Limit
from tengen.game.points import BLACK, WHITE, Colour
from tengen.solver.limits import check_threat_rules
from tengen.solver.results import Solution, remaining_limit

THREAT_SETS = {"threes": THREES, "fours": FOURS, "any": ANY}
"""The engine's number of each set of threats."""


def where_fouls_lose(board: Board) -> Board:
    """Return the position under the same rules, except that a foul may be played and loses."""
    rules = replace(board.rules, fouls="loses")
    return Board.from_stones(board.stones(BLACK), board.stones(WHITE), board.turn, rules)


def solve_by_df_pn(
    board: Board,
    attacker: Colour,
    limit: Limit,
    stop: threading.Event | None,
    memory_mb: int,
    threats: str,
) -> Solution:
    """Search for a win by threats; see `tengen.solver.threats.vct.solve_vct`.

    Args:
        board: a game that is not over.
        attacker: the side that moves first.
        limit: bounds of the search; `nodes` is required.
        stop: ends the search when set.
        memory_mb: megabytes for the transposition table.
        threats: the set of threats.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    check_threat_rules(board.rules)
    state, tables = position_of(board, attacker)
    record = state[0]
    record["most_nodes"] = limit.nodes
    search = PnSearch(state, tables, new_pn_table(memory_mb), limit.depth, threats=THREAT_SETS[threats])
    began = time.perf_counter()
    with stopped_in_time(record, limit.seconds, stop):
        wins = search.search()
    nodes, seconds = int(record["nodes"]), time.perf_counter() - began
    if not wins:
        none = Solution(None, wins is False, (), 0, 0, nodes, seconds)
        if none.proven and record["stuck"]:
            relaxed, left = where_fouls_lose(board), remaining_limit(limit, none)
            lost = solve_by_df_pn(relaxed, attacker, left, stop, memory_mb, threats)
            none = with_line_if_fouls_lose(none, lost)
        return none
    record["stop"] = 0
    with stopped_in_time(record, None, stop):
        cells = search.line()
    return _solution(board, attacker, (state, tables), cells, nodes, seconds)


def with_line_if_fouls_lose(none: Solution, lost: Solution) -> Solution:
    """Return a solution without a win, with the line of the same position where fouls lose."""
    nodes, seconds = none.nodes + lost.nodes, none.seconds + lost.seconds
    return replace(none, nodes=nodes, seconds=seconds, if_fouls_lose=lost.line)


def shortest_win(
    known: Solution,
    board: Board,
    limit: Limit,
    stop: threading.Event | None,
    memory_mb: int,
    threats: str,
    start: int = 3,
) -> Solution:
    """Search for the shortest win of a position that is won, two plies deeper each iteration.

    A position without a win within some plies may have a longer one, so each iteration has a table of its
    own. The table of the iteration before is kept for the defence that the line shows.

    Args:
        known: a win, which is returned if a limit is reached first.
        board: the position.
        limit: bounds of the search; `nodes` is required, `depth` has no effect.
        stop: ends the search when set.
        memory_mb: megabytes for the transposition tables.
        threats: the set of threats.
        start: plies of the first iteration, an odd number; there is no win in fewer.
    """
    attacker = known.winner
    assert attacker is not None  # the caller's fault
    check_threat_rules(board.rules)
    state, tables = position_of(board, attacker)
    record = state[0]
    record["most_nodes"] = limit.nodes
    half, plies = max(memory_mb // 2, 1), start - 2
    search: PnSearch | None = None
    wins: bool | None = False
    with stopped_in_time(record, limit.seconds, stop):
        while wins is False:
            shallower, plies = search, plies + 2
            search = PnSearch(state, tables, new_pn_table(half), plies, threats=THREAT_SETS[threats])
            wins = search.within()
    nodes = known.nodes + int(record["nodes"])
    if not wins or search is None:
        return replace(known, nodes=nodes)
    record["stop"] = 0
    with stopped_in_time(record, None, stop):
        cells = search.line(shallower=shallower)
    return replace(_solution(board, attacker, (state, tables), cells, nodes, 0.0), shortest=True)


def _solution(
    board: Board,
    attacker: Colour,
    engine: tuple[Record, Record],
    cells: tuple[int, ...],
    nodes: int,
    seconds: float,
) -> Solution:
    """Return the solution of a winning line, given as cells of the engine's board."""
    line = with_block(board, [point_of(board, cell) for cell in cells], attacker)
    return Solution(attacker, True, line, len(line), _count_fours(*engine, cells), nodes, seconds)


def _count_fours(state: Record, tables: Record, line: tuple[int, ...]) -> int:
    """Count the attacker's moves that threaten a five, the five itself excluded. Plays the line."""
    record, count = state[0], 0
    side = int(record["turn"])
    for number, cell in enumerate(line[:-1]):
        make(state, tables, cell)
        count += number % 2 == 0 and int(record["counts"][side, Kind.FIVE]) > 0
    return count
