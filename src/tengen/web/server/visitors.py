"""Who asks: a visitor is a browser, known by the cookie that names it; and the address it comes from.

`VisitorGate` reads the cookie before anything else looks at a request. From then on a visitor is its id,
see `tengen.web.server.visitor_cookies`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.types import Scope

from tengen.web.server.visitor_cookies import CookieJar, new_secret, visitor_id

_SCOPE = "tengen.visitor"

_WITHOUT_VISITOR = ("/static/", "/assets/", "/words/", "/favicon.ico", "/robots.txt", "/healthz")
"""Paths of what is the same for everybody."""


@dataclass(slots=True)
class _Asking:
    """Who asks, in the scope of a request or a WebSocket.

    Attributes:
        id: the visitor's; None for somebody without a cookie.
        secret: in its cookie.
        sends: whether the answer sets the cookie.
    """

    id: str | None = None
    secret: str = ""
    sends: bool = False

    def name(self, secret: str) -> str:
        """Let it be the visitor of a secret."""
        self.secret, self.id = secret, visitor_id(secret)
        return self.id


class VisitorGate:
    """Where the cookies of requests are read, and those of answers are set.

    Args:
        jar: the server's cookies.
        knows_former: whether a visitor, by its id, had a cookie of the former kind. The second argument is
            whether the answer will replace it.
    """

    def __init__(self, jar: CookieJar, knows_former: Callable[[str, bool], Awaitable[bool]]) -> None:
        self._jar = jar
        self._knows_former = knows_former

    def identify(self, scope: Scope) -> None:
        """Write into a scope who asks, as far as the cookie's signature says."""
        asking = scope[_SCOPE] = _Asking()
        secret = self._jar.read(HTTPConnection(scope).cookies)
        if secret is not None:
            asking.name(secret)

    async def recognise(self, scope: Scope) -> None:
        """Recognise a visitor by a cookie of the former kind, where there is no other; it gets a new one.

        Raises:
            StoreError: the database does not answer.
        """
        asking: _Asking = scope[_SCOPE]
        if asking.id is not None or scope["path"].startswith(_WITHOUT_VISITOR):
            return
        secret = self._jar.read_former(HTTPConnection(scope).cookies)
        answers = scope["type"] == "http"
        if secret is not None and await self._knows_former(visitor_id(secret), answers):
            asking.name(secret)
            asking.sends = answers

    def address_hash(self, address: str) -> str:
        """What is kept of an address; see `CookieJar.address_hash`."""
        return self._jar.address_hash(address)

    def cookie_headers(self, scope: Scope) -> list[str]:
        """The values of ``Set-Cookie`` that an answer needs."""
        asking: _Asking | None = scope.get(_SCOPE)
        if asking is None or not asking.sends:
            return []
        return self._jar.headers(HTTPConnection(scope).cookies, asking.secret)


def visitor_of(connection: HTTPConnection) -> str | None:
    """The id of the visitor that a request or a WebSocket comes from; None for one without a cookie."""
    asking: _Asking | None = connection.scope.get(_SCOPE)
    return None if asking is None else asking.id


def visitor(connection: HTTPConnection) -> str:
    """The id of the browser that asks; one without a cookie gets one with the answer. A dependency."""
    asking: _Asking = connection.scope.setdefault(_SCOPE, _Asking())
    if asking.id is not None:
        return asking.id
    asking.sends = True
    return asking.name(new_secret())


def renew_visitor(connection: HTTPConnection) -> str:
    """The browser that asks, as `visitor`; its cookie lasts another year from now."""
    name = visitor(connection)
    connection.scope[_SCOPE].sends = True
    return name


def forget_visitor(connection: HTTPConnection) -> None:
    """Have the browser that asks forget its cookie with the answer."""
    asking: _Asking = connection.scope[_SCOPE]
    asking.secret, asking.sends = "", True


def address_of(connection: HTTPConnection) -> str:
    """The address a request or a WebSocket comes from; behind a proxy that we trust, the visitor's."""
    return connection.client.host if connection.client else ""
