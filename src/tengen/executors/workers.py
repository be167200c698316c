"""The workers that a caller sees: opened, shared, closed."""

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
"""Seconds that workers have to end when the program does and nobody has closed them."""


class Caller(Executor):
    """One caller's way to the workers: an `Executor` whose futures are `TaskFuture`s.

    Attributes:
        name: who calls.
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
            Busy: as many tasks wait as this caller is allowed.
            WorkersError: the cluster is gone.
            RuntimeError: the caller has been shut down, or the workers closed.
        """
        return self._dispatcher.submit(self._queue, Work(fn, args, kwargs))

    def submit_heard(
        self, listener: Listener, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> TaskFuture[T]:
        """As `submit`; the listener hears what the task reports, in order and before the result.

        The listener is called in a thread that sees to the worker, and should not take long.
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
        dispatcher: who gives them their tasks.

    Attributes:
        all_heard: whether all that a task has reported has been heard when its worker is found dead.
    """

    all_heard = True

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
        """A way in for somebody, with a queue of its own.

        Args:
            name: who it is.
            waiting: the most tasks that may wait for a slot; None for any number.
        """
        return Caller(name, self._dispatcher, CallerQueue(waiting))

    @abstractmethod
    def everywhere(self, fn: Callable[..., T], *args: Any) -> list[T]:
        """Run ``fn(*args)`` once in every process that works, as far as they can be reached.

        A process that is busy with a task does it afterwards, and is not waited for; a worker of a cluster
        does it at once, in the thread that talks to the scheduler, so it has to be quick.

        Returns:
            What the calls that were waited for returned; those that raised are left out.
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
