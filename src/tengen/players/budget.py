"""The budget of a search: a `Limit` and a stop signal, checked while the player thinks."""

from __future__ import annotations

import math
import threading
import time

from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Limit

_EVERY = 16
"""Nodes between two checks of the clock: a millisecond at the speed of these players."""


class BudgetSpent(Exception):
    """Raised when the budget is used up; the search then ends with the best found so far."""


class Budget:
    """The rest of a `Limit`.

    Args:
        limit: `seconds` and `nodes` bound it; `depth` is the player's own affair.
        stop: ends it when set.

    Attributes:
        nodes: the number of spent nodes.
    """

    def __init__(self, limit: Limit | None = None, stop: threading.Event | None = None) -> None:
        limit = limit or Limit()
        self._start = time.perf_counter()
        self._seconds = self._seconds_shared = math.inf if limit.seconds is None else limit.seconds
        self._nodes = self._nodes_shared = math.inf if limit.nodes is None else limit.nodes
        self._stop = stop
        self.nodes = 0

    @property
    def seconds(self) -> float:
        """Time since the beginning."""
        return time.perf_counter() - self._start

    def share(self, part: float) -> None:
        """Until the next call spend no more than this part of what is left, of time and of nodes."""
        self._nodes_shared = self.nodes + part * (self._nodes - self.nodes)
        self._seconds_shared = self.seconds + part * (self._seconds - self.seconds)

    def spend(self) -> None:
        """Pay for one node before looking at it.

        Raises:
            BudgetSpent: there is nothing left. The clock and the stop signal are checked now and then.
        """
        if self.nodes >= self._nodes_shared:
            raise BudgetSpent
        if self.nodes % _EVERY == 0 and self.over():
            raise BudgetSpent
        self.nodes += 1

    def over(self) -> bool:
        """Return whether the time is up or the stop signal is set."""
        stopped = self._stop is not None and self._stop.is_set()
        return stopped or self.seconds >= self._seconds_shared


def whole(name: str, value: object, least: int) -> int:
    """A parameter that has to be a whole number.

    Raises:
        TengenError: it is none, or smaller than `least`.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise TengenError("error.parameter.whole", name=name, value=shorten(str(value)), least=least)
    return value
