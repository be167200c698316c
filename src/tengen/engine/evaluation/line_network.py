"""The line network, which maps a line through an empty point to a row of numbers.

Its input is the five points on either side: own, the other's, off the board, or empty. Three layers with
leaky rectifiers map them to a row of 32 numbers, the same from either end. If a colour has fouls of its
own, there is a bias for each colour.

There are 132,496 lines, so that the rows of all of them become a table, computed in fixed-point arithmetic
with the same results on every machine (`tengen.engine.evaluation.line_network_kernel`). Units saturate at
16 bits and sums at 32. The rows are the input of the value network (`tengen.engine.evaluation.network`) and
of the policy (`tengen.engine.evaluation.policy`).

A network over lines instead of a table of free numbers: J. Jin, "Rapfi: Distilling Efficient Neural Network
for the Game of Gomoku" (2025).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import REACH, SIDES
from tengen.engine.board.records import WIDTH
from tengen.engine.evaluation.learned_file import COLOURS, Shapes

HIDDEN = 64
"""Units of each of the two hidden layers."""

INPUTS = 2 * 3 * REACH
"""Inputs: for each point, from the middle outwards, whether it is own, the other's, off the board."""

LINE_BITS = 10
"""Fractional bits of the weights and of the inputs of each layer."""

ROW_BITS = 7
"""Fractional bits of the numbers of a row."""

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
