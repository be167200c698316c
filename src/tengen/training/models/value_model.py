"""The value network while it is fitted; `tengen.engine.evaluation.network` says what it is.

The loss is the cross-entropy between what static score and network say together of the probability of
winning, and a target (`games.targets`). Each batch is seen under one of the eight symmetries of the board,
which only move the pools. Which lines go through the points of a board is worked out beside the boards, on
the accelerator where there is one.
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
"""The largest learning rate from random parameters, and from those of a network."""

_CEILING = CEILING / (1 << ROW_BITS)
_SAMPLE = 4000
"""Positions by which the means and spreads of the pools are estimated."""

_LEAST_SPREAD = 0.3
_CHUNK = 1024
_OFF_BOARD = 3
_DIRECTIONS = (1, 0), (0, 1), (1, 1), (1, -1)
_INPUTS = 2 * POOLS * WIDTH
_UNIT, _ROW = 1 << UNIT_BITS, 1 << ROW_BITS


def symmetries() -> npt.NDArray[np.int32]:
    """Return where the parts of the board go under each of its symmetries, shape (8, `POOLS`)."""
    parts = np.arange(POOLS, dtype=np.int32).reshape(3, 3)
    turned = [np.rot90(parts, quarter) for quarter in range(4)]
    return np.stack([each.reshape(-1) for one in turned for each in (one, one.T)])


@lru_cache
def layout(size: int) -> npt.NDArray[np.int32]:
    """Return the points of each part of the board, filled up with their number."""
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
    """Return the lines through the points of some boards as each side sees them.

    Args:
        boards: 0 empty, 1 the side to move's, 2 the other's, uint8, shape (n, points).
        movers: the side to move, 0 or 1, shape (n,).
        size: side of the board.
        colours: 2 where Black's lines and White's are told apart, else 1.

    Returns:
        For each direction the numbers of the lines, int32, shape (n, 2, `POOLS`, most): as the side to move
        sees them first, the points by their part of the board; and which of these points are there and
        empty, shape (n, `POOLS`, most).
    """
    count, points = len(boards), jnp.asarray(layout(size))
    board = boards.reshape(count, size, size).astype(jnp.int32)
    board = jnp.pad(board, ((0, 0), (REACH, REACH), (REACH, REACH)), constant_values=_OFF_BOARD)

    def code(right: int, up: int) -> jax.Array:
        """Return the codes of one side of all points, shape (n, `POOLS`, most)."""
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
    """Return values of points by part of the board, shape (n, `POOLS`, most)."""
    return jnp.pad(values, ((0, 0), (0, 1))).at[:, points].get(mode="promise_in_bounds")


@partial(jax.jit, static_argnums=2)
def _occurring(
    lines: list[jax.Array], empty: jax.Array, count: int
) -> tuple[jax.Array, jax.Array, list[jax.Array]]:
    """Return which of all lines occur, how many they are, and the places of the lines among them."""
    occurs = jnp.zeros(count + 1, jnp.int32)
    for numbers in lines:
        occurs = occurs.at[jnp.where(empty[:, None], numbers, count).reshape(-1)].set(1)
    occurs = occurs.at[count].set(0)
    number = jnp.maximum(jnp.cumsum(occurs) - 1, 0)
    return occurs, number[count], [taken(number, numbers) for numbers in lines]


@partial(jax.jit, static_argnums=1)
def _numbers_of(occurs: jax.Array, length: int) -> jax.Array:
    """Return the numbers of the lines that occur, filled up with line 0, shape (length,)."""
    return jnp.nonzero(occurs, size=length, fill_value=0)[0].astype(jnp.int32)


def pooled(rows: jax.Array, places: Sequence[jax.Array], empty: jax.Array) -> jax.Array:
    """Return the activated sums of the empty points of each part of the board, added up.

    Args:
        rows: float32, shape (lines, `WIDTH`).
        places: of the lines in them, by direction; see `lines_of`.
        empty: which points are empty.

    Returns:
        float32, shape (n, 2, `POOLS`, `WIDTH`).
    """
    sums = leaky(line_sums(rows, places))
    active = jnp.where(sums < _CEILING, sums, _CEILING)
    there = jnp.broadcast_to(empty[:, None].astype(jnp.float32), active.shape[:-1])
    # A product is computed from what stands in memory; a sum would gather the rows again for each number.
    return jnp.einsum("nvkp,nvkpw->nvkw", there, active)


def value_logits(
    parameters: Parameters, pools: jax.Array, movers: jax.Array, scores: jax.Array
) -> jax.Array:
    """Return what static score and network say together, before any doubt in scores, shape (n,).

    Args:
        parameters: of the head; ``first`` has an input more where the colours are told apart.
        pools: less their means, in parts of their spreads, float32, shape (n, 2, `POOLS`, `WIDTH`).
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
    """A value network while it is fitted.

    Args:
        positions: what it learns from, a set for each size of the board.
        colours: 2 if it is to tell the colours apart, else 1.
        begin: the network it begins with, which may be one that does not tell the colours apart; None for
            random parameters.
        seed: of these.

    Attributes:
        before: the losses on the validation set without any network, by set.
        begun: with the network it begins with.
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
        """Return the means and spreads of pools in a sample of positions, (`POOLS`, `WIDTH`) each."""
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
            # At first the network says next to nothing.
            "last": random_layer(rng, UNITS, 1, 0.1)[:, 0],
            "last_bias": np.zeros(()),
        }
        return {name: jnp.asarray(value, jnp.float32) for name, value in layers.items()}

    def _columns(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the means and spreads of all pools as columns, shape (2 * `POOLS` * `WIDTH`, 1)."""
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
        """Return the network as it is now, as the engine has it."""
        arrays = {name: np.asarray(value) for name, value in self.parameters.items()}
        mean, spread = self._columns()
        first = arrays["first"].astype(np.float64)
        # The engine's head sees pools of whole numbers, neither centred nor scaled.
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
        """Return the arrays of some positions, under a symmetry drawn by lot."""
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
        # Sums are gathered again for the gradient, which is faster than to keep what it needs of them.
        pools = jax.checkpoint(pooled)(rows, batch["places"], batch["empty"])
        pools = (pools - self._mean) / self._spread
        pools = taken(pools.transpose(2, 0, 1, 3), batch["symmetry"]).transpose(1, 2, 0, 3)
        logits = value_logits(parameters, pools, batch["movers"], batch["scores"])
        found: jax.Array = logits * batch["sureness"]
        return found

    def logits(self, positions: BoardPositions, chosen: Ints) -> Floats:
        """Return what static score and network say together of some positions, float32, shape (n,)."""
        rows, found = all_rows(self.parameters), [np.zeros(0, np.float32)]
        for first in range(0, len(chosen), _CHUNK):
            part = chosen[first : first + _CHUNK]
            # Chunks of few lengths: each is compiled once.
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
        """Return the mean loss on the validation set by what is said of it, for each set of positions."""
        return [
            _mean_loss(logits(positions, chosen), positions.targets[chosen])
            for positions in self.positions
            for chosen in [np.flatnonzero(positions.held_out)]
        ]

    def validation(self) -> float:
        """Return the mean loss on the validation set."""
        return self.mean(self.losses(self.logits))

    def calibration(self) -> list[Bin]:
        """Return predictions and results on the validation set, where the game's end is known."""
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
