"""The other server processes: who of them is alive, by what is heard of them."""

from __future__ import annotations

import time
from collections.abc import Callable


class OtherProcesses:
    """When each of the other processes was last heard of.

    Args:
        expires: seconds without a word after which a process is taken for dead.
        clock: seconds.
    """

    def __init__(self, expires: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._expires = expires
        self._clock = clock
        self._heard: dict[str, float] = {}
        self._dead: dict[str, float] = {}

    def heard(self, name: str) -> bool:
        """A process says something; whether it had been taken for dead."""
        self._heard[name] = self._clock()
        return self._dead.pop(name, None) is not None

    def expired(self) -> list[str]:
        """The processes that have died since the last call, for all that is known."""
        now = self._clock()
        lost = [name for name, since in self._heard.items() if now - since > self._expires]
        for name in lost:
            self._dead[name] = self._heard.pop(name)
        # One that has been dead for long does not come back.
        self._dead = {
            name: since for name, since in self._dead.items() if now - since < 100 * self._expires
        }
        return lost
