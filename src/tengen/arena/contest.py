"""The settings that matches, tournaments and tunings share: players and conditions of play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationInfo, field_serializer, field_validator

from tengen.arena.adjudication import NEVER, Adjudication
from tengen.arena.arena_error import ArenaError
from tengen.arena.contestants import Contestant, seeded, with_unique_names
from tengen.arena.game import GameTask
from tengen.arena.stored import StoredRules, openings_from_data, openings_to_data
from tengen.game.points import Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The conditions of play.

    Attributes:
        rules: the rules.
        openings: the moves that games begin with, in the order of use; they repeat if there are more games.
        seed: of whatever is random.
        adjudication: the early end of games.
        margin: seconds of overtime that are tolerated.
    """

    rules: StoredRules
    openings: tuple[tuple[Point, ...], ...] = ((),)
    seed: int = 0
    adjudication: Adjudication = NEVER
    margin: float = 0.1

    def __post_init__(self) -> None:
        if not self.openings:
            raise ArenaError("error.arena.openings")

    @field_validator("openings", mode="before")
    @classmethod
    def _read_openings(cls, data: Any, info: ValidationInfo) -> Any:
        return openings_from_data(data, info)

    @field_serializer("openings")
    def _stored_openings(self, openings: tuple[tuple[Point, ...], ...]) -> list[str]:
        return openings_to_data(openings, self.rules)


@dataclass(frozen=True, slots=True)
class Contest(Conditions):
    """Players, and the conditions under which they play each other.

    Attributes:
        players: the participants.
        recover: go on after a crash or a hang.
    """

    players: tuple[Contestant, ...]
    recover: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        Conditions.__post_init__(self)
        for contestant in self.contestants:
            _ = contestant.takes_seed  # raises for a spec of no player

    @property
    def contestants(self) -> tuple[Contestant, ...]:
        """The players, under names of which no two are alike."""
        return with_unique_names(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in their order."""
        return tuple(contestant.label for contestant in self.contestants)

    def game(self, number: int, turn: int, pairing: tuple[int, int], *, log: bool = False) -> GameTask:
        """Return one game.

        Args:
            number: its place among all games, from 0.
            turn: the number of its opening, and of the seed of players that take one.
            pairing: the places of Black and White among the players.
            log: keep the lines to and from external programs.
        """
        seed = self.seed + turn + 1
        contestants = self.contestants
        black, white = (
            seeded(contestant, seed) if contestant.takes_seed else contestant
            for contestant in (contestants[place] for place in pairing)
        )
        opening = self.openings[turn % len(self.openings)]
        return GameTask(number, self.rules, opening, black, white, self.adjudication, self.margin, log)

    @field_serializer("players")
    def _stored_players(self, _: tuple[Contestant, ...]) -> tuple[Contestant, ...]:
        return self.contestants
