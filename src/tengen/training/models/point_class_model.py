"""The model of the point-class weights, fitted to games of self-play.

Two kinds of weights are fitted to the positions of `tengen.training.games.self_play`:

- *Worths*, by logistic regression: the sum of the worths of the classes of all empty points, separate for
  the side to move and the other side, is the logit of the target (`tengen.training.games.targets`). The
  worths of combinations of threats are fitted with them.
- *Orders*, by a softmax over the moves that the search would consider: the loss is minus the
  log-probability of the chosen move. The bonuses of the context of a move are fitted with them.

Rare classes are estimated from their four patterns: each weight is the sum of the weights of its patterns
and of a part of the class's own, which is regularised towards zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from tengen.engine.board.patterns import Pattern
from tengen.engine.board.point_classes import CLASSES, PATTERNS, class_patterns
from tengen.engine.board.records import CONTEXTS, SITUATIONS, STEPS_AWAY
from tengen.engine.board.worths import UNIT
from tengen.engine.evaluation.weights import LARGEST_ORDER, LARGEST_WORTH, Weights
from tengen.training.games.point_classes import ORDERS, WORTHS, Positions
from tengen.training.games.targets import SCALE
from tengen.training.models.arrays import (
    Batch,
    Parameters,
    bucket,
    cross_entropy,
    losses_and_ranks,
    move_losses,
    padded,
    segment_sum,
    segments,
    taken,
)
from tengen.training.models.checkpoint import Keeper, damaged
from tengen.training.models.trainer import Fit, Model, Trainer

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Report = Callable[[str, Fit], None]

_ORDER_SCALE = 100.0

_FASTER = 3
"""The factor of the learning rate for orders."""

_CHUNK = 2048


@dataclass(frozen=True, slots=True)
class Logits:
    """The fields of `Weights` during training, in logits."""

    worths: Floats
    orders: Floats
    situations: Floats
    contexts: Floats

    def of(self, what: str) -> tuple[Floats, Floats]:
        """Return the weights of `WORTHS` or `ORDERS`, and of the situations or contexts with them."""
        return (self.worths, self.situations) if what == WORTHS else (self.orders, self.contexts)


def _zeros() -> Logits:
    classes = (2, 2, CLASSES)
    return Logits(np.zeros(classes), np.zeros(classes), np.zeros((2, SITUATIONS)), np.zeros((2, CONTEXTS)))


def logits_of(weights: Weights, sureness: float = 1.0) -> Logits:
    """Return the engine's weights in logits, with a given sureness of scores."""
    scale = SCALE / sureness
    return Logits(
        weights.worths / (scale * UNIT),
        weights.orders / _ORDER_SCALE,
        weights.situations / scale,
        weights.contexts / _ORDER_SCALE,
    )


def quantised(numbers: Logits, sureness: float = 1.0) -> Weights:
    """Return the engine's weights from logits: the inverse of `logits_of`."""
    limit, scale = LARGEST_WORTH - 1, SCALE / sureness

    def integers(values: Floats, most: int) -> Ints:
        return np.clip(np.rint(values), -most, most).astype(np.int64)

    return Weights(
        integers(numbers.worths * scale * UNIT, limit),
        integers(numbers.orders * _ORDER_SCALE, LARGEST_ORDER),
        integers(numbers.situations * scale, limit),
        integers(numbers.contexts * _ORDER_SCALE, LARGEST_ORDER),
    )


def class_logits(what: str, numbers: jax.Array, extra: jax.Array, batch: Batch) -> jax.Array:
    """Return the logits of positions, for worths, or of moves, for orders.

    Args:
        what: `WORTHS` or `ORDERS`.
        numbers: the weights of the point classes, by colour and by side (0 to move, 1 waiting), float32,
            shape (colours, 2, `CLASSES`).
        extra: the weights of situations or contexts, float32, shape (colours, n).
        batch: ``moving`` and ``waiting``, the indexes of the weights of all points, and ``segment``, the
            position of each point, int32, shape (points,); ``extra``, the indexes of the other weights,
            shape (positions,) for worths and (points, 3) for orders.

    Returns:
        The logits, float32, shape (positions,) or (points,).
    """
    table = numbers.reshape(-1)
    moving, waiting = taken(table, batch["moving"]), taken(table, batch["waiting"])
    others = taken(extra.reshape(-1), batch["extra"])
    if what == WORTHS:
        return segment_sum(moving - waiting, batch["segment"], len(batch["extra"])) + others
    return moving + waiting + others.sum(axis=1)


_class_logits = jax.jit(class_logits, static_argnums=0)


def held_out(count: int, seed: int = 1) -> npt.NDArray[np.bool_]:
    """Return a mask of the positions of the validation set.

    Neighbouring positions are of the same game and share its result, so whole blocks are held out rather
    than single positions.

    Args:
        count: the number of positions.
        seed: the seed of the selection.

    Returns:
        True for one in twenty positions, shape (count,).
    """
    length = max(min(int(count * _VALIDATION / _STRETCHES), 500), 1)
    blocks = -(-count // length)
    chosen = np.random.default_rng(seed).random(blocks).argsort()[: int(blocks * _VALIDATION)]
    found = np.zeros(blocks, bool)
    found[chosen] = True
    return np.repeat(found, length)[:count]


_VALIDATION = 0.05
_STRETCHES = 20


@dataclass(frozen=True, slots=True)
class UsablePositions:
    """The positions that can be used to fit worths or orders.

    Attributes:
        all: the full set of positions.
        which: the indexes of the usable positions in it, shape (n,).
        held_out: a mask of the validation set among the usable positions, shape (n,).
    """

    all: Positions
    which: Ints
    held_out: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.which)


@dataclass(frozen=True, slots=True)
class PointClassSettings:
    """Settings of the fit of point-class weights.

    Attributes:
        shared: whether both colours share the same weights.
        epochs: the number of passes over all positions.
        decay: the weight decay of each class's own part.
        seed: the seed of the order of the positions and of the validation set.
        rate: the maximum learning rate for worths; for orders it is three times as large.
        batch: the number of positions in a batch.
    """

    shared: bool
    epochs: int = 12
    decay: float = 1e-4
    seed: int = 1
    rate: float = 0.01
    batch: int = 512


class PointClassModel(Model[UsablePositions, tuple[Floats, Floats]]):
    """The model of worths or of orders during training.

    Args:
        what: `WORTHS` or `ORDERS`.
        positions: the training data.
        settings: the settings of the fit.
        begin: the initial weights.
    """

    warm_up_steps = 1

    def __init__(
        self, what: str, positions: Positions, settings: PointClassSettings, begin: Logits
    ) -> None:
        which = positions.usable(what)
        usable = UsablePositions(positions, which, held_out(len(positions), settings.seed)[which])
        self._what, self._usable, self.positions = what, usable, [usable]
        self._colours, self._decay = 1 if settings.shared else 2, settings.decay
        self.rate = settings.rate * (_FASTER if what == ORDERS else 1)
        self.batch_size = settings.batch
        numbers, extra = (each[: self._colours].astype(np.float32) for each in begin.of(what))
        self._begin = numbers, extra
        shapes = {"parts": (self._colours, 2, PATTERNS), "own": numbers.shape, "extra": extra.shape}
        self.parameters = {name: jnp.zeros(shape) for name, shape in shapes.items()}
        counts = _occurrences(positions) if what == WORTHS else np.zeros((2, CLASSES))
        self._steps = {
            "parts": np.float32(1 / np.maximum(_of_patterns(counts), 1)),
            "own": np.float32(1 / np.maximum(counts, 1)),
            "extra": np.float32(1),
        }

    def optimiser(self, schedule: optax.Schedule) -> optax.GradientTransformation:
        """Return the optimiser: Adam with smaller steps for weights that occur often in every sum."""
        decayed = {"parts": False, "own": True, "extra": True}
        return optax.chain(
            optax.add_decayed_weights(self._decay, decayed),
            optax.scale_by_adam(),
            optax.stateless(
                lambda updates, _: {name: updates[name] * self._steps[name] for name in updates}
            ),
            optax.scale_by_learning_rate(schedule),
        )

    def _numbers(self, parameters: Parameters) -> tuple[jax.Array, jax.Array]:
        """Return the weights of classes, and of situations or contexts, by colour."""
        numbers, extra = map(jnp.asarray, self._begin)
        # Points where neither side can make a pattern are worth nothing.
        own = parameters["own"].at[:, :, 0].set(0)
        parts = parameters["parts"].at[:, :, Pattern.DEAD].set(0)
        return numbers + parts[:, :, class_patterns()].sum(axis=3) + own, extra + parameters["extra"]

    def batch(self, positions: UsablePositions, chosen: Ints, rng: np.random.Generator) -> Batch:
        """Return the arrays of the points of some positions."""
        return _points(positions.all, positions.which[chosen], self._what, self._colours)

    def loss(self, parameters: Parameters, batch: Batch) -> jax.Array:
        """Return the mean cross-entropy, or the mean of minus the log-probability of the chosen moves."""
        logits = class_logits(self._what, *self._numbers(parameters), batch)
        if self._what == WORTHS:
            return cross_entropy(logits, batch["targets"]).mean()
        return move_losses(logits, batch["segment"], batch["chosen"]).mean()

    def quantised(self) -> tuple[Floats, Floats]:
        """Return the weights in logits, shape (2, 2, `CLASSES`), and those of situations or contexts."""
        numbers, extra = (np.asarray(each, np.float64) for each in self._numbers(self.parameters))
        return np.broadcast_to(numbers, (2, *numbers.shape[1:])), np.broadcast_to(
            extra, (2, extra.shape[1])
        )

    def validation(self) -> float:
        """Return the mean loss on the validation set; 0 where it is empty."""
        numbers, chosen = self.quantised(), self._usable.which[self._usable.held_out]
        losses = _losses_and_ranks(self._usable.all, numbers, self._what, chosen)[0]
        return float(losses.sum()) / max(len(losses), 1)


def fit(
    positions: Positions,
    settings: PointClassSettings,
    report: Report | None = None,
    *,
    start: Weights | None = None,
    keeper: Keeper | None = None,
) -> Weights:
    """Fit worths, then orders.

    Args:
        positions: from `tengen.training.games.point_classes.positions_of`.
        settings: the settings of the fit.
        report: called after each epoch, with `WORTHS` or `ORDERS`.
        start: the initial weights, towards which, instead of zero, each class's own part is regularised.
        keeper: writes checkpoints, and may hold one of the same fit to continue from; None for no
            checkpoints.

    Raises:
        FileError: a checkpoint cannot be written.
        TrainingError: the checkpoint is damaged.
    """
    begin = _zeros() if start is None else logits_of(start, positions.sureness)
    trainers = {
        what: Trainer(PointClassModel(what, positions, settings, begin), settings.epochs, settings.seed)
        for what in (WORTHS, ORDERS)
    }
    if keeper is not None and keeper.kept is not None and keeper.kept.state is not None:
        try:
            _restore(trainers, keeper.kept.state)
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(keeper.path) from error

    def keep() -> None:
        if keeper is not None:
            keeper(sum(len(each.epochs) for each in trainers.values()), lambda: _state(trainers))

    found = {}
    for what, trainer in trainers.items():

        def epoch(now: Fit, what: str = what) -> None:
            if report is not None and now.validation == now.validation:
                report(what, now)

        for known in trainer.epochs:
            epoch(known)
        found[what] = trainer.run(epoch, keep)
    (worths, situations), (orders, contexts) = found[WORTHS], found[ORDERS]
    return quantised(Logits(worths, orders, situations, contexts), positions.sureness)


_Trainers = Mapping[str, Trainer[UsablePositions, tuple[Floats, Floats]]]


def _state(trainers: _Trainers) -> dict[str, npt.NDArray[Any]]:
    """Return the state of both trainers, by name."""
    return {
        f"{what}.{name}": array for what, each in trainers.items() for name, array in each.state().items()
    }


def _restore(trainers: _Trainers, state: Mapping[str, npt.NDArray[Any]]) -> None:
    for what, trainer in trainers.items():
        prefix = f"{what}."
        trainer.restore(
            {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}
        )


def _occurrences(positions: Positions) -> Floats:
    """Return the mean occurrences of each class per position, by side to move and other, (2, `CLASSES`).

    A weight that occurs a hundred times in every sum needs smaller steps than a weight that rarely occurs.
    """
    points = positions.own, positions.other
    return np.stack([np.bincount(each, minlength=CLASSES) / len(positions) for each in points])


def _of_patterns(counts: Floats) -> Floats:
    """Return the occurrences of each pattern, from those of the classes with it, shape (2, `PATTERNS`)."""
    members = class_patterns()
    found: Floats = np.stack(
        [np.bincount(members.ravel(), np.repeat(each, members.shape[1]), PATTERNS) for each in counts],
        dtype=np.float64,
    )
    found[:, Pattern.DEAD] = 0
    return found


def _points(positions: Positions, which: Ints, what: str, colours: int, count: int | None = None) -> Batch:
    """Return the arrays of the points of some positions; see `class_logits`.

    Args:
        positions: the positions.
        which: the indexes of the selected positions.
        what: `WORTHS` or `ORDERS`; for orders, only moves that a search would consider.
        colours: 1 where both colours share the same weights, else 2.
        count: the number to which the positions are padded; None for no padding.
    """
    p, count = positions, len(which) if count is None else count
    counts = p.starts[which + 1] - p.starts[which]
    first = np.cumsum(counts) - counts
    points = np.arange(counts.sum()) + np.repeat(p.starts[which] - first, counts)
    chosen = first + p.chosen[which]
    number = np.repeat(np.arange(len(which)), counts)
    if what == ORDERS:
        near = p.near[points] > 0
        place = np.cumsum(near) - 1
        chosen = place[np.minimum(chosen, len(place) - 1)] if len(place) else chosen
        points, number = points[near], number[near]
        counts = np.bincount(number, minlength=len(which))
    movers = p.turns[which] * (colours - 1)
    side = movers[number]
    enemy = (1 - side) * (colours - 1)
    length = bucket(len(points))
    found: Batch = {
        "moving": padded((2 * side * CLASSES + p.own[points]).astype(np.int32), length),
        "waiting": padded(((2 * enemy + 1) * CLASSES + p.other[points]).astype(np.int32), length),
        "segment": segments(counts, length),
        "counts": counts,
    }
    if what == WORTHS:
        found["extra"] = padded((movers * SITUATIONS + p.threats[which]).astype(np.int32), count)
        found["targets"] = padded(p.targets[which].astype(np.float32), count)
    else:
        kinds = STEPS_AWAY * np.arange(3) + p.contexts[points]
        found["extra"] = padded((side[:, None] * CONTEXTS + kinds).astype(np.int32), length)
        found["chosen"] = padded(chosen.astype(np.int32), count)
    return found


def _logits(
    positions: Positions, numbers: tuple[Floats, Floats], what: str, which: Ints
) -> tuple[list[Floats], list[Batch]]:
    """Return the logits of some positions and their batches, in chunks."""
    table, extra = (jnp.asarray(each, jnp.float32) for each in numbers)
    logits, batches = [], []
    for first in range(0, len(which), _CHUNK):
        part = which[first : first + _CHUNK]
        batch = _points(positions, part, what, 2, bucket(len(part)))
        counts = batch.pop("counts")
        found = np.asarray(_class_logits(what, table, extra, batch), np.float64)
        logits.append(found[: len(part) if what == WORTHS else counts.sum()])
        batches.append(batch | {"counts": counts})
    return logits, batches


def _losses_and_ranks(
    positions: Positions, numbers: tuple[Floats, Floats], what: str, which: Ints
) -> Floats:
    """Return the loss of each position and, for orders, the rank of its chosen move, shape (2, n)."""
    found = [np.zeros((2, 0))]
    for logits, batch in zip(*_logits(positions, numbers, what, which), strict=True):
        counts = batch["counts"]
        if what == WORTHS:
            targets = batch["targets"][: len(logits)]
            losses = np.logaddexp(0, logits) - targets * logits
            found.append(np.stack([losses, np.zeros_like(losses)]))
        else:
            starts = np.concatenate([[0], np.cumsum(counts)])
            found.append(losses_and_ranks(starts, batch["chosen"][: len(counts)] - starts[:-1], logits))
    return np.concatenate(found, axis=1)


def mean_loss(positions: Positions, weights: Weights, what: str, which: Ints) -> float:
    """Return the mean loss of given weights on some positions.

    Args:
        positions: from `tengen.training.games.point_classes.positions_of`.
        weights: the weights.
        what: `WORTHS` or `ORDERS`.
        which: the indexes of the positions, all usable for `what`.
    """
    numbers = logits_of(weights, positions.sureness).of(what)
    return float(_losses_and_ranks(positions, numbers, what, which)[0].sum()) / max(len(which), 1)


def predicted(positions: Positions, weights: Weights, which: Ints) -> Floats:
    """Return the predicted probability of winning in some positions, shape (n,)."""
    logits, _ = _logits(positions, logits_of(weights, positions.sureness).of(WORTHS), WORTHS, which)
    found: Floats = 1 / (1 + np.exp(-np.concatenate([np.zeros(0), *logits])))
    return found


def ranks(positions: Positions, weights: Weights, which: Ints) -> Ints:
    """Return the rank of the chosen move by the given weights, from 0, shape (n,)."""
    found: Ints = _losses_and_ranks(positions, logits_of(weights).of(ORDERS), ORDERS, which)[1].astype(
        np.int64
    )
    return found
