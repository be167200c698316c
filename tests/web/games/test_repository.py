"""The keeper: grouped commits, conflicts, and nothing lost that was acknowledged."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sql

from tengen.web.games import tables
from tengen.web.games.repository import Conflict, Keeper, StoreError
from tengen.web.server.settings import Settings
from tests.console import environment
from tests.web.games.test_tables import ANNA, BEN, a_game

ROOT = Path(__file__).parents[3]


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request, tmp_path):
    if request.param == "sqlite":
        return Settings(data=tmp_path, database=f"sqlite:///{tmp_path}/here.sqlite")
    return Settings(data=tmp_path, database=request.getfixturevalue("postgres").new_database())


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Keeper]:
    keeper = Keeper(settings)
    try:
        yield keeper
    finally:
        await keeper.close()


def run(settings, work):
    """Run a coroutine function with a keeper, and return what it returns."""

    async def whole():
        async with opened(settings) as keeper:
            return await work(keeper)

    return asyncio.run(whole())


def test_a_game_from_its_beginning_to_its_end(settings):
    async def work(keeper):
        saved = a_game()
        await keeper.create(saved)
        await keeper.join(saved.id, ANNA, 1)
        await keeper.join(saved.id, BEN, None)
        changed = replace(saved, version=2, summary=replace(saved.summary, result="black", reason="five"))
        await keeper.save(changed, expected=1)
        assert await keeper.load(saved.id) == changed
        ((listed,), total) = await keeper.games_of(ANNA, "renju LEVEL:4", "over")
        assert (listed.id, listed.participant, total) == (saved.id, 1, 1)
        await keeper.forget(saved.id, ANNA)
        assert await keeper.games_of(ANNA) == ([], 0)
        assert (await keeper.games_of(BEN))[1] == 1
        assert await keeper.ping()

    run(settings, work)


def test_of_two_changes_of_one_version_one_is_written(settings):
    async def work(keeper):
        saved = a_game()
        await keeper.create(saved)
        rivals = [replace(saved, version=2, session=text) for text in "abcdefgh"]
        answers = await asyncio.gather(
            *(keeper.save(rival, expected=1) for rival in rivals), return_exceptions=True
        )
        (winner,) = [rival for rival, answer in zip(rivals, answers, strict=True) if answer is None]
        assert [type(answer) for answer in answers if answer is not None] == [Conflict] * 7
        assert await keeper.load(saved.id) == winner

    run(settings, work)


def test_two_processes_on_one_database(settings):
    """Two keepers, as two processes have them: each sees what the other wrote, and only one has a game."""

    async def work(keeper):
        async with opened(settings) as other:
            saved = a_game()
            await keeper.create(saved)
            await other.save(replace(saved, version=2), expected=1)
            with pytest.raises(Conflict):
                await keeper.save(replace(saved, version=2, session="late"), expected=1)
            assert await keeper.claim(saved.id, "keeper", 60)
            assert not await other.claim(saved.id, "other", 60)
            await keeper.release(saved.id, "keeper")
            assert await other.claim(saved.id, "other", 60)

    run(settings, work)


def test_many_changes_are_few_commits(settings):
    commits = 0

    def count(*_):
        nonlocal commits
        commits += 1

    async def work(keeper):
        games = [a_game() for _ in range(300)]
        await asyncio.gather(*map(keeper.create, games))
        sql.event.listen(keeper._engine, "commit", count)
        await asyncio.gather(*(keeper.save(replace(game, version=2), expected=1) for game in games))
        found = [await keeper.load(game.id) for game in games]
        assert [game.version for game in found] == [2] * 300

    run(settings, work)
    assert 1 <= commits <= 30


def test_a_change_that_cannot_be_made_costs_only_itself(settings):
    async def work(keeper):
        games = [a_game() for _ in range(20)]
        nowhere = tables.new_id()
        answers = await asyncio.gather(
            *map(keeper.create, games[:10]),
            keeper.join(nowhere, ANNA, 1),
            *map(keeper.create, games[10:]),
            return_exceptions=True,
        )
        assert isinstance(answers.pop(10), StoreError)
        assert answers == [None] * 20
        assert all([await keeper.load(game.id) for game in games])

    run(settings, work)


def test_who_stops_waiting_does_not_stop_the_change(settings):
    async def work(keeper):
        saved = a_game()
        task = asyncio.create_task(keeper.create(saved))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await keeper.claim(saved.id, "me", 1)  # comes after it
        assert await keeper.load(saved.id) == saved

    run(settings, work)


def test_closing_writes_what_waits(settings):
    saved = [a_game() for _ in range(50)]

    async def hurried():
        keeper = Keeper(settings)
        waiting = [asyncio.create_task(keeper.create(game)) for game in saved]
        await asyncio.sleep(0)
        await keeper.close()
        await keeper.close()
        assert await asyncio.gather(*waiting) == [None] * 50
        with pytest.raises(StoreError):
            await keeper.create(a_game())
        with pytest.raises(StoreError):
            await keeper.load(saved[0].id)

    async def look(keeper):
        assert all([await keeper.load(game.id) for game in saved])

    asyncio.run(hurried())
    run(settings, look)


@pytest.mark.parametrize("text", ["", "x" * 2000, "a\0b", "\ud800", "棋", "'; drop table games"])
def test_any_text_may_be_asked_for(settings, text):
    async def work(keeper):
        saved = a_game()
        await keeper.create(saved)
        await keeper.join(saved.id, ANNA, 1)
        assert await keeper.load(text) is None
        await keeper.forget(text, ANNA)
        _, total = await keeper.games_of(ANNA, text)
        assert total == (text == "")

    run(settings, work)


def test_games_are_found_by_names_in_both_languages(settings):
    async def work(keeper):
        renju, free = a_game(rules="renju", white="human"), a_game(rules="freestyle", white="level:7")
        for saved in (renju, free):
            await keeper.create(saved)
            await keeper.join(saved.id, ANNA, 1)
        meant = {"连珠": renju, "gomoku": free, "Tournament": free, "SWAP2 renju": renju}
        for query, expected in meant.items():
            found, _ = await keeper.games_of(ANNA, query)
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

    async def look(keeper):
        for game, version in acknowledged.items():
            saved = await keeper.load(game)
            assert saved.version >= int(version)
            assert saved.session == str(saved.version)

    run(settings, look)


def test_a_database_that_starts_again_is_waited_for(postgres, tmp_path):
    settings = Settings(data=tmp_path, database=postgres.new_database())

    async def work(keeper):
        saved = a_game()
        await keeper.create(saved)
        postgres.stop()
        assert not await keeper.ping()
        waiting = asyncio.create_task(keeper.save(replace(saved, version=2), expected=1))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        await asyncio.to_thread(postgres.start)
        await waiting
        found = await keeper.load(saved.id)
        assert found.version == 2
        assert await keeper.ping()

    run(settings, work)


def test_a_database_that_stays_away_is_given_up(postgres, tmp_path, monkeypatch):
    monkeypatch.setattr("tengen.web.games.repository._PATIENCE", 0.3)
    settings = Settings(data=tmp_path, database=postgres.new_database())

    async def work(keeper):
        saved = a_game()
        await keeper.create(saved)
        postgres.stop()
        began = time.monotonic()
        try:
            changes = (keeper.save(replace(saved, version=2), expected=1) for _ in range(20))
            answers = await asyncio.gather(*changes, return_exceptions=True)
        finally:
            postgres.start()
        assert {type(answer) for answer in answers} == {StoreError}
        assert time.monotonic() - began < 10
        await keeper.save(replace(saved, version=2), expected=1)

    run(settings, work)
