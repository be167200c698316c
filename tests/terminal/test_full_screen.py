"""``tengen play`` on a real terminal: a process that draws on a screen, and leaves it as it was."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time

import pytest

from tests.console import environment

pty = pytest.importorskip("pty", reason="there are no such terminals here")

PATIENCE = 60.0


class Terminal:
    """A terminal of 24 rows and 80 columns with ``tengen play`` in it."""

    def __init__(self, *words: str, **changes: str) -> None:
        self._end, theirs = pty.openpty()
        settings = {"TERM": "xterm-256color", "LINES": "24", "COLUMNS": "80"} | changes
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tengen", "play", *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**settings),
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def until(self, pattern: str) -> None:
        """Wait for something to be shown after what has been waited for before."""
        begun, end = len(self.shown), time.monotonic() + PATIENCE
        while not re.search(pattern, self.shown[begun:]):
            assert time.monotonic() < end, self.shown[begun:]
            self._read()

    def left(self) -> int:
        """The exit status of the command, once it has left."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, self.shown
            self._read()
        self._read()
        os.close(self._end)
        return self.process.returncode

    def _read(self) -> None:
        ready, _, _ = select.select([self._end], [], [], 0.1)
        if ready:
            try:
                self.shown += os.read(self._end, 1 << 16).decode("utf-8", "replace")
            except OSError:  # nobody is at the other end any more
                time.sleep(0.02)


@pytest.mark.long
def test_a_game_is_played_and_left_on_a_screen_of_its_own():
    terminal = Terminal("--rules", "tictactoe", "--white", "lines")
    terminal.until("Black to move")
    assert "\x1b[?1049h" in terminal.shown
    terminal.type("\r")
    terminal.until("White plays")
    terminal.type("q")
    terminal.until("Leave this game")
    terminal.type("y")
    assert terminal.left() == 0
    assert "\x1b[?1049l" in terminal.shown
    assert "Traceback" not in terminal.shown


@pytest.mark.long
def test_a_friendly_level_waits_for_whoever_names_nobody():
    terminal = Terminal("--lang", "zh")
    terminal.until("第 2")
    terminal.type("\x03")
    assert terminal.left() == 0


@pytest.mark.parametrize(("words", "changes"), [(("--plain",), {}), ((), {"TERM": "dumb"})])
def test_line_by_line_asks_who_plays(words, changes):
    terminal = Terminal("--rules", "tictactoe", *words, **changes)
    terminal.until("You play Black. Who plays White")
    terminal.type("0\n")
    terminal.until("1. Black>")
    terminal.type("q\n")
    assert terminal.left() == 0
    assert "\x1b[?1049h" not in terminal.shown
