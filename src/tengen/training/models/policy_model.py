"""The policy in training; `tengen.engine.evaluation.policy` describes it.

The probability of a move is a softmax over the moves that a search would consider. Its logit is the sum of
the learned orders and contexts (`tengen.engine.evaluation.weights`), which stay fixed, and the output of
the policy. The loss is minus the log-probability of the chosen move.

A line has the same row in both directions, and the rows of the four lines of a point are summed, so the
policy is invariant under the eight symmetries of the board.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import STEPS_AWAY, WIDTH
from tengen.engine.board.vectors import MOST_ACTIVATED
from tengen.engine.evaluation.line_network import ROW_BITS
from tengen.engine.evaluation.policy import OUT_BITS, Policy
from tengen.training.games.lines import LineTable
from tengen.training.games.policy_positions import PolicyPositions
from tengen.training.models.arrays import (
    Batch,
    Floats,
    Ints,
    Parameters,
    bucket,
    int16,
    leaky,
    losses_and_ranks,
    move_losses,
    padded,
    segment_sum,
    segments,
    taken,
)
from tengen.training.models.line_model import (
    all_rows,
    line_parameters,
    line_rows,
    line_sums,
    quantised_line,
    random_line,
)
from tengen.training.models.trainer import Model

_RATE, _GENTLE_RATE = 0.004, 0.002
"""The maximum learning rate from random parameters, and from those of an existing policy."""

_UNIT, _CEILING = 1 << ROW_BITS, MOST_ACTIVATED / (1 << ROW_BITS)
_HUNDREDTHS = 100
_OUT = _HUNDREDTHS / _UNIT * (1 << OUT_BITS)
"""The scale at which the output weights are quantised: the engine's orders are in hundredths."""

_SMALL = 0.02
"""The standard deviation of random output weights: the initial output is close to zero."""

_CHUNK = 1024
_FEW, _MORE = 4, 8


@dataclass(frozen=True, slots=True)
class PolicyMetrics:
    """Metrics of the predictions of chosen moves on the validation set; NaN where it is empty.

    Attributes:
        loss: the mean of minus the log-probability of the chosen move.
        first: the share of positions whose chosen move ranks first; equally probable moves share the middle
            rank.
        four: the share whose chosen move is among the first four.
        eight: the share whose chosen move is among the first eight.
    """

    loss: float
    first: float
    four: float
    eight: float


def policy_logits(parameters: Parameters, rows: jax.Array, batch: Batch) -> jax.Array:
    """Return the logit of each move, up to a constant per position.

    Args:
        parameters: ``steps``, shape (2, `STEPS_AWAY`, `WIDTH`); ``whole``, shape (`WIDTH`, `WIDTH`);
            ``bias``, shape (colours, `WIDTH`); ``out``, shape (`WIDTH`,).
        rows: the rows of lines, float32, shape (lines, `WIDTH`).
        batch: by move, ``places`` of its lines, four arrays of shape (moves,), and ``lasts``, ``befores``,
            ``base`` and ``segment`` (the position), shape (moves,); by position, ``movers`` and ``counts``
            (the number of moves), shape (n,).

    Returns:
        The logits, float32, shape (moves,).
    """
    sums, counts = line_sums(rows, batch["places"]), batch["counts"]
    mean = segment_sum(jnp.minimum(leaky(sums), _CEILING), batch["segment"], len(counts)) / counts[:, None]
    bias = parameters["bias"]
    mover = batch["movers"] if bias.shape[0] > 1 else jnp.zeros_like(batch["movers"])
    common = mean @ parameters["whole"] + taken(bias, mover)
    # Padding moves have a segment beyond the last position; their values are not used.
    common = taken(common, jnp.minimum(batch["segment"], len(counts) - 1))
    last, before = parameters["steps"]
    units = leaky(sums + common + taken(last, batch["lasts"]) + taken(before, batch["befores"]))
    logits: jax.Array = units @ parameters["out"] + batch["base"]
    return logits


class PolicyModel(Model[PolicyPositions, Policy]):
    """A policy during training.

    Args:
        positions: the training data, one set for each board size.
        colours: 2 if the policy distinguishes the colours, else 1.
        begin: the policy that training starts from, which may not distinguish the colours; None for random
            parameters.
        seed: the seed of the random parameters.

    Attributes:
        before: the metrics without a policy, by set.
        begun: the metrics with the policy that training starts from, by set.
    """

    batch_size, warm_up_steps = 96, 200

    def __init__(
        self,
        positions: Sequence[PolicyPositions],
        colours: int = 1,
        begin: Policy | None = None,
        seed: int = 1,
    ) -> None:
        self.positions, self._lines = positions, LineTable(colours)
        self.rate = _RATE if begin is None else _GENTLE_RATE
        rng = np.random.default_rng(seed)
        if begin is None:
            # Parameters other than the line network and the output weights are initially zero.
            others: dict[str, Any] = {
                "steps": np.zeros((2, STEPS_AWAY, WIDTH)),
                "bias": np.zeros((colours, WIDTH)),
                "whole": np.zeros((WIDTH, WIDTH)),
                "out": rng.normal(0, _SMALL, WIDTH),
            }
            line = random_line(rng, colours)
        else:
            others = {
                "steps": begin.steps / _UNIT,
                "bias": np.broadcast_to(begin.bias / _UNIT, (colours, WIDTH)),
                "whole": begin.whole,
                "out": begin.out / _OUT,
            }
            line = line_parameters(begin, colours)
        self.parameters = {
            **line,
            **{name: jnp.asarray(each, jnp.float32) for name, each in others.items()},
        }
        self._forward = jax.jit(policy_logits)
        self.before = self.metrics(alone=True)
        self.begun = self.before if begin is None else self.metrics()

    def quantised(self) -> Policy:
        """Return the current policy, quantised for the engine."""
        arrays = {name: np.asarray(value) for name, value in self.parameters.items()}
        return Policy(
            **quantised_line(self.parameters),
            steps=int16(arrays["steps"], _UNIT),
            bias=int16(arrays["bias"], _UNIT),
            whole=arrays["whole"],
            out=int16(arrays["out"], _OUT),
        )

    def batch(self, positions: PolicyPositions, chosen: Ints, rng: np.random.Generator) -> Batch:
        """Return the arrays of the moves of some positions."""
        some = positions.taken(chosen)
        used, places = self._lines.used(some.lines)
        return {
            "lines": padded(used.astype(np.int32), min(bucket(len(used)), len(self._lines))),
            **_moves(some, places, bucket(len(some.base))),
        }

    def loss(self, parameters: Parameters, batch: Batch) -> jax.Array:
        """Return the mean of minus the log-probability of the chosen moves."""
        logits = policy_logits(parameters, line_rows(parameters, batch["lines"]), batch)
        return move_losses(logits, batch["segment"], batch["chosen"]).mean()

    def validation(self) -> float:
        """Return the mean loss on the validation set, with the policy."""
        return self.overall(self.metrics()).loss

    def metrics(self, *, alone: bool = False) -> list[PolicyMetrics]:
        """Return the metrics on the validation set, for each set of positions.

        Args:
            alone: whether to use the point-class weights alone, without the policy.
        """
        return [self._metrics(positions, alone=alone) for positions in self.positions]

    def overall(self, metrics: Sequence[PolicyMetrics]) -> PolicyMetrics:
        """Return the metrics on the whole validation set, from those of each set."""
        return PolicyMetrics(*map(self.mean, zip(*map(astuple, metrics), strict=True)))

    def logits(self, positions: PolicyPositions) -> Floats:
        """Return the logits of all moves of some positions, up to a constant per position, (moves,)."""
        rows, found = all_rows(self.parameters), [np.zeros(0, np.float32)]
        for first in range(0, len(positions), _CHUNK):
            some = positions.taken(np.arange(first, min(first + _CHUNK, len(positions))))
            batch = _moves(some, some.lines, bucket(len(some.base)), bucket(len(some)))
            found.append(np.asarray(self._forward(self.parameters, rows, batch))[: len(some.base)])
        return np.concatenate(found)

    def _metrics(self, positions: PolicyPositions, *, alone: bool) -> PolicyMetrics:
        some = positions.taken(np.flatnonzero(positions.held_out))
        if not len(some):
            return PolicyMetrics(*[math.nan] * 4)
        logits = some.base / np.float32(_HUNDREDTHS) if alone else self.logits(some)
        losses, ranks = losses_and_ranks(some.starts, some.chosen, logits.astype(np.float64))
        return PolicyMetrics(
            float(losses.mean()), *(float((ranks < most).mean()) for most in (1, _FEW, _MORE))
        )


def _moves(
    positions: PolicyPositions, places: npt.NDArray[np.int32], length: int, count: int | None = None
) -> Batch:
    """Return the batch of the moves of some positions, padded to a length, the positions to a count."""
    counts = np.diff(positions.starts)
    count = len(counts) if count is None else count
    return {
        "places": [padded(np.ascontiguousarray(places[:, way]), length) for way in range(4)],
        "lasts": padded(positions.lasts, length).astype(np.int32),
        "befores": padded(positions.befores, length).astype(np.int32),
        "base": padded(positions.base, length).astype(np.float32) / _HUNDREDTHS,
        "segment": segments(counts, length),
        "counts": padded(counts, count, 1).astype(np.float32),
        "movers": padded(positions.movers, count).astype(np.int32),
        "chosen": padded(positions.starts[:-1] + positions.chosen, count).astype(np.int32),
    }
