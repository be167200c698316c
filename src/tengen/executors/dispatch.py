"""The scheduler: every caller has a queue of its own, and the queues are served round robin.

A `Slot` runs one task at a time: a thread, a process, a thread of a Dask worker. Each has a thread in this
process that serves it, so waiting for a task costs no polling.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Iterable
from concurrent.futures import InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import Any

from tengen.executors.tasks import Listener, TaskFuture, Work, pass_on
from tengen.words import TengenError

RERUNS = 3
"""The most times that a task is run again after its worker has died."""


class WorkersError(TengenError):
    """Workers that are not available, or no longer."""


class Busy(TengenError):
    """The queue of the caller is full."""


class WorkerLost(TengenError):
    """A task given up because worker after worker died while running it."""


class Lost(Exception):
    """Raised by a slot that has lost its task.

    Args:
        worker: the lost worker.
        blame: the task may have caused the loss.
    """

    def __init__(self, worker: str, *, blame: bool = True) -> None:
        super().__init__(worker)
        self.worker = worker
        self.blame = blame


@dataclass(eq=False, slots=True)
class CallerQueue:
    """The tasks of one caller.

    Attributes:
        most: the most tasks that may be queued; None for no bound.
        waiting: the queued tasks, the next one first.
        tasks: those that are not over, the running ones included.
        closed: takes no more.
    """

    most: int | None = None
    waiting: OrderedDict[Task, None] = field(default_factory=OrderedDict)
    tasks: set[Task] = field(default_factory=set)
    closed: bool = False


@dataclass(eq=False, slots=True)
class Task:
    """A call on its way to a slot.

    Attributes:
        work: the call.
        queue: the queue of its caller.
        listener: receives its reports; None if they are not wanted.
        future: receives the result.
        stop: its stop signal: set when it is hurried, or cancelled while it runs. It stays set when the
            task is run again.
        slot: the slot that runs it, or is about to; None while it is queued and when it is over.
        losses: the number of workers that died while running it.
        again: run it again after a loss.
    """

    work: Work
    queue: CallerQueue
    listener: Listener | None = None
    future: TaskFuture[Any] = field(init=False)
    stop: threading.Event = field(default_factory=threading.Event)
    slot: Slot | None = None
    losses: int = 0
    again: bool = True

    def receive(self, value: Any) -> None:
        """Pass a report on to the listener, if there is one."""
        if self.listener is not None:
            pass_on(self.future, self.listener, value)


class Slot(ABC):
    """An executor of one task at a time.

    Attributes:
        inbox: the task to run next; None to end.
        load: tasks in the inbox and running.
        closing: it is to end; tasks that cannot be ended are left behind.
    """

    def __init__(self) -> None:
        self.inbox: SimpleQueue[Task | None] = SimpleQueue()
        self.load = 0
        self.closing = False

    def open(self) -> None:  # noqa: B027 - not every slot has to do something
        """Get ready, in the slot's thread, before the first task."""

    @abstractmethod
    def run(self, task: Task) -> Any:
        """Run a task, in the slot's thread: returns what it returns and raises what it raises.

        A task whose `stop` is set begins with its signal set. Its reports go to `Task.receive`, before this
        returns.

        Raises:
            Lost: the result is lost for good.
        """

    def interrupt(self) -> None:  # noqa: B027
        """End the task that runs, whose future is done; called from any thread, and returns at once."""

    def hurry(self) -> None:  # noqa: B027
        """Set the signal of the task that runs, whose `stop` is set; any thread, returns at once."""

    def close(self) -> None:  # noqa: B027
        """Clear up, in the slot's thread, after the last task."""


class Dispatcher:
    """Gives tasks to slots: from the queues round robin, and never more tasks than there are slots.

    Args:
        most: the most tasks to run at once, however many slots there are; None for no bound.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._slots: dict[Slot, threading.Thread | None] = {}
        self._threads: set[threading.Thread] = set()
        self._idle: deque[Slot] = deque()
        self._turns: deque[CallerQueue] = deque()  # the queues that are not empty
        self._tasks: set[Task] = set()
        self._closed = False
        self._gone: TengenError | None = None

    @property
    def slots(self) -> int:
        """The number of tasks that may run at once now."""
        count = 0 if self._closed else len(self._slots)
        return count if self._most is None else min(count, self._most)

    @property
    def waiting(self) -> int:
        """The number of queued tasks."""
        with self._changed:
            return sum(len(queue.waiting) for queue in self._turns)

    @property
    def running(self) -> int:
        """The number of tasks that run, or are about to in a slot of their own."""
        with self._changed:
            return len(self._tasks) - sum(len(queue.waiting) for queue in self._turns)

    @property
    def idle(self) -> bool:
        """True when no task runs and none is queued."""
        with self._changed:
            return not self._tasks

    def add(self, slots: Iterable[Slot], name: str) -> None:
        """Add slots."""
        for slot in slots:
            thread = threading.Thread(target=self._serve, args=(slot,), name=f"tengen-{name}", daemon=True)
            with self._changed:
                if self._closed:
                    return
                self._slots[slot] = thread
                self._threads.add(thread)
                self._idle.append(slot)
                thread.start()
                self._match()

    def remove(self, slots: Iterable[Slot]) -> None:
        """Remove slots, which know already: what runs there has to raise `Lost`."""
        with self._changed:
            for slot in slots:
                if self._slots.pop(slot, None) is not None:
                    with suppress(ValueError):
                        self._idle.remove(slot)
                    slot.inbox.put(None)
                    slot.interrupt()

    def submit(self, queue: CallerQueue, work: Work, listener: Listener | None = None) -> TaskFuture[Any]:
        """Enqueue a task, whose reports go to the listener.

        Raises:
            Busy: the queue is full.
            WorkersError: there will be no more workers.
            RuntimeError: the queue, or everything, has been closed.
        """
        task = self._task(queue, work, listener)
        with self._changed:
            if self._gone is not None:
                raise self._gone
            if self._closed or queue.closed:
                raise RuntimeError("no task is taken after shutdown")
            self._enqueue(task)
            self._match()
            if queue.most is not None and len(queue.waiting) > queue.most:
                self._dequeue(task)
                raise Busy("error.workers.busy", count=queue.most)
            self._begin(task)
        return task.future

    def everywhere(self, slots: Iterable[Slot], work: Work) -> list[TaskFuture[Any]]:
        """Do the same work in each of these slots: at once if it is idle, or else after its task.

        Returns:
            The futures of those that do it now.
        """
        queue, now = CallerQueue(), []
        with self._changed:
            for slot in slots:
                if slot not in self._slots or self._closed:
                    continue
                task = self._task(queue, work)
                task.again = False
                self._begin(task)
                if slot in self._idle:
                    self._idle.remove(slot)
                    now.append(task.future)
                self._hand(task, slot)
        return now

    def shut(self, queue: CallerQueue, *, wait: bool, cancel: bool) -> None:
        """Take no more tasks for a queue; cancel those that are not over; wait until all are over."""
        with self._changed:
            queue.closed = True
            tasks = [*queue.waiting, *queue.tasks] if cancel else []
        for task in tasks:
            task.future.cancel()
        if wait:
            with self._changed:
                self._changed.wait_for(lambda: not queue.tasks)

    def give_up(self, error: TengenError) -> None:
        """Fail every task, now and later, with this error: all slots are gone for good."""
        with self._changed:
            self._gone = error
            tasks = [*self._tasks]
        for task in tasks:
            with suppress(InvalidStateError):
                task.future.set_exception(error)
            self._cancelled(task)

    def close(self, timeout: float | None = None) -> None:
        """Cancel everything and end all slots.

        Args:
            timeout: seconds to wait for them; None until they have ended.
        """
        with self._changed:
            self._closed = True
            waiting = [task for queue in self._turns for task in queue.waiting]
            tasks = [*waiting, *self._tasks]
            slots, threads = [*self._slots], [*self._threads]
        for slot in slots:
            slot.closing = True
        for task in tasks:  # those that wait first, or they would be started
            task.future.cancel()
        for slot in slots:
            slot.inbox.put(None)
        deadline = None if timeout is None else time.monotonic() + timeout
        for thread in threads:
            thread.join(None if deadline is None else max(0.0, deadline - time.monotonic()))

    def _task(self, queue: CallerQueue, work: Work, listener: Listener | None = None) -> Task:
        task = Task(work, queue, listener)
        task.future = TaskFuture(partial(self._cancelled, task), partial(self._hurried, task))
        return task

    # The lock is held in all methods up to _serve.

    def _begin(self, task: Task) -> None:
        self._tasks.add(task)
        task.queue.tasks.add(task)

    def _over(self, task: Task) -> None:
        self._tasks.discard(task)
        task.queue.tasks.discard(task)
        self._changed.notify_all()

    def _enqueue(self, task: Task) -> None:
        queue = task.queue
        if not queue.waiting:
            self._turns.append(queue)
        queue.waiting[task] = None

    def _dequeue(self, task: Task) -> None:
        queue = task.queue
        del queue.waiting[task]
        if not queue.waiting:
            self._turns.remove(queue)

    def _match(self) -> None:
        """Give idle slots to waiting tasks, one queue after the other."""
        while self._turns and self._idle:
            if self._most is not None and len(self._slots) - len(self._idle) >= self._most:
                return
            queue = self._turns.popleft()
            task, _ = queue.waiting.popitem(last=False)
            if queue.waiting:
                self._turns.append(queue)
            # The slot used last: what it has kept, as a process or a table, may be of use.
            self._hand(task, self._idle.pop())

    def _hand(self, task: Task, slot: Slot) -> None:
        task.slot, task.future.started = slot, True
        slot.load += 1
        slot.inbox.put(task)

    def _free(self, task: Task, slot: Slot) -> None:
        task.slot = None
        slot.load -= 1
        if slot.load == 0 and slot in self._slots:
            self._idle.append(slot)
        self._match()

    # The lock is not held in these.

    def _cancelled(self, task: Task) -> None:
        """End a task whose future is done before it is."""
        with self._changed:
            if task in task.queue.waiting:
                self._dequeue(task)
                self._over(task)
            elif task.slot is not None:
                task.stop.set()
                task.slot.interrupt()

    def _hurried(self, task: Task) -> None:
        """Set the stop signal of a task, for now or for when it begins."""
        with self._changed:
            if not task.stop.is_set():
                task.stop.set()
                if task.slot is not None:
                    task.slot.hurry()

    def _serve(self, slot: Slot) -> None:
        """Run the tasks of a slot, in its thread."""
        slot.open()
        try:
            while (task := slot.inbox.get()) is not None:
                self._run(slot, task)
                del task
        finally:
            slot.close()
            with self._changed:
                self._threads.discard(threading.current_thread())

    def _run(self, slot: Slot, task: Task) -> None:
        """Run a task and fulfil its future; or put it back into its queue."""
        value, error = None, None
        try:
            if not task.future.done():
                value = slot.run(task)
        except BaseException as caught:
            error = caught
        try:
            self._ended(slot, task, value, error)
        finally:
            del error  # which holds this frame

    def _ended(self, slot: Slot, task: Task, value: Any, error: BaseException | None) -> None:
        """Fulfil the future of a task that has run, or put the task back into its queue; free its slot."""
        if isinstance(error, Lost):
            error = self._lost(slot, task, error)
            if error is None:
                return
        else:
            with self._changed:
                self._free(task, slot)
        try:
            if error is None:
                task.future.set_result(value)
            else:
                task.future.set_exception(error)
        except InvalidStateError:
            pass  # cancelled meanwhile
        finally:
            del error
        with self._changed:
            self._over(task)

    def _lost(self, slot: Slot, task: Task, lost: Lost) -> BaseException | None:
        """Return the error for a task whose worker is lost; None if the task is run again."""
        with self._changed:
            task.losses += lost.blame
            again = task.again and task.losses <= RERUNS and not (self._closed or task.future.done())
            if again:
                task.future.started = False
                self._enqueue(task)
                task.queue.waiting.move_to_end(task, last=False)
            self._free(task, slot)
        if again:
            return None
        return WorkerLost("error.workers.lost", count=task.losses, worker=lost.worker)
