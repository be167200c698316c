"""Who asks: a visitor is a browser, known by the cookie that names it; and the address it comes from."""

from __future__ import annotations

import re
import secrets

from starlette.requests import HTTPConnection

COOKIE = "tengen"
YEAR = 365 * 24 * 3600

_NAME = re.compile(r"[\w-]{22}", re.ASCII)
_NEW = "tengen.visitor"
"""Where a scope holds the name that its answer is to set as the cookie; empty to have it forgotten."""


def visitor_of(connection: HTTPConnection) -> str | None:
    """The visitor's name in the cookie of a request or a WebSocket; None if there is none of our form."""
    given = connection.cookies.get(COOKIE, "")
    return given if _NAME.fullmatch(given) else None


def visitor(connection: HTTPConnection) -> str:
    """The browser that asks, by its cookie; one without gets a cookie with the answer. A dependency."""
    return visitor_of(connection) or _new_visitor(connection)


def renew_visitor(connection: HTTPConnection) -> str:
    """The browser that asks, as `visitor`; its cookie lasts another year from now."""
    name = visitor(connection)
    connection.scope[_NEW] = name
    return name


def forget_visitor(connection: HTTPConnection) -> None:
    """Have the browser that asks forget its cookie with the answer."""
    connection.scope[_NEW] = ""


def _new_visitor(connection: HTTPConnection) -> str:
    made: str = connection.scope.setdefault(_NEW, secrets.token_urlsafe(16))
    return made


def cookie_header(connection: HTTPConnection, *, secure: bool) -> str | None:
    """The value of ``Set-Cookie`` that an answer needs; None if it needs none.

    Args:
        connection: what is answered.
        secure: whether the cookie travels through HTTPS only.
    """
    named = connection.scope.get(_NEW)
    if named is None:
        return None
    age = YEAR if named else 0
    parts = [f"{COOKIE}={named}", "Path=/", f"Max-Age={age}", "HttpOnly", "SameSite=Lax"]
    return "; ".join(parts + ["Secure"] * secure)


def address_of(connection: HTTPConnection) -> str:
    """The address a request or a WebSocket comes from; behind a proxy that we trust, the visitor's."""
    return connection.client.host if connection.client else ""
