"""The computer players that a visitor may seat at a game: their specs, checked before a player is made.

A spec comes from a stranger. It must name a player of the registry, never a program or a class of this
machine, and must not ask for more work than a server does for one game. A seat holds a `SpecPlayer`, which
has nothing but the spec: the player itself is made in a worker (`tengen.web.computing.search_pool`), so a
game in memory takes no space for a player's tables.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NoReturn

from tengen.engine import defaults
from tengen.engine.board.techniques import named
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Choice, Explanation, Limit
from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN, Occupant
from tengen.players.levels import LEVELS, levels_for, needs_engine
from tengen.players.registry import ENTRIES, player
from tengen.players.spec import PlayerSpec
from tengen.players.suitable import is_suitable
from tengen.schemas.game import LONGEST_SPEC
from tengen.web.transport.errors import WrongFields

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

_SEED = (-(2**62), 2**62)
ENGINE_DEFAULTS = {
    "threads": defaults.THREADS,
    "memory_mb": defaults.MEMORY,
    "nodes": defaults.NODES,
    "strength": defaults.FULL,
    "seed": defaults.SEED,
}


@dataclass(slots=True)
class SpecPlayer:
    """A computer player on a seat, known by its spec alone.

    Attributes:
        name: the spec of the player.
    """

    name: str

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """Raise `NotImplementedError`: players think in `tengen.web.computing.search_pool`."""
        self._elsewhere()

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Raise `NotImplementedError`: players explain themselves in a worker, too."""
        self._elsewhere()

    def _elsewhere(self) -> NoReturn:
        raise NotImplementedError(self.name)


@lru_cache(maxsize=256)
def _spec_player(name: str) -> SpecPlayer:
    return SpecPlayer(name)


def spec_player(name: str) -> SpecPlayer:
    """Return the player of a spec that was checked before, such as that of a stored game."""
    return _spec_player(name)


def allowed_occupant(spec: str, rules: Rules) -> Occupant:
    """Return the occupant of a seat for ``human`` or a player's spec.

    Raises:
        WrongFields: the spec is not allowed, or its player does not play by these rules; the sentence lists
            the players that do.
    """
    return HUMAN if spec == HUMAN else allowed_player(spec, rules)


def allowed_player(spec: str, rules: Rules) -> SpecPlayer:
    """Return the player of a spec that a visitor has sent.

    Raises:
        WrongFields: the spec is too long, names no player of the registry, has an unknown parameter or one
            that asks for too much work, or its player does not play by these rules.
    """
    if len(spec) > LONGEST_SPEC:
        raise WrongFields("error.web.player.long", most=LONGEST_SPEC)
    try:
        canonical = _canonical(spec.strip())
    except WrongFields:
        raise
    except TengenError as error:
        raise WrongFields(error.message.key, **error.message.values) from error
    if not is_suitable(canonical, rules):
        raise WrongFields(
            "error.web.player.rules",
            player=shorten(canonical),
            size=rules.size_text,
            k=rules.k,
            players=tuple(players_for(rules)),
        )
    return spec_player(canonical)


def players_for(rules: Rules) -> list[str]:
    """Return the players for these rules: names of the registry, levels as ``level:1`` and so on."""
    names: list[str] = []
    for name in ENTRIES:
        if name == "level":
            names += (f"level:{level}" for level in levels_for(rules))
        elif is_suitable(name, rules):
            names.append(name)
    return names


@lru_cache(maxsize=256)
def _canonical(spec: str) -> str:
    """Return the canonical form of a spec, as its player writes it.

    Raises:
        TengenError: the spec is not allowed.
    """
    parsed = PlayerSpec.parse(spec)
    name, settings = parsed.name, parsed.settings
    if name not in ENTRIES:
        given = f"{name}={parsed.preset}" if parsed.kind == "program" else name
        raise WrongFields("error.spec.name", name=shorten(given), names=tuple(ENTRIES))
    for key, (least, most) in BOUNDS.get(name, {}).items():
        if key in settings:
            _bounded(key, settings[key], least, most)
    if "seed" in settings:
        _bounded("seed", settings["seed"], *_SEED)
    if needs_engine(spec):
        return _engine_name(parsed)
    return player(spec).name


def _bounded(key: str, text: str, least: int, most: int) -> None:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise WrongFields("error.web.player.bounds", name=key, value=shorten(text), least=least, most=most)


def _engine_name(spec: PlayerSpec) -> str:
    """Return the canonical spec of the engine or one of its levels.

    It is found without making an engine, which would compile it.
    """
    allowed: Iterable[str] = (*ENGINE_DEFAULTS, "without")
    if spec.name == "level":
        allowed = ("seconds", "seed") if LEVELS[spec.preset or ""] == LEVELS["10"] else ("seed",)
    elif spec.preset is not None:
        raise WrongFields("error.spec.no_presets", name=spec.name, preset=shorten(spec.preset))
    for key in spec.settings:
        if key not in allowed:
            raise WrongFields("error.parameter.name", name=shorten(key), names=tuple(allowed))
    without = spec.settings.get("without", "")
    named(without)
    usual = {"seconds": 0, **ENGINE_DEFAULTS}
    given = {key: int(text) for key, text in spec.settings.items() if key != "without"}
    changed = {key: str(given[key]) for key in usual if given.get(key, usual[key]) != usual[key]}
    if without:
        changed["without"] = without
    return str(replace(spec, settings=changed))
