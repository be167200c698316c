"""Who is left alone by the opponent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.web.games import commands, game_lists
from tengen.web.games.client_messages import read_client_message
from tengen.web.games.game import Sender
from tengen.web.games.rooms import Rooms
from tengen.web.transport.errors import NeedsToken, Refused
from tests.web.world import FRIEND, ME, Listener, World, create, in_world, play, state

OPEN = {"open": 2}


async def ask(rooms: Rooms, game: str, kind: str, who: str = ME) -> None:
    with rooms.room(game) as room:
        message = read_client_message({"type": kind, "version": room.version})
        await room.apply(message, Sender(who))  # type: ignore[arg-type]


async def two_people(rooms: Rooms, **options: Any) -> str:
    """A game that I have begun, and a friend has joined."""
    made = await create(rooms, Board(), Sender(ME), open_seat=2, **options)
    await rooms.join(made.id, Sender(FRIEND))
    return made.id


async def refused(rooms: Rooms, game: str, kind: str, who: str = ME) -> str:
    before = await state(rooms, game)
    with pytest.raises(Refused) as error:
        await ask(rooms, game, kind, who)
    assert (await state(rooms, game))["version"] == before["version"]
    return error.value.message.key.removeprefix("error.web.left.")


@in_world
async def test_a_game_is_called_off_as_long_as_one_side_has_not_played(world: World) -> None:
    async with world.process() as rooms:
        for moves, who in ((0, ME), (0, FRIEND), (1, ME), (1, FRIEND)):
            for clock in (None, "300+5"):
                game = await two_people(rooms, clock=clock)
                if moves:
                    await play(rooms, game, "h8", 0)
                await ask(rooms, game, "abort", who)
                told = await state(rooms, game)
                assert (told["outcome"]["winner"], told["outcome"]["reason"]) == (None, "aborted")
                assert told["actor"] is None
                (listed,), _ = await rooms.repository.read(game_lists.games_of, ME, status="over", limit=1)
                assert (listed.id, listed.summary.result) == (game, "aborted")
                with pytest.raises(GameOver):
                    await ask(rooms, game, "abort", who)


@in_world
async def test_an_invitation_that_nobody_takes_is_called_off(world: World) -> None:
    async with world.process() as rooms:
        made = await create(rooms, Board(), Sender(ME), open_seat=2)
        await ask(rooms, made.id, "abort")
        with pytest.raises(Refused):
            await rooms.join(made.id, Sender(FRIEND))


@in_world
async def test_later_only_who_has_been_left_alone_for_long_ends_the_game(world: World) -> None:
    async with world.process() as rooms:
        for kind, reason in (("claim_draw", "abandoned"), ("abort", "aborted")):
            game = await two_people(rooms)
            mine, friends = Listener(Sender(ME)), Listener(Sender(FRIEND))
            with rooms.room(game) as room:
                await room.attach(mine)
                await room.attach(friends)
                await play(rooms, game, "h8", 0)
                await play(rooms, game, "i9", 1, FRIEND)
                assert await refused(rooms, game, kind) == "here"
                await room.detach(friends)
                assert await refused(rooms, game, kind) == "soon"
                away(room.subscribers, 2, commands.PATIENCE - 5)
                assert await refused(rooms, game, kind) == "soon"
                away(room.subscribers, 2, commands.PATIENCE + 1)
                # Who has left cannot say that the other one has.
                assert await refused(rooms, game, kind, FRIEND) == "here"
                with pytest.raises(NeedsToken):
                    await ask(rooms, game, kind, "stranger")
                await room.announce()
                told = [json.loads(text) for text in mine.heard]
                (gone,) = next(said for said in reversed(told) if said["type"] == "presence")[
                    "away"
                ].items()
                assert gone[0] == "2"
                assert gone[1] > commands.PATIENCE
                await ask(rooms, game, kind)
                outcome = (await state(rooms, game))["outcome"]
                assert (outcome["winner"], outcome["reason"]) == (None, reason)
                await room.detach(mine)


@in_world
async def test_who_comes_back_has_not_left(world: World) -> None:
    async with world.process() as rooms:
        game = await two_people(rooms)
        mine, friends = Listener(Sender(ME)), Listener(Sender(FRIEND))
        with rooms.room(game) as room:
            await room.attach(mine)
            await play(rooms, game, "h8", 0)
            await play(rooms, game, "i9", 1, FRIEND)
            away(room.subscribers, 2, commands.PATIENCE + 1)
            await room.attach(friends)
            await room.detach(friends)
            assert await refused(rooms, game, "claim_draw") == "soon"


@in_world
async def test_under_a_clock_the_clock_decides(world: World) -> None:
    async with world.process() as rooms:
        game = await two_people(rooms, clock="300+5")
        await play(rooms, game, "h8", 0)
        await play(rooms, game, "i9", 1, FRIEND)
        with rooms.room(game) as room:
            away(room.subscribers, 2, commands.PATIENCE + 1)
            for kind in ("claim_draw", "abort"):
                assert await refused(rooms, game, kind) == "clock"


@in_world
async def test_a_draw_is_not_claimed_by_who_only_does_not_want_to_wait(world: World) -> None:
    async with world.process() as rooms:
        game = await two_people(rooms)
        assert await refused(rooms, game, "claim_draw") == "soon"


@in_world
async def test_against_computers_and_oneself_nobody_is_left_alone(world: World) -> None:
    async with world.process() as rooms:
        for white in ("random", "human"):
            made = await create(rooms, Board(), Sender(ME), white=white)
            for kind in ("claim_draw", "abort"):
                assert await refused(rooms, made.id, kind) == "nobody"


@in_world
async def test_who_is_there_through_another_process_has_not_left(world: World) -> None:
    async with world.process() as first, world.process() as second:
        game = await two_people(first)
        mine, friends = Listener(Sender(ME)), Listener(Sender(FRIEND))
        with first.room(game) as here, second.room(game) as there:
            await there.attach(friends)
            await here.attach(mine)
            await play(first, game, "h8", 0)
            await play(first, game, "i9", 1, FRIEND)
            away(here.subscribers, 2, commands.PATIENCE + 1)
            assert await refused(first, game, "claim_draw") in ("here", "soon")
            assert 2 not in here.subscribers.presence().away


def away(subscribers: Any, who: int, seconds: float) -> None:
    """Let somebody who is not connected have left so long ago."""
    gone = subscribers.presence().away
    if who in gone:
        subscribers._left[who] -= seconds - gone[who]
