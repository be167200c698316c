"""Tasks for the workers: they tell in a file what they do, and go on when another file is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tengen import executors


class Stage:
    """A folder that a test and its tasks share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.gate = folder / "gate"

    def tell(self, what: str, name: object = "") -> None:
        with self.log.open("a") as log:
            log.write(f"{what}\t{name}\t{os.getpid()}\n")

    def told(self, what: str) -> list[str]:
        """The names of those who told this, in order."""
        return [name for said, name, _ in self._lines() if said == what]

    def pids(self, what: str = "begin") -> list[int]:
        """The processes in which this was told, in order."""
        return [int(pid) for said, _, pid in self._lines() if said == what]

    def most_at_once(self) -> int:
        """How many tasks were at it at the same time."""
        steps = {"begin": 1, "end": -1}
        running, most = 0, 0
        for said, _, _ in self._lines():
            running += steps.get(said, 0)
            most = max(most, running)
        return most

    def open(self) -> None:
        """Let all tasks that wait go on."""
        self.gate.touch()

    def _lines(self) -> list[list[str]]:
        return [line.split("\t") for line in self.log.read_text().splitlines()] if self.log.exists() else []


def until(condition: Callable[[], Any], seconds: float = 120.0) -> None:
    """Wait until something is the case; fail if it never is."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "this did not happen"
        time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether there is such a process, zombies left aside."""
    try:
        os.kill(pid, 0)
        return not Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].startswith(" Z")
    except (ProcessLookupError, FileNotFoundError):
        return False


def perform(stage: Stage, name: object = "") -> object:
    """Tell that it begins, wait for the gate, tell that it ends."""
    stage.tell("begin", name)
    stop = executors.stop_signal()
    while not stage.gate.exists():
        if stop.wait(0.005):
            stage.tell("stopped", name)
            return None
    stage.tell("end", name)
    return name


def ponder(stage: Stage, name: object = "") -> tuple[object, bool]:
    """Tell that it begins, think until the signal is set or the gate is there, and say which it was."""
    hurried = executors.stop_signal()
    stage.tell("hurried" if hurried.is_set() else "begin", name)
    while not (hurried.wait(0.005) or stage.gate.exists()):
        pass
    return name, hurried.is_set()


def perform_slowly(stage: Stage) -> None:
    """Tell that it begins and that it has been hurried, and go on all the same until the gate is there."""
    stage.tell("begin")
    executors.stop_signal().wait(120)
    stage.tell("hurried")
    until(stage.gate.exists)


def signalled(seconds: float) -> bool:
    """Whether the signal is set within so many seconds."""
    return executors.stop_signal().wait(seconds)


def die_when_hurried(stage: Stage) -> str:
    """The first time, die once the signal is set; then tell whether it was set from the beginning."""
    hurried = executors.stop_signal()
    stage.tell("hurried" if hurried.is_set() else "begin")
    if not hurried.is_set():
        hurried.wait(120)
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def count(numbers: int) -> int:
    """Report each number below this one, and say how many there were."""
    for number in range(numbers):
        executors.report(number)
    return numbers


def count_without_reports(numbers: int) -> int:
    """The same in silence, between two reports of its own."""
    executors.report("begin")
    counted = executors.without_reports(count, numbers)
    executors.report("end")
    return counted


def count_aloud(stage: Stage) -> str:
    """Report a number now and then until the signal is set or the gate is there."""
    stage.tell("begin")
    stop, number = executors.stop_signal(), 0
    while not (stop.wait(0.005) or stage.gate.exists()):
        executors.report(number)
        number += 1
    return "stopped" if stop.is_set() else "done"


def report_what_cannot_be_sent() -> None:
    """Report what pickle does not write."""
    executors.report(lambda: None)


def niceness() -> int:
    """The priority of this thread, as Unix counts it."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def die(stage: Stage, times: int, code: int | None = None) -> str:
    """Die the first so many times, by a signal or with an exit code; then do well."""
    stage.tell("begin")
    if len(stage.told("begin")) <= times:
        if code is None:
            os.kill(os.getpid(), signal.SIGKILL)
        os._exit(0 if code is None else code)
    return "done"


def fail(error: BaseException) -> None:
    """Raise."""
    raise error


class Unsendable(Exception):
    """An exception that pickle writes and cannot read."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__(f"{a} and {b}")


def fail_unsendably() -> None:
    """Raise what cannot be sent."""
    raise Unsendable(1, 2)


def unsendable_result() -> object:
    """Return what cannot be sent."""
    return lambda: None


def keep_a_program(stage: Stage) -> None:
    """Start a program that never ends, as an external player may be, and wait for the gate."""
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with stage.log.open("a") as log:
        log.write(f"program\t\t{program.pid}\n")
    perform(stage)
