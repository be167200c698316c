"""What each request and each message costs: all of them have their line in the table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tengen.web.app import create_app
from tengen.web.games.client_messages import ClientMessage, HelloMessage
from tengen.web.study.analysis_requests import AnyRequest
from tengen.web.transport.limits import OFF, QUOTAS, Kind, Quota, Rate
from tengen.web.transport.request_costs import (
    ANALYSIS,
    GAME_LIVE,
    LOBBY_LIVE,
    MESSAGES,
    ROUTES,
    TOURNAMENT_LIVE,
    route_of,
)
from tengen.web.transport.settings import ServerSettings
from tests.web.clients import new_cookie
from tests.web.serving import Server, serve

TABLE = "src/tengen/web/transport/request_costs.py"

SENT: dict[str, tuple[type, ...]] = {
    GAME_LIVE: (HelloMessage, *get_args(get_args(ClientMessage)[0])),
    ANALYSIS: get_args(AnyRequest),
    LOBBY_LIVE: (),
    TOURNAMENT_LIVE: (),
}
"""The models of what clients send through each WebSocket."""

FREE_FOR_VISITORS = {"page", "flow"}
"""What an address alone is limited in: files, which browsers ask for often and cost little, and pace."""


def lines(routes: Iterable[Any]) -> Iterator[str]:
    """The routes of an application as the table has them."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from lines(inner.routes)
            continue
        methods = set(getattr(route, "methods", None) or {"WS"}) - {"HEAD", "OPTIONS"}
        yield from (f"{method} {route.path}" for method in methods)


def kinds(model: Any) -> tuple[str, ...]:
    """What a message of a model may be called, by its field ``type`` or ``do``."""
    field = model.model_fields.get("type") or model.model_fields["do"]
    named: tuple[str, ...] = get_args(field.annotation)
    return named


def test_every_route_has_its_costs(tmp_path):
    found = set(lines(create_app(ServerSettings(data=tmp_path)).routes))
    missing = sorted(found - ROUTES.keys())
    assert not missing, f'add to ROUTES in {TABLE}, such as "{missing[0]}": ("request", "create")'
    gone = sorted(ROUTES.keys() - found)
    assert not gone, f"there are no such routes: take them out of ROUTES in {TABLE}"


def test_every_message_has_its_costs():
    sockets = {line.removeprefix("WS ") for line in ROUTES if line.startswith("WS ")}
    assert sockets == MESSAGES.keys(), f"MESSAGES in {TABLE} needs the messages of each WebSocket"
    assert sockets == SENT.keys(), "SENT in this test needs the models of each WebSocket's messages"
    for socket, models in SENT.items():
        found = {kind for model in models for kind in kinds(model)}
        missing = sorted(found - MESSAGES[socket].keys())
        assert not missing, f"add to the messages of {socket} in {TABLE}: {missing}"
        gone = sorted(MESSAGES[socket].keys() - found)
        assert not gone, f"there are no such messages of {socket}: {gone}"


def test_all_that_costs_has_a_quota_and_one_of_each_visitor():
    costs: set[Kind] = {kind for line in ROUTES.values() for kind in line}
    costs |= {kind for table in MESSAGES.values() for line in table.values() for kind in line}
    assert costs | {"flow"} == QUOTAS.keys() == set(get_args(Kind))
    assert [kind for kind in costs - FREE_FOR_VISITORS if QUOTAS[kind].visitor is None] == []
    assert OFF.keys() <= costs


def test_what_changes_something_is_never_free():
    assert [line for line, costs in ROUTES.items() if not costs] == ["GET /healthz", "GET /metrics"]


@pytest.mark.parametrize(
    ("method", "path", "route"),
    [
        ("GET", "/", "/"),
        ("HEAD", "/", "/"),
        ("GET", "/static/shared/app.js", "/static/{name:path}"),
        ("POST", "/api/games", "/api/games"),
        ("GET", "/api/games/abc", "/api/games/{game}"),
        ("POST", "/api/games/abc/again", "/api/games/{game}/again"),
        ("WS", "/api/games/abc/live", GAME_LIVE),
        ("GET", "/api/nothing", None),
        ("PUT", "/api/games", None),
    ],
)
def test_a_route_is_found_by_its_path(method, path, route):
    kind = "websocket" if method == "WS" else "http"
    assert route_of({"type": kind, "method": method, "path": path}) == route


# -- taken for real


@pytest.fixture
def public() -> Iterator[Server]:
    with serve(public=True, origin="http://127.0.0.1") as server:
        yield server


@pytest.fixture
def cookie(public: Server) -> str:
    return new_cookie(public.url)


def visitor(server: Server, cookie: str, address: str = "203.0.113.1") -> httpx.Client:
    headers = {"Cookie": cookie, "X-Forwarded-For": address}
    return httpx.Client(base_url=server.url, headers=headers)


@pytest.mark.parametrize(
    ("kind", "method", "path", "body"),
    [
        ("request", "GET", "/api/server", None),
        ("create", "POST", "/api/games", {}),
        ("create", "POST", "/api/challenges", {}),
        ("create", "POST", "/api/challenges/nothing/accept", None),
        ("create", "POST", "/api/tournaments", {"name": "Cup"}),
        ("create", "POST", "/api/tournaments/nothing/computers", {"player": "lines"}),
        ("create", "POST", "/api/tournaments/nothing/join", {"name": "Anna"}),
        ("create", "POST", "/api/tournaments/nothing/start", None),
        ("create", "POST", "/api/games/nothing/again", None),
        ("create", "POST", "/api/games/nothing/actions", {"type": "again"}),
        ("phrase", "POST", "/api/games/nothing/actions", {"type": "say", "phrase": "hello"}),
        ("message", "POST", "/api/games/nothing/moves", {"point": "h8", "ply": 0}),
        ("name", "POST", "/api/visitor", {"name": "Anna"}),
        ("name", "POST", "/api/tournaments/nothing/join", {"name": "Anna"}),
        ("heavy", "POST", "/api/picture", {"moves": "h8"}),
        ("heavy", "POST", "/api/import", {"text": "h8"}),
        ("heavy", "GET", "/api/games/nothing/record", None),
    ],
)
def test_a_visitor_pays_wherever_it_comes_from_and_is_told_when_to_come_again(
    public, cookie, monkeypatch, kind, method, path, body
):
    monkeypatch.setitem(QUOTAS, kind, Quota(Rate(100, 100), Rate(2, 0.01)))
    statuses = []
    for number in range(3):
        with visitor(public, cookie, f"203.0.113.{number}") as one:
            answer = one.request(method, path, json=body)
            statuses.append(answer.status_code)
    assert statuses[:2] == [statuses[0]] * 2
    assert statuses[0] != 429
    assert statuses[2] == 429
    said = answer.json()
    seconds = said["error"]["values"]["seconds"]
    assert 0 < seconds <= 100
    assert answer.headers["retry-after"] == str(seconds)
    assert f"{seconds} second" in said["text"]


def test_messages_are_paid_for_and_refused_with_the_seconds(public, cookie, monkeypatch):
    monkeypatch.setitem(QUOTAS, "create", Quota(Rate(100, 1), Rate(1, 0.01)))
    with visitor(public, cookie) as one:
        game = one.post("/api/games", json={}).json()["id"]
        headers = dict(one.headers)
    url = f"{public.ws}/api/games/{game}/live"
    sent = {name: headers[name] for name in ("cookie", "x-forwarded-for")}
    with connect(url, additional_headers=sent) as socket:
        socket.send(json.dumps({"type": "hello", "tokens": []}))
        socket.send(json.dumps({"type": "again", "id": 1}))
        while (told := json.loads(socket.recv(60)))["type"] != "refused":
            pass
    assert told["error"]["key"] == "error.web.too_many"
    assert 0 < told["error"]["values"]["seconds"] <= 100


def test_a_message_of_an_unknown_kind_costs_too(public, cookie, monkeypatch):
    monkeypatch.setitem(QUOTAS, "message", Quota(Rate(100, 1), Rate(1, 0.01)))
    headers = {"Cookie": cookie}
    with connect(f"{public.ws}/api/analysis", additional_headers=headers) as socket:
        keys = []
        for _ in range(2):
            socket.send(json.dumps({"id": 1, "do": ["what"]}))
            keys.append(json.loads(socket.recv(60))["error"]["key"])
    assert keys[0] != "error.web.too_many"
    assert keys[1] == "error.web.too_many"


def test_a_websocket_that_is_one_too_many_is_answered_with_the_seconds(public, monkeypatch):
    monkeypatch.setitem(QUOTAS, "socket", Quota(Rate(1, 0.01)))
    with connect(f"{public.ws}/api/analysis"), pytest.raises(InvalidStatus) as refused:
        connect(f"{public.ws}/api/analysis")
    assert refused.value.response.status_code == 429
    assert 0 < int(refused.value.response.headers["Retry-After"]) <= 100
