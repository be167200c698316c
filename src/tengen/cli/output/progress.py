"""A progress line for long tasks: redrawn in place on a terminal, printed at intervals elsewhere.

Rich's progress bars need a thread, hide the cursor, and print nothing in a log before the end; and the
progress here is a sentence.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import TextIO

from tengen.cli.output.columns import cut
from tengen.words import say

_TERMINAL_PAUSE = 0.2
_FILE_PAUSE = 30.0


class ProgressLine:
    """A progress line.

    Args:
        line: returns the text; called only when it is to be shown.
        stream: the output; on a terminal the line is overwritten, otherwise it is printed every half
            minute.
    """

    def __init__(self, line: Callable[[], str], stream: TextIO) -> None:
        self._line = line
        self._stream = stream
        self._live = stream.isatty()
        self._last = time.monotonic() if not self._live else 0.0
        self._shown = False

    def __call__(self) -> None:
        """Show the line, unless it has just been shown."""
        now = time.monotonic()
        if now - self._last < (_TERMINAL_PAUSE if self._live else _FILE_PAUSE):
            return
        self._last = now
        text = self._line()
        if self._live:
            text = cut(text, shutil.get_terminal_size().columns - 1)
            self._stream.write(f"\r{text}\x1b[K")
            self._shown = True
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Remove the line, so that other text can be printed."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = False


class Pace:
    """The elapsed time of a task, and an estimate of the time left at a constant rate.

    Args:
        lang: the language of messages.
        before: the amount done before the start.
    """

    def __init__(self, lang: str, before: int = 0) -> None:
        self._lang = lang
        self._before = before
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._began

    @property
    def time(self) -> str:
        """The time since the start as text."""
        return duration(self.seconds)

    def left(self, done: int, total: int | None, most: float | None = None) -> list[str]:
        """Return the estimated time left as a sentence, in a list that is empty if it is unknown.

        Args:
            done: the amount done.
            total: the total amount; None if it does not end the task.
            most: the time limit in seconds; None if there is none.
        """
        ends = [] if most is None else [max(most - self.seconds, 0.0)]
        if total is not None and done > self._before:
            ends.append(self.seconds / (done - self._before) * (total - done))
        return [say("match.left", self._lang, time=duration(min(ends)))] if ends else []


def duration(seconds: float) -> str:
    """Format a time as ``1:02:03`` or ``2:03``."""
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
