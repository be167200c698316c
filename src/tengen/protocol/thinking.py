"""The engine at work for the Gomocup protocol: one answer at a time, its limit, and the time it takes."""

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
"""For whatever is to be answered before the end."""

_PONDER_SECONDS = 3600.0
"""As long as anybody waits for an opponent."""

_TOO_SHORT = 0.02
"""Seconds in which nothing is found that a search of few nodes would not find."""


@dataclass(eq=False, slots=True)
class PendingAnswer:
    """What the manager waits for, and the search for it.

    Attributes:
        finish: what to do with the search when it is over, in the conversation's thread.
        asked: when it was asked for, by `time.perf_counter`.
        deadline: when it has to be stopped; None for never.
        limit: the limit of a search that may be stopped, None of anything else.
        search: what runs; set when it begins.
        reported: whether what is found on the way is told.
        again: whether to begin anew with other limits.
        nodes: how far it is.
        depth: likewise.
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
        """Ask for the best so far, at once."""
        self.deadline = None
        self.search.hurry()


@dataclass(frozen=True, slots=True)
class SearchReport:
    """What the search for an answer has found on its way."""

    answer: PendingAnswer
    info: Info


@dataclass(frozen=True, slots=True)
class SearchDone:
    """That the search for an answer is over."""

    answer: PendingAnswer


class Thinking:
    """What runs beside the conversation.

    Args:
        out: where reports go.
        tell: whom to tell what a search finds, and that it is over; called in its thread.
        threads: for the search, until INFO says otherwise.
        memory: megabytes of the table of positions, until INFO says otherwise.
        pondering: whether to go on thinking while the opponent does.

    Attributes:
        settings: what INFO has said.
        loader: the engine.
        job: what is waited for; None for nothing.
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
        """The engine with the settings told."""
        threads = self.settings.threads(self._threads)
        compiled = bool(self.loader.cold)
        return self.loader.engine(threads, self.settings.memory(self._memory, threads, compiled=compiled))

    # -- time

    def limit(self, asked: float) -> Limit:
        """How long to think over a move that was asked for then; before the end of all, only a moment."""
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
        """The match clock begins anew, and former moves are forgotten."""
        self._used = 0.0
        left = self.settings.time_left
        if left is not None and left < UNLIMITED and not self._left_told:
            self.settings = replace(self.settings, time_left=None)
        self._wake()
        self.loader.forget()

    def moved(self, asked: float) -> None:
        """A move that was asked for then is about to be answered."""
        spent = time.perf_counter() - max(asked, self._out.answered)
        self._used += spent
        left = self.settings.time_left
        if left is not None and left < UNLIMITED:
            left += self.settings.time_increment - round(spent * 1000)
            self.settings = replace(self.settings, time_left=left)
        self._left_told = False

    def left_told(self) -> None:
        """The time left of the game has just been told."""
        self._left_told = True

    def hurry(self) -> None:
        """The end is near: what runs, and what comes, gets less than a second in all."""
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
        """Do the work of this answer; nothing else is being done.

        Args:
            job: the answer.
            work: what `Search.start` takes,
            args: its arguments,
            kwargs: and those by name.
        """
        self._wake()
        # An opening is searched on many boards; what is found there is no news about this one.
        heard = partial(self._report, job) if job.reported else None
        job.search = Search.start(work, *args, on_report=heard, **kwargs)
        self.job = job  # not before: where it cannot begin, nothing is waited for
        job.search.when_done(lambda: self._tell(SearchDone(job)))

    def _report(self, job: PendingAnswer, info: Info) -> None:
        self._tell(SearchReport(job, info))

    def found(self, report: SearchReport) -> None:
        """What a search has found on its way."""
        job, info = report.answer, report.info
        if job is self.job and not job.again:
            job.nodes, job.depth = info.nodes, info.depth
            self._out.found(info)

    def done(self, done: SearchDone) -> None:
        """Finish what is done.

        Raises:
            Exception: what the search has raised.
        """
        job = done.answer
        if job is self.job:
            self.job = None
            job.finish(job.search)

    def stop(self) -> None:
        """Have a search answer at once."""
        if self.job is not None:
            self.job.again = False
            self.job.stop()

    @property
    def searching(self) -> bool:
        """Whether there is a search to be stopped."""
        return self.job is not None and self.job.limit is not None

    def ponder(self, board: Board) -> None:
        """Think about the opponent's move, if that was asked for; what comes of it stays in the table."""
        if not self._pondering or self._ending or board.outcome() is not None:
            return
        self._guess = Search.start(self.engine.analyse, board, Limit(seconds=_PONDER_SECONDS))

    def _wake(self) -> None:
        """End pondering: the engine is needed."""
        if self._guess is not None:
            self._guess.hurry()
            self._guess.join(_LAST_SECONDS)
            self._guess = None

    def leave(self) -> bool:
        """Stop for good: whether nothing is left running."""
        self._wake()
        if self.job is not None:
            self.job.stop()
        ended = self.job is None or self.job.search.join(_LAST_SECONDS / 2)
        return ended and self.loader.loaded

    def prepare(self, rules: Rules, asked: float, finish: Callable[[], None]) -> None:
        """Load the engine, and what it needs for these rules, and then finish."""

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
        """Search, and then finish with the best lines found."""
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
        """Choose three stones, and then finish with them."""
        from random import Random

        from tengen.protocol.swap2 import opening

        limit = self.limit(asked)
        job = PendingAnswer(lambda search: finish(search.result()), asked, _deadline(limit))
        self.begin(job, opening, self.engine, rules, limit, Random())

    def relimit(self) -> None:
        """Hold a search to settings that have just changed."""
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
        # What was found stays in the table, so that beginning again costs little.
        job.again = True
        job.stop()


def best_lines(
    engine: Engine, board: Board, limit: Limit, count: int, *, playing: bool, stop: threading.Event
) -> list[Info]:
    """The work of a search: the best lines, and never a move that was not thought over at all."""
    infos = engine.analyse(board, limit, count, stop, playing=playing)
    if infos[0].depth == 0:
        # Stopped before anything was found.
        return engine.analyse(board, at_once(), count, playing=playing)
    return infos


def _deadline(limit: Limit) -> float | None:
    seconds = seconds_of(limit)
    return None if seconds is None else time.perf_counter() + seconds
