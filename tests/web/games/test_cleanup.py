"""Games that nobody has changed for long go, all others stay."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing

import httpx
import pytest

from tengen.web.database.connection import open_engine
from tengen.web.database.repository import Repository
from tengen.web.games import game_lists, game_rows, storage, visitor_rows
from tests.console import until
from tests.web.games.test_game_rows import ANNA, a_game, settings
from tests.web.serving import serve

__all__ = ["settings"]

DAY = 24 * 3600


async def test_old_games_and_their_visits_are_deleted_and_others_stay(settings):
    now = time.time()
    old = [a_game(updated=now - 8 * DAY) for _ in range(5)]
    new = [a_game(updated=now - 6 * DAY), a_game()]
    repository = Repository(settings)
    try:
        for game in (*old, *new):
            await repository.write("", storage.create, game)
            await repository.write("", game_lists.join, game.id, ANNA, 1)
        deleted = [await repository.write("", game_rows.delete_unused, now - 7 * DAY, 2) for _ in range(4)]
        assert deleted == [2, 2, 1, 0]
        assert [await repository.read(game_rows.load, game.id) for game in old] == [None] * 5
        assert [await repository.read(game_rows.load, game.id) for game in new] == new
        assert (await repository.read(game_lists.games_of, ANNA))[1] == 2
    finally:
        await repository.close()


@pytest.mark.parametrize(("days", "status"), [(None, 200), (0, 200), (30, 404)])
@pytest.mark.long
def test_a_server_deletes_them_if_it_is_told_to(tmp_path, days, status):
    with serve(tmp_path) as server:
        old = httpx.post(f"{server.url}/api/games", json={"rules": "tictactoe"}).json()["id"]
    age(tmp_path)
    with serve(tmp_path, delete_after=days) as server:
        # Nobody looks at it before: a game that somebody has opened stays in memory for a while.
        if status == 404:
            until(lambda: not games_in(tmp_path))
        else:
            time.sleep(0.5)
        assert httpx.get(f"{server.url}/api/games/{old}").status_code == status


def test_a_game_that_somebody_opens_counts_as_used(tmp_path):
    with serve(tmp_path) as server:
        opened, resting = (
            httpx.post(f"{server.url}/api/games", json={"rules": "tictactoe"}).json()["id"]
            for _ in range(2)
        )
    age(tmp_path)
    with serve(tmp_path) as server:
        before = httpx.get(f"{server.url}/api/games/{opened}").json()["updated"]
    with serve(tmp_path, delete_after=30) as server:
        until(lambda: games_in(tmp_path) == 1)
        assert httpx.get(f"{server.url}/api/games/{resting}").status_code == 404
        told = httpx.get(f"{server.url}/api/games/{opened}")
        assert (told.status_code, told.json()["updated"]) == (200, before), "opened is not changed"


async def test_a_game_that_is_deleted_while_somebody_opens_it_is_not_there(settings):
    repository = Repository(settings)
    try:
        old = a_game(updated=1000.0)
        await repository.write("", storage.create, old)
        assert await repository.write("", game_rows.note_opened, old.id, time.time())
        assert await repository.write("", game_rows.delete_unused, 2000.0) == 0
        assert not await repository.write("", game_rows.note_opened, "gone", time.time())
    finally:
        await repository.close()


def age(folder):
    """Let the last change of all games be 31 days ago."""
    with closing(sqlite3.connect(folder / "games.sqlite")) as connection, connection:
        connection.execute("UPDATE games SET updated = updated - 31 * 86400")


def games_in(folder):
    """How many games are kept."""
    with closing(sqlite3.connect(folder / "games.sqlite")) as connection:
        return connection.execute("SELECT count(*) FROM games").fetchone()[0]


def test_visitors_are_forgotten_who_have_said_nothing_for_long_and_have_no_game(settings):
    now, ben, carl = time.time(), "b" * 22, "c" * 22
    engine = open_engine(settings)
    with engine.begin() as connection:
        for visitor, days in ((ANNA, 8), (ben, 8), (carl, 6)):
            visitor_rows.change_visitor(connection, visitor, now - days * DAY, visitor[0])
        kept = a_game()
        game_rows.create(connection, kept)
        game_lists.join(connection, kept.id, ANNA, 1)
        game_rows.delete_unused(connection, now - 7 * DAY, 10)
        assert visitor_rows.visitors_data(connection, [ANNA, ben, carl]).keys() == {ANNA, carl}
    engine.dispose()
