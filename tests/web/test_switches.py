"""What an operator switches off is off, and the document tells pages so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.web.serving import Server, serve

BY_LINK = {"open": "white"}


def off(server: Server, path: str = "/") -> list[str]:
    """What the document says is off."""
    found = re.search(r'<html[^>]* data-off="([^"]*)"', httpx.get(server.url + path).text)
    return found.group(1).split() if found else []


def key(answer: httpx.Response) -> str:
    assert answer.status_code == 403, answer.text
    said: str = answer.json()["error"]["key"]
    return said


def test_nothing_is_off_unless_it_is_switched_off():
    with serve() as server:
        assert off(server) == []
        assert httpx.get(f"{server.url}/api/server").json()["off"] == []
        assert httpx.get(f"{server.url}/lobby").status_code == 200


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str, str]]:
    """A server that has been closed while a game goes on, with its id and Black's token."""
    data = tmp_path_factory.mktemp("closed")
    with serve(data) as server:
        made = httpx.post(f"{server.url}/api/games", json={"rules": "tictactoe"}).json()
    with serve(data, closed=True) as server:
        yield server, made["id"], made["seats"]["black"]


def test_no_game_is_begun_in_any_way(closed):
    server, game, _ = closed
    for path, body in (
        ("/api/games", {}),
        ("/api/games", BY_LINK),
        ("/api/tournaments", {"name": "Cup"}),
        ("/api/tournaments/nothing/join", {"name": "Anna"}),
        ("/api/tournaments/nothing/start", None),
        (f"/api/games/{game}/again", None),
        (f"/api/games/{game}/actions", {"type": "again"}),
    ):
        assert key(httpx.post(server.url + path, json=body)) == "error.web.off.games"
    with connect(f"{server.ws}/api/games/{game}/live") as socket:
        socket.send(json.dumps({"type": "hello", "tokens": []}))
        socket.send(json.dumps({"type": "again", "id": 1}))
        while (told := json.loads(socket.recv(60)))["type"] != "refused":
            pass
    assert told["error"]["key"] == "error.web.off.games"


def test_games_that_go_on_are_finished(closed):
    server, game, token = closed
    answer = httpx.post(
        f"{server.url}/api/games/{game}/moves",
        json={"point": "b2", "ply": 0},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert answer.json()["moves"] == ["b2"]


def test_the_lobby_is_closed_too_and_the_rest_is_not(closed):
    server, *_ = closed
    assert off(server) == ["games", "lobby"]
    assert httpx.get(f"{server.url}/api/challenges").status_code == 404
    assert httpx.post(f"{server.url}/api/position", json={"moves": "h8"}).status_code == 200


def test_without_a_lobby_there_is_no_page_and_no_way_to_it():
    with serve(lobby=False) as server:
        assert off(server) == ["lobby"] == httpx.get(f"{server.url}/api/server").json()["off"]
        page = httpx.get(f"{server.url}/lobby", headers={"Accept": "text/html"})
        assert page.status_code == 404
        assert 'data-off="lobby"' in page.text
        assert httpx.post(f"{server.url}/api/challenges", json={}).status_code == 404
        with pytest.raises(InvalidStatus):
            connect(f"{server.ws}/api/challenges/live")
        assert httpx.post(f"{server.url}/api/games", json=BY_LINK).status_code == 201


def test_without_names_nobody_has_one(tmp_path):
    with serve(tmp_path) as server, httpx.Client(base_url=server.url) as anna:
        assert anna.post("/api/visitor", json={"name": "Anna"}).status_code == 200
        cookies = anna.cookies
    with serve(tmp_path, names=False) as server, httpx.Client(base_url=server.url) as anna:
        anna.cookies.update(cookies)
        assert key(anna.post("/api/visitor", json={"name": "Berta"})) == "error.web.off.names"
        assert anna.get("/api/visitor").json()["name"] == ""
        made = anna.post("/api/games", json=BY_LINK).json()
        assert [seat["name"] for seat in made["state"]["seats"]] == [None, None]
        assert anna.post("/api/challenges", json={}).json()["name"] is None
        assert anna.get("/api/challenges").json()["challenges"][0]["name"] is None
        # Ratings need no name, and a name can be given up.
        assert anna.post("/api/visitor", json={"rated": True, "name": ""}).status_code == 200
        assert off(server) == ["names"]


def test_without_names_no_tournament_is_made_or_entered(tmp_path):
    with serve(tmp_path) as server, httpx.Client(base_url=server.url) as anna:
        path = f"/api/tournaments/{anna.post('/api/tournaments', json={'name': 'Cup'}).json()['id']}"
    with serve(tmp_path, names=False) as server, httpx.Client(base_url=server.url) as anna:
        for one, name in (("/api/tournaments", "Cup"), (f"{path}/join", "Anna")):
            assert key(anna.post(one, json={"name": name})) == "error.web.off.tournaments"
        assert anna.get(path).json()["entrants"] == []


@pytest.mark.long
def test_without_phrases_nobody_says_any():
    with serve(phrases=False) as server, httpx.Client(base_url=server.url) as anna:
        game = anna.post("/api/games", json=BY_LINK).json()["id"]
        httpx.post(f"{server.url}/api/games/{game}/join")
        said = anna.post(f"/api/games/{game}/actions", json={"type": "say", "phrase": "hello"})
        assert key(said) == "error.web.off.phrases"
        assert off(server) == ["phrases"]
