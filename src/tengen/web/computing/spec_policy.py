"""The computer players that a visitor may seat at a game: their specs, checked before a player is made.

A spec comes from a stranger. It must name a player of the registry, never a program or a class of this
machine, and must not ask for more work than a server does for one game. A seat holds a `SpecPlayer`, which
has nothing but the spec: the player itself is made in a worker (`tengen.web.computing.search_pool`), so a
game in memory takes no space for a player's tables.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Choice, Explanation, Limit
from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN, Occupant
from tengen.players.allowed import canonical_spec
from tengen.players.levels import levels_for
from tengen.players.registry import ENTRIES
from tengen.players.suitable import is_suitable
from tengen.schemas.game import LONGEST_SPEC
from tengen.web.transport.errors import WrongFields


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
        canonical = canonical_spec(spec.strip())
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
