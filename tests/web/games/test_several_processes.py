"""One game in several server processes, which share a database and hear of each other by the bus."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

import pytest

from tengen.game.board import Board
from tengen.schemas.base import Json
from tengen.web.games import ratings
from tengen.web.games.commands import Move
from tengen.web.games.game import Sender, hashed
from tengen.web.transport.bus import MISSED
from tengen.web.transport.errors import Refused
from tengen.web.transport.settings import ServerSettings
from tests.web.postgres import Cluster
from tests.web.world import (
    FRIEND,
    LONG,
    ME,
    THREE,
    Listener,
    World,
    create,
    gate_before,
    in_world,
    play,
    process_of,
    state,
    until,
)


@in_world
async def test_what_was_shown_is_there_after_the_server_was_killed(world: World) -> None:
    async with world.process() as rooms:
        made = await create(rooms, THREE, Sender(ME))
        await play(rooms, made.id, "b2", 0)
        before = await state(rooms, made.id)
        # Another process knows nothing but the database.
        async with world.process() as other:
            after = await state(other, made.id)
            assert after == before
            token = made.seats.white
            assert token is not None
            bearer = Sender(None, (hashed(token),))
            with other.room(made.id) as room:
                await room.apply(Move(type="move", point="a1", ply=1), bearer)


@in_world
async def test_two_processes_change_one_game_in_turn(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await create(first, Board(), Sender(ME))
        listener = Listener()
        with second.room(made.id) as room:
            await room.attach(listener)
        points = ["h8", "i9", "h9", "i10", "h10", "i11"]
        for ply, point in enumerate(points):
            await play((first, second)[ply % 2], made.id, point, ply)
        assert (await state(first, made.id))["moves"] == points
        assert (await state(second, made.id))["moves"] == points
        assert any('"ply":5' in text for text in listener.heard)


@in_world
async def test_of_two_moves_at_the_same_time_one_is_played(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await create(first, Board(), Sender(ME))
        await state(second, made.id)
        answers = await asyncio.gather(
            *(play(rooms, made.id, point, 0) for rooms, point in ((first, "h8"), (second, "i9"))),
            *(play(rooms, made.id, point, 0) for rooms, point in ((second, "a1"), (first, "b1"))),
            return_exceptions=True,
        )
        assert len([answer for answer in answers if isinstance(answer, int)]) == 1
        assert len([answer for answer in answers if isinstance(answer, Refused)]) == 3
        assert (await state(first, made.id))["moves"] == (await state(second, made.id))["moves"]
        assert (await state(first, made.id))["version"] == 2


def presence(one: Listener) -> Json:
    """What somebody was told last of who is there."""
    told = [json.loads(text) for text in one.heard]
    return next((said for said in reversed(told) if said["type"] == "presence"), {"connected": None})


def both_here(one: Listener) -> bool:
    return presence(one) == {"type": "presence", "connected": [1, 2], "watchers": 1, "away": {}}


@in_world
async def test_who_is_connected_elsewhere_is_present(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await create(first, Board(), Sender(ME))
        player, watcher = Listener(Sender(ME)), Listener()
        with first.room(made.id) as here, second.room(made.id) as there:
            await here.attach(player)
            await there.attach(watcher)
            await until(lambda: both_here(player) and both_here(watcher))
            seats = (await there.state()).to_dict()["seats"]
            assert [seat["connected"] for seat in seats] == [True, True]
            await here.detach(player)
            await until(lambda: presence(watcher)["connected"] == [])
            assert presence(watcher)["away"].keys() == {"1", "2"}


@in_world
async def test_one_process_lets_the_computer_think(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await create(first, Board(), Sender(ME), white=LONG)
        with first.room(made.id) as here, second.room(made.id) as there:
            await here.attach(Listener(Sender(ME)))
            await there.attach(Listener())
            await play(first, made.id, "h8", 0)
            await until(lambda: here._computer._leased or there._computer._leased)
            await until(lambda: not world.players.idle)
            assert not (here._computer._leased and there._computer._leased)
            # The one that does not think passes the word on.
            await (there if here._computer._leased else here).hurry(Sender(ME))
            await until(lambda: here.version == there.version == 3)
            assert len((await state(first, made.id))["moves"]) == 2
            assert (await state(second, made.id))["moves"] == (await state(first, made.id))["moves"]


@in_world
async def test_nobody_sees_a_version_before_it_is_kept(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await create(first, Board(), Sender(ME))
        with first.room(made.id) as here, gate_before(first.repository, ratings.save) as gate:
            playing = asyncio.create_task(play(first, made.id, "h8", 0))
            await gate.reached.wait()
            assert here.version == 1
            assert (await state(second, made.id))["moves"] == []
            gate.open.set()
            assert await playing == here.version == 2


@pytest.mark.long
async def test_two_processes_share_a_database_server(postgres: Cluster, tmp_path: Path) -> None:
    settings = ServerSettings(data=tmp_path, database=postgres.new_database())
    async with process_of(settings) as first, process_of(settings) as second:
        made = await create(first, Board(), Sender(ME), white=LONG)
        here, there = Listener(Sender(ME)), Listener()
        with first.room(made.id) as one, second.room(made.id) as other:
            await one.attach(here)
            await other.attach(there)
            await until(lambda: any('"watchers":1' in text for text in here.heard))
            await play(second, made.id, "h8", 0)
            await until(lambda: '"ply":1' in here.heard[-1])
            await until(lambda: one._computer._leased or other._computer._leased)
            assert not (one._computer._leased and other._computer._leased)
            await (other if one._computer._leased else one).hurry(Sender(ME))
            await until(lambda: '"ply":2' in here.heard[-1] and '"ply":2' in there.heard[-1])
        assert (await state(first, made.id))["moves"] == (await state(second, made.id))["moves"]


@pytest.mark.long
async def test_who_was_connected_to_a_process_that_was_killed_is_forgotten(
    postgres: Cluster, tmp_path: Path
) -> None:
    """Its viewers do not count any more, and the game leaves the memory of the others."""
    database = postgres.new_database()
    settings = ServerSettings(data=tmp_path, database=database)
    async with process_of(settings, heartbeat=0.2, idle=0.4) as rooms:
        made, here = await create(rooms, Board(), Sender(ME)), Listener(Sender(ME))
        with rooms.room(made.id) as room:
            await room.attach(here)
        other = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.web.watching", database, made.id), stdout=asyncio.subprocess.PIPE
        )
        try:
            assert other.stdout is not None
            assert await asyncio.wait_for(other.stdout.readline(), 60) == b"watching\n"
            await until(lambda: here.heard != [] and '"watchers":1' in here.heard[-1])
            await asyncio.sleep(1.5)  # it is alive; one that was only slow comes back
            await until(lambda: room.subscribers.presence().watchers == 1)
        finally:
            other.kill()
            await other.wait()
        await until(lambda: '"watchers":0' in here.heard[-1])
        await room.detach(here)
        rooms.sweep()
        assert len(rooms) == 0


@in_world
async def test_a_process_that_was_only_slow_is_asked_who_is_connected_to_it(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await create(first, Board(), Sender(ME))
        here, there = Listener(Sender(ME)), Listener()
        with first.room(made.id) as one, second.room(made.id) as other:
            await one.attach(here)
            await other.attach(there)
            await until(lambda: one.subscribers.presence().watchers == 1)
            first._others._last_message[second.process.name] = time.monotonic() - 60
            assert first._others.expired() == [second.process.name]
            one.subscribers.forget_process(second.process.name)
            assert one.subscribers.presence().watchers == 0
            await second.process.publish("", {"do": "live"})
            await until(lambda: one.subscribers.presence().watchers == 1)


@in_world
async def test_after_messages_may_have_been_lost_everybody_says_who_is_there(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await create(first, Board(), Sender(ME))
        here, there = Listener(Sender(ME)), Listener()
        with first.room(made.id) as one, second.room(made.id) as other:
            await one.attach(here)
            await other.attach(there)
            await until(lambda: one.subscribers.presence().watchers == 1)
            other.subscribers.clients.discard(there)  # it has gone, and nobody was told
            first._on_message("", dict(MISSED))
            await until(lambda: one.subscribers.presence().watchers == 0)


@in_world
async def test_what_is_said_is_heard_in_another_process(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await create(first, Board(), Sender(ME), open_seat=2)
        await first.join(made.id, Sender(FRIEND))
        here, there = Listener(Sender(ME)), Listener(Sender(FRIEND))
        with first.room(made.id) as one, second.room(made.id) as other:
            await one.attach(here)
            await other.attach(there)
            await until(lambda: one.subscribers.presence().connected == {1, 2})
            await one.send_phrase("thanks", Sender(ME))
            said = '{"type":"phrase","by":1,"phrase":"thanks"}'
            await until(lambda: said in here.heard and said in there.heard)
