"""Games in a database, SQLite and PostgreSQL alike."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from tengen.web.database import tables
from tengen.web.database.connection import open_engine
from tengen.web.database.tables import Conflict
from tengen.web.games import game_lists, game_rows
from tengen.web.games.stored_game import GameSummary, StoredGame
from tengen.web.transport.settings import ServerSettings

ANNA, BEN = "a" * 22, "b" * 22


def a_game(**changes):
    summary = GameSummary("renju", "15x15", "swap2", "human", "level:4", "", "", 3)
    fields = {name: changes.pop(name) for name in tuple(changes) if name in GameSummary.__slots__}
    now = time.time()
    saved = StoredGame(tables.new_id(), 1, '{"s": "棋"}', "{}", summary, now, now)
    return replace(saved, summary=replace(summary, **fields), **changes)


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request, tmp_path):
    if request.param == "sqlite":
        return ServerSettings(data=tmp_path / "data")
    return ServerSettings(data=tmp_path, database=request.getfixturevalue("postgres").new_database())


@pytest.fixture
def database(settings):
    engine = open_engine(settings)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def listed(connection, visitor=ANNA, words=(), status="all", offset=0, limit=30):
    query = " ".join(words)
    found, total = game_lists.games_of(connection, visitor, query, status, offset, limit)
    return [game.id for game in found], total


def test_ids_cannot_be_guessed():
    ids = {tables.new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {len(name) for name in ids} == {22}


def test_a_game_comes_back_as_it_was(database):
    saved = a_game()
    game_rows.create(database, saved)
    assert game_rows.load(database, saved.id) == saved
    assert game_rows.load(database, tables.new_id()) is None


def test_a_change_is_written_over_the_version_it_was_made_from(database):
    saved = a_game()
    game_rows.create(database, saved)
    changed = replace(saved, version=2, session='{"s": 2}', summary=replace(saved.summary, plies=4))
    game_rows.save(database, changed, expected=1)
    assert game_rows.load(database, saved.id) == changed


def test_a_change_of_an_old_version_is_refused(database):
    saved = a_game()
    game_rows.create(database, saved)
    game_rows.save(database, replace(saved, version=2, session="mine"), expected=1)
    with pytest.raises(Conflict):
        game_rows.save(database, replace(saved, version=2, session="yours"), expected=1)
    found = game_rows.load(database, saved.id)
    assert found is not None
    assert found.session == "mine"


def test_what_was_written_already_may_be_written_again(database):
    """The connection broke after the commit, so nobody knew of it."""
    saved = a_game()
    game_rows.create(database, saved)
    game_rows.create(database, saved)
    changed = replace(saved, version=2)
    game_rows.save(database, changed, expected=1)
    game_rows.save(database, changed, expected=1)
    assert game_rows.load(database, saved.id) == changed


def test_no_game_is_written_over_another_one(database):
    saved = a_game()
    game_rows.create(database, saved)
    with pytest.raises(Conflict):
        game_rows.create(database, replace(saved, session="another"))
    with pytest.raises(Conflict):
        game_rows.save(database, a_game(version=2), expected=1)
    assert game_rows.load(database, saved.id) == saved


def test_one_process_at_a_time_has_a_game(database):
    saved = a_game()
    game_rows.create(database, saved)
    assert game_rows.claim(database, saved.id, "one", now=100.0, seconds=10.0)
    assert not game_rows.claim(database, saved.id, "two", now=109.0, seconds=10.0)
    assert game_rows.claim(database, saved.id, "one", now=109.0, seconds=10.0)
    assert not game_rows.claim(database, saved.id, "two", now=118.0, seconds=10.0)
    game_rows.release(database, saved.id, "two")
    assert not game_rows.claim(database, saved.id, "two", now=118.0, seconds=10.0)
    assert game_rows.claim(database, saved.id, "two", now=119.5, seconds=10.0)
    game_rows.release(database, saved.id, "two")
    assert game_rows.claim(database, saved.id, "one", now=119.6, seconds=10.0)


def test_a_game_that_is_not_there_cannot_be_had(database):
    assert not game_rows.claim(database, tables.new_id(), "one", now=1.0, seconds=1.0)


def test_a_change_leaves_the_owner(database):
    saved = a_game()
    game_rows.create(database, saved)
    assert game_rows.claim(database, saved.id, "one", now=1.0, seconds=1e9)
    game_rows.save(database, replace(saved, version=2), expected=1)
    assert not game_rows.claim(database, saved.id, "two", now=2.0, seconds=1.0)


def test_the_list_of_a_visitor_has_what_changed_last_first(database):
    games = [a_game(updated=float(number)) for number in (2, 9, 5)]
    for saved in games:
        game_rows.create(database, saved)
        game_lists.join(database, saved.id, ANNA, 1)
    two, nine, five = (saved.id for saved in games)
    assert listed(database) == ([nine, five, two], 3)
    assert listed(database, offset=1, limit=1) == ([five], 3)
    assert listed(database, offset=7) == ([], 3)
    assert listed(database, visitor=BEN) == ([], 0)


def test_a_list_shows_the_summary_and_who_the_visitor_is(database):
    saved = a_game()
    game_rows.create(database, saved)
    game_lists.join(database, saved.id, ANNA, 2)
    game_lists.join(database, saved.id, BEN, None)
    (mine,), _ = game_lists.games_of(database, ANNA)
    assert mine == game_lists.ListedGame(saved.id, saved.summary, saved.created, saved.updated, 2)
    (his,), _ = game_lists.games_of(database, BEN)
    assert his.participant is None


def test_watching_unseats_nobody_and_a_spectator_may_sit_down(database):
    saved = a_game()
    game_rows.create(database, saved)
    seen = []
    for participant in (None, 1, None, 2):
        game_lists.join(database, saved.id, ANNA, participant)
        seen.append(game_lists.games_of(database, ANNA)[0][0].participant)
    assert seen == [None, 1, 1, 2]


def test_games_that_go_on_and_games_that_are_over(database):
    running, over = a_game(), a_game(result="draw", reason="full")
    for saved in (running, over):
        game_rows.create(database, saved)
        game_lists.join(database, saved.id, ANNA, 1)
    assert listed(database, status="running") == ([running.id], 1)
    assert listed(database, status="over") == ([over.id], 1)


def test_every_word_has_to_be_found(database):
    one, other = a_game(rules="renju", white="minimax,depth=3"), a_game(rules="caro", white="level:4")
    for saved in (one, other):
        game_rows.create(database, saved)
        game_lists.join(database, saved.id, ANNA, 1)
    assert listed(database, words=["minimax"]) == ([one.id], 1)
    assert listed(database, words=["caro", "level"]) == ([other.id], 1)
    assert listed(database, words=["renju", "level"]) == ([], 0)
    assert listed(database, words=["%"]) == ([], 0)
    assert listed(database, words=["_"]) == ([], 0)


def test_what_is_forgotten_is_gone_from_one_list_only(database):
    saved = a_game()
    game_rows.create(database, saved)
    for visitor in (ANNA, BEN):
        game_lists.join(database, saved.id, visitor, None)
    game_lists.forget(database, saved.id, ANNA)
    assert listed(database) == ([], 0)
    assert listed(database, visitor=BEN) == ([saved.id], 1)
    assert game_rows.load(database, saved.id) == saved
