"""A network is fitted to what remains: what games and searches say beyond the sum of learned numbers.

The loss is the cross-entropy between the chance that static score and network see together and the
target (`tengen.training.fitting.target`). Its slopes are followed backwards through the layers by hand,
and down by Adam (D. P. Kingma and J. Ba 2015), on batches, at a rate that falls along a cosine. Each batch
is seen under one of the eight symmetries of the board, which only move the pools.

The line network is asked about each line of a batch once: there are far fewer of them than points. One game
in twenty is held out. Positions may be of several sizes of the board, those of a batch are of one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from itertools import chain
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from tengen.engine.network import INPUTS, LINE_BITS, ROW_BITS, Network, parts_of
from tengen.engine.search_state import CEILING, POOLS, UNIT_BITS, WIDTH
from tengen.training.board_positions import BoardPositions
from tengen.training.fitting import Fit
from tengen.training.network_kernels import pooled, pooled_slopes
from tengen.training.network_layers import (
    Floats,
    Ints,
    Layers,
    Lines,
    layer,
    leaky,
    shares,
    symmetries,
    told_apart,
)
from tengen.training.run import Bin, calibrated

_BATCH = 512
_RATE, _GENTLE = 0.003, 0.002
"""How fast random numbers are left, and those of a network."""

_SLOWLY = 50
"""Steps until the full rate is reached."""

_CEILING = np.float32(CEILING / (1 << ROW_BITS))
_SAMPLE = 4000
"""Positions by which the sizes of the pools are estimated."""

_CHUNK = 2048
_MOST = 32_767

Report: TypeAlias = Callable[[Fit], None]
_Slopes: TypeAlias = tuple[list[float], list[Floats], list[Floats]]
T = TypeVar("T")


@dataclass(slots=True)
class _Place:
    """How far an epoch has come.

    Attributes:
        opened: the random state when it began, from which comes the order of its batches.
        batch: how many have been done.
        total: their losses, added up.
    """

    opened: dict[str, Any]
    batch: int = 0
    total: float = 0.0


def _random_state(chance: np.random.Generator) -> dict[str, Any]:
    return dict(chance.bit_generator.state)


def _one_thread_each() -> threadpool_limits:
    """Linear algebra in several threads of its own would only wait: the matrices are small."""
    return threadpool_limits(limits=1, user_api="blas")


def _unheard(_: Fit) -> None:
    """For whom nobody listens."""


def _nothing() -> None:
    """For where nothing is to be kept."""


class NetworkFit:
    """A network while it is fitted.

    Args:
        positions: from what it learns, a set for each size of the board.
        colours: 2 if it is to tell the colours apart, else 1.
        begin: the network that it begins with, which may be one that does not tell the colours apart; None
            for random numbers.
        seed: of its first numbers and of the order of the positions.
        threads: how many threads share a batch.

    Attributes:
        epochs: the losses of each epoch so far.
        before: the losses on the positions kept apart without any network, by set.
        begun: the same with the network that it begins with.
    """

    def __init__(
        self,
        positions: Sequence[BoardPositions],
        colours: int = 1,
        begin: Network | None = None,
        seed: int = 1,
        threads: int = 2,
    ) -> None:
        self._positions, self._colours, self._threads = positions, colours, threads
        self._chance = np.random.default_rng(seed)
        self._at = _Place(_random_state(self._chance))
        self.epochs: list[Fit] = []
        self._lines = Lines(colours)
        self._layers = Layers.random(seed, colours)
        self._mean = self._spread = np.zeros((POOLS, WIDTH), np.float32)
        self._rate = _RATE if begin is None else _GENTLE
        with _one_thread_each():
            self._begin(begin)
            self.before = self.losses(lambda part, chosen: np.float32(part.sureness) * part.scores[chosen])
            self.begun = self.before if begin is None else self.losses(self.logits)

    def run(
        self, epochs: int, report: Report | None = None, keep: Callable[[], None] | None = None
    ) -> Network:
        """Go through all positions so many times; what has been done of it before is not done again.

        Args:
            epochs: how many times in all.
            report: told after each batch, the validation not known then, and after each time.
            keep: called after each batch, and after each time, when `state` may be asked for.
        """
        with _one_thread_each():
            while len(self.epochs) < epochs:
                self._pass(epochs, report or _unheard, keep or _nothing)
        return self.network()

    def _pass(self, epochs: int, report: Report, keep: Callable[[], None]) -> None:
        """Go through what is left of an epoch."""
        turned, at, epoch = symmetries(), self._at, len(self.epochs) + 1
        now = _random_state(self._chance)
        self._chance.bit_generator.state = at.opened
        batches = self._batches()
        if at.batch:
            self._chance.bit_generator.state = now
        for part, batch in batches[at.batch :]:
            step = (epoch - 1) * len(batches) + at.batch
            falling = 0.02 + 0.49 * (1 + math.cos(math.pi * step / (epochs * len(batches))))
            rate = self._rate * min((step + 1) / _SLOWLY, falling)
            symmetry = turned[self._chance.integers(len(turned))]
            at.total += self._step(part, batch, symmetry, rate)
            at.batch += 1
            report(Fit(epoch, at.total / at.batch, math.nan))
            if at.batch < len(batches):
                keep()
        done = Fit(epoch, at.total / len(batches), self.mean_loss(self.losses(self.logits)))
        self.epochs.append(done)
        self._at = _Place(_random_state(self._chance))
        report(done)
        keep()

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that the rest of the fit depends on, besides what it was made of, as arrays by name."""
        about = {
            "opened": self._at.opened,
            "now": _random_state(self._chance),
            "batch": self._at.batch,
            "total": self._at.total,
            "epochs": [astuple(one) for one in self.epochs],
        }
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        return {"about": text, "mean": self._mean, "spread": self._spread, **self._layers.state()}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `state` has told of a fit that was made in the same way.

        Raises:
            ValueError: it is the state of something else; KeyError and TypeError likewise.
        """
        about = json.loads(state["about"].tobytes())
        for name in ("mean", "spread"):
            if state[name].shape != self._mean.shape or state[name].dtype != np.float32:
                raise ValueError(name)
        self._layers.restore(state)
        self._mean, self._spread = state["mean"], state["spread"]
        self.epochs = [Fit(*one) for one in about["epochs"]]
        self._at = _Place(about["opened"], about["batch"], about["total"])
        self._chance.bit_generator.state = about["now"]

    def network(self) -> Network:
        """The network as it is now, in whole numbers."""
        weights, biases = (
            [one.numbers for one in each] for each in (self._layers.weights, self._layers.biases)
        )
        line, row, unit = 1 << LINE_BITS, 1 << ROW_BITS, 1 << UNIT_BITS
        # The head sees pools of whole numbers, less their means and in parts of their spreads.
        mean, spread = self._measures()
        first = weights[3][: len(spread)]
        bias = biases[3] - (first * mean / spread).sum(axis=0)

        def short(values: npt.NDArray[np.float64], scale: int) -> npt.NDArray[np.int16]:
            found: npt.NDArray[np.int16] = np.clip(np.rint(values * scale), -_MOST, _MOST).astype(np.int16)
            return found

        def whole(values: npt.NDArray[np.float64], scale: int) -> npt.NDArray[np.int32]:
            found: npt.NDArray[np.int32] = np.rint(values * scale).astype(np.int32)
            return found

        sizes = [positions.size for positions in self._positions]
        return Network(
            np.array([min(sizes), max(sizes)], np.int64),
            short(weights[0][:INPUTS], line),
            whole(np.stack([biases[0], *(biases[0] + weights[0][INPUTS:])]), line),
            short(weights[1], line),
            whole(biases[1], line),
            short(weights[2], line),
            whole(biases[2], line),
            short(first / spread / row, unit),
            whole(np.stack([bias, *(bias + weights[3][len(spread) :])]), unit),
            weights[4].astype(np.float32),
            biases[4].astype(np.float32),
            weights[5][:, 0].astype(np.float32),
            biases[5].astype(np.float32),
        )

    def _begin(self, network: Network | None) -> None:
        """Scale random rows so that lines differ, and find out how large the pools are."""
        weight, bias = self._layers.weights[2], self._layers.biases[2]
        everything = np.arange(len(self._lines))
        if network is None:
            weight.numbers /= self._rows(everything)[-1].std(axis=0).mean() / 0.25
            bias.numbers = 0.05 - self._rows(everything)[-1].mean(axis=0).astype(np.float64)
        else:
            self._layers.take_line(network)
        rows, count = self._rows(everything)[-1], sum(map(len, self._positions))
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

    def _rows(self, used: Ints) -> list[Floats]:
        """What each layer of the line network comes to for some lines, not activated; at last the rows."""
        (first, second, last), (one, two, three) = (each[:3] for each in self._layers.arrays())
        units = layer(self._lines.seen(used), first, one)
        others = layer(leaky(units), second, two)
        both = layer(leaky(others), last, three)
        # Each line stands there from either end.
        half = len(both) // 2
        return [units, others, (both[:half] + both[half:]) * np.float32(0.5)]

    def _batches(self) -> list[tuple[BoardPositions, Ints]]:
        """All positions but those kept apart, in any order."""
        found = []
        for positions in self._positions:
            order = self._chance.permutation(np.flatnonzero(~positions.held_out))
            count = max(len(order) // _BATCH, 1)
            found += [(positions, batch) for batch in np.array_split(order[: count * _BATCH], count)]
        return [found[number] for number in self._chance.permutation(len(found))]

    def losses(self, logits: Callable[[BoardPositions, Ints], Floats]) -> list[float]:
        """The mean loss on the positions kept apart, by what is said of them; for each set of positions."""
        return [
            _loss(logits(positions, chosen), positions.targets[chosen])
            for positions in self._positions
            for chosen in [np.flatnonzero(positions.held_out)]
        ]

    def mean_loss(self, losses: Sequence[float]) -> float:
        """The mean loss on all positions kept apart, from the means of each set."""
        counts = [int(positions.held_out.sum()) for positions in self._positions]
        known = [loss * count for loss, count in zip(losses, counts, strict=True) if count]
        return sum(known) / sum(counts) if known else math.nan

    def calibration(self) -> list[Bin]:
        """What it predicts of the positions kept apart whose games' ends are known, and how they ended."""
        chances, results = [np.zeros(0)], [np.zeros(0)]
        with _one_thread_each():
            for positions in self._positions:
                chosen = np.flatnonzero(positions.held_out)
                chances.append(1 / (1 + np.exp(-self.logits(positions, chosen).astype(np.float64))))
                results.append(positions.results[chosen].astype(np.float64))
        return calibrated(np.concatenate(chances), np.concatenate(results))

    def _share(self, work: Callable[[Ints], T], chosen: Ints) -> list[T]:
        """Do something with parts of some positions side by side."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(work, np.array_split(chosen, self._threads)))

    def _head(self, pools: Floats, movers: npt.NDArray[np.uint8]) -> list[Floats]:
        """What goes into each layer of the head, and what comes out at last."""
        weights, biases = (each[3:] for each in self._layers.arrays())
        inputs = ((pools - self._mean) / self._spread).reshape(len(pools), -1)
        inputs = told_apart(inputs, movers, self._colours)
        units = layer(inputs, weights[0], biases[0])
        others = layer(leaky(units), weights[1], biases[1])
        logits = layer(leaky(others), weights[2], biases[2])
        return [inputs, units, others, logits[:, 0]]

    def logits(self, positions: BoardPositions, chosen: Ints) -> Floats:
        """What static score and network say together of the chances in some positions."""
        rows = self._rows(np.arange(len(self._lines)))[-1]

        def part(some: Ints) -> list[Floats]:
            found = []
            for first in range(0, len(some), _CHUNK):
                chunk = some[first : first + _CHUNK]
                pools = _pools(positions.size, self._lines.of(positions, chunk), rows)
                scores = self._head(pools, positions.movers[chunk])[-1] + positions.scores[chunk]
                found.append(np.float32(positions.sureness) * scores)
            return found

        return np.concatenate([np.zeros(0, np.float32), *chain(*self._share(part, chosen))])

    def _step(self, positions: BoardPositions, batch: Ints, symmetry: Ints, rate: float) -> float:
        """Follow the slopes of a batch; its loss before."""
        parts = self._share(lambda part: self._slopes(positions, part, symmetry), batch)
        sums = [
            [sum(each) / len(batch) for each in zip(*kind, strict=True)]
            for kind in zip(*parts, strict=True)
        ]
        (loss,), weights, biases = sums
        length = math.sqrt(sum(float((slope**2).sum()) for slope in (*weights, *biases)))
        for layers, slopes in ((self._layers.weights, weights), (self._layers.biases, biases)):
            for numbers, slope in zip(layers, slopes, strict=True):
                # Long slopes are shortened: a single odd batch shall not undo what others have taught.
                numbers.step(slope.astype(np.float64) / max(length, 1), rate)
        return float(loss)

    def _slopes(self, positions: BoardPositions, chosen: Ints, symmetry: Ints) -> _Slopes:
        """The loss of some positions, added up, and its slopes."""
        used, lines = self._lines.used(self._lines.of(positions, chosen))
        line_units, size = self._rows(used), positions.size
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
        slope = np.concatenate([slope, slope]) * np.float32(0.5)
        slope = back(2, leaky(line_units[1]), slope) * shares(line_units[1])
        slope = back(1, leaky(line_units[0]), slope) * shares(line_units[0])
        back(0, self._lines.seen(used), slope)
        every = [slopes[layer] for layer in range(len(weights))]
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
