"""A limited number of places, given to several waiting queues in turn (round robin)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Places for tasks that wait in queues. Used from one event loop.

    Args:
        places: the number of places.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def place(self, queue: str, until: float) -> AsyncIterator[None]:
        """Hold a place for a ``with`` block.

        Args:
            queue: the queue to wait in; the queues are served in turn.
            until: the deadline, by the clock of the event loop.

        Raises:
            TimeoutError: no place was free in time.
        """
        await self._acquire(queue, until)
        try:
            yield
        finally:
            self._release()

    async def _acquire(self, queue: str, until: float) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(queue, deque()).append(turn)
        try:
            async with asyncio.timeout_at(until):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self._release()  # the place was granted while the task gave up
            else:
                self._leave(queue, turn)
            raise

    def _release(self) -> None:
        """Give a place to the first task of the next queue, or count it as free if no task waits."""
        while self._queues:
            queue, waiting = self._queues.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                self._queues[queue] = waiting
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _leave(self, queue: str, turn: asyncio.Future[None]) -> None:
        waiting = self._queues.get(queue, deque())
        if turn in waiting:
            waiting.remove(turn)
            if not waiting:
                del self._queues[queue]
