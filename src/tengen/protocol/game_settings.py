"""What follows from INFO lines: threads, memory, and the `Limit` of a move."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game.arguments import MOST_SECONDS
from tengen.game.player import GameTime, Limit
from tengen.gomocup.info_values import UNLIMITED, InfoValues

QUICK = 3_000
"""Nodes of a move that has to come at once."""

_DEFAULT_SECONDS = 5.0
"""For a move where nothing was ever said of time, nodes or depth."""

_LEAST = 0.03
_SHARE = 0.03
"""What is kept back of a move's time: so many seconds, or such a share of it, whichever is more."""

_CLOCK_KEEPS = 0.02
"""Seconds that `tengen.engine.search.timing` keeps back itself where the game has a clock."""

_TOO_SHORT = 0.001
"""Seconds that are no time to search in: such a move comes at once."""

_PROCESS = 240
"""Megabytes (of 2^20 bytes) that the process takes without the table of positions."""

_COMPILER = 80
"""Megabytes that it takes besides where it has compiled the engine itself."""

_A_THREAD = 2
"""Megabytes that each further thread takes."""

_MOST_THREADS = 64
_MOST_MEMORY = 1 << 14


@dataclass(frozen=True, slots=True)
class GameSettings(InfoValues):
    """What INFO has said, and what follows from it for the engine.

    Where nothing was said of the time left since the last move, it is None.
    """

    def threads(self, default: int) -> int:
        """How many threads are to search."""
        told = self.thread_num
        return default if told is None else min(max(told, 1), _MOST_THREADS)

    def memory(self, default: int, threads: int = 1, *, compiled: bool = False) -> int:
        """Megabytes for the table of positions, so that the whole process keeps to `max_memory`.

        Args:
            default: where there is no such bound.
            threads: how many search.
            compiled: whether this process has compiled the engine.
        """
        if not self.max_memory:
            return default
        process = _PROCESS + _A_THREAD * (threads - 1) + (_COMPILER if compiled else 0)
        left = (self.max_memory >> 20) - process
        return min(max(left, 1), _MOST_MEMORY)

    def limit(self, elapsed: float, used: float = 0.0) -> Limit:
        """How long to think over the next move.

        Args:
            elapsed: seconds since the move was asked for.
            used: seconds spent on this game's moves so far.
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
        """Seconds left of the game, None without such a bound."""
        if self.time_left is not None:
            return None if self.time_left >= UNLIMITED else _seconds(self.time_left)
        return _seconds(self.timeout_match) - used if self.timeout_match else None


def _seconds(milliseconds: float) -> float:
    """Milliseconds of an INFO line in seconds, not more than a `Limit` has."""
    return min(milliseconds / 1000, MOST_SECONDS)


def reserve(turn: float) -> float:
    """Seconds kept back of a move's time for whoever runs the clock; of a very short one not all."""
    return min(max(_LEAST, _SHARE * turn), turn / 2)


def at_once(nodes: int | None = None, depth: int | None = None) -> Limit:
    """The limit of a move that has to come at once."""
    return Limit(nodes=QUICK if nodes is None else min(QUICK, nodes), depth=depth)


def seconds_of(limit: Limit) -> float | None:
    """The most that a move may take within a limit; None without bound."""
    clock = limit.time
    if clock is None or clock.left is None or clock.turn is None:
        return limit.seconds
    return min(clock.turn, clock.left) - _CLOCK_KEEPS
