"""The end of work that does not check the clock itself: when its time is up, or a signal is set."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PAUSE = 0.02
"""Seconds between two checks of a stop signal."""


@contextmanager
def ended_in_time(
    end: Callable[[], object], seconds: float | None, stop: threading.Event | None
) -> Iterator[None]:
    """Call `end` during the context when the time is up or the signal is set, whichever is first.

    Args:
        end: called at most once, in another thread.
        seconds: from now; None for no bound.
        stop: the signal; None for none.
    """
    if seconds is not None and seconds > threading.TIMEOUT_MAX:
        seconds = None  # no thread can wait so long
    if seconds is None and stop is None:
        yield
        return
    over = threading.Event()
    deadline = None if seconds is None else time.perf_counter() + seconds

    def watch() -> None:
        while not over.is_set():
            left = None if deadline is None else deadline - time.perf_counter()
            if (left is not None and left <= 0) or (stop is not None and stop.is_set()):
                end()
                return
            over.wait(_PAUSE if left is None else left if stop is None else min(left, _PAUSE))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
