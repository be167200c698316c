"""The analysis through a WebSocket: best moves, wins by fours, and reviews, told as they are found.

A client asks by messages such as ``{"id": 1, "do": "analyse", "rules": "renju", "moves": "h8i9"}``. Every
answer carries the id, and the last one ``"done": true``. Of one connection one search runs at a time: one
for fours before a review, and that before the best moves, which go on afterwards. A new search takes the
place of an older one of the same kind. While a search waits, for the engine to be compiled or for others to
end, a message with ``"waiting"`` says why.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import suppress
from functools import partial

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.websockets import WebSocketState

from tengen.game.errors import TengenError
from tengen.web.server.engine_warmup import Warmup
from tengen.web.server.http_errors import Overloaded, error_body
from tengen.web.server.limits import spend
from tengen.web.server.request_bodies import read_object
from tengen.web.server.services import services_of
from tengen.web.study.analysis_requests import Asked, Stop, id_of, read_question, search_for
from tengen.web.study.outbox import Outbox
from tengen.web.study.search_pool import Place, Places, places
from tengen.web.study.searches import Json, Tell
from tengen.words import Message

router = APIRouter(tags=["analysis"])

MOST_CONNECTIONS = 500
"""Connections to the analysis of one server process."""

SLICE = 3.0
"""Seconds that a search which can be interrupted keeps its place while others wait for one."""

_COSTS = {"review": 1.0}
"""What a question costs of what one address may ask for. Stepping through a game asks often."""

_TICK = 0.4
"""Seconds between two looks at a search that runs."""

_TRY_AGAIN_LATER = 1013

_GONE = (OSError, RuntimeError, WebSocketDisconnect, TengenError)
"""What writing to a client raises that has gone, or that does not read."""

_log = logging.getLogger("tengen.web")


@router.websocket("/api/analysis")
async def analysis(websocket: WebSocket) -> None:
    """Answer the questions of one connection until it is closed."""
    services = services_of(websocket)
    shared = places(services.engine_workers)
    await websocket.accept()
    if shared.visitors >= MOST_CONNECTIONS:
        busy = error_body(Overloaded("error.web.analysis.busy"))
        await websocket.send_json({"id": None, **busy, "done": True})
        await websocket.close(_TRY_AGAIN_LATER)
        return
    shared.visitors += 1
    try:
        await Talk(websocket, shared, services.warmup).run()
    finally:
        shared.visitors -= 1


class Talk:
    """One connection's questions and answers.

    Args:
        websocket: the connection, accepted.
        shared: where searches run.
        warmup: tells whether the engine is ready.
    """

    def __init__(self, websocket: WebSocket, shared: Places, warmup: Warmup) -> None:
        self._websocket = websocket
        self._places = shared
        self._warmup = warmup
        self._out = Outbox(websocket)
        self._asked: dict[str, Asked] = {}
        self._news = asyncio.Event()
        self._running: Asked | None = None
        self._stop = threading.Event()
        self._waiting: Message | None = None

    async def run(self) -> None:
        """Listen, search and answer until the connection is closed; then everything stops."""
        tasks = [asyncio.create_task(step()) for step in (self._listen, self._work, self._out.run)]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                error = task.exception()
                if error is not None and not isinstance(error, _GONE):
                    _log.error("analysis_failed", exc_info=error)
        finally:
            self._stop.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if self._websocket.application_state is WebSocketState.CONNECTED:
            with suppress(*_GONE):
                await self._websocket.close()

    # -- what the client says

    async def _listen(self) -> None:
        while (message := await self._websocket.receive())["type"] == "websocket.receive":
            await self._hear(message.get("text") or "")

    async def _hear(self, text: str) -> None:
        number: int | str | None = None
        try:
            spend(self._websocket, "message")
            data = read_object(text)
            number = id_of(data)
            question = read_question(data)
            if isinstance(question, Stop):
                self._end(question)
                return
            spend(self._websocket, "heavy", _COSTS.get(question.do, 0.25))
            # Judging a long game takes a moment, and all others wait for this thread.
            self._add(await asyncio.to_thread(search_for, question))
        except TengenError as error:
            self._out.put({"id": number, **error_body(error), "done": True})

    def _add(self, new: Asked) -> None:
        former, running = self._asked.get(new.do), self._running
        if former is not None:
            self._drop(former)
        self._asked[new.do] = new
        if running is None:
            if self._waiting is not None:
                self._tell_waiting(new)
        elif running.search.interruptible and new.search.urgency < running.search.urgency:
            self._stop.set()
        self._news.set()

    def _end(self, wanted: Stop) -> None:
        meant = [one for one in self._asked.values() if one.id == wanted.id]
        for one in meant or list(self._asked.values()):
            self._drop(one)
        if not meant and wanted.id is not None:
            self._out.put({"id": wanted.id, "stopped": True, "done": True})

    def _drop(self, one: Asked) -> None:
        """End a search: the client is told at once, and the thread ends as soon as it sees the signal."""
        self._close(one, {**one.search.result(), "stopped": True})
        if self._running is one:
            self._stop.set()

    # -- searching

    async def _work(self) -> None:
        while True:
            if self._next() is None:
                self._news.clear()
                await self._news.wait()
                continue
            try:
                place = await self._place()
            except TengenError as error:
                for one in list(self._asked.values()):
                    self._close(one, error_body(error))
                continue
            finally:
                self._waiting = None
            # While this waited, something else may have been asked, or nothing any more.
            asked = self._next()
            if asked is None:
                self._places.give(place)
            else:
                await self._search(asked, place)

    def _next(self) -> Asked | None:
        return min(self._asked.values(), key=lambda one: one.search.urgency, default=None)

    async def _place(self) -> Place:
        """A place to search in, once the engine is ready; who waits is told why.

        Raises:
            TengenError: there will be none.
        """
        if not self._warmup.ready:
            self._wait_for(Message("web.analyse.compiling"))
            await self._warmup.wait()
        if self._places.full:
            self._wait_for(Message("web.analyse.queue"))
        return await self._places.take()

    def _wait_for(self, why: Message) -> None:
        self._waiting = why
        for one in self._asked.values():
            self._tell_waiting(one)

    def _tell_waiting(self, one: Asked) -> None:
        if self._waiting is not None:
            self._out.put({"id": one.id, "waiting": self._waiting.to_dict(), "done": False}, one)

    async def _search(self, one: Asked, place: Place) -> None:
        """Run a search until it is finished or interrupted; in that case it is still asked for."""
        self._running, self._stop = one, threading.Event()
        work = partial(one.search.work, stop=self._stop, tell=self._hearer(one))
        future = self._places.run(place, work)
        try:
            await self._watch(one, future)
            if future.result():
                self._close(one, one.search.result())
        except TengenError as error:
            self._close(one, error_body(error))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            _log.exception("analysis_search_failed", exc_info=error)
            self._close(one, error_body(Message("error.web.bug")))
        finally:
            self._stop.set()
            self._running = None

    async def _watch(self, one: Asked, future: asyncio.Future[bool]) -> None:
        began = time.monotonic()
        while True:
            await asyncio.wait({future}, timeout=_TICK)
            if future.done():
                return
            seconds = time.monotonic() - began
            if one.search.interruptible and seconds >= SLICE and self._places.wanted:
                self._stop.set()
            if (said := one.search.ticking(seconds)) is not None:
                self._tell(one, said)

    def _hearer(self, one: Asked) -> Tell:
        """Takes what a search says, in its thread."""
        loop = asyncio.get_running_loop()

        def tell(said: Json) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._tell, one, said)

        return tell

    # -- what the client is told

    def _tell(self, one: Asked, said: Json) -> None:
        if self._asked.get(one.do) is one:
            # A verdict of a review is told in any case, other progress only while it is the newest.
            about = (one, said.get("ply"))
            self._out.put({"id": one.id, **said, "done": False}, about)

    def _close(self, one: Asked, said: Json) -> None:
        if self._asked.get(one.do) is one:
            del self._asked[one.do]
            self._out.put({"id": one.id, **said, "done": True})
