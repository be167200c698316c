"""The catalogue of players for a game, with their settings and the kinds of explanation they give."""

from __future__ import annotations

from functools import lru_cache

from tengen.game.opening_rules import available
from tengen.game.rules import MAX_SIDE, Rules
from tengen.players.allowed import BOUNDS, ENGINE_DEFAULTS
from tengen.players.levels import levels_for
from tengen.players.parameters import MOST
from tengen.players.registry import ENTRIES, Entry
from tengen.players.settings import Setting, SettingKind, settings
from tengen.players.shapes import PRESETS as SHAPES
from tengen.players.suitable import is_suitable
from tengen.schemas.players import Catalogue, CataloguePlayer, ExplanationPart, PlayerParameter
from tengen.schemas.rules import rules_fields
from tengen.schemas.sentence import Sentence

EXPLAINS: dict[str, tuple[ExplanationPart, ...]] = {
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


def catalogue(rules: Rules) -> Catalogue:
    """Return the players, levels and opening rules for a game; unsuitable players are omitted."""
    levels = levels_for(rules)
    return Catalogue(
        **rules_fields(rules),
        players=tuple(
            _player(entry, levels) for entry in ENTRIES.values() if is_suitable(entry.name, rules)
        ),
        levels=levels,
        openings=available(rules),
        largest=MAX_SIDE,
    )


def _player(entry: Entry, levels: tuple[str, ...]) -> CataloguePlayer:
    presets = levels if entry.name == "level" else entry.presets
    found = {preset: parameters(entry.name, preset) for preset in presets}
    first = found[presets[0]] if presets else parameters(entry.name)
    return CataloguePlayer(
        name=entry.name,
        presets=presets,
        summary=Sentence.of(entry.summary),
        parameters=first,
        presets_parameters={preset: other for preset, other in found.items() if other != first},
        explains=EXPLAINS[entry.name],
    )


@lru_cache(maxsize=64)
def parameters(name: str, preset: str = "") -> tuple[PlayerParameter, ...]:
    """Return the settings of a player of the registry, with defaults and bounds."""
    if name == "engine":
        found = tuple(Setting(key, value, kind=_KINDS[type(value)]) for key, value in ENGINE.items())
    else:
        found = settings(f"{name}:{preset}" if preset else name)
    return tuple(_field(name, setting) for setting in found if (name, setting.name) != _ONE_LEVEL)


def _field(player: str, setting: Setting) -> PlayerParameter:
    """Return a setting as a field of the browser's form."""
    name, default = setting.name, setting.default
    if setting.kind == "str":
        choices = _CHOICES.get((player, name), ())
        return PlayerParameter(name=name, default=default, kind="text", choices=choices)
    least, most = BOUNDS.get(player, {}).get(name, (-MOST if setting.number else 0, MOST))
    return PlayerParameter(name=name, default=default, kind=setting.kind, least=least, most=most)
