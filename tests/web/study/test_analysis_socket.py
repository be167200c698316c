"""The analysis through a real server's WebSocket: what is found, and that it stops and takes turns."""

from __future__ import annotations

import asyncio
import json
import pickle
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tengen import BLACK, Board, executors
from tengen.executors.running_search import Search
from tengen.schemas.analysis import StopRequest
from tengen.schemas.base import Schema
from tengen.web.computing.search_pool import SearchPool
from tengen.web.study import search_connection
from tengen.web.study.analyses import GameReview, Reporter, run_slice
from tengen.web.study.analysis_requests import pending_analysis, read_request
from tests.console import until
from tests.web.serving import Server
from tests.web.study.sockets import SocketClient, workers

pytestmark = pytest.mark.usefixtures("compiled")

WON = "h8a1i8a3j8a5"
"""Black wins by fours."""


class Client(SocketClient):
    """The other end of an analysis."""

    def ask(self, number: int | str, do: str, **fields: Any) -> None:
        self.send(id=number, do=do, **fields)

    def until(self, number: int | str, wanted: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """What is told of one question, to the first message that is wanted."""
        heard = []
        while True:
            told = self.hear()
            if told["id"] == number:
                heard.append(told)
                if wanted(told):
                    return heard

    def all(self, number: int | str) -> list[dict[str, Any]]:
        return self.until(number, lambda told: bool(told["done"]))

    def found(self, number: int | str, do: str, **fields: Any) -> dict[str, Any]:
        """The last word on a question."""
        self.ask(number, do, **fields)
        return self.all(number)[-1]


def opened(site: Server) -> AbstractContextManager[Client]:
    return Client.opened(site, "/api/analysis")


def idle_soon(site: Server) -> None:
    """Wait until nothing is searched any more."""
    until(lambda: workers(site).idle)


# -- the best moves


@pytest.mark.long
def test_best_moves_are_told_deeper_and_deeper(client):
    client.ask("a", "analyse", rules="renju", moves="h8i9g7", lines=3, nodes=200_000, seconds=20)
    heard = client.all("a")
    depths = [told["infos"][0]["depth"] for told in heard]
    assert depths == sorted(depths)
    assert depths[-1] > depths[0]
    board = Board.from_moves("h8i9g7", "renju")
    for told in heard:
        assert len(told["infos"]) == 3
        assert len({info["point"] for info in told["infos"]}) == 3
        for info in told["infos"]:
            assert board.is_legal(info["point"])
            assert info["line"][0] == info["point"]
            assert 0 <= info["win_rate"] <= 1
    assert [told["done"] for told in heard] == [False] * (len(heard) - 1) + [True]


@pytest.mark.long
def test_a_win_is_told_as_a_mate(client):
    told = client.found(1, "analyse", moves=WON, lines=1)
    (info,) = told["infos"]
    assert (info["win_rate"], info["mate"]) == (1.0, 3)
    board = Board.from_moves(WON)
    for name in info["line"]:
        board.push(name)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner == BLACK


def test_it_ends_with_its_time(client):
    began = time.monotonic()
    told = client.found(1, "analyse", moves="h8i9", lines=2, seconds=0.5)
    assert time.monotonic() - began > 0.4
    assert told["infos"]
    assert "stopped" not in told


def test_it_stops_when_it_is_told_to(client, site):
    client.ask(1, "analyse", moves="h8i9", lines=2, seconds=600)
    client.until(1, lambda told: bool(told.get("infos")))
    client.ask(1, "stop")
    (last,) = [told for told in client.all(1) if told["done"]]
    assert last["stopped"]
    assert last["infos"]
    idle_soon(site)


def test_a_stop_without_a_search_is_answered(client):
    assert client.found(7, "stop") == {"id": 7, "stopped": True, "done": True}


def test_it_stops_when_nobody_listens_any_more(site):
    with opened(site) as leaving:
        leaving.ask(1, "analyse", moves="h8i9", seconds=600)
        leaving.until(1, lambda told: bool(told.get("infos")))
        assert not workers(site).idle
    idle_soon(site)


def test_a_new_search_takes_the_place_of_the_one_before(client):
    client.ask(1, "analyse", moves="h8i9", seconds=600)
    client.until(1, lambda told: bool(told.get("infos")))
    client.ask(2, "analyse", moves="h8i9g7", seconds=0.3)
    ended = client.all(1)[-1]
    assert ended["stopped"]
    assert client.all(2)[-1]["infos"]


# -- forced wins


def test_a_win_by_fours(client):
    told = client.found(1, "vcf", moves=WON, shortest=True)
    assert (told["winner"], told["proven"], told["length"], told["fours"]) == ("black", True, 3, 1)
    assert len(told["line"]) == 3


def test_no_win_by_fours(client):
    told = client.found(1, "vcf", moves=WON, colour="white")
    assert (told["winner"], told["proven"], told["line"]) == (None, True, [])


def test_a_win_by_fours_and_threes(client):
    position = "h8a1i9a15i7o1h7g10"
    assert client.found(1, "vcf", moves=position)["winner"] is None
    told = client.found(2, "vct", moves=position)
    assert (told["winner"], told["proven"], told["fours"]) == ("black", True, 1)
    assert len(told["line"]) == told["length"] > 3
    told = client.found(3, "vct", moves=position, colour="white")
    assert (told["winner"], told["proven"], told["line"]) == (None, True, [])


def test_what_stops_a_win(client):
    told = client.found(1, "defences", moves="h8a1i8a15j8")
    assert (told["attacker"], told["winner"], told["proven"]) == ("black", "black", True)
    assert (told["stops"], told["open"], len(told["loses"])) == (["g8", "k8"], [], 218)
    told = client.found(2, "defences", moves="h8a1i8a15j8", colour="white", threats="threes")
    assert (told["winner"], told["proven"], told["stops"]) == (None, True, [])


def test_a_long_search_for_fours_is_told_about_and_stopped(client, site):
    client.ask(1, "vcf", colour="white", seconds=60, **endless())
    assert not client.until(1, lambda told: "seconds" in told)[-1]["done"]
    client.ask(1, "stop")
    last = client.all(1)[-1]
    assert (last["winner"], last["proven"], last["stopped"]) == (None, False, True)
    idle_soon(site)


def endless() -> dict[str, Any]:
    """White has 24 closed threes, so far apart that no two fours meet: orders to try without end."""
    rows = range(1, 23, 3)
    black, white = (
        [f"{column}{row}" for row in rows for column in columns] for columns in ("agms", "bcdhijnop")
    )
    return {"size": 22, "setup": {"black": black, "white": white, "turn": "white"}}


# -- reviews


GAME = "h8g9k8a1i8a15j8o15l8"


def test_a_review(client):
    client.ask(1, "review", moves=GAME, nodes=2000)
    heard = client.all(1)
    assert [told["ply"] for told in heard] == list(range(9, -1, -1))
    assert {told["total"] for told in heard} == {10}
    by_ply = {told["ply"]: told for told in heard}
    assert (by_ply[9]["win_rate"], by_ply[9]["mate"], by_ply[9]["best"]) == (1.0, 0, None)
    assert (by_ply[8]["mate"], by_ply[8]["best"]) == (1, "g8")
    assert (by_ply[7]["win_rate"], by_ply[7]["mate"]) == (1.0, 2)
    assert by_ply[0]["loss"] is None
    assert by_ply[1]["best"]
    assert any(told["judgement"] == "blunder" for told in heard)


def test_every_position_is_told_though_the_server_was_busy_when_they_were_found(client, site, monkeypatch):
    busy = threading.Event()
    work = GameReview.work

    def late(review: GameReview, stop: threading.Event, report: Reporter) -> bool:
        busy.wait(60)
        return work(review, stop, report)

    def hold_the_loop(_review: GameReview, _seconds: float) -> None:
        busy.set()
        idle_soon(site)

    monkeypatch.setattr(GameReview, "work", late)
    monkeypatch.setattr(GameReview, "progress", hold_the_loop)
    client.ask("whole", "review", moves="h8i9g7", nodes=100)
    heard = client.all("whole")
    assert sorted(told["ply"] for told in heard if "ply" in told) == [0, 1, 2, 3]
    assert heard[-1]["ply"] == 0


def test_urgent_questions_come_first_and_the_others_go_on(client):
    client.ask("deep", "analyse", moves="h8i9", lines=1, seconds=600)
    client.until("deep", lambda told: bool(told.get("infos")))
    client.ask("whole", "review", moves="h8i9g7", nodes=1000)
    client.ask("fours", "vcf", moves=WON)
    ended: set[str] = set()
    depths: list[int] = []
    while True:
        told = client.hear()
        if told["done"]:
            ended.add(told["id"])
        if told["id"] == "deep":
            depths.append(told["infos"][0]["depth"])
            if ended:
                break
    assert ended == {"fours", "whole"}
    client.ask("deep", "stop")
    # What was known before the interruption is not told again from the beginning.
    assert depths == sorted(depths)


# -- several visitors


@pytest.mark.long
def test_who_comes_when_all_places_are_taken_waits_for_a_turn(site, monkeypatch):
    monkeypatch.setattr(search_connection, "SLICE", 0.3)
    with opened(site) as first, opened(site) as second:
        first.ask(1, "analyse", moves="h8i9", lines=1, seconds=600)
        first.until(1, lambda told: bool(told.get("infos")))
        second.ask(2, "analyse", moves="h8i9", lines=1, seconds=0.3)
        heard = second.all(2)
        assert heard[0]["waiting"]["key"] == "web.analyse.queue"
        assert heard[-1]["infos"]
        # The first one goes on.
        depth = first.until(1, lambda told: bool(told.get("infos")))[-1]["infos"][0]["depth"]
        assert depth > 1


class SlowWarmup:
    """The preparation of an engine that takes a moment."""

    ready = False

    async def wait(self, on_wait: Callable[[], object]) -> None:
        on_wait()
        await asyncio.sleep(0.5)
        self.ready = True


def test_what_is_stopped_while_the_engine_is_prepared_does_not_end_the_connection(site, monkeypatch):
    monkeypatch.setattr(site.app.state.services[SearchPool], "warmup", SlowWarmup())
    with opened(site) as client:
        client.ask(1, "analyse", moves="h8i9", seconds=60)
        assert client.hear()["waiting"]["key"] == "web.compiling"
        client.ask(1, "stop")
        assert client.hear()["done"]
        time.sleep(0.6)
        assert client.found(2, "analyse", moves="h8i9", seconds=0.1)["infos"]


def test_too_many_connections_are_told_so(site, monkeypatch):
    monkeypatch.setattr(search_connection, "MOST_CONNECTIONS", 0)
    with opened(site) as late:
        told = late.hear()
        assert (told["error"]["key"], told["done"]) == ("error.web.analysis.busy", True)
        with pytest.raises(ConnectionClosed):
            late.hear()


# -- what is refused


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ("rubbish", "error.web.json"),
        ("[]", "error.web.json"),
        ('{"id": 1}', "error.web.field_missing"),
        ('{"id": 1, "do": "dance"}', "error.web.field"),
        ('{"id": 1, "do": []}', "error.web.field"),
        ('{"do": "analyse"}', "error.web.field_missing"),
        ('{"id": 1, "do": "analyse", "lines": 11}', "error.web.field"),
        ('{"id": 1, "do": "analyse", "lines": 0}', "error.web.field"),
        ('{"id": 1, "do": "analyse", "seconds": 601}', "error.web.field"),
        ('{"id": 1, "do": "analyse", "seconds": NaN}', "error.web.field"),
        ('{"id": 1, "do": "analyse", "threads": 64}', "error.web.field_unknown"),
        ('{"id": 1, "do": "review", "nodes": 1000001}', "error.web.field"),
        ('{"id": 1, "do": "vcf", "colour": "red"}', "error.web.field"),
        ('{"id": 1, "do": "analyse", "moves": "h8h8"}', "error.occupied"),
        ('{"id": 1, "do": "analyse", "rules": "tictactoe"}', "error.engine.rules"),
        ('{"id": 1, "do": "analyse", "rules": "mnk:15,15,6"}', "error.engine.rules"),
        ('{"id": 1, "do": "analyse", "moves": "a1a2b1b2c1c2d1d2e1"}', "error.game_over.choose"),
        ('{"id": 1, "do": "vcf", "moves": "a1a2b1b2c1c2d1d2e1"}', "error.game_over.choose"),
    ],
)
def test_what_is_refused(client, message, key):
    client.socket.send(message)
    told = client.hear()
    assert (told["error"]["key"], told["done"]) == (key, True)
    assert told["text"]
    assert client.found(2, "vcf", moves=WON)["winner"] == "black"


def test_what_is_refused_is_named_with_what_was_expected(client):
    kinds = "one of analyse, vcf, vct, defences, review, stop"
    for message, text in (
        ({"id": 1, "do": "dance"}, f'do is "dance": expected {kinds}'),
        ({"id": 1}, "do is missing"),
        ({"id": 1, "do": "stop", "size": 15}, "there is no field size here"),
        ({"id": 1, "do": "vct", "size": "big"}, "'big' is not a board size: expected"),
    ):
        client.socket.send(json.dumps(message))
        assert client.hear()["text"].startswith(text)


def test_bytes_are_no_question(client):
    client.socket.send(b"\x00\xff")
    assert client.hear()["error"]["key"] == "error.web.json"


def test_rules_that_the_engine_does_not_play_are_refused_with_the_reason(client):
    told = client.found(1, "analyse", rules="tictactoe")
    assert "it plays on boards from 5x5 to 22x22" in told["text"]


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "analyse", "lines": 2, "seconds": 5, "nodes": 3000},
        {"do": "vcf", "seconds": 5, "shortest": True},
        {"do": "vct", "seconds": 5},
        {"do": "defences", "seconds": 5},
        {"do": "review", "nodes": 300},
    ],
    ids=lambda request: request["do"],
)
def test_an_analysis_may_run_in_another_process(request_):
    """As it does where there are no threads: it goes there and comes back by pickle."""
    request = read_request({"id": 1, "rules": "freestyle", "moves": "h8i9g9h7", **request_})
    assert not isinstance(request, StopRequest)
    analysis = pending_analysis(request).analysis
    here, away = pickle.loads(pickle.dumps(analysis)), pickle.loads(pickle.dumps(analysis))
    reported: list[Schema] = []
    with executors.open_workers("processes", 1) as workers:
        search = Search.start(run_slice, away, workers=workers.caller("test"), on_report=reported.append)
        finished, away = search.result(60)
    assert finished
    # In a thread of its own, whose engine has no tables of former searches either.
    ended, here = executors.run_in_thread(None, run_slice, here, stop=threading.Event()).result(60)
    assert ended
    for report in reported:
        analysis.note(report)
    untimed = {"seconds", "nps"}
    assert _without(away.result().to_json(), untimed) == _without(here.result().to_json(), untimed)


def _without(text: str, fields: set[str]) -> Any:
    return json.loads(text, object_hook=lambda data: {key: data[key] for key in data if key not in fields})
