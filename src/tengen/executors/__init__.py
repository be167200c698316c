"""Workers: threads, processes or a Dask cluster, behind the interface of `concurrent.futures`.

>>> from tengen import executors
>>> with executors.open_workers("threads", 2) as workers:
...     pool = workers.caller("squares")
...     futures = [pool.submit(pow, number, 2) for number in range(4)]
...     [future.result() for future in futures]
[0, 1, 4, 9]

No more tasks run at a time than there are `slots`. Several callers share them fairly: each has a queue of
its own, and free slots are given to the queues round robin, so that ten thousand tasks of one caller do not
delay the first task of another: it is next when a slot is free.

A task can be cancelled while it runs: the process it is in is killed and replaced, or, in a thread and on a
cluster, its `stop_signal` is set and its slot is free again once it returns.

A task can be hurried, `TaskFuture.hurry`: its `stop_signal` is set and its process is left alone, so it
ends early with the result that it has then. This takes a task that checks its signal. On a cluster the
signal goes by way of the scheduler, in hundredths of a second; while the worker or the scheduler cannot
be reached, the task goes on, and its result comes when it ends by itself.

A task can `report` intermediate results, to the listener that was given to `Caller.submit_with_listener`.
Reports come in order and before the result. From a cluster they come a little later, by way of the
scheduler, and of very many only the newest. A task that is run again reports again.

A single task needs no workers: `run_in_thread`.

A task whose worker dies (out of memory, a crash in native code, a machine that is switched off) is run
again elsewhere, up to three times, and begins with its signal set if it was hurried. So it has
to be idempotent; its result is delivered once.

Tasks go to processes by pickle: functions by name, so in a script the call that opens the workers stands
below ``if __name__ == "__main__":``.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from tengen.executors.ahead import submit_ahead
from tengen.executors.dispatch import Busy, WorkerLost, WorkersError
from tengen.executors.stopping import ended_in_time
from tengen.executors.tasks import Listener, TaskFuture, report, run_in_thread, stop_signal, without_reports
from tengen.executors.workers import Caller, Workers
from tengen.words import Message

__all__ = [
    "Busy",
    "Caller",
    "Listener",
    "TaskFuture",
    "WorkerLost",
    "Workers",
    "WorkersError",
    "ended_in_time",
    "most_workers",
    "open_workers",
    "processors",
    "report",
    "run_in_thread",
    "stop_signal",
    "submit_ahead",
    "without_reports",
]


_MOST_WORKERS = 64


def open_workers(
    address: str = "processes",
    count: int | None = None,
    *,
    notice: Callable[[Message], None] | None = None,
    timeout: float = 5.0,
    patience: float = 600.0,
    nice: int = 0,
) -> Workers:
    """Open workers at an address; close them by ``with`` or `Workers.close`.

    Args:
        address: ``"processes"`` and ``"threads"`` are on this machine; ``"tcp://HOST:PORT"`` or ``"tls://..."``
            is a Dask scheduler.
        count: the number of tasks at a time, on this machine at most `most_workers`. None is one for each
            processor, or for each thread of the cluster's workers.
        notice: called, from another thread, with messages for the user about the cluster: workers that join
            or leave, for example.
        timeout: seconds to wait for a cluster's answer at first.
        patience: seconds to wait for a cluster that does not answer any more.
        nice: the niceness of the workers, added to that of the caller, up to 19.
            Threads have it on Linux only, processes not on Windows, and workers of a cluster keep the one
            with which they were started.

    Raises:
        WorkersError: an invalid address; too many workers; no scheduler answers; a worker runs another
            tengen than this one.
        MissingPackage: Dask is not installed.
    """
    if count is not None and count < 1:
        raise WorkersError("error.workers.count", count=count)
    if count is not None and address in ("threads", "processes") and count > most_workers():
        raise WorkersError("error.workers.most", count=count, most=most_workers())
    if address == "threads":
        from tengen.executors.workers import ThreadWorkers

        return ThreadWorkers(count or processors(), nice)
    if address == "processes":
        from tengen.executors.workers import ProcessWorkers

        return ProcessWorkers(count or processors(), nice)
    if not address.startswith(("tcp://", "tls://")):
        raise WorkersError("error.workers.address", address=address)
    from tengen.executors.cluster import ClusterWorkers

    return ClusterWorkers(address, count, notice, timeout, patience)


def most_workers() -> int:
    """Return the most workers that this machine may have: 64, or one for each processor if it has more."""
    return max(_MOST_WORKERS, processors())


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
