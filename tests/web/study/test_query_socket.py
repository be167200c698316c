"""Queries through a real server's WebSocket: what the command answers, taking turns, and quotas."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tengen import Engine
from tengen.protocol.json_analysis import Analyst
from tengen.web.study import query_socket, search_connection
from tengen.web.transport.limits import QUOTAS, Quota, Rate
from tests.console import until
from tests.web.serving import Server, serve
from tests.web.study.sockets import SocketClient, workers

pytestmark = [pytest.mark.usefixtures("compiled"), pytest.mark.long]

MIDGAME = "h8i9g7f6h10i8"
OPEN = "h8i9"
"""A position in which no win is found for a long time."""

WIN = "h8a1i8a3j8a5"


class Client(SocketClient):
    """The other end of a WebSocket of queries."""

    def ask(self, **query: Any) -> dict[str, Any]:
        """The last answer to a query."""
        self.send(**query)
        while (told := self.hear()).get("final") is False:
            assert told["id"] == query["id"]
        return told


def opened(site: Server, path: str = "/api/queries", **headers: str) -> AbstractContextManager[Client]:
    return Client.opened(site, path, **headers)


def measured(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what depends on the clock."""
    for info in answer.get("infos", ()):
        for name in ("nps", "seconds", "nodes"):
            del info[name]
    if "win" in answer:
        del answer["win"]["seconds"]
    return answer


QUERIES: list[dict[str, Any]] = [
    {"moves": MIDGAME, "rules": "renju", "depth": 6, "lines": 3, "policy": True, "heat": True},
    {"moves": WIN, "avoid": "g8", "threats": True, "win": "vcf", "depth": 3},
    {"moves": WIN, "allow": "a15o1", "lines": 2, "depth": 3},
    {
        "setup": {"black": ["h8"], "white": ["i9"], "turn": "black"},
        "moves": "g7",
        "turns": "all",
        "depth": 2,
    },
    {"moves": "h8h8"},
    {"moves": MIDGAME, "turns": [9]},
    {"nodes": 0},
    {"action": "query_version"},
    {"action": "terminate", "terminateId": "nothing"},
]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_it_answers_as_the_command_does(client, query):
    expected: list[dict[str, Any]] = []
    Analyst(expected.append, lambda: Engine(memory_mb=32)).serve([json.dumps({"id": "a", **query})])
    client.send(id="a", **query)
    for answer in expected:
        assert measured(client.hear()) == measured(answer)


def test_each_depth_is_reported_if_wanted(client):
    client.send(id="a", moves=MIDGAME, nodes=100_000, report=True)
    heard = [client.hear()]
    while not heard[-1]["final"]:
        heard.append(client.hear())
    depths = [answer["infos"][0]["depth"] for answer in heard]
    assert depths == sorted(depths)
    assert len(heard) > 2


def test_reports_come_every_so_many_seconds_and_a_terminated_query_has_its_results(client, site):
    client.send(id="a", moves=OPEN, seconds=600, report_every=0.2)
    began = time.monotonic()
    for _ in range(3):
        assert client.hear()["final"] is False
    assert time.monotonic() - began > 0.5
    client.send(id="b", moves=MIDGAME, turns=[1, 2, 3], priorities=[0, 2, 1])
    client.send(id="q", action="query_running")
    while (state := client.hear())["id"] == "a":
        assert state["final"] is False
    assert state["workers"] == 1
    (running,) = state["running"]
    assert running["id"] == "a"
    assert running["depth"] > 1
    assert running["nodes"] > 0
    assert [(each["id"], each["turn"]) for each in state["waiting"]] == [("b", 2), ("b", 3), ("b", 1)]
    client.send(id="t", action="terminate", terminateId="b", turns=[2, 3])
    client.send(id="u", action="terminate_all")
    heard: list[dict[str, Any]] = []
    while len(heard) < 6:
        if (answer := client.hear()).get("final") is not False:
            heard.append(answer)
    assert [(answer["id"], answer.get("turn")) for answer in heard[:4]] == [
        ("t", None),
        ("b", 2),
        ("b", 3),
        ("u", None),
    ]
    nothing = {"final": True, "noResults": True}
    assert heard[1] == {"id": "b", "turn": 2, **nothing}
    assert heard[4]["id"] == "a"
    assert heard[4]["infos"][0]["nodes"] > 0
    assert heard[5] == {"id": "b", "turn": 1, **nothing}
    until(lambda: workers(site).idle)


def test_every_turn_of_a_game_is_answered_once(client):
    client.send(id="game", moves=MIDGAME, turns="all", nodes=300)
    answers = [client.hear() for _ in range(7)]
    assert [answer["turn"] for answer in answers] == list(range(7))
    assert all(answer["final"] for answer in answers)
    assert client.ask(id="next", moves="h8", nodes=100)["id"] == "next"


def test_a_long_search_yields_its_worker_and_goes_on(site, monkeypatch):
    monkeypatch.setattr(search_connection, "SLICE", 0.3)
    with opened(site) as long, opened(site) as short:
        long.send(id="long", moves=OPEN, seconds=600, report_every=0.1)
        long.hear()
        for number in range(2):
            answer = short.ask(id=number, moves="h8i9", nodes=500)
            assert answer["infos"][0]["depth"] > 1
        depth = long.hear()["infos"][0]["depth"]
        long.send(id="t", action="terminate_all")
        while not (last := long.hear()).get("final"):
            pass
        assert last["infos"][0]["depth"] >= depth


def test_the_bounds_are_told(client, monkeypatch):
    assert client.ask(id=1, lines=11)["error"] == "lines is 11: expected at most 10"
    assert "expected at most 600" in client.ask(id=1, seconds=601)["error"]
    client.socket.send("nonsense")
    assert "expected one JSON object" in client.hear()["error"]
    assert "clear_cache is not available" in client.ask(id=1, action="clear_cache")["error"]
    monkeypatch.setattr(query_socket, "MOST_POSITIONS", 3)
    assert "too many positions wait" in client.ask(id=1, moves=MIDGAME, turns="all")["error"]


def test_errors_are_in_the_language_of_the_address(site):
    with opened(site, "/api/queries?lang=zh") as client:
        assert client.ask(id=1, nodes=0)["error"] == "nodes 为 0：应为不小于 1 的整数"


def test_it_stops_when_nobody_listens_any_more(site):
    with opened(site) as leaving:
        leaving.send(id=1, moves=OPEN, seconds=600, report=True)
        leaving.hear()
        assert not workers(site).idle
    until(lambda: workers(site).idle)


def test_there_is_no_place_for_too_many(site, monkeypatch):
    monkeypatch.setattr(search_connection, "MOST_CONNECTIONS", 0)
    with opened(site) as refused:
        assert "too many positions are being analysed" in refused.hear()["error"]
        with pytest.raises(ConnectionClosed):
            refused.hear()


# -- on a server for strangers


@pytest.fixture
def public() -> Iterator[Server]:
    with serve(public=True, origin="http://127.0.0.1") as server:
        yield server


def test_a_search_ends_with_its_results_where_the_quota_is_used_up(public, monkeypatch):
    with opened(public) as client:
        client.ask(id=0, moves="h8", nodes=100)
        monkeypatch.setitem(QUOTAS, "think", Quota(Rate(2.1, 0.001)))
    with opened(public) as client:
        answer = client.ask(id="a", moves=OPEN, seconds=60)
        assert answer["infos"][0]["depth"] > 1
        assert "try again in" in answer["limited"]
        # What is left is enough for some queries to wait, and for no other search.
        for number in range(5):
            client.send(id=number, moves=OPEN)
        refused = client.hear()
        assert refused["id"] in range(5)
        assert "try again in" in refused["error"]


def test_what_waits_goes_on_as_the_quota_allows(public, monkeypatch):
    monkeypatch.setattr(query_socket, "_RETRY", 0.05)
    with opened(public) as client:
        client.ask(id=0, moves="h8", nodes=100)
        monkeypatch.setitem(QUOTAS, "think", Quota(Rate(2, 2)))
    with opened(public) as client:
        began = time.monotonic()
        client.send(id="game", moves=MIDGAME, turns="all", nodes=100)
        assert sorted(client.hear()["turn"] for _ in range(7)) == list(range(7))
        assert time.monotonic() - began > 1.5
