"""What runs on the workers of a cluster: the task itself, and what is said about it meanwhile."""

from __future__ import annotations

import threading
from collections import deque

from tengen.executors.tasks import answer

_running: dict[str, threading.Event] = {}
"""The stop signals of the tasks that run in this process."""

_unwanted: deque[str] = deque(maxlen=1000)
"""Tasks that were called off before they began."""

_urgent: deque[str] = deque(maxlen=1000)
"""Tasks that were hurried before they began."""

_lock = threading.Lock()


def work(packed: bytes, token: str, hurried: bool) -> bytes:
    """Do packed work, unless it has been called off."""
    stop = threading.Event()
    with _lock:
        if token in _unwanted:
            return b""  # which nobody reads
        if hurried or token in _urgent:
            stop.set()
        _running[token] = stop
    try:
        return answer(packed, stop)
    finally:
        with _lock:
            del _running[token]


def call_off(token: str) -> bool:
    """Set a task's stop signal; false if it does not run here, and then it never will."""
    return _signal(token, _unwanted)


def hurry(token: str) -> bool:
    """Set a task's stop signal; false if it does not run here, and then it will be set if it ever does."""
    return _signal(token, _urgent)


def _signal(token: str, otherwise: deque[str]) -> bool:
    """Set a task's stop signal; if it does not run here, take note of it and return false."""
    with _lock:
        stop = _running.get(token)
        if stop is None:
            otherwise.append(token)
            return False
    stop.set()
    return True
