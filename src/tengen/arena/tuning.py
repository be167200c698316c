"""Tuning: better numbers for a player, found by play.

In each generation a search (`tengen.arena.tuning_optimiser`) proposes some candidates: the player with
other numbers. Each plays colour-swapped pairs of games against the same opponents from the same openings,
with equal seeds where an opponent is random, so that candidates differ in nothing but their numbers;
the next generation gets other openings. A candidate's score is its share of the points.

The answer is no candidate, but the mean of the search's distribution, averaged over the last third of the
generations: under noise the mean wanders about the best place, and the average of a walk is nearer to its
middle than its end is (B. Polyak and A. Juditsky, "Acceleration of Stochastic Approximation by Averaging",
SIAM Journal on Control and Optimization 30, 1992). Rounded, it then plays the player as it was, from
openings that the search has not seen.

A tuning that was stopped goes on where it was. Its file is JSON, with all that was played in it, and the
search is gone through again from its scores; nothing in the file is run as code.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, Literal, TypeAlias

from tengen.arena.arena_error import ArenaError
from tengen.arena.concurrent_games import running
from tengen.arena.contest_run import run_contest
from tengen.arena.match import Match, MatchState
from tengen.arena.results import PlayedGame
from tengen.arena.stored import from_data, to_data
from tengen.arena.tuning_optimiser import Halves, Point
from tengen.arena.tuning_parameters import at, rounded
from tengen.arena.tuning_settings import Batch, Tuning
from tengen.executors import Workers
from tengen.formats import jsonformat
from tengen.formats.files import read_error, shown, write_whole

FORMAT: Final = "tengen tuning"
VERSION: Final = 1

Faults: TypeAlias = "dict[str, dict[str, int]]"
"""The number of losses by each fault, by player."""

_SAVE = 30.0
"""Seconds after which games of an unfinished generation are written down."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation, played.

    Attributes:
        points: the candidates, by their coordinates.
        scores: their shares of the points in both halves of their games.
        games: of each candidate.
        mean: of the search's distribution afterwards.
        deviations: its standard deviations.
        noise: the change of ranks, smoothed; above 0 is too much, and calls for more games.
        seconds: its duration.
        faults: losses of candidates (under `CANDIDATE`) and opponents by each fault.
    """

    points: tuple[Point, ...]
    scores: tuple[Halves, ...]
    games: int
    mean: Point
    deviations: Point
    noise: float
    seconds: float = field(default=0.0, compare=False)
    faults: Faults = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 2 <= len(self.points) == len(self.scores):
            raise ValueError(self)

    @property
    def totals(self) -> list[float]:
        """The candidates' shares of the points."""
        return [(first + second) / 2 for first, second in self.scores]

    @property
    def score(self) -> float:
        """Their mean."""
        return fmean(self.totals)

    @property
    def error(self) -> float:
        """The standard error of the mean, from the differences between the candidates."""
        return stdev(self.totals) / math.sqrt(len(self.totals))


@dataclass(frozen=True, slots=True)
class _SavedTuning:
    """The contents of a tuning's file.

    Attributes:
        format: `FORMAT`.
        version: `VERSION`.
        tuning: the settings.
        generations: those that have been played.
        played: number and points of the games of the generation under way.
        faults: of the generation under way.
        confirmation: games of the confirmation, as `tengen.formats.jsonformat` has them.
        answer: the spec of the answer so far, for readers.
    """

    format: Literal["tengen tuning"]
    version: Literal[1]
    tuning: Tuning
    generations: list[Generation]
    played: list[tuple[int, float]]
    faults: Faults
    confirmation: list[dict[str, Any]]
    answer: str


Evaluate: TypeAlias = Callable[[Batch], Sequence[Halves]]
"""Finds out how good the candidates of a generation are."""


@dataclass(slots=True)
class TuningState:
    """The state of a tuning.

    Attributes:
        tuning: its settings.
        generations: those that have been played.
        played: of the generation under way, the candidate's points by the number of the game.
        faults: of the generation under way.
        confirmation: games of the confirmation.
        total: games of the generation under way.
    """

    tuning: Tuning
    generations: list[Generation] = field(default_factory=list)
    played: dict[int, float] = field(default_factory=dict)
    faults: Faults = field(default_factory=dict)
    confirmation: list[PlayedGame] = field(default_factory=list)
    total: int = 0

    @property
    def mean(self) -> Point:
        """The answer so far, in coordinates: the mean over the last third of the generations."""
        last = self.generations[-(-2 * len(self.generations) // 3) :] or self.generations
        if not last:
            return (0.0,) * len(self.tuning.parameters)
        return tuple(map(fmean, zip(*(generation.mean for generation in last), strict=True)))

    @property
    def exact(self) -> dict[str, float]:
        """The answer so far, not rounded."""
        return at(self.tuning.parameters, self.mean)

    @property
    def values(self) -> dict[str, float]:
        """The answer so far, rounded to the precision of the search."""
        if not self.generations:
            return {parameter.name: parameter.start for parameter in self.tuning.parameters}
        return rounded(self.tuning.parameters, self.mean, self.generations[-1].deviations)

    @property
    def spec(self) -> str:
        """The spec of the answer so far."""
        return self.tuning.spec(self.values)

    def extend(self, generations: int) -> None:
        """Set the number of all generations; a confirmation that has been played was for another answer.

        Raises:
            ArenaError: more than that have been played.
        """
        if generations < len(self.generations):
            raise ArenaError(
                "error.tune.least", name="generations", least=len(self.generations), value=generations
            )
        if generations != self.tuning.generations:
            self.tuning = replace(self.tuning, generations=generations)
        if generations != len(self.generations):
            self.confirmation = []

    def standing(self) -> MatchState:
        """The match between the answer and the player as it was, as far as it has been played."""
        tuning = self.tuning
        standing = MatchState(
            Match(
                players=(replace(tuning.player, spec=self.spec, name=""), tuning.player),
                rules=tuning.rules,
                games=max(tuning.confirm, 1),
                openings=tuning.held_out,
                seed=tuning.seed,
                adjudication=tuning.adjudication,
                margin=tuning.margin,
                sprt=tuning.sprt,
            )
        )
        for game in self.confirmation:
            standing.add(game)
        return standing

    def save(self, path: str | Path) -> None:
        """Write it all down; the file is replaced as a whole.

        Raises:
            FileError: it cannot be written.
        """
        saved = _SavedTuning(
            FORMAT,
            VERSION,
            self.tuning,
            self.generations,
            sorted(self.played.items()),
            self.faults,
            [jsonformat.game_data(game.record()) for game in self.confirmation],
            self.spec,
        )
        write_whole(path, jsonformat.line_of(to_data(saved)))

    @classmethod
    def load(cls, path: str | Path) -> TuningState:
        """The state that `save` wrote.

        Raises:
            FileError: the file cannot be read.
            ArenaError: it holds no tuning.
            SpecError: its player is none.
        """
        try:
            data = json.loads(Path(path).expanduser().read_bytes())
        except OSError as error:
            raise read_error(path, error) from error
        except (ValueError, RecursionError) as error:
            raise ArenaError("error.tune.file", file=shown(path)) from error
        if not (isinstance(data, dict) and data.get("format") == FORMAT and data.get("version") == VERSION):
            raise ArenaError("error.tune.file", file=shown(path))
        saved = from_data(_SavedTuning, data, ArenaError("error.tune.file", file=shown(path)))
        try:
            state = cls(
                saved.tuning,
                saved.generations,
                dict(saved.played),
                saved.faults,
                [PlayedGame.from_record(jsonformat.game_record(game)) for game in saved.confirmation],
            )
            for generation in state.generations:
                for point in (generation.mean, generation.deviations, *generation.points):
                    at(state.tuning.parameters, point)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ArenaError("error.tune.file", file=shown(path)) from error
        return state


def optimise(
    state: TuningState,
    evaluate: Evaluate,
    on_generation: Callable[[Generation], None] = lambda _: None,
) -> None:
    """Search until all generations are done.

    Args:
        state: finished generations are added.
        evaluate: plays a generation.
        on_generation: called with each generation when it has been added.
    """
    tuning, optimiser = state.tuning, state.tuning.optimiser()
    optimiser.replay((generation.points, generation.scores) for generation in state.generations)
    while len(state.generations) < tuning.generations:
        began = time.monotonic()
        asked = optimiser.ask()
        # A pair against every opponent in each half.
        pairs = 2 * len(tuning.opponents) * -(-asked.pairs // len(tuning.opponents))
        values = tuple(at(tuning.parameters, point) for point in asked.points)
        scores = tuple(evaluate(Batch(len(state.generations), values, pairs)))
        optimiser.tell(scores)
        generation = Generation(
            asked.points,
            scores,
            2 * pairs,
            optimiser.mean,
            optimiser.deviations,
            optimiser.noise,
            time.monotonic() - began,
            state.faults,
        )
        state.generations.append(generation)
        state.played, state.faults = {}, {}
        on_generation(generation)


def tune(
    state: TuningState,
    workers: Workers,
    path: str | Path | None = None,
    on_generation: Callable[[Generation], None] | None = None,
    on_game: Callable[[PlayedGame], None] | None = None,
    tick: Callable[[], None] | None = None,
) -> MatchState | None:
    """Play the remaining games of a tuning, and then the confirmation.

    Whatever ends it early (Ctrl-C, an error), what has been played is in `state`, and in the file.

    Args:
        state: its state, which is updated.
        workers: play the games.
        path: the file that keeps the state; None keeps it in memory alone.
        on_generation: called with each generation when it is done.
        on_game: called with each game of the confirmation.
        tick: called at least once a second.

    Returns:
        The confirmation; None where there is to be none. The answer is in the state.

    Raises:
        TengenError: what a game raised, or the file cannot be written.
    """
    saver = _Saver(state, path)

    def ticked() -> None:
        saver.save_if_due()
        if tick is not None:
            tick()

    def generation_done(generation: Generation) -> None:
        saver.save()
        if on_generation is not None:
            on_generation(generation)

    def game_done(game: PlayedGame) -> None:
        state.confirmation.append(game)
        if on_game is not None:
            on_game(game)

    saver.save()
    try:
        optimise(state, lambda batch: _played(state, batch, workers, ticked), generation_done)
        if not state.tuning.confirm:
            return None
        standing = state.standing()
        run_contest(standing, workers, game_done, ticked)
        return standing
    finally:
        saver.save()


class _Saver:
    """Writes a state down, if there is a file for it."""

    def __init__(self, state: TuningState, path: str | Path | None) -> None:
        self._state, self._path = state, path
        self._saved = time.monotonic()

    def save(self) -> None:
        if self._path is not None:
            self._state.save(self._path)
        self._saved = time.monotonic()

    def save_if_due(self) -> None:
        if time.monotonic() - self._saved > _SAVE:
            self.save()


def _played(
    state: TuningState, batch: Batch, workers: Workers, tick: Callable[[], None]
) -> tuple[Halves, ...]:
    """Play the remaining games of a generation; each game is added to `state`."""
    state.total = batch.games
    tasks = (task for task in batch.tasks(state.tuning) if task.number not in state.played)
    with closing(running(tasks, workers, "tuning", tick)) as games:
        for game in games:
            # In every pair the candidate has Black first.
            state.played[game.number] = game.points if game.number % 2 == 0 else 1 - game.points
            if game.lost_by_fault is not None:
                counts = state.faults.setdefault(game.lost_by_fault, {})
                counts[game.end] = counts.get(game.end, 0) + 1
    return batch.scores(state.played)
