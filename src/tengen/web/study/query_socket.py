"""The WebSocket API of queries: those of ``tengen analyse --stdin``, message by message.

docs/queries.md describes queries and answers. A connection runs one search at a time; the other positions
wait, by descending priority, then in the order of arrival, and where a visitor's quota is used up until
there is some of it again.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Hashable
from typing import Any

from fastapi import APIRouter, WebSocket

from tengen.game.errors import TengenError
from tengen.queries.actions import echo, running_query
from tengen.queries.query_queue import Query, QueryQueue
from tengen.queries.reading import (
    Defaults,
    QueryError,
    is_terminated,
    query_id,
    read_action,
    read_object,
    read_queries,
)
from tengen.schemas.analysis import BestMovesData
from tengen.schemas.base import Schema
from tengen.schemas.queries import NoResults, QueryRefused
from tengen.web.computing import thinking_costs
from tengen.web.computing.search_pool import SearchPool
from tengen.web.study.analyses import Analysis
from tengen.web.study.query_analysis import MOST_SECONDS, QueryAnalysis
from tengen.web.study.search_connection import SearchConnection, serve_searches
from tengen.web.transport.errors import TooManyRequests
from tengen.web.transport.limits import spend
from tengen.words import LANGUAGES, Message, say

router = APIRouter(tags=["analysis"])

BOUNDS = {"seconds": MOST_SECONDS, "nodes": 1_000_000_000, "lines": 10, "turns": 400}
"""The greatest values of a query's fields; of `turns` the most positions."""

MOST_POSITIONS = 1000
"""The most positions of a connection that wait."""

_RETRY = 0.5
"""Seconds between two looks at a quota that is used up."""

_log = logging.getLogger("tengen.web")


@router.websocket("/api/queries")
async def queries(websocket: WebSocket) -> None:
    """Serve one connection until it is closed."""
    await serve_searches(
        websocket, QueryConnection, lambda error: QueryRefused(error=say(error.message)).to_json()
    )


class PendingQuery:
    """A position that is being searched.

    Args:
        query: its query.

    Attributes:
        query: the query.
        analysis: the analysis, as it was before or after the last run.
        began: when it was first started, as `time.monotonic` counts.
        due: when the next report is due; None for never.
        paid: whether its first second has been charged.
    """

    def __init__(self, query: Query) -> None:
        self.query = query
        self.paid = False
        self.analysis: Analysis = QueryAnalysis(query)
        self.began = time.monotonic()
        self.due = None if query.report_first is None else self.began + query.report_first

    @property
    def found(self) -> QueryAnalysis:
        """The analysis, by its class."""
        assert isinstance(self.analysis, QueryAnalysis)
        return self.analysis


class QueryConnection(SearchConnection[PendingQuery]):
    """The queries of one connection.

    Args:
        websocket: the connection, already accepted.
        pool: the pool in which positions are searched.
    """

    def __init__(self, websocket: WebSocket, pool: SearchPool) -> None:
        super().__init__(websocket, pool)
        wanted = websocket.query_params.get("lang", "")
        self._lang = wanted if wanted in LANGUAGES else "en"
        self._positions = QueryQueue()
        self._current: PendingQuery | None = None

    # -- queries

    async def _on_message(self, text: str) -> None:
        answer: dict[str, Any] = {}
        try:
            data = read_object(text)
            answer = {"id": query_id(data)}
            spend(self._websocket, "message")
            if "action" in data:
                self._act(read_action(data), data)
            else:
                # Validating a long game takes a moment and must not block the event loop.
                self._add(await asyncio.to_thread(read_queries, data, Defaults(most=BOUNDS)))
        except TengenError as error:
            self._send(QueryRefused(**answer, error=say(error.message, self._lang)))
        except Exception:
            _log.exception("query_failed")
            self._send(QueryRefused(**answer, error=say("error.web.bug", self._lang)))

    def _add(self, new: list[Query]) -> None:
        """Queue the positions of a query.

        Raises:
            QueryError: too many wait.
            TooManyRequests: the visitor has used up its quota.
        """
        if len(self._positions) + len(new) > MOST_POSITIONS:
            raise QueryError("error.query.positions", most=MOST_POSITIONS)
        spend(self._websocket, "think", thinking_costs.ANALYSIS)
        for query in new:
            self._positions.add(query)
        self._news.set()

    def _act(self, action: str, data: dict[str, Any]) -> None:
        if action == "clear_cache":  # other visitors search with the same engines
            raise QueryError("error.query.no_clear")
        current, running = self._current, []
        if current is not None:
            seconds = time.monotonic() - current.began
            running.append(running_query(current.query, current.found.infos, seconds))
        self._channel.send(json.dumps(echo(data, running, self._positions, 1), allow_nan=False))
        if action.startswith("terminate"):
            if current is not None and is_terminated(current.query, data):
                self._finish(current, current.analysis.result())
            for query in self._positions.remove(lambda query: is_terminated(query, data)):
                self._send(NoResults(id=query.id, turn=query.turn, final=True))

    # -- searching

    async def _ready(self) -> None:
        """Wait until the engine is ready, and until the visitor's quota allows another search."""
        await super()._ready()
        pending = self._most_urgent()
        while pending is not None and pending is self._current and not pending.paid:
            try:
                spend(self._websocket, "think", thinking_costs.ANALYSIS_SECOND)
                pending.paid = True
            except TooManyRequests:
                await asyncio.sleep(_RETRY)

    def _most_urgent(self) -> PendingQuery | None:
        if self._current is None and self._positions:
            self._current = PendingQuery(self._positions.take())
        return self._current

    def _may_continue(self, pending: PendingQuery, seconds: float) -> bool:
        if pending is not self._current:
            return False
        return pending.found.seeks_win or not self._is_over_slice(seconds)

    # -- answers

    def _on_report(self, pending: PendingQuery, data: Schema) -> None:
        pending.analysis.note(data)
        if pending.query.report and isinstance(data, BestMovesData):
            self._report(pending)

    def _on_tick(self, pending: PendingQuery, seconds: float) -> None:
        now = time.monotonic()
        if pending.due is not None and pending.due <= now:
            every = pending.query.report_every
            pending.due = None if every is None else now + every
            self._report(pending)

    def _report(self, pending: PendingQuery) -> None:
        answer = pending.found.answer(final=False)
        if pending is self._current and answer is not None:
            self._send(answer, about=pending)

    def _on_result(self, pending: PendingQuery) -> None:
        self._finish(pending, pending.analysis.result())

    def _on_quota(self, pending: PendingQuery, error: TengenError) -> None:
        limited = pending.found.answer(final=True, limited=say(error.message, self._lang))
        self._finish(pending, limited or self._refusal(pending.query, error))

    def _on_failure(self, pending: PendingQuery, error: TengenError | Message) -> None:
        self._finish(pending, self._refusal(pending.query, error))

    def _on_overload(self, error: TengenError) -> None:
        if self._current is not None:
            self._on_failure(self._current, error)
        for query in self._positions.remove(lambda _: True):
            self._send(self._refusal(query, error))

    def _refusal(self, query: Query, error: TengenError | Message) -> QueryRefused:
        message = error.message if isinstance(error, TengenError) else error
        return QueryRefused(id=query.id, turn=query.turn, error=say(message, self._lang))

    def _finish(self, pending: PendingQuery, answer: Schema) -> None:
        if pending is self._current:
            self._current = None
            self._news.set()
            self._send(answer)

    def _send(self, answer: Schema, about: Hashable = None) -> None:
        self._channel.send(answer.to_json(), about)
