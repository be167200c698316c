"""A line that tells how far a long task is: redrawn in place on a terminal, now and then elsewhere.

Rich's progress bars would need a thread, hide the cursor, and say nothing in a log before the end; what has
to be told here is a sentence.
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
    """Shows the latest of a line that changes.

    Args:
        line: makes the line; called only when it is to be shown.
        stream: where; a terminal gets one line that is written over, anything else a line every half
            minute.
    """

    def __init__(self, line: Callable[[], str], stream: TextIO) -> None:
        self._line = line
        self._stream = stream
        self._live = stream.isatty()
        self._last = time.monotonic() if not self._live else 0.0
        self._shown = False

    def __call__(self) -> None:
        """Show the line, unless that has just been done."""
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
        """Take the line away, so that something else may be printed."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = False


class Pace:
    """How long a task has taken, and how long it may take yet if it goes on like that.

    Args:
        lang: the language to speak.
        before: what had been done before.
    """

    def __init__(self, lang: str, before: int = 0) -> None:
        self._lang = lang
        self._before = before
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Time since it began."""
        return time.monotonic() - self._began

    @property
    def time(self) -> str:
        """The same as text."""
        return duration(self.seconds)

    def left(self, done: int, total: int | None, most: float | None = None) -> list[str]:
        """A sentence on how long it may take yet; none where nothing tells.

        Args:
            done: how much has been done.
            total: how much is to be done; None where that does not end it.
            most: seconds that it may take; None where they do not end it.
        """
        ends = [] if most is None else [max(most - self.seconds, 0.0)]
        if total is not None and done > self._before:
            ends.append(self.seconds / (done - self._before) * (total - done))
        return [say("match.left", self._lang, time=duration(min(ends)))] if ends else []


def duration(seconds: float) -> str:
    """Time as ``1:02:03`` or ``2:03``."""
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
