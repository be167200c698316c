"""A line that tells how far a long task is: redrawn in place on a terminal, now and then elsewhere."""

from __future__ import annotations

import shutil
import time
import unicodedata
from collections.abc import Callable
from typing import TextIO

_TERMINAL_PAUSE = 0.2
_FILE_PAUSE = 30.0


class Progress:
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
            text = _cut(text, shutil.get_terminal_size().columns - 1)
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


def duration(seconds: float) -> str:
    """Time as ``1:02:03`` or ``2:03``."""
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _cut(text: str, columns: int) -> str:
    """As much of a text as fits; a Chinese character takes two columns."""
    for place, character in enumerate(text):
        columns -= 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if columns < 0:
            return text[:place]
    return text
