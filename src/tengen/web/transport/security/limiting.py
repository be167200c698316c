"""Limits on every request and WebSocket: its cost, its size, and the pace of messages.

A request costs a ``request`` of the API, or a ``page``; a route that costs more says so itself, by
`tengen.web.transport.limits.costs`. Monitoring is free. Costs are charged before the work begins.
"""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.web.transport.errors import TooLarge, WebError
from tengen.web.transport.http_errors import refuse
from tengen.web.transport.limits import Kind, Limits, spend
from tengen.web.transport.visitors import address_in, visitor_of

FREE = frozenset({"/healthz", "/metrics"})
"""The paths that cost nothing, for monitoring."""


class LimitingMiddleware:
    """ASGI middleware that charges requests and WebSockets, and limits their sizes; see the module.

    Args:
        app: the application.
        limits: the limits of each address and visitor.
        max_body: the most bytes of a request.
    """

    def __init__(self, app: ASGIApp, *, limits: Limits, max_body: int) -> None:
        self._app = app
        self._limits = limits
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a WebSocket on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        address = address_in(scope)
        is_socket = scope["type"] == "websocket"
        try:
            if is_socket:
                self._limits.open_socket(address, visitor_of(HTTPConnection(scope)))
                receive = self._slowed(receive, address)
            else:
                if scope["path"] not in FREE:
                    kind: Kind = "request" if scope["path"].startswith("/api/") else "page"
                    spend(HTTPConnection(scope), kind)
                receive = self._measured(Headers(scope=scope), receive)
        except WebError as error:
            await refuse(error, scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            if is_socket:
                self._limits.close_socket(address)

    def _slowed(self, receive: Receive, address: str) -> Receive:
        """Return a `receive` that is no faster than the address's limit; excess messages wait unread."""

        async def slowed() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and (wait := self._limits.debit("flow", address)):
                await asyncio.sleep(wait)
            return message

        return slowed

    def _measured(self, headers: Headers, receive: Receive) -> Receive:
        """Return a `receive` that refuses a body over the size limit.

        Raises:
            TooLarge: the body is declared to be over the limit.
        """
        most = self._max_body
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > most:
            raise TooLarge("error.web.large")
        so_far = 0

        async def measured() -> Message:
            nonlocal so_far
            message = await receive()
            so_far += len(message.get("body", b""))
            if so_far > most:
                raise HTTPException(413)
            return message

        return measured
