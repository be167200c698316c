"""The table of players and rules that a page needs before Python has been loaded.

`static/browser/early_games.js` begins a game by it, in which the kernels play alone. Other players of the
table wait for Python; rules that are not in it need Python.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tengen.engine.board.playable import LARGEST, SMALLEST, plays
from tengen.engine.board.rule_tables import rule_numbers
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.defaults import FULL, NODES
from tengen.engine.evaluation.weights import FAMILIES
from tengen.engine.handicap import Handicap, handicap
from tengen.game.rules import Rules
from tengen.players.levels import LEVELS, EngineLevel
from tengen.players.registry import ENTRIES
from tengen.schemas.base import Json
from tengen.schemas.rules import rules_fields

_WITHOUT_ENGINE = "tictactoe"
"""The preset that the engine does not play."""


def engine_levels() -> Json:
    """Return what a page needs to know of players and rules, as JSON data.

    Returns:
        ``players``: by spec, those that the kernels play alone: ``limit`` and ``handicap`` as
        `static/engine/search.js` takes them, the handicap without its seed, and None at full strength; and
        ``parameters``, those that the spec may have besides.
        ``waiting``: the names of all other players.
        ``rules``: by name of a preset the ``family`` of a position in `static/engine/search.js`, None where
        the kernels do not know the rules; its ``numbers``; the ``fields`` of a game's state, for any size;
        and by side of the board its ``openings``.
        ``scores``: ``win`` and ``mate``, of which `static/engine/search.js` makes its scores.
    """
    players = _players()
    return {
        "players": players,
        "waiting": [name for name in ENTRIES if name not in players],
        "rules": {name: _rules(name) for name in (*FAMILIES, _WITHOUT_ENGINE)},
        "scores": {"win": WIN, "mate": MATE},
    }


def handicap_data(strength: Handicap) -> Json:
    """Return a handicap as `static/engine/handicap.js` takes it, without its seed."""
    return {**asdict(strength), "without": int(strength.without)}


def _players() -> Json:
    found: dict[str, Any] = {"engine": _player(FULL, ())}
    for level, how in LEVELS.items():
        if isinstance(how, EngineLevel):
            full = how.strength == FULL
            found[f"level:{level}"] = _player(how.strength, ("seconds", "seed") if full else ("seed",))
    return found


def _player(strength: int, parameters: tuple[str, ...]) -> Json:
    limits = handicap(strength)
    return {
        "limit": {"nodes": NODES} if limits is None else {},
        "handicap": None if limits is None else handicap_data(limits),
        "parameters": parameters,
    }


def _rules(name: str) -> Json:
    rules = Rules.named(name)
    playable = plays(rules)
    sides = range(SMALLEST, LARGEST + 1) if playable else (rules.width,)
    fields = {**rules_fields(rules), "rules": rules.to_dict()}
    del fields["opening_names"]
    return {
        "family": name if playable else None,
        "numbers": rule_numbers(rules),
        "fields": fields,
        "openings": {str(side): rules_fields(Rules.named(name, side))["opening_names"] for side in sides},
    }
