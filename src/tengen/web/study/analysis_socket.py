"""The WebSocket API of analysis: best moves, forced wins, defences and reviews, with progress reports.

A client sends requests such as ``{"id": 1, "do": "analyse", "rules": "renju", "moves": "h8i9"}``. Every
answer carries the request's id, and the last one ``"done": true``. A connection runs one search at a time:
forced wins and defences before a review, and a review before the best moves, which resume afterwards. A new
search replaces an older one of the same kind. While a search waits for the engine's compilation or for
other searches, a message with ``"waiting"`` gives the reason.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Hashable
from concurrent.futures import CancelledError
from functools import partial

from fastapi import APIRouter, WebSocket

from tengen.executors.running_search import Search, in_loop, set_within
from tengen.game.errors import TengenError
from tengen.schemas.analysis import AnalysisEnvelope, SearchStopped, SearchWaiting, StopRequest
from tengen.schemas.base import Schema, joined_json
from tengen.schemas.review import ReviewedPositionData
from tengen.schemas.sentence import ErrorBody, Sentence
from tengen.web.computing import thinking_costs
from tengen.web.computing.search_pool import SearchPool
from tengen.web.computing.shares import sharer
from tengen.web.study.analyses import Analysis, run_slice
from tengen.web.study.analysis_requests import (
    PendingAnalysis,
    id_of,
    pending_analysis,
    read_request,
)
from tengen.web.transport.channel import Channel
from tengen.web.transport.errors import Overloaded
from tengen.web.transport.limits import spend
from tengen.web.transport.request_bodies import read_object
from tengen.web.transport.services import service_of
from tengen.words import Message

router = APIRouter(tags=["analysis"])

MOST_CONNECTIONS = 500
"""The most analysis connections of one server process."""

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


@router.websocket("/api/analysis")
async def analysis(websocket: WebSocket) -> None:
    """Serve one connection until it is closed."""
    pool = service_of(websocket, SearchPool)
    await websocket.accept()
    holder = sharer(websocket)
    if not pool.analysts.has_room(holder, MOST_CONNECTIONS):
        busy = ErrorBody.of(Overloaded("error.web.analysis.busy"))
        text = joined_json(AnalysisEnvelope(id=None, done=True), busy)
        await Channel(websocket).close(_TRY_AGAIN_LATER, text)
        return
    pool.analysts.take(holder)
    try:
        await AnalysisConnection(websocket, pool).run()
    finally:
        pool.analysts.give_back(holder)


class AnalysisConnection:
    """The analyses of one connection.

    Args:
        websocket: the connection, already accepted.
        pool: the pool in which analyses run.
    """

    def __init__(self, websocket: WebSocket, pool: SearchPool) -> None:
        self._websocket = websocket
        self._pool = pool
        self._caller = pool.analysis_workers.caller("analysis")
        self._channel = Channel(websocket, most=_MOST_UNSENT, pause=_PAUSE)
        # Replaced, never mutated, because a worker reads it too.
        self._pending: dict[str, PendingAnalysis] = {}
        self._news = asyncio.Event()
        self._waiting: Message | None = None
        self._holder = sharer(websocket)
        self._queued = False

    async def run(self) -> None:
        """Receive requests, search and send answers until the connection is closed."""
        await self._channel.serve(self._on_message, self._run_searches)

    # -- requests

    async def _on_message(self, text: str) -> None:
        number: int | str | None = None
        try:
            data = read_object(text)
            number = id_of(data)
            spend(self._websocket, "message")
            request = read_request(data)
            if isinstance(request, StopRequest):
                self._stop(request)
                return
            spend(self._websocket, "think", thinking_costs.ANALYSIS)
            # Validating a long game takes a moment and must not block the event loop.
            self._add(await asyncio.to_thread(pending_analysis, request))
        except TengenError as error:
            self._send(number, ErrorBody.of(error), done=True)

    def _add(self, new: PendingAnalysis) -> None:
        former = self._pending.get(new.do)
        if former is not None:
            self._drop(former)
        self._pending = {**self._pending, new.do: new}
        self._send_waiting(new)
        self._news.set()

    def _stop(self, request: StopRequest) -> None:
        matching = [pending for pending in self._pending.values() if pending.id == request.id]
        for pending in matching or self._pending.values():
            self._drop(pending)
        if not matching and request.id is not None:
            self._send(request.id, SearchStopped(), done=True)

    def _drop(self, pending: PendingAnalysis) -> None:
        """Stop an analysis: notify the client at once; the worker stops when it checks the signal."""
        self._finish(pending, pending.analysis.result(), SearchStopped())

    # -- searching

    async def _run_searches(self) -> None:
        """Run pending analyses for ever: the most urgent first, one slice at a time."""
        while True:
            while not self._pending:
                self._news.clear()
                await self._news.wait()
            try:
                await self._ready()
                await self._follow(*self._start())
            except TengenError as error:
                for pending in self._pending.values():
                    self._finish(pending, ErrorBody.of(error))

    async def _ready(self) -> None:
        """Wait until the engine is ready.

        Raises:
            EngineFailed: the engine could not be prepared.
        """
        if not self._pool.warmup.ready:
            await self._pool.warmup.wait(lambda: self._set_waiting(Message("web.compiling")))
            self._waiting = None

    def _start(self) -> tuple[Search[tuple[bool, Analysis]], PendingAnalysis]:
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

    def _most_urgent(self) -> PendingAnalysis | None:
        return min(self._pending.values(), key=lambda pending: pending.analysis.urgency, default=None)

    async def _follow(self, search: Search[tuple[bool, Analysis]], pending: PendingAnalysis) -> None:
        """Supervise a search until it finishes or is interrupted; an interrupted analysis stays pending."""
        began = time.monotonic()
        try:
            await self._watch(search, pending)
            finished, pending.analysis = search.result(0)
            if finished:
                self._finish(pending, pending.analysis.result())
        except TengenError as error:
            self._finish(pending, ErrorBody.of(error))
        except CancelledError:
            pass  # the analysis is no longer wanted
        except asyncio.CancelledError:
            raise
        except Exception as error:
            _log.exception("analysis_search_failed", exc_info=error)
            self._finish(pending, ErrorBody.of(Message("error.web.bug")))
        finally:
            self._waiting = None
            self._queue(False)
            self._pool.metrics.search("analysis", time.monotonic() - began)
            search.abandon(SLICE)

    async def _watch(self, search: Search[tuple[bool, Analysis]], pending: PendingAnalysis) -> None:
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
            elif (data := pending.analysis.progress(seconds)) is not None:
                self._send_progress(pending, data)
            if seconds > charged + 1 and not search.done:
                charged += 1
                self._charge(pending)

    def _may_continue(self, pending: PendingAnalysis, seconds: float) -> bool:
        """Return whether a running analysis is still wanted and need not yield its worker."""
        if self._pending.get(pending.do) is not pending:
            return False
        if not pending.analysis.interruptible:
            return True
        first = self._most_urgent()
        more_urgent = first is not None and first.analysis.urgency < pending.analysis.urgency
        return not more_urgent and (seconds < SLICE or not self._pool.analysis_workers.waiting)

    def _charge(self, pending: PendingAnalysis) -> None:
        """Charge another second of an analysis; end the analysis if the quota is exceeded."""
        try:
            spend(self._websocket, "think", thinking_costs.ANALYSIS_SECOND)
        except TengenError as error:
            self._finish(pending, pending.analysis.result(), ErrorBody.of(error))

    # -- answers

    def _set_waiting(self, reason: Message) -> None:
        self._waiting = reason
        for pending in self._pending.values():
            self._send_waiting(pending)

    def _send_waiting(self, pending: PendingAnalysis) -> None:
        if self._waiting is not None:
            self._send(pending.id, SearchWaiting(waiting=Sentence.of(self._waiting)), about=pending)

    def _on_report(self, pending: PendingAnalysis, data: Schema) -> None:
        pending.analysis.note(data)
        self._send_progress(pending, data)

    def _send_progress(self, pending: PendingAnalysis, data: Schema) -> None:
        if self._pending.get(pending.do) is pending:
            # Every verdict of a review is sent; of other progress, only the newest waiting message.
            ply = data.ply if isinstance(data, ReviewedPositionData) else None
            self._send(pending.id, data, about=(pending, ply))

    def _finish(self, pending: PendingAnalysis, *parts: Schema) -> None:
        if self._pending.get(pending.do) is pending:
            self._pending = {do: other for do, other in self._pending.items() if other is not pending}
            self._news.set()
            self._send(pending.id, *parts, done=True)

    def _send(
        self, number: int | str | None, *parts: Schema, done: bool = False, about: Hashable = None
    ) -> None:
        self._channel.send(joined_json(AnalysisEnvelope(id=number, done=done), *parts), about)
