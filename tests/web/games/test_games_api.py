from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from tengen.formats import jsonformat, sgf
from tests.web.serving import Server

Json = dict[str, Any]


def made(client: httpx.Client, **wanted: Any) -> Json:
    answer = client.post("/api/games", json=wanted)
    assert answer.status_code == 201, answer.text
    game: Json = answer.json()
    return game


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def play(client: httpx.Client, game: str, token: str, point: str, ply: int) -> httpx.Response:
    body = {"point": point, "ply": ply}
    return client.post(f"/api/games/{game}/moves", json=body, headers=bearer(token))


def refused(answer: httpx.Response, status: int) -> str:
    body = answer.json()
    assert answer.status_code == status, body
    assert body["error"]["key"]
    text: str = body["text"]
    return text


def test_a_game_is_begun_looked_at_and_played(anna: httpx.Client) -> None:
    game = made(anna, rules="renju", size=9, take_backs=None)
    assert len(game["id"]) == 22
    assert game["state"]["rules"]["width"] == 9
    assert game["state"]["take_backs"] == {"black": None, "white": None}
    state = play(anna, game["id"], game["seats"]["black"], "e5", 0).json()
    assert (state["moves"], state["turn"]) == (["e5"], "white")
    assert anna.get(f"/api/games/{game['id']}").json() == state


def test_a_move_that_is_repeated_is_answered_as_the_first(anna: httpx.Client) -> None:
    game = made(anna)
    answers = [play(anna, game["id"], game["seats"]["black"], "h8", 0) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len({answer.text for answer in answers}) == 1
    assert "has moved on" in refused(play(anna, game["id"], game["seats"]["black"], "i9", 0), 409)


def test_who_may_play(anna: httpx.Client, ben: httpx.Client) -> None:
    game = made(anna)
    point = {"point": "h8", "ply": 0}
    path = f"/api/games/{game['id']}/moves"
    assert "watching" in refused(ben.post(path, json=point), 401)
    assert "token" in refused(play(ben, game["id"], "nobody's", "h8", 0), 403)
    # The browser that began the game needs no token, and whoever has one may be anybody.
    assert anna.post(path, json=point).status_code == 200
    assert play(ben, game["id"], game["seats"]["white"], "i9", 1).status_code == 200
    assert "not your turn" in refused(play(ben, game["id"], game["seats"]["white"], "i10", 2), 409)
    missing = refused(play(anna, "A" * 22, game["seats"]["white"], "h8", 0), 404)
    assert "no such game" in missing


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"rules": "chess"}, "chess"),
        ({"size": 51}, "51"),
        ({"black": "cmd=./program"}, "is not a player"),
        ({"black": "prover:file=win.proof"}, "is not a player"),
        ({"black": "engine", "rules": "tictactoe"}, "does not play"),
        ({"opening": "swap2", "rules": "tictactoe"}, "five in a row"),
        ({"opening": "nonsense"}, "nonsense"),
        ({"clock": "soon"}, "soon"),
        ({"take_backs": -1}, "take_backs"),
        ({"pace": -1}, "pace"),
        ({"moves": "h8h8"}, "h8"),
        ({"open": "black", "black": "level:1"}, "only a person's seat"),
        ({"weather": "fine"}, "weather"),
        ({"opening": "swap2", "moves": "h8"}, "empty board"),
    ],
)
def test_games_that_cannot_be(anna: httpx.Client, wanted: Json, said: str) -> None:
    assert said in refused(anna.post("/api/games", json=wanted), 422)


def test_a_body_that_is_no_json(anna: httpx.Client) -> None:
    game = made(anna)
    for path in ("/api/games", f"/api/games/{game['id']}/moves", f"/api/games/{game['id']}/actions"):
        answer = anna.post(path, content=b"{", headers={"Content-Type": "application/json"})
        assert "JSON" in refused(answer, 400)
    deep = b'{"rules":' + b"[" * 5000 + b"]" * 5000 + b"}"
    assert anna.post("/api/games", content=deep).status_code in (400, 422)


def test_a_friend_takes_the_open_seat(anna: httpx.Client, ben: httpx.Client, house: Server) -> None:
    game = made(anna, open="black")
    assert game["seats"]["black"] is None
    assert [seat["open"] for seat in game["state"]["seats"]] == [True, False]
    path = f"/api/games/{game['id']}/join"
    own = anna.post(path).json()
    assert own["participant"] == 2  # whoever began the game has a seat already
    joined = ben.post(path).json()
    assert joined["participant"] == 1
    assert not any(seat["open"] for seat in joined["state"]["seats"])
    assert ben.post(path).json()["participant"] == 1
    with httpx.Client(base_url=house.url) as third:
        assert "both seats" in refused(third.post(path), 409)
    state = play(ben, game["id"], joined["token"], "h8", 0).json()
    paused = action(anna, game["id"], "pause", version=state["version"])
    assert "your opponent is a person" in refused(paused, 409)


def action(anna: httpx.Client, game: str, kind: str, **fields: Any) -> httpx.Response:
    return anna.post(f"/api/games/{game}/actions", json={"type": kind, **fields})


def test_actions_are_the_messages_of_the_websocket(anna: httpx.Client) -> None:
    game = made(anna, opening="swap")
    for ply, point in enumerate(("h8", "i9", "j10")):
        assert action(anna, game["id"], "move", point=point, ply=ply).status_code == 200
    state = action(anna, game["id"], "choose", option="black", ply=3).json()
    assert state["opening"] is None
    state = action(anna, game["id"], "take_back", version=state["version"]).json()
    assert state["ply"] == 2
    assert "has moved on" in refused(action(anna, game["id"], "resign", version=1), 409)
    while (hint := action(anna, game["id"], "hint")).status_code == 503:
        time.sleep(0.5)  # the engine may have to be compiled first
    assert hint.json()["point"]
    assert action(anna, game["id"], "hurry").json()["ply"] == 2
    state = action(anna, game["id"], "resign", version=state["version"]).json()
    assert state["outcome"]["reason"] == "resigned"
    assert "over" in refused(action(anna, game["id"], "hint"), 409)
    assert "type" in refused(action(anna, game["id"], "fly"), 422)
    assert "version" in refused(action(anna, game["id"], "resign"), 422)


def test_another_game_with_exchanged_seats(anna: httpx.Client, ben: httpx.Client) -> None:
    game = made(anna, white="level:2", rules="caro", clock="300+5")
    path = f"/api/games/{game['id']}/again"
    assert "watching" in refused(ben.post(path), 401)
    answer = anna.post(path, json={"swap": True})
    assert answer.status_code == 201
    second = answer.json()
    assert second["seats"]["black"] is None
    assert [seat["occupant"] for seat in second["state"]["seats"]] == ["level:2", "human"]
    assert (second["state"]["rules_name"], second["state"]["control"]) == ("caro", "300+5")
    assert anna.get(f"/api/games/{game['id']}").json()["again"] == second["id"]
    assert anna.post(path).json()["id"] == second["id"]


def test_my_games(anna: httpx.Client, ben: httpx.Client) -> None:
    first = made(anna, rules="tictactoe", white="lookup")
    second = made(anna, rules="renju", white="level:3", opening="rif")
    watched = made(anna, black="random,seed=1", white="random,seed=2", rules="tictactoe")
    listed = anna.get("/api/games").json()
    assert listed["total"] == 3
    assert {game["id"]: game["participant"] for game in listed["games"]} == {
        first["id"]: 1,
        second["id"]: 1,
        watched["id"]: None,
    }
    found = anna.get("/api/games", params={"q": "renju rif"}).json()
    assert [game["id"] for game in found["games"]] == [second["id"]]
    assert found["games"][0]["summary"] == {
        "rules": "renju",
        "size": "15x15",
        "opening": "rif",
        "black": "human",
        "white": "level:3",
        "black_participant": 1,
        "result": "",
        "reason": "",
        "plies": 0,
        "black_name": "",
        "white_name": "",
    }
    assert ben.get("/api/games").json() == {"games": [], "total": 0}
    assert anna.delete(f"/api/games/{second['id']}").status_code == 204
    assert anna.get("/api/games").json()["total"] == 2
    assert anna.get(f"/api/games/{second['id']}").status_code == 200
    assert anna.get("/api/games", params={"status": "lost"}).status_code == 422


def test_a_game_as_a_file(anna: httpx.Client) -> None:
    game = made(anna, rules="tictactoe")
    tokens = [game["seats"]["black"], game["seats"]["white"]]
    for ply, point in enumerate(["b2", "a1", "b1", "a2", "b3"]):
        assert play(anna, game["id"], tokens[ply % 2], point, ply).status_code == 200
    path = f"/api/games/{game['id']}/record"
    file = anna.get(path)
    assert file.headers["content-disposition"].endswith('.sgf"')
    record = sgf.read(file.content).records[0]
    assert str(record.rules.k) == "3"
    assert len(record.main_line()) == 5
    told = anna.get(path, params={"format": "tengen"}).json()["record"]
    assert jsonformat.game_record(told).headers["result"] == "black"
    assert "sgf" in refused(anna.get(path, params={"format": "doc"}), 422)
    assert anna.get(f"/api/games/{'B' * 22}/record").status_code == 404


def test_a_position_to_begin_from(anna: httpx.Client) -> None:
    setup = {"black": ["h8", "j8"], "white": ["h9"], "turn": "white"}
    state = made(anna, setup=setup, moves=["a1"])["state"]
    assert (state["setup"], state["moves"], state["turn"]) == (setup, ["a1"], "black")
    assert state["numbered_from"] == 3


def test_all_kinds_of_rules_can_be_asked_for(anna: httpx.Client) -> None:
    state = made(anna, rules="mnk:7,6,4", black="mcts,playouts=50")["state"]
    assert (state["rules_name"], state["rules"]["k"]) == ("mnk:7,6,4", 4)
    wide = made(anna, size=[20, 15], rules="standard")["state"]
    assert (wide["rules"]["width"], wide["rules"]["height"]) == (20, 15)
    claimed = made(anna, rules="renju", fouls="claimed")["state"]
    assert (claimed["fouls_mode"], claimed["rules_name"]) == ("claimed", "renju")
    again = made(anna, rules=claimed["rules"])["state"]
    assert again["rules"] == claimed["rules"]
    assert json.dumps(again, allow_nan=False)
