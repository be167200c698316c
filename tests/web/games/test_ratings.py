"""Rated games: what counts, and that each counts once."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.arena.glicko2 import Glicko2, updated
from tengen.game.board import Board
from tengen.game.rules import Rules
from tengen.web.database import tables
from tengen.web.database.connection import open_engine
from tengen.web.database.repository import Repository
from tengen.web.database.tables import Conflict
from tengen.web.games import game_rows, ratings, storage, visitor_rows
from tengen.web.games.commands import Resign
from tengen.web.games.game import Sender
from tengen.web.games.ratings import MOST_A_DAY, pool_of
from tengen.web.games.rooms import Rooms
from tengen.web.games.stored_game import RatedResult, StoredGame
from tengen.web.games.terms import GameTerms
from tengen.web.lobby.challenges import ChallengeOptions
from tengen.web.lobby.lobby import Lobby
from tengen.web.transport.errors import Refused
from tengen.web.transport.settings import ServerSettings
from tests.web.clients import visit
from tests.web.games.test_game_rows import ANNA, BEN, a_game, database, settings
from tests.web.lobby.test_lobby_api import hear, looking
from tests.web.postgres import Cluster
from tests.web.serving import serve
from tests.web.world import FRIEND, ME, World, in_world, play, state

__all__ = ["database", "settings"]

RENJU = ChallengeOptions(GameTerms(Board("renju"), None, "300", 0), "black", "renju")
WON = RatedResult("renju", ANNA, BEN, 1.0)


# -- in the database


def finished(version: int = 2, rated: RatedResult | None = WON, **changes: object) -> StoredGame:
    saved: StoredGame = a_game(result="black", reason="five")
    return replace(saved, version=version, rated=rated, **changes)  # type: ignore[arg-type]


def keep(connection, saved):
    game_rows.create(connection, replace(saved, version=1, rated=None))
    ratings.save(connection, saved, 1)


def test_a_game_changes_both_ratings_by_those_before(database):
    keep(database, finished())
    won, lost = updated(Glicko2(), [(Glicko2(), 1.0)], 0), updated(Glicko2(), [(Glicko2(), 0.0)], 0)
    found = ratings.of_visitors(database, [ANNA, BEN])
    assert found[ANNA]["renju"].rating == pytest.approx(won.rating)
    assert found[BEN]["renju"].rating == pytest.approx(lost.rating)
    assert found[ANNA]["renju"].deviation == pytest.approx(won.deviation)
    assert ratings.of_visitors(database, ["c" * 22]) == {}


def test_each_pool_has_ratings_of_its_own(database):
    keep(database, finished())
    keep(database, finished(rated=RatedResult("caro", BEN, ANNA, 0.5)))
    found = ratings.of_visitors(database, [ANNA])[ANNA]
    assert found["caro"].rating == pytest.approx(1500)
    assert found["renju"].rating > 1600


def test_a_game_counts_once_however_often_its_end_is_written(database):
    saved = finished()
    keep(database, saved)
    before = ratings.of_visitors(database, [ANNA, BEN])
    ratings.save(database, saved, 1)  # the connection broke after the commit, so nobody knew of it
    ratings.save(database, replace(saved, version=3), 2)
    assert ratings.of_visitors(database, [ANNA, BEN]) == before


def test_an_end_that_another_process_has_written_first_changes_nothing(database):
    saved = finished()
    game_rows.create(database, replace(saved, version=2, rated=None, session="other"))
    with pytest.raises(Conflict):
        ratings.save(database, saved, 1)
    assert ratings.of_visitors(database, [ANNA]) == {}


def test_a_crash_before_the_commit_leaves_game_and_ratings_as_they_were(settings):
    engine = open_engine(settings)
    saved = finished()
    with engine.begin() as connection:
        game_rows.create(connection, replace(saved, version=1, rated=None))
    with engine.connect() as connection, connection.begin() as transaction:
        ratings.save(connection, saved, 1)
        transaction.rollback()
    with engine.begin() as connection:
        found = game_rows.load(connection, saved.id)
        assert found is not None
        assert found.version == 1
        assert ratings.of_visitors(connection, [ANNA]) == {}
        ratings.save(connection, saved, 1)
        assert ratings.of_visitors(connection, [ANNA]).keys() == {ANNA}
    engine.dispose()


async def test_many_games_of_the_same_two_end_at_once_in_several_processes(
    postgres: Cluster, tmp_path: Path
):
    server = ServerSettings(data=tmp_path, database=postgres.new_database())
    first, second = Repository(server), Repository(server)
    try:
        pairs = [(ANNA, BEN), (BEN, ANNA)] * 10
        saved = [finished(rated=RatedResult("renju", *pair, 0.5)) for pair in pairs]
        for one in saved:
            await first.write("", storage.create, replace(one, version=1, rated=None))
        changes = (
            (first, second)[number % 2].write("", ratings.save, one, 1) for number, one in enumerate(saved)
        )
        await asyncio.gather(*changes)
        found = await first.read(ratings.of_visitors, [ANNA, BEN])
        # Twenty draws of equals: no rating moves, and each game tells as much of both.
        expected = Glicko2()
        for _ in range(20):
            expected = updated(expected, [(expected, 0.5)], 0)
        for visitor in (ANNA, BEN):
            assert found[visitor]["renju"].rating == pytest.approx(1500)
            assert found[visitor]["renju"].deviation == pytest.approx(expected.deviation, rel=0.01)
    finally:
        await first.close()
        await second.close()


def established(database, visitor, rating=1600.0, deviation=70.0):
    row = {"rating": rating, "deviation": deviation, "volatility": 0.06, "games": 20, "updated": 1000.0}
    database.execute(tables.ratings.insert().values(visitor=visitor, pool="renju", **row))


def test_a_rating_that_is_established_is_not_changed_by_a_provisional_one(database):
    established(database, ANNA)
    for _ in range(3):
        keep(database, finished(updated=1000.0))
    found = ratings.of_visitors(database, [ANNA, BEN])
    assert found[ANNA]["renju"] == Glicko2(1600.0, 70.0, 0.06)
    assert found[BEN]["renju"].rating < 1500


def test_established_ratings_change_each_other(database):
    established(database, ANNA)
    established(database, BEN)
    keep(database, finished(updated=1000.0))
    found = ratings.of_visitors(database, [ANNA, BEN])
    assert found[ANNA]["renju"].rating > 1600 > found[BEN]["renju"].rating


def test_meetings_are_counted_for_a_day_and_forgotten_with_either(database):
    for begun in (1000.0, 2000.0, 3000.0):
        ratings.note_meeting(database, [ANNA, BEN], begun)
    ratings.note_meeting(database, [ANNA, "c" * 22], 3000.0)
    assert ratings.meetings(database, [BEN, ANNA], 4000.0) == 3
    assert ratings.meetings(database, [BEN, ANNA], 2000.0 + ratings.DAY) == 1
    assert ratings.meetings(database, [BEN, "c" * 22], 4000.0) == 0
    ratings.note_meeting(database, [BEN, "c" * 22], 2000.0 + ratings.DAY)
    assert ratings.meetings(database, [BEN, ANNA], 4000.0) == 1, "what is older than a day is not kept"
    visitor_rows.forget(database, BEN)
    assert ratings.meetings(database, [BEN, ANNA], 4000.0) == 0
    assert ratings.meetings(database, [ANNA, "c" * 22], 4000.0) == 1


def test_ratings_that_nobody_has_changed_for_long_are_deleted(database):
    keep(database, finished(updated=1000.0))
    game_rows.delete_unused(database, 2000.0, 10)
    assert ratings.of_visitors(database, [ANNA]) == {}


def test_pools():
    assert pool_of(Rules.named("renju")) == "renju"
    assert pool_of(Rules.named("standard", size=19)) == "standard"
    assert pool_of(Rules.named("freestyle", size=9)) is None
    assert pool_of(Rules.named("tictactoe")) is None
    assert pool_of(Rules.mnk(15, 15, 4)) is None


# -- in games


async def rated_game(rooms: Rooms, options: ChallengeOptions = RENJU) -> str:
    """A rated game; ME plays Black."""
    lobby = Lobby(rooms.repository, rooms.process.bus, rooms)
    for visitor in (ME, FRIEND):
        await rooms.repository.write("", visitor_rows.change_visitor, visitor, time.time(), rated=True)
    await lobby.withdraw(ME)
    challenge = await lobby.open(ME, options)
    made = await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))
    await lobby.close()
    return made.id


async def resign(rooms: Rooms, game: str, who: str) -> None:
    with rooms.room(game) as room:
        version = (await room.state()).version
        await room.apply(Resign(type="resign", version=version), Sender(who))


@in_world
async def test_who_wins_a_rated_game_gains_what_the_other_loses(world: World) -> None:
    async with world.process() as rooms:
        game = await rated_game(rooms)
        before = await state(rooms, game)
        assert before["rated"] == "renju"
        unknown = {"rating": 1500, "deviation": 350, "provisional": True}
        assert [seat["rating"] for seat in before["seats"]] == [unknown, unknown]
        await play(rooms, game, "h8", 0, ME)
        await play(rooms, game, "i9", 1, FRIEND)
        await resign(rooms, game, ME)
        found = await rooms.repository.read(ratings.of_visitors, [ME, FRIEND])
        assert found[FRIEND]["renju"].rating - 1500 == pytest.approx(1500 - found[ME]["renju"].rating)
        assert found[FRIEND]["renju"].rating > 1600
        assert [seat["rating"] for seat in (await state(rooms, game))["seats"]] == [unknown, unknown]


@in_world
async def test_a_game_in_which_one_side_has_not_played_does_not_count(world: World) -> None:
    async with world.process() as rooms:
        game = await rated_game(rooms)
        await play(rooms, game, "h8", 0, ME)
        await resign(rooms, game, FRIEND)
        assert (await state(rooms, game))["outcome"]["winner"] == "black"
        assert await rooms.repository.read(ratings.of_visitors, [ME, FRIEND]) == {}


@in_world
async def test_the_rating_is_that_of_who_played_the_colour_in_the_end(world: World) -> None:
    """An opening rule may exchange the colours."""
    async with world.process() as rooms:
        game = await rated_game(rooms, replace(RENJU, terms=replace(RENJU.terms, opening="swap")))
        for number, point in enumerate(("h8", "h9", "h10")):
            await play(rooms, game, point, number, ME)
        with rooms.room(game) as room:
            await room.act(lambda game: game.session.choose("black"))
        await resign(rooms, game, FRIEND)
        assert (await state(rooms, game))["outcome"]["winner"] == "white"
        found = await rooms.repository.read(ratings.of_visitors, [ME, FRIEND])
        assert found[ME]["renju"].rating > 1500 > found[FRIEND]["renju"].rating


@in_world
async def test_a_rematch_is_rated_as_well_if_both_still_want_it(world: World) -> None:
    async with world.process() as rooms:
        first = await rated_game(rooms)
        await play(rooms, first, "h8", 0, ME)
        await play(rooms, first, "i9", 1, FRIEND)
        await resign(rooms, first, ME)
        await rooms.again(first, Sender(ME), swap=True)
        made = await rooms.again(first, Sender(FRIEND), swap=True)
        assert made is not None
        now = await state(rooms, made.id)
        assert now["rated"] == "renju"
        assert now["seats"][0]["rating"]["rating"] > 1600, "who won plays Black now"
        await rooms.repository.write("", visitor_rows.change_visitor, ME, time.time(), rated=False)
        await resign(rooms, made.id, ME)
        await rooms.again(made.id, Sender(ME), swap=True)
        third = await rooms.again(made.id, Sender(FRIEND), swap=True)
        assert third is not None
        assert third.state.rated is None


@in_world
async def test_the_same_two_begin_so_many_rated_games_a_day(world: World) -> None:
    async with world.process() as rooms:
        games = [await rated_game(rooms) for _ in range(MOST_A_DAY)]
        with pytest.raises(Refused, match="you two have already started 3 rated games"):
            await rated_game(rooms)
        assert {(await state(rooms, game))["rated"] for game in games} == {"renju"}
        await play(rooms, games[-1], "h8", 0, ME)
        await play(rooms, games[-1], "i9", 1, FRIEND)
        await resign(rooms, games[-1], ME)
        await rooms.again(games[-1], Sender(ME), swap=True)
        rematch = await rooms.again(games[-1], Sender(FRIEND), swap=True)
        assert rematch is not None
        now = rematch.state.to_dict()
        assert now["rated"] is None
        assert [seat["rating"] for seat in now["seats"]] == [None, None]
        assert now["notice"] == {"key": "web.play.rated_enough", "values": {"most": 3}}
        await play(rooms, rematch.id, "h8", 0, FRIEND)
        assert (await state(rooms, rematch.id))["notice"] is None
        assert (await rooms.repository.read(ratings.of_visitors, [ME]))[ME]["renju"].rating < 1500, (
            "the third one counts"
        )


@in_world
async def test_rated_games_are_for_those_who_want_them(world: World) -> None:
    async with world.process() as rooms:
        lobby = Lobby(rooms.repository, rooms.process.bus, rooms)
        with pytest.raises(Refused, match="turned ratings on"):
            await lobby.open(ME, RENJU)
        await rooms.repository.write("", visitor_rows.change_visitor, ME, time.time(), rated=True)
        challenge = await lobby.open(ME, RENJU)
        with pytest.raises(Refused, match="turned ratings on"):
            await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))
        assert [one.id for one in await lobby.challenges()] == [challenge.id]


async def test_a_rated_game_over_http() -> None:
    with serve() as server:
        async with visit(server) as anna, visit(server) as ben:
            for one in (anna, ben):
                assert (await one.http.post("/api/visitor", json={"rated": True})).status_code == 200
            rated = {"rated": True, "rules": "caro", "clock": "300", "take_backs": 9, "colour": "white"}
            for wrong in ({"rules": "tictactoe"}, {"size": 9}, {"clock": None}):
                answer = await anna.http.post("/api/challenges", json={**rated, **wrong})
                assert answer.status_code == 422, wrong
            told = (await anna.http.post("/api/challenges", json=rated)).json()
            assert (told["rated"], told["take_backs"]) == ("caro", 0)
            assert told["rating"] == {"rating": 1500, "deviation": 350, "provisional": True}
            async with looking(anna) as socket:
                game = (await ben.http.post(f"/api/challenges/{told['id']}/accept")).json()["id"]
                assert (await hear(socket, "game"))["id"] == game
            async with anna.sit(game, cookie=True) as white, ben.sit(game, cookie=True) as black:
                await black.play("h8")
                await white.until_state(lambda now: now["ply"] == 1)
                await white.play("i9")
                assert "take-back" in (await white.ask("take_back"))["text"]
                await white.ask("resign")
            ratings = (await ben.http.get("/api/visitor")).json()["ratings"]
            assert ratings["caro"]["rating"] == 1662
            assert ratings["caro"]["provisional"]
            off = (await ben.http.post("/api/visitor", json={"rated": False})).json()
            assert off["ratings"] == {}, "who wants none is shown none"
            on = (await ben.http.post("/api/visitor", json={"rated": True})).json()
            assert on["ratings"] == ratings, "they are kept"
