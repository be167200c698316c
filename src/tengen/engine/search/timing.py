"""Time management: the seconds for a move, from its limit and the game's clock.

Less time for moves that seem settled, and plans for fewer moves, were tried, and play no better
(`benchmarks/log/2026-11-28-clock.md`).
"""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game.board import Board
from tengen.game.player import Limit

_SOFT_SHARE = 0.9
"""Part of a move's share of the time after which no new iteration begins."""

_MOVES_LEFT = 22
"""Own moves that the time left has to last for, at least, ..."""

_POINTS_A_MOVE = 8
"""... and one for so many empty points."""

_HARD_SHARES = 4.0
"""Shares of the time that a move may take, ..."""

_LARGEST_PART = 0.4
"""... and the part of all the time left that it may take."""

_INCREMENT_PART = 0.8
"""Part of the increment that is added to a share."""

_RESERVE = 0.02
"""Seconds kept in reserve for the latency of whoever runs the clock."""

_OVERHEAD = 0.01
"""Seconds of a move besides its search, kept in reserve for each move that is planned for, unless the
increment covers them."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """Seconds for a move; None is no bound.

    Attributes:
        soft: no new iteration begins after it.
        hard: the search ends after it.
    """

    soft: float | None
    hard: float | None


def time_budget(limit: Limit, board: Board, *, playing: bool) -> TimeBudget:
    """Return the time that a limit allows for a move.

    Args:
        limit: of the search; if it has a `time`, the game's clock, its `seconds` are only a proposal.
        board: the position.
        playing: true if a move is to be made; otherwise all of the time is used.
    """
    clock = limit.time
    if clock is None or clock.left is None or not playing:
        bounds = (limit.seconds, *((clock.turn, clock.left) if clock else ()))
        known = [max(bound, 0.0) for bound in bounds if bound is not None]
        return TimeBudget(None, min(known, default=None))
    moves = max(_MOVES_LEFT, (board.rules.points - board.ply) // _POINTS_A_MOVE)
    overhead = max(_OVERHEAD - clock.increment, 0.0) * moves
    left = max(clock.left - _RESERVE - overhead, 0.0)
    share = left / moves + _INCREMENT_PART * clock.increment
    hard = min(share * _HARD_SHARES, left * _LARGEST_PART)
    soft = share * _SOFT_SHARE
    if clock.turn is not None:
        most = max(clock.turn - _RESERVE, 0.0)
        hard, soft = min(hard, most), min(soft, most)
    return TimeBudget(soft, hard)
