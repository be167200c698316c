"""The layers of a network while it is fitted, and the lines it sees.

The line network (`engine.evaluation.line_network`) is the same in all of them; what follows it differs
(`tengen.training.models.network_fitting`, `tengen.training.models.policy_fitting`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import POOLS, UNIT_BITS, WIDTH
from tengen.engine.evaluation.line_network import HIDDEN, INPUTS, LINE_BITS, ROW_BITS, LineNetwork
from tengen.engine.evaluation.network import Network
from tengen.training.games.lines import LineTable
from tengen.training.models.fitting import Adam

Floats: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]

_LEAK = np.float32(0.125)
_MOST = 32_767

LINE_LAYERS = 3
"""How many of the layers are the line network's: the first."""


def leaky(values: Floats) -> Floats:
    """The leaky rectifier."""
    active: Floats = np.maximum(values, values * _LEAK)
    return active


def layer(inputs: Floats, weights: Floats, biases: Floats) -> Floats:
    """What a layer makes of its inputs, not activated."""
    outputs: Floats = inputs @ weights + biases
    return outputs


def shares(values: Floats) -> Floats:
    """How much of a slope goes back through a leaky rectifier."""
    shares: Floats = np.where(values > 0, np.float32(1), _LEAK)
    return shares


def short(values: npt.NDArray[np.float64], scale: float) -> npt.NDArray[np.int16]:
    """Numbers in parts of a scale, as whole ones; what is too large is cut off."""
    found: npt.NDArray[np.int16] = np.clip(np.rint(values * scale), -_MOST, _MOST).astype(np.int16)
    return found


def whole(values: npt.NDArray[np.float64], scale: float) -> npt.NDArray[np.int32]:
    """The same with more room."""
    found: npt.NDArray[np.int32] = np.rint(values * scale).astype(np.int32)
    return found


def symmetries() -> list[Ints]:
    """Where the parts of the board go under each of its symmetries."""
    parts = np.arange(POOLS).reshape(3, 3)
    turned = [np.rot90(parts, quarter) for quarter in range(4)]
    return [each.reshape(-1) for one in turned for each in (one, one.T)]


@dataclass(slots=True)
class Layers:
    """Weights and biases, the line network's three layers first, then those of what follows it."""

    weights: list[Adam]
    biases: list[Adam]

    @classmethod
    def random(cls, seed: int, colours: int, head: Sequence[tuple[int, int]] = ()) -> Layers:
        """Random ones.

        Args:
            seed: of them.
            colours: 2 if the first layer of the line network, and that of the head, are to tell the colours
                apart by an input more, else 1.
            head: how many inputs and outputs each layer has that follows the line network.
        """
        chance = np.random.default_rng(seed)
        more = colours - 1
        shapes = [(INPUTS, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, WIDTH), *head]
        layers = cls([], [])
        for number, (before, outputs) in enumerate(shapes):
            told = number in (0, LINE_LAYERS)
            inputs = before + more if told else before
            weight, bias = (Adam(shape, np.ones(1)) for shape in ((inputs, outputs), (outputs,)))
            spread = math.sqrt(2 / inputs) * (2 if number == 0 else 1)
            weight.numbers = chance.normal(0, spread, (inputs, outputs))
            if head and number == len(shapes) - 1:
                weight.numbers *= 0.1
            if told:
                # At first the colours are alike; else what tells them apart would hide all the rest.
                weight.numbers[inputs - more :] = 0
            layers.weights.append(weight)
            layers.biases.append(bias)
        return layers

    def rows(self, lines: LineTable, used: Ints) -> list[Floats]:
        """What each layer of the line network comes to for some lines, not activated; at last the rows."""
        (first, second, last), (one, two, three) = (each[:LINE_LAYERS] for each in self.arrays())
        units = layer(lines.seen(used), first, one)
        others = layer(leaky(units), second, two)
        both = layer(leaky(others), last, three)
        # Each line stands there from either end.
        half = len(both) // 2
        return [units, others, (both[:half] + both[half:]) * np.float32(0.5)]

    def all_rows(self, lines: LineTable) -> Floats:
        """The rows of all lines."""
        return self.rows(lines, np.arange(len(lines)))[-1]

    def row_slopes(
        self, lines: LineTable, used: Ints, units: Sequence[Floats], slope: Floats
    ) -> list[tuple[Floats, Floats]]:
        """The slopes of the line network's weights and biases, layer by layer.

        Args:
            lines: all there are.
            used: those with rows.
            units: what `rows` has said of them.
            slope: of the rows.
        """
        weights, _ = self.arrays()
        slope = np.concatenate([slope, slope]) * np.float32(0.5)
        found = [(leaky(units[1]).T @ slope, slope.sum(axis=0))]
        for number in (1, 0):
            slope = (slope @ weights[number + 1].T) * shares(units[number])
            entered = leaky(units[number - 1]) if number else lines.seen(used)
            found.append((entered.T @ slope, slope.sum(axis=0)))
        return found[::-1]

    def scale_rows(self, lines: LineTable) -> None:
        """Scale the rows of a random line network so that lines differ, and a row is small."""
        weight, bias = self.weights[LINE_LAYERS - 1], self.biases[LINE_LAYERS - 1]
        weight.numbers /= self.all_rows(lines).std(axis=0).mean() / 0.25
        bias.numbers = 0.05 - self.all_rows(lines).mean(axis=0).astype(np.float64)

    def line_numbers(self) -> dict[str, Any]:
        """The line network as it is now, in whole numbers, by name (`engine.evaluation.line_network`)."""
        first, second, last = (one.numbers for one in self.weights[:LINE_LAYERS])
        first_bias, second_bias, last_bias = (one.numbers for one in self.biases[:LINE_LAYERS])
        scale = 1 << LINE_BITS
        return {
            "line_first": short(first[:INPUTS], scale),
            "line_first_bias": whole(np.stack([first_bias, *(first_bias + first[INPUTS:])]), scale),
            "line_second": short(second, scale),
            "line_second_bias": whole(second_bias, scale),
            "line_last": short(last, scale),
            "line_last_bias": whole(last_bias, scale),
        }

    def take_line(self, network: LineNetwork) -> None:
        """Take the numbers of a line network."""
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

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that their next steps depend on, as arrays by name."""
        return {
            f"{name}{number}_{part}": array
            for name, adams in (("weight", self.weights), ("bias", self.biases))
            for number, adam in enumerate(adams)
            for part, array in adam.state().items()
        }

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Become what `state` has told of.

        Raises:
            ValueError: it is the state of other layers; KeyError likewise.
        """
        for name, adams in (("weight", self.weights), ("bias", self.biases)):
            for number, adam in enumerate(adams):
                adam.restore({part: state[f"{name}{number}_{part}"] for part in adam.state()})
