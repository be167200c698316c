"""Cookies that name visitors: signed, read, replaced."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from tengen.web.games.tables import StoreError
from tengen.web.transport.visitor_cookies import CookieJar, new_secret, visitor_id
from tengen.web.transport.visitors import VisitorGate, forget_visitor, renew_visitor, visitor, visitor_of

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
    return {"type": kind, "path": path, "headers": [(b"cookie", cookie.encode())] if cookie else []}


def come(gate: VisitorGate, scope: dict[str, Any]) -> str | None:
    """The visitor that a request comes from."""
    gate.identify(scope)
    asyncio.run(gate.recognise(scope))
    return visitor_of(HTTPConnection(scope))


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


# -- the gate


def test_who_comes_without_a_cookie_gets_one_when_it_is_needed() -> None:
    gate, scope = VisitorGate(JAR, knows_nobody), scope_of()
    assert come(gate, scope) is None
    assert gate.cookie_headers(scope) == []
    name = visitor(HTTPConnection(scope))
    assert name == visitor(HTTPConnection(scope)) == visitor_of(HTTPConnection(scope))
    (header,) = gate.cookie_headers(scope)
    again = scope_of(header.partition(";")[0])
    assert come(gate, again) == name
    assert gate.cookie_headers(again) == []
    renew_visitor(HTTPConnection(again))
    assert gate.cookie_headers(again) == [header]


@pytest.mark.parametrize("jar", [JAR, HOST_JAR])
def test_an_old_cookie_that_is_known_is_replaced_by_one_for_the_same_visitor(jar: CookieJar) -> None:
    gate, scope = VisitorGate(jar, knows_all), scope_of(f"tengen={OLD}")
    assert come(gate, scope) == visitor_id(OLD)
    given, *gone = gate.cookie_headers(scope)
    assert jar.read(dict([given.partition(";")[0].split("=", 1)])) == OLD
    assert [header.startswith("tengen=;") for header in gone] == [True] * (jar is HOST_JAR)


@pytest.mark.parametrize("cookie", [f"tengen={OLD}", f"tengen={'x' * 23}", "tengen=", f"other={OLD}"])
def test_an_old_cookie_that_is_not_known_is_nobody(cookie: str) -> None:
    gate, scope = VisitorGate(JAR, knows_nobody), scope_of(cookie)
    assert come(gate, scope) is None
    assert visitor(HTTPConnection(scope)) != visitor_id(OLD)


def test_while_the_database_does_not_answer_nobody_loses_an_old_cookie() -> None:
    gate, scope = VisitorGate(JAR, is_down), scope_of(f"tengen={OLD}")
    gate.identify(scope)
    with pytest.raises(StoreError):
        asyncio.run(gate.recognise(scope))
    assert gate.cookie_headers(scope) == []
    # What is the same for everybody asks nobody.
    assert come(gate, scope_of(f"tengen={OLD}", "/static/shared/app.js")) is None


def test_through_a_websocket_an_old_cookie_is_read_and_not_replaced() -> None:
    asked = []

    async def knows(name: str, replaced: bool) -> bool:
        asked.append((name, replaced))
        return True

    scope = scope_of(f"tengen={OLD}", kind="websocket")
    assert come(VisitorGate(JAR, knows), scope) == visitor_id(OLD)
    assert asked == [(visitor_id(OLD), False)]


def test_who_is_forgotten_loses_the_cookie() -> None:
    gate, scope = VisitorGate(HOST_JAR, knows_all), scope_of(f"tengen={OLD}")
    come(gate, scope)
    forget_visitor(HTTPConnection(scope))
    for header, name in zip(gate.cookie_headers(scope), ("__Host-tengen", "tengen"), strict=True):
        assert header.startswith(f"{name}=; ")
        assert "Max-Age=0" in header
