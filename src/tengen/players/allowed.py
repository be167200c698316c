"""Specs of strangers: only players of the registry, which open no file and do no more than bounded work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from tengen.engine import defaults
from tengen.engine.board.techniques import named
from tengen.game.notation import shorten
from tengen.players.levels import LEVELS, needs_engine
from tengen.players.registry import ENTRIES, player
from tengen.players.spec import PlayerSpec, SpecError

BOUNDS: dict[str, dict[str, tuple[int, int]]] = {
    "engine": {
        "threads": (1, 1),
        "memory_mb": (1, 64),
        "nodes": (1, 5_000_000),
        "strength": (0, 100),
    },
    "minimax": {"depth": (1, 8), "width": (1, 40)},
    "mcts": {"playouts": (1, 200_000)},
    "threats": {"nodes": (1, 200_000)},
    "level": {"seconds": (1, 15)},
}
"""The least and the greatest value of each parameter that makes a player work longer, by player."""

EXPLANATION_SECONDS = 10.0
"""The longest time for an explanation, in seconds."""

_SEED = (-(2**62), 2**62)
ENGINE_DEFAULTS = {
    "threads": defaults.THREADS,
    "memory_mb": defaults.MEMORY,
    "nodes": defaults.NODES,
    "strength": defaults.FULL,
    "seed": defaults.SEED,
}


@lru_cache(maxsize=256)
def canonical_spec(spec: str) -> str:
    """Return the canonical form of a stranger's spec, as its player writes it.

    Raises:
        TengenError: it names a program, a class or a file of this machine, no player of the registry, an
            unknown parameter, or one that asks for too much work.
    """
    parsed = PlayerSpec.parse(spec)
    name, settings = parsed.name, parsed.settings
    if name not in ENTRIES:
        given = f"{name}={parsed.preset}" if parsed.kind == "program" else name
        raise SpecError("error.spec.name", name=shorten(given), names=tuple(ENTRIES))
    for key, (least, most) in BOUNDS.get(name, {}).items():
        if key in settings:
            _check_bounded(key, settings[key], least, most)
    if "seed" in settings:
        _check_bounded("seed", settings["seed"], *_SEED)
    if needs_engine(spec):
        return _engine_name(parsed)
    return player(spec).name


def _check_bounded(key: str, text: str, least: int, most: int) -> None:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise SpecError("error.web.player.bounds", name=key, value=shorten(text), least=least, most=most)


def _engine_name(spec: PlayerSpec) -> str:
    """Return the canonical spec of the engine or one of its levels.

    It is found without making an engine, which would compile it.
    """
    allowed: Iterable[str] = (*ENGINE_DEFAULTS, "without")
    if spec.name == "level":
        allowed = ("seconds", "seed") if LEVELS[spec.preset or ""] == LEVELS["10"] else ("seed",)
    elif spec.preset is not None:
        raise SpecError("error.spec.no_presets", name=spec.name, preset=shorten(spec.preset))
    for key in spec.settings:
        if key not in allowed:
            raise SpecError("error.parameter.name", name=shorten(key), names=tuple(allowed))
    without = spec.settings.get("without", "")
    named(without)
    usual = {"seconds": 0, **ENGINE_DEFAULTS}
    given = {key: int(text) for key, text in spec.settings.items() if key != "without"}
    changed = {key: str(given[key]) for key in usual if given.get(key, usual[key]) != usual[key]}
    if without:
        changed["without"] = without
    return str(replace(spec, settings=changed))
