"""Games that a page has begun without Python, taken over by the app."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import websockets.sync.client

from tengen.formats import jsonformat
from tengen.web.browser import early_game
from tests.web.serving import Server, serve

Json = dict[str, Any]

BLACK, WHITE = "b-Z_9" + "b" * 17, "w" * 22


@pytest.fixture(scope="module")
def app() -> Iterator[Server]:
    """A server that has the route which else only the app in a page has."""
    with serve() as running:
        running.app.include_router(early_game.router)
        yield running


@pytest.fixture
def client(app: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=app.url) as client:
        yield client


def early(number: int, moves: str, black: str = "human", white: str = "level:1", **game: Any) -> Json:
    """The request to take over a game whose players took a second for each move."""
    seats = {"black": BLACK, "white": None} if black == "human" else {"black": None, "white": WHITE}
    return {
        "id": f"{number:022}",
        "game": {"rules": "freestyle", "size": [15, 15], "black": black, "white": white, **game},
        "seats": seats,
        "moves": [{"point": point, "seconds": 1.0} for point in moves.split()],
    }


def taken(client: httpx.Client, body: Json) -> Json:
    answer = client.post("/api/games/early", json=body)
    assert answer.status_code == 201, answer.text
    started: Json = answer.json()
    return started


def state_after(client: httpx.Client, game: str, ply: int) -> Json:
    """The state once so many moves have been played."""
    end = time.monotonic() + 30
    while (state := client.get(f"/api/games/{game}").json())["ply"] < ply:
        assert time.monotonic() < end
        time.sleep(0.02)
    result: Json = state
    return result


def act(client: httpx.Client, game: str, **message: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {BLACK}"}
    return client.post(f"/api/games/{game}/actions", json=message, headers=headers)


def test_a_game_goes_on_under_its_id(client: httpx.Client) -> None:
    body = early(1, "h8 i9")
    started = taken(client, body)
    assert (started["id"], started["seats"]) == (body["id"], body["seats"])
    state = started["state"]
    assert (state["moves"], state["version"], state["actor"]) == (["h8", "i9"], 3, 1)
    assert [seat["occupant"] for seat in state["seats"]] == ["human", "level:1"]
    assert state["take_backs"] == {"black": 5, "white": 5}
    assert state["setup"] is None
    assert state["begun"] is True
    # It is on the visitor's list, and the token gives the seat.
    assert body["id"] in [one["id"] for one in client.get("/api/games").json()["games"]]
    client.cookies.clear()
    assert act(client, body["id"], type="move", point="h9", ply=2).status_code == 200
    assert state_after(client, body["id"], 4)["moves"][:3] == ["h8", "i9", "h9"]


def test_a_computer_that_is_to_move_moves(client: httpx.Client) -> None:
    assert taken(client, early(2, "h8"))["state"]["thinking"] is True
    assert state_after(client, f"{2:022}", 2)["moves"][0] == "h8"
    taken(client, early(3, "", black="level:1", white="human"))
    assert state_after(client, f"{3:022}", 1)["moves"] == ["h8"]


def test_moves_can_be_taken_back(client: httpx.Client) -> None:
    """Also by a message that the page sent, by its version, before the game was taken over."""
    game = taken(client, early(4, "h8 i9 h9 h10"))["id"]
    assert act(client, game, type="take_back", version=5).status_code == 200
    state = client.get(f"/api/games/{game}").json()
    assert state["moves"] == ["h8", "i9"]
    assert state["take_backs"]["black"] == 4


def test_times_and_scores_are_in_the_record(client: httpx.Client) -> None:
    body = early(5, "h8 i9 h9 h10")
    body["moves"][1] |= {"seconds": 2.5, "value": 37}
    body["moves"][3] |= {"value": 29_990, "mate": -6}
    game = taken(client, body)["id"]
    data = client.get(f"/api/games/{game}/record", params={"format": "tengen"}).json()["record"]
    nodes = list(jsonformat.game_record(data).main_line())
    assert [node.seconds for node in nodes] == pytest.approx([1, 2.5, 1, 1], abs=0.01)
    assert [node.score and (node.score.value, node.score.mate) for node in nodes[:2]] == [None, (37, None)]
    assert nodes[3].score is not None
    assert nodes[3].score.mate == -6


def test_two_people_play_at_one_page(client: httpx.Client) -> None:
    body = early(10, "h8 i9 h9", white="human")
    body["seats"]["white"] = WHITE
    state = taken(client, body)["state"]
    assert (state["actor"], state["unaided"], state["moves"]) == (2, False, ["h8", "i9", "h9"])


def test_a_game_that_has_ended_is_over(client: httpx.Client) -> None:
    state = taken(client, early(6, "h8 a1 i8 a2 j8 a3 k8 a4 l8"))["state"]
    assert (state["outcome"]["winner"], state["outcome"]["reason"]) == ("black", "five")
    assert state["outcome"]["line"] == ["h8", "i8", "j8", "k8", "l8"]


def test_the_same_game_twice_is_one(client: httpx.Client) -> None:
    body = early(7, "h8 i9")
    first = taken(client, body)
    assert act(client, body["id"], type="move", point="h9", ply=2).status_code == 200
    again = taken(client, body)
    assert again["seats"] == first["seats"]
    assert again["state"]["moves"][:3] == ["h8", "i9", "h9"]


def test_its_page_sees_the_state_as_in_any_game(app: Server, client: httpx.Client) -> None:
    game = taken(client, early(8, "h8 i9"))["id"]
    with websockets.sync.client.connect(f"{app.ws}/api/games/{game}/live") as socket:
        socket.send(json.dumps({"type": "hello", "tokens": [BLACK]}))
        hello = json.loads(socket.recv())
    assert (hello["type"], hello["you"], hello["state"]["moves"]) == ("state", [1], ["h8", "i9"])


WRONG: list[tuple[Json, str]] = [
    ({"id": "short"}, "id"),
    ({"id": 7}, "id"),
    ({"moves": [{"point": "h8", "seconds": -1}]}, "seconds"),
    ({"moves": [{"point": "h8"}]}, "seconds"),
    ({"moves": [{"point": "h8", "seconds": 1}, {"point": "h8", "seconds": 1}]}, "occupied"),
    ({"moves": [{"point": "z9", "seconds": 1}]}, "z9"),
    ({"moves": [{"point": "??", "seconds": 1}]}, "??"),
    ({"moves": 3}, "moves"),
    ({"seats": {"black": None, "white": None}}, "seats"),
    ({"seats": {"black": BLACK, "white": WHITE}}, "seats"),
    ({"game": {"rules": "chess"}}, "chess"),
    ({"game": {"black": "human", "white": "cmd=./program"}}, "is not a player"),
    ({"more": 1}, "more"),
]


@pytest.mark.parametrize(("change", "said"), WRONG, ids=[said for _, said in WRONG])
def test_wrong_data_is_refused_in_one_sentence(client: httpx.Client, change: Json, said: str) -> None:
    answer = client.post("/api/games/early", json={**early(9, "h8"), **change})
    assert answer.status_code in (400, 422)
    body = answer.json()
    assert body["error"]["key"]
    assert said in body["text"]
    assert "\n" not in body["text"]
    assert client.get(f"/api/games/{9:022}").status_code == 404
