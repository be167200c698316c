"""Games in which nobody may be helped: by hints, by what a computer thinks, or by analysis."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from tests.web.clients import visit
from tests.web.serving import Server

Json = dict[str, Any]


def create(one: httpx.Client, **wanted: Any) -> str:
    game: str = one.post("/api/games", json=wanted).json()["id"]
    return game


def unaided(one: httpx.Client, game: str) -> bool:
    told: bool = one.get(f"/api/games/{game}").json()["unaided"]
    return told


def hint(one: httpx.Client, game: str) -> httpx.Response:
    return one.post(f"/api/games/{game}/actions", json={"type": "hint"})


def test_people_in_two_places_are_not_helped_until_the_game_is_over(
    anna: httpx.Client, ben: httpx.Client, house: Server
) -> None:
    game = create(anna, rules="tictactoe", open="white")
    assert unaided(anna, game), "who waits could ask before the other one comes"
    assert hint(anna, game).json()["error"]["key"] == "error.web.no_hints"
    ben.post(f"/api/games/{game}/join")
    with httpx.Client(base_url=house.url) as stranger:
        assert all(unaided(one, game) for one in (anna, ben, stranger))
    assert hint(anna, game).json()["error"]["key"] == "error.web.no_hints"
    version = anna.get(f"/api/games/{game}").json()["version"]
    anna.post(f"/api/games/{game}/actions", json={"type": "resign", "version": version})
    assert not unaided(anna, game)


def test_games_against_computers_and_at_one_device_are_open(anna: httpx.Client, house: Server) -> None:
    for wanted in ({"white": "lines"}, {}, {"black": "lines", "white": "lines"}):
        game = create(anna, rules="tictactoe", **wanted)
        assert not unaided(anna, game)
        with httpx.Client(base_url=house.url) as stranger:
            assert not unaided(stranger, game)


def test_a_game_of_a_tournament_is_closed_even_against_a_computer(anna: httpx.Client) -> None:
    made = anna.post("/api/tournaments", json={"name": "Cup", "rules": "freestyle"}).json()
    cup = f"/api/tournaments/{made['id']}"
    anna.post(f"{cup}/join", json={"name": "Anna"})
    anna.post(f"{cup}/computers", json={"player": "minimax,depth=2"})
    begun = anna.post(f"{cup}/start").json()
    game = begun["played"][0]["meetings"][0]["game"]
    assert unaided(anna, game)

    async def watch() -> list[Json]:
        async with visit(house_of(anna)) as me:
            me.http.cookies.update(anna.cookies)
            async with me.sit(game, cookie=True) as seat:
                if seat.state["actor"] in seat.you:
                    await seat.play("h8")
                await seat.until_state(lambda state: bool(state["moves"]) and state["actor"] in seat.you)
                return seat.heard

    for said in asyncio.run(watch()):
        if said["type"] == "thinking":
            assert not {"point", "line", "win_rate", "value"} & said.keys()
    record = anna.get(f"/api/games/{game}/record", params={"format": "tengen"}).json()["record"]
    assert not any("score" in node for node in record["nodes"])


def test_a_computers_scores_stand_in_other_records(anna: httpx.Client) -> None:
    game = create(anna, white="minimax,depth=2")
    anna.post(f"/api/games/{game}/moves", json={"point": "h8", "ply": 0})
    for _ in range(600):
        state = anna.get(f"/api/games/{game}").json()
        if state["ply"] == 2:
            break
    record = anna.get(f"/api/games/{game}/record", params={"format": "tengen"}).json()["record"]
    assert any("score" in node for node in record["nodes"])


def house_of(client: httpx.Client) -> Server:
    """The server that a client asks, as far as `visit` needs it."""
    server = object.__new__(Server)
    server.url = str(client.base_url).rstrip("/")
    server.ws = server.url.replace("http", "ws")
    return server
