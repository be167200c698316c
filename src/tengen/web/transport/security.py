"""The security middleware: hosts, origins, blocked addresses, cookies, sizes and headers.

`SecurityMiddleware` wraps the application. It accepts only requests that name this server as their host
(against DNS rebinding: a site whose own name points at 127.0.0.1 is refused), refuses requests from blocked
addresses, and refuses unsafe requests and WebSockets from pages of another site. It limits sizes, charges
and counts every request, and adds the Content-Security-Policy and related headers to every response. It
also handles WebSockets, so that it can close them all when the server stops.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
import time
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.web.transport.blocklist import Blocklist
from tengen.web.transport.http_errors import NotYourSeat, TooLarge, WebError, error_answer, unexpected
from tengen.web.transport.limits import Limits
from tengen.web.transport.logs import room_mark
from tengen.web.transport.metrics import Metrics
from tengen.web.transport.request_costs import charge_request, route_of
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitor_cookies import YEAR
from tengen.web.transport.visitors import VisitorGate, address_of, visitor_of

_SOURCES = {
    "default-src": ("'none'",),
    "script-src": ("'self'",),
    "style-src": ("'self'",),
    "img-src": ("'self'", "data:", "blob:"),
    "media-src": ("'self'", "data:", "blob:"),
    "font-src": ("'self'",),
    "connect-src": ("'self'",),
    "manifest-src": ("'self'",),
    "worker-src": ("'self'",),
    "base-uri": ("'none'",),
    "form-action": ("'self'",),
    "frame-ancestors": ("'none'",),
}
POLICY = "; ".join(" ".join((name, *sources)) for name, sources in _SOURCES.items())

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Anybody with the address of a room can watch it, so it must not be sent to other sites.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_ROOM = re.compile(r"(?<=/)[\w-]{22}(?=/|$)", re.ASCII)
_GOING_AWAY, _NOT_ALLOWED = 1001, 1008

_log = logging.getLogger("tengen.web.requests")


# -- WebSockets


class OpenSockets:
    """All open WebSockets of a server, so that each can be closed when it stops."""

    def __init__(self) -> None:
        self._open: dict[int, _OpenSocket] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, channel: _OpenSocket) -> None:
        """Add an opened WebSocket."""
        self._open[id(channel)] = channel

    def remove(self, channel: _OpenSocket) -> None:
        """Remove a closed WebSocket."""
        self._open.pop(id(channel), None)

    async def close(self) -> None:
        """Close all WebSockets with code 1001 (going away); nothing more is sent to them."""
        for channel in tuple(self._open.values()):
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

    async def go_away(self, code: int = _GOING_AWAY) -> None:
        if self._accepted and not self._closed:
            self._closed = True
            try:
                await self._send({"type": "websocket.close", "code": code})
            except (OSError, RuntimeError):
                _log.debug("socket_gone")


# -- the middleware


class SecurityMiddleware:
    """ASGI middleware that guards the application; see the module.

    Args:
        app: the application that it guards.
        settings: the settings of the server.
        limits: the limits of each address and visitor.
        sockets: the register of open WebSockets.
        metrics: the metrics that count requests and WebSockets.
        blocklist: the blocked addresses.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: ServerSettings,
        limits: Limits,
        sockets: OpenSockets,
        metrics: Metrics,
        blocklist: Blocklist,
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._blocklist = blocklist
        self._settings = settings
        self._limits = limits
        self._sockets = sockets
        self._hosts = _own_names(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a WebSocket on to the application, or refuse it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, began, began_answering = 500, time.perf_counter(), False
        route = route_of(scope)

        async def answering(message: Message) -> None:
            nonlocal status, began_answering
            if message["type"] == "http.response.start":
                began_answering = True
                status = message["status"]
                self._add_headers(scope, MutableHeaders(scope=message))
            await send(message)

        try:
            self._check(scope)
            gate = _gate(scope)
            gate.identify(scope)
            charge_request(self._limits, scope, route)
            await gate.recognise(scope)
            receive = self._measured(Headers(scope=scope), receive)
            await self._app(scope, receive, answering)
        except WebError as error:
            await error_answer(error)(scope, receive, answering)
        except Exception as error:
            answer = unexpected(error)
            if began_answering:
                raise
            await answer(scope, receive, answering)
        finally:
            seconds = time.perf_counter() - began
            self._metrics.request(route, scope["method"], status, seconds)
            if _log.isEnabledFor(logging.INFO):
                _log.info("request", extra=_described(scope, status, seconds))

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = _address(scope)
        try:
            self._check(scope)
            gate = _gate(scope)
            gate.identify(scope)
            await self._open_socket(gate, scope)
        except WebError as error:
            _log.info("socket_refused", extra={"reason": error.message.key})
            await receive()  # the request to connect
            await error_answer(error)(scope, receive, send)
            return
        route = route_of(scope) or ""
        self._metrics.socket(route, 1)
        channel = _OpenSocket(send)
        self._sockets.add(channel)
        began = time.perf_counter()
        _log.info("socket_opened", extra={"path": _path(scope), "address": address})
        try:
            await self._app(scope, self._slowed(receive, channel, address), channel.send)
        finally:
            self._metrics.socket(route, -1)
            seconds = round(time.perf_counter() - began, 1)
            _log.info("socket_closed", extra={"path": _path(scope), "seconds": seconds, "address": address})
            self._sockets.remove(channel)
            self._limits.close_socket(address)

    async def _open_socket(self, gate: VisitorGate, scope: Scope) -> None:
        """Count a WebSocket, and recognise its visitor.

        Raises:
            WebError: the WebSocket is refused, and not counted.
        """
        address = _address(scope)
        self._limits.open_socket(address, visitor_of(HTTPConnection(scope)))
        try:
            await gate.recognise(scope)
        except WebError:
            self._limits.close_socket(address)
            raise

    def _slowed(self, receive: Receive, channel: _OpenSocket, address: str) -> Receive:
        """Return a `receive` that is no faster than the address's limit; excess messages wait unread.

        A client whose address has been blocked meanwhile is disconnected.
        """

        async def slowed() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            if address in self._blocklist:
                await channel.go_away(_NOT_ALLOWED)
                return {"type": "websocket.disconnect", "code": _NOT_ALLOWED}
            if wait := self._limits.owe("flow", address):
                await asyncio.sleep(wait)
            return message

        return slowed

    # -- checks

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _address(scope) in self._blocklist:
            raise NotYourSeat("error.web.blocked")
        if not self._is_own(host):
            raise NotYourSeat("error.web.host")
        unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if unsafe and not self._same_origin(headers, host):
            raise NotYourSeat("error.web.other_site")

    def _is_own(self, host: str) -> bool:
        if self._hosts is None:
            return True
        name = _name_of(host)
        return name in self._hosts or _cannot_be_bought(name)

    def _same_origin(self, headers: Headers, host: str) -> bool:
        """Return whether a request comes from our own pages, or from a program, which sends no origin."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}
        if self._settings.origin and origin.lower() == self._settings.origin.lower():
            return True
        # The scheme is not compared: behind a proxy it may differ from the browser's.
        return origin.partition("://")[2].lower() == host.lower() != ""

    def _measured(self, headers: Headers, receive: Receive) -> Receive:
        """Return a `receive` that refuses a body over the size limit."""
        most = self._settings.max_body
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

    # -- response headers

    def _add_headers(self, scope: Scope, headers: MutableHeaders) -> None:
        for header, value in HEADERS.items():
            headers.setdefault(header, value)
        if self._settings.public:
            headers.setdefault("Strict-Transport-Security", f"max-age={YEAR}")
        if scope["path"].startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")
        for cookie in _gate(scope).cookie_headers(scope):
            headers.append("Set-Cookie", cookie)


def _own_names(settings: ServerSettings) -> frozenset[str] | None:
    """Return the host names of this server; None for any name."""
    if settings.public and not settings.origin:
        return None
    machine = socket.gethostname().lower()
    names = {"localhost", machine, f"{machine}.local", settings.host.lower()}
    if settings.origin:
        names.add(_name_of(urlsplit(settings.origin).netloc))
    return frozenset(names)


def _name_of(host: str) -> str:
    """Return a host without its port: ``[::1]:8000`` is ``::1``."""
    match = re.fullmatch(r"\[([^\]]*)\](?::\d*)?|([^:]*)(?::\d*)?", host.lower())
    return "" if match is None else match.group(1) or match.group(2) or ""


def _cannot_be_bought(name: str) -> bool:
    """Return whether a host is an IP address, a single word or below ``localhost``.

    No stranger can register such a name and point it at this server.
    """
    if re.fullmatch(r"[\w-]+|[\w.-]+\.localhost", name):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _gate(scope: Scope) -> VisitorGate:
    """Return the application's gate, which identifies visitors."""
    gate: VisitorGate = scope["app"].state.visitors
    return gate


def _address(scope: Scope) -> str:
    return address_of(HTTPConnection(scope))


def _described(scope: Scope, status: int, seconds: float) -> dict[str, Any]:
    """Return the log values of a request."""
    return {
        "method": scope["method"],
        "path": _path(scope),
        "status": status,
        "ms": round(seconds * 1000, 1),
        "address": _address(scope),
    }


def _path(scope: Scope) -> str:
    return _ROOM.sub(lambda match: room_mark(match[0]), scope["path"])
