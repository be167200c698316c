"""The WebSocket API of analysis: best moves, forced wins, defences and reviews, with progress reports.

A client sends requests such as ``{"id": 1, "do": "analyse", "rules": "renju", "moves": "h8i9"}``. Every
answer carries the request's id, and the last one ``"done": true``. A connection runs one search at a time:
forced wins and defences before a review, and a review before the best moves, which resume afterwards. A new
search replaces an older one of the same kind. While a search waits for the engine's compilation or for
other searches, a message with ``"waiting"`` gives the reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable

from fastapi import APIRouter, WebSocket

from tengen.game.errors import TengenError
from tengen.schemas.analysis import AnalysisEnvelope, SearchStopped, SearchWaiting, StopRequest
from tengen.schemas.base import Schema, joined_json
from tengen.schemas.review import ReviewedPositionData
from tengen.schemas.sentence import ErrorBody, Sentence
from tengen.web.computing import thinking_costs
from tengen.web.computing.search_pool import SearchPool
from tengen.web.study.analysis_requests import (
    PendingAnalysis,
    id_of,
    pending_analysis,
    read_request,
)
from tengen.web.study.search_connection import SearchConnection, serve_searches
from tengen.web.transport.limits import spend
from tengen.web.transport.request_bodies import read_object
from tengen.words import Message

router = APIRouter(tags=["analysis"])


@router.websocket("/api/analysis")
async def analysis(websocket: WebSocket) -> None:
    """Serve one connection until it is closed."""
    await serve_searches(
        websocket,
        AnalysisConnection,
        lambda error: joined_json(AnalysisEnvelope(id=None, done=True), ErrorBody.of(error)),
    )


class AnalysisConnection(SearchConnection[PendingAnalysis]):
    """The analyses of one connection.

    Args:
        websocket: the connection, already accepted.
        pool: the pool in which analyses run.
    """

    def __init__(self, websocket: WebSocket, pool: SearchPool) -> None:
        super().__init__(websocket, pool)
        # Replaced, never mutated, because a worker reads it too.
        self._pending: dict[str, PendingAnalysis] = {}

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

    def _most_urgent(self) -> PendingAnalysis | None:
        return min(self._pending.values(), key=lambda pending: pending.analysis.urgency, default=None)

    def _is_pending(self, pending: PendingAnalysis) -> bool:
        return self._pending.get(pending.do) is pending

    def _may_continue(self, pending: PendingAnalysis, seconds: float) -> bool:
        if not self._is_pending(pending):
            return False
        if not pending.analysis.interruptible:
            return True
        first = self._most_urgent()
        more_urgent = first is not None and first.analysis.urgency < pending.analysis.urgency
        return not more_urgent and not self._is_over_slice(seconds)

    # -- answers

    def _set_waiting(self, reason: Message) -> None:
        super()._set_waiting(reason)
        for pending in self._pending.values():
            self._send_waiting(pending)

    def _send_waiting(self, pending: PendingAnalysis) -> None:
        if self._waiting is not None:
            self._send(pending.id, SearchWaiting(waiting=Sentence.of(self._waiting)), about=pending)

    def _on_report(self, pending: PendingAnalysis, data: Schema) -> None:
        pending.analysis.note(data)
        self._send_progress(pending, data)

    def _on_tick(self, pending: PendingAnalysis, seconds: float) -> None:
        if (data := pending.analysis.progress(seconds)) is not None:
            self._send_progress(pending, data)

    def _on_result(self, pending: PendingAnalysis) -> None:
        self._finish(pending, pending.analysis.result())

    def _on_quota(self, pending: PendingAnalysis, error: TengenError) -> None:
        self._finish(pending, pending.analysis.result(), ErrorBody.of(error))

    def _on_failure(self, pending: PendingAnalysis, error: TengenError | Message) -> None:
        self._finish(pending, ErrorBody.of(error))

    def _on_overload(self, error: TengenError) -> None:
        for pending in self._pending.values():
            self._finish(pending, ErrorBody.of(error))

    def _send_progress(self, pending: PendingAnalysis, data: Schema) -> None:
        if self._is_pending(pending):
            # Every verdict of a review is sent; of other progress, only the newest waiting message.
            ply = data.ply if isinstance(data, ReviewedPositionData) else None
            self._send(pending.id, data, about=(pending, ply))

    def _finish(self, pending: PendingAnalysis, *parts: Schema) -> None:
        if self._is_pending(pending):
            self._pending = {do: other for do, other in self._pending.items() if other is not pending}
            self._news.set()
            self._send(pending.id, *parts, done=True)

    def _send(
        self, number: int | str | None, *parts: Schema, done: bool = False, about: Hashable = None
    ) -> None:
        self._channel.send(joined_json(AnalysisEnvelope(id=number, done=done), *parts), about)
