"""The handle of a running search: iterate its reports, hurry or cancel it, take its result.

Every face of Tengen searches this way, whatever searches and wherever. The work of a search is any function
that takes a signal as ``stop`` and ends early when it is set: `Engine.analyse`, a player's `choose` or
`explain`, a solver.

>>> import threading
>>> from tengen.executors.running_search import Search
>>> from tengen.executors import report
>>> def squares(most: int, *, stop: threading.Event) -> int:
...     for number in range(1, most):
...         if stop.is_set():
...             break
...         report(number**2)
...     return number
>>> search = Search.start(squares, 5)
>>> list(search)
[1, 4, 9, 16]
>>> search.result()
4

The function runs in a thread of its own, or as a task of workers (`tengen.executors`): threads, processes
or a cluster. Its reports (`tengen.executors.report`) arrive here in order and before its result; the engine
reports each `Info`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from tengen.executors.tasks import Listener, TaskFuture, run_in_thread, stop_signal
from tengen.executors.workers import Caller

if TYPE_CHECKING:
    import asyncio  # imported at run time by those alone that have an event loop

T = TypeVar("T")

_END = object()
"""Follows the last report in the queue."""


class Search(Generic[T]):
    """A running search; see `Search.start`.

    It can be used from any thread. As a context manager it is hurried at the end of the context, and waited
    for.
    """

    def __init__(self) -> None:
        self._future: TaskFuture[T]
        self._reports: SimpleQueue[object] = SimpleQueue()
        self._awaited: asyncio.Event | None = None

    @classmethod
    def start(
        cls,
        work: Callable[..., T],
        /,
        *args: Any,
        workers: Caller | None = None,
        on_report: Listener | None = None,
        **kwargs: Any,
    ) -> Search[T]:
        """Start a search: ``work(*args, stop=signal, **kwargs)``.

        Args:
            work: a function that ends early, with the best that it has, once the signal is set. To run in
                another process it has to be importable there.
            *args: its arguments.
            workers: the workers that run it; None for a thread of its own.
            on_report: called with each report, in another thread (see `in_loop`); None keeps the reports
                for the iterator.
            **kwargs: its arguments by name.

        Raises:
            Busy, WorkersError, RuntimeError: the workers take no task; see `Caller.submit`.
        """
        search: Search[T] = cls()
        receive = on_report or search._reports.put
        if workers is None:
            search._future = run_in_thread(receive, _stoppable, work, args, kwargs)
        else:
            search._future = workers.submit_with_listener(receive, _stoppable, work, args, kwargs)
        search._future.add_done_callback(lambda _: search._reports.put(_END))
        return search

    @property
    def started(self) -> bool:
        """True when a worker has begun it; until then it is queued."""
        return self._future.started

    @property
    def done(self) -> bool:
        """True when it is over."""
        return self._future.done()

    def hurry(self) -> bool:
        """Have it return at once, with the best found so far; false if it is over already."""
        return self._future.hurry()

    stop = hurry
    """The same call by the name that users of `Engine.analysis` know."""

    def cancel(self) -> bool:
        """End it without a result, wherever it runs; false if it is over already."""
        return self._future.cancel()

    def result(self, timeout: float | None = None) -> T:
        """Return what the work returns, after `timeout` seconds at most; raise what the work raises.

        Raises:
            TimeoutError: it is not over yet.
            CancelledError: it has been cancelled, or its workers closed.
        """
        return self._future.result(timeout)

    def join(self, timeout: float | None = None) -> bool:
        """Wait until it is over, `timeout` seconds at most; return whether it is."""
        wait((self._future,), timeout)
        return self._future.done()

    def when_done(self, call: Callable[[], object]) -> None:
        """Call `call` when it is over, in any thread; at once if it is over already."""
        self._future.add_done_callback(lambda _: call())

    def __iter__(self) -> Iterator[Any]:
        """Yield each report as it arrives, until the search is over; then raise what the work raised."""
        while (report := self._reports.get()) is not _END:
            yield report
        self._reports.put(_END)  # for another iterator
        if not self._future.cancelled():
            self._future.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.hurry()
        self.join()

    # -- in an event loop

    async def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over, `timeout` seconds at most; return whether it is. For one event loop only.

        By then the loop has received all its reports, too.
        """
        import asyncio

        if self._awaited is None:
            self._awaited = asyncio.Event()
            self.when_done(in_loop(self._awaited.set))
        return await set_within(self._awaited, timeout)

    def abandon(self, grace: float) -> None:
        """End a search whose result is not wanted: hurry it, and cancel it `grace` seconds later.

        A process whose work ends by itself need not be restarted.
        """
        import asyncio

        if not self._future.started:
            self._future.cancel()
        elif self._future.hurry():
            asyncio.get_running_loop().call_later(grace, self._future.cancel)


async def set_within(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait until an event is set, `seconds` at most; return whether it is.

    `asyncio.wait_for` of Python 3.11 would go on when it is cancelled just as the event is set.
    """
    import asyncio

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


def in_loop(call: Callable[..., object]) -> Callable[..., None]:
    """Return a function that makes a call, from any thread, in the event loop of this one."""
    import asyncio

    loop = asyncio.get_running_loop()

    def soon(*args: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(call, *args)

    return soon


def _stoppable(work: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Call the work of a search, in its worker."""
    return work(*args, stop=stop_signal(), **kwargs)
