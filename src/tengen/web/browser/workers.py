"""Workers in a page: web workers with a Python of their own, each running one task at a time.

There are no threads in the page's Python, so nothing waits for a worker: its answers arrive in the event
loop.
"""

from __future__ import annotations

import asyncio
import pickle
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from tengen.executors.dispatch import Dispatcher, Lost, Slot, Task
from tengen.executors.tasks import unpack
from tengen.executors.workers import Workers

T = TypeVar("T")

Answer: TypeAlias = Callable[[Literal["report", "answer", "lost"], int, bytes], None]
"""A receiver of what a web worker says, with the number of the task: a pickled report, the pickled answer,
or that the worker is lost, with the reason as text."""


class WebWorker(Protocol):
    """A web worker in which tasks run."""

    @abstractmethod
    def run(self, number: int, packed: bytes, reporting: bool, hurried: bool) -> None:
        """Have a task run.

        Args:
            number: of the task.
            packed: the pickled work.
            reporting: whether its reports are wanted.
            hurried: begin with the stop signal set.
        """

    @abstractmethod
    def hurry(self, number: int) -> bool:
        """Set the signal of a task; False if it cannot be heard, because no memory is shared."""

    @abstractmethod
    def end(self) -> None:
        """End the worker at once."""


class WebWorkerSlot(Slot):
    """Runs tasks in a web worker, started when it is first needed.

    Where the worker cannot hear its signal while it works, it is ended instead: a cancelled task is lost,
    and a hurried one is run again, with its signal set.

    Args:
        start: starts a web worker, which answers to the given function.
    """

    def __init__(self, start: Callable[[Answer], WebWorker]) -> None:
        super().__init__()
        self._start = start
        self._worker: WebWorker | None = None
        self._number = 0
        self._task: Task | None = None
        self._ended: Callable[[Any, BaseException | None], None]

    def begin(self, task: Task, ended: Callable[[Any, BaseException | None], None]) -> None:
        """Have a task run.

        Args:
            task: the task.
            ended: called with what it returns, or with what it raises or `Lost`.
        """
        self._task, self._ended = task, ended
        self._number += 1
        try:
            packed = pickle.dumps(task.work)
            self.open()
            assert self._worker is not None
            self._worker.run(self._number, packed, task.listener is not None, task.stop.is_set())
        except Exception as error:
            self._end(None, error)

    def run(self, task: Task) -> Any:
        """Refuse to run a task here; see `begin`."""
        raise NotImplementedError

    def open(self) -> None:
        """Start the web worker, if there is none."""
        if self._worker is None:
            self._worker = self._start(self._on_answer)

    def _on_answer(self, kind: str, number: int, data: bytes) -> None:
        task = self._task
        if kind == "lost":
            self._lose(str(data, "utf-8"), blame=True)
        elif task is None or number != self._number:
            return  # of a task that has been given up
        elif kind == "report":
            task.receive(pickle.loads(data))
        else:
            try:
                self._end(unpack(data), None)
            except BaseException as error:
                self._end(None, error)

    def _end(self, value: Any, error: BaseException | None) -> None:
        if self._task is not None:
            self._task = None
            self._ended(value, error)

    def _lose(self, reason: str, *, blame: bool) -> None:
        """End the web worker; a task that it runs is lost."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()
        self._number += 1
        self._end(None, Lost(reason, blame=blame))

    def interrupt(self) -> None:
        """See `Slot.interrupt`."""
        self._signal()

    def hurry(self) -> None:
        """See `Slot.hurry`."""
        self._signal()

    def _signal(self) -> None:
        if self._worker is not None and self._task is not None and not self._worker.hurry(self._number):
            # Not at once: the dispatcher is in the middle of something.
            asyncio.get_running_loop().call_soon(self._lose_deaf, self._number)

    def _lose_deaf(self, number: int) -> None:
        if number == self._number:
            self._lose("", blame=False)
            self.open()  # the next task is not to wait for all of its start

    def close(self) -> None:
        """End the web worker."""
        self._lose("", blame=False)


class WebDispatcher(Dispatcher):
    """A dispatcher without threads, for an event loop."""

    def add(self, slots: Iterable[Slot], name: str) -> None:
        """Add slots; see `Dispatcher.add`."""
        for slot in slots:
            self._slots[slot] = None
            self._idle.append(slot)
        self._match()

    def _hand(self, task: Task, slot: Slot) -> None:
        assert isinstance(slot, WebWorkerSlot)
        task.slot, task.future.started = slot, True
        slot.load += 1
        # Not at once: the caller has yet to note the task.
        asyncio.get_running_loop().call_soon(self._begin_in, slot, task)

    def _begin_in(self, slot: WebWorkerSlot, task: Task) -> None:
        def ended(value: Any, error: BaseException | None) -> None:
            self._ended(slot, task, value, error)

        if task.future.done():
            ended(None, None)
        else:
            slot.begin(task, ended)

    def close(self, timeout: float | None = None) -> None:
        """Cancel everything and end all slots."""
        self._closed = True
        for task in [*self._tasks]:
            task.future.cancel()
        for slot in self._slots:
            slot.close()


class WebWorkers(Workers):
    """Web workers of a page.

    Args:
        start: starts one, which answers to the given function.
        count: their number.
    """

    def __init__(self, start: Callable[[Answer], WebWorker], count: int = 1) -> None:
        super().__init__(WebDispatcher())
        self._web_slots = [WebWorkerSlot(start) for _ in range(count)]
        self._dispatcher.add(self._web_slots, "web")

    def open(self) -> None:
        """Start the web workers now, before they are needed."""
        for slot in self._web_slots:
            slot.open()

    def everywhere(self, fn: Callable[..., T], *args: Any) -> list[T]:
        """Refuse: nothing in the page asks for it."""
        raise NotImplementedError
