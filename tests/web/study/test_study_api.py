"""What a page asks about positions and players, of a real server."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import Board, Branch, Engine, Rules, TengenError, player
from tengen.players.allowed import BOUNDS
from tengen.players.registry import ENTRIES
from tengen.schemas.explanation import BranchData
from tengen.schemas.position import PositionRequest
from tengen.web.computing import job_queue
from tengen.web.computing.engine_warmup import Warmup
from tengen.web.computing.job_queue import JobQueues
from tengen.web.computing.search_pool import SearchPool
from tengen.web.computing.spec_policy import allowed_player
from tengen.web.study import study_api
from tengen.web.study.catalogue import ENGINE, EXPLAINS, catalogue, parameters
from tengen.web.study.explanations import explained
from tengen.web.transport.errors import Overloaded, TooManyRequests
from tengen.web.transport.request_bodies import read
from tengen.web.transport.visitor_cookies import visitor_id
from tengen.words import Message, say
from tests.console import until
from tests.web.clients import new_cookie
from tests.web.serving import Server, serve
from tests.web.world import compile_engine


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    """One server for all tests of this module."""
    with serve() as running:
        yield running


@pytest.fixture(scope="module")
def client(site: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site.url, timeout=60) as opened:
        yield opened


def explain(client: httpx.Client, spec: str, **position: object) -> dict[str, object]:
    answer = client.post("/api/explain", json={"player": spec, **position})
    assert answer.status_code == 200, answer.text
    told: dict[str, object] = answer.json()
    return told


# -- the catalogue


def test_the_catalogue_of_a_game(client):
    told = client.get("/api/catalogue", params={"rules": "renju", "size": "13"}).json()
    assert (told["rules_name"], told["rules"]["width"], told["largest"]) == ("renju", 13, 50)
    names = [entry["name"] for entry in told["players"]]
    assert "lookup" not in names
    assert {"shapes", "level", "engine"} <= set(names)
    assert told["levels"] == [str(level) for level in range(1, 11)]
    assert "swap2" in told["openings"]


def test_only_who_plays_by_the_rules_is_in_it(client):
    told = client.get("/api/catalogue?rules=tictactoe").json()
    names = [entry["name"] for entry in told["players"]]
    assert "lookup" in names
    assert "engine" not in names
    assert told["levels"] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [("rules=go", "go"), ("size=99", "50"), ("rules=mnk:3,3,3&size=4", "mnk:3,3,3"), ("size=", "''")],
)
def test_a_catalogue_of_nothing(client, query, expected):
    answer = client.get(f"/api/catalogue?{query}")
    assert answer.status_code == 422
    assert expected in answer.json()["text"]


@pytest.mark.parametrize("name", ENTRIES)
def test_every_parameter_is_what_it_is_said_to_be(name):
    for preset in (*ENTRIES[name].presets, ""):
        one: Any  # numbers have bounds, texts none
        for one in parameters(name, preset):
            if one.kind == "text":
                assert one.default in (one.choices or [one.default])
            elif one.default is not None:
                assert one.least <= one.default <= one.most
                # A spec may say the default, and the bounds.
                for key in ("default", "least", "most"):
                    head = f"{name}:{preset}" if preset else name
                    if one.least < one.most or key == "default":
                        allowed_player(f"{head},{one.name}={getattr(one, key)}", _rules_for(name))


def _rules_for(name: str) -> Rules:
    return Rules.named("tictactoe" if name == "lookup" else "freestyle")


@pytest.mark.usefixtures("compiled")
def test_the_engine_has_these_defaults():
    arguments = inspect.signature(Engine).parameters
    assert {name: arguments[name].default for name in ENGINE} == ENGINE
    # The others are for the owner of the machine to choose.
    assert arguments.keys() - ENGINE.keys() == {"threads", "weights"}


def test_the_catalogue_does_not_load_the_engine():
    code = (
        "import sys; from tengen import Rules; from tengen.web.study.catalogue import catalogue;"
        "catalogue(Rules.named('renju')); print('tengen.engine.engine' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "False"


def test_bounds_are_those_of_the_spec_policy():
    told = {one.name: one for one in parameters("minimax")}
    assert (told["depth"].least, told["depth"].most) == BOUNDS["minimax"]["depth"]
    assert told["need1"].kind == "float"


def test_presets_have_defaults_of_their_own():
    entry = next(e for e in catalogue(Rules.named("freestyle")).players if e.name == "shapes")
    usual = {one.name: one.default for one in entry.parameters}
    other = {one.name: one.default for one in entry.presets_parameters["o2"]}
    assert usual["w_11"] == player("shapes").parameters["w_11"]  # type: ignore[attr-defined]
    assert other["w_11"] == player("shapes:o2").parameters["w_11"]  # type: ignore[attr-defined]
    assert usual["w_11"] != other["w_11"]


@pytest.mark.parametrize("name", [name for name in ENTRIES if name not in ("engine", "level")])
def test_players_explain_what_the_catalogue_says(name):
    board = Board.from_moves("a1b2", "tictactoe") if name == "lookup" else Board.from_moves("h8i9g7h7i7")
    spec = {"mcts": "mcts,playouts=50", "minimax": "minimax,depth=2"}.get(name, name)
    told = json.loads(explained(spec, board))
    lines = told.pop("lines")
    found = {key for key in ("weights", "parts", "tree") if told[key]} | ({"lines"} if lines else set())
    # A win by fours is not there to be shown in every position.
    assert found | ({"lines"} if name == "threats" else set()) == set(EXPLAINS[name])


# -- positions


def test_a_position(client):
    told = client.post("/api/position", json={"moves": "h8a1i8b1j8"}).json()
    assert told["threats"]["black"] == [
        {"kind": "open-three", "points": ["h8", "i8", "j8"], "gains": ["g8", "k8"]}
    ]


@pytest.mark.long
def test_a_large_position_with_fouls(client):
    stones = [f"{column}{row}" for row in range(1, 48, 2) for column in "acegikmoqsuwy"]
    body = {"rules": "renju", "size": 50, "setup": {"black": stones, "white": [], "turn": "black"}}
    told = client.post("/api/position", json=body).json()
    board = read(PositionRequest, json.dumps(body)).board()
    assert set(map(board.point, told["fouls"])) == set(board.fouls())
    refused = client.post("/api/position", json={**body, "moves": "a1"})
    assert (refused.status_code, refused.json()["text"]) == (422, "a1 is occupied")


def test_what_is_no_position(client):
    for body, status in ((b"{", 400), (b"[]", 422), (b'{"moves": 1}', 422), (b'{"moves": "h8h8"}', 422)):
        answer = client.post("/api/position", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == status
        assert answer.json()["text"]


# -- explanations


def test_an_explanation(client):
    told = explain(client, "shapes", moves="h8a15g8")
    weights, parts = told["weights"], told["parts"]
    assert isinstance(weights, dict)
    assert isinstance(parts, dict)
    assert weights[told["point"]] == max(weights.values())
    assert weights["f8"] == 410
    (part,) = parts["f8"]
    assert (part["value"], part["points"]) == (410, ["g8", "h8"])
    assert told["heatmaps"] == []
    assert say(Message(part["label"]["key"], part["label"]["values"])) == "shape 11"


def test_edited_weights_change_the_choice(client):
    usual = explain(client, "shapes", moves="h8a15g8")
    edited = explain(client, "shapes,w_11=-5000,w_1=-5000", moves="h8a15g8")
    assert usual["point"] != edited["point"]
    weights: list[Any] = [one for one in parameters("shapes", "o2") if one.kind == "float"]
    every = ",".join(f"{one.name}={one.default - 1}" for one in weights)
    assert explain(client, f"shapes:o2,{every}", moves="h8")["point"]


def test_a_tree_and_lines(client):
    told = explain(client, "minimax,depth=3", moves="h8i9")
    tree = told["tree"]
    assert isinstance(tree, dict)
    assert tree["point"] == "--"
    assert told["point"] in [child["point"] for child in tree["children"]]
    assert told["lines"]


def test_when_the_game_is_over_nothing_is_chosen(client):
    told = explain(client, "shapes", moves="a1a2b1b2c1c2d1d2e1")
    assert (told["point"], told["weights"]) == (None, {})


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"player": "nobody"}, "nobody"),
        ({"player": "cmd=./run"}, "cmd"),
        ({"player": "py:os:system"}, "py"),
        ({"player": "shapes,w_999=1"}, "w_999"),
        ({"player": "minimax,depth=99"}, "depth"),
        ({"player": "engine", "rules": "tictactoe"}, "3x3"),
        ({"player": "lookup"}, "15x15"),
        ({"player": ""}, "player"),
        ({}, "player"),
        ({"player": "shapes", "moves": "h8h8"}, "h8 is occupied"),
    ],
)
def test_who_cannot_explain(client, fields, expected):
    answer = client.post("/api/explain", json=fields)
    assert answer.status_code == 422
    assert expected in answer.json()["text"]


def test_the_engine_says_when_it_is_being_compiled(client, site, monkeypatch):
    ready = compile_engine(monkeypatch)
    warmup = Warmup()
    monkeypatch.setattr(site.app.state.services[SearchPool], "warmup", warmup)
    fields = {"player": "level:5", "moves": "h8"}
    answer = client.post("/api/explain", json=fields)
    assert answer.status_code == 503
    assert answer.json()["error"]["key"] == "error.web.compiling"
    ready.set()
    until(lambda: warmup.ready)
    assert client.post("/api/explain", json=fields).status_code == 200


@pytest.mark.usefixtures("compiled")
@pytest.mark.long
def test_the_engine_explains_itself_when_it_is_ready(client, site):
    client.post("/api/explain", json={"player": "engine,nodes=1000", "moves": "h8"})  # which loads it
    until(lambda: site.app.state.services[SearchPool].warmup.ready)
    told = explain(client, "engine,nodes=1000", moves="h8i9g7")
    score = told["score"]
    assert isinstance(score, dict)
    assert 0 < score["win_rate"] < 1
    assert told["lines"]
    heatmaps = told["heatmaps"]
    assert isinstance(heatmaps, list)
    value, policy = heatmaps
    assert (value["name"], policy["name"]) == ("value", "policy")
    for point, parts in value["parts"].items():
        assert value["weights"][point] == pytest.approx(sum(part["value"] for part in parts), abs=1e-3)
    assert sum(policy["weights"].values()) == pytest.approx(100, abs=0.1)
    for heatmap in heatmaps:
        for name in ("title", "summary", "note"):
            assert say(Message(heatmap[name]["key"], heatmap[name]["values"]))


# -- the end of patience


SLOW = {"player": "mcts,playouts=200000", "moves": "h8i9", "rules": "freestyle"}


@pytest.mark.long
def test_what_takes_too_long_is_given_up(client, monkeypatch):
    monkeypatch.setattr(job_queue.JobQueue.do, "__kwdefaults__", {"seconds": 1.0, "hurry_after": None})
    answer = client.post("/api/explain", json=SLOW)
    assert answer.status_code == 503
    assert "1 second" in answer.json()["text"]
    monkeypatch.undo()
    # The worker is free again.
    assert explain(client, "shapes", moves="h8")["point"]


def test_an_explanation_ends_with_what_has_been_found_by_then(client, monkeypatch):
    monkeypatch.setattr(study_api, "EXPLANATION_SECONDS", 0.5)
    told = explain(client, SLOW["player"], moves=SLOW["moves"])
    assert told["point"] is None
    assert told["weights"]


def test_who_goes_away_frees_the_worker(client, site):
    with pytest.raises(httpx.ReadTimeout):
        client.post("/api/explain", json=SLOW, timeout=0.5)
    until(lambda: site.app.state.services[SearchPool].player_workers.idle)
    assert explain(client, "shapes", moves="h8")["point"]


@pytest.mark.parametrize("who", ["visitor", "address", "address of an invented cookie", "address alone"])
def test_neither_a_visitor_nor_an_address_can_wait_for_everything(site, who):
    jobs = site.app.state.services[JobQueues].players
    given = new_cookie(site.url)
    cookie = {"address alone": None, "address of an invented cookie": "tengen=made up"}.get(who, given)
    headers = {} if cookie is None else {"Cookie": cookie}
    with ExitStack() as others:
        secret = given.partition("=")[2].partition(".")[0]
        visitor = visitor_id(secret) if who == "visitor" else None
        for number in range(job_queue.MOST_EACH if visitor else job_queue.MOST_WAITING // 2):
            others.enter_context(jobs._place(f"203.0.113.{number}" if visitor else "127.0.0.1", visitor))
        answer = httpx.post(f"{site.url}/api/explain", json={"player": "shapes"}, headers=headers)
    assert answer.status_code == 429
    assert answer.json()["error"]["key"] == "error.web.job.each"
    answer = httpx.post(f"{site.url}/api/explain", json={"player": "shapes"}, headers=headers, timeout=60)
    assert answer.status_code == 200
    assert jobs._addresses.free(job_queue.MOST_WAITING) == job_queue.MOST_WAITING


@pytest.mark.parametrize("greedy", [1, 2, 3, 5, 40])
def test_however_many_addresses_are_greedy_there_is_room_for_another(site, greedy):
    jobs = site.app.state.services[JobQueues].players
    with ExitStack() as others:
        for number in range(greedy):
            with suppress(TooManyRequests, Overloaded):
                for _ in range(job_queue.MOST_WAITING):
                    others.enter_context(jobs._place(f"2001:db8:{number}::", None))
        if greedy < 7:
            answer = httpx.post(f"{site.url}/api/explain", json={"player": "shapes"}, timeout=60)
            assert answer.status_code == 200
        assert jobs._addresses.free(job_queue.MOST_WAITING) >= 0
    assert jobs._addresses.free(job_queue.MOST_WAITING) == job_queue.MOST_WAITING


# -- numbers from strangers


@settings(max_examples=30)
@given(
    st.sampled_from(("shapes:o2", "shapes:o5", "lines", "minimax,depth=1", "mcts,playouts=10")), st.data()
)
def test_no_parameters_break_an_explanation(head, data):
    name, _, rest = head.partition(":")
    name = name.partition(",")[0]
    choices: list[Any] = [one for one in parameters(name, rest) if one.kind == "float"]
    chosen = data.draw(st.lists(st.sampled_from(choices), max_size=4, unique_by=lambda one: one.name))
    numbers = [data.draw(st.floats(one.least, one.most, allow_nan=False)) for one in chosen]
    spec = ",".join([head, *(f"{one.name}={n!r}" for one, n in zip(chosen, numbers, strict=True))])
    board = Board.from_moves("h8i9g7")
    try:
        told = explained(allowed_player(spec, board.rules).name, board)
    except TengenError:
        return
    assert json.loads(told)["point"]


def test_a_large_tree_is_cut_where_it_is_deepest():
    leaf = Branch(1, 0.5)
    tree = Branch(-1, 0.0, None, tuple(Branch(point, 1.0, None, (leaf,) * 10) for point in range(10)))
    rules = Board().rules
    told = BranchData.of(rules, tree, most=15).to_dict()
    assert len(told["children"]) == 10
    assert [len(child["children"]) for child in told["children"]] == [4, *[0] * 9]
    assert [branch.point for branch in BranchData.of(rules, tree).children] == [
        Board().name(point) for point in range(10)
    ]
