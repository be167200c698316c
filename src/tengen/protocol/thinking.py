"""The searches of the Gomocup protocol: one answer at a time, with its limit and its time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tengen.executors.running_search import Search
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.gomocup.info_values import UNLIMITED
from tengen.protocol.engine_loader import EngineLoader, prepare
from tengen.protocol.game_settings import GameSettings, at_once, seconds_of
from tengen.protocol.output import Output

if TYPE_CHECKING:
    from tengen.engine.engine import Engine
    from tengen.engine.info import Info

_LAST_SECONDS = 0.8
"""Seconds for all answers before the end of the program."""

_PONDER_SECONDS = 3600.0
"""The limit of pondering in seconds: longer than an opponent takes."""

_TOO_SHORT = 0.02
"""Seconds below which a timed search finds no more than a search of few nodes."""


@dataclass(eq=False, slots=True)
class PendingAnswer:
    """A pending answer to the manager, and its search.

    Attributes:
        finish: called with the search when it has finished, in the session's thread.
        asked: the time of the request, by `time.perf_counter`.
        deadline: the time at which the search has to be stopped; None for never.
        limit: the limit of a search that may be stopped; None for other work.
        search: the running work; set when it starts.
        reported: whether progress is reported.
        again: whether to restart with other limits.
        nodes: the nodes searched so far.
        depth: the depth reached so far.
    """

    finish: Callable[[Search[Any]], None]
    asked: float
    deadline: float | None = None
    limit: Limit | None = None
    reported: bool = False
    search: Search[Any] = field(init=False)
    again: bool = False
    nodes: int = 0
    depth: int = 0

    def stop(self) -> None:
        """End the search at once, with the best result so far."""
        self.deadline = None
        self.search.hurry()


@dataclass(frozen=True, slots=True)
class SearchReport:
    """An event: a progress report of the search for an answer."""

    answer: PendingAnswer
    info: Info


@dataclass(frozen=True, slots=True)
class SearchDone:
    """An event: the end of the search for an answer."""

    answer: PendingAnswer


class Thinking:
    """The searches that run beside the session.

    Args:
        out: the output of reports.
        tell: receives the events of a search; called in the search's thread.
        threads: the number of search threads, until INFO sets it.
        memory: megabytes of the transposition table, until INFO sets it.
        pondering: whether to search during the opponent's time.

    Attributes:
        settings: the settings from INFO lines.
        loader: the loader of the engine.
        job: the pending answer; None if there is none.
    """

    def __init__(
        self,
        out: Output,
        tell: Callable[[SearchReport | SearchDone], None],
        threads: int,
        memory: int,
        *,
        pondering: bool = False,
    ) -> None:
        self.settings = GameSettings()
        self.loader = EngineLoader()
        self.job: PendingAnswer | None = None
        self._out = out
        self._tell = tell
        self._threads = threads
        self._memory = memory
        self._pondering = pondering
        self._guess: Search[Any] | None = None
        self._used = 0.0
        self._left_told = False
        self._ending = False
        self._last: float | None = None

    @property
    def engine(self) -> Engine:
        """The engine with the current settings."""
        threads = self.settings.threads(self._threads)
        compiled = self.loader.compiling is not None
        return self.loader.engine(threads, self.settings.memory(self._memory, threads, compiled=compiled))

    # -- time

    def limit(self, asked: float) -> Limit:
        """Return the limit of a move requested at a time; shortly before the end only a moment."""
        now = time.perf_counter()
        limit = self.settings.limit(now - max(asked, self._out.answered), self._used)
        if not self._ending:
            return limit
        left = (self._last_moment() - now) / 2
        if left < _TOO_SHORT:
            return at_once(limit.nodes, limit.depth)
        seconds = left if limit.seconds is None else min(limit.seconds, left)
        return Limit(seconds, limit.nodes, limit.depth)

    def new_game(self) -> None:
        """Reset the match clock and clear the transposition table."""
        self._used = 0.0
        left = self.settings.time_left
        if left is not None and left < UNLIMITED and not self._left_told:
            self.settings = replace(self.settings, time_left=None)
        self._wake()
        self.loader.forget()

    def moved(self, asked: float) -> None:
        """Charge the clock for a move that is about to be sent."""
        spent = time.perf_counter() - max(asked, self._out.answered)
        self._used += spent
        left = self.settings.time_left
        if left is not None and left < UNLIMITED:
            left += self.settings.time_increment - round(spent * 1000)
            self.settings = replace(self.settings, time_left=left)
        self._left_told = False

    def left_told(self) -> None:
        """Note that the time left in the game has just been set."""
        self._left_told = True

    def hurry(self) -> None:
        """Prepare for the end: running and queued work gets less than a second in all."""
        self._ending = True
        job = self.job
        if job is not None and job.limit is not None:
            last = self._last_moment()
            job.deadline = last if job.deadline is None else min(job.deadline, last)

    def _last_moment(self) -> float:
        if self._last is None:
            self._last = time.perf_counter() + _LAST_SECONDS
        return self._last

    # -- jobs

    def begin(self, job: PendingAnswer, work: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Start the work for an answer; no other work may be running.

        Args:
            job: the answer.
            work: the work function, as for `Search.start`.
            args: its positional arguments.
            kwargs: its keyword arguments.
        """
        self._wake()
        # An opening is searched on many boards; their reports do not concern the current board.
        heard = partial(self._report, job) if job.reported else None
        job.search = Search.start(work, *args, on_report=heard, **kwargs)
        self.job = job  # after the start: if it fails, no answer is pending
        job.search.when_done(lambda: self._tell(SearchDone(job)))

    def _report(self, job: PendingAnswer, info: Info) -> None:
        self._tell(SearchReport(job, info))

    def found(self, report: SearchReport) -> None:
        """Handle a progress report of a search."""
        job, info = report.answer, report.info
        if job is self.job and not job.again:
            job.nodes, job.depth = info.nodes, info.depth
            self._out.found(info)

    def done(self, done: SearchDone) -> None:
        """Finish the answer whose search has ended.

        Raises:
            Exception: the error that the search has raised.
        """
        job = done.answer
        if job is self.job:
            self.job = None
            job.finish(job.search)

    def stop(self) -> None:
        """End the search at once, with the best result so far."""
        if self.job is not None:
            self.job.again = False
            self.job.stop()

    @property
    def searching(self) -> bool:
        """Return whether a search that can be stopped is running."""
        return self.job is not None and self.job.limit is not None

    def ponder(self, board: Board) -> None:
        """Search during the opponent's time, if enabled; the results stay in the transposition table."""
        if not self._pondering or self._ending or board.outcome() is not None:
            return
        self._guess = Search.start(self.engine.analyse, board, Limit(seconds=_PONDER_SECONDS))

    def _wake(self) -> None:
        """End pondering, since the engine is needed."""
        if self._guess is not None:
            self._guess.hurry()
            self._guess.join(_LAST_SECONDS)
            self._guess = None

    def leave(self) -> bool:
        """Stop all work; return whether nothing is still running."""
        self._wake()
        if self.job is not None:
            self.job.stop()
        ended = self.job is None or self.job.search.join(_LAST_SECONDS / 2)
        return ended and self.loader.loaded

    def prepare(self, rules: Rules, asked: float, finish: Callable[[], None]) -> None:
        """Load the engine and prepare it for these rules, then call `finish`."""

        def finished(search: Search[None]) -> None:
            search.result()
            finish()

        self.begin(PendingAnswer(finished, asked), self._prepare, rules)

    def _prepare(self, rules: Rules, *, stop: threading.Event) -> None:
        prepare(self.engine, rules, stop=stop)

    def search(
        self,
        board: Board,
        finish: Callable[[list[Info]], None],
        asked: float,
        count: int = 1,
        *,
        playing: bool = True,
    ) -> None:
        """Search, then call `finish` with the best lines."""
        limit = self.limit(asked)

        def finished(search: Search[list[Info]]) -> None:
            if job.again:
                self.search(board, finish, asked, count, playing=playing)
                return
            infos = search.result()
            self._out.finish(infos)
            finish(infos)

        job = PendingAnswer(finished, asked, _deadline(limit), limit, reported=True)
        self._out.begin(board, count)
        self.begin(job, best_lines, self.engine, board, limit, count, playing=playing)

    def open_swap2(self, rules: Rules, asked: float, finish: Callable[[tuple[int, ...]], None]) -> None:
        """Choose an opening of three stones, then call `finish` with it."""
        from random import Random

        from tengen.protocol.swap2 import opening

        limit = self.limit(asked)
        job = PendingAnswer(lambda search: finish(search.result()), asked, _deadline(limit))
        self.begin(job, opening, self.engine, rules, limit, Random())

    def relimit(self) -> None:
        """Apply changed settings to the running search."""
        job = self.job
        if job is None or job.limit is None or job.again:
            return
        new = self.limit(job.asked)
        quick = at_once(self.settings.max_node or None, self.settings.max_depth or None)
        enough = new.nodes is not None and job.nodes >= new.nodes
        enough |= new.depth is not None and job.depth >= new.depth
        if new == quick or enough:
            job.stop()
            return
        deadline = _deadline(new)
        shorter = deadline is not None and (job.deadline is None or deadline <= job.deadline)
        if shorter and new.time is None and replace(job.limit, seconds=new.seconds) == new:
            job.deadline, job.limit = deadline, new
            return
        # The results stay in the transposition table, so a restart costs little.
        job.again = True
        job.stop()


def best_lines(
    engine: Engine, board: Board, limit: Limit, count: int, *, playing: bool, stop: threading.Event
) -> list[Info]:
    """Return the best lines, always searched to some depth; a work function of a search."""
    infos = engine.analyse(board, limit, count, stop, playing=playing)
    if infos[0].depth == 0:
        # The search was stopped before it found anything.
        return engine.analyse(board, at_once(), count, playing=playing)
    return infos


def _deadline(limit: Limit) -> float | None:
    seconds = seconds_of(limit)
    return None if seconds is None else time.perf_counter() + seconds
