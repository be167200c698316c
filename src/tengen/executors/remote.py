"""The code that runs on the workers of a cluster: the task, its signals and its reports."""

from __future__ import annotations

import pickle
import threading
from collections import deque
from typing import Any, NamedTuple

from tengen.executors.tasks import answer

_MOST_REPORTS = 100
"""The most reports that wait to be fetched; of more, the oldest are dropped."""


class _Running(NamedTuple):
    """A running task: its stop signal, and its reports that have not been fetched yet."""

    stop: threading.Event
    reports: deque[bytes]


_running: dict[str, _Running] = {}
"""The tasks that run in this process, by their tokens."""

_cancelled: deque[str] = deque(maxlen=1000)
"""Tasks that were cancelled before they began."""

_hurried: deque[str] = deque(maxlen=1000)
"""Tasks that were hurried before they began."""

_lock = threading.Lock()


def work(packed: bytes, token: str, hurried: bool, reporting: bool = False) -> list[bytes]:
    """Do pickled work, unless it has been cancelled.

    Args:
        packed: the pickled work.
        token: identifies the task.
        hurried: begin with the stop signal set.
        reporting: keep its reports.

    Returns:
        The reports that have not been fetched, and last the answer.
    """
    stop, waiting = threading.Event(), deque[bytes](maxlen=_MOST_REPORTS)
    with _lock:
        if token in _cancelled:
            return [b""]  # never read
        if hurried or token in _hurried:
            stop.set()
        _running[token] = _Running(stop, waiting)

    def send(value: Any) -> None:
        report = pickle.dumps(value)
        with _lock:
            waiting.append(report)

    try:
        reply = answer(packed, stop, send if reporting else None)
    finally:
        with _lock:
            del _running[token]
    return [*waiting, reply]


def reports(token: str) -> list[bytes]:
    """Fetch the reports of a task since the last time."""
    with _lock:
        running = _running.get(token)
        if running is None:
            return []
        fetched = [*running.reports]
        running.reports.clear()
    return fetched


def cancel(token: str) -> bool:
    """Set a task's stop signal; false if it does not run here, and then it never will."""
    return _signal(token, _cancelled)


def hurry(token: str) -> bool:
    """Set a task's stop signal; false if it does not run here, and then it will be set if it ever does."""
    return _signal(token, _hurried)


def _signal(token: str, otherwise: deque[str]) -> bool:
    """Set a task's stop signal; if it does not run here, note it and return false."""
    with _lock:
        running = _running.get(token)
        if running is None:
            otherwise.append(token)
            return False
    running.stop.set()
    return True
