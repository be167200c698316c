"""Games that nobody has changed for long go, all others stay."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from tengen.web.games import repository as repository_module
from tengen.web.games import tables
from tengen.web.games.database import open_engine
from tengen.web.games.repository import GameRepository
from tests.console import until
from tests.web.games.test_tables import ANNA, a_game, settings
from tests.web.serving import serve

__all__ = ["settings"]

DAY = 24 * 3600


def test_old_games_and_their_visits_are_deleted_and_others_stay(settings, monkeypatch):
    monkeypatch.setattr(repository_module, "_GROUP", 2)
    now = time.time()
    old = [a_game(updated=now - 8 * DAY) for _ in range(5)]
    new = [a_game(updated=now - 6 * DAY), a_game()]

    async def work():
        repository = GameRepository(settings)
        try:
            for game in (*old, *new):
                await repository.create(game)
                await repository.join(game.id, ANNA, 1)
            deleted = [await repository.delete_unchanged(now - 7 * DAY) for _ in range(4)]
            assert deleted == [2, 2, 1, 0]
            assert [await repository.load(game.id) for game in old] == [None] * 5
            assert [await repository.load(game.id) for game in new] == new
            assert (await repository.games_of(ANNA))[1] == 2
        finally:
            await repository.close()

    asyncio.run(work())


@pytest.mark.parametrize(("days", "status"), [(None, 200), (0, 200), (30, 404)])
def test_a_server_deletes_them_if_it_is_told_to(tmp_path, days, status):
    with serve(tmp_path) as server:
        game = httpx.post(f"{server.url}/api/games", json={"rules": "tictactoe"}).json()["id"]
    age(tmp_path, game)
    with serve(tmp_path, delete_after=days) as server:
        address = f"{server.url}/api/games/{game}"
        until(lambda: httpx.get(address).status_code == status)
        time.sleep(0.2)
        assert httpx.get(address).status_code == status


def age(folder, game):
    """Let a game's last change be 31 days ago."""
    import sqlite3

    with sqlite3.connect(folder / "games.sqlite") as connection:
        connection.execute("UPDATE games SET updated = updated - 31 * 86400 WHERE id = ?", [game])
    connection.close()


def test_visitors_are_forgotten_who_have_said_nothing_for_long_and_have_no_game(settings):
    now, ben, carl = time.time(), "b" * 22, "c" * 22
    engine = open_engine(settings)
    with engine.begin() as connection:
        for visitor, days in ((ANNA, 8), (ben, 8), (carl, 6)):
            tables.change_visitor(connection, visitor, now - days * DAY, visitor[0])
        kept = a_game()
        tables.create(connection, kept)
        tables.join(connection, kept.id, ANNA, 1)
        tables.delete_unchanged(connection, now - 7 * DAY, 10)
        assert tables.visitors_data(connection, [ANNA, ben, carl]).keys() == {ANNA, carl}
    engine.dispose()
