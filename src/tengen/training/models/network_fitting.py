"""A network is fitted to what remains: what games and searches say beyond the sum of learned numbers.

The loss is the cross-entropy between the chance that static score and network see together and the
target (`games.targets`). Its slopes are followed backwards through the layers by hand, and down
in batches (`models.trainer`). Each batch is seen under one of the eight symmetries of the board,
which only move the pools.

The line network is asked about each line of a batch once: there are far fewer of them than points.
Positions may be of several sizes of the board, those of a batch are of one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import CEILING, POOLS, UNIT_BITS, UNITS, WIDTH
from tengen.engine.evaluation.line_network import ROW_BITS
from tengen.engine.evaluation.network import Network, parts_of
from tengen.training.games.board_positions import BoardPositions
from tengen.training.games.lines import LineTable, with_colour
from tengen.training.models.network_kernels import pooled, pooled_slopes
from tengen.training.models.network_layers import (
    Floats,
    Ints,
    Layers,
    layer,
    leaky,
    shares,
    short,
    symmetries,
    whole,
)
from tengen.training.models.run import Bin, calibrated
from tengen.training.models.trainer import Passes, Slopes, one_thread_each

_RATE, _GENTLE = 0.003, 0.002
"""How fast random numbers are left, and those of a network."""

_CEILING = np.float32(CEILING / (1 << ROW_BITS))
_SAMPLE = 4000
"""Positions by which the sizes of the pools are estimated."""

_CHUNK = 2048
_HEAD = (2 * POOLS * WIDTH, UNITS), (UNITS, UNITS), (UNITS, 1)
"""Inputs and outputs of the layers of the head."""


class NetworkFit(Passes[BoardPositions, Network]):
    """A network while it is fitted.

    Args:
        positions: from what it learns, a set for each size of the board.
        colours: 2 if it is to tell the colours apart, else 1.
        begin: the network that it begins with, which may be one that does not tell the colours apart; None
            for random numbers.
        seed: of its first numbers and of the order of the positions.
        threads: how many threads share a batch.

    Attributes:
        before: the losses on the positions kept apart without any network, by set.
        begun: the same with the network that it begins with.
    """

    _BATCH, _SLOWLY = 512, 50

    def __init__(
        self,
        positions: Sequence[BoardPositions],
        colours: int = 1,
        begin: Network | None = None,
        seed: int = 1,
        threads: int = 2,
    ) -> None:
        layers = Layers.random(seed, colours, _HEAD)
        super().__init__(positions, layers, _RATE if begin is None else _GENTLE, seed, threads)
        self._colours, self._lines, self._turned = colours, LineTable(colours), symmetries()
        self._mean = self._spread = np.zeros((POOLS, WIDTH), np.float32)
        with one_thread_each():
            self._begin(begin)
            self.before = self.losses(lambda part, chosen: np.float32(part.sureness) * part.scores[chosen])
            self.begun = self.before if begin is None else self.losses(self.logits)

    def _measured(self) -> dict[str, npt.NDArray[Any]]:
        return {"mean": self._mean, "spread": self._spread}

    def _take(self, measured: Mapping[str, npt.NDArray[Any]]) -> None:
        self._mean, self._spread = measured["mean"], measured["spread"]

    def in_whole_numbers(self) -> Network:
        """The network as it is now."""
        weights, biases = (
            [one.numbers for one in each] for each in (self._layers.weights, self._layers.biases)
        )
        row, unit = 1 << ROW_BITS, 1 << UNIT_BITS
        # The head sees pools of whole numbers, less their means and in parts of their spreads.
        mean, spread = self._measures()
        first = weights[3][: len(spread)]
        bias = biases[3] - (first * mean / spread).sum(axis=0)
        sizes = [positions.size for positions in self._positions]
        return Network(
            **self._layers.line_numbers(),
            sizes=np.array([min(sizes), max(sizes)], np.int64),
            first=short(first / spread / row, unit),
            first_bias=whole(np.stack([bias, *(bias + weights[3][len(spread) :])]), unit),
            second=weights[4].astype(np.float32),
            second_bias=biases[4].astype(np.float32),
            last=weights[5][:, 0].astype(np.float32),
            last_bias=biases[5].astype(np.float32),
        )

    def _begin(self, network: Network | None) -> None:
        """Scale random rows so that lines differ, and find out how large the pools are."""
        if network is None:
            self._layers.scale_rows(self._lines)
        else:
            self._layers.take_line(network)
        rows, count = self._layers.all_rows(self._lines), sum(map(len, self._positions))
        pools = np.concatenate(
            [
                _pools(positions.size, self._lines.of(positions, some), rows)
                for positions in self._positions
                for some in [np.arange(0, len(positions), max(count // _SAMPLE, 1))]
            ]
        )
        self._mean = pools.mean(axis=(0, 1))
        self._spread = np.maximum(pools.std(axis=(0, 1)), np.float32(0.3))
        if network is not None:
            self._layers.take_head(network, *self._measures())

    def _measures(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The means and spreads of all pools, each as a column."""
        mean, spread = (np.tile(one.reshape(-1), 2)[:, None] for one in (self._mean, self._spread))
        return mean.astype(np.float64), spread.astype(np.float64)

    def losses(self, logits: Callable[[BoardPositions, Ints], Floats]) -> list[float]:
        """The mean loss on the positions kept apart, by what is said of them; for each set of positions."""
        return [
            _loss(logits(positions, chosen), positions.targets[chosen])
            for positions in self._positions
            for chosen in [np.flatnonzero(positions.held_out)]
        ]

    def validation(self) -> float:
        """The mean loss on the positions kept apart, with the network."""
        return self.mean(self.losses(self.logits))

    def calibration(self) -> list[Bin]:
        """What it predicts of the positions kept apart whose games' ends are known, and how they ended."""
        chances, results = [np.zeros(0)], [np.zeros(0)]
        with one_thread_each():
            for positions in self._positions:
                chosen = np.flatnonzero(positions.held_out)
                chances.append(1 / (1 + np.exp(-self.logits(positions, chosen).astype(np.float64))))
                results.append(positions.results[chosen].astype(np.float64))
        return calibrated(np.concatenate(chances), np.concatenate(results))

    def _head(self, pools: Floats, movers: npt.NDArray[np.uint8]) -> list[Floats]:
        """What goes into each layer of the head, and what comes out at last."""
        weights, biases = (each[3:] for each in self._layers.arrays())
        inputs = ((pools - self._mean) / self._spread).reshape(len(pools), -1)
        inputs = with_colour(inputs, movers, self._colours)
        units = layer(inputs, weights[0], biases[0])
        others = layer(leaky(units), weights[1], biases[1])
        logits = layer(leaky(others), weights[2], biases[2])
        return [inputs, units, others, logits[:, 0]]

    def logits(self, positions: BoardPositions, chosen: Ints) -> Floats:
        """What static score and network say together of the chances in some positions."""
        rows = self._layers.all_rows(self._lines)

        def part(some: Ints) -> list[Floats]:
            found = []
            for first in range(0, len(some), _CHUNK):
                chunk = some[first : first + _CHUNK]
                pools = _pools(positions.size, self._lines.of(positions, chunk), rows)
                scores = self._head(pools, positions.movers[chunk])[-1] + positions.scores[chunk]
                found.append(np.float32(positions.sureness) * scores)
            return found

        return np.concatenate([np.zeros(0, np.float32), *chain(*self._share(part, chosen))])

    def _learn(self, part: BoardPositions, batch: Ints, rate: float) -> float:
        return self._step(part, batch, self._turned[self._chance.integers(len(self._turned))], rate)

    def _step(self, positions: BoardPositions, batch: Ints, symmetry: Ints, rate: float) -> float:
        """Follow the slopes of a batch under a symmetry; its loss before."""
        return self._follow(lambda part: self._slopes(positions, part, symmetry), batch, rate)

    def _slopes(self, positions: BoardPositions, chosen: Ints, symmetry: Ints) -> Slopes:
        """The loss of some positions, added up, and its slopes."""
        used, lines = self._lines.used(self._lines.of(positions, chosen))
        line_units, size = self._layers.rows(self._lines, used), positions.size
        rows = line_units[-1]
        pools = _pools(size, lines, rows)
        inputs, units, others, added = self._head(pools[:, :, symmetry], positions.movers[chosen])
        sureness, targets = np.float32(positions.sureness), positions.targets[chosen]
        logits = sureness * (added + positions.scores[chosen])
        weights, _ = self._layers.arrays()
        slopes: dict[int, tuple[Floats, Floats]] = {}

        def back(layer: int, entered: Floats, slope: Floats) -> Floats:
            slopes[layer] = entered.T @ slope, slope.sum(axis=0)
            behind: Floats = slope @ weights[layer].T
            return behind

        slope = sureness * (1 / (1 + np.exp(-logits)) - targets)[:, None].astype(np.float32)
        slope = back(5, leaky(others), slope) * shares(others)
        slope = back(4, leaky(units), slope) * shares(units)
        pool_slopes = np.empty_like(pools)
        behind = back(3, inputs, slope)[:, : 2 * POOLS * WIDTH]
        pool_slopes[:, :, symmetry] = behind.reshape(pools.shape) / self._spread
        slope, room = np.zeros_like(rows), np.empty(WIDTH, np.float32)
        pooled_slopes(lines, rows, parts_of(size), _CEILING, pool_slopes, slope, room)
        every = self._layers.row_slopes(self._lines, used, line_units, slope)
        every += [slopes[layer] for layer in range(len(every), len(weights))]
        return (
            [_loss(logits, targets) * len(chosen)],
            [one for one, _ in every],
            [one for _, one in every],
        )


def _pools(size: int, lines: npt.NDArray[np.int32], rows: Floats) -> Floats:
    pools = np.empty((len(lines), 2, POOLS, WIDTH), np.float32)
    pooled(lines, rows, parts_of(size), _CEILING, pools)
    return pools


def _loss(logits: Floats, targets: Floats) -> float:
    """The mean cross-entropy."""
    return float((np.logaddexp(0, logits) - targets * logits).mean()) if len(logits) else math.nan
