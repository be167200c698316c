"""What is to be tuned, and how; and the games of one generation."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from tengen.arena.contest import (
    Conditions,
    conditions_from_dict,
    openings_from_data,
    openings_to_data,
    reading_settings,
)
from tengen.arena.contestants import ArenaError, contestant_from_dict, contestant_to_dict, rolls, seeded
from tengen.arena.game import Contestant, GameTask
from tengen.arena.sprt import Sprt
from tengen.arena.tuning_optimiser import Halves, Optimiser
from tengen.arena.tuning_parameters import Parameter, search_space, with_values
from tengen.game.rules import Rules
from tengen.players.registry import ENTRIES
from tengen.players.spec import PlayerSpec

CANDIDATE = "candidate"
"""What every candidate is called in its games."""

Opening: TypeAlias = "tuple[int, ...]"

_HELD_OUT = 4
"""One opening of so many is kept for the confirmation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning(Conditions):
    """What is to be tuned, and how; `prepare` fills in what follows from the rest.

    The openings are those that candidates' games begin with; the seed is also that of the candidates.

    Attributes:
        player: the player as it is, and how long it may think.
        opponents: whom the candidates play; one that is named twice counts twice.
        parameters: the numbers that are searched.
        held_out: what the games of the confirmation begin with.
        generations: how many; none is allowed, and confirms the player as it is.
        population: candidates in a generation, at least 5.
        games: of a candidate in a generation, at first; rounded up to a pair against every opponent in
            each half.
        most_games: of a candidate in a generation, where noise asks for more; None is five times `games`.
        sigma: how far the first candidates lie from the start, in steps of `Parameter`.
        confirm: games of the confirmation; 0 leaves it out.
        sprt: the test that may end the confirmation, or None.
    """

    player: Contestant
    opponents: tuple[Contestant, ...]
    parameters: tuple[Parameter, ...]
    held_out: tuple[Opening, ...]
    generations: int = 20
    population: int = 24
    games: int = 12
    most_games: int | None = None
    sigma: float = 0.8
    confirm: int = 400
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        least = {"generations": 0, "population": 5, "games": 1, "confirm": 0}
        for name, fewest in least.items():
            if getattr(self, name) < fewest:
                raise ArenaError("error.tune.least", name=name, least=fewest, value=getattr(self, name))
        if not 0 < self.sigma <= 10:
            raise ArenaError("error.tune.sigma", sigma=self.sigma)
        if not (self.parameters and self.opponents):
            raise ArenaError("error.arena.settings")
        if not self.held_out:
            raise ArenaError("error.arena.openings")
        Conditions.__post_init__(self)

    def optimiser(self) -> Optimiser:
        """The search, at its beginning."""
        count = len(self.opponents)
        most = 5 * self.games if self.most_games is None else self.most_games
        few, many = (count * -(-games // (4 * count)) for games in (self.games, most))
        return Optimiser(self.parameters, self.population, self.sigma, (few, many), self.seed)

    def spec(self, values: Mapping[str, float]) -> str:
        """The player with these numbers."""
        return with_values(self.player.spec, values)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON-ready data."""
        return {
            **self.conditions_to_dict(),
            "player": contestant_to_dict(self.player),
            "opponents": [contestant_to_dict(opponent) for opponent in self.opponents],
            "parameters": [parameter.to_dict() for parameter in self.parameters],
            "held_out": openings_to_data(self.held_out, self.rules),
            "generations": self.generations,
            "population": self.population,
            "games": self.games,
            "most_games": self.most_games,
            "sigma": self.sigma,
            "confirm": self.confirm,
            "sprt": None if self.sprt is None else str(self.sprt),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tuning:
        """The settings that `to_dict` wrote.

        Raises:
            TengenError: it is no such data.
        """
        with reading_settings():
            conditions = conditions_from_dict(data)
            counts: dict[str, Any] = {
                name: int(data[name]) for name in ("generations", "population", "games", "confirm")
            }
            return cls(
                player=contestant_from_dict(data["player"]),
                opponents=tuple(map(contestant_from_dict, data["opponents"])),
                parameters=tuple(Parameter(**parameter) for parameter in data["parameters"]),
                held_out=openings_from_data(data["held_out"], conditions["rules"]),
                most_games=None if data["most_games"] is None else int(data["most_games"]),
                sigma=float(data["sigma"]),
                sprt=None if data["sprt"] is None else Sprt.parse(data["sprt"]),
                **conditions,
                **counts,
            )


def prepare(
    player: Contestant,
    rules: Rules,
    openings: Sequence[Opening],
    opponents: Sequence[Contestant] | None = None,
    only: Collection[str] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
    **settings: Any,
) -> Tuning:
    """A tuning, with what follows from the player filled in.

    Args:
        player: the one to be tuned.
        rules: the rules.
        openings: a quarter of them, by the seed, is kept for the confirmation; of fewer than 8 all are used
            for both.
        opponents: whom the candidates play. None is the player as it is, and the other presets it has.
        only: the names of the numbers to turn; all if empty.
        bounds: the least and the greatest value of some of them.
        settings: other attributes of `Tuning`.

    Raises:
        ArenaError: nothing in the player can be tuned, or a setting makes no sense.
        SpecError: a spec names no player.
    """
    parameters = search_space(player.spec, only, bounds)
    if opponents is None:
        others = other_presets(player.spec)
        opponents = (player, *(replace(player, spec=spec, name="") for spec in others))
    pool = list(dict.fromkeys(openings))
    random.Random(settings.get("seed", 0)).shuffle(pool)
    enough = len(pool) >= 2 * _HELD_OUT
    cut = len(pool) // _HELD_OUT
    return Tuning(
        player=player,
        opponents=tuple(opponents),
        parameters=parameters,
        rules=rules,
        openings=tuple(pool[cut:] if enough else pool),
        held_out=tuple(pool[:cut] if enough else pool),
        **settings,
    )


def other_presets(spec: str) -> list[str]:
    """Specs of the presets that the same player has besides this one."""
    parsed = PlayerSpec.parse(spec)
    entry = ENTRIES.get(parsed.name)
    if entry is None:
        return []
    own = parsed.preset or entry.default_preset
    return [f"{entry.name}:{other}" for other in entry.presets if other != own]


@dataclass(frozen=True, slots=True)
class Batch:
    """What is to be played in one generation.

    Attributes:
        number: of the generation, from 0.
        values: the numbers of each candidate, by name.
        pairs: pairs of games of each candidate, an even number: the first half, the second half.
    """

    number: int
    values: tuple[dict[str, float], ...]
    pairs: int

    @property
    def games(self) -> int:
        """How many games that is in all."""
        return 2 * self.pairs * len(self.values)

    def tasks(self, tuning: Tuning) -> Iterator[GameTask]:
        """The games. Pair p of every candidate is the same but for the candidate."""
        dice = random.Random(f"{tuning.seed} {self.number}")
        openings: list[Opening] = []
        while len(openings) < self.pairs:
            openings += dice.sample(tuning.openings, min(len(tuning.openings), self.pairs - len(openings)))
        seeds = [dice.randrange(1_000_000) for _ in openings]
        opponents = [(opponent, rolls(opponent.spec)) for opponent in tuning.opponents]
        roll = rolls(tuning.player.spec)
        for place, values in enumerate(self.values):
            candidate = replace(tuning.player, spec=tuning.spec(values), name=CANDIDATE)
            for pair, (opening, seed) in enumerate(zip(openings, seeds, strict=True)):
                other, other_rolls = opponents[pair % len(opponents)]
                one = seeded(candidate, seed) if roll else candidate
                two = seeded(other, seed) if other_rolls else other
                for game, (black, white) in enumerate(((one, two), (two, one))):
                    number = 2 * (place * self.pairs + pair) + game
                    yield GameTask(
                        number, tuning.rules, opening, black, white, tuning.adjudication, tuning.margin
                    )

    def scores(self, points: Mapping[int, float]) -> tuple[Halves, ...]:
        """The candidates' shares of the points.

        Args:
            points: of the candidate, by the number of the game.
        """
        half = self.pairs  # games in half of a candidate's pairs
        sums = [
            sum(points[number] for number in range(start, start + half)) / half
            for start in range(0, self.games, half)
        ]
        return tuple(zip(sums[::2], sums[1::2], strict=True))
