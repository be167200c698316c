"""Games in one server process: what is played, kept, thought about, paid for and forgotten."""

from __future__ import annotations

import asyncio
import gc
import json
import sqlite3
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

import pytest

from tengen.game.board import Board
from tengen.game.errors import GameOver, NotAllowed
from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN
from tengen.schemas import board as board_data
from tengen.schemas.base import Json
from tengen.web.computing import thinking_costs
from tengen.web.computing.thinking_costs import move_seconds
from tengen.web.games import game_lists, game_rows, ratings
from tengen.web.games.client_messages import ClientMessage, read_client_message
from tengen.web.games.commands import Move
from tengen.web.games.game import Sender
from tengen.web.games.rooms import Rooms
from tengen.web.transport.errors import NoSuchGame, Overloaded, TooManyRequests
from tests.web.world import (
    FRIEND,
    LONG,
    ME,
    THREE,
    Listener,
    World,
    compile_engine,
    create,
    gate_before,
    in_world,
    play,
    state,
    until,
)


async def send(rooms: Rooms, game: str, data: Json, who: str = ME) -> None:
    read: ClientMessage = read_client_message(data)
    assert not hasattr(read, "swap")
    with rooms.room(game) as room:
        await room.apply(read, Sender(who))  # type: ignore[arg-type]


@in_world
async def test_who_hurries_a_computer_before_it_has_begun_is_heard(world: World) -> None:
    async with world.process() as rooms:
        made = await create(rooms, Board(), Sender(ME), white=LONG)
        with rooms.room(made.id) as room:
            with gate_before(rooms.repository, game_rows.claim) as gate:
                await play(rooms, made.id, "h8", 0)
                await gate.reached.wait()
                await room.hurry(Sender(ME))
            await until(lambda: room.version == 3)


@in_world
async def test_a_change_that_is_refused_when_nobody_waits_for_it_is_no_error(world: World) -> None:
    told: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["message"]))
    async with world.process() as rooms:
        made = await create(rooms, Board(), Sender(ME))
        with rooms.room(made.id) as room:
            with gate_before(rooms.repository, ratings.save) as gate:
                first = asyncio.create_task(play(rooms, made.id, "h8", 0))
                await gate.reached.wait()
                late = asyncio.create_task(play(rooms, made.id, "i9", 0))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                late.cancel()
            await first
            with pytest.raises(asyncio.CancelledError):
                await late
            assert (await room.state()).moves == ("h8",)
        gc.collect()
        assert told == []


@in_world
async def test_several_who_begin_the_next_game_at_once_begin_one(world: World) -> None:
    async with world.process() as rooms:
        made = await create(rooms, THREE, Sender(ME))
        asked = (rooms.again(made.id, Sender(ME), swap=False) for _ in range(4))
        following = {again.id for again in await asyncio.gather(*asked) if again is not None}
        assert len(following) == 1
        games, count = await rooms.repository.read(game_lists.games_of, ME)
        assert count == 2
        assert {game.id for game in games} == {made.id, *following}


@in_world
async def test_an_idle_game_leaves_the_memory_and_its_sockets_stay(world: World) -> None:
    async with world.process(idle=0.05) as rooms:
        made = await create(rooms, Board(), Sender(ME), clock="300")
        alone = await create(rooms, Board(), Sender(ME))
        listener = Listener(Sender(ME))
        with rooms.room(made.id) as room:
            await room.attach(listener)
        await play(rooms, made.id, "h8", 0)
        await until(lambda: room.version == 0)
        assert len(rooms) == 1, "the game that nobody looks at is gone altogether"
        await asyncio.sleep(0.3)
        await play(rooms, made.id, "i9", 1)
        assert '"moves":["h8","i9"]' in listener.heard[-1]
        left = (await state(rooms, made.id))["seats"][1]["clock"]["left"]
        assert left < 299.8, "the clock ran on meanwhile"
        assert (await state(rooms, alone.id))["moves"] == []


@in_world
async def test_a_flag_falls_though_the_game_is_not_in_memory(world: World) -> None:
    async with world.process(idle=0.05) as rooms:
        made = await create(rooms, Board(), Sender(ME), clock="0.5")
        listener = Listener()
        with rooms.room(made.id) as room:
            await room.attach(listener)
        await until(lambda: room.version == 0)
        await until(lambda: any('"reason":"time"' in text for text in listener.heard))


@in_world
async def test_the_time_a_server_was_down_is_nobodys(world: World) -> None:
    async with world.process() as rooms:
        began = time.monotonic()
        made = await create(rooms, Board(), Sender(ME), clock="300")
        await play(rooms, made.id, "h8", 0)
        await asyncio.sleep(0.2)
    with sqlite3.connect(world.settings.data / "games.sqlite") as connection:
        connection.execute("UPDATE games SET updated = updated - 100")  # as if it had been down for so long
    connection.close()
    async with world.process() as rooms:
        left = (await state(rooms, made.id))["seats"][1]["clock"]["left"]
        assert 299.8 - (time.monotonic() - began) < left < 299.85


@in_world
async def test_a_refused_move_in_lost_time_ends_the_game_for_all(world: World) -> None:
    async with world.process() as rooms:
        made = await create(rooms, Board(), Sender(ME), clock="0.2")
        time.sleep(0.25)  # the alarm has no chance to go off before the move comes
        with pytest.raises(GameOver):
            await play(rooms, made.id, "h8", 0)
        assert (await state(rooms, made.id))["outcome"]["reason"] == "time"


@in_world
async def test_computers_play_on_only_while_somebody_looks(world: World) -> None:
    async with world.process() as rooms:
        made = await create(
            rooms, Board(), Sender(ME), black="random,seed=1", white="random,seed=2", pace=0.05
        )
        with rooms.room(made.id) as room:
            room.subscribers.last_viewed = -1000.0
            await until(lambda: not room._computer.busy)
            ply = (await room.read(lambda game: game.session.board)).ply
            await asyncio.sleep(0.2)
            assert (await room.read(lambda game: game.session.board)).ply == ply
            listener = Listener()
            await room.attach(listener)
            await until(lambda: room.version > ply + 4)


@dataclass(eq=False)
class Purse:
    """What somebody has to pay for thinking."""

    left: float

    def charge(self, cost: float) -> None:
        if cost > self.left:
            raise TooManyRequests("error.web.too_many")
        self.left -= cost


@in_world
@pytest.mark.long
async def test_computers_play_on_only_while_somebody_who_looks_can_pay(world: World) -> None:
    move = move_seconds("random")
    maker, watcher = Purse(4.5 * move), Purse(0)
    async with world.process() as rooms:
        made = await create(
            rooms, Board(), Sender(ME, charge=maker.charge), black="random,seed=1", white="random,seed=2"
        )
        with rooms.room(made.id) as room:
            await until(lambda: maker.left < move)
            ply = made.state.ply + 3  # one was paid for when the game was made
            await until(lambda: room.version == ply + 1)
            await asyncio.sleep(0.1)
            assert room.version == ply + 1
            listener = Listener(Sender(FRIEND, charge=watcher.charge))
            await room.attach(listener)
            watcher.left = 2.5 * move
            await until(lambda: room.version == ply + 3)
            assert maker.left == pytest.approx(move / 2)
            # When nobody looks on any more, nobody is waited for.
            await room.detach(listener)
            room.subscribers.last_viewed = -1000.0
            await until(lambda: not room._computer.busy)


@in_world
async def test_a_computer_that_begins_or_sits_down_is_paid_for(world: World) -> None:
    empty = Sender(ME, charge=Purse(0).charge)
    async with world.process() as rooms:
        with pytest.raises(TooManyRequests):
            await create(rooms, Board(), empty, black="lines")
        waiting = await create(rooms, Board(), Sender(ME), black="lines", open_seat=2, clock="300")
        with pytest.raises(TooManyRequests):
            await rooms.join(waiting.id, Sender(FRIEND, charge=Purse(0).charge))
        assert (await state(rooms, waiting.id))["seats"][1]["open"]
        made = await create(rooms, Board(), empty)
        message = read_client_message({"type": "hand_over", "participant": 1, "occupant": "lines"})
        with rooms.room(made.id) as room:
            with pytest.raises(TooManyRequests):
                await room.apply(message, empty)  # type: ignore[arg-type]
            assert (await room.state()).seats[0].occupant == HUMAN
            await room.apply(message, Sender(ME))  # type: ignore[arg-type]
            await until(lambda: room.version == 3)
        with pytest.raises(TooManyRequests):
            await rooms.again(made.id, empty, swap=False)
        assert (await state(rooms, made.id))["again"] is None


@in_world
async def test_fouls_that_take_long_are_paid_for_and_nobody_waits_for_them(world: World) -> None:
    threads: list[threading.Thread] = []
    find = Board.fouls

    def watched(board: Board) -> Any:
        threads.append(threading.current_thread())
        return find(board)

    sender = Sender(ME, charge=Purse(2.5 * thinking_costs.POSITION).charge)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Board, "fouls", watched)
        async with world.process() as rooms:
            made = await create(rooms, Board(Rules.named("renju", size=50)), sender)
            with rooms.room(made.id) as room:
                await room.apply(Move(type="move", point="h8", ply=0), sender)
                with pytest.raises(TooManyRequests):
                    await room.apply(Move(type="move", point="i9", ply=1), sender)
                await room.apply(Move(type="move", point="i9", ply=1), Sender(ME))
            board_data._kept_fouls.cache_clear()
            async with world.process() as other:
                await state(other, made.id)
    assert len(threads) >= 3
    assert threading.main_thread() not in threads


@in_world
async def test_a_player_that_fails_leaves_its_seat_with_a_sentence(world: World) -> None:
    async with world.process() as rooms:
        made = await create(rooms, THREE, Sender(ME), white="lookup")
        # The table of such a board is not made any more: as if the player's own code broke.
        with rooms.room(made.id) as room:
            await room.act(lambda game: game.session.hand_over(2, _Broken()))
            await play(rooms, made.id, "b2", 0)
            await until(lambda: room.version >= 4)
        now = await state(rooms, made.id)
        assert now["seats"][1]["occupant"] == HUMAN
        assert now["notice"]["key"] == "web.live.player_failed"
        assert now["notice"]["values"]["player"]["key"] == "player.name.shapes"
        await play(rooms, made.id, "a1", 1)  # whoever is left at the table plays on for it
        assert (await state(rooms, made.id))["notice"] is None


class _Broken:
    """A seat whose player cannot be made."""

    name = "shapes:nonsense"

    def choose(self, *_: Any) -> Any:
        raise NotImplementedError

    explain = choose


@pytest.mark.long
@in_world
async def test_a_player_that_takes_too_long_is_hurried(world: World) -> None:
    async with world.process(patience=0.2) as rooms:
        made = await create(rooms, Board(), Sender(ME), white=LONG)
        await play(rooms, made.id, "h8", 0)
        with rooms.room(made.id) as room:
            await until(lambda: room.version == 3)
        assert (await state(rooms, made.id))["ply"] == 2


@in_world
async def test_handing_over_stops_the_computer(world: World) -> None:
    async with world.process() as rooms:
        made = await create(rooms, Board(), Sender(ME), white=LONG)
        await play(rooms, made.id, "h8", 0)
        await asyncio.sleep(0.2)
        await send(rooms, made.id, {"type": "hand_over", "participant": 2, "occupant": "human"})
        await play(rooms, made.id, "i9", 1)
        assert (await state(rooms, made.id))["moves"] == ["h8", "i9"]


@in_world
async def test_a_game_that_is_not_there_leaves_nothing_behind(world: World) -> None:
    async with world.process() as rooms:
        for _ in range(3):
            with pytest.raises(NoSuchGame):
                await state(rooms, "n" * 22)
        assert len(rooms) == 0


@in_world
async def test_an_idle_game_costs_little(world: World) -> None:
    """What stays of a game whose sockets stay: far from 50 kB."""
    async with world.process(idle=0.0) as rooms:
        made = await create(rooms, Board(), Sender(ME))
        with rooms.room(made.id) as room:
            await room.attach(Listener())
        rooms.sweep()
        await until(lambda: room.version == 0)
        parts = [room, room.subscribers, room._lock, room._computer, room.subscribers.clients]
        assert sum(map(sys.getsizeof, parts)) < 5000
        assert room._game is None


@pytest.mark.usefixtures("compiled")
@in_world
async def test_the_engine_is_waited_for_and_says_what_it_thinks(world: World) -> None:
    with pytest.MonkeyPatch.context() as patch:
        ready = compile_engine(patch)
        async with world.process() as rooms:
            made = await create(rooms, Board(), Sender(ME), white="engine, nodes=5000000")
            listener = Listener(Sender(ME))
            with rooms.room(made.id) as room:
                await room.attach(listener)
                await play(rooms, made.id, "h8", 0)
                await until(lambda: any("web.live.compiling" in text for text in listener.heard))
                ready.set()
                await until(lambda: any('"win_rate"' in text for text in listener.heard), 30)
                said = next(json.loads(text) for text in listener.heard if '"win_rate"' in text)
                assert (said["type"], said["by"]) == ("thinking", 2)
                assert said["point"] == said["line"][0]
                # What does not touch its turn lets it think on.
                search = room._computer._search
                await send(rooms, made.id, {"type": "draw", "version": room.version})
                assert room._computer._search is search
                await room.hurry(Sender(ME))
                await until(lambda: '"ply":2' in listener.heard[-1])


@in_world
async def test_no_clock_runs_before_the_engine_can_think(world: World) -> None:
    """The game waits, says why, and then goes on by itself."""
    with pytest.MonkeyPatch.context() as patch:
        ready = compile_engine(patch)
        async with world.process() as rooms:
            made = await create(rooms, Board(), Sender(ME), white="level:9", clock="300+5")
            listener = Listener(Sender(ME))
            with rooms.room(made.id) as room:
                await room.attach(listener)
                await until(lambda: any("web.live.preparing" in text for text in listener.heard))
                waiting = (await room.state()).to_dict()
                assert (waiting["preparing"], waiting["paused"]) == (True, True)
                assert not any(seat["clock"]["running"] for seat in waiting["seats"])
                with pytest.raises(NotAllowed):
                    await play(rooms, made.id, "h8", 0)
                with pytest.raises(NotAllowed, match="when the engine is ready"):
                    await send(rooms, made.id, {"type": "resume", "version": room.version})
                began = time.monotonic()
                ready.set()
                await until(lambda: any('"preparing":false' in text for text in listener.heard))
                going = (await room.state()).to_dict()
                assert (going["preparing"], going["paused"]) == (False, False)
                clock = going["seats"][0]["clock"]
                assert clock["running"]
                assert clock["left"] > 299.9 - (time.monotonic() - began)


@in_world
async def test_a_game_without_the_engine_does_not_wait_for_it(world: World) -> None:
    with pytest.MonkeyPatch.context() as patch:
        ready = compile_engine(patch)
        async with world.process() as rooms:
            made = await create(rooms, Board(), Sender(ME), white="level:2", clock="300")
            assert made.state.preparing is False
            with rooms.room(made.id) as room, pytest.raises(Overloaded, match="is being compiled"):
                await room.hint(Sender(ME))
            ready.set()
            await play(rooms, made.id, "h8", 0)
