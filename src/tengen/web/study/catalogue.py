"""Which players there are for a game, what can be turned about them, and what they explain."""

from __future__ import annotations

import importlib
import inspect
from functools import lru_cache
from typing import Any

from tengen.game.opening_rules import available
from tengen.game.rules import MAX_SIDE, Rules
from tengen.players.levels import LEVELS
from tengen.players.parameters import MOST
from tengen.players.registry import ENTRIES, Entry, player
from tengen.players.shapes import PRESETS as SHAPES
from tengen.web.server.board_json import rules_json
from tengen.web.server.spec_policy import BOUNDS, plays

EXPLAINS: dict[str, tuple[str, ...]] = {
    "random": ("weights",),
    "lookup": ("weights", "parts"),
    "lines": ("weights", "parts"),
    "shapes": ("weights", "parts"),
    "minimax": ("weights", "lines", "tree"),
    "mcts": ("weights", "lines", "tree"),
    "threats": ("weights", "parts", "lines"),
    "level": ("weights", "parts", "lines", "tree"),
    "engine": ("weights", "lines"),
}
"""What the explanations of each player may have besides the summary; a level's depends on the level."""

_NOT_PARAMETERS = ("preset", "level", "seconds")
"""Arguments that stand before the parameters of a spec, and the one that only one level takes."""

ENGINE = {"memory_mb": 64, "nodes": 200_000, "without": "", "strength": 100, "seed": 0}
"""The engine's own defaults. It is not asked for them: to import it takes a second or two."""

_KINDS = {"int": "int", "float": "float", "bool": "bool", "str": "text"}
_CHOICES = {("threats", "shapes"): tuple(SHAPES)}


def catalogue(rules: Rules) -> dict[str, Any]:
    """All that may be chosen for a game by some rules; who does not play by them is left out."""
    levels = tuple(level for level in LEVELS if plays(f"level:{level}", rules))
    return {
        "rules": rules_json(rules),
        "players": [_player(entry, levels) for entry in ENTRIES.values() if plays(entry.name, rules)],
        "levels": list(levels),
        "openings": list(available(rules)),
        "largest": MAX_SIDE,
    }


def _player(entry: Entry, levels: tuple[str, ...]) -> dict[str, Any]:
    presets = levels if entry.name == "level" else entry.presets
    found = {preset: list(parameters(entry.name, preset)) for preset in presets}
    first = found[presets[0]] if presets else list(parameters(entry.name))
    return {
        "name": entry.name,
        "presets": list(presets),
        "summary": entry.summary.to_dict(),
        "parameters": first,
        "presets_parameters": {preset: told for preset, told in found.items() if told != first},
        "explains": list(EXPLAINS[entry.name]),
    }


@lru_cache(maxsize=64)
def parameters(name: str, preset: str = "") -> tuple[dict[str, Any], ...]:
    """What ``key=value`` may be said to a player of the registry, with defaults and bounds.

    Each has ``name``, ``default`` (None where there is no such value), ``kind`` (``"int"``, ``"float"``,
    ``"bool"`` or ``"text"``), ``least`` and ``most`` for numbers, and ``choices`` for some texts.
    """
    if name == "engine":
        return tuple(_told(name, key, value, type(value).__name__) for key, value in ENGINE.items())
    module, _, attribute = ENTRIES[name].target.partition(":")
    made = getattr(importlib.import_module(module), attribute)
    found = []
    for argument in inspect.signature(made).parameters.values():
        if argument.kind is argument.VAR_KEYWORD:
            found += _numbers(name, preset)
        elif argument.name not in _NOT_PARAMETERS:
            kind = str(argument.annotation).partition(" ")[0]
            found.append(_told(name, argument.name, argument.default, kind))
    return tuple(found)


def _told(player: str, name: str, default: object, kind: str) -> dict[str, Any]:
    told = {"name": name, "default": default, "kind": _KINDS[kind]}
    if kind == "str":
        choices = _CHOICES.get((player, name))
        return told | ({"choices": list(choices)} if choices else {})
    least, most = BOUNDS.get(player, {}).get(name, (0, MOST))
    return told | {"least": least, "most": most}


def _numbers(name: str, preset: str) -> list[dict[str, Any]]:
    """The numbers inside a player that may be turned."""
    values: dict[str, float] = getattr(player(f"{name}:{preset}" if preset else name), "parameters", {})
    return [
        {"name": key, "default": value, "kind": "float", "least": -MOST, "most": MOST}
        for key, value in values.items()
    ]
