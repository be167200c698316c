"""Waiting for a search, which Ctrl-C ends early."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from tengen.executors.ctrl_c import first_ctrl_c
from tengen.executors.running_search import Search

_T = TypeVar("_T")


def wait_for(
    search: Search[_T],
    waiting: Callable[[], object],
    stopping: Callable[[], object],
    pauses: tuple[float, float],
) -> _T:
    """Wait for a search and return its result.

    The first Ctrl-C requests an immediate answer; the second one interrupts.

    Args:
        search: the search.
        waiting: called after each pause.
        stopping: called when an immediate answer has been requested.
        pauses: the first pause and the following pauses, in seconds.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed twice.
        Exception: the error raised by the search.
    """
    events: SimpleQueue[str] = SimpleQueue()  # reentrant: signal handlers may put
    search.when_done(lambda: events.put("done"))
    pause = pauses[0]
    with first_ctrl_c(lambda: events.put("ctrl-c")):
        while True:
            try:
                event = events.get(timeout=pause)
            except Empty:
                waiting()
                pause = pauses[1]
                continue
            if event == "done":
                return search.result()
            search.hurry()
            stopping()
