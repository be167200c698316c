"""A database of before visitors had hashes: everybody is known again, and no cookie is left in it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import sqlalchemy as sql
from alembic import command

from tengen.web.database import tables
from tengen.web.database.connection import alembic_config, open_engine
from tengen.web.games import visitor_rows
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitor_cookies import visitor_id
from tests.positions import DATA
from tests.web.games.test_game_rows import settings
from tests.web.serving import Server, serve

__all__ = ["settings"]

Json = dict[str, Any]

FORMER: Json = json.loads((DATA / "former_database.json").read_text("utf-8"))
"""Rows of the tables at step 0008, and the cookies that three browsers had then."""

COOKIES: dict[str, str] = FORMER["cookies"]
STRANGER = "s" * 22


def make_former(settings: ServerSettings) -> None:
    """Make a database of step 0008 with those rows."""
    settings.data.mkdir(parents=True, exist_ok=True)
    engine = sql.create_engine(settings.database_url)
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0008")
        for name, rows in FORMER["rows"].items():
            table = tables.metadata.tables[name]
            values = [
                {
                    key: bool(value) if key == "rated" and name == "visitors" else value
                    for key, value in row.items()
                }
                for row in rows
            ]
            connection.execute(sql.insert(table), values)
    engine.dispose()


def every_text(settings: ServerSettings) -> str:
    """All that the database holds, as one text."""
    engine = sql.create_engine(settings.database_url)
    found = []
    with engine.connect() as connection:
        for name in sql.inspect(connection).get_table_names():
            found += [repr(tuple(row)) for row in connection.execute(sql.text(f'SELECT * FROM "{name}"'))]
    engine.dispose()
    return "\n".join(found)


@pytest.fixture
def former(settings: ServerSettings) -> ServerSettings:
    make_former(settings)
    return settings


@contextmanager
def served(settings: ServerSettings, **more: Any) -> Iterator[Server]:
    with serve(settings.data, database=settings.database, **more) as server:
        yield server


Asking = Callable[..., httpx.Response]


def browser(server: Server, cookie: str) -> httpx.Client:
    return httpx.Client(base_url=server.url, headers={"Cookie": cookie}, timeout=60)


def set_cookies(answer: httpx.Response) -> dict[str, str]:
    return dict(line.partition(";")[0].split("=", 1) for line in answer.headers.get_list("set-cookie"))


def test_all_is_there_for_who_comes_with_an_old_cookie(former: ServerSettings) -> None:
    games = FORMER["games"]
    with served(former) as server:
        with browser(server, f"tengen={COOKIES['anna']}") as anna:
            first = anna.get("/")
            assert anna.get("/api/visitor").json() == FORMER["ratings"]["anna"]
            shown = {game["id"] for game in anna.get("/api/games").json()["games"]}
            assert {games["invited"], games["rated"]} < shown
            assert games["alone"] not in shown, "she had taken it off her list"
            (cup,) = anna.get("/api/tournaments").json()["tournaments"]
            assert (cup["id"], cup["you"], cup["made"]) == (FORMER["tournament"], 1, True)
            for game, ply in ((games["invited"], 2), (games["alone"], 2)):
                move = {"point": "a1", "ply": ply}
                assert anna.post(f"/api/games/{game}/moves", json=move).status_code == 200
        cookie = "; ".join(f"{name}={value}" for name, value in set_cookies(first).items())
        with browser(server, cookie) as anna:
            assert anna.get("/api/visitor").json() == FORMER["ratings"]["anna"]
            assert {game["id"] for game in anna.get("/api/games").json()["games"]} == shown
        with browser(server, f"tengen={COOKIES['carl']}") as carl:
            assert len(carl.get("/api/tournaments").json()["tournaments"]) == 1
            assert carl.get("/api/visitor").json()["name"] == "Carl"


def test_no_cookie_is_left_in_the_database(former: ServerSettings) -> None:
    before = every_text(former)
    assert all(cookie in before for cookie in COOKIES.values())
    with served(former) as server, browser(server, f"tengen={COOKIES['ben']}") as ben:
        assert ben.post("/api/visitor", json={"name": "Ben"}).status_code == 200
        assert ben.post("/api/games", json={}).status_code == 201
    after = every_text(former)
    assert not any(cookie in after for cookie in COOKIES.values())
    assert all(visitor_id(cookie) in after for cookie in COOKIES.values())


def test_an_old_cookie_is_replaced_over_https_by_one_that_no_other_host_can_set(
    former: ServerSettings,
) -> None:
    with served(former, public=True, origin="https://tengen.example") as server:
        with browser(server, f"tengen={COOKIES['ben']}") as ben:
            answer = ben.get("/")
            told = ben.get("/api/visitor").json()
        given, gone = answer.headers.get_list("set-cookie")
        assert given.startswith("__Host-tengen=")
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(given.split("; "))
        assert "Domain" not in given
        assert gone.startswith("tengen=;")
        assert "Max-Age=0" in gone
        assert told == FORMER["ratings"]["ben"]
        with browser(server, given.partition(";")[0]) as ben:
            assert ben.get("/api/visitor").json() == told
        # The signed value counts under the name that only this host can set.
        with browser(server, given.partition(";")[0].removeprefix("__Host-")) as ben:
            assert ben.get("/api/visitor").json()["name"] == ""


def test_an_invented_cookie_of_the_old_form_is_nobody(former: ServerSettings) -> None:
    with served(former) as server, browser(server, f"tengen={STRANGER}") as stranger:
        made = stranger.post("/api/games", json={})
        assert made.status_code == 201
        assert set_cookies(made)["tengen"].partition(".")[0] != STRANGER
        assert stranger.get("/api/games").json()["total"] == 0
    assert visitor_id(STRANGER) not in every_text(former)


def test_an_old_cookie_is_recognised_for_a_day_after_it_has_been_replaced(former: ServerSettings) -> None:
    engine, who, now = open_engine(former), visitor_id(COOKIES["anna"]), time.time()
    with engine.begin() as connection:
        assert visitor_rows.is_former(connection, who, now + 300 * 24 * 3600)
        visitor_rows.note_replaced(connection, who, now)
        assert visitor_rows.is_former(connection, who, now + 3600)
        visitor_rows.note_replaced(connection, who, now + 3600)
        assert not visitor_rows.is_former(connection, who, now + 24 * 3600 + 1)
        assert visitor_rows.is_former(connection, visitor_id(COOKIES["ben"]), now + 24 * 3600 + 1)
    engine.dispose()


def test_pages_that_are_left_open_over_the_update_stay_known(former: ServerSettings) -> None:
    """A WebSocket sets no cookie, so the old one goes on to count."""
    from websockets.sync.client import connect

    with served(former) as server:
        url = f"{server.ws}/api/games/{FORMER['games']['invited']}/live"
        with connect(url, additional_headers={"Cookie": f"tengen={COOKIES['ben']}"}) as socket:
            socket.send(json.dumps({"type": "hello", "tokens": []}))
            assert json.loads(socket.recv(60))["you"] == [2]
    engine = open_engine(former)
    with engine.begin() as connection:
        later = time.time() + 30 * 24 * 3600
        assert visitor_rows.is_former(connection, visitor_id(COOKIES["ben"]), later)
    engine.dispose()


def test_who_is_forgotten_is_not_recognised_by_an_old_cookie(former: ServerSettings) -> None:
    with served(former) as server, browser(server, f"tengen={COOKIES['anna']}") as anna:
        assert anna.delete("/api/visitor").status_code == 204
        assert anna.get("/api/visitor").json() == {"name": "", "rated": False, "ratings": {}}
        seats = anna.get(f"/api/games/{FORMER['games']['alone']}").json()["seats"]
        assert [seat["name"] for seat in seats] == [None, None]
    assert visitor_id(COOKIES["anna"]) not in every_text(former)
