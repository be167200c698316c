"""The lobby as browsers and programs use it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
import websockets

from tests.web.clients import PATIENCE, House, Json, new_cookie, visit
from tests.web.games.test_live import in_browser, server
from tests.web.serving import serve

__all__ = ["server"]


@asynccontextmanager
async def looking(house: House) -> AsyncIterator[websockets.ClientConnection]:
    """Somebody who looks at the lobby."""
    cookies = "; ".join(f"{name}={value}" for name, value in house.http.cookies.items())
    url = f"{house.server.ws}/api/challenges/live"
    async with websockets.connect(url, additional_headers={"Cookie": cookies}) as socket:
        yield socket


async def hear(socket: websockets.ClientConnection, kind: str) -> Json:
    """The next message of a kind."""
    while True:
        message: Json = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if message["type"] == kind:
            return message


@in_browser
async def test_a_challenge_is_opened_seen_accepted_and_played(house: House) -> None:
    await house.http.get("/")
    async with looking(house) as mine, visit(house.server) as friend, looking(friend) as theirs:
        assert (await hear(theirs, "challenges"))["own"] is None
        wanted = {"rules": "standard", "size": 19, "clock": "180+2", "colour": "white", "opening": "free"}
        opened = await house.http.post("/api/challenges", json=wanted)
        assert opened.status_code == 201
        told = await hear(theirs, "challenges")
        while not told["challenges"]:
            told = await hear(theirs, "challenges")
        (challenge,) = told["challenges"]
        assert challenge == opened.json()
        assert (challenge["rules"]["width"], challenge["colour"]) == (19, "white")
        assert (await friend.http.get("/api/challenges")).json()["challenges"] == [challenge]
        path = f"/api/challenges/{challenge['id']}/accept"
        refused = await house.http.post(path)
        assert refused.status_code == 409
        assert "your own" in refused.json()["text"]
        accepted = await friend.http.post(path)
        assert accepted.status_code == 201
        game = accepted.json()
        assert (await hear(mine, "game"))["id"] == game["id"]
        assert (await house.http.delete("/api/challenges")).status_code == 204
        assert game["seats"]["black"]
        assert game["seats"]["white"] is None
        async with house.sit(game["id"], cookie=True) as me, friend.sit(game["id"], cookie=True) as other:
            assert (me.you, other.you) == ([2], [1])
            await other.play("a1")
            await me.until_state(lambda state: state["ply"] == 1)
        assert (await friend.http.post(path)).status_code == 409


@in_browser
async def test_a_challenge_is_withdrawn(house: House) -> None:
    await house.http.post("/api/challenges", json={})
    async with looking(house) as mine:
        while not (told := await hear(mine, "challenges"))["own"]:
            pass
        assert told["own"] == told["challenges"][0]["id"]
        await house.http.delete("/api/challenges")
        assert (await hear(mine, "challenges"))["challenges"] == []


@in_browser
async def test_another_name_is_seen_in_the_lobby(house: House) -> None:
    await house.http.post("/api/challenges", json={})
    async with looking(house) as mine:
        await house.http.post("/api/visitor", json={"name": "Anna"})
        while [one["name"] for one in (await hear(mine, "challenges"))["challenges"]] != ["Anna"]:
            pass
    await house.http.delete("/api/challenges")


@in_browser
async def test_a_sign_of_life(house: House) -> None:
    async with looking(house) as socket:
        for text in ('{"type": "ping"}', "no JSON"):
            await socket.send(text)
            assert await hear(socket, "pong") == {"type": "pong"}


@in_browser
async def test_what_cannot_be_offered_is_told(house: House) -> None:
    for wanted, said in (
        ({"rules": "go"}, "go"),
        ({"opening": "nothing"}, "nothing"),
        ({"clock": "soon"}, "soon"),
        ({"colour": "red"}, "colour"),
        ({"black": "level:3"}, "black"),
        ({"take_backs": -1}, "take_backs"),
    ):
        answer = await house.http.post("/api/challenges", json=wanted)
        assert answer.status_code == 422, wanted
        assert said in answer.json()["text"]
    assert (await house.http.get("/api/challenges")).json() == {"challenges": []}


@pytest.mark.long
def test_challenges_cost_as_new_games_do_where_strangers_come() -> None:
    with serve(public=True, origin="http://127.0.0.1") as public, httpx.Client(base_url=public.url) as one:
        one.headers["Cookie"] = new_cookie(public.url)
        answers = [one.post("/api/challenges", json={}).status_code for _ in range(30)]
        assert (answers[0], answers[-1]) == (201, 429)
        assert one.post("/api/challenges/none/accept").status_code == 429
