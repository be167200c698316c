"""What requests and messages cost, as their routes declare it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tengen.web.app import create_app
from tengen.web.transport.limits import OFF, QUOTAS, Costs, Kind, Quota, Rate
from tengen.web.transport.settings import ServerSettings
from tests.web.clients import new_cookie
from tests.web.serving import Server, serve

FREE_FOR_VISITORS = {"page", "flow"}
"""What an address alone is limited in: files, which browsers ask for often and cost little, and pace."""

PLAIN = {
    "DELETE /api/challenges",
    "DELETE /api/games/{game}",
    "POST /api/explain",
    "POST /api/games/{game}/actions",
    "POST /api/games/{game}/join",
    "POST /api/position",
    "POST /api/tournaments/{tournament}/withdraw",
}
"""The routes that change or compute something and cost no more than a request, apart from thinking and from
the costs of the message that one of them takes."""


def routes(found: Iterable[Any]) -> Iterator[tuple[str, tuple[Kind, ...]]]:
    """The routes of an application for requests, each with the costs that it declares."""
    for route in found:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from routes(inner.routes)
            continue
        declared = [one.dependency for one in getattr(route, "dependencies", ())]
        kinds = tuple(kind for one in declared if isinstance(one, Costs) for kind in one.kinds)
        for method in set(getattr(route, "methods", None) or ()) - {"HEAD", "OPTIONS"}:
            yield f"{method} {route.path}", kinds


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Kind, ...]]:
    return dict(routes(create_app(ServerSettings(data=tmp_path_factory.mktemp("data"))).routes))


def test_what_changes_something_costs_more_than_a_request(declared):
    changing = {name for name in declared if not name.startswith("GET ")}
    assert {name for name in changing if not declared[name]} == PLAIN, (
        "declare its costs: dependencies=[costs(...)]"
    )


def test_files_and_pictures_are_heavy(declared):
    heavy = {name for name, kinds in declared.items() if "heavy" in kinds}
    assert heavy >= {"GET /api/games/{game}/record", "GET /api/qr", "POST /api/export", "POST /api/import"}


def test_all_that_costs_has_a_quota_and_one_of_each_visitor(declared):
    assert QUOTAS.keys() == set(get_args(Kind))
    assert {kind for kinds in declared.values() for kind in kinds} <= QUOTAS.keys()
    assert {kind for kind, quota in QUOTAS.items() if quota.visitor is None} == FREE_FOR_VISITORS
    assert OFF.keys() <= QUOTAS.keys()


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
        ("request", "GET", "/api/nothing", None),
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
        ("heavy", "POST", "/api/animation", {"moves": "h8"}),
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


@pytest.mark.parametrize("path", ["/healthz", "/metrics"])
def test_monitoring_is_free(public, monkeypatch, path):
    for kind in ("request", "page"):
        monkeypatch.setitem(QUOTAS, kind, Quota(Rate(1, 0.01)))
    assert 429 not in [httpx.get(public.url + path).status_code for _ in range(3)]


def test_a_path_without_a_page_costs_a_page(public, monkeypatch):
    monkeypatch.setitem(QUOTAS, "page", Quota(Rate(1, 0.01)))
    assert [httpx.get(f"{public.url}/nothing").status_code for _ in range(2)] == [404, 429]
