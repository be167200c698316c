"""Training of the point-class weights from games.

>>> from tengen import Rules
>>> from tengen.training.games.self_play import SelfPlaySettings, play
>>> from tengen.training.games.point_classes import gathered
>>> from tengen.training.models.point_class_training import learn
>>> plan = SelfPlaySettings(Rules.named("freestyle", 9), nodes=20)
>>> games = gathered(plan.rules, (play(plan, number) for number in range(12)))
>>> trained = learn(games, epochs=2)
>>> trained.weights.worths.shape
(2, 2, 3060)

`evaluation.weights.save` writes the weights into a folder; ``engine,weights=FOLDER`` plays with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from tengen.engine.board.point_classes import CLASSES
from tengen.engine.board.worths import UNIT
from tengen.engine.evaluation.weights import Weights
from tengen.training.games.game_file import TrainingError
from tengen.training.games.playing import numbers_of
from tengen.training.games.point_classes import ORDERS, WORTHS, Positions, TrainingData
from tengen.training.models.calibration import Bin, calibrated
from tengen.training.models.checkpoint import Keeper
from tengen.training.models.point_class_model import (
    Floats,
    Ints,
    PointClassSettings,
    fit,
    held_out,
    mean_loss,
    predicted,
    ranks,
)
from tengen.training.models.trainer import Fit

EPOCHS = 8
"""The default number of passes over all positions; more hardly helps."""

LEAST = 200
"""The least number of positions for a fit."""

_TRUST, _GENTLE = 50.0, 0.003
"""The weight decay towards the initial weights (divided by the number of positions), and the learning rate
from them."""

_FIRST = 5
"""The number of first moves of an order in the metric `among`."""


@dataclass(frozen=True, slots=True)
class FitMetrics:
    """Metrics of weights on the validation set.

    Attributes:
        worths: the mean cross-entropy of their predictions.
        orders: the mean of minus the log-probability of the chosen move.
        first: the share of positions whose chosen move ranks first; NaN where unknown.
        among: the share whose chosen move is among the first five.
    """

    worths: float
    orders: float
    first: float
    among: float


@dataclass(slots=True)
class Trained:
    """Trained weights and their metrics.

    Attributes:
        games: the training data.
        weights: the weights.
        epochs: the losses of each epoch, by what was fitted: `WORTHS` or `ORDERS`.
        constant: the metrics of a uniform baseline: all positions and all moves alike.
        before: the metrics of the weights to compare with.
        after: the metrics of the trained weights, quantised for the engine.
        least: the entropy of the targets: a lower bound of the loss of `WORTHS`.
        calibration: the calibration on the validation set.
        seen: the number of occurrences of each class, by colour, shape (2, `CLASSES`).
    """

    games: TrainingData
    weights: Weights
    epochs: dict[str, list[Fit]]
    constant: FitMetrics
    before: FitMetrics
    after: FitMetrics
    least: float
    calibration: list[Bin] = field(default_factory=list)
    seen: Ints = field(default_factory=lambda: np.zeros((2, CLASSES), np.int64))


def learn(
    games: TrainingData,
    start: Weights | None = None,
    *,
    epochs: int = EPOCHS,
    seed: int = 1,
    before: Weights | None = None,
    report: Callable[[str, Fit], None] | None = None,
    keeper: Keeper | None = None,
) -> Trained:
    """Fit weights to games, and evaluate them on the validation set.

    Args:
        games: the training data.
        start: the initial weights; zero if None.
        epochs: the number of passes over all positions.
        seed: the seed of the order of the positions and of the validation set.
        before: weights to compare with; those that come with Tengen if None.
        report: called after each epoch with `WORTHS` or `ORDERS`, and the losses.
        keeper: writes checkpoints, and may hold one to continue from; None for no checkpoints.

    Raises:
        TrainingError: there are too few positions.
    """
    positions = games.positions
    apart = held_out(len(positions), seed)
    worths, orders = (_where(positions, what, apart) for what in (WORTHS, ORDERS))
    enough = min(len(positions.usable(what)) for what in (WORTHS, ORDERS)) >= LEAST
    if not (enough and len(worths) and len(orders)):
        raise TrainingError("error.train.few", count=len(positions), least=LEAST)
    done: dict[str, list[Fit]] = {WORTHS: [], ORDERS: []}

    def on_epoch(what: str, now: Fit) -> None:
        done[what].append(now)
        if report is not None:
            report(what, now)

    shared = not games.rules.has_fouls
    settings = PointClassSettings(shared, epochs, seed=seed)
    if start is not None:
        # Existing weights change slowly, and the less, the fewer positions there are.
        settings = replace(settings, decay=_TRUST / len(positions), rate=_GENTLE)
    weights = fit(positions, settings, on_epoch, start=start, keeper=keeper)
    compared = numbers_of(games.rules) if before is None else before
    training = _where(positions, WORTHS, ~apart)
    return Trained(
        games,
        weights,
        done,
        _of_constant(positions, training, worths, orders),
        _of_numbers(positions, compared, worths, orders),
        _of_numbers(positions, weights, worths, orders),
        float(_entropy(positions.targets[worths], positions.targets[worths]).mean()),
        calibrated(predicted(positions, weights, worths), games.results[worths]),
        _seen(positions, shared),
    )


def _where(positions: Positions, what: str, chosen: npt.NDArray[np.bool_]) -> Ints:
    usable = positions.usable(what)
    return usable[chosen[usable]]


def _entropy(chances: Floats, targets: Floats) -> Floats:
    chances = np.clip(chances, 1e-9, 1 - 1e-9)
    found: Floats = -(targets * np.log(chances) + (1 - targets) * np.log(1 - chances))
    return found


def _of_constant(positions: Positions, training: Ints, worths: Ints, orders: Ints) -> FitMetrics:
    mean = np.full(len(worths), positions.targets[training].mean())
    before = np.concatenate([[0], np.cumsum(positions.near, dtype=np.int64)])
    moves = np.diff(before[positions.starts])[orders]
    first, among = (1 / moves).mean(), np.minimum(_FIRST / moves, 1).mean()
    chances = _entropy(mean, positions.targets[worths]).mean(), np.log(moves).mean()
    return FitMetrics(*map(float, (*chances, first, among)))


def _of_numbers(positions: Positions, weights: Weights, worths: Ints, orders: Ints) -> FitMetrics:
    places = ranks(positions, weights, orders)
    return FitMetrics(
        mean_loss(positions, weights, WORTHS, worths),
        mean_loss(positions, weights, ORDERS, orders),
        float((places == 0).mean()),
        float((places < _FIRST).mean()),
    )


def _seen(positions: Positions, shared: bool) -> Ints:
    movers = np.repeat(positions.turns, np.diff(positions.starts))
    found = np.zeros((2, CLASSES), np.int64)
    for colour in range(2):
        found[colour] = np.bincount(positions.own[movers == colour], minlength=CLASSES)
        found[colour] += np.bincount(positions.other[movers != colour], minlength=CLASSES)
    if shared:
        found[:] = found.sum(axis=0)
    return found


def most_valued(trained: Trained, colour: int, count: int = 15) -> Iterator[tuple[int, float, float, int]]:
    """Yield the classes with the largest worths, among those that occur often enough.

    Args:
        trained: the trained weights.
        colour: 0 Black, 1 White.
        count: the most classes to yield.

    Yields:
        The class, its worth to the side to move and to the waiting side, in centi-units, and its number of
        occurrences.
    """
    worths, seen = trained.weights.worths[colour] / UNIT, trained.seen[colour]
    known = seen >= max(len(trained.games.positions) // 1000, 20)
    order = np.argsort(-np.where(known, np.maximum(worths[0], worths[1]), -np.inf), kind="stable")
    for number in order[:count]:
        if known[number]:
            yield int(number), float(worths[0, number]), float(worths[1, number]), int(seen[number])
