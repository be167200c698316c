"""The exact value of small games: win, draw or loss under best play of both sides, proven.

For m,n,k games on up to 64 points, from any position: every row of k or more wins, and every free point may
be played on. The search is `tengen.solver.exact.kernel`: whether one side can force a line within so many
plies, asked for the side to move and for the other in turn, with more plies each time. Whether the second
player wins is not asked where strategy stealing rules it out.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.executors import report
from tengen.game.arguments import check_flag, check_kind
from tengen.game.board import Board
from tengen.game.errors import GameOver, RulesError
from tengen.game.player import Limit, check_search
from tengen.game.points import Point
from tengen.game.rules import Rules
from tengen.solver.limits import check_memory
from tengen.solver.solution import ALL_NODES

if TYPE_CHECKING:
    from tengen.solver.exact.task import ExactTask

MEMORY = 256
"""Megabytes for what is proven, unless told otherwise."""

MOST_POINTS = 64
"""Points of the largest board that is solved."""

_FIRST_PAUSE, _PAUSE = 0.005, 0.05
"""Seconds between two looks at limits and at what is to be told."""


@dataclass(frozen=True, slots=True)
class Exact:
    """What is proven of a position, for the side to move.

    Attributes:
        value: 1, it wins; 0, a draw; -1, it loses, with best play of both sides. None where a limit was
            reached before that was known.
        best: points that keep the value, in order: after one of them the other side can reach no more than
            before. In a lost position these are all free points.
        complete: whether these are all; False where a limit was reached before that was known.
        distance: plies to the end of the game, exactly: of a win, the fewest within which the winner can
            force its line against every defence; of a draw, all free points, because a draw ends on a full
            board. None where that is not known.
        positions: how many were visited.
        bounds: the least and the greatest value that are not ruled out.
        seconds: how long it took.
    """

    value: int | None
    best: tuple[Point, ...]
    complete: bool
    distance: int | None
    positions: int
    bounds: tuple[int, int]
    seconds: float


@dataclass(frozen=True, slots=True)
class ExactProgress:
    """How far an exact search is; reported now and then (`tengen.executors.report`).

    Attributes:
        aim: ``"value"``, ``"distance"`` or ``"best"``.
        plies: the game is searched so far ahead; None to its end.
        share: how much of that search is done, about, from 0 to 1; those that follow may take far longer.
        left: seconds that it will take yet, about; None where nothing tells.
        positions: how many were visited.
    """

    aim: str
    plies: int | None
    share: float
    left: float | None
    positions: int


def solve_exact(
    board: Board,
    limit: Limit | None = None,
    stop: threading.Event | None = None,
    *,
    memory_mb: int = MEMORY,
    resume: str | Path | None = None,
    value_only: bool = False,
) -> Exact:
    """Prove the value of a position of a small game.

    Args:
        board: a game that is not over, on at most 64 points, where every row of k or more wins and every
            free point may be played on, passes excluded.
        limit: `seconds`, `nodes` (positions visited), and `depth` in plies; None is no limit: it goes on
            until it knows, or is stopped.
        stop: when set, ends it.
        memory_mb: megabytes for the positions to remember; with few, a long search forgets, and takes
            longer.
        resume: a file in which all that is proven is kept, to go on from: read if it is there, written at
            the end and every ten minutes.
        value_only: leave out what the value alone does not need: best points, distance.

    Raises:
        GameOver: the game is over.
        RulesError: rules or a board that are not solved.
        FileError: the file cannot be read or written, or is none of this game.
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
    from tengen.solver.exact.task import ExactTask

    limit = limit or Limit()
    nodes = ALL_NODES if limit.nodes is None else limit.nodes
    file = None if resume is None else Path(resume).expanduser()
    task = ExactTask(board, nodes, limit.depth, memory_mb, file, value_only)
    begun = time.perf_counter()
    deadline = None if limit.seconds is None else begun + limit.seconds
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(task.work)
        try:
            _watch(future, task, deadline, stop)
        finally:
            task.end()
    future.result()
    low, high = task.bounds
    value = low if low == high else None
    seconds = time.perf_counter() - begun
    return Exact(value, task.best, task.complete, task.distance, task.nodes, task.bounds, seconds)


solve = solve_exact
"""The same by its short name."""


def check_exact_rules(rules: Rules) -> None:
    """Refuse what is not solved.

    Raises:
        RulesError: a board that is too large, or rules under which a row of k does not always win, or a
            free point may not always be played on; the sentence names the condition that fails.
    """
    if rules.points > MOST_POINTS:
        raise RulesError("error.solve.size", size=rules.size_text, points=rules.points, most=MOST_POINTS)
    longest = max(rules.width, rules.height)
    if rules.overline != "wins" and longest > rules.k:
        raise RulesError("error.solve.overline", k=rules.k)
    if rules.blocked_five != "wins" and longest >= rules.k + 2:
        raise RulesError("error.solve.blocked", k=rules.k)
    if rules.double_three or rules.double_four:
        raise RulesError("error.solve.fouls")
    if rules.passing:
        raise RulesError("error.solve.passing")


def solves(rules: Rules) -> bool:
    """Whether games of these rules are solved; see `check_exact_rules`."""
    try:
        check_exact_rules(rules)
    except RulesError:
        return False
    return True


def _watch(
    future: Future[None], task: ExactTask, deadline: float | None, stop: threading.Event | None
) -> None:
    """Wait for a task; end it when it is time."""
    pause = _FIRST_PAUSE
    while not wait((future,), pause).done:
        pause = _PAUSE
        late = deadline is not None and time.perf_counter() >= deadline
        if late or (stop is not None and stop.is_set()):
            task.end()
        task.save_in_time()
        report(ExactProgress(task.aim, task.plies, task.share, task.left, task.nodes))
