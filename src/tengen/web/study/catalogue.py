"""The catalogue of players for a game, with their settings and the kinds of explanation they give."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tengen.game.opening_rules import available
from tengen.game.rules import MAX_SIDE, Rules
from tengen.players.levels import LEVELS
from tengen.players.parameters import MOST
from tengen.players.registry import ENTRIES, Entry
from tengen.players.settings import Setting, SettingKind, settings
from tengen.players.shapes import PRESETS as SHAPES
from tengen.web.computing.board_json import rules_json
from tengen.web.computing.spec_policy import BOUNDS, ENGINE_DEFAULTS, plays

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
"""The parts of each player's explanations besides the summary; a level's parts depend on the level."""

_ONE_LEVEL = ("level", "seconds")
"""A setting of a single level, left out of the form."""

_ENGINE_FORM = ("memory_mb", "nodes", "without", "strength", "seed")
ENGINE = {key: ENGINE_DEFAULTS.get(key, "") for key in _ENGINE_FORM}
"""The defaults of the engine's settings in the form.

They are not read from the engine's signature, because importing the engine takes a second or two."""

_KINDS: dict[type, SettingKind] = {int: "int", str: "str"}
_CHOICES = {("threats", "shapes"): tuple(SHAPES)}


def catalogue(rules: Rules) -> dict[str, Any]:
    """Return the players, levels and opening rules for a game; unsuitable players are omitted."""
    levels = tuple(level for level in LEVELS if plays(f"level:{level}", rules))
    return {
        **rules_json(rules),
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
        "presets_parameters": {preset: other for preset, other in found.items() if other != first},
        "explains": list(EXPLAINS[entry.name]),
    }


@lru_cache(maxsize=64)
def parameters(name: str, preset: str = "") -> tuple[dict[str, Any], ...]:
    """Return the settings of a player of the registry, with defaults and bounds.

    Each has ``name``, ``default`` (None where there is no such value), ``kind`` (``"int"``, ``"float"``,
    ``"bool"`` or ``"text"``), ``least`` and ``most`` for numbers, and ``choices`` for some texts.
    """
    if name == "engine":
        found = tuple(Setting(key, value, kind=_KINDS[type(value)]) for key, value in ENGINE.items())
    else:
        found = settings(f"{name}:{preset}" if preset else name)
    return tuple(_field(name, setting) for setting in found if (name, setting.name) != _ONE_LEVEL)


def _field(player: str, setting: Setting) -> dict[str, Any]:
    """Return a setting as a field of the browser's form."""
    field = {"name": setting.name, "default": setting.default}
    if setting.kind == "str":
        choices = _CHOICES.get((player, setting.name))
        return field | {"kind": "text"} | ({"choices": list(choices)} if choices else {})
    least, most = BOUNDS.get(player, {}).get(setting.name, (-MOST if setting.number else 0, MOST))
    return field | {"kind": setting.kind, "least": least, "most": most}
