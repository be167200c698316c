"""Cookies that name visitors: signed, read, replaced."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tengen.web.database.tables import StoreError
from tengen.web.transport.services import Services
from tengen.web.transport.visitor_cookies import CookieJar, new_secret, visitor_id
from tengen.web.transport.visitors import (
    FormerVisitorMiddleware,
    FormerVisitors,
    VisitorMiddleware,
    forget_visitor,
    renew_visitor,
    visitor,
    visitor_of,
)

JAR = CookieJar(b"k" * 32, secure=False)
HOST_JAR = CookieJar(b"k" * 32, secure=True)
OLD = "o" * 22


async def knows_all(_visitor: str, _replaced: bool) -> bool:
    return True


async def knows_nobody(_visitor: str, _replaced: bool) -> bool:
    return False


async def is_down(_visitor: str, _replaced: bool) -> bool:
    raise StoreError("error.web.store")


def scope_of(cookie: str = "", path: str = "/", kind: str = "http") -> dict[str, Any]:
    return {
        "type": kind,
        "method": "GET",
        "path": path,
        "headers": [(b"cookie", cookie.encode())] if cookie else [],
    }


def come(
    scope: dict[str, Any],
    knows: Callable[[str, bool], Awaitable[bool]],
    jar: CookieJar = JAR,
    then: Callable[[HTTPConnection], object] = visitor_of,
) -> tuple[object, list[str]]:
    """What `then` returns for a request that is let in, and the cookies that are set."""
    found: list[object] = []
    sent: list[Any] = []

    async def app(inner: Scope, receive: Receive, send: Send) -> None:
        found.append(then(HTTPConnection(inner)))
        if inner["type"] == "http":
            await Response()(inner, receive, send)

    async def receive() -> Any:
        return {}

    async def send(message: Any) -> None:
        sent.append(message)

    services = Services()
    services[CookieJar] = jar
    services[FormerVisitors] = FormerVisitors(knows)
    scope["app"] = SimpleNamespace(state=SimpleNamespace(services=services))

    async def let_in() -> None:
        await VisitorMiddleware(FormerVisitorMiddleware(app))(scope, receive, send)

    asyncio.run(let_in())
    headers = [header for message in sent for header in message.get("headers", ())]
    return found[0] if found else None, [value.decode() for name, value in headers if name == b"set-cookie"]


def test_a_signed_secret_is_read_and_the_same_everywhere() -> None:
    secret = new_secret()
    given = {JAR.name: JAR.value(secret)}
    assert re.fullmatch(r"[\w-]{22}\.[\w-]{22}", given[JAR.name])
    assert JAR.read(given) == CookieJar(b"k" * 32, secure=False).read(given) == secret
    assert CookieJar(b"x" * 32, secure=False).read(given) is None
    assert re.fullmatch("[0-9a-f]{32}", visitor_id(secret))


@given(st.text(max_size=60))
def test_no_other_text_is_a_cookie(text: str) -> None:
    assert JAR.read({JAR.name: text}) is None
    signed = JAR.value(OLD)
    assert JAR.read({JAR.name: text + signed}) is None or not text
    assert JAR.read({JAR.name: signed + text}) is None or not text


def test_over_https_only_the_name_that_no_other_host_can_set_counts() -> None:
    secret = new_secret()
    assert HOST_JAR.read({"tengen": HOST_JAR.value(secret)}) is None
    assert HOST_JAR.read({"__Host-tengen": HOST_JAR.value(secret)}) == secret
    (given,) = HOST_JAR.headers({}, secret)
    parts = given.split("; ")
    assert parts[0].startswith("__Host-tengen=")
    assert {"Path=/", "Secure", "HttpOnly", "SameSite=Lax"} <= set(parts)
    assert not any(part.startswith("Domain") for part in parts)


def test_addresses_are_hashed_with_the_key() -> None:
    one = JAR.address_hash("203.0.113.1")
    assert one == JAR.address_hash("203.0.113.1") != JAR.address_hash("203.0.113.2")
    assert one != CookieJar(b"x" * 32, secure=False).address_hash("203.0.113.1")


# -- the middlewares


def test_who_comes_without_a_cookie_gets_one_when_it_is_needed() -> None:
    assert come(scope_of(), knows_nobody) == (None, [])

    def named(connection: HTTPConnection) -> str:
        name = visitor(connection)
        assert name == visitor(connection) == visitor_of(connection)
        return name

    name, (header,) = come(scope_of(), knows_nobody, then=named)
    cookie = header.partition(";")[0]
    assert come(scope_of(cookie), knows_nobody) == (name, [])
    assert come(scope_of(cookie), knows_nobody, then=renew_visitor) == (name, [header])


@pytest.mark.parametrize("jar", [JAR, HOST_JAR])
def test_an_old_cookie_that_is_known_is_replaced_by_one_for_the_same_visitor(jar: CookieJar) -> None:
    name, (given, *gone) = come(scope_of(f"tengen={OLD}"), knows_all, jar)
    assert name == visitor_id(OLD)
    assert jar.read(dict([given.partition(";")[0].split("=", 1)])) == OLD
    assert [header.startswith("tengen=;") for header in gone] == [True] * (jar is HOST_JAR)


@pytest.mark.parametrize("cookie", [f"tengen={OLD}", f"tengen={'x' * 23}", "tengen=", f"other={OLD}"])
def test_an_old_cookie_that_is_not_known_is_nobody(cookie: str) -> None:
    assert come(scope_of(cookie), knows_nobody) == (None, [])
    assert come(scope_of(cookie), knows_nobody, then=visitor)[0] != visitor_id(OLD)


def test_while_the_database_does_not_answer_nobody_loses_an_old_cookie() -> None:
    def in_vain(_: HTTPConnection) -> object:
        raise AssertionError

    assert come(scope_of(f"tengen={OLD}"), is_down, then=in_vain) == (None, [])
    # What is the same for everybody asks nobody.
    assert come(scope_of(f"tengen={OLD}", "/static/shared/app.js"), is_down) == (None, [])


def test_through_a_websocket_an_old_cookie_is_read_and_not_replaced() -> None:
    asked = []

    async def knows(name: str, replaced: bool) -> bool:
        asked.append((name, replaced))
        return True

    assert come(scope_of(f"tengen={OLD}", kind="websocket"), knows) == (visitor_id(OLD), [])
    assert asked == [(visitor_id(OLD), False)]


def test_who_is_forgotten_loses_the_cookie() -> None:
    _, headers = come(scope_of(f"tengen={OLD}"), knows_all, HOST_JAR, then=forget_visitor)
    for header, name in zip(headers, ("__Host-tengen", "tengen"), strict=True):
        assert header.startswith(f"{name}=; ")
        assert "Max-Age=0" in header
