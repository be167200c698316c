"""The code that runs on the workers of a cluster: the task, its signals and its reports."""

from __future__ import annotations

import pickle
import threading
from collections import deque
from typing import Any, NamedTuple

from tengen.executors.tasks import answer

_MOST_REPORTS = 100
"""Reports that wait to be fetched; of more, the oldest are left out."""


class _Running(NamedTuple):
    """A task that runs: its stop signal, and what it has reported and nobody has fetched yet."""

    stop: threading.Event
    reports: deque[bytes]


_running: dict[str, _Running] = {}
"""The tasks that run in this process, by their tokens."""

_unwanted: deque[str] = deque(maxlen=1000)
"""Tasks that were called off before they began."""

_urgent: deque[str] = deque(maxlen=1000)
"""Tasks that were hurried before they began."""

_lock = threading.Lock()


def work(packed: bytes, token: str, hurried: bool, heard: bool = False) -> list[bytes]:
    """Do packed work, unless it has been called off.

    Args:
        packed: the work.
        token: what it is called by.
        hurried: begin with the stop signal set.
        heard: keep its reports.

    Returns:
        The reports that nobody has fetched, and last the answer.
    """
    stop, waiting = threading.Event(), deque[bytes](maxlen=_MOST_REPORTS)
    with _lock:
        if token in _unwanted:
            return [b""]  # which nobody reads
        if hurried or token in _urgent:
            stop.set()
        _running[token] = _Running(stop, waiting)

    def tell(value: Any) -> None:
        report = pickle.dumps(value)
        with _lock:
            waiting.append(report)

    try:
        reply = answer(packed, stop, tell if heard else None)
    finally:
        with _lock:
            del _running[token]
    return [*waiting, reply]


def reports(token: str) -> list[bytes]:
    """Fetch what a task has reported since the last time."""
    with _lock:
        running = _running.get(token)
        if running is None:
            return []
        fetched = [*running.reports]
        running.reports.clear()
    return fetched


def call_off(token: str) -> bool:
    """Set a task's stop signal; false if it does not run here, and then it never will."""
    return _signal(token, _unwanted)


def hurry(token: str) -> bool:
    """Set a task's stop signal; false if it does not run here, and then it will be set if it ever does."""
    return _signal(token, _urgent)


def _signal(token: str, otherwise: deque[str]) -> bool:
    """Set a task's stop signal; if it does not run here, take note of it and return false."""
    with _lock:
        running = _running.get(token)
        if running is None:
            otherwise.append(token)
            return False
    running.stop.set()
    return True
