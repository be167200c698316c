"""Work that a page waits for: it has an end, it is given up when the page is left, and it takes turns.

Players' moves share the workers with it. So one place less than there are works for pages, and each visitor
waits for a few answers at a time and no more.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from fastapi import Request

from tengen.executors import Busy, TaskFuture, WorkerLost, Workers, WorkersError
from tengen.game.errors import TengenError
from tengen.web.server.http_errors import Overloaded, TooManyRequests, WebError, WrongFields
from tengen.web.server.visitors import address_of, visitor_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

T = TypeVar("T")

SECONDS = 20.0
"""The longest that a page waits for an answer."""

MOST_WAITING = 64
"""Answers that are waited for at once, by all pages."""

MOST_EACH = 12
"""Answers that one visitor may wait for at once: who steps through a game asks faster than is answered."""

_LOOK = 0.1
"""Seconds between two looks whether the page is still there."""

_GRACE = 1.0
"""Seconds that work has to end of itself when nobody waits for it: a new process takes as long to start."""


class Errands:
    """Work for pages, in the workers of one kind.

    Args:
        workers: where it is done.
    """

    def __init__(self, workers: Workers) -> None:
        self._caller = workers.caller("pages", MOST_WAITING)
        self._places = asyncio.Semaphore(max(1, workers.slots - 1))
        self._waiting: Counter[str] = Counter()

    async def do(self, request: Request, fn: Callable[..., T], *args: Any, seconds: float = SECONDS) -> T:
        """What ``fn(*args)`` returns.

        Args:
            request: of the page that waits.
            fn: a function that a worker can find by its name.
            args: its arguments.
            seconds: how long it is waited for, the wait for a free worker included.

        Raises:
            TooManyRequests: this visitor waits for enough already.
            Overloaded: too many wait, or it takes too long.
            WrongFields: for any `TengenError` that ``fn`` raises, with its sentence.
        """
        patience = _Patience(request, seconds)
        async with self._counted(request):
            place = asyncio.ensure_future(self._places.acquire())
            try:
                await patience.until(place)
                return await self._done(patience, fn, args)
            finally:
                if not place.cancel():
                    self._places.release()

    async def _done(self, patience: _Patience, fn: Callable[..., T], args: tuple[Any, ...]) -> T:
        try:
            task: TaskFuture[T] = self._caller.submit(fn, *args)
        except Busy as error:
            raise Overloaded("error.web.errand.busy") from error
        future = asyncio.wrap_future(task)
        try:
            return await patience.until(future)
        except (WebError, WorkersError):
            raise
        except WorkerLost as error:
            raise Overloaded("error.web.errand.busy") from error
        except TengenError as error:
            raise WrongFields(error.message.key, **error.message.values) from error
        finally:
            if task.hurry():
                await asyncio.wait({future}, timeout=_GRACE)
                if not future.cancel() and not future.cancelled():
                    future.exception()  # nobody wants to know any more

    @asynccontextmanager
    async def _counted(self, request: Request) -> AsyncIterator[None]:
        who = visitor_of(request) or address_of(request)
        if self._waiting[who] >= MOST_EACH:
            raise TooManyRequests("error.web.errand.each", most=MOST_EACH)
        if self._waiting.total() >= MOST_WAITING:
            raise Overloaded("error.web.errand.busy")
        self._waiting[who] += 1
        try:
            yield
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]


class _Patience:
    """How long somebody waits: for so many seconds, as long as the page is there."""

    def __init__(self, request: Request, seconds: float) -> None:
        self._request = request
        self._seconds = seconds
        self._end = asyncio.get_running_loop().time() + seconds

    async def until(self, future: asyncio.Future[T]) -> T:
        """What a future brings.

        Raises:
            Overloaded: it has brought nothing yet, and nobody waits any more.
        """
        loop = asyncio.get_running_loop()
        while not future.done() and (left := self._end - loop.time()) > 0:
            await asyncio.wait({future}, timeout=min(left, _LOOK))
            if not future.done() and await self._request.is_disconnected():
                break
        if future.done():
            return future.result()
        raise Overloaded("error.web.errand.late", seconds=round(self._seconds))


_kept: WeakKeyDictionary[Workers, Errands] = WeakKeyDictionary()


def errands(workers: Workers) -> Errands:
    """The errands that these workers do."""
    found = _kept.get(workers)
    if found is None:
        found = _kept[workers] = Errands(workers)
    return found
