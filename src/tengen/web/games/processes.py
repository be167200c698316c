"""The server processes that share a database: this one, and the liveness of the others."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeAlias

from tengen.schemas.base import Json
from tengen.web.computing.search_pool import SearchPool
from tengen.web.database.repository import Repository
from tengen.web.games.events import GameEvent
from tengen.web.games.game import Game
from tengen.web.transport.bus import Bus
from tengen.web.transport.limits import Limits, Quota, Rate

_PHRASES = Quota(Rate(4, 0.2))
"""The rate limit on a seat's phrases: a burst of four, then one every five seconds."""

Listener: TypeAlias = Callable[[Game, Sequence[GameEvent]], None]

_log = logging.getLogger("tengen.web")


class LocalProcess:
    """This server process: its services, its background tasks, and its messages to the other processes.

    Args:
        repository: the storage of games.
        bus: the message bus between server processes.
        search_pool: the pool in which computer players think.

    Attributes:
        name: the name of the process in leases and messages.
        started: the start of the process, in Unix seconds.
        phrases: the rate limit on phrases, by seat; it applies on private servers too.
        listeners: functions that receive the events of a game once its change is stored.
    """

    def __init__(self, repository: Repository, bus: Bus, search_pool: SearchPool) -> None:
        self.repository = repository
        self.bus = bus
        self.search_pool = search_pool
        self.name = secrets.token_hex(8)
        self.started = time.time()
        self.phrases = Limits({"phrase": _PHRASES})
        self.listeners: list[Listener] = []
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a background task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("task_failed", exc_info=error)

    async def publish(self, game: str, message: Json) -> None:
        """Publish a message about a game to the other processes."""
        await self.bus.publish(game, {"from": self.name, **message})

    def report(self, game: Game, events: Sequence[GameEvent]) -> None:
        """Pass the events of a stored change to the listeners."""
        for listener in self.listeners:
            listener(game, events)

    async def finish(self) -> None:
        """Wait for pending writes, and cancel the tasks that have not ended within five seconds."""
        while tasks := [task for task in self._tasks if not task.done()]:
            await asyncio.wait(tasks, timeout=5.0)
            for task in tasks:
                task.cancel()


class OtherProcesses:
    """The time of each other process's last message.

    Args:
        expires: seconds without a message after which a process is considered dead.
        clock: returns the time in seconds.
    """

    def __init__(self, expires: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._expires = expires
        self._clock = clock
        self._last_message: dict[str, float] = {}
        self._dead: dict[str, float] = {}

    def record(self, name: str) -> bool:
        """Record a process's message; return whether the process had been considered dead."""
        self._last_message[name] = self._clock()
        return self._dead.pop(name, None) is not None

    def expired(self) -> list[str]:
        """Return the processes that have expired since the last call."""
        now = self._clock()
        lost = [name for name, since in self._last_message.items() if now - since > self._expires]
        for name in lost:
            self._dead[name] = self._last_message.pop(name)
        # A process that has been dead for long does not come back.
        self._dead = {
            name: since for name, since in self._dead.items() if now - since < 100 * self._expires
        }
        return lost
