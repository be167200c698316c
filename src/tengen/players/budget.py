"""How long a player may think: a `Limit` and a stop signal, watched while it thinks."""

from __future__ import annotations

import threading
import time

from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Limit

_EVERY = 16
"""Nodes between two looks at the clock: a millisecond at the speed of these players."""


class Spent(Exception):
    """The budget is used up; whoever set it answers with the best found so far."""


class Budget:
    """What is left of a `Limit`.

    Args:
        limit: `seconds` and `nodes` bound it; `depth` is the player's own affair.
        stop: ends it when set.

    Attributes:
        nodes: how many have been spent.
    """

    def __init__(self, limit: Limit | None = None, stop: threading.Event | None = None) -> None:
        limit = limit or Limit()
        self._start = time.perf_counter()
        self._seconds = limit.seconds
        self._most = limit.nodes
        self._share = limit.nodes
        self._stop = stop
        self.nodes = 0

    @property
    def seconds(self) -> float:
        """Time since the beginning."""
        return time.perf_counter() - self._start

    def share(self, nodes: int) -> None:
        """Spend no more than this many of the nodes left, until the next call."""
        ends = self.nodes + nodes
        self._share = ends if self._most is None else min(ends, self._most)

    def spend(self) -> None:
        """Pay for one node before looking at it.

        Raises:
            Spent: there is nothing left. The clock and the stop signal are looked at from time to
                time only.
        """
        if self._share is not None and self.nodes >= self._share:
            raise Spent
        if self.nodes % _EVERY == 0:
            self.check()
        self.nodes += 1

    def check(self) -> None:
        """Look at the clock and the stop signal now.

        Raises:
            Spent: the time is over, or the stop signal is set.
        """
        if self._stop is not None and self._stop.is_set():
            raise Spent
        if self._seconds is not None and self.seconds >= self._seconds:
            raise Spent


def whole(name: str, value: object, least: int) -> int:
    """A parameter that has to be a whole number.

    Raises:
        TengenError: it is none, or smaller than `least`.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise TengenError("error.parameter.whole", name=name, value=shorten(str(value)), least=least)
    return value
