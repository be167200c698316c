"""Places for which several queues wait: each queue gets the next one in its turn, however long it is."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Places, for whoever waits in one of the queues. Used from one event loop.

    Args:
        places: how many there are.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def place(self, queue: str, until: float) -> AsyncIterator[None]:
        """Have a place for a ``with`` block.

        Args:
            queue: where to wait for it; the first in each queue have their turns.
            until: when to give up, by the clock of the event loop.

        Raises:
            TimeoutError: there was none in time.
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
                self._release()  # the turn came while its owner gave up
            else:
                self._leave(queue, turn)
            raise

    def _release(self) -> None:
        """Give a place to the next queue's first, or to nobody."""
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
