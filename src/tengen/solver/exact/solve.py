"""Exact values of small games: win, draw or loss under best play of both sides, proven.

`solve_exact` takes m,n,k games on up to 64 points, from any position: every row of k or more wins, and
every free point may be played on. It runs `tengen.solver.exact.value_search` in a thread, and ends it at
its limits.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from tengen.executors import report
from tengen.game.arguments import check_flag, check_kind
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.player import Limit, check_search
from tengen.solver.exact.value_search import ValueSearch
from tengen.solver.limits import ALL_NODES, EXACT_MEMORY, check_exact_rules, check_memory
from tengen.solver.results import Exact, ExactProgress

_FIRST_POLL_SECONDS, _POLL_SECONDS = 0.005, 0.05
"""Seconds between two checks of the limits, each with a progress report; the first comes sooner."""


def solve_exact(
    board: Board,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    memory_mb: int = EXACT_MEMORY,
    resume: str | Path | None = None,
    value_only: bool = False,
) -> Exact:
    """Prove the value of a position of a small game.

    Args:
        board: a game that is not over, on at most 64 points, where every row of k or more wins and every
            free point may be played on, passes excluded.
        limit: `seconds`, `nodes` (positions visited), and `depth` in plies; None is no limit: the search
            goes on until the value is proven, or until it is stopped.
        stop: ends the search when set.
        memory_mb: megabytes for the transposition table; a long search with a small one forgets
            positions, and takes longer.
        resume: a file that keeps the table, to continue from: read if it exists, written at the end and
            every ten minutes.
        value_only: leave out the best points and the distance, which the value does not need.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that are not solved.
        FileError: the file cannot be read or written, or belongs to another game.
        TengenError: no amount of memory, or an argument of another kind.
    """
    check_search(board, limit, stop)
    check_flag("value_only", value_only)
    if resume is not None:
        check_kind("resume", resume, (str, Path), "argument.file")
    check_memory(memory_mb)
    check_exact_rules(board.rules)
    if board.outcome() is not None:
        raise GameOver("error.game_over.choose")
    limit = limit or Limit()
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    file = None if resume is None else Path(resume).expanduser()
    search = ValueSearch(board, nodes, limit.depth, memory_mb, file, value_only)
    began = time.perf_counter()
    deadline = None if limit.seconds is None else began + limit.seconds
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(search.run)
        try:
            _supervise(future, search, deadline, stop)
        finally:
            search.end()
    future.result()
    low, high = search.bounds
    return Exact(
        value=low if low == high else None,
        best=search.best,
        complete=search.complete,
        distance=search.distance,
        positions=search.nodes,
        bounds=search.bounds,
        seconds=time.perf_counter() - began,
    )


solve = solve_exact
"""The short name of `solve_exact`."""


def _supervise(
    future: Future[None], search: ValueSearch, deadline: float | None, stop: threading.Event | None
) -> None:
    """Wait for a search, report its progress, and end it at the deadline or when `stop` is set."""
    pause = _FIRST_POLL_SECONDS
    while not wait((future,), pause).done:
        pause = _POLL_SECONDS
        late = deadline is not None and time.perf_counter() >= deadline
        if late or (stop is not None and stop.is_set()):
            search.end()
        search.save_in_time()
        report(ExactProgress(search.aim, search.plies, search.share, search.left, search.nodes))
