"""The repository: grouped commits, conflicts, and nothing lost that was acknowledged."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sql

from tengen.web.database import tables
from tengen.web.database.repository import Repository
from tengen.web.database.tables import Conflict, StoreError
from tengen.web.games import game_lists, game_rows, ratings, storage, visitor_rows
from tengen.web.games.visitor_rows import VisitorData
from tengen.web.transport.settings import ServerSettings
from tests.console import environment
from tests.web.games.test_game_rows import ANNA, BEN, a_game

ROOT = Path(__file__).parents[3]


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request, tmp_path):
    if request.param == "sqlite":
        return ServerSettings(data=tmp_path, database=f"sqlite:///{tmp_path}/here.sqlite")
    return ServerSettings(data=tmp_path, database=request.getfixturevalue("postgres").new_database())


@asynccontextmanager
async def opened(settings: ServerSettings) -> AsyncIterator[Repository]:
    repository = Repository(settings)
    try:
        yield repository
    finally:
        await repository.close()


def run(settings, work):
    """Run a coroutine function with a repository, and return what it returns."""

    async def whole():
        async with opened(settings) as repository:
            return await work(repository)

    return asyncio.run(whole())


def test_a_game_from_its_beginning_to_its_end(settings):
    async def work(repository):
        saved = a_game()
        await repository.write("", storage.create, saved)
        await repository.write("", game_lists.join, saved.id, ANNA, 1)
        await repository.write("", game_lists.join, saved.id, BEN, None)
        changed = replace(saved, version=2, summary=replace(saved.summary, result="black", reason="five"))
        await repository.write("", ratings.save, changed, expected=1)
        assert await repository.read(game_rows.load, saved.id) == changed
        ((listed,), total) = await repository.read(game_lists.games_of, ANNA, "renju LEVEL:4", "over")
        assert (listed.id, listed.participant, total) == (saved.id, 1, 1)
        await repository.write("", game_lists.forget, saved.id, ANNA)
        assert await repository.read(game_lists.games_of, ANNA) == ([], 0)
        assert (await repository.read(game_lists.games_of, BEN))[1] == 1
        assert await repository.ping()

    run(settings, work)


def test_a_visitor_is_found_in_all_rooms_and_forgotten(settings):
    visitor = "c" * 32

    async def work(repository):
        people = [{visitor}, {visitor, BEN}, {BEN}, set()]
        games = [replace(a_game(), visitors=frozenset(found)) for found in people]
        for game in games:
            await repository.write("", storage.create, game)
            await repository.write("", game_lists.join, game.id, visitor, 1)
        named = sorted(game.id for game in games if visitor in game.visitors)
        assert await repository.read(visitor_rows.games_naming, visitor) == named
        assert await repository.read(visitor_rows.games_naming, visitor, limit=1) == named[:1]
        assert await repository.read(visitor_rows.games_naming, visitor, after=named[0]) == named[1:]
        left = next(game for game in games if game.id == named[0])
        for version, names, found in ((2, None, named), (3, frozenset({BEN}), named[1:])):
            await repository.write(
                "", ratings.save, replace(left, version=version, visitors=names), version - 1
            )
            assert await repository.read(visitor_rows.games_naming, visitor) == found
        await repository.write(
            "", visitor_rows.change_visitor, visitor, time.time(), name="Anna", rated=True
        )
        await repository.write("", visitor_rows.change_visitor, BEN, time.time(), name="Ben")
        await repository.write("", visitor_rows.forget, visitor)
        assert await repository.read(visitor_rows.visitors_data, [visitor, BEN]) == {
            BEN: VisitorData("Ben")
        }
        assert await repository.read(game_lists.games_of, visitor) == ([], 0)
        assert await repository.read(game_rows.load, named[0]) is not None

    run(settings, work)


def test_on_a_server_without_names_nobody_has_one(settings):
    async def work(repository):
        await repository.write("", visitor_rows.change_visitor, ANNA, time.time(), name="Anna", rated=True)
        async with opened(replace(settings, names=False)) as other:
            assert not other.names
            nameless = await other.read(visitor_rows.visitors_data, [ANNA], names=other.names)
            assert nameless == {ANNA: VisitorData("", rated=True)}
        assert repository.names
        named = await repository.read(visitor_rows.visitors_data, [ANNA], names=repository.names)
        assert named == {ANNA: VisitorData("Anna", rated=True)}

    run(settings, work)


def test_of_two_changes_of_one_version_one_is_written(settings):
    async def work(repository):
        saved = a_game()
        await repository.write("", storage.create, saved)
        rivals = [replace(saved, version=2, session=text) for text in "abcdefgh"]
        answers = await asyncio.gather(
            *(repository.write("", ratings.save, rival, expected=1) for rival in rivals),
            return_exceptions=True,
        )
        (winner,) = [rival for rival, answer in zip(rivals, answers, strict=True) if answer is None]
        assert [type(answer) for answer in answers if answer is not None] == [Conflict] * 7
        assert await repository.read(game_rows.load, saved.id) == winner

    run(settings, work)


def test_two_processes_on_one_database(settings):
    """Two keepers, as two processes have them: each sees what the other wrote, and only one has a game."""

    async def work(repository):
        async with opened(settings) as other:
            saved = a_game()
            await repository.write("", storage.create, saved)
            await other.write("", ratings.save, replace(saved, version=2), expected=1)
            with pytest.raises(Conflict):
                await repository.write(
                    "", ratings.save, replace(saved, version=2, session="late"), expected=1
                )
            assert await repository.write("", game_rows.claim, saved.id, "repository", time.time(), 60)
            assert not await other.write("", game_rows.claim, saved.id, "other", time.time(), 60)
            await repository.write("", game_rows.release, saved.id, "repository")
            assert await other.write("", game_rows.claim, saved.id, "other", time.time(), 60)

    run(settings, work)


@pytest.mark.long
def test_many_changes_are_few_commits(settings):
    commits = 0

    def count(*_):
        nonlocal commits
        commits += 1

    async def work(repository):
        games = [a_game() for _ in range(300)]
        await asyncio.gather(*(repository.write("", storage.create, game) for game in games))
        sql.event.listen(repository._engine, "commit", count)
        await asyncio.gather(
            *(repository.write("", ratings.save, replace(game, version=2), expected=1) for game in games)
        )
        found = [await repository.read(game_rows.load, game.id) for game in games]
        assert [game.version for game in found] == [2] * 300

    run(settings, work)
    assert 1 <= commits <= 30


def test_a_change_that_cannot_be_made_costs_only_itself(settings):
    async def work(repository):
        games = [a_game() for _ in range(20)]
        nowhere = tables.new_id()
        create = partial(repository.write, "", storage.create)
        answers = await asyncio.gather(
            *map(create, games[:10]),
            repository.write("", game_lists.join, nowhere, ANNA, 1),
            *map(create, games[10:]),
            return_exceptions=True,
        )
        assert isinstance(answers.pop(10), StoreError)
        assert answers == [None] * 20
        assert all([await repository.read(game_rows.load, game.id) for game in games])

    run(settings, work)


def test_who_stops_waiting_does_not_stop_the_change(settings):
    async def work(repository):
        saved = a_game()
        task = asyncio.create_task(repository.write("", storage.create, saved))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await repository.write("", game_rows.claim, saved.id, "me", time.time(), 1)  # comes after it
        assert await repository.read(game_rows.load, saved.id) == saved

    run(settings, work)


def test_closing_writes_what_waits(settings):
    saved = [a_game() for _ in range(50)]

    async def hurried():
        repository = Repository(settings)
        waiting = [asyncio.create_task(repository.write("", storage.create, game)) for game in saved]
        await asyncio.sleep(0)
        await repository.close()
        await repository.close()
        assert await asyncio.gather(*waiting) == [None] * 50
        with pytest.raises(StoreError):
            await repository.write("", storage.create, a_game())
        with pytest.raises(StoreError):
            await repository.read(game_rows.load, saved[0].id)

    async def look(repository):
        assert all([await repository.read(game_rows.load, game.id) for game in saved])

    asyncio.run(hurried())
    run(settings, look)


@pytest.mark.parametrize("text", ["", "x" * 2000, "a\0b", "\ud800", "棋", "'; drop table games"])
def test_any_text_may_be_asked_for(settings, text):
    async def work(repository):
        saved = a_game()
        await repository.write("", storage.create, saved)
        await repository.write("", game_lists.join, saved.id, ANNA, 1)
        assert await repository.read(game_rows.load, text) is None
        await repository.write("", game_lists.forget, text, ANNA)
        _, total = await repository.read(game_lists.games_of, ANNA, text)
        assert total == (text == "")

    run(settings, work)


def test_games_are_found_by_names_in_both_languages(settings):
    async def work(repository):
        renju, free = a_game(rules="renju", white="human"), a_game(rules="freestyle", white="level:7")
        for saved in (renju, free):
            await repository.write("", storage.create, saved)
            await repository.write("", game_lists.join, saved.id, ANNA, 1)
        meant = {"连珠": renju, "gomoku": free, "Tournament": free, "SWAP2 renju": renju}
        for query, expected in meant.items():
            found, _ = await repository.read(game_lists.games_of, ANNA, query)
            assert [game.id for game in found] == [expected.id], query

    run(settings, work)


def test_a_killed_process_has_lost_nothing_it_acknowledged(settings):
    command = [sys.executable, "-m", "tests.web.writing", settings.database]
    writer = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    said = [writer.stdout.readline() for _ in range(200)]
    writer.kill()
    rest = writer.stdout.read().splitlines(keepends=True)
    writer.stdout.close()
    writer.wait()
    acknowledged = dict(line.split() for line in said + rest if line.endswith("\n"))
    assert len(acknowledged) == 8

    async def look(repository):
        for game, version in acknowledged.items():
            saved = await repository.read(game_rows.load, game)
            assert saved.version >= int(version)
            assert saved.session == str(saved.version)

    run(settings, look)


@pytest.mark.long
def test_a_database_that_starts_again_is_waited_for(postgres, tmp_path):
    settings = ServerSettings(data=tmp_path, database=postgres.new_database())

    async def work(repository):
        saved = a_game()
        await repository.write("", storage.create, saved)
        postgres.stop()
        assert not await repository.ping()
        waiting = asyncio.create_task(
            repository.write("", ratings.save, replace(saved, version=2), expected=1)
        )
        await asyncio.sleep(0.3)
        assert not waiting.done()
        await asyncio.to_thread(postgres.start)
        await waiting
        found = await repository.read(game_rows.load, saved.id)
        assert found.version == 2
        assert await repository.ping()

    run(settings, work)


@pytest.mark.long
def test_a_database_that_stays_away_is_given_up(postgres, tmp_path, monkeypatch):
    monkeypatch.setattr("tengen.web.database.repository._PATIENCE", 0.3)
    settings = ServerSettings(data=tmp_path, database=postgres.new_database())

    async def work(repository):
        saved = a_game()
        await repository.write("", storage.create, saved)
        postgres.stop()
        try:
            changes = (
                repository.write("", ratings.save, replace(saved, version=2), expected=1) for _ in range(20)
            )
            answers = await asyncio.gather(*changes, return_exceptions=True)
        finally:
            postgres.start()
        assert {type(answer) for answer in answers} == {StoreError}
        await repository.write("", ratings.save, replace(saved, version=2), expected=1)

    run(settings, work)
