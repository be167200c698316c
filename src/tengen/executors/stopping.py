"""The end of work that does not check the clock itself: when its time is up, or a signal is set.

A thread waits for that. Where there are no threads, the work itself calls out now and then, and `poll_by`
says how it is asked to.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_PAUSE = 0.02
"""Seconds between two checks of a stop signal."""


@contextmanager
def ended_in_time(
    end: Callable[[], object], seconds: float | None, stop: threading.Event | None
) -> Iterator[None]:
    """Call `end` during the context when the time is up or the signal is set, whichever is first.

    Args:
        end: called at most once, in another thread, or in this one where there are no others.
        seconds: from now; None for no bound.
        stop: the signal; None for none.
    """
    if seconds is not None and seconds > threading.TIMEOUT_MAX:
        seconds = None  # no thread can wait so long
    if seconds is None and stop is None:
        yield
        return
    watch = _Watch(end, None if seconds is None else time.perf_counter() + seconds, stop)
    with _polls[0].watching(watch) if _polls else _watched(watch):
        yield


@contextmanager
def repeatedly(call: Callable[[], object], seconds: float) -> Iterator[None]:
    """Call something every so many seconds during the context, in this thread: there are no others."""
    watch = _Watch(call, time.perf_counter() + seconds, None, seconds)
    with _polls[0].watching(watch):
        yield


@dataclass(slots=True, eq=False)
class _Watch:
    """Work that is to end.

    Attributes:
        end: ends it.
        deadline: when, as `time.perf_counter` counts; None for no bound.
        stop: the signal; None for none.
        period: seconds after which to call `end` again; None if it is called once.
    """

    end: Callable[[], object]
    deadline: float | None
    stop: threading.Event | None
    period: float | None = None

    def pause(self) -> float:
        """Return the seconds until it has to be checked again; 0 if it is to end now."""
        left = None if self.deadline is None else max(self.deadline - time.perf_counter(), 0.0)
        if left == 0 or (self.stop is not None and self.stop.is_set()):
            return 0.0
        return _PAUSE if left is None else left if self.stop is None else min(left, _PAUSE)


@contextmanager
def _watched(watch: _Watch) -> Iterator[None]:
    """End work from a thread."""
    over = threading.Event()

    def run() -> None:
        while not over.is_set():
            pause = watch.pause()
            if pause == 0:
                watch.end()
                return
            over.wait(pause)

    watcher = threading.Thread(target=run, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


class Polls:
    """Ends work in the thread that does it, which calls `poll` in time.

    Args:
        wake: is told after how many seconds `poll` is to be called, or None for never; the newest counts.
    """

    def __init__(self, wake: Callable[[float | None], object]) -> None:
        self._wake = wake
        self._watches: list[_Watch] = []

    @contextmanager
    def watching(self, watch: _Watch) -> Iterator[None]:
        """End work during the context."""
        self._watches.append(watch)
        try:
            self.poll()
            yield
        finally:
            if watch in self._watches:
                self._watches.remove(watch)
                self.poll()

    def poll(self) -> None:
        """End what is to end, the outer work first: that may set the signal of the inner."""
        pauses = []
        for watch in tuple(self._watches):
            pause = watch.pause()
            if pause == 0 and watch.period is None:
                self._watches.remove(watch)
                watch.end()
                continue
            if pause == 0:
                watch.end()
                watch.deadline = time.perf_counter() + (watch.period or 0)
            pauses.append(watch.pause())
        self._wake(min(pauses, default=None))


_polls: list[Polls] = []


def poll_by(wake: Callable[[float | None], object]) -> Polls:
    """Start no threads to end work from now on; see `Polls`, whose `poll` is to be called."""
    _polls[:] = [Polls(wake)]
    return _polls[0]


def has_threads() -> bool:
    """Return whether this process can start threads."""
    return not _polls
