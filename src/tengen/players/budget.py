"""The budget of a search: a `Limit` and a stop signal, checked during the search."""

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
    """Raised when the budget is spent; the search then returns the best result so far."""


class Budget:
    """The remaining time and nodes of a search.

    Args:
        limit: the limit on `seconds` and `nodes`; its `depth` is left to the player.
        stop: ends the search when set.

    Attributes:
        nodes: the number of nodes spent.
    """

    def __init__(self, limit: Limit | None = None, stop: threading.Event | None = None) -> None:
        limit = limit or Limit()
        self._start = time.perf_counter()
        self._seconds = self._seconds_shared = math.inf if limit.seconds is None else limit.seconds
        self._nodes = self._nodes_shared = math.inf if limit.nodes is None else limit.nodes
        self._stop = stop
        self.nodes = 0

    @classmethod
    def with_default(cls, nodes: int, limit: Limit | None, stop: threading.Event | None) -> Budget:
        """Return the budget of a limit, or of so many nodes if it has neither seconds nor nodes."""
        if limit is None or (limit.seconds is None and limit.nodes is None):
            limit = Limit(nodes=nodes)
        return cls(limit, stop)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._start

    def share(self, part: float) -> None:
        """Limit spending, until the next call, to a part of the remaining time and nodes."""
        self._nodes_shared = self.nodes + part * (self._nodes - self.nodes)
        self._seconds_shared = self.seconds + part * (self._seconds - self.seconds)

    def spend(self) -> None:
        """Spend one node. The clock and the stop signal are checked every `_EVERY` nodes.

        Raises:
            BudgetSpent: the budget is spent.
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
    """Return the value of a parameter, checked to be a whole number.

    Raises:
        TengenError: the value is no whole number, or smaller than `least`.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise TengenError("error.parameter.whole", name=name, value=shorten(str(value)), least=least)
    return value
