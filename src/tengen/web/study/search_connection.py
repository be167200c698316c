"""A WebSocket whose client has positions searched, one search at a time.

It shares the workers with others: an interruptible analysis gives its worker up after a while if others
wait, and resumes later. Each second of a search is charged to the visitor.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from functools import partial
from typing import Generic, Protocol, TypeVar

from fastapi import WebSocket

from tengen.executors.running_search import Search, in_loop, set_within
from tengen.game.errors import TengenError
from tengen.schemas.base import Schema
from tengen.web.computing import thinking_costs
from tengen.web.computing.search_pool import SearchPool
from tengen.web.computing.shares import sharer
from tengen.web.study.analyses import Analysis, run_slice
from tengen.web.transport.channel import Channel
from tengen.web.transport.errors import Overloaded
from tengen.web.transport.limits import spend
from tengen.web.transport.services import service_of
from tengen.words import Message

MOST_CONNECTIONS = 500
"""The most connections of one server process that may have positions searched."""

MOST_WAITING = 100
"""The most analyses that wait for a worker."""

SLICE = 3.0
"""Seconds for which an interruptible analysis keeps its worker while others wait."""

_TICK = 0.4
"""Seconds between two checks of a running analysis."""

_TRY_AGAIN_LATER = 1013

_MOST_UNSENT = 10_000
"""The most messages that wait for a client: more than a review of the longest game has."""

_PAUSE = 0.1
"""Seconds between two deliveries while only reports of progress wait."""

_log = logging.getLogger("tengen.web")


class Pending(Protocol):
    """Something that a client waits for.

    Attributes:
        analysis: what finds it.
    """

    analysis: Analysis


P = TypeVar("P", bound=Pending)


async def serve_searches(
    websocket: WebSocket,
    connection: Callable[[WebSocket, SearchPool], SearchConnection[P]],
    refusal: Callable[[TengenError], str],
) -> None:
    """Serve one connection until it is closed.

    Args:
        websocket: the connection, not yet accepted.
        connection: makes the connection's searches.
        refusal: returns the message to a client for whom there is no place.
    """
    pool = service_of(websocket, SearchPool)
    await websocket.accept()
    holder = sharer(websocket)
    if not pool.analysts.has_room(holder, MOST_CONNECTIONS):
        text = refusal(Overloaded("error.web.analysis.busy"))
        await Channel(websocket).close(_TRY_AGAIN_LATER, text)
        return
    pool.analysts.take(holder)
    try:
        await connection(websocket, pool).run()
    finally:
        pool.analysts.give_back(holder)


class SearchConnection(ABC, Generic[P]):
    """The searches of one connection.

    Args:
        websocket: the connection, already accepted.
        pool: the pool in which analyses run.
    """

    def __init__(self, websocket: WebSocket, pool: SearchPool) -> None:
        self._websocket = websocket
        self._pool = pool
        self._caller = pool.analysis_workers.caller("analysis")
        self._channel = Channel(websocket, most=_MOST_UNSENT, pause=_PAUSE)
        self._news = asyncio.Event()
        self._waiting: Message | None = None
        self._holder = sharer(websocket)
        self._queued = False

    async def run(self) -> None:
        """Receive messages, search and send answers until the connection is closed."""
        await self._channel.serve(self._on_message, self._run_searches)

    # -- the client's messages and answers

    @abstractmethod
    def _on_message(self, text: str) -> Awaitable[None]:
        """Process a message."""

    @abstractmethod
    def _most_urgent(self) -> P | None:
        """Return what to search next; None if nothing is pending."""

    @abstractmethod
    def _may_continue(self, pending: P, seconds: float) -> bool:
        """Return whether a running analysis is still wanted and need not yield its worker."""

    @abstractmethod
    def _on_report(self, pending: P, data: Schema) -> None:
        """Note an intermediate result, and send it if it is wanted."""

    @abstractmethod
    def _on_tick(self, pending: P, seconds: float) -> None:
        """Send what is due after some seconds of running."""

    @abstractmethod
    def _on_result(self, pending: P) -> None:
        """Send the result of an analysis that has finished."""

    @abstractmethod
    def _on_quota(self, pending: P, error: TengenError) -> None:
        """End an analysis whose visitor has used up its quota."""

    @abstractmethod
    def _on_failure(self, pending: P, error: TengenError | Message) -> None:
        """Send the error of an analysis that has failed."""

    @abstractmethod
    def _on_overload(self, error: TengenError) -> None:
        """Refuse all that is pending, which cannot be searched now."""

    def _set_waiting(self, reason: Message) -> None:
        """Note why nothing is searched."""
        self._waiting = reason

    # -- searching

    async def _run_searches(self) -> None:
        """Run pending analyses for ever: the most urgent first, one slice at a time."""
        while True:
            while self._most_urgent() is None:
                self._news.clear()
                await self._news.wait()
            try:
                await self._ready()
                if self._most_urgent() is not None:  # it may have been stopped meanwhile
                    await self._follow(*self._start())
            except TengenError as error:
                self._on_overload(error)

    async def _ready(self) -> None:
        """Wait until the engine is ready.

        Raises:
            EngineFailed: the engine could not be prepared.
        """
        if not self._pool.warmup.ready:
            await self._pool.warmup.wait(lambda: self._set_waiting(Message("web.compiling")))
            self._waiting = None

    def _start(self) -> tuple[Search[tuple[bool, Analysis]], P]:
        """Queue a run of the most urgent analysis, and return both.

        Raises:
            Overloaded: too many searches are waiting.
        """
        if not self._pool.analyses_waiting.has_room(self._holder, MOST_WAITING):
            raise Overloaded("error.web.analysis.busy")
        pending = self._most_urgent()
        assert pending is not None
        receive = in_loop(partial(self._on_report, pending))
        search = Search.start(run_slice, pending.analysis, workers=self._caller, on_report=receive)
        if not search.started:
            self._queue(True)
            self._set_waiting(Message("web.analyse.queue"))
        return search, pending

    def _queue(self, waits: bool) -> None:
        """Update the count of waiting analyses with whether one of this connection's waits."""
        if waits != self._queued:
            self._queued = waits
            shares = self._pool.analyses_waiting
            (shares.take if waits else shares.give_back)(self._holder)

    async def _follow(self, search: Search[tuple[bool, Analysis]], pending: P) -> None:
        """Supervise a search until it finishes or is interrupted; an interrupted analysis stays pending."""
        began = time.monotonic()
        try:
            await self._watch(search, pending)
            finished, pending.analysis = search.result(0)
            if finished:
                self._on_result(pending)
        except TengenError as error:
            self._on_failure(pending, error)
        except CancelledError:
            pass  # the analysis is no longer wanted
        except asyncio.CancelledError:
            raise
        except Exception as error:
            _log.exception("analysis_search_failed", exc_info=error)
            self._on_failure(pending, Message("error.web.bug"))
        finally:
            self._waiting = None
            self._queue(False)
            self._pool.metrics.search("analysis", time.monotonic() - began)
            search.abandon(SLICE)

    async def _watch(self, search: Search[tuple[bool, Analysis]], pending: P) -> None:
        """Report progress of a running search, charge for its time, and interrupt it when necessary."""
        began, charged = 0.0, 0
        # The search's reports come through the event loop, so this event is set after all of them.
        over = asyncio.Event()
        search.when_done(in_loop(over.set))
        search.when_done(in_loop(self._news.set))
        while not over.is_set():
            await set_within(self._news, _TICK)
            self._news.clear()
            if over.is_set():
                continue
            if not search.started:
                if self._most_urgent() is not pending:
                    search.cancel()  # another one comes first, or this one is no longer wanted
                continue
            now = time.monotonic()
            if not began:
                began, self._waiting = now, None
                self._queue(False)
            seconds = now - began
            if not self._may_continue(pending, seconds):
                search.hurry()
            else:
                self._on_tick(pending, seconds)
            if seconds > charged + 1 and not search.done:
                charged += 1
                self._charge(pending)

    def _is_over_slice(self, seconds: float) -> bool:
        """Return whether others wait for the worker of an analysis that has run for some seconds."""
        return seconds >= SLICE and bool(self._pool.analysis_workers.waiting)

    def _charge(self, pending: P) -> None:
        """Charge another second of an analysis; end the analysis if the quota is exceeded."""
        try:
            spend(self._websocket, "think", thinking_costs.ANALYSIS_SECOND)
        except TengenError as error:
            self._on_quota(pending, error)
