"""Workers and their callers."""

from __future__ import annotations

import atexit
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor
from contextlib import suppress
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from tengen.executors.dispatch import CallerQueue, Dispatcher, WorkerLost
from tengen.executors.tasks import Listener, TaskFuture, Work

P = ParamSpec("P")
T = TypeVar("T")

_AT_EXIT = 5.0
"""Seconds that workers have to end at the end of a program that has not closed them."""


class Caller(Executor):
    """One caller of the workers: an `Executor` whose futures are `TaskFuture`s.

    Attributes:
        name: of the caller.
    """

    def __init__(self, name: str, dispatcher: Dispatcher, queue: CallerQueue) -> None:
        self.name = name
        self._dispatcher = dispatcher
        self._queue = queue

    @property
    def waiting(self) -> int:
        """The number of queued tasks."""
        return len(self._queue.waiting)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> TaskFuture[T]:
        """Have ``fn(*args, **kwargs)`` run by a worker.

        Raises:
            Busy: the queue is full.
            WorkersError: the cluster is gone.
            RuntimeError: the caller has been shut down, or the workers closed.
        """
        return self._dispatcher.submit(self._queue, Work(fn, args, kwargs))

    def submit_with_listener(
        self, listener: Listener, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> TaskFuture[T]:
        """As `submit`, with a listener for the reports, which come in order and before the result.

        The listener is called in the thread that serves the worker, and should not take long.
        """
        return self._dispatcher.submit(self._queue, Work(fn, args, kwargs), listener)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; those of other callers go on.

        Args:
            wait: until this caller's tasks are over; one that was cancelled while it ran is over when it
                has ended.
            cancel_futures: cancel this caller's tasks, the running ones too.
        """
        self._dispatcher.shut(self._queue, wait=wait, cancel=cancel_futures)


class Workers(ABC):
    """Workers that run the tasks of their callers.

    Args:
        dispatcher: the scheduler of the tasks.

    Attributes:
        lossless_reports: true if all reports of a task have arrived when its worker is found dead.
    """

    lossless_reports = True

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        atexit.register(self._at_exit)

    @property
    def slots(self) -> int:
        """The number of tasks that may run at once now."""
        return self._dispatcher.slots

    @property
    def waiting(self) -> int:
        """The number of queued tasks of all callers."""
        return self._dispatcher.waiting

    @property
    def running(self) -> int:
        """The number of running tasks of all callers."""
        return self._dispatcher.running

    @property
    def idle(self) -> bool:
        """True when no task runs and none is queued."""
        return self._dispatcher.idle

    def caller(self, name: str, waiting: int | None = None) -> Caller:
        """Return a caller, with a queue of its own.

        Args:
            name: of the caller.
            waiting: the most tasks that may be queued; None for no bound.
        """
        return Caller(name, self._dispatcher, CallerQueue(waiting))

    @abstractmethod
    def everywhere(self, fn: Callable[..., T], *args: Any) -> list[T]:
        """Run ``fn(*args)`` once in every worker process that can be reached.

        A process that is busy with a task does it afterwards, and is not waited for; a worker of a cluster
        does it at once, in the thread that talks to the scheduler, so it has to be quick.

        Returns:
            The results of the calls that were waited for; those that raised are left out.
        """

    def close(self) -> None:
        """Cancel everything and end all workers of this machine; no process and no thread is left behind.

        Threads are waited for until their tasks return.
        """
        self._close(None)

    def _close(self, timeout: float | None) -> None:
        self._dispatcher.close(timeout)
        atexit.unregister(self._at_exit)

    def _at_exit(self) -> None:
        self._close(_AT_EXIT)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class ThreadWorkers(Workers):
    """Threads of this process: for work that waits rather than computes, and for tests."""

    def __init__(self, count: int, nice: int = 0) -> None:
        from tengen.executors.local import ThreadSlot

        super().__init__(Dispatcher())
        self._dispatcher.add((ThreadSlot(nice) for _ in range(count)), "thread")

    def everywhere(self, fn: Callable[..., T], *args: Any) -> list[T]:
        """See `Workers.everywhere`."""
        with suppress(Exception):
            return [fn(*args)]
        return []


class ProcessWorkers(Workers):
    """Processes of this machine, each started when it is first needed."""

    def __init__(self, count: int, nice: int = 0) -> None:
        from tengen.executors.local import ProcessSlot

        # Imported first, multiprocessing's own clearing up at exit comes after ours.
        super().__init__(Dispatcher())
        self._slots = [ProcessSlot(nice) for _ in range(count)]
        self._dispatcher.add(self._slots, "process")

    def everywhere(self, fn: Callable[..., T], *args: Any) -> list[T]:
        """See `Workers.everywhere`."""
        started = [slot for slot in self._slots if slot.started]
        return results(self._dispatcher.everywhere(started, Work(fn, args, {})))


def results(futures: list[TaskFuture[T]]) -> list[T]:
    """Return the results of the futures that have one."""
    found = []
    for future in futures:
        with suppress(Exception, CancelledError, WorkerLost):
            found.append(future.result())
    return found
