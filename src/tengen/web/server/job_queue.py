"""Work that a page waits for: it has an end, it is given up when the page is left, and it takes turns.

Players' moves share the workers with it. So one place less than there are works for pages. Each visitor
waits for a few answers at a time and no more; addresses share the queue, see `tengen.web.server.shares`,
and are served in turn.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from fastapi import Request

from tengen.executors import Busy, WorkerLost, Workers, WorkersError
from tengen.executors.running_search import Search
from tengen.game.errors import TengenError
from tengen.web.server.http_errors import Overloaded, TooManyRequests, WrongFields
from tengen.web.server.metrics import Metrics
from tengen.web.server.shares import Shares, sharer
from tengen.web.server.turns import Turns
from tengen.web.server.visitors import visitor_of

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


class JobQueue:
    """Jobs for pages, done by the workers of one kind.

    Args:
        workers: who does them.
        metrics: where they are counted; None for nowhere.
    """

    def __init__(self, workers: Workers, metrics: Metrics | None = None) -> None:
        self._metrics = metrics or Metrics()
        self._caller = workers.caller("pages", MOST_WAITING)
        self._turns = Turns(max(1, workers.slots - 1))
        self._addresses, self._visitors = Shares(), Shares()

    async def do(
        self,
        request: Request,
        fn: Callable[..., T],
        *args: Any,
        seconds: float = SECONDS,
        hurry_after: float | None = None,
    ) -> T:
        """What ``fn(*args)`` returns. When the page is left, its `stop_signal` is set.

        Args:
            request: of the page that waits.
            fn: a function that a worker can find by its name.
            args: its arguments.
            seconds: how long it is waited for, the wait for a free worker included.
            hurry_after: seconds that it may run before its `stop_signal` is set, for a job that then ends
                with what it has; None for no such bound.

        Raises:
            TooManyRequests: this visitor, or this address, waits for enough already.
            Overloaded: too many wait, or it takes too long.
            WrongFields: for any `TengenError` that ``fn`` raises, with its sentence.
        """
        job = _Job(seconds, hurry_after)
        address = sharer(request)
        with self._counted(address, visitor_of(request)):
            return await while_connected(request, self._done(address, job, fn, args))

    async def _done(self, address: str, job: _Job, fn: Callable[..., T], args: tuple[Any, ...]) -> T:
        try:
            async with self._turns.place(address, job.end):
                began = time.monotonic()
                try:
                    start = partial(Search.start, _without_signal, fn, args, workers=self._caller)
                    return await job.run(start)
                finally:
                    self._metrics.search("page", time.monotonic() - began)
        except TimeoutError as error:
            raise job.late() from error

    @contextmanager
    def _counted(self, address: str, visitor: str | None) -> Iterator[None]:
        if not self._addresses.free(MOST_WAITING):
            raise Overloaded("error.web.job.busy")
        if not self._addresses.has_room(address, MOST_WAITING):
            raise TooManyRequests("error.web.job.each", most=self._addresses.held(address))
        if visitor is not None and self._visitors.held(visitor) >= MOST_EACH:
            raise TooManyRequests("error.web.job.each", most=MOST_EACH)
        holders = [(self._addresses, address), *([] if visitor is None else [(self._visitors, visitor)])]
        for shares, who in holders:
            shares.take(who)
        try:
            yield
        finally:
            for shares, who in holders:
                shares.give_back(who)


class _Job:
    """One job: when it has to be done, and when it is hurried.

    Args:
        seconds: from now.
        hurry_after: from when it runs.
    """

    def __init__(self, seconds: float, hurry_after: float | None) -> None:
        self.end = asyncio.get_running_loop().time() + seconds
        self._seconds = seconds
        self._hurry_after = hurry_after

    def late(self) -> Overloaded:
        """That it took too long."""
        return Overloaded("error.web.job.late", seconds=round(self._seconds))

    async def run(self, start: Callable[[], Search[T]]) -> T:
        """What the job returns, if it does in time."""
        try:
            search = start()
        except Busy as error:
            raise Overloaded("error.web.job.busy") from error
        try:
            await self._watch(search)
            return search.result(0)
        except WorkersError:
            raise
        except WorkerLost as error:
            raise Overloaded("error.web.job.busy") from error
        except TimeoutError as error:
            raise self.late() from error
        except CancelledError as error:  # the workers have been closed
            raise asyncio.CancelledError from error
        except TengenError as error:
            raise WrongFields(error.message.key, **error.message.values) from error
        finally:
            search.abandon(_GRACE)

    async def _watch(self, search: Search[Any]) -> None:
        """Wait until the job is done or its time is over."""
        began: float | None = None
        while (left := self.end - asyncio.get_running_loop().time()) > 0:
            if await search.wait(min(left, _LOOK)):
                return
            now = time.monotonic()
            if began is None:
                began = now if search.started else None
            elif self._hurry_after is not None and now - began > self._hurry_after:
                search.hurry()


def _without_signal(fn: Callable[..., T], args: tuple[Any, ...], *, stop: threading.Event) -> T:  # noqa: ARG001
    """Do a job as a search does its work; what it needs of its signal it learns from `stop_signal`."""
    return fn(*args)


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What the work brings, which is cancelled when the client goes.

    Raises:
        Overloaded: it went, so that nobody will read this.
    """
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=_LOOK)
            if not task.done() and await request.is_disconnected():
                raise Overloaded("error.web.job.busy")
        return task.result()
    finally:
        task.cancel()
