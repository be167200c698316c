"""The visitor behind a request, a browser identified by its cookie, and the address of the request.

`VisitorGate` reads the cookie before any other code handles the request. From then on a visitor is
identified by its id (`tengen.web.transport.visitor_cookies`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.types import Scope

from tengen.web.transport.visitor_cookies import CookieJar, new_secret, visitor_id

_SCOPE = "tengen.visitor"

_WITHOUT_VISITOR = ("/static/", "/assets/", "/words/", "/favicon.ico", "/robots.txt", "/healthz")
"""Paths of content that is identical for all visitors."""


@dataclass(slots=True)
class _Asking:
    """The visitor in the scope of a request or a WebSocket.

    Attributes:
        id: the id of the visitor; None for a client without a cookie.
        secret: the secret in its cookie.
        sends: whether the response sets the cookie.
    """

    id: str | None = None
    secret: str = ""
    sends: bool = False

    def name(self, secret: str) -> str:
        """Set the visitor by the secret in its cookie, and return the visitor's id."""
        self.secret, self.id = secret, visitor_id(secret)
        return self.id


class VisitorGate:
    """A gate that reads the cookies of requests and sets those of responses.

    Args:
        jar: the cookies of the server.
        knows_former: returns whether a visitor, given by its id, had an unsigned cookie of earlier
            versions. The second argument is whether the response will replace that cookie.
    """

    def __init__(self, jar: CookieJar, knows_former: Callable[[str, bool], Awaitable[bool]]) -> None:
        self._jar = jar
        self._knows_former = knows_former

    def identify(self, scope: Scope) -> None:
        """Write the visitor into a scope, if its cookie has a valid signature."""
        asking = scope[_SCOPE] = _Asking()
        secret = self._jar.read(HTTPConnection(scope).cookies)
        if secret is not None:
            asking.name(secret)

    async def recognise(self, scope: Scope) -> None:
        """Recognise a visitor by an unsigned cookie of earlier versions, if it has no other.

        The response replaces that cookie.

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
        """Return the hash that is stored for an address; see `CookieJar.address_hash`."""
        return self._jar.address_hash(address)

    def cookie_headers(self, scope: Scope) -> list[str]:
        """Return the values of ``Set-Cookie`` for a response."""
        asking: _Asking | None = scope.get(_SCOPE)
        if asking is None or not asking.sends:
            return []
        return self._jar.headers(HTTPConnection(scope).cookies, asking.secret)


def visitor_of(connection: HTTPConnection) -> str | None:
    """Return the id of the visitor of a request or a WebSocket; None without a cookie."""
    asking: _Asking | None = connection.scope.get(_SCOPE)
    return None if asking is None else asking.id


def visitor(connection: HTTPConnection) -> str:
    """Return the id of the visitor; a browser without a cookie gets one with the response. A dependency."""
    asking: _Asking = connection.scope.setdefault(_SCOPE, _Asking())
    if asking.id is not None:
        return asking.id
    asking.sends = True
    return asking.name(new_secret())


def renew_visitor(connection: HTTPConnection) -> str:
    """Return the id of the visitor, as `visitor` does, and renew its cookie for a year."""
    name = visitor(connection)
    connection.scope[_SCOPE].sends = True
    return name


def forget_visitor(connection: HTTPConnection) -> None:
    """Delete the cookie of the browser with the response."""
    asking: _Asking = connection.scope[_SCOPE]
    asking.secret, asking.sends = "", True


def address_of(connection: HTTPConnection) -> str:
    """Return the client's address of a request or a WebSocket; behind a trusted proxy, the visitor's."""
    return connection.client.host if connection.client else ""
