"""Server processes in one test: rooms with a database, a bus and workers, and who is connected to them."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from tengen import executors
from tengen.game.board import Board
from tengen.game.rules import Rules
from tengen.schemas.base import Json
from tengen.schemas.game import StartedGame
from tengen.web.computing import engine_warmup
from tengen.web.computing.engine_warmup import Warmup
from tengen.web.computing.search_pool import PATIENCE, SearchPool
from tengen.web.database.repository import Repository
from tengen.web.games.commands import Move
from tengen.web.games.game import Sender
from tengen.web.games.rooms import Rooms
from tengen.web.games.terms import GameTerms
from tengen.web.transport.bus import Bus, LocalBus, open_bus
from tengen.web.transport.channel import Channel
from tengen.web.transport.settings import ServerSettings

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


@dataclass(eq=False)
class Looker(Channel):
    """Somebody who looks at the lobby.

    Attributes:
        visitor: who.
        shown: the last list, as it was told.
        game: where it was called to.
    """

    visitor: str | None
    shown: Json = field(default_factory=dict)
    game: str = ""

    def send(self, text: str, about: Hashable = None) -> None:
        told = json.loads(text)
        if about == "game":
            self.game = told["id"]
        else:
            self.shown = told

    @property
    def names(self) -> list[str | None]:
        """Who offers a game, in the order of the list."""
        return [one["name"] for one in self.shown.get("challenges", ())]


class World:
    """A database and a bus, with server processes that share them."""

    def __init__(self, folder: Path) -> None:
        self.settings = ServerSettings(data=folder)
        self.bus: Bus = LocalBus()
        self.players = executors.open_workers("threads", 2)
        self.engines = executors.open_workers("threads", 1)

    @asynccontextmanager
    async def process(self, patience: float = PATIENCE, **given: Any) -> AsyncIterator[Rooms]:
        repository = await asyncio.to_thread(Repository, self.settings)
        pool = SearchPool(self.engines, self.players, self.engines, Warmup(), patience)
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


def compile_engine(patch: pytest.MonkeyPatch) -> threading.Event:
    """Let servers that start believe that the engine is being compiled, until the event is set."""
    ready = threading.Event()

    async def compiled(warmup: Warmup) -> None:
        warmup.compiles = True

    patch.setattr(engine_warmup, "_is_compiled", lambda: False)
    patch.setattr(Warmup, "_compile", compiled)
    patch.setattr(engine_warmup, "_load", lambda: ready.wait(60))  # no longer, if a test has failed
    return ready


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


async def until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.01)


async def create(
    rooms: Rooms,
    start: Board,
    sender: Sender,
    *,
    opening: str | None = None,
    clock: str | None = None,
    take_backs: int | None = 5,
    **seats: Any,
) -> StartedGame:
    """Begin a game."""
    return await rooms.create(GameTerms(start, opening, clock, take_backs), sender, **seats)


async def play(rooms: Rooms, game: str, point: str, ply: int, who: str = ME) -> int:
    with rooms.room(game) as room:
        return await room.apply(Move(type="move", point=point, ply=ply), Sender(who))


async def state(rooms: Rooms, game: str) -> Json:
    with rooms.room(game) as room:
        return (await room.state()).to_dict()


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
def gate_before(repository: Repository, function: Callable[..., Any]) -> Iterator[Gate]:
    """Let calls of a writing function wait at a gate, which is open when the test ends."""
    gate, write = Gate(), repository.write

    async def waiting(row: str, change: Any, *args: Any, **named: Any) -> Any:
        if change is function:
            gate.reached.set()
            await gate.open.wait()
        return await write(row, change, *args, **named)

    repository.write = waiting  # type: ignore[method-assign]
    try:
        yield gate
    finally:
        gate.open.set()


@asynccontextmanager
async def process_of(settings: ServerSettings, **given: Any) -> AsyncIterator[Rooms]:
    """A server process with workers, a bus and a connection of its own."""
    repository, bus = await asyncio.to_thread(Repository, settings), open_bus(settings)
    await bus.start()
    with executors.open_workers("threads", 1) as workers:
        pool = SearchPool(workers, workers, workers, Warmup())
        rooms = Rooms(repository, bus, pool, **given)
        await rooms.start()
        try:
            yield rooms
        finally:
            await rooms.close()
            await bus.close()
            await repository.close()
