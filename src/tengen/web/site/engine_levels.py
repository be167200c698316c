"""The table of players and rules that a page needs before Python has been loaded.

`static/browser/early_game.js` begins a game by it, in which the kernels play alone. Players and rules that
are not in the table need Python.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tengen.engine.board.playable import LARGEST, SMALLEST
from tengen.engine.board.rule_tables import rule_numbers
from tengen.engine.defaults import FULL, NODES
from tengen.engine.evaluation.weights import FAMILIES, family
from tengen.engine.handicap import Handicap, handicap
from tengen.game.rules import Fouls, Rules
from tengen.players.levels import LEVELS, EngineLevel
from tengen.schemas.base import Json
from tengen.schemas.rules import rules_fields

_FOULS: tuple[Fouls, ...] = ("forbidden", "loses")
"""How fouls are enforced; a computer that claims them needs Python."""


def engine_levels() -> Json:
    """Return the players that the kernels play alone, and the rules that they play by, as JSON data.

    Returns:
        ``players``: by spec ``limit`` and ``handicap`` as `static/engine/search.js` takes them, the
        handicap without its seed, and None at full strength; and ``parameters``, those that the spec may
        have besides.
        ``rules``: by name of a preset and enforcement of fouls the ``family`` and ``numbers`` of a
        position in `static/engine/search.js`, the ``fields`` of a game's state for any size, and by size
        its ``openings``.
    """
    return {"players": _players(), "rules": {name: _rules(name) for name in FAMILIES}}


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
    """Return a preset by the enforcement of fouls: once where there are none."""
    without_fouls = not Rules.named(name).has_fouls
    return {fouls: _enforced(name, fouls) for fouls in (_FOULS[:1] if without_fouls else _FOULS)}


def _enforced(name: str, fouls: Fouls) -> Json:
    rules, side_lengths = Rules.named(name, fouls=fouls), range(SMALLEST, LARGEST + 1)
    sizes = {size: rules_fields(Rules.named(name, size, fouls=fouls)) for size in side_lengths}
    fields = {**sizes[rules.width], "rules": sizes[rules.width]["rules"].to_dict()}
    del fields["opening_names"]
    return {
        "family": family(rules),
        "numbers": rule_numbers(rules),
        "fields": fields,
        "openings": {str(size): of_size["opening_names"] for size, of_size in sizes.items()},
    }
