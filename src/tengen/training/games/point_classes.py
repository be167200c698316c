"""Positions described by the point classes of their empty points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import copy_of
from tengen.engine.tables import prepared
from tengen.game.rules import Rules
from tengen.training.games.game_file import GamesReader, sureness_in
from tengen.training.games.position_kernels import describe
from tengen.training.games.self_play import Sample, SelfPlayGame
from tengen.training.games.targets import TRACE, targets, win_probability

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WORTHS, ORDERS = "worths", "orders"
"""The two kinds of fitted weights, by their names in reports."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions as the point classes of their empty points: training data of the point-class weights.

    Attributes:
        starts: the index of the first point of each position, shape (n + 1,).
        own: the class of each point for the side to move, uint16, shape (points,).
        other: the class of each point for the other side, uint16, shape (points,).
        near: 1 if a search would consider a move at the point, else 0, uint8, shape (points,).
        contexts: the steps of the point from the last two moves, and the kinds of patterns that a move
            there makes and stops (`tengen.engine.evaluation.weights.Weights.contexts`), uint8, shape
            (points, 3).
        chosen: the index of the chosen move among the points; -1 where there was no choice. Shape (n,).
        turns: the side to move, 0 for Black and 1 for White, shape (n,).
        threats: the combination of threats; -1 where a search never evaluates the static score. Shape (n,).
        targets: the target probability of winning, from 0 to 1, shape (n,).
        sureness: the factor from scores to logits (`games.targets`).
    """

    starts: Ints
    own: npt.NDArray[np.uint16]
    other: npt.NDArray[np.uint16]
    near: npt.NDArray[np.uint8]
    contexts: npt.NDArray[np.uint8]
    chosen: Ints
    turns: Ints
    threats: Ints
    targets: Floats
    sureness: float = 1.0

    def __len__(self) -> int:
        return len(self.chosen)

    def usable(self, what: str) -> Ints:
        """Return the indexes of the positions that can be used to fit `WORTHS` or `ORDERS`."""
        return np.flatnonzero((self.threats if what == WORTHS else self.chosen) >= 0)


def positions_of(
    rules: Rules,
    samples: Sequence[Sample],
    wanted: Sequence[float] | None = None,
    sureness: float = 1.0,
) -> Positions:
    """Describe samples by their point classes.

    Args:
        rules: the rules of the games.
        samples: as from `tengen.training.games.self_play.games`.
        wanted: the target of each sample; the probability from its search if None.
        sureness: the factor from scores to logits.
    """
    if wanted is None:
        wanted = [win_probability(sample.score, sureness) for sample in samples]
    empty, tables = prepared(rules)
    state = copy_of(empty)
    parts = []
    for first in range(0, len(samples), _CHUNK):
        chunk = samples[first : first + _CHUNK]
        most, count = len(chunk) * rules.points, len(chunk)
        own, other, near = np.zeros(most, np.uint16), np.zeros(most, np.uint16), np.zeros(most, np.uint8)
        contexts = np.zeros((most, 3), np.uint8)
        starts, chosen = np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
        turns, threats = np.zeros(count, np.int64), np.zeros(count, np.int64)
        at = 0
        for number, sample in enumerate(chunk):
            cells = np.array(sample.cells, np.int64)
            turns[number] = len(cells) % 2
            at, chosen[number], threats[number] = describe(
                state, tables, cells, own, other, near, contexts, at, sample.best
            )
            starts[number + 1] = at
        parts.append(
            Positions(
                starts,
                own[:at].copy(),
                other[:at].copy(),
                near[:at].copy(),
                contexts[:at].copy(),
                chosen,
                turns,
                threats,
                np.array(wanted[first : first + count]),
                sureness,
            )
        )
    return joined(parts)


_CHUNK = 10_000
"""Samples described at once: arrays are allocated for all points of the board."""


def joined(parts: Sequence[Positions]) -> Positions:
    """Concatenate sets of positions, in order; all must have the same sureness."""
    if len(parts) == 1:
        return parts[0]
    offsets = np.cumsum([0, *(len(part.own) for part in parts)])
    starts = [part.starts[:-1] + offset for part, offset in zip(parts, offsets, strict=False)]
    none, no_points = np.zeros(0, np.int64), np.zeros(0, np.uint16)
    return Positions(
        np.concatenate([*starts, offsets[-1:]]),
        np.concatenate([no_points, *(part.own for part in parts)]),
        np.concatenate([no_points, *(part.other for part in parts)]),
        np.concatenate([np.zeros(0, np.uint8), *(part.near for part in parts)]),
        np.concatenate([np.zeros((0, 3), np.uint8), *(part.contexts for part in parts)]),
        np.concatenate([none, *(part.chosen for part in parts)]),
        np.concatenate([none, *(part.turns for part in parts)]),
        np.concatenate([none, *(part.threats for part in parts)]),
        np.concatenate([np.zeros(0), *(part.targets for part in parts)]),
        next((part.sureness for part in parts), 1.0),
    )


@dataclass(slots=True)
class TrainingData:
    """Positions and statistics of games.

    Attributes:
        rules: the rules of the games.
        positions: the searched positions, as training data.
        results: the result of the game for the side to move: 1, 0.5 or 0; NaN for positions outside the
            game. Shape (n,).
        games: the number of games.
        black: the number of games won by Black.
        white: the number of games won by White.
        plies: the number of moves of all games, including the opening stones.
        nodes: the distinct node limits per move of the games, ascending; empty if unknown.
    """

    rules: Rules
    positions: Positions
    results: Floats
    games: int = 0
    black: int = 0
    white: int = 0
    plies: int = 0
    nodes: tuple[int, ...] = ()

    @property
    def draws(self) -> int:
        """The number of games without a winner."""
        return self.games - self.black - self.white


def gathered(
    rules: Rules,
    games: Iterable[SelfPlayGame],
    trace: float = TRACE,
    sureness: float = 1.0,
    tick: Callable[[], None] | None = None,
) -> TrainingData:
    """Describe the positions of games.

    Args:
        rules: the rules of the games.
        games: the games; iterated once.
        trace: the lambda of the targets: the weight of each position relative to the one before it
            (`games.targets`).
        sureness: the factor from scores to logits.
        tick: called after each chunk of samples.
    """
    found = TrainingData(rules, joined([]), np.zeros(0))
    parts: list[Positions] = []
    results: list[float] = []
    samples: list[Sample] = []
    wanted: list[float] = []

    def describe() -> None:
        parts.append(positions_of(rules, samples, wanted, sureness))
        samples.clear()
        wanted.clear()
        if tick is not None:
            tick()

    for game in games:
        found.games += 1
        found.black += game.points == 1
        found.white += game.points == 0
        found.plies += len(game.cells)
        samples.extend(game.samples)
        wanted.extend(targets(game, trace, sureness))
        results.extend(np.nan if sample.result is None else sample.result for sample in game.samples)
        if len(samples) >= _CHUNK:
            describe()
    describe()
    found.positions, found.results = joined(parts), np.array(results)
    return found


def gathered_from(
    rules: Rules,
    paths: Sequence[str | Path],
    trace: float = TRACE,
    tick: Callable[[], None] | None = None,
) -> TrainingData:
    """Describe the positions of files of games, of any board sizes that share the same weights.

    The sureness of the scores is estimated from the games.

    Raises:
        TrainingError: a file holds games of another family of rules, or is damaged.
        FileError: a file cannot be read.
    """
    sureness = sureness_in(paths, rules, tick)
    readers = [GamesReader(path) for path in paths]
    all_games = [
        gathered(reader.rules, (game for game, _ in reader.games()), trace, sureness, tick)
        for reader in readers
    ]
    counted = ("games", "black", "white", "plies")
    return TrainingData(
        rules,
        joined([each.positions for each in all_games]),
        np.concatenate([np.zeros(0), *(each.results for each in all_games)]),
        nodes=tuple(sorted({run.nodes for reader in readers for run in reader.counts})),
        **{name: sum(getattr(each, name) for each in all_games) for name in counted},
    )
