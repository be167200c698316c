"""A clock for long searches; Ctrl-C ends the search with the results so far."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from tengen.cli.output.progress import Pace, ProgressLine
from tengen.executors.running_search import Search
from tengen.executors.waiting import wait_for
from tengen.words import Message, say

T = TypeVar("T")

_PAUSES = 1.0, 0.2
"""Seconds before the clock is first shown, and between its updates."""


def watched(
    search: Search[T],
    key: str | Callable[[], Message],
    lang: str,
    stopping: Callable[[], object] = lambda: None,
) -> T:
    """Return the result of a search, and show a clock on stderr after one second.

    Args:
        search: the search.
        key: the key of the message shown with the time, or a function that returns the message.
        lang: the language of messages.
        stopping: called when Ctrl-C has ended the search.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed twice.
        Exception: the error raised by the search.
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


class EndReason:
    """The reason why a search ended without an answer: a limit, or Ctrl-C."""

    def __init__(self) -> None:
        self._stopped = False

    def stopped(self) -> None:
        """Note that Ctrl-C has ended the search."""
        self._stopped = True

    @property
    def message(self) -> Message:
        """The reason as a message, the value ``why`` of other messages."""
        return Message("search.stopped" if self._stopped else "search.limit")
