"""The value network in training; `tengen.engine.evaluation.network` describes it.

The loss is the cross-entropy between the probability of winning by the sum of the static score and the
network's output, and a target (`games.targets`). Each batch is transformed by one of the eight symmetries
of the board, which only permute the pools. The lines through the points of the boards are computed on the
device that trains, an accelerator if there is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import REACH
from tengen.engine.board.records import CEILING, POOLS, UNIT_BITS, UNITS, WIDTH
from tengen.engine.evaluation.line_network import ROW_BITS
from tengen.engine.evaluation.network import Network, parts_of
from tengen.training.games.board_positions import BoardPositions
from tengen.training.games.lines import PAIRS, LineTable
from tengen.training.models.arrays import (
    Batch,
    Floats,
    Ints,
    Parameters,
    bucket,
    cross_entropy,
    int16,
    int32,
    leaky,
    taken,
)
from tengen.training.models.calibration import Bin, calibrated
from tengen.training.models.line_model import (
    all_rows,
    line_parameters,
    line_rows,
    line_sums,
    quantised_line,
    random_layer,
    random_line,
    with_colours,
)
from tengen.training.models.trainer import Model

_RATE, _GENTLE_RATE = 0.003, 0.002
"""The maximum learning rate from random parameters, and from those of an existing network."""

_CEILING = CEILING / (1 << ROW_BITS)
_SAMPLE = 4000
"""The number of positions from which the means and standard deviations of the pools are estimated."""

_LEAST_SPREAD = 0.3
_CHUNK = 1024
_OFF_BOARD = 3
_DIRECTIONS = (1, 0), (0, 1), (1, 1), (1, -1)
_INPUTS = 2 * POOLS * WIDTH
_UNIT, _ROW = 1 << UNIT_BITS, 1 << ROW_BITS


def symmetries() -> npt.NDArray[np.int32]:
    """Return the permutation of the parts of the board under each symmetry, shape (8, `POOLS`)."""
    parts = np.arange(POOLS, dtype=np.int32).reshape(3, 3)
    turned = [np.rot90(parts, quarter) for quarter in range(4)]
    return np.stack([each.reshape(-1) for one in turned for each in (one, one.T)])


@lru_cache
def layout(size: int) -> npt.NDArray[np.int32]:
    """Return the points of each part of the board, padded with the number of points, (`POOLS`, most)."""
    parts = parts_of(size)
    found = np.full((POOLS, np.bincount(parts).max()), size * size, np.int32)
    for part in range(POOLS):
        points = np.flatnonzero(parts == part)
        found[part, : len(points)] = points
    return found


_TABLE = LineTable(1)


@partial(jax.jit, static_argnums=(2, 3))
def lines_of(
    boards: jax.Array, movers: jax.Array, size: int, colours: int
) -> tuple[list[jax.Array], jax.Array]:
    """Return the lines through the points of some boards, from the point of view of each side.

    Args:
        boards: 0 for an empty point, 1 for the side to move, 2 for the other side, uint8, shape (n,
            points).
        movers: the side to move, 0 for Black and 1 for White, shape (n,).
        size: side of the board.
        colours: 2 where Black's and White's lines are distinguished, else 1.

    Returns:
        For each direction the numbers of the lines, int32, shape (n, 2, `POOLS`, most): first for the side
        to move, then for the other side, the points by their part of the board; and a mask of the points
        that exist and are empty, shape (n, `POOLS`, most).
    """
    count, points = len(boards), jnp.asarray(layout(size))
    board = boards.reshape(count, size, size).astype(jnp.int32)
    board = jnp.pad(board, ((0, 0), (REACH, REACH), (REACH, REACH)), constant_values=_OFF_BOARD)

    def code(right: int, up: int) -> jax.Array:
        """Return the codes of the neighbours on one side of all points, shape (n, `POOLS`, most)."""
        found = jnp.zeros((count, size, size), jnp.int32)
        for step in range(1, REACH + 1):
            x, y = REACH + step * right, REACH + step * up
            found |= board[:, y : y + size, x : x + size] << (2 * (step - 1))
        return _by_part(found.reshape(count, -1), points)

    lines = []
    for right, up in _DIRECTIONS:
        ahead, behind = code(right, up), code(-right, -up)
        views = []
        for view in range(2):
            numbers = jnp.asarray(_TABLE.by_code[0, view], jnp.int32)
            sides = taken(numbers, ahead), taken(numbers, behind)
            larger, smaller = jnp.maximum(*sides), jnp.minimum(*sides)
            colour = (movers.astype(jnp.int32) ^ view) * (colours - 1)
            views.append(larger * (larger + 1) // 2 + smaller + PAIRS * colour[:, None, None])
        lines.append(jnp.stack(views, axis=1))
    return lines, _by_part(boards == 0, points)


def _by_part(values: jax.Array, points: jax.Array) -> jax.Array:
    """Return per-point values by part of the board, shape (n, `POOLS`, most)."""
    return jnp.pad(values, ((0, 0), (0, 1))).at[:, points].get(mode="promise_in_bounds")


@partial(jax.jit, static_argnums=2)
def _occurring(
    lines: list[jax.Array], empty: jax.Array, count: int
) -> tuple[jax.Array, jax.Array, list[jax.Array]]:
    """Return a mask of the lines that occur, the index of the last, and the lines as indexes among them."""
    occurs = jnp.zeros(count + 1, jnp.int32)
    for numbers in lines:
        occurs = occurs.at[jnp.where(empty[:, None], numbers, count).reshape(-1)].set(1)
    occurs = occurs.at[count].set(0)
    number = jnp.maximum(jnp.cumsum(occurs) - 1, 0)
    return occurs, number[count], [taken(number, numbers) for numbers in lines]


@partial(jax.jit, static_argnums=1)
def _numbers_of(occurs: jax.Array, length: int) -> jax.Array:
    """Return the numbers of the lines that occur, padded with line 0, shape (length,)."""
    return jnp.nonzero(occurs, size=length, fill_value=0)[0].astype(jnp.int32)


def pooled(rows: jax.Array, places: Sequence[jax.Array], empty: jax.Array) -> jax.Array:
    """Return the sum of the activations of the empty points of each part of the board.

    Args:
        rows: the rows of lines, float32, shape (lines, `WIDTH`).
        places: the indexes of the lines among the rows, by direction; see `lines_of`.
        empty: a mask of the empty points.

    Returns:
        The pools, float32, shape (n, 2, `POOLS`, `WIDTH`).
    """
    sums = leaky(line_sums(rows, places))
    active = jnp.where(sums < _CEILING, sums, _CEILING)
    there = jnp.broadcast_to(empty[:, None].astype(jnp.float32), active.shape[:-1])
    # A matrix product reads the sums from memory; a plain sum would be fused with, and repeat, the
    # gathering of rows.
    return jnp.einsum("nvkp,nvkpw->nvkw", there, active)


def value_logits(
    parameters: Parameters, pools: jax.Array, movers: jax.Array, scores: jax.Array
) -> jax.Array:
    """Return the sum of static score and network output, before the factor of sureness, shape (n,).

    Args:
        parameters: the parameters of the head; ``first`` has an additional input where the colours are
            distinguished.
        pools: the pools, standardised, float32, shape (n, 2, `POOLS`, `WIDTH`).
        movers: the side to move, shape (n,).
        scores: static scores, shape (n,).
    """
    first = parameters["first"]
    units = pools.reshape(len(pools), -1) @ first[:_INPUTS] + parameters["first_bias"]
    if first.shape[0] > _INPUTS:
        units += movers[:, None] * first[_INPUTS]
    units = leaky(leaky(units) @ parameters["second"] + parameters["second_bias"])
    return units @ parameters["last"] + parameters["last_bias"] + scores


class ValueModel(Model[BoardPositions, Network]):
    """A value network during training.

    Args:
        positions: the training data, one set for each board size.
        colours: 2 if the network distinguishes the colours, else 1.
        begin: the network that training starts from, which may not distinguish the colours; None for random
            parameters.
        seed: the seed of the random parameters.

    Attributes:
        before: the losses on the validation set without any network, by set.
        begun: the losses with the network that training starts from, by set.
    """

    batch_size, warm_up_steps = 512, 50

    def __init__(
        self,
        positions: Sequence[BoardPositions],
        colours: int = 1,
        begin: Network | None = None,
        seed: int = 1,
    ) -> None:
        self.positions, self._colours = positions, colours
        self.rate = _RATE if begin is None else _GENTLE_RATE
        rng = np.random.default_rng(seed)
        line = random_line(rng, colours) if begin is None else line_parameters(begin, colours)
        self._count = colours * PAIRS
        self._symmetries = symmetries()
        self._mean, self._spread = self._measured(line)
        head = self._random_head(rng) if begin is None else self._head_of(begin)
        self.parameters = {**line, **head}
        self._forward = jax.jit(self._logits)
        self.before = self.losses(lambda some, chosen: np.float32(some.sureness) * some.scores[chosen])
        self.begun = self.before if begin is None else self.losses(self.logits)

    def _measured(self, line: Parameters) -> tuple[Floats, Floats]:
        """Return the means and deviations of pools in a sample of positions, (`POOLS`, `WIDTH`) each."""
        rows, every = all_rows(line), max(sum(map(len, self.positions)) // _SAMPLE, 1)
        pools = np.concatenate(
            [
                np.asarray(_pooled(rows, *self._lines_of(some, part)))
                for some in self.positions
                for sample in [np.arange(0, len(some), every)]
                for part in np.array_split(sample, max(len(sample) // _CHUNK, 1))
            ]
        )
        return pools.mean(axis=(0, 1)), np.maximum(pools.std(axis=(0, 1)), np.float32(_LEAST_SPREAD))

    def _random_head(self, rng: np.random.Generator) -> Parameters:
        layers = {
            "first": random_layer(rng, _INPUTS, UNITS, colour_inputs=self._colours - 1),
            "first_bias": np.zeros(UNITS),
            "second": random_layer(rng, UNITS, UNITS),
            "second_bias": np.zeros(UNITS),
            # The initial output is close to zero.
            "last": random_layer(rng, UNITS, 1, 0.1)[:, 0],
            "last_bias": np.zeros(()),
        }
        return {name: jnp.asarray(value, jnp.float32) for name, value in layers.items()}

    def _columns(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the means and deviations of all pools as columns, shape (2 * `POOLS` * `WIDTH`, 1)."""
        mean, spread = (np.tile(one.reshape(-1), 2)[:, None] for one in (self._mean, self._spread))
        return mean.astype(np.float64), spread.astype(np.float64)

    def _head_of(self, network: Network) -> Parameters:
        """Return the parameters of a quantised head."""
        mean, spread = self._columns()
        first = network.first / _UNIT * _ROW
        bias = network.first_bias / _UNIT + (first * mean).sum(axis=0)
        weights, black = with_colours(first * spread, bias, self._colours)
        layers = {
            "first": weights,
            "first_bias": black,
            "second": network.second,
            "second_bias": network.second_bias,
            "last": network.last,
            "last_bias": network.last_bias[0],
        }
        return {name: jnp.asarray(value, jnp.float32) for name, value in layers.items()}

    def quantised(self) -> Network:
        """Return the current network, quantised for the engine."""
        arrays = {name: np.asarray(value) for name, value in self.parameters.items()}
        mean, spread = self._columns()
        first = arrays["first"].astype(np.float64)
        # The engine's head reads integer pools, neither centred nor scaled.
        bias = arrays["first_bias"] - (first[:_INPUTS] * mean / spread).sum(axis=0)
        sizes = [positions.size for positions in self.positions]
        return Network(
            **quantised_line(self.parameters),
            sizes=np.array([min(sizes), max(sizes)], np.int64),
            first=int16(first[:_INPUTS] / spread / _ROW, _UNIT),
            first_bias=int32(np.stack([bias, *(bias + first[_INPUTS:])]), _UNIT),
            second=arrays["second"],
            second_bias=arrays["second_bias"],
            last=arrays["last"],
            last_bias=arrays["last_bias"].reshape(1),
        )

    def batch(self, positions: BoardPositions, chosen: Ints, rng: np.random.Generator) -> Batch:
        """Return the arrays of some positions, under a random symmetry."""
        lines, empty = self._lines_of(positions, chosen)
        occurs, last, places = _occurring(lines, empty, self._count)
        return {
            "lines": _numbers_of(occurs, min(bucket(int(last) + 1), self._count)),
            "places": places,
            **self._known(positions, chosen),
            "empty": empty,
            "symmetry": self._symmetries[rng.integers(len(self._symmetries))],
        }

    def _lines_of(self, positions: BoardPositions, chosen: Ints) -> tuple[list[jax.Array], jax.Array]:
        """Return the lines through the points of some positions; see `lines_of`."""
        boards, movers = positions.boards[chosen], positions.movers[chosen]
        found: tuple[list[jax.Array], jax.Array] = lines_of(boards, movers, positions.size, self._colours)
        return found

    def _known(self, positions: BoardPositions, chosen: Ints) -> Batch:
        return {
            "movers": positions.movers[chosen].astype(np.float32),
            "scores": positions.scores[chosen],
            "targets": positions.targets[chosen],
            "sureness": np.float32(positions.sureness),
        }

    def loss(self, parameters: Parameters, batch: Batch) -> jax.Array:
        """Return the mean cross-entropy of a batch."""
        rows = line_rows(parameters, batch["lines"])
        return cross_entropy(self._logits(parameters, rows, batch), batch["targets"]).mean()

    def _logits(self, parameters: Parameters, rows: jax.Array, batch: Batch) -> jax.Array:
        """Return the logits of the positions of a batch, shape (n,)."""
        # Recomputing the sums for the gradient is faster than storing what it needs of them.
        pools = jax.checkpoint(pooled)(rows, batch["places"], batch["empty"])
        pools = (pools - self._mean) / self._spread
        pools = taken(pools.transpose(2, 0, 1, 3), batch["symmetry"]).transpose(1, 2, 0, 3)
        logits = value_logits(parameters, pools, batch["movers"], batch["scores"])
        found: jax.Array = logits * batch["sureness"]
        return found

    def logits(self, positions: BoardPositions, chosen: Ints) -> Floats:
        """Return the sum of static score and network output for some positions, float32, shape (n,)."""
        rows, found = all_rows(self.parameters), [np.zeros(0, np.float32)]
        for first in range(0, len(chosen), _CHUNK):
            part = chosen[first : first + _CHUNK]
            # Chunks of few distinct lengths, since each is compiled once.
            some = np.resize(part, min(bucket(len(part)), _CHUNK))
            places, empty = self._lines_of(positions, some)
            batch = {
                "places": places,
                "empty": empty,
                **self._known(positions, some),
                "symmetry": self._symmetries[0],
            }
            found.append(np.asarray(self._forward(self.parameters, rows, batch))[: len(part)])
        return np.concatenate(found)

    def losses(self, logits: Callable[[BoardPositions, Ints], Floats]) -> list[float]:
        """Return the mean loss of given logits on the validation set, for each set of positions."""
        return [
            _mean_loss(logits(positions, chosen), positions.targets[chosen])
            for positions in self.positions
            for chosen in [np.flatnonzero(positions.held_out)]
        ]

    def validation(self) -> float:
        """Return the mean loss on the validation set."""
        return self.mean(self.losses(self.logits))

    def calibration(self) -> list[Bin]:
        """Return the calibration on the positions of the validation set whose game's result is known."""
        predicted, results = [np.zeros(0)], [np.zeros(0)]
        for positions in self.positions:
            chosen = np.flatnonzero(positions.held_out)
            predicted.append(1 / (1 + np.exp(-self.logits(positions, chosen).astype(np.float64))))
            results.append(positions.results[chosen].astype(np.float64))
        return calibrated(np.concatenate(predicted), np.concatenate(results))


_pooled = jax.jit(pooled)


def _mean_loss(logits: Floats, targets: Floats) -> float:
    """Return the mean cross-entropy; NaN where there are no positions."""
    found = np.logaddexp(0, logits) - targets * logits
    return float(found.mean()) if len(logits) else math.nan
