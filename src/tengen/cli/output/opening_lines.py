"""The line shown while openings are made."""

from __future__ import annotations

import time

from tengen.cli.output.progress import duration
from tengen.words import say


class OpeningsProgress:
    """How many shapes have been tried, how many were kept, and how long it may take yet."""

    def __init__(self, wanted: int, lang: str) -> None:
        self._wanted = wanted
        self._lang = lang
        self._began = time.monotonic()
        self._tried = self._kept = 0

    def update(self, tried: int, kept: int) -> None:
        """Take the latest counts in."""
        self._tried, self._kept = tried, kept

    def __call__(self) -> str:
        """The line as it is now."""
        seconds = time.monotonic() - self._began
        values = {"kept": self._kept, "wanted": self._wanted, "tried": self._tried}
        text = say("openings.progress", self._lang, **values, time=duration(seconds))
        if not self._kept:
            return text
        left = duration(seconds / self._kept * (self._wanted - self._kept))
        return f"{text}  {say('match.left', self._lang, time=left)}"
