"""A policy is fitted to the moves that searches chose.

The chance of a move is a softmax over the moves that a search would look at: what the learned orders and
contexts say of each (`evaluation.weights`), which stays as it is, and what the policy adds. The loss is
minus the logarithm of the chosen move's chance. Its slopes are followed backwards through the layers by
hand, and down in batches (`tengen.training.models.trainer`).

The line network is asked about each line of a batch once: there are far fewer of them than moves. What a
line looks like from its two ends is the same, and the four lines of a point are added up: of the eight
symmetries of the board nothing needs to be known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import STEPS_AWAY, WIDTH
from tengen.engine.board.vectors import MOST_ACTIVATED
from tengen.engine.evaluation.line_network import ROW_BITS
from tengen.engine.evaluation.policy import OUT_BITS, Policy
from tengen.training.games.lines import LineTable
from tengen.training.games.policy_positions import PolicyPositions
from tengen.training.models.fitting import Adam
from tengen.training.models.network_layers import LINE_LAYERS, Floats, Ints, Layers, short
from tengen.training.models.policy_kernels import policy_logits, policy_slopes
from tengen.training.models.trainer import Passes, Slopes, one_thread_each

_RATE, _GENTLE = 0.004, 0.002
"""How fast random numbers are left, and those of a policy."""

_UNIT, _CEILING = 1 << ROW_BITS, np.float32(MOST_ACTIVATED / (1 << ROW_BITS))
_HUNDREDTHS = 100
_OUT = _HUNDREDTHS / _UNIT * (1 << OUT_BITS)
"""What the units weigh, in whole numbers: the engine's orders are in hundredths."""

_SMALL = 0.02
"""The spread of what random units weigh: at first they say next to nothing."""

_STEPS, _WHOLE, _WEIGHED = range(LINE_LAYERS, LINE_LAYERS + 3)
"""The places of the other numbers among the weights."""

_CHUNK, _ROWS_BESIDES = 2048, 5
_FEW, _MORE = 4, 8


@dataclass(frozen=True, slots=True)
class Foresight:
    """How well the moves that were chosen are foreseen, on positions kept apart; NaN where there are none.

    Attributes:
        loss: the mean of minus the logarithm of the chosen move's chance.
        first: how often it came first. Of moves of the same chance it has the place in the middle.
        four: how often it was among the first four.
        eight: how often it was among the first eight.
    """

    loss: float
    first: float
    four: float
    eight: float


class PolicyFit(Passes[PolicyPositions, Policy]):
    """A policy while it is fitted.

    Args:
        positions: from what it learns, a set for each size of the board.
        colours: 2 if it is to tell the colours apart, else 1.
        begin: the policy that it begins with, which may be one that does not tell the colours apart; None
            for random numbers.
        seed: of its first numbers and of the order of the positions.
        threads: how many threads share a batch.

    Attributes:
        before: what is foreseen without a policy, by set.
        begun: the same with the policy that it begins with.
    """

    _BATCH, _SLOWLY = 96, 200

    def __init__(
        self,
        positions: Sequence[PolicyPositions],
        colours: int = 1,
        begin: Policy | None = None,
        seed: int = 1,
        threads: int = 2,
    ) -> None:
        layers = Layers.random(seed, colours)
        super().__init__(positions, layers, _RATE if begin is None else _GENTLE, seed, threads)
        self._lines = LineTable(colours)
        shapes = (2, STEPS_AWAY, WIDTH), (WIDTH, WIDTH), (WIDTH,)
        layers.weights += [Adam(shape, np.ones(1)) for shape in shapes]
        layers.biases.append(Adam((colours, WIDTH), np.ones(1)))
        with one_thread_each():
            self._begin(begin, seed)
        self.before = self.foreseen(alone=True)
        self.begun = self.before if begin is None else self.foreseen()

    def in_whole_numbers(self) -> Policy:
        """The policy as it is now."""
        steps, whole, out = (one.numbers for one in self._layers.weights[LINE_LAYERS:])
        return Policy(
            **self._layers.line_numbers(),
            steps=short(steps, _UNIT),
            bias=short(self._layers.biases[-1].numbers, _UNIT),
            whole=whole.astype(np.float32),
            out=short(out, _OUT),
        )

    def _begin(self, policy: Policy | None, seed: int) -> None:
        weights, bias = self._layers.weights, self._layers.biases[-1]
        if policy is None:
            self._layers.scale_rows(self._lines)
            # All else stays nought at first: whatever is added is learned.
            weights[_WEIGHED].numbers = np.random.default_rng((seed, 1)).normal(0, _SMALL, WIDTH)
            return
        self._layers.take_line(policy)
        weights[_STEPS].numbers = policy.steps / _UNIT
        weights[_WHOLE].numbers = policy.whole.astype(np.float64)
        weights[_WEIGHED].numbers = policy.out / _OUT
        bias.numbers = np.broadcast_to(policy.bias / _UNIT, bias.numbers.shape).copy()

    def validation(self) -> float:
        """The mean loss on the positions kept apart, with the policy."""
        return self.overall(self.foreseen()).loss

    def foreseen(self, *, alone: bool = False) -> list[Foresight]:
        """How well the moves chosen in the positions kept apart are foreseen; for each set.

        Args:
            alone: by what has been learned before, without the policy.
        """
        with one_thread_each():
            rows = None if alone else self._layers.all_rows(self._lines)
            return [self._foreseen_in(positions, rows) for positions in self._positions]

    def overall(self, foreseen: Sequence[Foresight]) -> Foresight:
        """How well all positions kept apart are foreseen, from what holds of each set."""
        return Foresight(*map(self.mean, zip(*map(astuple, foreseen), strict=True)))

    def logits(self, positions: PolicyPositions) -> Floats:
        """The logarithms of the chances of moves, but for what those of a position have in common.

        Args:
            positions: whose.

        Returns:
            What learned numbers and policy say together, shape (moves,).
        """
        return self._said(positions, self._layers.all_rows(self._lines))

    def _foreseen_in(self, positions: PolicyPositions, rows: Floats | None) -> Foresight:
        def part(some: Ints) -> npt.NDArray[np.float64]:
            found = [np.zeros((2, 0))]
            for first in range(0, len(some), _CHUNK):
                chunk = positions.taken(some[first : first + _CHUNK])
                logits = chunk.base / np.float32(_HUNDREDTHS) if rows is None else self._said(chunk, rows)
                found.append(_losses_and_places(chunk, logits.astype(np.float64)))
            return np.concatenate(found, axis=1)

        losses, places = np.concatenate(self._share(part, np.flatnonzero(positions.held_out)), axis=1)
        if not len(losses):
            return Foresight(*[math.nan] * 4)
        return Foresight(
            float(losses.mean()), *(float((places < most).mean()) for most in (1, _FEW, _MORE))
        )

    def _said(self, positions: PolicyPositions, rows: Floats) -> Floats:
        """See `logits`; the lines of the positions are places among the rows."""
        found = np.empty(len(positions.base), np.float32)
        (steps, whole, out), bias = self._others()
        p = positions
        moves = p.starts, p.movers, p.base, p.lines, p.lasts, p.befores
        policy_logits(*moves, rows, (steps, whole), bias, out, _CEILING, _room(positions), found)
        return found

    def _others(self) -> tuple[list[Floats], Floats]:
        """The numbers that follow the line network: steps, matrix, what units weigh; and the biases."""
        weights, biases = self._layers.arrays()
        return weights[LINE_LAYERS:], biases[-1]

    def _learn(self, part: PolicyPositions, batch: Ints, rate: float) -> float:
        return self._follow(lambda some: self._slopes(part.taken(some)), batch, rate)

    def _slopes(self, positions: PolicyPositions) -> Slopes:
        """The loss of some positions, added up, and its slopes."""
        used, lines = self._lines.used(positions.lines)
        units = self._layers.rows(self._lines, used)
        rows = units[-1]
        (steps, whole, out), bias = self._others()
        slopes = tuple(np.zeros_like(each) for each in (rows, steps, whole, bias, out))
        p = positions
        moves = p.starts, p.chosen, p.movers, p.base, lines, p.lasts, p.befores
        numbers = (steps, whole), bias, out
        loss = policy_slopes(*moves, rows, *numbers, _CEILING, _room(positions), slopes)
        of_rows, of_steps, of_whole, of_bias, of_out = slopes
        line = self._layers.row_slopes(self._lines, used, units, of_rows)
        return (
            [loss],
            [*(weights for weights, _ in line), of_steps, of_whole, of_out],
            [*(biases for _, biases in line), of_bias],
        )


def _room(positions: PolicyPositions) -> Floats:
    """Room for the units of the moves of any of some positions, and some rows besides."""
    return np.empty((int(np.diff(positions.starts).max(initial=0)) + _ROWS_BESIDES, WIDTH), np.float32)


def _losses_and_places(
    positions: PolicyPositions, logits: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The loss of each position, and which place its chosen move has, from 0: shape (2, n).

    Moves of the same chance share their places: the chosen one gets the middle of them.
    """
    first, counts = positions.starts[:-1], np.diff(positions.starts)
    right = logits[first + positions.chosen]
    beyond = logits - np.repeat(right, counts)
    # Relative to the largest, so that nothing overflows.
    largest = np.maximum.reduceat(beyond, first)
    weights = np.add.reduceat(np.exp(beyond - np.repeat(largest, counts)), first)
    ahead = np.add.reduceat((beyond > 0).astype(np.int64), first)
    level = np.add.reduceat((beyond == 0).astype(np.int64), first) - 1
    return np.stack([largest + np.log(weights), ahead + level // 2])
