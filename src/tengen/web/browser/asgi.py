"""Requests and sockets of a page, passed to an ASGI application and answered by messages.

The messages are those of `web/static/browser/app_worker.js`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeAlias
from urllib.parse import unquote

from starlette.types import ASGIApp, Message, Scope

Post: TypeAlias = Callable[[dict[str, Any]], None]
"""Sends a message to the page."""

_HOST = "localhost"
_ABNORMAL = 1006
"""The code of a connection that has ended without a word."""

_log = logging.getLogger("tengen.web")


class Gateway:
    """Passes what a page asks to an application.

    Args:
        app: the application.
        post: sends a message to the page.
        headers: added to each request.
    """

    def __init__(self, app: ASGIApp, post: Post, headers: Mapping[str, str]) -> None:
        self._app = app
        self._post = post
        self._headers = dict(headers)
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._incoming: dict[int, asyncio.Queue[Message]] = {}

    def request(self, number: int, method: str, path: str, headers: Mapping[str, str], body: bytes) -> None:
        """Answer a request by a message ``response``."""
        scope = {**self._scope("http", path, headers), "method": method.upper()}
        self._begin(number, self._respond(number, scope, body))

    def abort(self, number: int) -> None:
        """Give up a request, as if its client had disconnected."""
        self._receive(number, {"type": "http.disconnect"})

    def open(self, number: int, path: str) -> None:
        """Open a socket; answered by ``opened``, by each ``message``, and at the end by ``closed``."""
        self._begin(number, self._converse(number, self._scope("websocket", path, {})))
        self._receive(number, {"type": "websocket.connect"})

    def message(self, number: int, text: str) -> None:
        """Pass on a message through a socket."""
        self._receive(number, {"type": "websocket.receive", "text": text})

    def close(self, number: int) -> None:
        """Close a socket."""
        self._receive(number, {"type": "websocket.disconnect", "code": 1000})

    def _scope(self, kind: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
        plain, _, query = path.partition("?")
        given = {"host": _HOST, **{name.lower(): value for name, value in headers.items()}, **self._headers}
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": unquote(plain),
            "raw_path": plain.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 0),
            "server": (_HOST, 80),
            "subprotocols": [],
        }

    def _begin(self, number: int, work: Any) -> None:
        self._incoming[number] = asyncio.Queue()
        task = self._tasks[number] = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(lambda _: self._end(number))

    def _end(self, number: int) -> None:
        del self._tasks[number], self._incoming[number]

    def _receive(self, number: int, message: Message) -> None:
        if number in self._incoming:
            self._incoming[number].put_nowait(message)

    async def _respond(self, number: int, scope: Scope, body: bytes) -> None:
        start: Message = {"status": 500, "headers": []}
        parts: list[bytes] = []
        self._receive(number, {"type": "http.request", "body": body, "more_body": False})

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                parts.append(message.get("body", b""))

        # An unexpected exception is passed on once it has been logged and answered.
        with suppress(Exception):
            await self._app(scope, self._incoming[number].get, send)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
        self._post(
            {
                "kind": "response",
                "id": number,
                "status": start["status"],
                "headers": headers,
                "body": b"".join(parts),
            }
        )

    async def _converse(self, number: int, scope: Scope) -> None:
        code = _ABNORMAL

        async def send(message: Message) -> None:
            nonlocal code
            if message["type"] == "websocket.accept":
                self._post({"kind": "opened", "id": number})
            elif message["type"] == "websocket.send":
                self._post({"kind": "message", "id": number, "text": message.get("text") or ""})
            elif message["type"] == "websocket.close":
                code = message.get("code", 1000)
                self._receive(number, {"type": "websocket.disconnect", "code": code})

        try:
            await self._app(scope, self._incoming[number].get, send)
        except Exception:
            _log.exception("socket_failed")
        self._post({"kind": "closed", "id": number, "code": code})
