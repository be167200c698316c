"""Proven values of small games: win, draw or loss with best play of both sides.

`solve_exact` takes m,n,k games on up to 64 points, from any position: every row of k or more wins, and
every free point is legal. It runs `tengen.solver.exact.value_search` in a thread, where there are any, and
ends it at the limits.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from tengen.executors import ended_in_time, report
from tengen.executors.stopping import has_threads, repeatedly
from tengen.game.arguments import check_flag, check_kind
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.player import Limit, check_search
from tengen.solver.exact.value_search import ValueSearch
from tengen.solver.limits import ALL_NODES, EXACT_MEMORY, check_exact_rules, check_memory
from tengen.solver.results import Exact, ExactProgress

_FIRST_POLL_SECONDS, _POLL_SECONDS = 0.005, 0.05
"""Seconds before the first check of the limits, and between later ones; each check reports progress."""


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
        board: a game that is not over, on at most 64 points, where every row of k or more wins, every
            free point is legal, and passes are not.
        limit: `seconds`, `nodes` (positions visited), and `depth` in plies; None for no limit.
        stop: ends the search when set.
        memory_mb: megabytes for the transposition table; where it is too small, entries are replaced and
            the search takes longer.
        resume: a file of the table, from which an earlier search is continued; read if it exists, written
            at the end and every ten minutes.
        value_only: prove the value only, not the best points or the distance.

    Raises:
        GameOver: the game is over.
        RulesError: the solver does not support the rules or the size of the board.
        FileError: the file cannot be read or written, or belongs to another game.
        TengenError: `memory_mb` is out of range, or an argument has the wrong type.

    Examples:
        Tic-tac-toe is a draw, but a stone beside one in the centre, instead of diagonal to it, loses:

        >>> import tengen
        >>> tengen.solve_exact(tengen.Board("tictactoe")).value
        0
        >>> board = tengen.Board.from_moves("b2b1", "tictactoe")
        >>> exact = tengen.solve_exact(board)
        >>> exact.value, exact.distance
        (1, 5)
        >>> tengen.solve_exact(tengen.Board(tengen.Rules.mnk(4, 4, 3)), value_only=True).value
        1
        >>> tengen.solve_exact(tengen.Board(tengen.Rules.mnk(5, 5, 4)), tengen.Limit(nodes=100)).bounds
        (0, 1)
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
    start = time.perf_counter()
    if has_threads():
        _run_in_thread(search, None if limit.seconds is None else start + limit.seconds, stop)
    else:
        progress = partial(_report_progress, search)
        with ended_in_time(search.exact.end, limit.seconds, stop), repeatedly(progress, _POLL_SECONDS):
            search.run()
    low, high = search.bounds
    return Exact(
        value=low if low == high else None,
        best=search.best,
        complete=search.complete,
        distance=search.distance,
        positions=search.exact.nodes,
        bounds=search.bounds,
        seconds=time.perf_counter() - start,
    )


solve = solve_exact
"""Short name of `solve_exact`.

Examples:
    >>> import tengen
    >>> board = tengen.Board.from_moves("b2a1", "tictactoe")
    >>> tengen.solve(board).value
    0
    >>> tengen.solve is tengen.solve_exact
    True
"""


def _run_in_thread(search: ValueSearch, deadline: float | None, stop: threading.Event | None) -> None:
    """Search in another thread, report the progress, and end it at the deadline or when `stop` is set."""
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(search.run)
        try:
            _supervise(future, search, deadline, stop)
        finally:
            search.exact.end()
    future.result()


def _supervise(
    future: Future[None], search: ValueSearch, deadline: float | None, stop: threading.Event | None
) -> None:
    """Wait for a search as `_run_in_thread` does."""
    seconds = _FIRST_POLL_SECONDS
    while not wait((future,), seconds).done:
        seconds = _POLL_SECONDS
        late = deadline is not None and time.perf_counter() >= deadline
        if late or (stop is not None and stop.is_set()):
            search.exact.end()
        search.exact.save_in_time()
        _report_progress(search)


def _report_progress(search: ValueSearch) -> None:
    exact = search.exact
    report(ExactProgress(search.aim, search.plies, exact.share, exact.left, exact.nodes))
