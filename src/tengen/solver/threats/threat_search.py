"""Wins by a set of threats, proven by df-pn (`tengen.engine.threats.pn_kernel`), and the shortest of them.

Who asks checks what is asked for: `tengen.solver.threats.vcf` for fours, `tengen.solver.threats.vct` for
all sets.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tengen.game.board import Board
from tengen.game.last_reply import with_block
from tengen.game.player import Limit
from tengen.game.points import BLACK, WHITE, Colour
from tengen.solver.solution import Solution, left_after

if TYPE_CHECKING:
    from tengen.engine.board.records import Record

MEMORY = 64
"""Megabytes for the positions to remember, unless told otherwise."""

_SETS = {"threes": 0, "fours": 1, "any": 2}
"""The numbers of the sets in `tengen.engine.threats.threat_moves`, which takes time to import."""


def set_number(threats: str) -> int:
    """The number of a set of threats in `tengen.engine.threats.threat_moves`."""
    return _SETS[threats]


def where_fouls_lose(board: Board) -> Board:
    """Return the position under the same rules, but that a foul may be played and loses."""
    rules = replace(board.rules, fouls="loses")
    return Board.from_stones(board.stones(BLACK), board.stones(WHITE), board.turn, rules)


def by_threats(
    board: Board,
    attacker: Colour,
    limit: Limit,
    stop: threading.Event | None,
    memory_mb: int,
    threats: int,
) -> Solution:
    """What is found by threats; see `tengen.solver.threats.vct.solve_vct`.

    Args:
        board: a game that is not over.
        attacker: who moves first.
        limit: as there; its nodes have to be given.
        stop: when set, ends it.
        memory_mb: megabytes for the positions to remember.
        threats: the number of a set of threats.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    from tengen.engine.board.conversion import position_of, stopped_in_time
    from tengen.engine.threats.pn_search import PnSearch
    from tengen.engine.threats.pn_table import new_pn_table

    state, tables = position_of(board, attacker)
    record = state[0]
    record["most_nodes"] = limit.nodes
    proof = PnSearch(state, tables, new_pn_table(memory_mb), limit.depth, threats=threats)
    began = time.perf_counter()

    with stopped_in_time(record, limit.seconds, stop):
        wins = proof.search()
    nodes, seconds = int(record["nodes"]), time.perf_counter() - began
    if not wins:
        none = Solution(None, wins is False, (), 0, 0, nodes, seconds)
        if none.proven and record["stuck"]:
            lost = by_threats(
                where_fouls_lose(board), attacker, left_after(none, limit), stop, memory_mb, threats
            )
            none = with_line_if_fouls_lose(none, lost)
        return none
    record["stop"] = 0
    with stopped_in_time(record, None, stop):
        cells = proof.line()
    return _solution(board, attacker, (state, tables), cells, nodes, seconds)


def with_line_if_fouls_lose(none: Solution, lost: Solution) -> Solution:
    """Return what is found where there is no win, with what is found where fouls lose."""
    nodes, seconds = none.nodes + lost.nodes, none.seconds + lost.seconds
    return replace(none, nodes=nodes, seconds=seconds, if_fouls_lose=lost.line)


def shortened(
    found: Solution,
    board: Board,
    limit: Limit,
    stop: threading.Event | None,
    memory_mb: int,
    threats: int,
    start: int = 3,
) -> Solution:
    """The shortest win where one is known: with two plies more each time, until there is one.

    Positions that are known not to be won within some plies may be won within more, so each has a table of
    its own, and the one before is kept for the defence that is shown.

    Args:
        found: the win that is known; what a limit leaves of it is told.
        board: the position.
        limit: as of `by_threats`, without a depth.
        stop: when set, ends it.
        memory_mb: megabytes for the positions to remember.
        threats: the number of a set of threats.
        start: plies, an odd number, within which a win is looked for first; in fewer there is none.
    """
    from tengen.engine.board.conversion import position_of, stopped_in_time
    from tengen.engine.threats.pn_search import PnSearch
    from tengen.engine.threats.pn_table import new_pn_table

    attacker = found.winner
    assert attacker is not None  # the caller's fault
    state, tables = position_of(board, attacker)
    record = state[0]
    record["most_nodes"] = limit.nodes
    half, plies = max(memory_mb // 2, 1), start - 2
    proof: PnSearch | None = None
    wins: bool | None = False

    with stopped_in_time(record, limit.seconds, stop):
        while wins is False:
            sooner, plies = proof, plies + 2
            proof = PnSearch(state, tables, new_pn_table(half), plies, threats=threats)
            wins = proof.within()
    nodes = found.nodes + int(record["nodes"])
    if not wins or proof is None:
        return replace(found, nodes=nodes)
    record["stop"] = 0
    with stopped_in_time(record, None, stop):
        cells = proof.line(sooner=sooner)
    return replace(_solution(board, attacker, (state, tables), cells, nodes, 0.0), shortest=True)


def _solution(
    board: Board,
    attacker: Colour,
    engine: tuple[Record, Record],
    cells: tuple[int, ...],
    nodes: int,
    seconds: float,
) -> Solution:
    """The win of a line."""
    from tengen.engine.board.conversion import point_of

    line = with_block(board, [point_of(board, cell) for cell in cells], attacker)
    return Solution(attacker, True, line, len(line), _fours_in(*engine, cells), nodes, seconds)


def _fours_in(state: Record, tables: Record, line: tuple[int, ...]) -> int:
    """How many of the attacker's moves threaten a five, without being one."""
    from tengen.engine.board.position import make
    from tengen.engine.board.records import Kind

    record, count = state[0], 0
    side = int(record["turn"])
    for number, cell in enumerate(line[:-1]):
        make(state, tables, cell)
        count += number % 2 == 0 and int(record["counts"][side, Kind.FIVE]) > 0
    return count
