"""Learning the engine's numbers from its own games.

Two things are fitted, each to the positions of `tengen.training.games.self_play`:

- *Worths*, by logistic regression: the sum over all empty points of what their classes are worth, own and
  opponent's apart, squashed, is to come close to what happened (`tengen.training.games.targets`). What a
  combination of threats adds to the sum is fitted with them.
- *Orders*, by a softmax over the moves that the search would look at: the move it chose is to be likely.
  What the context of a move adds is fitted with them.

A class (`weights`) that has hardly been seen is known by its four patterns: each number is
that of the patterns, added up, and a part of the class's own, which is pulled towards nothing.

Both are minimised by Adam (D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015),
at a rate that falls along half a cosine (I. Loshchilov and F. Hutter, "SGDR: stochastic gradient descent
with warm restarts", 2017).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import Pattern
from tengen.engine.board.point_classes import CLASSES, PATTERNS, class_patterns
from tengen.engine.board.records import CONTEXTS, SITUATIONS
from tengen.engine.board.worths import UNIT
from tengen.engine.evaluation.weights import LARGEST_ORDER, LARGEST_WORTH, Weights
from tengen.training.games.point_classes import ORDERS, WORTHS, Positions
from tengen.training.games.targets import SCALE
from tengen.training.models.fitting_kernels import order_ranks, order_slopes, worth_logits, worth_slopes

_ORDER_SCALE = 100.0

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(slots=True)
class Fit:
    """How far a fit has come.

    Attributes:
        epoch: how often all positions have been seen.
        training: the loss on them, while they were seen.
        validation: the loss on the positions kept apart; 0 where there are none.
    """

    epoch: int
    training: float
    validation: float


Report = Callable[[str, Fit], None]


def fit(
    positions: Positions,
    shared: bool,
    epochs: int = 12,
    decay: float = 1e-4,
    seed: int = 1,
    report: Report | None = None,
    *,
    start: Weights | None = None,
    rate: float = 0.01,
    batch: int = 512,
) -> Weights:
    """Learn worths and orders.

    Args:
        positions: from `positions_of`.
        shared: whether both colours have the same numbers.
        epochs: how often all positions are seen.
        decay: how strongly a class's own part is pulled towards nothing.
        seed: of the order in which they are seen, and of which are kept apart (`held_out`).
        report: told after each epoch, with `WORTHS` or `ORDERS`.
        start: numbers to begin with: towards these, instead of nothing, a class's own part is pulled.
        rate: by how much the logarithm of the odds changes at first when a number makes a step, about; with
            orders three times as much.
        batch: positions in a step.
    """
    settings = _Arguments(shared, epochs, decay, seed, rate, batch, report)
    faster = replace(settings, rate=_FASTER * rate)
    begin = _zeros() if start is None else logits_of(start, positions.sureness)
    worths, situations = _fitted(positions, WORTHS, settings, begin.worths, begin.situations)
    orders, contexts = _fitted(positions, ORDERS, faster, begin.orders, begin.contexts)
    return rounded(Logits(worths, orders, situations, contexts), positions.sureness)


@dataclass(frozen=True, slots=True)
class Logits:
    """The numbers of `Weights` as they are fitted: what they add to the logarithm of the odds."""

    worths: Floats
    orders: Floats
    situations: Floats
    contexts: Floats


def _zeros() -> Logits:
    classes = (2, 2, CLASSES)
    return Logits(np.zeros(classes), np.zeros(classes), np.zeros((2, SITUATIONS)), np.zeros((2, CONTEXTS)))


def logits_of(weights: Weights, sureness: float = 1.0) -> Logits:
    """The engine's numbers in logits, where so much of a score is to be believed."""
    scale = SCALE / sureness
    return Logits(
        weights.worths / (scale * UNIT),
        weights.orders / _ORDER_SCALE,
        weights.situations / scale,
        weights.contexts / _ORDER_SCALE,
    )


def rounded(numbers: Logits, sureness: float = 1.0) -> Weights:
    """Numbers in logits as the engine has them: the opposite of `logits_of`."""
    limit, scale = LARGEST_WORTH - 1, SCALE / sureness

    def whole(values: Floats, most: int) -> Ints:
        return np.clip(np.rint(values), -most, most).astype(np.int64)

    return Weights(
        whole(numbers.worths * scale * UNIT, limit),
        whole(numbers.orders * _ORDER_SCALE, LARGEST_ORDER),
        whole(numbers.situations * scale, limit),
        whole(numbers.contexts * _ORDER_SCALE, LARGEST_ORDER),
    )


_FASTER = 3
"""Orders come out best with steps so much larger."""

_VALIDATION = 0.05
_STRETCHES = 20


def held_out(count: int, seed: int = 1) -> npt.NDArray[np.bool_]:
    """Which positions are kept apart, to see whether what is learned holds elsewhere.

    Neighbours are of the same game, and end alike: whole stretches are kept apart rather than single
    positions.

    Args:
        count: how many there are.
        seed: chooses them.

    Returns:
        True for one in twenty, shape (count,).
    """
    length = max(min(int(count * _VALIDATION / _STRETCHES), 500), 1)
    blocks = -(-count // length)
    chosen = np.random.default_rng(seed).random(blocks).argsort()[: int(blocks * _VALIDATION)]
    apart = np.zeros(blocks, bool)
    apart[chosen] = True
    return np.repeat(apart, length)[:count]


@dataclass(frozen=True, slots=True)
class _Arguments:
    """The arguments of `fit`."""

    shared: bool
    epochs: int
    decay: float
    seed: int
    rate: float
    batch: int
    report: Report | None


class Adam:
    """Numbers that follow their slopes downhill.

    Args:
        shape: of the numbers.
        steps: how large their steps are, against each other.

    Attributes:
        numbers: as they are now.
    """

    def __init__(self, shape: tuple[int, ...], steps: Floats) -> None:
        self.numbers: Floats = np.zeros(shape)
        self._sizes = steps
        self._mean = np.zeros(shape)
        self._square = np.zeros(shape)
        self._steps = 0

    def step(self, slope: Floats, rate: float) -> None:
        """Go a step down a slope."""
        self._steps += 1
        self._mean += 0.1 * (slope - self._mean)
        self._square += 0.001 * (slope * slope - self._square)
        mean = self._mean / (1 - 0.9**self._steps)
        square = self._square / (1 - 0.999**self._steps)
        self.numbers -= rate * self._sizes * mean / (np.sqrt(square) + 1e-8)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that the next step depends on, by name."""
        return {
            "numbers": self.numbers,
            "mean": self._mean,
            "square": self._square,
            "steps": np.array([self._steps], np.int64),
        }

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Become what `state` has told of.

        Raises:
            ValueError: it is the state of other numbers; KeyError likewise.
        """
        for name, array in self.state().items():
            if state[name].shape != array.shape or state[name].dtype != array.dtype:
                raise ValueError(name)
        self.numbers, self._mean, self._square = (
            state[name].copy() for name in ("numbers", "mean", "square")
        )
        self._steps = int(state["steps"][0])


def _fitted(
    positions: Positions, what: str, settings: _Arguments, start: Floats, start_extra: Floats
) -> tuple[Floats, Floats]:
    """Numbers in logits, shape (2, 2, `CLASSES`), and those of the situations or contexts, shape (2, n)."""
    random = np.random.default_rng(settings.seed)
    usable = positions.usable(what)
    apart = held_out(len(positions), settings.seed)[usable]
    training, validation = usable[~apart], usable[apart]
    members = class_patterns()
    counts = _occurrences(positions) if what == WORTHS else np.zeros((2, CLASSES))
    parts = Adam((2, 2, PATTERNS), 1 / np.maximum(_of_patterns(counts, members), 1))
    own, extra = Adam(start.shape, 1 / np.maximum(counts, 1)), Adam(start_extra.shape, np.ones(1))

    def together() -> tuple[Floats, Floats]:
        numbers: Floats = start + parts.numbers[:, :, members].sum(axis=3) + own.numbers
        return numbers, start_extra + extra.numbers

    def loss(batch: Ints, slope: Floats, extra_slope: Floats) -> float:
        return _gradient(positions, what, together(), batch, (slope, extra_slope), settings.shared)

    steps = settings.epochs * max(len(training), 1)
    for epoch in range(1, settings.epochs + 1):
        training = random.permutation(training)
        total = 0.0
        for first in range(0, len(training), settings.batch):
            done = ((epoch - 1) * len(training) + first) / steps
            rate = settings.rate * 0.5 * (1 + math.cos(math.pi * done))
            batch = training[first : first + settings.batch]
            slope, extra_slope = np.zeros_like(start), np.zeros_like(start_extra)
            total += loss(batch, slope, extra_slope)
            slope /= len(batch)
            extra_slope /= len(batch)
            # Points where nobody can make anything are left out of the sums: they are worth nothing.
            slope[:, :, 0] = 0
            parts.step(_of_patterns(slope, members), rate)
            own.step(slope + settings.decay * own.numbers, rate)
            extra.step(extra_slope + settings.decay * extra.numbers, rate)
        if settings.report is not None:
            checked = loss(validation, np.zeros_like(start), np.zeros_like(start_extra))
            means = total / max(len(training), 1), checked / max(len(validation), 1)
            settings.report(what, Fit(epoch, *means))
    return together()


def _occurrences(positions: Positions) -> Floats:
    """How often a class occurs in a position, for the side to move and for the other, shape (2, `CLASSES`).

    A number that counts a hundred times in every sum must take smaller steps than one that hardly occurs.
    """
    points = positions.own, positions.other
    return np.stack([np.bincount(each, minlength=CLASSES) / len(positions) for each in points])


def _of_patterns(values: Floats, members: Ints) -> Floats:
    """The sums over the classes that a pattern is in, once for each time it is: shape (..., `PATTERNS`)."""
    found = np.zeros((*values.shape[:-1], PATTERNS))
    for place in np.ndindex(values.shape[:-1]):
        each = np.repeat(values[place], members.shape[1])
        found[place] = np.bincount(members.ravel(), each, PATTERNS)
    found[..., Pattern.DEAD] = 0
    return found


def _gradient(
    positions: Positions,
    what: str,
    numbers: tuple[Floats, Floats],
    batch: Ints,
    slopes: tuple[Floats, Floats],
    shared: bool,
) -> float:
    """Add the gradient of the loss to the slopes, for the positions of a batch; the loss, added up."""
    p = positions
    if what == WORTHS:
        points = p.starts, p.own, p.other, p.turns
        return float(worth_slopes(*points, p.threats, p.targets, *numbers, batch, *slopes, shared))
    looked_at = p.starts, p.own, p.other, p.near, p.turns, p.contexts
    return float(order_slopes(*looked_at, p.chosen, *numbers, batch, *slopes, shared))


def mean_loss(positions: Positions, weights: Weights, what: str, batch: Ints) -> float:
    """The mean loss of given numbers on some positions.

    Args:
        positions: from `positions_of`.
        weights: the numbers.
        what: `WORTHS` or `ORDERS`.
        batch: which positions, all of them usable for it.
    """
    logits = logits_of(weights, positions.sureness)
    numbers = logits.worths if what == WORTHS else logits.orders
    extra = logits.situations if what == WORTHS else logits.contexts
    slopes = np.zeros_like(numbers), np.zeros_like(extra)
    # Numbers that are shared are the same for both colours, so that nobody has to know.
    total = _gradient(positions, what, (numbers, extra), batch, slopes, False)
    return total / max(len(batch), 1)


def predicted(positions: Positions, weights: Weights, batch: Ints) -> Floats:
    """The chance of winning that given numbers see in some positions, from 0 to 1, shape (n,)."""
    p, logits = positions, logits_of(weights, positions.sureness)
    sums = np.zeros(len(batch))
    arrays = p.starts, p.own, p.other, p.turns, p.threats
    worth_logits(*arrays, logits.worths, logits.situations, batch, sums, False)
    chances: Floats = 1 / (1 + np.exp(-sums))
    return chances


def ranks(positions: Positions, weights: Weights, batch: Ints) -> Ints:
    """Which place the chosen move has in the order of given numbers, from 0, shape (n,)."""
    p = positions
    places = np.zeros(len(batch), np.int64)
    arrays = p.starts, p.own, p.other, p.near, p.turns, p.contexts, p.chosen
    logits = logits_of(weights)
    order_ranks(*arrays, logits.orders, logits.contexts, batch, places, False)
    return places
