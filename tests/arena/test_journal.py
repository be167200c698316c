"""Nothing finished is lost, whenever the machine dies."""

from __future__ import annotations

import pytest

from tengen.arena import journal
from tengen.arena.arena_error import ArenaError
from tengen.arena.journal import Journal
from tengen.formats.files import FileError, read_file
from tests.arena.games import played


@pytest.fixture
def path(tmp_path):
    return tmp_path / "match.jsonl"


def test_settings_and_games_come_back(path):
    games = [played(number) for number in (1, 0)]
    with Journal(path, {"games": 4}) as written:
        for game in games:
            written.add(game)
    settings, found = journal.read(path)
    assert settings == {"games": 4}
    assert found == games[::-1]


def test_going_on(path):
    with Journal(path, {}) as written:
        written.add(played(0))
    with Journal(path) as written:
        written.add(played(1))
    assert [game.number for game in journal.read(path)[1]] == [0, 1]


@pytest.mark.parametrize("torn", [1, 20, 100])
def test_a_torn_last_line_is_the_only_thing_lost(path, torn):
    with Journal(path, {}) as written:
        written.add(played(0))
        written.add(played(1))
    path.write_bytes(path.read_bytes()[:-torn])
    assert [game.number for game in journal.read(path)[1]] == [0]
    with Journal(path) as written:
        written.add(played(2))
    assert [game.number for game in journal.read(path)[1]] == [0, 2]


def test_a_game_written_twice_counts_once(path):
    with Journal(path, {}) as written:
        written.add(played(0))
        written.add(played(0))
    assert len(journal.read(path)[1]) == 1


def test_other_programs_read_it_as_games(path):
    with Journal(path, {}) as written:
        written.add(played(0))
    [record] = read_file(path).records
    assert record == played(0).record()


def test_a_journal_is_not_written_over(path):
    Journal(path, {}).close()
    before = path.read_bytes()
    with pytest.raises(ArenaError, match="--resume"):
        Journal(path, {})
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", [b"", b"{}\n", b'{"format": "tengen games"}\n', b"[1]\n", b"\xff\n", b"x"])
def test_no_journal(path, text):
    path.write_bytes(text)
    with pytest.raises(ArenaError, match="not the journal of a match"):
        journal.read(path)


def test_a_damaged_line_is_named(path):
    Journal(path, {}).close()
    path.write_bytes(path.read_bytes() + b'{"rules": 5}\n')
    with pytest.raises(ArenaError, match="line 2"):
        journal.read(path)


def test_files_that_cannot_be_used(tmp_path):
    with pytest.raises(FileError):
        journal.read(tmp_path / "none.jsonl")
    with pytest.raises(FileError):
        Journal(tmp_path / "no" / "folder.jsonl", {})
    with pytest.raises(FileError):
        Journal(tmp_path / "none.jsonl")
