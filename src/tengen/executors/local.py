"""Work on this machine: threads of this process, or processes that can be killed one by one.

Each slot has a process of its own, started when it is first needed, and a pipe to it. That is all that two
slots share: nothing. So a process that is killed, whether to cancel its task or by somebody else, costs its
own task and no other, at whatever moment it dies.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
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


class ThreadSlot(Slot):
    """Runs tasks in the slot's own thread; one that is cancelled has to look at its `stop_signal`."""

    def run(self, task: Task) -> Any:
        """See `Slot.run`."""
        return task.work.do(task.stop)


class ProcessSlot(Slot):
    """Runs tasks in a process of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._process: SpawnProcess | None = None
        self._pipe: Connection[bytes, bytes] | None = None
        self._killed = False

    @property
    def started(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def run(self, task: Task) -> Any:
        """See `Slot.run`."""
        packed = pickle.dumps(task.work)
        if self._process is not None and (self._killed or not self._process.is_alive()):
            self._bury()
        if self._process is None:
            self._start()
        if task.stop.is_set():
            raise Lost("")
        assert self._pipe is not None
        try:
            self._pipe.send_bytes(packed)
            reply = self._pipe.recv_bytes()
        except (EOFError, OSError) as error:
            raise Lost(self._bury()) from error
        return unpack(reply)

    def interrupt(self) -> None:
        """Kill the process."""
        # The next task may come before the kill has taken effect.
        self._killed = True
        if self._process is not None:
            _kill(self._process)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._bury()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._killed = False
        self._pipe, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs,), name="tengen-worker")
        # Ctrl-C reaches every process of the terminal; this one is not to die of it before it can say so.
        with theirs, _interrupts_blocked():
            process.start()
        self._process = process

    def _bury(self) -> str:
        """Make sure that the process is gone, with all that it started, and say who it was."""
        assert self._process is not None
        assert self._pipe is not None
        process, self._process = self._process, None
        self._pipe.close()  # the process reads the end of its work
        wait([process.sentinel], _GRACE)
        _kill(process)  # before it is waited for: as long as it is not, nobody else gets its number
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


def _serve(pipe: Connection[bytes, bytes]) -> None:
    """What a worker process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the owner decides what Ctrl-C means
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if hasattr(os, "setpgid"):
        with suppress(OSError):
            os.setpgid(0, 0)  # a group of its own, so that one kill ends whatever it starts
    threading.Thread(target=_end_with_owner, name="tengen-owner", daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(answer(pipe.recv_bytes(), threading.Event()))


def _end_with_owner() -> None:
    """End this process, in the middle of a task too, when the one that started it is gone."""
    owner = multiprocessing.parent_process()
    assert owner is not None
    owner.join()
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
