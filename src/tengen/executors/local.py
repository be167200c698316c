"""Workers on this machine: threads of this process, or processes that can be killed one by one.

Each slot has a process of its own, started when it is first needed, and a pipe to it; two slots share
nothing. So a process that is killed, to cancel its task or otherwise, costs its own task and no other, at
whatever moment it dies.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from tengen.executors.dispatch import Lost, Slot, Task
from tengen.executors.tasks import answer, unpack

_GRACE = 2.0
"""Seconds that an idle process has to end by itself before it is killed."""

_REPORT, _ANSWER = b"r", b"a"
"""The first byte of a message from a process."""


class ThreadSlot(Slot):
    """Runs tasks in the slot's own thread; one that is cancelled has to check its `stop_signal`.

    Args:
        nice: added to the niceness of the thread; Linux only.
    """

    def __init__(self, nice: int = 0) -> None:
        super().__init__()
        self._nice = nice

    def open(self) -> None:
        """Lower the thread's priority."""
        if sys.platform == "linux" and self._nice:
            thread = threading.get_native_id()  # to Linux, a thread is a process of its own
            with suppress(OSError):
                os.setpriority(
                    os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + self._nice
                )

    def run(self, task: Task) -> Any:
        """See `Slot.run`."""
        return task.work.do(task.stop, None if task.listener is None else task.receive)


class ProcessSlot(Slot):
    """Runs tasks in a process of its own.

    The tasks are numbered. The number of a hurried one is sent over a second pipe, where it does not
    wait behind a task; if it comes late, it does not concern the task that runs then.

    Args:
        nice: added to the niceness of the process.
    """

    def __init__(self, nice: int = 0) -> None:
        super().__init__()
        self._nice = nice
        self._process: SpawnProcess | None = None
        self._pipe: Connection[Any, Any] | None = None
        self._hurries: Connection[int, int] | None = None
        self._lock = threading.Lock()  # guards that pipe against being closed during a write
        self._number = 0
        self._killed = False

    @property
    def started(self) -> bool:
        """True while there is a process."""
        return self._process is not None

    def run(self, task: Task) -> Any:
        """See `Slot.run`."""
        packed = pickle.dumps(task.work)
        if self._process is not None and (self._killed or not self._process.is_alive()):
            self._bury()
        if self._process is None:
            self._start()
        if task.future.done():
            raise Lost("")
        assert self._pipe is not None
        self._number += 1
        try:
            # A call of `hurry` after this check of `stop` sends the new number.
            self._pipe.send((self._number, task.stop.is_set(), task.listener is not None))
            self._pipe.send_bytes(packed)
            while (reply := self._pipe.recv_bytes())[:1] == _REPORT:
                task.receive(pickle.loads(reply[1:]))
        except (EOFError, OSError) as error:
            raise Lost(self._bury()) from error
        return unpack(reply[1:])

    def interrupt(self) -> None:
        """Kill the process."""
        # The next task may come before the kill has taken effect.
        self._killed = True
        if self._process is not None:
            _kill(self._process)

    def hurry(self) -> None:
        """See `Slot.hurry`."""
        with self._lock, suppress(OSError):  # dead: then the task is run again, with its signal set
            if self._hurries is not None:
                self._hurries.send(self._number)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._bury()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._killed = False
        self._pipe, theirs = context.Pipe()
        hurried, self._hurries = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(theirs, hurried, self._nice), name="tengen-worker")
        # Ctrl-C reaches every process of the terminal; this one must not die of it before it ignores it.
        with theirs, hurried, _interrupts_blocked():
            process.start()
        self._process = process

    def _bury(self) -> str:
        """End the process, with all that it started, and return its number and exit status."""
        assert self._process is not None
        assert self._pipe is not None
        assert self._hurries is not None
        process, self._process = self._process, None
        self._pipe.close()  # the process reads the end of its work
        with self._lock:
            self._hurries.close()
        wait([process.sentinel], _GRACE)
        _kill(process)  # before it is waited for: until then its number is not reused
        process.join()
        code = process.exitcode or 0
        how = signal.Signals(-code).name if code < 0 else f"exit {code}"
        return f"{process.pid} ({how})"


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C for this thread, and for processes started meanwhile until they unblock it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _kill(process: SpawnProcess) -> None:
    """Kill a process and what it has started, such as the program behind a player."""
    if hasattr(os, "killpg") and process.pid is not None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _serve(pipe: Connection[Any, Any], hurries: Connection[int, int], nice: int) -> None:
    """Serve tasks in a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the owner decides what Ctrl-C means
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if hasattr(os, "setpgid"):
        with suppress(OSError):
            os.setpgid(0, 0)  # a group of its own, so that one kill ends whatever it starts
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(nice)
    threading.Thread(target=_end_with_owner, name="tengen-owner", daemon=True).start()
    stops: dict[int, threading.Event] = {}

    def send(value: Any) -> None:
        pipe.send_bytes(_REPORT + pickle.dumps(value))

    threading.Thread(
        target=_receive_hurries, args=(hurries, stops), name="tengen-hurries", daemon=True
    ).start()
    with suppress(EOFError, OSError):
        while True:
            number, hurried, reporting = pipe.recv()
            stop = stops.setdefault(number, threading.Event())
            if hurried:
                stop.set()
            reply = answer(pipe.recv_bytes(), stop, send if reporting else None)
            stops.clear()  # before the owner can send, or hurry, the next one
            pipe.send_bytes(_ANSWER + reply)


def _receive_hurries(hurries: Connection[int, int], stops: dict[int, threading.Event]) -> None:
    """Set the stop signals of hurried tasks: running, queued or over."""
    with suppress(EOFError, OSError):
        while True:
            stops.setdefault(hurries.recv(), threading.Event()).set()


def _end_with_owner() -> None:
    """End this process, in the middle of a task too, when the one that started it is gone."""
    owner = multiprocessing.parent_process()
    assert owner is not None
    owner.join()
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
