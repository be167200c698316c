"""The players of a contest: limits, unique names, seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from tengen.arena.player_pool import borrowed, clear_player
from tengen.arena.stored import StoredTime
from tengen.game.arguments import check_kind
from tengen.game.clock import Clock, TimeControl
from tengen.game.errors import RulesError, TengenError
from tengen.game.notation import shorten
from tengen.game.player import SOONEST, GameTime, Limit, Player
from tengen.players.registry import player


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player and its limits.

    Games may be played in other processes, so a player is described by its spec and made there. One of
    Tengen's own players may be passed as an object: its name is its spec.

    Attributes:
        spec: the player's spec.
        name: its name in results; the spec if empty.
        time: the time for a game, with or without an increment; no byo-yomi.
        seconds: the most for one move.
        nodes: the most nodes for one move.
        depth: the greatest depth.
    """

    spec: str
    name: str = ""
    time: StoredTime | None = None
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "spec", _spec_of(self.spec))
        Limit(self.seconds, self.nodes, self.depth)  # raises for impossible limits
        if self.time is not None:
            check_kind("time", self.time, TimeControl, "argument.session.clock")
        if self.time is not None and self.time.periods:
            raise RulesError("error.arena.byoyomi", time=str(self.time))

    @property
    def label(self) -> str:
        """Its name in results."""
        return self.name or self.spec

    @property
    def takes_seed(self) -> bool:
        """True if the player is random and its spec sets no seed.

        Raises:
            SpecError: the spec is of no player.
        """
        return takes_seed(self.spec)

    def borrowed(self) -> AbstractContextManager[Player]:
        """Lend the player to one game.

        Raises:
            SpecError: the spec is of no player.
        """
        return borrowed(self.spec)

    @property
    def limits(self) -> str:
        """Its limits, as options of the command line; empty without a limit."""
        given = {"tc": self.time, "st": self.seconds, "nodes": self.nodes, "depth": self.depth}
        return " ".join(f"{name}={value}" for name, value in given.items() if value is not None)

    def limit(self, clock: Clock | None) -> Limit:
        """Return the limit for its next move.

        Args:
            clock: its clock before the move; None where it has no time for the game.
        """
        if clock is None:
            game_time = None if self.seconds is None else GameTime(turn=self.seconds)
            return Limit(self.seconds, self.nodes, self.depth, game_time)
        share = max(clock.share(0.0), SOONEST)
        seconds = share if self.seconds is None else min(share, self.seconds)
        control = clock.control
        game_time = GameTime(control.main, clock.main, control.increment, self.seconds)
        return Limit(seconds, self.nodes, self.depth, game_time)

    @model_serializer(mode="wrap")
    def _set_fields(self, serialise: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out of the stored form what is not set."""
        data: dict[str, Any] = serialise(self)
        return {key: value for key, value in data.items() if value not in (None, "")}


@dataclass(frozen=True, slots=True, kw_only=True)
class LentPlayer(Contestant):
    """A player object, which plays in this process only, and its limits; `spec` is the name that it gives.

    Attributes:
        player: the player. A method `clear`, if it has one, is called before each game.
    """

    player: Player

    @property
    def takes_seed(self) -> bool:
        """False: the object is used as it is."""
        return False

    @contextmanager
    def borrowed(self) -> Iterator[Player]:
        """Lend the player to one game."""
        clear_player(self.player)
        yield self.player


def with_unique_names(players: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
    """Return the players under names of which no two are alike; a program is called as its player calls it.

    Raises:
        SpecError: a spec is of no player.
    """
    seen: Counter[str] = Counter()
    named = []
    for each in players:
        label = each.name or _label(each.spec)
        seen[label] += 1
        times = seen[label]
        name = label if times == 1 else f"{label} ({times})"
        named.append(each if name == each.label else replace(each, name=name))
    return tuple(named)


def seeded(contestant: Contestant, seed: int) -> Contestant:
    """Return a copy whose player has this seed, under the name that it had."""
    return replace(contestant, spec=f"{contestant.spec},seed={seed}", name=contestant.label)


@lru_cache(maxsize=1024)
def takes_seed(spec: str) -> bool:
    """Return whether a player is random and its spec sets no seed.

    Raises:
        SpecError: the spec is of no player.
    """
    player(spec)
    try:
        player(f"{spec},seed=1")
    except TengenError:
        return False
    return True


@lru_cache(maxsize=1024)
def _label(spec: str) -> str:
    """The label of the player of a spec, if it has one, or else the spec."""
    label: str = getattr(player(spec), "label", spec)
    return label


def _spec_of(player: object) -> str:
    """The spec of a player: the text itself, or the name of one of Tengen's own players.

    Raises:
        TengenError: an object of another class, which cannot be made again in another process.
    """
    if isinstance(player, str):
        return player
    if isinstance(player, Player) and type(player).__module__.startswith("tengen."):
        return player.name
    kind = player if isinstance(player, type) else type(player)
    spec = f"py:{kind.__module__}:{kind.__qualname__}"
    raise TengenError("error.arena.contestant", value=shorten(repr(player)), spec=spec)
