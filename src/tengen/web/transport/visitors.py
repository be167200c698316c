"""The visitor behind a request, a browser identified by its cookie, and the address of the request.

`VisitorMiddleware` reads the cookie before the application handles the request. From then on a visitor is
identified by its id (`tengen.web.transport.visitor_cookies`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tengen.web.transport.errors import WebError
from tengen.web.transport.http_errors import refuse
from tengen.web.transport.services import service_in
from tengen.web.transport.visitor_cookies import CookieJar, new_secret, visitor_id

_SCOPE = "tengen.visitor"

_WITHOUT_VISITOR = ("/static/", "/assets/", "/words/", "/favicon.ico", "/robots.txt", "/healthz")
"""Paths of content that is identical for all visitors."""


@dataclass(slots=True)
class _Identity:
    """The visitor in the scope of a request or a WebSocket.

    Attributes:
        id: the id of the visitor; None for a client without a cookie.
        secret: the secret in its cookie.
        sets_cookie: whether the response sets the cookie.
    """

    id: str | None = None
    secret: str = ""
    sets_cookie: bool = False

    def set_secret(self, secret: str) -> str:
        """Set the visitor by the secret in its cookie, and return the visitor's id."""
        self.secret, self.id = secret, visitor_id(secret)
        return self.id


@dataclass(frozen=True, slots=True)
class FormerVisitors:
    """The visitors who had unsigned cookies of earlier versions.

    Attributes:
        is_former: returns whether a visitor, given by its id, had such a cookie. The second argument is
            whether the response will replace it.
    """

    is_former: Callable[[str, bool], Awaitable[bool]]


class VisitorMiddleware:
    """ASGI middleware that identifies visitors by their cookies, and sets the cookies of responses.

    Args:
        app: the application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Write the visitor into a scope, if its cookie has a valid signature, and pass the scope on."""
        if scope["type"] == "lifespan":
            return self._app(scope, receive, send)
        jar = service_in(scope, CookieJar)
        cookies = HTTPConnection(scope).cookies
        identity = scope[_SCOPE] = _Identity()
        secret = jar.read(cookies)
        if secret is not None:
            identity.set_secret(secret)
        if scope["type"] == "websocket":
            return self._app(scope, receive, send)

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start" and identity.sets_cookie:
                headers = MutableHeaders(scope=message)
                for cookie in jar.headers(cookies, identity.secret):
                    headers.append("Set-Cookie", cookie)
            await send(message)

        return self._app(scope, receive, answering)


class FormerVisitorMiddleware:
    """ASGI middleware that recognises a visitor by an unsigned cookie of earlier versions.

    The response replaces that cookie. Limits come first, because the database is queried.

    Args:
        app: the application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Write the visitor into a scope, if the database has it, and pass the scope on."""
        secret = None
        if scope["type"] != "lifespan" and not scope["path"].startswith(_WITHOUT_VISITOR):
            connection = HTTPConnection(scope)
            if visitor_of(connection) is None:
                secret = service_in(scope, CookieJar).read_former(connection.cookies)
        if secret is None:
            return self._app(scope, receive, send)
        return self._recognise(secret, scope, receive, send)

    async def _recognise(self, secret: str, scope: Scope, receive: Receive, send: Send) -> None:
        identity: _Identity = scope[_SCOPE]
        replies = scope["type"] == "http"
        try:
            known = await service_in(scope, FormerVisitors).is_former(visitor_id(secret), replies)
        except WebError as error:
            await refuse(error, scope, receive, send)
            return
        if known:
            identity.set_secret(secret)
            identity.sets_cookie = replies
        await self._app(scope, receive, send)


def visitor_of(connection: HTTPConnection) -> str | None:
    """Return the id of the visitor of a request or a WebSocket; None without a cookie."""
    identity: _Identity | None = connection.scope.get(_SCOPE)
    return None if identity is None else identity.id


def visitor(connection: HTTPConnection) -> str:
    """Return the id of the visitor; a browser without a cookie gets one with the response. A dependency."""
    identity: _Identity = connection.scope.setdefault(_SCOPE, _Identity())
    if identity.id is not None:
        return identity.id
    identity.sets_cookie = True
    return identity.set_secret(new_secret())


def renew_visitor(connection: HTTPConnection) -> str:
    """Return the id of the visitor, as `visitor` does, and renew its cookie for a year."""
    name = visitor(connection)
    connection.scope[_SCOPE].sets_cookie = True
    return name


def forget_visitor(connection: HTTPConnection) -> None:
    """Delete the cookie of the browser with the response."""
    identity: _Identity = connection.scope[_SCOPE]
    identity.secret, identity.sets_cookie = "", True


def address_of(connection: HTTPConnection) -> str:
    """Return the client's address of a request or a WebSocket; behind a trusted proxy, the visitor's."""
    return address_in(connection.scope)


def address_in(scope: Scope) -> str:
    """Return the client's address in an ASGI scope; behind a trusted proxy, the visitor's."""
    client = scope.get("client")
    return str(client[0]) if client else ""
