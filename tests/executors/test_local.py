"""Processes of this machine: killed, left behind, interrupted."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

import tengen
from tengen import executors
from tests.executors.work import alive, keep_a_program, perform, until

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="these processes are watched by POSIX means")

OWNER = """
import sys
from contextlib import nullcontext
from pathlib import Path
from tengen import executors
from tests.executors.work import Stage, keep_a_program, until

if __name__ == "__main__":
    stage, ending = Stage(Path(sys.argv[1])), sys.argv[2]
    workers = executors.open_workers("processes", 2)
    pool = workers.caller("owner")
    futures = [pool.submit(keep_a_program, stage) for _ in range(2)]
    until(lambda: len(stage.told("begin")) == 2)
    try:
        stage.tell("ready")
        if ending == "forgets":
            sys.exit(0)
        with workers if ending == "closes" else nullcontext():
            futures[0].result()
    except KeyboardInterrupt:
        if ending == "closes":
            sys.exit(7)
        raise
"""


@pytest.fixture
def workers():
    with executors.open_workers("processes", 2) as opened:
        yield opened


@pytest.fixture
def owner(tmp_path, stage):
    """Starts a program that has two tasks running, and gives it once they run."""
    started = []

    def start(ending: str) -> subprocess.Popen[str]:
        script = tmp_path / "owner.py"
        script.write_text(OWNER)
        path = os.pathsep.join(map(str, (Path(tengen.__file__).parents[1], ROOT)))
        process = subprocess.Popen(
            [sys.executable, script, tmp_path, ending],
            env=os.environ | {"PYTHONPATH": path},
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        started.append(process)
        until(lambda: stage.told("ready"))
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def children() -> list[BaseProcess]:
    """Our worker processes."""
    return [child for child in multiprocessing.active_children() if child.name == "tengen-worker"]


def processes() -> set[int | None]:
    """The numbers of our worker processes."""
    return {child.pid for child in children()}


def test_a_process_is_started_when_it_is_needed(workers):
    assert processes() == set()
    workers.caller("a").submit(abs, -1).result()
    assert len(processes()) == 1


def test_cancelling_kills_the_process_and_what_it_has_started(workers, stage):
    pool = workers.caller("a")
    future = pool.submit(keep_a_program, stage)
    until(lambda: stage.told("begin"))
    (worker,), (program,) = stage.pids("begin"), stage.pids("program")
    assert alive(worker)
    assert alive(program)
    future.cancel()
    until(lambda: not alive(worker) and not alive(program))
    stage.open()
    assert pool.submit(perform, stage, "another").result() == "another"
    assert stage.pids("begin")[1] != worker


def test_hurrying_leaves_the_process_and_what_it_has_started_alone(workers, stage):
    future = workers.caller("a").submit(keep_a_program, stage)
    until(lambda: stage.told("begin"))
    before = processes()
    assert future.hurry()
    assert future.result(120) is None
    assert stage.told("stopped")
    assert processes() == before
    assert alive(*stage.pids("program"))


def test_the_other_process_plays_on(workers, stage):
    pool = workers.caller("a")
    futures = [pool.submit(perform, stage, number) for number in range(2)]
    until(lambda: len(stage.told("begin")) == 2)
    futures[0].cancel()
    later = [pool.submit(perform, stage, number) for number in range(2, 6)]
    stage.open()
    assert [future.result() for future in (futures[1], *later)] == [1, 2, 3, 4, 5]
    assert sorted(stage.told("begin")) == list("012345")


def test_a_process_killed_while_idle_is_replaced(workers, stage):
    pool = workers.caller("a")
    stage.open()
    wait([pool.submit(perform, stage) for _ in range(8)])
    for pid in set(stage.pids()):
        os.kill(pid, signal.SIGKILL)
    assert [pool.submit(pow, number, 2).result() for number in range(4)] == [0, 1, 4, 9]


def test_many_tasks_and_many_deaths(workers, stage):
    """Whenever a process is killed, each result arrives, once."""
    pool = workers.caller("a")
    stage.open()
    futures = [pool.submit(perform, stage, number) for number in range(60)]
    arrived: list[object] = []
    for future in futures:
        future.add_done_callback(lambda done: arrived.append(done.result()))
    for round_ in range(1, 4):  # one death more, of the same task each time, and it would be given up
        until(lambda least=round_ * 10: len(stage.told("begin")) >= least)  # type: ignore[misc]
        until(children)
        children()[0].kill()
    wait(futures)
    until(lambda: len(arrived) == 60)
    assert sorted(arrived) == list(range(60))  # type: ignore[type-var]


def test_closing_leaves_no_process_behind(stage):
    with executors.open_workers("processes", 2) as workers:
        pool = workers.caller("a")
        pool.submit(abs, 1).result()
        futures = [pool.submit(keep_a_program, stage) for _ in range(3)]
        until(lambda: len(stage.told("begin")) == 2)
        assert processes() == set(stage.pids("begin"))
    assert all(future.cancelled() for future in futures)
    assert processes() == set()
    assert not any(map(alive, stage.pids("begin")))
    until(lambda: not any(map(alive, stage.pids("program"))))


def test_an_owner_that_is_killed_takes_its_workers_with_it(owner, stage):
    running = owner("waits")
    running.kill()
    until(lambda: not any(map(alive, stage.pids("begin") + stage.pids("program"))))


@pytest.mark.parametrize(("ending", "code", "tracebacks"), [("closes", 7, 0), ("waits", -signal.SIGINT, 1)])
def test_ctrl_c_is_for_the_owner_alone(owner, stage, ending, code, tracebacks):
    """A terminal interrupts all processes of the group; the workers leave it to the owner what to do."""
    running = owner(ending)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=120)
    assert said.count("Traceback") == said.count("KeyboardInterrupt") == tracebacks
    assert running.returncode == code
    assert not any(map(alive, stage.pids("begin")))
    until(lambda: not any(map(alive, stage.pids("program"))))


def test_an_owner_that_forgets_to_close_them_ends_all_the_same(owner, stage):
    running = owner("forgets")
    assert running.communicate(timeout=120) == (None, "")
    assert running.returncode == 0
    until(lambda: not any(map(alive, stage.pids("begin") + stage.pids("program"))))
