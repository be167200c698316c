"""The engine at work for the Gomocup protocol: one job at a time, its limit, and the time it has used."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.gomocup.info_values import UNLIMITED
from tengen.protocol.game_settings import GameSettings, at_once, seconds_of
from tengen.protocol.output import Output
from tengen.protocol.work import Job, Loader, prepare, search

if TYPE_CHECKING:
    from tengen.engine.engine import Engine
    from tengen.engine.info import Info

_LAST_SECONDS = 0.8
"""For whatever is to be answered before the end."""

_PONDER_SECONDS = 3600.0
"""As long as anybody waits for an opponent."""

_TOO_SHORT = 0.02
"""Seconds in which nothing is found that a search of few nodes would not find."""


@dataclass(frozen=True, slots=True)
class Found:
    """Of a job, on its way."""

    job: Job
    info: Info


@dataclass(frozen=True, slots=True)
class Done:
    """Of a job, or what it has raised."""

    job: Job
    result: Any


class Thinking:
    """What runs beside the conversation.

    Args:
        out: where reports go.
        tell: whom to tell what a job finds, and that it is done; called in its thread.
        threads: for the search, until INFO says otherwise.
        memory: megabytes of the table of positions, until INFO says otherwise.
        pondering: whether to go on thinking while the opponent does.

    Attributes:
        settings: what INFO has said.
        loader: the engine.
        job: what is being done; None for nothing.
    """

    def __init__(
        self,
        out: Output,
        tell: Callable[[Found | Done], None],
        threads: int,
        memory: int,
        *,
        pondering: bool = False,
    ) -> None:
        self.settings = GameSettings()
        self.loader = Loader()
        self.job: Job | None = None
        self._out = out
        self._tell = tell
        self._threads = threads
        self._memory = memory
        self._pondering = pondering
        self._guess: Job | None = None
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

    def begin(self, job: Job) -> None:
        """Do this; nothing else is being done."""
        self._wake()
        self.job = job
        job.start(lambda info: self._tell(Found(job, info)), lambda result: self._tell(Done(job, result)))

    def found(self, found: Found) -> None:
        """What a job has found on its way."""
        if found.job is self.job and not found.job.again:
            found.job.nodes, found.job.depth = found.info.nodes, found.info.depth
            self._out.found(found.info)

    def done(self, done: Done) -> None:
        """Finish what is done.

        Raises:
            Exception: what it has raised.
        """
        if done.job is self.job:
            self.job = None
            done.job.finish(done.result)

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
        work = search(self.engine, board, Limit(seconds=_PONDER_SECONDS), 1, playing=False)
        self._guess = Job(work, lambda _: None, time.perf_counter())
        self._guess.start(lambda _: None, lambda _: None)

    def _wake(self) -> None:
        """End pondering: the engine is needed."""
        if self._guess is not None:
            self._guess.leave(_LAST_SECONDS)
            self._guess = None

    def leave(self) -> bool:
        """Stop for good: whether nothing is left running."""
        self._wake()
        ended = self.job is None or self.job.leave(_LAST_SECONDS / 2)
        return ended and self.loader.loaded

    def prepare(self, rules: Rules, asked: float, finish: Callable[[], None]) -> None:
        """Load the engine, and what it needs for these rules, and then finish."""

        def finished(result: Any) -> None:
            _check(result)
            finish()

        self.begin(Job(lambda _, __: prepare(self.engine, rules), finished, asked))

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

        def finished(infos: Any) -> None:
            if job.again:
                self.search(board, finish, asked, count, playing=playing)
                return
            _check(infos)
            self._out.finish(infos)
            finish(infos)

        work = search(self.engine, board, limit, count, playing=playing)
        job = Job(work, finished, asked, _deadline(limit), limit)
        self._out.begin(board, count)
        self.begin(job)

    def open_swap2(self, rules: Rules, asked: float, finish: Callable[[tuple[int, ...]], None]) -> None:
        """Choose three stones, and then finish with them."""
        from random import Random

        from tengen.protocol.swap2 import opening

        limit = self.limit(asked)

        def finished(points: Any) -> None:
            _check(points)
            finish(points)

        self.begin(Job(opening(self.engine, rules, limit, Random()), finished, asked, _deadline(limit)))

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


def _check(result: Any) -> None:
    """Raise what a job has raised."""
    if isinstance(result, BaseException):
        raise result


def _deadline(limit: Limit) -> float | None:
    seconds = seconds_of(limit)
    return None if seconds is None else time.perf_counter() + seconds
