"""Time management for computer players: their usual effort, bounded by the clock.

A player limited by time alone would use all of it. Most players need less: their usual effort without a
clock defines their strength. Only the engine plays better with more time, and it manages its clock itself.
"""

from __future__ import annotations

from tengen.game.clock import Clock
from tengen.game.player import SOONEST, GameTime, Limit
from tengen.players import minimax
from tengen.players.levels import needs_engine
from tengen.players.spec import PlayerSpec
from tengen.web.computing.thinking_costs import clocked_seconds, searched_nodes


def clock_limit(spec: str, clock: Clock) -> Limit:
    """Return the limit for a player's next move.

    Args:
        spec: the player's spec.
        clock: the player's clock before the move.
    """
    seconds = max(clocked_seconds(spec, clock.share(0.0)), SOONEST)
    if needs_engine(spec):
        control = clock.control
        time = GameTime(control.main, clock.left(0.0), control.increment, seconds)
        return Limit(seconds=seconds, time=time)
    parsed = PlayerSpec.parse(spec)
    if parsed.name == "minimax":
        return Limit(seconds, depth=int(parsed.settings.get("depth", minimax.DEPTH)))
    return Limit(seconds, nodes=searched_nodes(parsed))
