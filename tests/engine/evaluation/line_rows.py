"""The rows of a line network by its definition, a layer at a time over all lines that begin with a side."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import SIDES
from tengen.engine.board.records import WIDTH
from tengen.engine.evaluation.line_network import INPUTS, LINE_BITS, ROW_BITS, LineNetwork, side_inputs

_MOST_SUM = (1 << 31) - (1 << LINE_BITS)


def line_rows(network: LineNetwork) -> npt.NDArray[np.int16]:
    """Return the row of each line: int16, shape (colours, `SIDES`, `SIDES`, `WIDTH`)."""
    return np.stack([_rows(network, bias.astype(np.int64)) for bias in network.line_first_bias])


def _rows(network, first_bias):
    seen, half = side_inputs().astype(np.int64), INPUTS // 2
    near, far = (
        seen @ part.astype(np.int64) for part in (network.line_first[:half], network.line_first[half:])
    )
    layers = (
        (network.line_second, network.line_second_bias),
        (network.line_last, network.line_last_bias),
    )
    ends = np.zeros((SIDES, SIDES, WIDTH), np.int64)
    for side in range(SIDES):
        units = near[side] + far + first_bias
        for weights, bias in layers:
            active = np.clip(np.maximum(units, units >> 3), -(1 << 15), (1 << 15) - 1)
            # As floats, which is faster and exact: no sum comes near 2**53.
            sums = np.rint(active.astype(float) @ weights.astype(float)).astype(np.int64)
            sums += np.clip(bias.astype(np.int64) << LINE_BITS, -_MOST_SUM, _MOST_SUM)
            units = rounded(np.clip(sums, -_MOST_SUM, _MOST_SUM), LINE_BITS)
        ends[side] = units
    rows = rounded(ends + ends.transpose(1, 0, 2), LINE_BITS + 1 - ROW_BITS)
    return np.clip(rows, -(1 << 13), (1 << 13) - 1).astype(np.int16)


def rounded(numbers, bits):
    """Return numbers without their lowest bits, rounded half up."""
    return (numbers + (1 << (bits - 1))) >> bits
