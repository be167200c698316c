"""Workers on other machines: a Dask cluster, whose scheduler and workers are running already.

Which task goes to which worker is decided here and not by Dask's scheduler: one task at a time for each
thread of each worker. So callers are served fairly, nothing is queued where it cannot be cancelled, and a
worker that runs another tengen gets nothing. Dask carries the tasks, and knows which workers live.

Dask itself: https://distributed.dask.org
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading
import time
import uuid
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, TypeVar

from tengen.executors import remote
from tengen.executors.dispatch import Dispatcher, Lost, Slot, Task, WorkersError
from tengen.executors.fingerprint import fingerprint
from tengen.executors.tasks import unpack
from tengen.executors.workers import Workers
from tengen.extras import importing
from tengen.words import Message

T = TypeVar("T")

_PERIOD = 0.5
"""Seconds between two queries for the workers."""

_ANSWER = 5.0
"""Seconds that the scheduler and its workers have for a short answer."""

_FETCH = 0.25
"""Seconds between two fetches of the reports of a task."""

_CLOSING = 10.0
"""Seconds for disconnecting from the cluster."""


class ClusterSlot(Slot):
    """One thread of one worker.

    Args:
        cluster: the cluster.
        worker: the worker's address.

    Attributes:
        gone: the worker has left.
    """

    def __init__(self, cluster: ClusterWorkers, worker: str) -> None:
        super().__init__()
        self.worker = worker
        self.gone = False
        self._cluster = cluster
        self._client = cluster.client
        self._wake = asyncio.Event()

    def run(self, task: Task) -> Any:
        """See `Slot.run`."""
        import cloudpickle  # type: ignore[import-untyped]

        packed: bytes = cloudpickle.dumps(task.work)
        return unpack(self._cluster.loop.do(self._run(task, packed)))

    def interrupt(self) -> None:
        """Wake `_run`, which then checks the state of its task."""
        self._cluster.loop.call(self._wake.set)

    def hurry(self) -> None:
        """See `Slot.hurry`."""
        self.interrupt()

    async def _run(self, task: Task, packed: bytes) -> bytes:
        token = uuid.uuid4().hex
        hurried = task.stop.is_set()
        try:
            future = self._client.submit(
                remote.work,
                packed,
                token,
                hurried,
                task.listener is not None,
                key=f"tengen-{token}",
                pure=False,
                workers=[self.worker],
            )
        except Exception as error:
            raise await self._loss(error) from error
        result: asyncio.Future[list[bytes]] = asyncio.ensure_future(future.result())
        result.add_done_callback(lambda done: done.cancelled() or done.exception())  # seen, or it is logged
        try:
            if not await self._over(task, result, token, hurried):
                raise Lost(self.worker, blame=self._client.status == "running")
            if result.cancelled():
                # Dask's connection to the worker was cut; the next query shows whether it is still there.
                await asyncio.sleep(_PERIOD)
                raise Lost(self.worker, blame=False)
            problem = result.exception()
            if problem is not None:
                # Not the task's own: those come packed.
                raise await self._loss(problem) from problem
            *reports, reply = result.result()
            _pass_on(task, reports)
            return reply
        finally:
            result.cancel()
            future.release()

    async def _over(
        self, task: Task, result: asyncio.Future[list[bytes]], token: str, hurried: bool
    ) -> bool:
        """Wait for a result; false if there is nothing to wait for any more."""
        cancelled = False
        while True:
            self._wake.clear()
            if result.done():
                return True
            if self.gone:
                return False
            if task.future.done() and not cancelled:
                cancelled = hurried = True
                if not await self._call(remote.cancel, token, otherwise=True):
                    return False
            if task.stop.is_set() and not hurried:
                hurried = True
                await self._call(remote.hurry, token, otherwise=True)
            if self.closing:
                return False
            woken = asyncio.ensure_future(self._wake.wait())
            pause = None if task.listener is None else _FETCH
            await asyncio.wait((result, woken), timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            woken.cancel()
            if task.listener is not None and not result.done():
                _pass_on(task, await self._call(remote.reports, token, []))

    async def _call(self, what: Callable[[str], T], token: str, otherwise: T) -> T:
        """Call a function of `remote` for a task, on its worker, and return its result.

        Args:
            what: the function.
            token: of the task.
            otherwise: returned if the worker does not answer; it is about to be found gone then.
        """
        try:
            asked = self._client.run(what, token, workers=[self.worker], on_error="ignore")
            answers: dict[str, T] = await asyncio.wait_for(asked, _ANSWER)
        except Exception:
            return otherwise
        return answers.get(self.worker, otherwise)

    async def _loss(self, error: BaseException) -> Lost:
        """Translate an error of Dask; wait while the whole cluster is unreachable."""
        if self.gone or self._client.status == "running":
            return Lost(self.worker, blame=not isinstance(error, CancelledError))
        while self._client.status != "running" and not (self.gone or self.closing):
            await asyncio.sleep(_PERIOD)
        return Lost(self.worker, blame=False)


def _pass_on(task: Task, reports: list[bytes]) -> None:
    for packed in reports:
        task.receive(pickle.loads(packed))


class ClusterWorkers(Workers):
    """The workers of a Dask cluster.

    Args:
        address: the scheduler's.
        count: the most tasks to run at once; None for as many as the workers have threads.
        notice: called with messages about workers that join or leave.
        timeout: seconds to wait for the scheduler at first.
        patience: seconds to wait for it once it has been lost.

    Attributes:
        loop: runs all calls of Dask.
        client: the connection.

    Raises:
        MissingPackage: Dask is not installed.
        WorkersError: the scheduler does not answer, or a worker runs another tengen.
    """

    lossless_reports = False

    def __init__(
        self,
        address: str,
        count: int | None,
        notice: Callable[[Message], None] | None,
        timeout: float,
        patience: float,
    ) -> None:
        self._address = address
        self._notice = notice
        self._timeout = timeout
        self._patience = patience
        self._slots: dict[str, list[ClusterSlot]] = {}
        self._refused: set[str] = set()
        _import()
        super().__init__(Dispatcher(count))
        self.loop = Loop("tengen-cluster")
        self.client: Any = None
        self._watcher: asyncio.Task[None] | None = None
        try:
            self._watcher = self.loop.do(self._start())
        except BaseException:
            self.close()
            raise

    def everywhere(self, fn: Callable[..., T], *args: Any) -> list[T]:
        """See `Workers.everywhere`."""
        try:
            return self.loop.do(self._everywhere(fn, args))
        except Exception:
            return []

    async def _everywhere(self, fn: Callable[..., T], args: tuple[Any, ...]) -> list[T]:
        answers: dict[str, T] = await self.client.run(fn, *args, workers=[*self._slots], on_error="ignore")
        return list(answers.values())

    def _close(self, timeout: float | None) -> None:
        super()._close(_CLOSING if timeout is None else timeout)
        with suppress(Exception):
            self.loop.do(self._end(), _CLOSING)
        self.loop.close(_CLOSING)

    async def _start(self) -> asyncio.Task[None]:
        self.client = await _connect(self._address, self._timeout)
        problems = await self._update(silent=True)
        if problems:
            raise WorkersError(problems[0].key, **problems[0].values)
        if not self._slots:
            self._notify(Message("workers.none", {"address": self._address}))
        return asyncio.create_task(self._watch())

    async def _end(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
            await asyncio.wait((self._watcher,))
        if self.client is not None:
            await _disconnect(self.client)

    async def _watch(self) -> None:
        """Follow the workers that join and go, and the scheduler itself."""
        lost: float | None = None  # since when
        while True:
            await asyncio.sleep(_PERIOD)
            try:
                connected = self.client.status == "running"
                problems = await (self._update() if connected else self._reconnect())
            except Exception:
                now = time.monotonic()
                if lost is None:
                    lost = now
                    self._notify(Message("workers.silent", {"address": self._address}))
                elif now - lost > self._patience:
                    values = {"address": self._address, "seconds": round(now - lost)}
                    self._dispatcher.give_up(WorkersError("error.workers.gone", **values))
                    return
                continue
            if lost is not None:
                lost = None
                self._notify(Message("workers.back", {"address": self._address}))
            for problem in problems:
                self._notify(problem)

    async def _reconnect(self) -> list[Message]:
        """Reconnect to the cluster, which has lost us; see `_update`."""
        self._forget([*self._slots])
        await _disconnect(self.client)
        self.client = await _connect(self._address, self._timeout)
        return await self._update(silent=True)

    async def _update(self, *, silent: bool = False) -> list[Message]:
        """Query the workers, use those that may be used, and return the faults of the others.

        Args:
            silent: do not report those that have joined.
        """
        threads: dict[str, int] = await asyncio.wait_for(self.client.nthreads(), _ANSWER)
        self._refused &= threads.keys()
        left = sorted(self._slots.keys() - threads.keys())
        self._forget(left)
        for worker in left:
            self._notify(Message("workers.left", {"worker": worker, "slots": self.slots}))
        if left and not self._slots:
            self._notify(Message("workers.none", {"address": self._address}))
        verdicts = await self._check(sorted(threads.keys() - self._slots.keys() - self._refused))
        for worker, problem in verdicts.items():
            if problem is not None:
                self._refused.add(worker)
                continue
            self._slots[worker] = [ClusterSlot(self, worker) for _ in range(threads[worker])]
            self._dispatcher.add(self._slots[worker], "cluster")
            if not silent:
                self._notify(Message("workers.joined", {"worker": worker, "slots": self.slots}))
            if threads[worker] > 1:
                values = {"worker": worker, "threads": threads[worker]}
                self._notify(Message("workers.threads", values))
        return [problem for problem in verdicts.values() if problem is not None]

    async def _check(self, workers: list[str]) -> dict[str, Message | None]:
        """Return the fault of each of these workers; None for a good one.

        Workers that do not answer are left out: if they are still there at the next query, they are asked
        again.
        """
        answers = await asyncio.gather(*map(self._ask, workers))
        ours = fingerprint()
        verdicts: dict[str, Message | None] = {}
        for worker, theirs in zip(workers, answers, strict=True):
            if theirs == ours:
                verdicts[worker] = None
            elif isinstance(theirs, str):
                values = {"worker": worker, "ours": ours, "theirs": theirs}
                verdicts[worker] = Message("error.workers.differs", values)
            elif not isinstance(theirs, OSError):  # which it would be if the worker had gone, or were slow
                verdicts[worker] = Message("error.workers.missing", {"worker": worker, "ours": ours})
        return verdicts

    async def _ask(self, worker: str) -> object:
        """Return a worker's fingerprint, or the exception that the query ended with."""
        try:
            asked = self.client.run(fingerprint, workers=[worker], on_error="return")
            answers: dict[str, object] = await asyncio.wait_for(asked, _ANSWER)
        except Exception as error:
            return OSError(str(error))
        return answers[worker]

    def _forget(self, workers: list[str]) -> None:
        """Remove workers that have left."""
        for worker in workers:
            slots = self._slots.pop(worker)
            for slot in slots:
                slot.gone = True
            self._dispatcher.remove(slots)

    def _notify(self, message: Message) -> None:
        if self._notice is not None:
            try:
                self._notice(message)
            except Exception:
                logging.getLogger(__name__).exception("a notice failed: %s", message)


class Loop:
    """A thread in which coroutines run.

    Args:
        name: the thread's.
    """

    def __init__(self, name: str) -> None:
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), name=name, daemon=True)
        self._thread.start()
        self._ready.wait()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready.set()
        await self._stop.wait()

    def do(self, coroutine: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run a coroutine and wait for its result, `timeout` seconds at most."""
        try:
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        except RuntimeError:  # closed
            coroutine.close()
            raise
        try:
            return future.result(timeout)
        except BaseException:
            future.cancel()
            raise

    def call(self, fn: Callable[[], object]) -> None:
        """Schedule a call in the loop; not if the loop has been closed."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(fn)

    def close(self, timeout: float) -> None:
        """Cancel what runs and end the thread; wait for it `timeout` seconds."""
        self.call(self._stop.set)
        self._thread.join(timeout)


def _import() -> None:
    """Import Dask, and silence its log.

    Raises:
        MissingPackage: it is not installed.
    """
    with importing("cluster"):
        import cloudpickle  # noqa: F401
        import distributed  # noqa: F401
    # Faults of the cluster become notices or errors. (The second logger has a level of its own.)
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


async def _connect(address: str, timeout: float) -> Any:
    """Return a client of the scheduler at an address.

    Raises:
        WorkersError: it does not answer, or not as a scheduler of Dask does.
    """
    from distributed import Client

    client: Any = Client(  # type: ignore[no-untyped-call]
        address, timeout=timeout, asynchronous=True, set_as_default=False, name="tengen"
    )
    try:
        return await client
    except BaseException as error:
        await _disconnect(client)
        if not isinstance(error, Exception):  # cancelled
            raise
        if isinstance(error, OSError):
            raise WorkersError("error.workers.silent", address=address, seconds=timeout) from error
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise WorkersError("error.workers.connect", address=address, reason=reason) from error


async def _disconnect(client: Any) -> None:
    try:
        with suppress(Exception):
            await asyncio.wait_for(client.close(), _CLOSING / 2)
    finally:
        # Without enough time, its finaliser would try again, in a loop that is over.
        client.status = "closed"
