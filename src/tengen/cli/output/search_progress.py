"""A clock for a search that takes a while; Ctrl-C ends the search with what it has found."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from tengen.cli.output.progress import Pace, ProgressLine
from tengen.executors.running_search import Search
from tengen.terminal.asking import wait_for
from tengen.words import Message, say

T = TypeVar("T")

_PAUSES = 1.0, 0.2
"""Seconds: what is found within the first needs no clock."""


def watched(
    search: Search[T],
    key: str | Callable[[], Message],
    lang: str,
    stopping: Callable[[], object] = lambda: None,
) -> T:
    """What a search brings, with a clock on stderr once it takes more than a second.

    Args:
        search: what is waited for.
        key: of the sentence that is shown, with the time in it; or what gives the sentence each time.
        lang: the language to speak.
        stopping: called when Ctrl-C has ended it.

    Raises:
        KeyboardInterrupt: Ctrl-C came twice.
        Exception: what the search has raised.
    """
    pace = Pace(lang)

    def line() -> str:
        sentence = Message(key) if isinstance(key, str) else key()
        return say(sentence.key, lang, **sentence.values, time=pace.time)

    clock = ProgressLine(line, sys.stderr)
    try:
        return wait_for(search, clock, stopping, _PAUSES)
    finally:
        clock.clear()


class WhyEnded:
    """Why a search is over that does not know the answer, as sentences tell it: a limit, or Ctrl-C."""

    def __init__(self) -> None:
        self._stopped = False

    def stopped(self) -> None:
        """Ctrl-C has ended it."""
        self._stopped = True

    @property
    def told(self) -> Message:
        """What the sentences call ``why``."""
        return Message("search.stopped" if self._stopped else "search.limit")
