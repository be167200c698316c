"""The settings of a tuning, and the games of one generation."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic import ValidationInfo, field_serializer, field_validator

from tengen.arena.arena_error import ArenaError
from tengen.arena.contest import Conditions
from tengen.arena.contestants import Contestant, seeded, takes_seed
from tengen.arena.game import GameTask
from tengen.arena.stored import StoredSprt, openings_from_data, openings_to_data
from tengen.arena.tuning_optimiser import Halves, Optimiser
from tengen.arena.tuning_parameters import Parameter, search_space, with_values
from tengen.game.rules import Rules
from tengen.players.registry import ENTRIES
from tengen.players.spec import PlayerSpec

CANDIDATE = "candidate"
"""The name of every candidate in its games."""

Opening: TypeAlias = "tuple[int, ...]"

_HELD_OUT = 4
"""One opening of this many is held out for the confirmation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning(Conditions):
    """The settings of a tuning; `prepare` derives some of them from the others.

    The openings are those that candidates' games begin with; the seed is also that of the candidates.

    Attributes:
        player: the player as it is, and its limits.
        opponents: of the candidates; one that is named twice counts twice.
        parameters: the numbers that are searched.
        held_out: the openings of the confirmation.
        generations: the number of generations; 0 only confirms the player as it is.
        population: candidates in a generation, at least 5.
        games: of a candidate in a generation, at first; rounded up to a pair against every opponent in
            each half.
        most_games: of a candidate in a generation, where noise asks for more; None is five times `games`.
        sigma: the standard deviation of the first candidates, in steps of `Parameter`.
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
    sprt: StoredSprt | None = None

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

    @field_validator("held_out", mode="before")
    @classmethod
    def _read_held_out(cls, data: Any, info: ValidationInfo) -> Any:
        return openings_from_data(data, info)

    @field_serializer("held_out")
    def _stored_held_out(self, openings: tuple[Opening, ...]) -> list[str]:
        return openings_to_data(openings, self.rules)


def prepare(
    player: Contestant,
    rules: Rules,
    openings: Sequence[Opening],
    opponents: Sequence[Contestant] | None = None,
    only: Collection[str] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
    **settings: Any,
) -> Tuning:
    """Return a tuning, with the settings that follow from the player.

    Args:
        player: the one to be tuned.
        rules: the rules.
        openings: a quarter of them, by the seed, is kept for the confirmation; of fewer than 8 all are used
            for both.
        opponents: of the candidates. None is the player as it is, and its other presets.
        only: the names of the numbers to tune; all if empty.
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
    """Return the specs of the other presets of a player."""
    parsed = PlayerSpec.parse(spec)
    entry = ENTRIES.get(parsed.name)
    if entry is None:
        return []
    own = parsed.preset or entry.default_preset
    return [f"{entry.name}:{other}" for other in entry.presets if other != own]


@dataclass(frozen=True, slots=True)
class Batch:
    """The games of one generation.

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
        """The number of all games."""
        return 2 * self.pairs * len(self.values)

    def tasks(self, tuning: Tuning) -> Iterator[GameTask]:
        """Yield the games. Pair p is equal for all candidates but for the candidate."""
        rng = random.Random(f"{tuning.seed} {self.number}")
        openings: list[Opening] = []
        while len(openings) < self.pairs:
            openings += rng.sample(tuning.openings, min(len(tuning.openings), self.pairs - len(openings)))
        seeds = [rng.randrange(1_000_000) for _ in openings]
        opponents = [(opponent, takes_seed(opponent.spec)) for opponent in tuning.opponents]
        random_player = takes_seed(tuning.player.spec)
        for place, values in enumerate(self.values):
            candidate = replace(tuning.player, spec=tuning.spec(values), name=CANDIDATE)
            for pair, (opening, seed) in enumerate(zip(openings, seeds, strict=True)):
                other, other_rolls = opponents[pair % len(opponents)]
                one = seeded(candidate, seed) if random_player else candidate
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
