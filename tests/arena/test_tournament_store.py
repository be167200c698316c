"""A tournament's file."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tengen.arena.arena_error import ArenaError
from tengen.arena.tournament_store import TournamentStore
from tengen.formats.files import FileError
from tests.arena.games import WON, played


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cup.sqlite"


def test_settings_and_games_come_back(path):
    games = [played(1, points=0.5, end="full"), played(0, "甲", "乙", detail="'; DROP TABLE games; --")]
    with TournamentStore(path, {"kind": "swiss"}) as store:
        for game in games:
            store.add(game)
    with TournamentStore(path) as store:
        assert store.settings() == {"kind": "swiss"}
        assert store.games() == games[::-1]


def test_anybody_can_ask_the_database(path):
    with TournamentStore(path, {}) as store:
        store.add(played(0, points=1.0))
    with closing(sqlite3.connect(path)) as database:
        row = database.execute(
            "SELECT black, points, moves, length, black_seconds, white_seconds FROM games"
        )
        assert row.fetchall() == [("a", 1.0, WON, 9, 1.0, 0.75)]


def test_a_game_is_there_once(path):
    with TournamentStore(path, {}) as store:
        store.add(played(0))
        with pytest.raises(FileError):
            store.add(played(0))
        assert len(store.games()) == 1


def test_a_tournament_is_not_written_over(path):
    TournamentStore(path, {"kind": "swiss"}).close()
    with pytest.raises(ArenaError, match="--resume"):
        TournamentStore(path, {})
    with TournamentStore(path) as store:
        assert store.settings() == {"kind": "swiss"}


def test_where_no_file_can_be_written(tmp_path):
    with pytest.raises(FileError, match="cannot be written: it is a folder"):
        TournamentStore(tmp_path, {})
    with pytest.raises(FileError, match="cannot be written: there is no such"):
        TournamentStore(tmp_path / "no" / "folder.sqlite", {})


def test_no_tournament(path, tmp_path):
    with pytest.raises(FileError, match="there is no such file or folder"):
        TournamentStore(path)
    with pytest.raises(FileError, match="it is a folder"):
        TournamentStore(tmp_path)
    path.touch()
    with pytest.raises(ArenaError, match="not a tournament file"):
        TournamentStore(path)
    path.write_text("this is no database, but it is long enough to be looked at as if it were one" * 20)
    with TournamentStore(path) as store, pytest.raises(ArenaError, match="not a tournament file"):
        store.settings()
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as database:
        database.execute("CREATE TABLE settings (version, data)")
        database.execute("INSERT INTO settings VALUES (99, '{}')")
        database.commit()
    with TournamentStore(tmp_path / "other.sqlite") as store, pytest.raises(ArenaError):
        store.settings()
