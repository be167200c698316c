"""What is to be tuned, and how; and the games of one generation."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeAlias

from tengen.arena.game import Adjudication, Seat, Task
from tengen.arena.seats import ArenaError, rolls, seat_from_dict, seat_to_dict, seeded
from tengen.arena.sprt import Sprt
from tengen.arena.tuning_optimiser import Halves, Optimiser
from tengen.arena.tuning_parameters import Parameter, search_space, with_values
from tengen.game import notation
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.rules import Rules
from tengen.players.registry import ENTRIES

CANDIDATE = "candidate"
"""What every candidate is called in its games."""

Opening: TypeAlias = "tuple[int, ...]"

_HELD_OUT = 4
"""One opening of so many is kept for the confirmation."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is to be tuned, and how; `prepare` fills in what follows from the rest.

    Attributes:
        seat: the player as it is, and how long it may think.
        opponents: whom the candidates play; one that is named twice counts twice.
        parameters: the numbers that are searched.
        rules: the rules.
        openings: what the candidates' games begin with.
        held_out: what the games of the confirmation begin with.
        generations: how many; none is allowed, and confirms the player as it is.
        population: candidates in a generation, at least 5.
        games: of a candidate in a generation, at first; rounded up to a pair against every opponent in
            each half.
        most_games: of a candidate in a generation, where noise asks for more; None is five times `games`.
        sigma: how far the first candidates lie from the start, in steps of `Parameter`.
        seed: of the candidates, the choice of openings and the dice.
        confirm: games of the confirmation; 0 leaves it out.
        sprt: the test that may end the confirmation, or None.
        adjudication: when to end games early.
        margin: seconds beyond its time that a player is forgiven.
    """

    seat: Seat
    opponents: tuple[Seat, ...]
    parameters: tuple[Parameter, ...]
    rules: Rules
    openings: tuple[Opening, ...]
    held_out: tuple[Opening, ...]
    generations: int = 20
    population: int = 24
    games: int = 12
    most_games: int | None = None
    sigma: float = 0.8
    seed: int = 0
    confirm: int = 400
    sprt: Sprt | None = None
    adjudication: Adjudication = field(default_factory=Adjudication)
    margin: float = 0.1

    def __post_init__(self) -> None:
        least = {"generations": 0, "population": 5, "games": 1, "confirm": 0}
        for name, fewest in least.items():
            if getattr(self, name) < fewest:
                raise ArenaError("error.tune.least", name=name, least=fewest, value=getattr(self, name))
        if not 0 < self.sigma <= 10:
            raise ArenaError("error.tune.sigma", sigma=self.sigma)
        if not (self.parameters and self.opponents):
            raise ArenaError("error.arena.settings")
        if not (self.openings and self.held_out):
            raise ArenaError("error.arena.openings")

    def optimiser(self) -> Optimiser:
        """The search, at its beginning."""
        count = len(self.opponents)
        most = 5 * self.games if self.most_games is None else self.most_games
        few, many = (count * -(-games // (4 * count)) for games in (self.games, most))
        return Optimiser(self.parameters, self.population, self.sigma, (few, many), self.seed)

    def spec(self, values: Mapping[str, float]) -> str:
        """The player with these numbers."""
        return with_values(self.seat.spec, values)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON-ready data."""
        width = self.rules.width
        return {
            "player": seat_to_dict(self.seat),
            "opponents": [seat_to_dict(seat) for seat in self.opponents],
            "parameters": [parameter.to_dict() for parameter in self.parameters],
            "rules": self.rules.to_dict(),
            "openings": [notation.format_moves(moves, width) for moves in self.openings],
            "held_out": [notation.format_moves(moves, width) for moves in self.held_out],
            "generations": self.generations,
            "population": self.population,
            "games": self.games,
            "most_games": self.most_games,
            "sigma": self.sigma,
            "seed": self.seed,
            "confirm": self.confirm,
            "sprt": None if self.sprt is None else str(self.sprt),
            "adjudication": asdict(self.adjudication),
            "margin": self.margin,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tuning:
        """The settings that `to_dict` wrote.

        Raises:
            TengenError: it is no such data.
        """
        try:
            rules = Rules.from_dict(data["rules"])
            openings, held_out = (
                tuple(Board.from_moves(text, rules).moves for text in data[name])
                for name in ("openings", "held_out")
            )
            whole = ("generations", "population", "games", "seed", "confirm")
            return cls(
                seat=seat_from_dict(data["player"]),
                opponents=tuple(seat_from_dict(seat) for seat in data["opponents"]),
                parameters=tuple(Parameter(**parameter) for parameter in data["parameters"]),
                rules=rules,
                openings=openings,
                held_out=held_out,
                most_games=None if data["most_games"] is None else int(data["most_games"]),
                sigma=float(data["sigma"]),
                sprt=None if data["sprt"] is None else Sprt.parse(data["sprt"]),
                adjudication=Adjudication(**data["adjudication"]),
                margin=float(data["margin"]),
                **{name: int(data[name]) for name in whole},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, TengenError):
                raise
            raise ArenaError("error.arena.settings") from error


def prepare(
    seat: Seat,
    rules: Rules,
    openings: Sequence[Opening],
    opponents: Sequence[Seat] | None = None,
    only: Collection[str] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
    **settings: Any,
) -> Tuning:
    """A tuning, with what follows from the player filled in.

    Args:
        seat: the player to be tuned.
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
    parameters = search_space(seat.spec, only, bounds)
    if opponents is None:
        opponents = (seat, *(replace(seat, spec=spec, name="") for spec in other_presets(seat.spec)))
    pool = list(dict.fromkeys(openings))
    random.Random(settings.get("seed", 0)).shuffle(pool)
    enough = len(pool) >= 2 * _HELD_OUT
    cut = len(pool) // _HELD_OUT
    return Tuning(
        seat=seat,
        opponents=tuple(opponents),
        parameters=parameters,
        rules=rules,
        openings=tuple(pool[cut:] if enough else pool),
        held_out=tuple(pool[:cut] if enough else pool),
        **settings,
    )


def other_presets(spec: str) -> list[str]:
    """Specs of the presets that the same player has besides this one."""
    name, _, preset = spec.partition(",")[0].strip().partition(":")
    presets = ENTRIES[name].presets if name in ENTRIES else ()
    mine = preset or next(iter(presets), "")
    return [f"{name}:{other}" for other in presets if other != mine]


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

    def tasks(self, tuning: Tuning) -> Iterator[Task]:
        """The games. Pair p of every candidate is the same but for the candidate."""
        dice = random.Random(f"{tuning.seed} {self.number}")
        openings: list[Opening] = []
        while len(openings) < self.pairs:
            openings += dice.sample(tuning.openings, min(len(tuning.openings), self.pairs - len(openings)))
        seeds = [dice.randrange(1_000_000) for _ in openings]
        opponents = [(seat, rolls(seat.spec)) for seat in tuning.opponents]
        roll = rolls(tuning.seat.spec)
        for place, values in enumerate(self.values):
            candidate = replace(tuning.seat, spec=tuning.spec(values), name=CANDIDATE)
            for pair, (opening, seed) in enumerate(zip(openings, seeds, strict=True)):
                other, other_rolls = opponents[pair % len(opponents)]
                one = seeded(candidate, seed) if roll else candidate
                two = seeded(other, seed) if other_rolls else other
                for game, (black, white) in enumerate(((one, two), (two, one))):
                    number = 2 * (place * self.pairs + pair) + game
                    yield Task(
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
