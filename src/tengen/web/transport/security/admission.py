"""Admission of requests and WebSockets: blocked addresses, the host that is meant, the site they come from.

Only requests that name this server as their host are accepted, against DNS rebinding: a site whose own name
points at 127.0.0.1 is refused. Unsafe requests and WebSockets from pages of another site are refused too.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.web.transport.blocklist import Blocklist
from tengen.web.transport.errors import NotYourSeat, WebError
from tengen.web.transport.http_errors import refuse
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitors import address_in

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_NOT_ALLOWED = 1008


class AdmissionMiddleware:
    """ASGI middleware that refuses requests and WebSockets by where they come from; see the module.

    Args:
        app: the application.
        settings: the settings of the server.
        blocklist: the blocked addresses.
    """

    def __init__(self, app: ASGIApp, *, settings: ServerSettings, blocklist: Blocklist) -> None:
        self._app = app
        self._origin = settings.origin.lower()
        self._blocklist = blocklist
        self._hosts = _own_names(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a WebSocket on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except WebError as error:
            await refuse(error, scope, receive, send)
            return
        blocks = scope["type"] == "websocket" and self._blocklist
        await self._app(scope, self._checked(scope, receive, send) if blocks else receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if address_in(scope) in self._blocklist:
            raise NotYourSeat("error.web.blocked")
        if not self._is_own(host):
            raise NotYourSeat("error.web.host")
        unsafe = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if unsafe and not self._same_origin(headers, host):
            raise NotYourSeat("error.web.other_site")

    def _checked(self, scope: Scope, receive: Receive, send: Send) -> Receive:
        """Return a `receive` that disconnects a client whose address has been blocked meanwhile."""
        address = address_in(scope)

        async def checked() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and address in self._blocklist:
                await send({"type": "websocket.close", "code": _NOT_ALLOWED})
                return {"type": "websocket.disconnect", "code": _NOT_ALLOWED}
            return message

        return checked

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
        if self._origin and origin.lower() == self._origin:
            return True
        # The scheme is not compared: behind a proxy it may differ from the browser's.
        return origin.partition("://")[2].lower() == host.lower() != ""


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
