"""What thinking costs, and that nobody gets it for nothing where strangers reach the server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tengen import Board, Limit, Session, player
from tengen.players.allowed import EXPLANATION_SECONDS
from tengen.solver.proofs.file import MAGIC
from tengen.web.computing import thinking_costs
from tengen.web.computing.search_pool import PATIENCE, SearchPool
from tengen.web.games import hints
from tengen.web.transport.limits import QUOTAS, Quota, Rate
from tests.console import until
from tests.web.clients import new_cookie
from tests.web.serving import Server, serve

SLOW = "mcts,playouts=200000"
PURSE = Quota(Rate(2.5, 1e-6), Rate(1.5, 1e-6))
"""What can be thought about in this test: it does not come back."""


def test_what_costs_more_time_costs_more():
    cost = thinking_costs.move_seconds
    assert cost("random") < cost("engine") < cost("engine,nodes=2000000") < cost("engine,nodes=5000000")
    assert cost("minimax,depth=2") < cost("minimax,depth=7") < cost("minimax,depth=8,width=40")
    assert cost("mcts") < cost(SLOW) == PATIENCE
    assert cost("level:1") < cost("level:9")


@pytest.mark.parametrize("spec", ["shapes", "minimax,depth=6", "mcts", "threats,nodes=100000"])
@pytest.mark.long
def test_what_is_expected_of_a_player_is_about_what_it_takes(spec):
    board = Board.from_moves("h8i9g9i7g7g8")
    began = time.thread_time()  # which a busy machine does not make longer
    player(spec).choose(board)
    assert time.thread_time() - began < 20 * thinking_costs.move_seconds(spec)


def test_a_game_costs_what_its_slowest_computer_does():
    assert thinking_costs.turn(Session("freestyle", "human", "human")) == 0
    one = Session("freestyle", "human", player("random"))
    both = Session("freestyle", player("minimax,depth=7"), player("random"))
    assert 0 < thinking_costs.turn(one) < thinking_costs.turn(both)
    timed = Session("freestyle", "human", player("random"), clock="3600")
    assert thinking_costs.turn(timed) == thinking_costs.CLOCKED


def test_an_explanation_of_the_engine_looks_at_so_much_and_no_more():
    most = thinking_costs.EXPLANATION_NODES
    assert thinking_costs.explanation_limit(f"engine,nodes={5 * most}") == Limit(nodes=most)
    for spec in ("engine", f"engine,nodes={most}", "level:10", "shapes", SLOW):
        assert thinking_costs.explanation_limit(spec) is None
    assert thinking_costs.explanation("engine,nodes=5000000") == EXPLANATION_SECONDS


# -- where strangers come


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server for strangers, who may have little."""
    monkeypatch.setitem(QUOTAS, "think", PURSE)
    with serve(public=True, origin="http://127.0.0.1") as server:
        yield server


@cache
def cookie_of(url: str, visitor: str) -> str:  # noqa: ARG001
    """The cookie of a visitor who goes by a letter."""
    return new_cookie(url)


def client_of(server: Server, visitor: str, address: str = "203.0.113.1") -> httpx.Client:
    headers = {"Cookie": cookie_of(server.url, visitor), "X-Forwarded-For": address}
    return httpx.Client(base_url=server.url, headers=headers, timeout=60)


def too_many(answer: httpx.Response) -> bool:
    if answer.status_code < 400:
        return False
    assert answer.status_code == 429
    assert answer.json()["error"]["key"] == "error.web.too_many"
    return True


def new_game(client: httpx.Client, **settings: Any) -> tuple[str, dict[str, str]]:
    made = client.post("/api/games", json=settings).json()
    token = made["seats"]["black"]
    return f"/api/games/{made['id']}", {"Authorization": f"Bearer {token}"}


@pytest.mark.long
def test_explanations_are_paid_for_by_visitor_and_by_address(public):
    def explain(visitor: str, spec: str) -> httpx.Response:
        with client_of(public, visitor) as client:
            return client.post("/api/explain", json={"player": spec, "moves": "h8"})

    assert too_many(explain("a", "engine,nodes=5000000")), "more than there is"
    assert [too_many(explain("a", "shapes")) for _ in range(8)] == [False] * 7 + [True]
    assert [too_many(explain("b", "shapes")) for _ in range(6)] == [False] * 5 + [True], "of one address"
    with client_of(public, "c", "198.51.100.1") as other:
        assert not too_many(other.post("/api/explain", json={"player": "shapes", "moves": "h8"}))


@pytest.mark.long
def test_the_check_of_a_proof_is_paid_for(public):
    with client_of(public, "a") as client:
        proof = {"file": ("win.proof", MAGIC + b"whatever follows")}
        assert too_many(client.post("/api/import", files=proof))
        assert not too_many(client.post("/api/import", files={"file": ("a.sgf", b"(;GM[4]SZ[15];B[hh])")}))


@pytest.mark.long
def test_hints_are_paid_for(public):
    with client_of(public, "a") as client:
        game, token = new_game(client, rules="tictactoe", white="lines")
        hints = [client.post(f"{game}/actions", json={"type": "hint"}, headers=token) for _ in range(2)]
    assert [too_many(hint) for hint in hints] == [False, True]


def test_a_computers_moves_are_paid_for(public):
    with client_of(public, "a") as client:
        game, token = new_game(client, white="engine,nodes=5000000")
        assert too_many(client.post(f"{game}/moves", json={"point": "h8", "ply": 0}, headers=token))
        assert client.get(game).json()["moves"] == []
        game, token = new_game(client, white="lines")
        assert not too_many(client.post(f"{game}/moves", json={"point": "h8", "ply": 0}, headers=token))
        # People who play each other pay nothing.
        game, token = new_game(client, white="human")
        assert not too_many(client.post(f"{game}/moves", json={"point": "h8", "ply": 0}, headers=token))


def test_a_computer_that_begins_a_game_or_sits_down_in_one_is_paid_for(public):
    with client_of(public, "a") as client:
        assert too_many(client.post("/api/games", json={"black": "engine,nodes=5000000"}))
        assert too_many(client.post("/api/games", json={"black": "level:9", "white": SLOW}))
        game, token = new_game(client)
        sits = {"type": "hand_over", "participant": 1, "occupant": SLOW}
        assert too_many(client.post(f"{game}/actions", json=sits, headers=token))
        assert client.get(game).json()["seats"][0]["occupant"] == "human"


@pytest.mark.long
@pytest.mark.usefixtures("compiled")
def test_an_analysis_is_paid_for_as_long_as_it_goes_on(public):
    headers = {"X-Forwarded-For": "203.0.113.1"}
    with connect(f"{public.ws}/api/analysis", additional_headers=headers, close_timeout=2) as socket:
        socket.send(json.dumps({"id": 1, "do": "analyse", "moves": "h8i9", "seconds": 600}))
        while not (told := json.loads(socket.recv(60)))["done"]:
            pass
        assert told["error"]["key"] == "error.web.too_many"
        assert told["infos"]
        for _ in range(10):  # what is left is not enough for many
            socket.send(json.dumps({"id": 2, "do": "vcf", "moves": "h8i9"}))
            while not (told := json.loads(socket.recv(60)))["done"]:
                pass
            if "error" in told:
                break
        assert told["error"]["key"] == "error.web.too_many"
    workers = public.app.state.services[SearchPool].analysis_workers
    idle_soon(workers)


def idle_soon(workers: Any) -> None:
    until(lambda: workers.idle)


# -- whoever goes


@pytest.fixture
def slow_hints(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server on which hints take long."""
    monkeypatch.setattr(hints, "adviser", lambda *_, **__: (SLOW, None))
    with serve() as server:
        yield server


@pytest.mark.long
def test_a_hint_is_not_looked_for_any_more_when_its_client_has_gone(slow_hints):
    workers = slow_hints.app.state.services[SearchPool].player_workers
    with httpx.Client(base_url=slow_hints.url, timeout=60) as client:
        game, token = new_game(client, moves="h8i9")
        with pytest.raises(httpx.ReadTimeout):
            client.post(f"{game}/actions", json={"type": "hint"}, headers=token, timeout=1.5)
        idle_soon(workers)
        cookie = client.cookies["tengen"]
    path = f"{slow_hints.ws}{game}/live"
    with connect(path, additional_headers={"Cookie": f"tengen={cookie}"}, close_timeout=2) as socket:
        socket.send(json.dumps({"type": "hello", "tokens": []}))
        socket.recv(60)
        socket.send(json.dumps({"type": "hint", "id": 1}))
        until(lambda: not workers.idle)
    idle_soon(workers)
