"""Where searches for analysis run: so many places, each with an engine and a memory of its own.

A search runs in a thread that the operating system prefers less than those in which players think, so that
one visitor's deep analysis does not delay another's move. There are as many places as processors. Who comes
when all are taken waits; a search that can be interrupted gives its place up after a while if others wait,
and goes on when it is its turn again, with what the memory still holds.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from tengen.executors import Workers
from tengen.web.server.http_errors import Overloaded

if TYPE_CHECKING:
    from tengen.engine.engine import Engine

T = TypeVar("T")

MEMORY = 32
"""Megabytes of each place's memory of positions."""

MOST_WAITING = 100
"""Searches that wait for a place at once."""

NICENESS = 10
"""How much less a search is preferred than a player's thinking; see nice(1)."""


class Place:
    """A place for one search at a time."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    def engine(self) -> Engine:
        """The engine of this place; call it where the search runs, for it may take a moment to load."""
        if self._engine is None:
            from tengen.engine.engine import Engine

            self._engine = Engine(threads=1, memory_mb=MEMORY)
        return self._engine


class Places:
    """The places of a server process.

    Args:
        count: how many.

    Attributes:
        visitors: how many connections may ask for one.
    """

    def __init__(self, count: int) -> None:
        self._free = [Place() for _ in range(count)]
        self._waiting: deque[asyncio.Future[Place]] = deque()
        self.visitors = 0

    @property
    def full(self) -> bool:
        """Whether a search that comes now has to wait."""
        return not self._free

    @property
    def wanted(self) -> bool:
        """Whether somebody waits for a place."""
        return any(not future.done() for future in self._waiting)

    async def take(self) -> Place:
        """A place, as soon as there is one; it has to be given back.

        Raises:
            Overloaded: too many wait already.
        """
        if self._free:
            # The one used last: its memory may hold what this search needs.
            return self._free.pop()
        if len(self._waiting) >= MOST_WAITING:
            raise Overloaded("error.web.analysis.busy")
        future: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.give(future.result())
            raise
        finally:
            with suppress(ValueError):
                self._waiting.remove(future)

    def give(self, place: Place) -> None:
        """Give a place back; who has waited longest gets it."""
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(place)
                return
        self._free.append(place)

    def run(self, place: Place, work: Callable[[Place], T]) -> asyncio.Future[T]:
        """Have work done in a thread of its own; the place is given back when it is done.

        The future may be cancelled: the thread is not stopped by that, and keeps the place until it ends.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def ended(result: T | None, error: BaseException | None) -> None:
            self.give(place)
            if future.done():
                return
            if error is None:
                future.set_result(result)  # type: ignore[arg-type]
            else:
                future.set_exception(error)

        def thread() -> None:
            step_back()
            result: T | None = None
            failed: BaseException | None = None
            try:
                result = work(place)
            except BaseException as error:  # it is raised where the result is waited for
                failed = error
            with suppress(RuntimeError):  # the loop is closed, and nobody waits
                loop.call_soon_threadsafe(ended, result, failed)

        threading.Thread(target=thread, name="analysis", daemon=True).start()
        return future


def step_back() -> None:
    """Have the operating system prefer other threads to this one, where it can tell threads apart."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_kept: WeakKeyDictionary[Workers, Places] = WeakKeyDictionary()


def places(engine_workers: Workers) -> Places:
    """The places of the server whose players think in these workers; there are as many of them."""
    found = _kept.get(engine_workers)
    if found is None:
        found = _kept[engine_workers] = Places(engine_workers.slots)
    return found
