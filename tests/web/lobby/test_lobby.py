"""The lobby: what is offered, who sees it, how long it stays, and that one game comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from tengen.game.board import Board
from tengen.game.errors import RulesError
from tengen.web.games import game_lists
from tengen.web.games.game import Sender
from tengen.web.games.rooms import Rooms
from tengen.web.games.terms import GameTerms
from tengen.web.lobby import challenges
from tengen.web.lobby.challenges import ChallengeOptions
from tengen.web.lobby.lobby import Lobby
from tengen.web.transport.errors import Refused, TooManyRequests
from tengen.web.transport.settings import ServerSettings
from tests.web.postgres import Cluster
from tests.web.world import FRIEND, ME, Looker, World, in_world, play, process_of, state, until

OTHER = "o" * 22
OPTIONS = ChallengeOptions(GameTerms(Board("renju"), "swap2", "300+5"), "black")


@asynccontextmanager
async def lobby_of(rooms: Rooms, **given: Any) -> AsyncIterator[Lobby]:
    lobby = Lobby(rooms.repository, rooms.process.bus, rooms, **given)
    await lobby.start()
    try:
        yield lobby
    finally:
        await lobby.close()


@asynccontextmanager
async def in_lobby(world: World, **given: Any) -> AsyncIterator[tuple[Rooms, Lobby]]:
    async with world.process() as rooms, lobby_of(rooms, **given) as lobby:
        yield rooms, lobby


@in_world
async def test_one_offers_a_game_and_another_accepts_it(world: World) -> None:
    async with in_lobby(world) as (rooms, lobby):
        await rooms.rename(ME, "Anna")
        me, friend = Looker(ME), Looker(FRIEND)
        for one in (me, friend):
            await lobby.attach(one)
        challenge = await lobby.open(ME, OPTIONS)
        await until(lambda: friend.names == ["Anna"] and me.names == ["Anna"])
        assert (me.shown["own"], friend.shown["own"]) == (challenge.id, None)
        (told,) = friend.shown["challenges"]
        assert (told["rules_name"], told["opening"], told["clock"]) == ("renju", "swap2", "300+5")
        assert ME not in str(told), "who has made it is nobody's business"
        made = await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))
        await until(lambda: me.game == made.id and friend.names == [])
        assert friend.game == "", "who accepts goes there without being called"
        now = await state(rooms, made.id)
        assert [seat["name"] for seat in now["seats"]] == ["Anna", None]
        assert (now["opening"]["name"], now["control"]) == ("swap2", "300+5")
        assert await play(rooms, made.id, "h8", 0, ME) == 2
        assert [game.id for game in (await rooms.repository.read(game_lists.games_of, FRIEND))[0]] == [
            made.id
        ]


@pytest.mark.parametrize(("colour", "mine"), [("black", {1}), ("white", {2}), ("random", {1, 2})])
def test_the_maker_chooses_the_colour(
    colour: Literal["black", "white", "random"], mine: set[int], tmp_path: Path
) -> None:
    @in_world
    async def playing(world: World) -> None:
        async with in_lobby(world) as (rooms, lobby):
            seats: set[int] = set()
            for _ in range(12):
                options = ChallengeOptions(GameTerms(OPTIONS.terms.start), colour)
                challenge = await lobby.open(ME, options)
                made = await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))
                with rooms.room(made.id) as room:
                    seats |= await room.read(lambda game: game.seats_of(Sender(ME)))
                await lobby.withdraw(ME)
            assert seats == mine

    playing(tmp_path)


@in_world
async def test_who_has_not_heard_the_answer_asks_again_and_gets_the_same_game(world: World) -> None:
    async with world.process() as rooms:
        lobby = Lobby(rooms.repository, rooms.process.bus, rooms)
        challenge = await lobby.open(ME, ChallengeOptions(replace(OPTIONS.terms, opening=None), "white"))
        made = await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))
        await lobby.withdraw(ME)
        again = await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))
        assert again.id == made.id
        assert (again.seats.black is None, again.seats.white is None) == (
            made.seats.black is None,
            made.seats.white is None,
        )
        assert (await rooms.repository.read(game_lists.games_of, FRIEND))[1] == 1
        with pytest.raises(Refused, match="gone"):
            await lobby.accept(challenge.id, OTHER, Sender(OTHER))
        await play(rooms, made.id, "h8", 0, FRIEND)
        with pytest.raises(Refused, match="gone"):
            await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))


@in_world
async def test_nobody_accepts_a_challenge_of_ones_own_or_one_that_is_gone(world: World) -> None:
    async with in_lobby(world) as (_, lobby):
        challenge = await lobby.open(ME, OPTIONS)
        with pytest.raises(Refused, match="your own"):
            await lobby.accept(challenge.id, ME, Sender(ME))
        await lobby.withdraw(ME)
        await lobby.withdraw(ME)
        for gone in (challenge.id, "none", "\0"):
            with pytest.raises(Refused, match="gone"):
                await lobby.accept(gone, FRIEND, Sender(FRIEND))


@in_world
async def test_whoever_offers_another_game_offers_the_last_one_no_more(world: World) -> None:
    async with in_lobby(world) as (_, lobby):
        first = await lobby.open(ME, OPTIONS)
        second = await lobby.open(ME, OPTIONS)
        assert [one.id for one in await lobby.challenges()] == [second.id]
        with pytest.raises(Refused):
            await lobby.accept(first.id, FRIEND, Sender(FRIEND))
        await lobby.accept(second.id, FRIEND, Sender(FRIEND))
        with pytest.raises(Refused, match="just been accepted"):
            await lobby.open(ME, OPTIONS)
        await lobby.withdraw(ME)
        assert (await lobby.open(ME, OPTIONS)).visitor == ME


@in_world
async def test_what_one_offers_goes_when_one_accepts_another_game(world: World) -> None:
    async with in_lobby(world) as (_, lobby):
        mine, theirs = await lobby.open(ME, OPTIONS), await lobby.open(FRIEND, OPTIONS)
        await lobby.accept(theirs.id, ME, Sender(ME))
        with pytest.raises(Refused):
            await lobby.accept(mine.id, OTHER, Sender(OTHER))
        assert await lobby.challenges() == []


@in_world
async def test_a_game_that_cannot_be_is_not_offered(world: World) -> None:
    async with in_lobby(world) as (_, lobby):
        for wrong in ({"opening": "soosyrv-9"}, {"clock": "soon"}, {"take_backs": -1}):
            terms = replace(GameTerms(OPTIONS.terms.start), **wrong)
            with pytest.raises(RulesError):
                await lobby.open(ME, ChallengeOptions(terms, "black"))
        assert await lobby.challenges() == []


@in_world
async def test_who_cannot_pay_for_the_game_leaves_the_challenge_to_others(world: World) -> None:
    def charge(_: float) -> None:
        raise TooManyRequests("error.web.too_many")

    async with in_lobby(world) as (_, lobby):
        challenge = await lobby.open(ME, OPTIONS)
        with pytest.raises(TooManyRequests):
            await lobby.accept(challenge.id, FRIEND, Sender(FRIEND, charge=charge))
        await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))


@pytest.mark.long
@in_world
async def test_a_challenge_stays_while_its_maker_is_there_and_for_a_while_after(world: World) -> None:
    async with in_lobby(world, grace=2.0, beat=0.05) as (_, lobby):
        me, friend = Looker(ME), Looker(FRIEND)
        await lobby.attach(me)
        await lobby.attach(friend)
        await lobby.open(ME, OPTIONS)
        while (kept := (await lobby.challenges())[0]).seen == kept.created:
            await asyncio.sleep(0.01)
        await until(lambda: friend.shown["challenges"] != [])
        lobby.detach(me)
        await until(lambda: friend.shown["challenges"] == [])
        assert await lobby.challenges() == []
        await lobby.attach(me)
        assert await lobby.challenges() == [], "what has gone does not come again"


@in_world
async def test_a_maker_who_comes_back_is_called_to_the_game(world: World) -> None:
    async with in_lobby(world) as (_, lobby):
        me = Looker(ME)
        await lobby.attach(me)
        challenge = await lobby.open(ME, OPTIONS)
        lobby.detach(me)
        made = await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))
        again = Looker(ME)
        await lobby.attach(again)
        await until(lambda: again.game == made.id)
        await lobby.withdraw(ME)
        late = Looker(ME)
        await lobby.attach(late)
        await until(lambda: late.shown != {})
        assert late.game == "", "who has gone there is called no more"


@in_world
async def test_who_comes_while_the_list_is_read_is_shown_the_next(world: World) -> None:
    async with in_lobby(world) as (rooms, lobby):
        me = Looker(ME)
        await lobby.attach(me)
        challenge = await lobby.open(ME, OPTIONS)
        query = rooms.repository.read
        read, go_on = asyncio.Event(), asyncio.Event()

        async def slowly(function: Any, *args: Any, **named: Any) -> Any:
            found = await query(function, *args, **named)
            if function is challenges.accepted and found:
                read.set()
                await go_on.wait()
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rooms.repository, "read", slowly)
            made = await lobby.accept(challenge.id, FRIEND, Sender(FRIEND))
            await read.wait()
            await lobby.withdraw(ME)
            late = Looker(ME)
            await lobby.attach(late)
            go_on.set()
            await until(lambda: late.shown != {})
        assert (me.game, late.game) == (made.id, "")


@in_world
async def test_of_many_who_accept_in_two_processes_one_plays(world: World) -> None:
    async with in_lobby(world) as (_, first), in_lobby(world) as (rooms, second):
        challenge = await first.open(ME, OPTIONS)
        visitors = [f"{number:022}" for number in range(6)]
        answers = await asyncio.gather(
            *(
                (first, second)[number % 2].accept(challenge.id, visitor, Sender(visitor))
                for number, visitor in enumerate(visitors)
            ),
            return_exceptions=True,
        )
        assert len([answer for answer in answers if isinstance(answer, Refused)]) == 5
        assert (await rooms.repository.read(game_lists.games_of, ME))[1] == 1


@pytest.mark.long
async def test_several_processes_with_postgresql_have_one_lobby(postgres: Cluster, tmp_path: Path) -> None:
    settings = ServerSettings(data=tmp_path, database=postgres.new_database())
    async with (
        process_of(settings) as here,
        process_of(settings) as there,
        lobby_of(here) as first,
        lobby_of(there) as second,
    ):
        me, friend = Looker(ME), Looker(FRIEND)
        await first.attach(me)
        await second.attach(friend)
        challenge = await first.open(ME, OPTIONS)
        await until(lambda: friend.names == [None])
        await here.rename(ME, "Anna")
        await first.announce()
        await until(lambda: friend.names == ["Anna"])
        made = await second.accept(challenge.id, FRIEND, Sender(FRIEND))
        await until(lambda: me.game == made.id and friend.names == [])
        assert await play(here, made.id, "h8", 0, ME) == 2
        await first.withdraw(ME)
        gone = await first.open(ME, OPTIONS)
        await until(lambda: len(friend.names) == 1)
        await first.withdraw(ME)
        await until(lambda: friend.names == [])
        with pytest.raises(Refused):
            await second.accept(gone.id, FRIEND, Sender(FRIEND))


@in_world
async def test_after_messages_may_have_been_lost_the_list_is_read_again(world: World) -> None:
    async with in_lobby(world) as (_, first), in_lobby(world) as (_, second):
        friend = Looker(FRIEND)
        await second.attach(friend)
        await until(lambda: friend.shown != {})
        first._unsubscribe()
        second._unsubscribe()
        await first.open(ME, OPTIONS)
        second._on_message("", {"missed": True})
        await until(lambda: friend.names == [None])
