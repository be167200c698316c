"""Tournaments as browsers and programs use them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
import websockets

from tests.console import until
from tests.web.clients import PATIENCE, House, Json, new_cookie, visit
from tests.web.games.test_live import in_browser, server
from tests.web.serving import serve
from tests.web.test_start import command, free_port

__all__ = ["server"]


@asynccontextmanager
async def looking(house: House, tournament: str) -> AsyncIterator[websockets.ClientConnection]:
    """Somebody who looks at a tournament."""
    cookies = "; ".join(f"{name}={value}" for name, value in house.http.cookies.items())
    url = f"{house.server.ws}/api/tournaments/{tournament}/live"
    async with websockets.connect(url, additional_headers={"Cookie": cookies}) as socket:
        yield socket


async def hear(socket: websockets.ClientConnection, wanted: Callable[[Json], bool]) -> Json:
    """The tournament, once it is as wanted."""
    while True:
        message: Json = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if message["type"] == "tournament" and wanted(message["tournament"]):
            told: Json = message["tournament"]
            return told


async def made(house: House, **wanted: object) -> Json:
    answer = await house.http.post("/api/tournaments", json={"name": "Cup", "rules": "tictactoe", **wanted})
    assert answer.status_code == 201, answer.text
    told: Json = answer.json()
    return told


@in_browser
async def test_a_tournament_is_made_entered_played_and_over(house: House) -> None:
    told = await made(house, name=" Sunday   cup ", kind="swiss", rounds=1, clock="60+1")
    assert (told["name"], told["status"], told["made"], told["you"]) == ("Sunday cup", "open", True, None)
    assert (told["rules"]["k"], told["clock"], told["opening"]) == (3, "60+1", None)
    path = f"/api/tournaments/{told['id']}"
    async with visit(house.server) as friend, looking(friend, told["id"]) as socket:
        await hear(socket, lambda one: one["entrants"] == [])
        assert (await house.http.post(f"{path}/join", json={"name": "Mia"})).json()["you"] == 1
        joined = await friend.http.post(f"{path}/join", json={"name": " Finn "})
        assert (joined.json()["you"], joined.json()["made"]) == (2, False)
        assert (await friend.http.get("/api/visitor")).json()["name"] == "Finn"
        for what, body in (
            ("start", None),
            ("computers", {"player": "random"}),
            ("withdraw", {"entrant": 1}),
        ):
            refused = await friend.http.post(f"{path}/{what}", json=body)
            assert refused.status_code == 403
            assert "only the organiser of" in refused.json()["text"]
        begun = (await house.http.post(f"{path}/start")).json()
        (meeting,) = begun["played"][0]["meetings"]
        assert (meeting["points"], meeting["reason"]) == (None, None)
        assert (await house.http.post(f"{path}/start")).status_code == 409
        await hear(socket, lambda one: one["status"] == "running")
        async with house.sit(meeting["game"], cookie=True) as me:
            assert me.state["tournament"] == told["id"]
            assert me.you == [1 if meeting["first"] == 1 else 2]
            assert (await me.ask("resign"))["type"] == "done"
        ended = await hear(socket, lambda one: one["status"] == "over")
        assert [row["entrant"] for row in ended["table"]] == [2, 1]
        assert ended["table"][0]["points"] == 1
        for one in (house, friend):
            (listed,) = [
                each
                for each in (await one.http.get("/api/tournaments")).json()["tournaments"]
                if each["id"] == told["id"]
            ]
            assert listed["status"] == "over"
        assert (await friend.http.post(f"{path}/withdraw")).status_code == 409


@in_browser
async def test_computers_take_part(house: House) -> None:
    told = await made(house, rules="freestyle", size=9)
    path = f"/api/tournaments/{told['id']}"
    for player, status in (
        ("random", 200),
        ("random", 409),
        ("level:99", 422),
        ("cmd=./x", 422),
        ("", 422),
    ):
        answer = await house.http.post(f"{path}/computers", json={"player": player})
        assert answer.status_code == status, answer.text
    answer = await house.http.post(f"{path}/computers", json={"player": "lines"})
    occupants = [one["occupant"] for one in answer.json()["entrants"]]
    assert occupants[0] == "random"
    assert occupants[1].startswith("lines")
    async with looking(house, told["id"]) as socket:
        await house.http.post(f"{path}/start")
        ended = await hear(socket, lambda one: one["status"] == "over")
        assert sum(row["points"] for row in ended["table"]) == 1
        await socket.send("ping")
        assert json.loads(await asyncio.wait_for(socket.recv(), PATIENCE)) == {"type": "pong"}


@in_browser
async def test_what_cannot_be_is_told(house: House) -> None:
    for wrong, said in (
        ({"name": " "}, "1 to 60 visible characters"),
        ({"name": "x" * 61}, "1 to 60 visible characters"),
        ({"name": "a\u202eb"}, "1 to 60 visible characters"),
        ({"name": "\u3164"}, "1 to 60 visible characters"),
        ({"name": "a" + 9 * "\u0301"}, "1 to 60 visible characters"),
        ({"name": None}, "name"),
        ({"rules": "go"}, "go"),
        ({"opening": "nothing"}, "nothing"),
        ({"clock": "soon"}, "soon"),
        ({"clock": ""}, "needs a clock"),
        ({"kind": "knockout"}, "kind"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 3}, "at most 2"),
        ({"kind": "swiss", "rounds": 21}, "at most 20"),
        ({"take_backs": 3}, "take_backs"),
    ):
        answer = await house.http.post("/api/tournaments", json={"name": "Cup", **wrong})
        assert answer.status_code == 422, wrong
        assert said in answer.json()["text"]
        assert "\n" not in answer.json()["text"]
    path = f"/api/tournaments/{(await made(house))['id']}"
    for name in ("", "  ", "Level 3", "x" * 21):
        assert (await house.http.post(f"{path}/join", json={"name": name})).status_code == 422, name
    assert (await house.http.post(f"{path}/start")).status_code == 409
    assert (await house.http.post(f"{path}/withdraw")).status_code == 409
    assert (await house.http.post(f"{path}/withdraw", json={"entrant": 7})).status_code == 409
    for unknown in ("none", "%00", "天"):
        assert (await house.http.get(f"/api/tournaments/{unknown}")).status_code == 404
    async with looking(house, "none") as socket:
        refused = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        assert (refused["type"], refused["error"]["key"]) == ("refused", "error.web.tournament.none")


@in_browser
async def test_who_is_forgotten_withdraws_and_is_on_no_list(house: House) -> None:
    told = await made(house)
    path = f"/api/tournaments/{told['id']}"
    await house.http.post(f"{path}/join", json={"name": "Mia"})
    async with visit(house.server) as friend:
        await friend.http.post(f"{path}/join", json={"name": "Finn"})
        begun = (await house.http.post(f"{path}/start")).json()
        cookies = dict(friend.http.cookies)
        assert (await friend.http.delete("/api/visitor")).status_code == 204
        friend.http.cookies.update(cookies)
        assert (await friend.http.get("/api/tournaments")).json()["tournaments"] == []
        assert (await friend.http.get(path)).json()["you"] is None
    seen = (await house.http.get(path)).json()
    assert seen["status"] == "over"
    assert [(one["name"], one["withdrawn"]) for one in seen["entrants"]] == [("Mia", False), (None, True)]
    assert [(row["entrant"], row["points"]) for row in seen["table"]] == [(1, 1), (2, 0)]
    (meeting,) = begun["played"][0]["meetings"]
    game = (await house.http.get(f"/api/games/{meeting['game']}")).json()
    assert game["outcome"]["reason"] == "resigned"
    assert {seat["name"] for seat in game["seats"]} == {"Mia", None}
    assert (await house.http.delete("/api/visitor")).status_code == 204
    assert (await house.http.get(path)).json()["made"] is False


@pytest.mark.long
def test_it_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    words = ("serve", "--no-browser", "--port", str(free_port()), "--data", str(tmp_path))
    with command(tmp_path, *words) as first, httpx.Client(base_url=first.url) as http:
        me, friend = new_cookie(first.url), new_cookie(first.url)
        wanted = {"name": "Cup", "rounds": 2, "rules": "tictactoe"}
        path = f"/api/tournaments/{ask(http, '/api/tournaments', me, wanted)['id']}"
        for one, name in ((me, "Mia"), (friend, "Finn")):
            ask(http, f"{path}/join", one, {"name": name})
        begun = ask(http, f"{path}/start", me, {})
        first.process.kill()
        first.process.communicate()
    with command(tmp_path, *words) as second, httpx.Client(base_url=second.url) as http:
        for turn in (1, 2):
            game = f"/api/games/{begun['played'][-1]['meetings'][0]['game']}"
            version = http.get(game).json()["version"]
            ask(http, f"{game}/actions", friend, {"type": "resign", "version": version})
            until(lambda turn=turn: len(http.get(path).json()["played"]) > turn or turn == 2)  # type: ignore[misc]
            begun = http.get(path).json()
        until(lambda: http.get(path).json()["status"] == "over")
        rows = http.get(path).json()["table"]
        assert [(row["entrant"], row["points"]) for row in rows] == [(1, 2), (2, 0)]


def ask(http: httpx.Client, path: str, cookie: str, body: Json) -> Json:
    """What the server answers to somebody, who may not be refused."""
    answer = http.post(path, json=body, headers={"Cookie": cookie})
    assert answer.is_success, answer.text
    told: Json = answer.json()
    return told


def test_tournaments_cost_as_new_games_do_where_strangers_come() -> None:
    with serve(public=True, origin="http://127.0.0.1") as public, httpx.Client(base_url=public.url) as one:
        one.headers["Cookie"] = new_cookie(public.url)
        answers = [one.post("/api/tournaments", json={"name": "Cup"}).status_code for _ in range(30)]
        assert (answers[0], answers[-1]) == (201, 429)
        for what in ("join", "start", "computers"):
            assert one.post(f"/api/tournaments/none/{what}", json={"name": "x"}).status_code == 429
