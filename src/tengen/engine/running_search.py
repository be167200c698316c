"""A search that runs while something else is done: started, heard, hurried, cancelled, asked for a result.

Every face of Tengen thinks this way, whoever thinks and wherever. The work of a search is any function that
takes a signal as ``stop`` and ends early when it is set: `Engine.analyse`, a player's `choose` or
`explain`, a solver.

>>> from tengen import Board, Engine, Limit
>>> search = Search.start(Engine().analyse, Board.from_moves("h8 i9"), Limit(depth=4))
>>> [info.depth for info in search]
[1, 2, 3, 4]
>>> search.result()[0].depth
4

The function runs in a thread of its own, or as a task of workers (`tengen.executors`): threads, processes
or a cluster. What it hands to `tengen.executors.report` is heard here, in order and before the result; the
engine reports each `Info`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from tengen.engine.info import Info
from tengen.executors import Caller, Listener, TaskFuture, run_in_thread, stop_signal

if TYPE_CHECKING:
    import asyncio  # which only those with an event loop have to wait for

T = TypeVar("T")


class Search(Generic[T]):
    """A running search; see `Search.start`.

    It can be used from any thread. As a context manager it ends with the context: it is hurried then, and
    waited for.
    """

    def __init__(self) -> None:
        self._future: TaskFuture[T]
        self._reports: SimpleQueue[Info | None] = SimpleQueue()
        self._awaited: asyncio.Event | None = None

    @classmethod
    def start(
        cls,
        work: Callable[..., T],
        /,
        *args: Any,
        workers: Caller | None = None,
        heard: Listener | None = None,
        **kwargs: Any,
    ) -> Search[T]:
        """Begin a search: ``work(*args, stop=signal, **kwargs)``.

        Args:
            work: a function that ends early, with the best that it has, once the signal is set. To run in
                another process it has to be found there by its name.
            *args: its arguments,
            workers: whose task it is; None for a thread of its own.
            heard: called with each report, in another thread, instead of keeping it for whoever iterates;
                see `in_loop`.
            **kwargs: and its arguments by name.

        Raises:
            Busy, WorkersError, RuntimeError: the workers take no task; see `Caller.submit`.
        """
        search: Search[T] = cls()
        heard = heard or search._reports.put
        if workers is None:
            search._future = run_in_thread(heard, _stoppable, work, args, kwargs)
        else:
            search._future = workers.submit_heard(heard, _stoppable, work, args, kwargs)
        search._future.add_done_callback(lambda _: search._reports.put(None))
        return search

    @property
    def started(self) -> bool:
        """Whether it runs or has run; until then it waits for a worker."""
        return self._future.started

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self._future.done()

    def hurry(self) -> bool:
        """Have it answer at once, with the best found so far; false if it is over already."""
        return self._future.hurry()

    stop = hurry
    """The name by which `Engine.analysis` has always had it."""

    def cancel(self) -> bool:
        """End it without an answer, wherever it runs; false if it is over already."""
        return self._future.cancel()

    def result(self, timeout: float | None = None) -> T:
        """What the work returns, waited for so many seconds; raises what the work raises.

        Raises:
            TimeoutError: it is not over yet.
            CancelledError: it has been cancelled, or its workers closed.
        """
        return self._future.result(timeout)

    def join(self, timeout: float | None = None) -> bool:
        """Wait until it is over, for so many seconds; whether it is."""
        wait((self._future,), timeout)
        return self._future.done()

    def when_done(self, call: Callable[[], object]) -> None:
        """Make a call when it is over, in whatever thread that is found out; at once if it is."""
        self._future.add_done_callback(lambda _: call())

    def __iter__(self) -> Iterator[Info]:
        """Each report as it comes, until the search is over; then raises what the work has raised."""
        while (info := self._reports.get()) is not None:
            yield info
        self._reports.put(None)  # for whoever looks again
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
        """Wait until it is over, for so many seconds; whether it is. For one event loop only.

        It is over when all that it has said has been heard there, too.
        """
        import asyncio

        if self._awaited is None:
            self._awaited = asyncio.Event()
            self.when_done(in_loop(self._awaited.set))
        return await set_within(self._awaited, timeout)

    def abandon(self, grace: float) -> None:
        """End it for nobody wants the answer: hurried at first, and cancelled so many seconds later.

        A process that ends its work by itself need not be started anew.
        """
        import asyncio

        if not self._future.started:
            self._future.cancel()
        elif self._future.hurry():
            asyncio.get_running_loop().call_later(grace, self._future.cancel)


async def set_within(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait until an event is set, for so many seconds; whether it is.

    Not by `asyncio.wait_for`: that of Python 3.11 goes on when it is cancelled just as the event is set.
    """
    import asyncio

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


def in_loop(call: Callable[..., object]) -> Callable[..., None]:
    """What makes a call in the event loop that runs in this thread, from any thread."""
    import asyncio

    loop = asyncio.get_running_loop()

    def soon(*args: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(call, *args)

    return soon


def _stoppable(work: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Do the work of a search, where it runs."""
    return work(*args, stop=stop_signal(), **kwargs)
