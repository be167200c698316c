"""What matches, tournaments and tunings have in common: players, conditions of play, both as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from tengen.arena.contestants import (
    ArenaError,
    contestant_from_dict,
    contestant_to_dict,
    rolls,
    seeded,
    told_apart,
)
from tengen.arena.game import NEVER, Adjudication, Contestant, GameTask
from tengen.game import notation
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.points import Point
from tengen.game.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """How games are played, whoever plays them.

    Attributes:
        rules: the rules.
        openings: moves to begin with, in the order of use; more games than openings begin again.
        seed: where something is left to chance, what is rolled.
        adjudication: when to end games early.
        margin: seconds beyond its time that a player is forgiven.
    """

    rules: Rules
    openings: tuple[tuple[Point, ...], ...] = ((),)
    seed: int = 0
    adjudication: Adjudication = NEVER
    margin: float = 0.1

    def __post_init__(self) -> None:
        if not self.openings:
            raise ArenaError("error.arena.openings")

    def conditions_to_dict(self) -> dict[str, Any]:
        """The conditions as JSON-ready data."""
        return {
            "rules": self.rules.to_dict(),
            "openings": openings_to_data(self.openings, self.rules),
            "seed": self.seed,
            "adjudication": asdict(self.adjudication),
            "margin": self.margin,
        }


def conditions_from_dict(data: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `Conditions` that `Conditions.conditions_to_dict` wrote, among other settings."""
    rules = Rules.from_dict(data["rules"])
    return {
        "rules": rules,
        "openings": openings_from_data(data["openings"], rules),
        "seed": int(data["seed"]),
        "adjudication": Adjudication(**data["adjudication"]),
        "margin": float(data["margin"]),
    }


def openings_to_data(openings: tuple[tuple[Point, ...], ...], rules: Rules) -> list[str]:
    """Openings as JSON-ready data: the text of each one's moves."""
    return [notation.format_moves(moves, rules.width) for moves in openings]


def openings_from_data(data: list[str], rules: Rules) -> tuple[tuple[Point, ...], ...]:
    """The openings that `openings_to_data` wrote."""
    return tuple(Board.from_moves(text, rules).moves for text in data)


@contextmanager
def reading_settings() -> Iterator[None]:
    """While settings are read from data of unknown origin.

    Raises:
        ArenaError: the data are damaged.
    """
    try:
        yield
    except TengenError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ArenaError("error.arena.settings") from error


@dataclass(frozen=True, slots=True)
class Contest(Conditions):
    """Players, and how they play each other.

    Attributes:
        players: who takes part; no two have the same name.
        recover: go on after a crash or a hang.
    """

    players: tuple[Contestant, ...]
    recover: bool = field(default=True, kw_only=True)
    _rolls: tuple[bool, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        Conditions.__post_init__(self)
        object.__setattr__(self, "players", told_apart(self.players))
        object.__setattr__(self, "_rolls", tuple(rolls(player.spec) for player in self.players))

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, in their order."""
        return tuple(player.label for player in self.players)

    def game(self, number: int, turn: int, pairing: tuple[int, int], *, log: bool = False) -> GameTask:
        """One game.

        Args:
            number: its place among all games, from 0.
            turn: which opening it begins with, and what players roll that leave something to chance.
            pairing: the places of Black and White among the players.
            log: keep what is said to and by external programs.
        """
        seed = self.seed + turn + 1
        black, white = (
            seeded(self.players[place], seed) if self._rolls[place] else self.players[place]
            for place in pairing
        )
        opening = self.openings[turn % len(self.openings)]
        return GameTask(number, self.rules, opening, black, white, self.adjudication, self.margin, log)

    def contest_to_dict(self) -> dict[str, Any]:
        """What is said here, as JSON-ready data."""
        return {
            "players": [contestant_to_dict(player) for player in self.players],
            **self.conditions_to_dict(),
            "recover": self.recover,
        }


def contest_from_dict(data: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `Contest` that `Contest.contest_to_dict` wrote, among other settings."""
    return {
        "players": tuple(map(contestant_from_dict, data["players"])),
        **conditions_from_dict(data),
        "recover": bool(data["recover"]),
    }
