"""What thinking costs: each request that makes the machine think, in seconds that it is expected to take.

This is spent from the quota ``think`` of the visitor and of the address, see `tengen.web.server.limits`.
What a player is expected to take follows from its spec, for that comes from the visitor too.
"""

from __future__ import annotations

from tengen.game.player import Limit
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.players import mcts, minimax, threats
from tengen.players.levels import needs_engine
from tengen.players.spec import PlayerSpec
from tengen.web.server.board_json import fouls_take_long
from tengen.web.server.search_pool import PATIENCE
from tengen.web.server.spec_policy import ENGINE_DEFAULTS

POSITION = 1.0
"""To find all fouls on a large board that was set up to make it hard."""

HINT = 1.0

ANALYSIS = 0.25
"""To begin an analysis; stepping through a game begins many."""

ANALYSIS_SECOND = 1.0
"""Each second for which an analysis runs."""

PROOF = 5.0
"""To check a proof; see `tengen.web.files.proofs`."""

EXPLANATION_SECONDS = 10.0
"""The longest that an explanation is thought about."""

EXPLANATION_NODES = 1_000_000
"""The most that an explanation of the engine's looks at, whatever its spec says."""

CLOCKED = 5.0
"""The longest that a computer thinks over a move by a clock, unless it thinks longer by itself or is told
to: a clock that leaves much time is no reason to let a person wait."""

_LEAST = 0.1
_SPEEDS = {
    "engine": ("nodes", ENGINE_DEFAULTS["nodes"], 400_000),
    "mcts": ("playouts", mcts.PLAYOUTS, 5_000),
    "threats": ("nodes", threats.NODES, 50_000),
}
"""For players that are told how much to look at: the parameter, its default, how much takes a second."""

_MINIMAX_SECONDS, _MINIMAX_GROWTH = 0.1, 3.0
"""For a move with the default depth, and how many times as much with each further ply."""


def move_seconds(spec: str) -> float:
    """Seconds that a player is expected to think over a move where no clock bounds it."""
    parsed = PlayerSpec.parse(spec)
    name, settings = parsed.name, parsed.settings
    if name in _SPEEDS:
        key, default, speed = _SPEEDS[name]
        seconds = int(settings.get(key, default)) / speed
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
    """The longest that a player thinks over a move by a clock.

    Args:
        spec: the player.
        share: a sensible share of its time.
    """
    told = "seconds" in PlayerSpec.parse(spec).settings
    return min(share, move_seconds(spec) if told else max(CLOCKED, move_seconds(spec)))


def turn(session: Session) -> float:
    """What it may cost to let the computers of a game think over one move; 0 where there is none."""
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
    """The same where a computer is to move; 0 where a person is, or nobody."""
    actor = session.actor
    return 0.0 if actor is None or session.seats[actor].occupant == HUMAN else turn(session)


def fouls(rules: Rules) -> float:
    """What it may cost to find all fouls in a position; 0 where it takes no time worth a word."""
    return POSITION if fouls_take_long(rules) else 0.0


def explanation(spec: str) -> float:
    """What it may cost to let a player explain itself: it thinks to explain, and to choose."""
    return min(2 * move_seconds(spec), EXPLANATION_SECONDS)


def explanation_limit(spec: str) -> Limit | None:
    """How far the player of a spec may look to explain itself; None is what it does by itself."""
    key, default, _ = _SPEEDS["engine"]
    parsed = PlayerSpec.parse(spec)
    asked = int(parsed.settings.get(key, default)) if parsed.name == "engine" else 0
    return Limit(nodes=EXPLANATION_NODES) if asked > EXPLANATION_NODES else None
