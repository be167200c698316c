"""The command line as its users meet it: in a process of its own, or in this one, which is quicker."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import tengen
from tengen.cli import main
from tengen.words import say

SOURCE = Path(tengen.__file__).parents[1]
ROOT = Path(__file__).parents[1]

_ROW = re.compile(r" *[0-9]+ (?=[ \[*!])")
_LETTERS = re.compile(r" +a( +[a-z]{1,2})*")

COMPILING = f"tengen: {say('compiling.once')}\n"
"""The notice where functions are compiled, which may have been done by an earlier test."""


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> list[str]:
        """The lines of the output that are neither empty nor part of a board."""
        lines = (line.rstrip() for line in self.out.splitlines())
        return [line for line in lines if line and not (_ROW.match(line) or _LETTERS.fullmatch(line))]

    @property
    def boards(self) -> list[str]:
        """The boards in the output, without their coordinates."""
        boards: list[list[str]] = [[]]
        for line in self.out.splitlines():
            if _ROW.match(line):
                boards[-1].append(_ROW.sub("", line, count=1))
            elif _LETTERS.fullmatch(line):
                boards.append([])
        return ["\n".join(rows) for rows in boards if rows]


class Typed(io.StringIO):
    """What a user types, line by line; the last line read is remembered."""

    last = ""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        line = super().readline(-1 if size is None else size)
        self.last = line or self.last
        return line


def run(*words: str, typed: str | io.StringIO = "", lang: str = "en") -> Answer:
    """Run a command in this process.

    Args:
        words: the command line.
        typed: what the user types.
        lang: the language the user's system speaks.
    """
    out, err = io.StringIO(), io.StringIO()
    source = io.StringIO(typed) if isinstance(typed, str) else typed
    with (
        patch.dict(os.environ, {"TENGEN_LANG": lang}),
        patch.object(sys, "stdin", source),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        status = main(list(words))
    return Answer(status, out.getvalue(), err.getvalue())


def play(*words: str, typed: str = "", lang: str = "en") -> Answer:
    """Play in this process; the moves and commands that are typed may stand on one line, with `;`."""
    return run("play", *words, typed="\n".join(typed.split(";")), lang=lang)


def environment(**changes: str) -> dict[str, str]:
    """The environment of a process that speaks English unless told otherwise."""
    foreign = ("LC_", "LANG", "TENGEN")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return kept | {"PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "error", "LANG": "C.UTF-8"} | changes


def process(*words: str, typed: str | bytes = "", cwd: Path | None = None, **changes: str) -> Answer:
    """Run a command in a process of its own."""
    given = typed.encode() if isinstance(typed, str) else typed
    command = [sys.executable, "-m", "tengen", *words]
    options: dict[str, Any] = {"cwd": cwd, "env": environment(**changes), "timeout": 200}
    done = subprocess.run(command, input=given, capture_output=True, check=False, **options)
    return Answer(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode())


def start(*words: str) -> subprocess.Popen[bytes]:
    """Start a command in a process of its own, which can be stopped."""
    command = [sys.executable, "-m", "tengen", *words]
    return subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def until(condition: Callable[[], Any], seconds: float = 240.0) -> None:
    """Wait for something that has to happen."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"it did not happen within {seconds} seconds"
        time.sleep(0.02)
