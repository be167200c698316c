"""How long to think over a move, from the limit given and the game's clock.

Less time for moves that seem settled, and plans for fewer moves, were tried, and play no better
(`benchmarks/log/2026-11-28-clock.md`).
"""

from __future__ import annotations

from dataclasses import dataclass

from tengen.game.board import Board
from tengen.game.player import Limit

_BEGIN = 0.9
"""Part of a move's share of the time after which no new depth is begun."""

_MOVES_LEFT = 22
"""Own moves that a game lasts on from here, at the least that is planned for."""

_MOST = 4.0
"""How many times its share a move may take."""

_RESERVE = 0.02
"""Seconds kept back for whoever runs the clock."""

_OVERHEAD = 0.01
"""Seconds that a move takes beside the search: kept back for each of those planned for, unless an increment
pays for them."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """Seconds for a move; None is no bound.

    Attributes:
        soft: no new depth is begun after it.
        hard: the search ends.
    """

    soft: float | None
    hard: float | None


def time_budget(limit: Limit, board: Board, *, playing: bool) -> TimeBudget:
    """What a limit allows.

    Args:
        limit: with `time`, the game's clock, its `seconds` are a proposal only.
        board: the position.
        playing: whether a move is to be made; else all of the time is used.
    """
    clock = limit.time
    if clock is None or clock.left is None or not playing:
        bounds = (limit.seconds, *((clock.turn, clock.left) if clock else ()))
        known = [max(bound, 0.0) for bound in bounds if bound is not None]
        return TimeBudget(None, min(known, default=None))
    moves = max(_MOVES_LEFT, (board.rules.points - board.ply) // 8)
    overhead = max(_OVERHEAD - clock.increment, 0.0) * moves
    left = max(clock.left - _RESERVE - overhead, 0.0)
    share = left / moves + 0.8 * clock.increment
    hard = min(share * _MOST, left * 0.4)
    soft = share * _BEGIN
    if clock.turn is not None:
        most = max(clock.turn - _RESERVE, 0.0)
        hard, soft = min(hard, most), min(soft, most)
    return TimeBudget(soft, hard)
