"""Jobs for which a page waits: they have deadlines, are abandoned when the page is left, and take turns.

Players' moves share the workers, so all jobs together may use one place fewer than there are. Each visitor
may wait for a few answers at a time; addresses share the queue (`tengen.web.computing.shares`), and are
served in turn.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from fastapi import Request

from tengen.executors import Busy, WorkerLost, Workers, WorkersError
from tengen.executors.running_search import Search
from tengen.game.errors import TengenError
from tengen.web.computing.shares import Shares, sharer
from tengen.web.computing.turns import Turns
from tengen.web.transport.errors import Overloaded, TooManyRequests, WrongFields
from tengen.web.transport.metrics import Metrics
from tengen.web.transport.visitors import visitor_of

T = TypeVar("T")

SECONDS = 20.0
"""The default deadline of a job, in seconds."""

MOST_WAITING = 64
"""The most jobs of all pages at once."""

MOST_EACH = 12
"""The most jobs of one visitor at once: a page that steps through a game requests jobs faster than they
end."""

_POLL = 0.1
"""Seconds between two checks whether the page is still connected."""

_GRACE = 1.0
"""Seconds that an abandoned job has to end by itself: a new process takes as long to start."""


class JobQueue:
    """The jobs of pages for one kind of workers.

    Args:
        workers: the workers that do the jobs.
        metrics: the metrics that count the jobs; None for none.
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
        """Run ``fn(*args)`` in a worker and return its result.

        If the client disconnects, the job's `stop_signal` is set.

        Args:
            request: the request of the waiting page.
            fn: a function that a worker can import by its name.
            args: its arguments.
            seconds: the longest wait for the result, the wait for a free worker included.
            hurry_after: seconds of running time after which the job's `stop_signal` is set, for a job that
                then ends with a partial result; None for no such bound.

        Raises:
            TooManyRequests: this visitor, or this address, waits for too many jobs already.
            Overloaded: too many jobs wait, or this one takes too long.
            WrongFields: ``fn`` raised a `TengenError`, whose sentence is kept.
        """
        job = _Job(seconds, hurry_after)
        address = sharer(request)
        with self._place(address, visitor_of(request)):
            return await while_connected(request, self._run(address, job, fn, args))

    async def _run(self, address: str, job: _Job, fn: Callable[..., T], args: tuple[Any, ...]) -> T:
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
    def _place(self, address: str, visitor: str | None) -> Iterator[None]:
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
    """A job with its deadline.

    Args:
        seconds: the time to the deadline.
        hurry_after: seconds of running time after which the job is hurried; None for never.
    """

    def __init__(self, seconds: float, hurry_after: float | None) -> None:
        self.end = asyncio.get_running_loop().time() + seconds
        self._seconds = seconds
        self._hurry_after = hurry_after

    def late(self) -> Overloaded:
        """Return the error for a job that took too long."""
        return Overloaded("error.web.job.late", seconds=round(self._seconds))

    async def run(self, start: Callable[[], Search[T]]) -> T:
        """Return the result of the job, if it ends in time."""
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
        """Wait until the job is done or its deadline has passed; hurry it if it runs too long."""
        began: float | None = None
        while (left := self.end - asyncio.get_running_loop().time()) > 0:
            if await search.wait(min(left, _POLL)):
                return
            now = time.monotonic()
            if began is None:
                began = now if search.started else None
            elif self._hurry_after is not None and now - began > self._hurry_after:
                search.hurry()


def _without_signal(fn: Callable[..., T], args: tuple[Any, ...], *, stop: threading.Event) -> T:  # noqa: ARG001
    """Run a job as a search; the job reads its signal by `stop_signal`, not from an argument."""
    return fn(*args)


@dataclass(frozen=True, slots=True)
class JobQueues:
    """The jobs of all pages.

    Attributes:
        engine: jobs that the engine does.
        players: jobs that the other workers do.
    """

    engine: JobQueue
    players: JobQueue


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work, which is cancelled when the client disconnects.

    Raises:
        Overloaded: the client has disconnected, so no response will be read.
    """
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=_POLL)
            if not task.done() and await request.is_disconnected():
                raise Overloaded("error.web.job.busy")
        return task.result()
    finally:
        task.cancel()
