from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from tengen import executors
from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN
from tengen.web.games.client_messages import ClientMessage, MoveMessage, Sender, read_client_message
from tengen.web.games.repository import GameRepository
from tengen.web.games.room_state import hashed
from tengen.web.games.rooms import CreatedGame, GameOptions, Rooms
from tengen.web.server import board_json, thinking_costs
from tengen.web.server.board_json import Json
from tengen.web.server.bus import MISSED, Bus, LocalBus, open_bus
from tengen.web.server.engine_warmup import Warmup
from tengen.web.server.http_errors import NoSuchGame, Refused, TooManyRequests
from tengen.web.server.search_pool import PATIENCE, SearchPool
from tengen.web.server.settings import ServerSettings
from tengen.web.server.thinking_costs import move_seconds
from tests.web.postgres import Cluster

ME, FRIEND = "m" * 22, "f" * 22
THREE = Board(Rules.named("tictactoe"))
LONG = "mcts,playouts=200000"


@dataclass(eq=False)
class Listener:
    """Somebody who is connected, and hears what is said."""

    sender: Sender = field(default_factory=Sender)
    you: frozenset[int] = frozenset()
    heard: list[str] = field(default_factory=list)

    def send(self, text: str) -> None:
        self.heard.append(text)


class World:
    """A database and a bus, with server processes that share them."""

    def __init__(self, folder: Path) -> None:
        self.settings = ServerSettings(data=folder)
        self.bus: Bus = LocalBus()
        self.players = executors.open_workers("threads", 2)
        self.engines = executors.open_workers("threads", 1)

    @asynccontextmanager
    async def process(self, patience: float = PATIENCE, **given: Any) -> AsyncIterator[Rooms]:
        repository = await asyncio.to_thread(GameRepository, self.settings)
        warmup = Warmup(compile_first=False)
        pool = SearchPool(self.engines, self.players, self.engines, warmup, patience)
        rooms = Rooms(repository, self.bus, pool, **given)
        await rooms.start()
        try:
            yield rooms
        finally:
            await rooms.close()
            await repository.close()

    def close(self) -> None:
        self.players.close()
        self.engines.close()


def in_world(test: Callable[[World], Coroutine[Any, Any, None]]) -> Callable[[Path], None]:
    """Run a test in a world of its own."""

    @wraps(test)
    def run(tmp_path: Path) -> None:
        world = World(tmp_path)
        try:
            asyncio.run(test(world))
        finally:
            world.close()

    del run.__wrapped__
    return run


async def until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.01)


async def play(rooms: Rooms, game: str, point: str, ply: int, who: str = ME) -> int:
    with rooms.room(game) as room:
        return await room.apply(MoveMessage(type="move", point=point, ply=ply), Sender(who))


async def send(rooms: Rooms, game: str, data: Json, who: str = ME) -> None:
    read: ClientMessage = read_client_message(data)
    assert not hasattr(read, "swap")
    with rooms.room(game) as room:
        await room.apply(read, Sender(who))  # type: ignore[arg-type]


async def state(rooms: Rooms, game: str) -> Json:
    with rooms.room(game) as room:
        return await room.state()


@dataclass(eq=False)
class Gate:
    """Where calls of a method wait until they may go on.

    Attributes:
        reached: set when the first one has come.
        open: set to let them go on.
    """

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    open: asyncio.Event = field(default_factory=asyncio.Event)


@contextmanager
def gate_before(repository: GameRepository, name: str) -> Iterator[Gate]:
    """Let calls of a method of a repository wait at a gate, which is open when the test ends."""
    gate, method = Gate(), getattr(repository, name)

    async def waiting(*args: Any) -> Any:
        gate.reached.set()
        await gate.open.wait()
        return await method(*args)

    setattr(repository, name, waiting)
    try:
        yield gate
    finally:
        gate.open.set()


def token_of(made: CreatedGame, who: int) -> str:
    token = made.tokens[who]
    assert token is not None
    return token


@in_world
async def test_what_was_shown_is_there_after_the_server_was_killed(world: World) -> None:
    async with world.process() as rooms:
        made = await rooms.create(GameOptions(THREE), Sender(ME))
        await play(rooms, made.id, "b2", 0)
        before = await state(rooms, made.id)
        # Another process knows nothing but the database.
        async with world.process() as other:
            after = await state(other, made.id)
            assert after == before
            token = Sender(None, (hashed(token_of(made, 2)),))
            with other.room(made.id) as room:
                await room.apply(MoveMessage(type="move", point="a1", ply=1), token)


@in_world
async def test_two_processes_change_one_game_in_turn(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await first.create(GameOptions(Board()), Sender(ME))
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
        made = await first.create(GameOptions(Board()), Sender(ME))
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


@in_world
async def test_who_is_connected_elsewhere_is_present(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await first.create(GameOptions(Board()), Sender(ME))
        player, watcher = Listener(Sender(ME)), Listener()
        with first.room(made.id) as here, second.room(made.id) as there:
            await here.attach(player)
            await there.attach(watcher)
            said = '{"type":"presence","connected":[1,2],"watchers":1}'
            await until(lambda: said in player.heard and said in watcher.heard)
            seats = (await there.state())["seats"]
            assert [seat["connected"] for seat in seats] == [True, True]
            await here.detach(player)
            await until(lambda: '{"type":"presence","connected":[],"watchers":1}' in watcher.heard)


@in_world
async def test_one_process_lets_the_computer_think(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await first.create(GameOptions(Board(), white=LONG), Sender(ME))
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
async def test_who_hurries_a_computer_before_it_has_begun_is_heard(world: World) -> None:
    async with world.process() as rooms:
        made = await rooms.create(GameOptions(Board(), white=LONG), Sender(ME))
        with rooms.room(made.id) as room:
            with gate_before(rooms.repository, "claim") as gate:
                await play(rooms, made.id, "h8", 0)
                await gate.reached.wait()
                await room.hurry(Sender(ME))
            await until(lambda: room.version == 3)


@in_world
async def test_nobody_sees_a_version_before_it_is_kept(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await first.create(GameOptions(Board()), Sender(ME))
        with first.room(made.id) as here, gate_before(first.repository, "save") as gate:
            playing = asyncio.create_task(play(first, made.id, "h8", 0))
            await gate.reached.wait()
            assert here.version == 1
            assert (await state(second, made.id))["moves"] == []
            gate.open.set()
            assert await playing == here.version == 2


@in_world
async def test_an_idle_game_leaves_the_memory_and_its_sockets_stay(world: World) -> None:
    async with world.process(idle=0.05) as rooms:
        made = await rooms.create(GameOptions(Board(), clock="300"), Sender(ME))
        alone = await rooms.create(GameOptions(Board()), Sender(ME))
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
        made = await rooms.create(GameOptions(Board(), clock="0.5"), Sender(ME))
        listener = Listener()
        with rooms.room(made.id) as room:
            await room.attach(listener)
        await until(lambda: room.version == 0)
        await until(lambda: any('"reason":"time"' in text for text in listener.heard))


@in_world
async def test_the_time_a_server_was_down_is_nobodys(world: World) -> None:
    async with world.process() as rooms:
        began = time.monotonic()
        made = await rooms.create(GameOptions(Board(), clock="300"), Sender(ME))
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
        made = await rooms.create(GameOptions(Board(), clock="0.2"), Sender(ME))
        time.sleep(0.25)  # the alarm has no chance to go off before the move comes
        with pytest.raises(GameOver):
            await play(rooms, made.id, "h8", 0)
        assert (await state(rooms, made.id))["outcome"]["reason"] == "time"


@in_world
async def test_computers_play_on_only_while_somebody_looks(world: World) -> None:
    options = GameOptions(Board(), black="random,seed=1", white="random,seed=2", pace=0.05)
    async with world.process() as rooms:
        made = await rooms.create(options, Sender(ME))
        with rooms.room(made.id) as room:
            room.subscribers.seen = -1000.0
            await until(lambda: not room._computer.busy)
            ply = (await room.look(lambda session, _: session.board)).ply
            await asyncio.sleep(0.2)
            assert (await room.look(lambda session, _: session.board)).ply == ply
            listener = Listener()
            await room.attach(listener)
            await until(lambda: room.version > ply + 4)


@dataclass(eq=False)
class Purse:
    """What somebody has to pay for thinking."""

    left: float

    def pay(self, cost: float) -> None:
        if cost > self.left:
            raise TooManyRequests("error.web.too_many")
        self.left -= cost


@in_world
async def test_computers_play_on_only_while_somebody_who_looks_can_pay(world: World) -> None:
    options = GameOptions(Board(), black="random,seed=1", white="random,seed=2")
    move = move_seconds("random")
    maker, watcher = Purse(4.5 * move), Purse(0)
    async with world.process() as rooms:
        made = await rooms.create(options, Sender(ME, pay=maker.pay))
        with rooms.room(made.id) as room:
            await until(lambda: maker.left < move)
            ply = made.state["ply"] + 3  # one was paid for when the game was made
            await until(lambda: room.version == ply + 1)
            await asyncio.sleep(0.1)
            assert room.version == ply + 1
            listener = Listener(Sender(FRIEND, pay=watcher.pay))
            await room.attach(listener)
            watcher.left = 2.5 * move
            await until(lambda: room.version == ply + 3)
            assert maker.left == pytest.approx(move / 2)
            # When nobody looks on any more, nobody is waited for.
            await room.detach(listener)
            room.subscribers.seen = -1000.0
            await until(lambda: not room._computer.busy)


@in_world
async def test_a_computer_that_begins_or_sits_down_is_paid_for(world: World) -> None:
    empty = Sender(ME, pay=Purse(0).pay)
    async with world.process() as rooms:
        with pytest.raises(TooManyRequests):
            await rooms.create(GameOptions(Board(), black="lines"), empty)
        timed = GameOptions(Board(), black="lines", open=2, clock="300")
        waiting = await rooms.create(timed, Sender(ME))
        with pytest.raises(TooManyRequests):
            await rooms.join(waiting.id, Sender(FRIEND, pay=Purse(0).pay))
        assert (await state(rooms, waiting.id))["seats"][1]["open"]
        made = await rooms.create(GameOptions(Board()), empty)
        message = read_client_message({"type": "hand_over", "participant": 1, "occupant": "lines"})
        with rooms.room(made.id) as room:
            with pytest.raises(TooManyRequests):
                await room.apply(message, empty)  # type: ignore[arg-type]
            assert (await room.state())["seats"][0]["occupant"] == HUMAN
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

    payer = Sender(ME, pay=Purse(2.5 * thinking_costs.POSITION).pay)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Board, "fouls", watched)
        async with world.process() as rooms:
            made = await rooms.create(GameOptions(Board(Rules.named("renju", size=50))), payer)
            with rooms.room(made.id) as room:
                await room.apply(MoveMessage(type="move", point="h8", ply=0), payer)
                with pytest.raises(TooManyRequests):
                    await room.apply(MoveMessage(type="move", point="i9", ply=1), payer)
                await room.apply(MoveMessage(type="move", point="i9", ply=1), Sender(ME))
            board_json._kept_fouls.cache_clear()
            async with world.process() as other:
                await state(other, made.id)
    assert len(threads) >= 3
    assert threading.main_thread() not in threads


@in_world
async def test_a_player_that_fails_leaves_its_seat_with_a_sentence(world: World) -> None:
    async with world.process() as rooms:
        made = await rooms.create(GameOptions(THREE, white="lookup"), Sender(ME))
        # The table of such a board is not made any more: as if the player's own code broke.
        with rooms.room(made.id) as room:
            await room.act(lambda session, _: session.hand_over(2, _Broken()))
            await play(rooms, made.id, "b2", 0)
            await until(lambda: room.version >= 4)
        now = await state(rooms, made.id)
        assert now["seats"][1]["occupant"] == HUMAN
        assert now["notice"]["key"] == "web.live.player_failed"
        assert "shapes:nonsense" in str(now["notice"]["values"]["player"])
        await play(rooms, made.id, "a1", 1)  # whoever is left at the table plays on for it
        assert (await state(rooms, made.id))["notice"] is None


class _Broken:
    """A seat whose player cannot be made."""

    name = "shapes:nonsense"

    def choose(self, *_: Any) -> Any:
        raise NotImplementedError

    explain = choose


@in_world
async def test_a_player_that_takes_too_long_is_hurried(world: World) -> None:
    async with world.process(patience=0.2) as rooms:
        made = await rooms.create(GameOptions(Board(), white=LONG), Sender(ME))
        await play(rooms, made.id, "h8", 0)
        with rooms.room(made.id) as room:
            await until(lambda: room.version == 3)
        assert (await state(rooms, made.id))["ply"] == 2


@in_world
async def test_handing_over_stops_the_computer(world: World) -> None:
    async with world.process() as rooms:
        made = await rooms.create(GameOptions(Board(), white=LONG), Sender(ME))
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
        made = await rooms.create(GameOptions(Board()), Sender(ME))
        with rooms.room(made.id) as room:
            await room.attach(Listener())
        rooms.sweep()
        await until(lambda: room.version == 0)
        parts = [room, room.subscribers, room._lock, room._computer, room.subscribers.clients]
        assert sum(map(sys.getsizeof, parts)) < 5000
        assert room._snapshot is None


@pytest.mark.usefixtures("compiled")
@in_world
async def test_the_engine_is_waited_for_and_says_what_it_thinks(world: World) -> None:
    async with world.process() as rooms:
        made = await rooms.create(GameOptions(Board(), white="engine,nodes=5000000"), Sender(ME))
        listener = Listener(Sender(ME))
        with rooms.room(made.id) as room:
            await room.attach(listener)
            await play(rooms, made.id, "h8", 0)
            await until(lambda: any("web.live.compiling" in text for text in listener.heard))
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


def test_two_processes_share_a_database_server(postgres: Cluster, tmp_path: Path) -> None:
    async def playing() -> None:
        settings = ServerSettings(data=tmp_path, database=postgres.new_database())
        async with process_of(settings) as first, process_of(settings) as second:
            made = await first.create(GameOptions(Board(), white=LONG), Sender(ME))
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

    asyncio.run(playing())


def test_who_was_connected_to_a_process_that_was_killed_is_forgotten(
    postgres: Cluster, tmp_path: Path
) -> None:
    """Its viewers do not count any more, and the game leaves the memory of the others."""
    database = postgres.new_database()

    async def watching() -> None:
        settings = ServerSettings(data=tmp_path, database=database)
        async with process_of(settings, heartbeat=0.2, idle=0.4) as rooms:
            made, here = await rooms.create(GameOptions(Board()), Sender(ME)), Listener(Sender(ME))
            with rooms.room(made.id) as room:
                await room.attach(here)
            other = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.web.watching", database, made.id),
                stdout=asyncio.subprocess.PIPE,
            )
            try:
                assert other.stdout is not None
                assert await asyncio.wait_for(other.stdout.readline(), 60) == b"watching\n"
                await until(lambda: here.heard != [] and '"watchers":1' in here.heard[-1])
                await asyncio.sleep(1.5)  # it is alive; one that was only slow comes back
                await until(lambda: room.subscribers.present()[1] == 1)
            finally:
                other.kill()
                await other.wait()
            await until(lambda: '"watchers":0' in here.heard[-1])
            await room.detach(here)
            rooms.sweep()
            assert len(rooms) == 0

    asyncio.run(watching())


@in_world
async def test_a_process_that_was_only_slow_is_asked_who_is_connected_to_it(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await first.create(GameOptions(Board()), Sender(ME))
        here, there = Listener(Sender(ME)), Listener()
        with first.room(made.id) as one, second.room(made.id) as other:
            await one.attach(here)
            await other.attach(there)
            await until(lambda: one.subscribers.present()[1] == 1)
            first._others._heard[second.name] = time.monotonic() - 60
            assert first._others.expired() == [second.name]
            one.subscribers.forget_process(second.name)
            assert one.subscribers.present()[1] == 0
            await second.publish("", {"do": "live"})
            await until(lambda: one.subscribers.present()[1] == 1)


@in_world
async def test_after_messages_may_have_been_lost_everybody_says_who_is_there(world: World) -> None:
    async with world.process() as first, world.process() as second:
        made = await first.create(GameOptions(Board()), Sender(ME))
        here, there = Listener(Sender(ME)), Listener()
        with first.room(made.id) as one, second.room(made.id) as other:
            await one.attach(here)
            await other.attach(there)
            await until(lambda: one.subscribers.present()[1] == 1)
            other.subscribers.clients.discard(there)  # it has gone, and nobody was told
            first._hear("", dict(MISSED))
            await until(lambda: one.subscribers.present()[1] == 0)


@asynccontextmanager
async def process_of(settings: ServerSettings, **given: Any) -> AsyncIterator[Rooms]:
    """A server process with workers, a bus and a connection of its own."""
    repository, bus = await asyncio.to_thread(GameRepository, settings), open_bus(settings)
    await bus.start()
    with executors.open_workers("threads", 1) as workers:
        pool = SearchPool(workers, workers, workers, Warmup(compile_first=False))
        rooms = Rooms(repository, bus, pool, **given)
        await rooms.start()
        try:
            yield rooms
        finally:
            await rooms.close()
            await bus.close()
            await repository.close()
