"""Thinking on while the opponent thinks."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.console import until

pytestmark = pytest.mark.usefixtures("compiled")


@contextmanager
def brain(*options: str) -> Iterator[subprocess.Popen[str]]:
    """The program, after its answer to a first move."""
    command = [sys.executable, "-m", "tengen", "engine", *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1) as process:
        move(process, "INFO timeout_turn 100\nSTART 15\nTURN 7,7\n")
        yield process
        process.kill()


def move(process: subprocess.Popen[str], commands: str) -> str:
    """What it answers with."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(commands)
    for line in process.stdout:
        if "," in line and not line.startswith("MESSAGE"):
            return line
    raise AssertionError("the program has ended")


def worked(process: subprocess.Popen[str]) -> int:
    """Ticks of processor time that it has used."""
    stat = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return int(stat[11]) + int(stat[12])


def rests(process: subprocess.Popen[str]) -> bool:
    """Whether it uses hardly any processor time in a while."""
    before = worked(process)
    time.sleep(0.5)
    return worked(process) <= before + 2


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc tells the processor time")
@pytest.mark.parametrize("options", [("--ponder",), ()])
def test_it_works_while_the_opponent_thinks_if_that_was_asked_for(options: tuple[str, ...]) -> None:
    with brain(*options) as process:
        if options:
            before = worked(process)
            until(lambda: worked(process) > before + 100)
        else:
            until(lambda: rests(process))
        assert move(process, "TURN 6,9\n")


@pytest.mark.long
def test_a_new_game_and_the_end_come_while_it_ponders() -> None:
    with brain("--ponder") as process:
        assert move(process, "RESTART\nTURN 3,3\n")
        assert process.stdin is not None
        process.stdin.write("END\n")
        assert process.wait(timeout=60) == 0
