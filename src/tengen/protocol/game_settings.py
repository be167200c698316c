"""Settings from INFO lines: threads, memory, and the `Limit` of a move."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game.arguments import MOST_SECONDS
from tengen.game.player import GameTime, Limit
from tengen.gomocup.info_values import UNLIMITED, InfoValues

QUICK = 3_000
"""The node limit of an immediate move."""

_DEFAULT_SECONDS = 5.0
"""The time for a move if no limit of time, nodes or depth was set."""

_LEAST = 0.03
_SHARE = 0.03
"""The reserve of a move's time: this many seconds, or this share of it, whichever is more."""

_CLOCK_KEEPS = 0.02
"""Seconds that `tengen.engine.search.timing` itself reserves if the game has a clock."""

_TOO_SHORT = 0.001
"""The shortest time, in seconds, for a timed search; with less the move is immediate."""

_PROCESS = 240
"""Megabytes (of 2^20 bytes) that the process uses without the transposition table."""

_COMPILER = 80
"""Additional megabytes if the process has compiled the engine itself."""

_A_THREAD = 2
"""Additional megabytes of each further thread."""

_MOST_THREADS = 64
_MOST_MEMORY = 1 << 14


@dataclass(frozen=True, slots=True)
class GameSettings(InfoValues):
    """The values of INFO lines, and the engine settings derived from them.

    The time left is None if it has not been set since the last move.
    """

    def threads(self, default: int) -> int:
        """Return the number of search threads."""
        told = self.thread_num
        return default if told is None else min(max(told, 1), _MOST_THREADS)

    def memory(self, default: int, threads: int = 1, *, compiled: bool = False) -> int:
        """Return the megabytes of the transposition table that keep the whole process within `max_memory`.

        Args:
            default: the size without such a bound.
            threads: the number of search threads.
            compiled: whether this process has compiled the engine.
        """
        if not self.max_memory:
            return default
        process = _PROCESS + _A_THREAD * (threads - 1) + (_COMPILER if compiled else 0)
        left = (self.max_memory >> 20) - process
        return min(max(left, 1), _MOST_MEMORY)

    def limit(self, elapsed: float, used: float = 0.0) -> Limit:
        """Return the limit of the next move.

        Args:
            elapsed: seconds since the move was requested.
            used: seconds used for moves of this game so far.
        """
        nodes, depth = self.max_node or None, self.max_depth or None
        turn, left = self._turn(), self._left(used)
        if left is None:
            if turn is None:
                if nodes is None and depth is None:
                    turn = _DEFAULT_SECONDS
                else:
                    return Limit(None, nodes, depth)
            seconds = turn - reserve(turn) - elapsed
            return Limit(seconds, nodes, depth) if seconds >= _TOO_SHORT else at_once(nodes, depth)
        turn = left if turn is None else turn
        shortest = min(turn, left)
        kept = max(reserve(shortest), _CLOCK_KEEPS)
        if shortest - kept - elapsed < _TOO_SHORT:
            return at_once(nodes, depth)
        gone = elapsed + kept - _CLOCK_KEEPS
        clock = GameTime(
            _seconds(self.timeout_match) if self.timeout_match else None,
            left - gone,
            _seconds(self.time_increment),
            turn - gone,
        )
        return Limit(min(turn - kept - elapsed, left / 20), nodes, depth, clock)

    def _turn(self) -> float | None:
        return None if self.timeout_turn is None else _seconds(self.timeout_turn)

    def _left(self, used: float) -> float | None:
        """Return the seconds left in the game; None if unlimited."""
        if self.time_left is not None:
            return None if self.time_left >= UNLIMITED else _seconds(self.time_left)
        return _seconds(self.timeout_match) - used if self.timeout_match else None


def _seconds(milliseconds: float) -> float:
    """Convert milliseconds of an INFO line to seconds, capped at the maximum of a `Limit`."""
    return min(milliseconds / 1000, MOST_SECONDS)


def reserve(turn: float) -> float:
    """Return the reserve of a move's time, in seconds, for the manager's overhead; at most half of it."""
    return min(max(_LEAST, _SHARE * turn), turn / 2)


def at_once(nodes: int | None = None, depth: int | None = None) -> Limit:
    """Return the limit of an immediate move."""
    return Limit(nodes=QUICK if nodes is None else min(QUICK, nodes), depth=depth)


def seconds_of(limit: Limit) -> float | None:
    """Return the most seconds that a move may take within a limit; None for no bound."""
    clock = limit.time
    if clock is None or clock.left is None or clock.turn is None:
        return limit.seconds
    return min(clock.turn, clock.left) - _CLOCK_KEEPS
