"""The cost of thinking: the seconds that a player, the engine or the solver is expected to take.

It is charged to the quota ``think`` of the visitor and of the address (`tengen.web.transport.limits`). A
player's expected time is derived from its spec, because the visitor chooses the spec.
"""

from __future__ import annotations

from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.players import mcts, minimax, threats
from tengen.players.allowed import ENGINE_DEFAULTS, EXPLANATION_SECONDS
from tengen.players.levels import needs_engine
from tengen.players.spec import PlayerSpec
from tengen.web.computing.search_pool import PATIENCE

LARGE = 22 * 22
"""The most points of a board on which all fouls are found quickly, whatever the position."""

POSITION = 1.0
"""The cost of finding all fouls in a contrived position on a large board."""

HINT = 1.0

ANALYSIS = 0.25
"""The cost of starting an analysis, low because stepping through a game starts many."""

ANALYSIS_SECOND = 1.0
"""The cost of each second of an analysis."""

PROOF = 5.0
"""The cost of checking a proof; see `tengen.web.files.proofs`."""

EXPLANATION_NODES = 1_000_000
"""The most nodes that the engine searches for an explanation, whatever its spec says."""

CLOCKED = 5.0
"""The longest time that a computer thinks over a move on a clock, in seconds, unless its spec implies more:
ample time on the clock is no reason to keep a person waiting."""

_LEAST = 0.1
_SPEEDS = {
    "engine": ("nodes", ENGINE_DEFAULTS["nodes"], 400_000),
    "mcts": ("playouts", mcts.PLAYOUTS, 5_000),
    "threats": ("nodes", threats.NODES, 50_000),
}
"""The parameter that sets a player's search effort, its default, and the amount that takes one second."""

_MINIMAX_SECONDS, _MINIMAX_GROWTH = 0.1, 3.0
"""Seconds for a move at the default depth, and the factor for each further ply."""


def searched_nodes(parsed: PlayerSpec) -> int | None:
    """Return the nodes or playouts of a player's search for a move; None without such a setting."""
    if parsed.name not in _SPEEDS:
        return None
    key, default, _ = _SPEEDS[parsed.name]
    return int(parsed.settings.get(key, default))


def move_seconds(spec: str) -> float:
    """Return the seconds that a player is expected to think over a move without a clock."""
    parsed = PlayerSpec.parse(spec)
    name, settings = parsed.name, parsed.settings
    if (nodes := searched_nodes(parsed)) is not None:
        seconds = nodes / _SPEEDS[name][2]
    elif name == "minimax":
        plies = int(settings.get("depth", minimax.DEPTH)) - minimax.DEPTH
        width = int(settings.get("width", minimax.WIDTH)) / minimax.WIDTH
        seconds = _MINIMAX_SECONDS * _MINIMAX_GROWTH**plies * max(width, 1.0)
    elif "seconds" in settings:
        seconds = float(settings["seconds"])
    else:
        seconds = ENGINE_DEFAULTS["nodes"] / _SPEEDS["engine"][2] if needs_engine(spec) else _LEAST
    return min(max(seconds, _LEAST), PATIENCE)


def clocked_seconds(spec: str, share: float) -> float:
    """Return the most seconds that a player thinks over a move on a clock.

    Args:
        spec: the player.
        share: a sensible share of its remaining time, in seconds.
    """
    limited = "seconds" in PlayerSpec.parse(spec).settings
    return min(share, move_seconds(spec) if limited else max(CLOCKED, move_seconds(spec)))


def turn(session: Session) -> float:
    """Return the most that one move by a computer of this game may cost; 0 without computers."""
    cost = 0.0
    for actor, seat in session.seats.items():
        if seat.occupant != HUMAN:
            clock = session.clock(actor)
            spec = seat.name
            cost = max(
                cost, move_seconds(spec) if clock is None else clocked_seconds(spec, clock.share(0.0))
            )
    return cost


def next_turn(session: Session) -> float:
    """Return the cost of `turn` if a computer is to move; 0 otherwise."""
    actor = session.actor
    return 0.0 if actor is None or session.seats[actor].occupant == HUMAN else turn(session)


def fouls_take_long(rules: Rules) -> bool:
    """Return whether finding all fouls may take a second or more: on a large board, set up to be slow."""
    return rules.has_fouls and rules.points > LARGE


def fouls(rules: Rules) -> float:
    """Return the cost of finding all fouls in a position; 0 if it takes no considerable time."""
    return POSITION if fouls_take_long(rules) else 0.0


def explanation(spec: str) -> float:
    """Return the most that an explanation may cost: its player thinks to explain and to choose."""
    return min(2 * move_seconds(spec), EXPLANATION_SECONDS)


def explanation_limit(spec: str) -> Limit | None:
    """Return the search limit for an explanation by a player; None for the player's own limit."""
    parsed = PlayerSpec.parse(spec)
    nodes = searched_nodes(parsed) if parsed.name == "engine" else None
    return Limit(nodes=EXPLANATION_NODES) if nodes is not None and nodes > EXPLANATION_NODES else None
