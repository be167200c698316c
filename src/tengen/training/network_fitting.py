"""A network is fitted to what remains: what games and searches say beyond the sum of learned numbers.

The loss is the cross-entropy between the chance that static score and network see together and the
target (`tengen.training.fitting.target`). Its slopes are followed backwards through the layers by hand,
and down by Adam (D. P. Kingma and J. Ba 2015), on batches, at a rate that falls along a cosine. Each batch
is seen under one of the eight symmetries of the board, which only move the pools.

The line network is asked about each line of a batch once: there are far fewer of them than points. One game
in twenty is held out. Positions may be of several sizes of the board, those of a batch are of one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from tengen.engine.network import (
    HIDDEN,
    INPUTS,
    LINE_BITS,
    ROW_BITS,
    SWAPPED,
    Network,
    parts_of,
    save,
    side_inputs,
    sides,
)
from tengen.engine.network import file_of as network_file
from tengen.engine.patterns import REACH
from tengen.engine.search_state import CEILING, POOLS, SIDES, UNIT_BITS, UNITS, WIDTH
from tengen.engine.weights import family, file_of
from tengen.engine.weights import save as save_numbers
from tengen.formats.files import FileError, reason, shown
from tengen.game.rules import Rules
from tengen.training.board_positions import BoardPositions, board_positions, joined
from tengen.training.fitting import Adam, Fit
from tengen.training.game_file import TrainingError, other_rules, read
from tengen.training.network_kernels import lines_of, pooled, pooled_slopes
from tengen.training.run import LEAST, numbers_of

EPOCHS = 6
"""How often all positions are seen unless told otherwise."""

_BATCH = 512
_RATE, _GENTLE = 0.003, 0.001
"""How fast random numbers are left, and those of a network."""

_SLOWLY = 50
"""Steps until the full rate is reached."""

_LEAK = np.float32(0.125)
_CEILING = np.float32(CEILING / (1 << ROW_BITS))
_SAMPLE = 4000
"""Positions by which the sizes of the pools are estimated."""

_CHUNK = 2048
_MOST = 32_767

Floats: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]
Report: TypeAlias = Callable[[Fit], None]
_Slopes: TypeAlias = tuple[list[float], list[Floats], list[Floats]]
T = TypeVar("T")


class _Lines:
    """All lines there are, without their order: which they are, and what the network sees of them.

    Args:
        colours: 2 if Black's and White's are told apart, else 1.
    """

    def __init__(self, colours: int) -> None:
        self._colours = colours
        states, one_side = sides(), side_inputs().astype(np.float32)
        first, second = np.triu_indices(SIDES)
        pairs = np.zeros((SIDES, SIDES), np.int64)
        pairs[first, second] = pairs[second, first] = np.arange(len(first))
        self.pairs = np.stack([pairs, pairs + (colours - 1) * len(first)])
        self._inputs = (
            np.concatenate([one_side[first], one_side[second]], axis=1),
            np.concatenate([one_side[second], one_side[first]], axis=1),
        )
        self.own, self.other = np.zeros(1024, np.int64), np.zeros(1024, np.int64)
        places = 4 ** np.arange(REACH)
        self.own[states @ places] = np.arange(SIDES)
        self.other[SWAPPED[states] @ places] = np.arange(SIDES)

    def __len__(self) -> int:
        return self._colours * len(self._inputs[0])

    def seen(self, used: Ints) -> Floats:
        """What the network sees of some lines, from one end, and below it from the other."""
        whose, line = np.divmod(used, len(self._inputs[0]))
        ends = np.concatenate([inputs[line] for inputs in self._inputs])
        return _told_apart(ends, np.concatenate([whose, whose]), self._colours)

    def used(self, found: npt.NDArray[np.int32]) -> tuple[Ints, npt.NDArray[np.int32]]:
        """Which of all lines are among those found, far fewer, and for these their places among them."""
        # Where there is none, -1 stands, and the last place is for it.
        occurs, numbers = np.zeros(len(self) + 1, np.bool_), np.full(len(self) + 1, -1, np.int32)
        occurs[found.reshape(-1)] = True
        used = np.flatnonzero(occurs[:-1])
        numbers[used] = np.arange(len(used))
        return used, numbers[found]

    def of(self, positions: BoardPositions, chosen: Ints) -> npt.NDArray[np.int32]:
        """The lines through the empty points of some boards; see `network_kernels.lines_of`."""
        boards, size = positions.boards[chosen], positions.size
        movers = positions.movers[chosen] * (self._colours - 1)
        found = np.zeros((len(boards), size * size, 2, 4), np.int32)
        lines_of(boards, movers, size, self.own, self.other, self.pairs, found)
        return found


def _told_apart(inputs: Floats, colours: npt.NDArray[Any], how_many: int) -> Floats:
    """The inputs of a layer, and one more, 1 for White, where the colours are told apart."""
    if how_many == 1:
        return inputs
    return np.concatenate([inputs, colours[:, None].astype(np.float32)], axis=1)


def _leaky(values: Floats) -> Floats:
    active: Floats = np.maximum(values, values * _LEAK)
    return active


def _layer(inputs: Floats, weights: Floats, biases: Floats) -> Floats:
    outputs: Floats = inputs @ weights + biases
    return outputs


def _shares(values: Floats) -> Floats:
    """How much of a slope goes back through a leaky rectifier."""
    shares: Floats = np.where(values > 0, np.float32(1), _LEAK)
    return shares


def _symmetries() -> list[Ints]:
    """Where the parts of the board go under each of its symmetries."""
    parts = np.arange(POOLS).reshape(3, 3)
    turned = [np.rot90(parts, quarter) for quarter in range(4)]
    return [each.reshape(-1) for one in turned for each in (one, one.T)]


@dataclass(slots=True)
class _Layers:
    """Weights and biases, the line network's three layers first, then the head's."""

    weights: list[Adam]
    biases: list[Adam]

    @classmethod
    def random(cls, seed: int, colours: int) -> _Layers:
        chance = np.random.default_rng(seed)
        more = colours - 1
        shapes = (
            (INPUTS + more, HIDDEN),
            (HIDDEN, HIDDEN),
            (HIDDEN, WIDTH),
            (2 * POOLS * WIDTH + more, UNITS),
            (UNITS, UNITS),
            (UNITS, 1),
        )
        layers = cls([], [])
        for number, (inputs, outputs) in enumerate(shapes):
            weight, bias = (Adam(shape, np.ones(1)) for shape in ((inputs, outputs), (outputs,)))
            spread = math.sqrt(2 / inputs) * (2 if number == 0 else 1)
            weight.numbers = chance.normal(0, spread, (inputs, outputs))
            if number == len(shapes) - 1:
                weight.numbers *= 0.1
            if number in (0, 3):
                # At first the colours are alike; else what tells them apart would hide all the rest.
                weight.numbers[inputs - more :] = 0
            layers.weights.append(weight)
            layers.biases.append(bias)
        return layers

    def take_line(self, network: Network) -> None:
        """Take the numbers of a network's line network."""
        scale = 1 << LINE_BITS
        weights = network.line_first, network.line_second, network.line_last
        biases = network.line_first_bias, network.line_second_bias, network.line_last_bias
        for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
            self._take(layer, weight / scale, bias / scale)

    def take_head(
        self, network: Network, mean: npt.NDArray[np.float64], spread: npt.NDArray[np.float64]
    ) -> None:
        """Take the numbers of a network's head, which sees pools less their means in parts of spreads."""
        unit = 1 << UNIT_BITS
        first, bias = network.first / unit * (1 << ROW_BITS), network.first_bias / unit
        self._take(3, first * spread, bias + (first * mean).sum(axis=0))
        self._take(4, network.second, network.second_bias)
        self._take(5, network.last[:, None], network.last_bias)

    def _take(self, layer: int, weight: npt.NDArray[Any], bias: npt.NDArray[Any]) -> None:
        """Take the numbers of a layer; a bias may be there for each colour."""
        found = np.zeros(self.weights[layer].numbers.shape)
        found[: len(weight)] = weight
        if bias.ndim == 1:
            bias = bias[None]
        # The input that says whose it is comes last; to a network that was not told it makes no difference.
        found[len(weight) :] = np.diff(bias, axis=0) if len(bias) > 1 else 0
        self.weights[layer].numbers, self.biases[layer].numbers = found, bias[0].astype(np.float64)

    def arrays(self) -> tuple[list[Floats], list[Floats]]:
        """As they are now, in single precision."""
        return (
            [one.numbers.astype(np.float32) for one in self.weights],
            [one.numbers.astype(np.float32) for one in self.biases],
        )


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
        before: the loss on the positions kept apart without any network.
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
        self._lines = _Lines(colours)
        self._layers = _Layers.random(seed, colours)
        self._mean = self._spread = np.zeros((POOLS, WIDTH), np.float32)
        self._rate = _RATE if begin is None else _GENTLE
        self._begin(begin)
        self.before = self._loss(lambda part, chosen: part.scores[chosen])
        self.begun = self.before if begin is None else self._loss(self.logits)

    def run(self, epochs: int, report: Report | None = None) -> Network:
        """Go through all positions so many times.

        Args:
            epochs: how many times.
            report: told after each batch, the validation not known then, and after each time.
        """
        # Linear algebra in several threads of its own would only wait: the matrices are small.
        with threadpool_limits(limits=1, user_api="blas"):
            self._run(epochs, report)
        return self.network()

    def _run(self, epochs: int, report: Report | None) -> None:
        symmetries = _symmetries()
        step = 0
        for epoch in range(1, epochs + 1):
            batches, total = self._batches(), 0.0
            for number, (part, batch) in enumerate(batches, 1):
                falling = 0.02 + 0.49 * (1 + math.cos(math.pi * step / (epochs * len(batches))))
                rate = self._rate * min((step + 1) / _SLOWLY, falling)
                symmetry = symmetries[self._chance.integers(len(symmetries))]
                total += self._step(part, batch, symmetry, rate)
                step += 1
                if report is not None:
                    report(Fit(epoch, total / number, math.nan))
            if report is not None:
                report(Fit(epoch, total / len(batches), self._loss(self.logits)))

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
        units = _layer(self._lines.seen(used), first, one)
        others = _layer(_leaky(units), second, two)
        both = _layer(_leaky(others), last, three)
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

    def _loss(self, logits: Callable[[BoardPositions, Ints], Floats]) -> float:
        """The mean loss on the positions kept apart, by what is said of them."""
        apart = [(positions, np.flatnonzero(positions.held_out)) for positions in self._positions]
        return _losses(
            np.concatenate([logits(positions, chosen) for positions, chosen in apart]),
            np.concatenate([positions.targets[chosen] for positions, chosen in apart]),
        )

    def _share(self, work: Callable[[Ints], T], chosen: Ints) -> list[T]:
        """Do something with parts of some positions side by side."""
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(work, np.array_split(chosen, self._threads)))

    def _head(self, pools: Floats, movers: npt.NDArray[np.uint8]) -> list[Floats]:
        """What goes into each layer of the head, and what comes out at last."""
        weights, biases = (each[3:] for each in self._layers.arrays())
        inputs = ((pools - self._mean) / self._spread).reshape(len(pools), -1)
        inputs = _told_apart(inputs, movers, self._colours)
        units = _layer(inputs, weights[0], biases[0])
        others = _layer(_leaky(units), weights[1], biases[1])
        logits = _layer(_leaky(others), weights[2], biases[2])
        return [inputs, units, others, logits[:, 0]]

    def logits(self, positions: BoardPositions, chosen: Ints) -> Floats:
        """What static score and network say together of some positions."""
        rows = self._rows(np.arange(len(self._lines)))[-1]

        def part(some: Ints) -> list[Floats]:
            found = []
            for first in range(0, len(some), _CHUNK):
                chunk = some[first : first + _CHUNK]
                pools = _pools(positions.size, self._lines.of(positions, chunk), rows)
                found.append(self._head(pools, positions.movers[chunk])[-1] + positions.scores[chunk])
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
            for layer, slope in zip(layers, slopes, strict=True):
                # Long slopes are shortened: a single odd batch shall not undo what others have taught.
                layer.step(slope.astype(np.float64) / max(length, 1), rate)
        return float(loss)

    def _slopes(self, positions: BoardPositions, chosen: Ints, symmetry: Ints) -> _Slopes:
        """The loss of some positions, added up, and its slopes."""
        used, lines = self._lines.used(self._lines.of(positions, chosen))
        line_units, size = self._rows(used), positions.size
        rows = line_units[-1]
        pools = _pools(size, lines, rows)
        inputs, units, others, added = self._head(pools[:, :, symmetry], positions.movers[chosen])
        logits, targets = added + positions.scores[chosen], positions.targets[chosen]
        weights, _ = self._layers.arrays()
        slopes: dict[int, tuple[Floats, Floats]] = {}

        def back(layer: int, entered: Floats, slope: Floats) -> Floats:
            slopes[layer] = entered.T @ slope, slope.sum(axis=0)
            behind: Floats = slope @ weights[layer].T
            return behind

        slope = (1 / (1 + np.exp(-logits)) - targets)[:, None].astype(np.float32)
        slope = back(5, _leaky(others), slope) * _shares(others)
        slope = back(4, _leaky(units), slope) * _shares(units)
        pool_slopes = np.empty_like(pools)
        behind = back(3, inputs, slope)[:, : 2 * POOLS * WIDTH]
        pool_slopes[:, :, symmetry] = behind.reshape(pools.shape) / self._spread
        slope, room = np.zeros_like(rows), np.empty(WIDTH, np.float32)
        pooled_slopes(lines, rows, parts_of(size), _CEILING, pool_slopes, slope, room)
        slope = np.concatenate([slope, slope]) * np.float32(0.5)
        slope = back(2, _leaky(line_units[1]), slope) * _shares(line_units[1])
        slope = back(1, _leaky(line_units[0]), slope) * _shares(line_units[0])
        back(0, self._lines.seen(used), slope)
        every = [slopes[layer] for layer in range(len(weights))]
        return (
            [_losses(logits, targets) * len(chosen)],
            [one for one, _ in every],
            [one for _, one in every],
        )


def _pools(size: int, lines: npt.NDArray[np.int32], rows: Floats) -> Floats:
    pools = np.empty((len(lines), 2, POOLS, WIDTH), np.float32)
    pooled(lines, rows, parts_of(size), _CEILING, pools)
    return pools


@dataclass(slots=True)
class LearnedNetwork:
    """What has been learned, and how well.

    Attributes:
        rules: from games by which it has been learned.
        network: it.
        positions: how many it has been learned from, those kept apart included.
        before: the loss on the positions kept apart without a network.
        begun: the same with the network that it began with.
        epochs: the losses of each epoch.
    """

    rules: Rules
    network: Network
    positions: int
    before: float
    begun: float
    epochs: list[Fit]

    @property
    def after(self) -> float:
        """The loss on the positions kept apart, with the network."""
        return self.epochs[-1].validation


def learn_network(
    rules: Rules,
    paths: Iterable[str | Path],
    *,
    outcome: float = 0.5,
    weights: str = "",
    begin: Network | None = None,
    epochs: int = EPOCHS,
    seed: int = 1,
    tick: Callable[[], None] | None = None,
    report: Report | None = None,
) -> LearnedNetwork:
    """Fit a network to the games of files.

    Args:
        rules: those of the games; those that the same numbers are good for, and other sizes, go together.
        paths: the files; see `tengen.training.game_file`.
        outcome: how much the end of the game counts, against the search's score.
        weights: the folder of the numbers that it is to correct; empty for those that come with Tengen.
        begin: the network that it begins with; None for random numbers.
        epochs: how often all positions are seen.
        seed: of everything random.
        tick: called now and then while the games are read.
        report: see `NetworkFit.run`.

    Raises:
        TrainingError: a file holds other games or is damaged, or there are too few positions.
        FileError: a file cannot be read.
    """
    parts: dict[int, list[BoardPositions]] = {}
    for path in paths:
        there, games = read(path)
        if family(there) != family(rules):
            raise other_rules(path, there, rules)
        parts.setdefault(there.width, []).append(board_positions(there, games, outcome, weights, tick))
    positions = [joined(parts[size]) for size in sorted(parts)]
    count, apart = sum(map(len, positions)), sum(int(some.held_out.sum()) for some in positions)
    if count - apart < LEAST or not apart:
        raise TrainingError("error.train.few", count=count, least=LEAST)
    colours = 2 if rules.has_fouls else 1
    fit, done = NetworkFit(positions, colours, begin, seed), list[Fit]()

    def heard(now: Fit) -> None:
        if not math.isnan(now.validation):
            done.append(now)
        if report is not None:
            report(now)

    return LearnedNetwork(rules, fit.run(epochs, heard), count, fit.before, fit.begun, done)


def write_network(learned: LearnedNetwork, weights: str, folder: str | Path) -> dict[str, Path]:
    """Write a network into a folder, and beside it the numbers that it corrects.

    Args:
        learned: what has been learned.
        weights: the folder of those numbers; empty for those that come with Tengen.
        folder: made if there is none; files of these names are replaced.

    Returns:
        The files: ``network`` and ``weights``.

    Raises:
        FileError: one cannot be written.
    """
    place, name = Path(folder).expanduser(), family(learned.rules)
    files = {"network": network_file(name, place), "weights": file_of(name, place)}
    try:
        save_numbers(name, numbers_of(learned.rules, weights), place)
        save(name, learned.network, place)
    except OSError as error:
        raise FileError("error.file.write", file=shown(files["network"]), reason=reason(error)) from error
    return files


def _losses(logits: Floats, targets: Floats) -> float:
    """The mean cross-entropy."""
    return float((np.logaddexp(0, logits) - targets * logits).mean()) if len(logits) else math.nan
