"""The outcome of every request and WebSocket: a line in the log, metrics, an answer to unexpected errors.

Open WebSockets are counted here too, so that all can be closed when the server stops.
"""

from __future__ import annotations

import logging
import re
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.web.transport.http_errors import unexpected
from tengen.web.transport.logs import room_mark
from tengen.web.transport.metrics import Metrics
from tengen.web.transport.visitors import address_in

_ROOM = re.compile(r"(?<=/)[\w-]{22}(?=/|$)", re.ASCII)
_GOING_AWAY = 1001

_log = logging.getLogger("tengen.web.requests")


class OpenSockets:
    """All open WebSockets of a server, so that each can be closed when it stops."""

    def __init__(self) -> None:
        self._open: set[_OpenSocket] = set()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, channel: _OpenSocket) -> None:
        """Add an opened WebSocket."""
        self._open.add(channel)

    def remove(self, channel: _OpenSocket) -> None:
        """Remove a closed WebSocket."""
        self._open.discard(channel)

    async def close(self) -> None:
        """Close all WebSockets with code 1001 (going away); nothing more is sent to them."""
        for channel in tuple(self._open):
            await channel.go_away()


class _OpenSocket:
    """The sending side of one WebSocket."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._accepted = self._closed = False

    async def send(self, message: Message) -> None:
        if self._closed:
            # Starlette treats this as a client that has disconnected.
            raise OSError
        if message["type"] == "websocket.accept":
            self._accepted = True
        elif message["type"] == "websocket.close":
            self._closed = True
        await self._send(message)

    async def go_away(self) -> None:
        if self._accepted and not self._closed:
            self._closed = True
            try:
                await self._send({"type": "websocket.close", "code": _GOING_AWAY})
            except (OSError, RuntimeError):
                _log.debug("socket_gone")


class MonitoringMiddleware:
    """ASGI middleware that logs and counts requests and WebSockets; see the module.

    Args:
        app: the application.
        metrics: the metrics that count them.
        sockets: the register of open WebSockets.
    """

    def __init__(self, app: ASGIApp, *, metrics: Metrics, sockets: OpenSockets) -> None:
        self._app = app
        self._metrics = metrics
        self._sockets = sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a WebSocket on, and record how it ended."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, began = 0, time.perf_counter()

        async def answering(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, answering)
        except Exception as error:
            answer = unexpected(error)
            if status:
                raise
            await answer(scope, receive, answering)
        finally:
            seconds = time.perf_counter() - began
            route = None if status == 405 else _route(scope)
            self._metrics.request(route, scope["method"], status or 500, seconds)
            if _log.isEnabledFor(logging.INFO):
                values = {"status": status or 500, "ms": round(seconds * 1000, 1)}
                _log.info("request", extra={"method": scope["method"], **_described(scope), **values})

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        channel, began, opened = _OpenSocket(send), time.perf_counter(), False

        async def answering(message: Message) -> None:
            nonlocal opened
            if message["type"] == "websocket.accept":
                opened = True
                self._sockets.add(channel)
                self._metrics.socket(_route(scope) or "", 1)
                _log.info("socket_opened", extra=_described(scope))
            await channel.send(message)

        try:
            await self._app(scope, receive, answering)
        finally:
            if opened:
                self._sockets.remove(channel)
                self._metrics.socket(_route(scope) or "", -1)
                seconds = round(time.perf_counter() - began, 1)
                _log.info("socket_closed", extra={**_described(scope), "seconds": seconds})


def _route(scope: Scope) -> str | None:
    """Return the path of the route that the application has found; None without a route."""
    path: str | None = getattr(scope.get("route"), "path", None)
    return path


def _described(scope: Scope) -> dict[str, str]:
    """Return the log values of a request or a WebSocket; the address of a room is a secret."""
    path = _ROOM.sub(lambda match: room_mark(match[0]), scope["path"])
    return {"path": path, "address": address_in(scope)}
