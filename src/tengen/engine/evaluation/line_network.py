"""The line network, which maps a line through an empty point to a row of numbers.

Its input is the five points on either side: own, the other's, off the board, or empty. Three layers with
leaky rectifiers map them to a row of 32 numbers, the same from either end. If a colour has fouls of its
own, there is a bias for each colour.

There are 132,496 lines, so that the rows of all of them become a table, computed in fixed-point arithmetic,
with the same results on every machine. The rows are the input of the value network
(`tengen.engine.evaluation.network`) and of the policy (`tengen.engine.evaluation.policy`).

A network over lines instead of a table of free numbers: J. Jin, "Rapfi: Distilling Efficient Neural Network
for the Game of Gomoku" (2025).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import REACH
from tengen.engine.board.records import SIDES, WIDTH, Record
from tengen.engine.evaluation.learned_file import COLOURS, Shapes
from tengen.engine.kernels.jit import kept_array

HIDDEN = 64
"""Units of each of the two hidden layers."""

INPUTS = 2 * 3 * REACH
"""Inputs: for each point, from the middle outwards, whether it is own, the other's, off the board."""

LINE_BITS = 10
"""Fractional bits of the weights and of the inputs of each layer."""

ROW_BITS = 7
"""Fractional bits of the numbers of a row."""

_LEAK_BITS = 3
_FAR_TOO_LARGE = 1 << 29
"""The limit of a row before it is rounded: rows are clipped far below it, and two have to fit 32 bits."""

SWAPPED = np.array([0, 2, 1, 3])
"""The contents of a point from the other side's view: own and the other's stones are swapped."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LineNetwork:
    """The quantised parameters of a line network.

    Attributes:
        line_first: int16, shape (`INPUTS`, `HIDDEN`).
        line_first_bias: int32, shape (colours, `HIDDEN`): for Black's lines, then for White's; one is for
            both where neither has fouls of its own.
        line_second: int16, shape (`HIDDEN`, `HIDDEN`).
        line_second_bias: int32, shape (`HIDDEN`,).
        line_last: int16, shape (`HIDDEN`, `WIDTH`).
        line_last_bias: int32, shape (`WIDTH`,).
    """

    line_first: npt.NDArray[np.int16]
    line_first_bias: npt.NDArray[np.int32]
    line_second: npt.NDArray[np.int16]
    line_second_bias: npt.NDArray[np.int32]
    line_last: npt.NDArray[np.int16]
    line_last_bias: npt.NDArray[np.int32]

    @property
    def colours(self) -> int:
        """The number of colours with rows of their own, 1 or 2."""
        return len(self.line_first_bias)


LINE_SHAPES: Shapes = {
    "line_first": ("int16", (INPUTS, HIDDEN)),
    "line_first_bias": ("int32", (COLOURS, HIDDEN)),
    "line_second": ("int16", (HIDDEN, HIDDEN)),
    "line_second_bias": ("int32", (HIDDEN,)),
    "line_last": ("int16", (HIDDEN, WIDTH)),
    "line_last_bias": ("int32", (WIDTH,)),
}


@lru_cache(maxsize=1)
def sides() -> Ints:
    """Return the possible contents of the five points on a side, the nearest first: shape (`SIDES`, 5).

    0 is empty, 1 own, 2 the other's, 3 off the board, where everything beyond is off the board as well.
    """
    found = [
        seen + (3,) * (REACH - length)
        for length in range(REACH + 1)
        for seen in product((0, 1, 2), repeat=length)
    ]
    return np.array(found, np.int64)


def side_inputs() -> npt.NDArray[np.bool_]:
    """Return the inputs of the line network for each of `sides`: shape (`SIDES`, `INPUTS` / 2)."""
    contents = sides()
    seen: npt.NDArray[np.bool_] = np.stack([contents == kind for kind in (1, 2, 3)], axis=2)
    return seen.reshape(SIDES, -1)


def line_rows(network: LineNetwork) -> npt.NDArray[np.int16]:
    """Compute the row of each line, by colour and by the two sides.

    Integers below 2**53 are added exactly as floats, in any order.

    Returns:
        int16, shape (colours, `SIDES`, `SIDES`, `WIDTH`).
    """
    from threadpoolctl import threadpool_limits

    # On a busy machine the threads of linear algebra wait for each other, twenty times as long.
    with threadpool_limits(limits=1, user_api="blas"):
        return np.stack([_rows(network, bias.astype(np.int64)) for bias in network.line_first_bias])


def _rows(network: LineNetwork, first_bias: Ints) -> npt.NDArray[np.int16]:
    one_side = side_inputs().astype(np.float64)
    half = INPUTS // 2
    near = network.line_first[:half].astype(np.float64)
    far = network.line_first[half:].astype(np.float64)
    # The first layer is a sum over both sides.
    firsts = one_side @ near, one_side @ far
    layers = [
        (network.line_second.astype(np.float64), network.line_second_bias),
        (network.line_last.astype(np.float64), network.line_last_bias),
    ]
    rows = np.zeros((SIDES, SIDES, WIDTH), np.int32)
    for side in range(SIDES):
        units = (firsts[0][side] + firsts[1] + first_bias).astype(np.int64)
        for weights, bias in layers:
            active = np.maximum(units, units >> _LEAK_BITS).astype(np.float64)
            units = (active @ weights).astype(np.int64) + (bias.astype(np.int64) << LINE_BITS)
            units = (units + (1 << (LINE_BITS - 1))) >> LINE_BITS
        rows[side] = np.clip(units, -_FAR_TOO_LARGE, _FAR_TOO_LARGE)
    bits = LINE_BITS + 1 - ROW_BITS
    table = np.zeros((SIDES, SIDES, WIDTH), np.int16)
    # Side by side: all at once would take a hundred megabytes.
    for side in range(SIDES):
        both = rows[side] + rows[:, side]  # from either end the same
        found = (both + (1 << (bits - 1))) >> bits
        table[side] = np.clip(found, -(1 << 13), (1 << 13) - 1)
    return table


def fill_rows(target: npt.NDArray[np.int16], network: LineNetwork, name: str, colours: int) -> None:
    """Put the row of each line into a field of a record.

    Args:
        target: the field.
        network: the line network, whose rows are kept in the cache folder once they have been computed.
        name: the name of its file there.
        colours: the number of colours in the table; if the network has one, its rows are for both.
    """
    shape = (network.colours, SIDES, SIDES, WIDTH)
    rows = kept_array(name, shape, np.int16, line_rows, network)
    both = np.broadcast_to(rows, (colours, *rows.shape[1:]))
    target[0, : both.size] = both.reshape(-1)


def fill_places(networks: Record, colours: int) -> None:
    """Put the index of each line's row into a record, by the codes of its sides."""
    contents = sides()
    numbers = np.zeros((4,) * REACH, np.int64)
    numbers[tuple(contents.T)] = np.arange(SIDES)
    swapped = numbers[tuple(SWAPPED[contents].T)]
    places = (np.arange(SIDES) + (swapped << 32)) * WIDTH
    white = (colours - 1) * SIDES * SIDES * WIDTH << 32
    # In a code the points ahead stand from the nearest on, those behind from the farthest.
    ahead = (contents << (2 * np.arange(REACH))).sum(axis=1)
    behind = (contents << (2 * np.arange(REACH)[::-1])).sum(axis=1)
    networks["rows_ahead"][0, ahead] = places
    networks["rows_behind"][0, behind] = places * SIDES + white
