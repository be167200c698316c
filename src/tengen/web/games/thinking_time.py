"""Time management for computer players: their usual effort, bounded by the clock.

A player limited by time alone would use all of it. Most players need less: their usual effort without a
clock defines their strength. Only the engine plays better with more time, and it manages its clock itself.
"""

from __future__ import annotations

from tengen.game.clock import Clock
from tengen.game.player import SOONEST, GameTime, Limit
from tengen.players import mcts, minimax, threats
from tengen.players.levels import needs_engine
from tengen.players.spec import PlayerSpec
from tengen.web.computing.thinking_costs import clocked_seconds


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
    name, settings = parsed.name, parsed.settings
    if name == "mcts":
        return Limit(seconds, nodes=int(settings.get("playouts", mcts.PLAYOUTS)))
    if name == "threats":
        return Limit(seconds, nodes=int(settings.get("nodes", threats.NODES)))
    if name == "minimax":
        return Limit(seconds, depth=int(settings.get("depth", minimax.DEPTH)))
    return Limit(seconds)
