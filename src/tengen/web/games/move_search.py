"""The search for a computer's move or a hint: the question, and hurrying or stopping the search.

The work runs in the workers of `tengen.web.computing.search_pool`. Reports of the engine and other players
are passed on during the search. An abandoned search is hurried before it is killed, since a worker process
that finishes by itself need not be restarted.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import CancelledError

from tengen.engine.info import Info
from tengen.executors.running_search import Search, in_loop, set_within
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.players.levels import needs_engine
from tengen.web.computing.search_pool import SearchPool
from tengen.web.games.move_question import MoveQuestion, NoAnswer, PlayerAnswer, answer
from tengen.web.transport.metrics import SearchKind

_LAST = 10.0
"""Seconds that a hurried player has to answer before its search is cancelled."""

_STOPPING = 2.0
"""Seconds that an abandoned search has to end before its process is killed."""

_POLL = 0.5
"""Seconds between two checks of a running search."""

_INTERVAL = 0.25
"""Minimum seconds between two forwarded reports."""


class MoveSearch:
    """A search that answers a question to a player.

    Args:
        pool: the pool in which computer players think.
        queue: the queue of the search; see `SearchPool.caller`.
        question: the question.
        report: receives intermediate results, in the event loop, a few times per second at most.
        kind: the kind of search in the metrics.

    Attributes:
        waits: whether the search waits for the engine to be ready.
    """

    def __init__(
        self,
        pool: SearchPool,
        queue: str | None,
        question: MoveQuestion,
        report: Callable[[Info], object] | None = None,
        kind: SearchKind = "move",
    ) -> None:
        self._pool = pool
        self._queue = queue
        self._question = question
        self._report = report
        self._kind = kind
        self._reported = 0.0
        self._search: Search[PlayerAnswer] | None = None
        self._hurried = asyncio.Event()
        self.waits = False

    def hurry(self) -> None:
        """Make the player answer at once with its best result so far, or as soon as its search starts."""
        self._hurried.set()
        if self._search is not None:
            self._search.hurry()

    async def answer(self, on_wait: Callable[[], object] = lambda: None) -> PlayerAnswer:
        """Run the search and return the answer. Cancelling this coroutine stops the search.

        Args:
            on_wait: called every second while the search waits for the engine.

        Raises:
            TengenError: raised by the player.
            NoAnswer: the player raised another exception, or gave no answer in time.
        """
        pool, question = self._pool, self._question
        if needs_engine(question.spec) and not pool.warmup.ready:
            self.waits = True
            await pool.warmup.wait(on_wait)
            self.waits = False
        caller = pool.caller(question.spec, self._queue)
        try:
            search = self._search = Search.start(
                answer, question, workers=caller, on_report=in_loop(self._on_report)
            )
        except RuntimeError as error:  # the workers are closed, and the answer is no longer needed
            raise asyncio.CancelledError from error
        if self._hurried.is_set():
            search.hurry()
        began = time.monotonic()
        try:
            await self._watch(search)
        finally:
            pool.metrics.search(self._kind, time.monotonic() - began)
            self._search = None
            search.abandon(_STOPPING)
        return _result(search)

    async def rest(self, seconds: float) -> None:
        """Wait for some seconds before the answer is played, unless the search is hurried."""
        if seconds > 0:
            await set_within(self._hurried, seconds)

    def _on_report(self, info: Info) -> None:
        """Forward a report, unless it is about a position that an opening's decision may lead to."""
        now = time.monotonic()
        usable = self._search is not None and self._question.opening is None
        if self._report is not None and usable and now - self._reported >= _INTERVAL:
            self._reported = now
            self._report(info)

    async def _watch(self, search: Search[PlayerAnswer]) -> None:
        """Wait for the answer; hurry a player that takes too long, and cancel one that does not stop."""
        began: float | None = None
        while not await search.wait(_POLL):
            now = time.monotonic()
            if began is None:
                began = now if search.started else None
            elif now - began > self._pool.patience:
                search.hurry()
                if now - began > self._pool.patience + _LAST:
                    search.cancel()
                    raise NoAnswer("error.web.slow", player=shorten(self._question.spec))


def _result(search: Search[PlayerAnswer]) -> PlayerAnswer:
    try:
        return search.result(0)
    except TengenError:
        raise
    except CancelledError as error:  # the workers have been closed
        raise asyncio.CancelledError from error
    except BaseException as error:  # an exception of a player must not become one of the server
        reason = shorten(f"{type(error).__name__}: {error}", 200)
        raise NoAnswer("error.player", reason=reason) from error
