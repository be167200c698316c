"""Wins by continuous threats: fours and open threes."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import Colour, Point
from tengen.solver.vcf import ALL_NODES, Solution, solve_vcf

if TYPE_CHECKING:
    from tengen.engine.search_state import Record

_FOUR_NODES = 1_000_000
"""Nodes spent on a win by fours alone before threes are thought of."""
_MOST_THREATS = 60
_TABLE_MEGABYTES = 64


def solve_vct(
    board: Board,
    limit: Limit | None = None,
    colour: Colour | None = None,
    stop: threading.Event | None = None,
) -> Solution:
    """Look for a win by continuous threats: fours and open threes, the fewest threats first.

    What it finds is a win against every defence (`tengen.engine.vct_kernel` says how). Where it finds none
    there may be one yet, by quieter moves or past the limit: such an answer is never `proven`. Under caro,
    where an open four can be stopped, it finds wins by fours only.

    Args:
        board: a game that is not over.
        limit: `seconds`, `nodes`, and `depth` in plies, the five included; None is no limit: it goes on
            until it finds a win, is stopped, or has seen all lines of threats.
        colour: who attacks, and moves first; whose turn it is if None.
        stop: when set, ends it.

    Returns:
        What was found; the line has the longest defence that the search saw.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that the engine does not play.
    """
    limit = limit or Limit()
    began = time.perf_counter()
    attacker = board.turn if colour is None else colour
    most_nodes = ALL_NODES if limit.nodes is None else limit.nodes
    plies = board.rules.points if limit.depth is None else limit.depth
    first = Limit(limit.seconds, min(most_nodes, _FOUR_NODES), plies)
    found = solve_vcf(board, first, attacker, shortest=True, stop=stop)
    if found.winner is None and board.rules.blocked_five == "wins":
        seconds = None if limit.seconds is None else max(limit.seconds - found.seconds, 0.0)
        left = Limit(seconds, max(most_nodes - found.nodes, 0), plies)
        nodes, line, fours = _by_threats(board, attacker, left, stop)
        winner = attacker if line else None
        found = Solution(winner, bool(line), line, len(line), fours, found.nodes + nodes, 0.0)
    proven = found.winner is not None
    return replace(found, proven=proven, seconds=time.perf_counter() - began)


def _by_threats(
    board: Board,
    attacker: Colour,
    limit: Limit,
    stop: threading.Event | None,
) -> tuple[int, tuple[Point, ...], int]:
    """The nodes spent, the line of a win, empty if there is none, and how many of its moves are fours."""
    from tengen.engine.bridge import point_of, position_of, stopped_in_time
    from tengen.engine.deepening import SearchTask, line_of
    from tengen.engine.scores import WIN
    from tengen.engine.search_state import WORK
    from tengen.engine.table import known_move, new_table
    from tengen.engine.vct_kernel import threats_win

    state, tables = position_of(board, attacker)
    task = SearchTask(state, tables, new_table(_TABLE_MEGABYTES))
    work, record = np.zeros(1, WORK), state[0]
    record["most_nodes"] = limit.nodes
    plies = limit.depth or 0
    length = spent = 0

    def end() -> None:
        record["stop"] = 1

    with stopped_in_time(end, limit.seconds, stop):
        for threats in range(1, min(_MOST_THREATS, (plies - 1) // 2) + 1):
            before = int(record["nodes"])
            length = int(threats_win(state, tables, work, task.table, threats))
            if length or record["ended"] or int(record["nodes"]) - before == spent:
                break  # the same tree again: no line of threats goes on
            spent = int(record["nodes"]) - before
    nodes = int(record["nodes"])
    if not 0 < length <= plies:
        return nodes, (), 0
    line = line_of(task, int(known_move(state, task.table)), WIN - length)
    return nodes, tuple(point_of(board, cell) for cell in line), _fours_in(state, tables, line)


def _fours_in(state: Record, tables: Record, line: tuple[int, ...]) -> int:
    """How many of the attacker's moves threaten a five, without being one."""
    from tengen.engine.position import make
    from tengen.engine.search_state import Kind

    record, count = state[0], 0
    side = int(record["turn"])
    for number, cell in enumerate(line[:-1]):
        make(state, tables, cell)
        count += number % 2 == 0 and int(record["counts"][side, Kind.FIVE]) > 0
    return count
