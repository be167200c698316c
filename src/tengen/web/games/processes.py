"""Liveness of the other server processes, inferred from their messages."""

from __future__ import annotations

import time
from collections.abc import Callable


class OtherProcesses:
    """The time of each other process's last message.

    Args:
        expires: seconds without a message after which a process is considered dead.
        clock: returns the time in seconds.
    """

    def __init__(self, expires: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._expires = expires
        self._clock = clock
        self._heard: dict[str, float] = {}
        self._dead: dict[str, float] = {}

    def heard(self, name: str) -> bool:
        """Record a process's message; return whether the process had been considered dead."""
        self._heard[name] = self._clock()
        return self._dead.pop(name, None) is not None

    def expired(self) -> list[str]:
        """Return the processes that have expired since the last call."""
        now = self._clock()
        lost = [name for name, since in self._heard.items() if now - since > self._expires]
        for name in lost:
            self._dead[name] = self._heard.pop(name)
        # A process that has been dead for long does not come back.
        self._dead = {
            name: since for name, since in self._dead.items() if now - since < 100 * self._expires
        }
        return lost
