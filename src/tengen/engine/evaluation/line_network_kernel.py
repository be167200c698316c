"""The expansion of a line network into the rows of all lines, in exact integer arithmetic.

The first layer is a sum over both sides of a line, whose parts are computed once for each side. What is
left are two layers for each of the 132,496 ordered pairs of sides. Products of 16 bits are added up in 32
(`tengen.engine.board.vectors.add_layer`). Where weights are so large that a sum might not fit, which no
trained network has come near, it is computed in 64 bits and saturates.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import numpy as np

from tengen.engine.board.patterns import REACH, SIDE_CODES, SIDES, closed_ahead
from tengen.engine.board.records import UNITS, WIDTH, aligned
from tengen.engine.board.vectors import add_layer
from tengen.engine.evaluation.line_network import HIDDEN, INPUTS, LINE_BITS, ROW_BITS
from tengen.engine.kernels.declarations import compiled, inlined

_LEAK_BITS = 3
_LEAST_UNIT, _MOST_UNIT = np.int32(-(1 << 15)), np.int32((1 << 15) - 1)
_LEAST_ROW, _MOST_ROW = np.int32(-(1 << 13)), np.int32((1 << 13) - 1)
_MOST_SUM = (1 << 31) - (1 << LINE_BITS)
"""The largest sum of a layer: a little remains for rounding."""

_MOST_BIAS = 1 << 30
"""The largest bias of the first layer. Its units saturate far below."""

_PAIRS = HIDDEN // 2
_OUTSIDE = 3

LINE_SCRATCH = aligned(
    [
        ("near", np.int32, (SIDES, HIDDEN)),  # what a side adds to the first layer at the near end, ...
        ("far", np.int32, (SIDES, HIDDEN)),  # ... at the far end
        ("second", np.int16, HIDDEN * HIDDEN),  # half of the units, pair of inputs, unit, which of the pair
        ("second_bias", np.int32, HIDDEN),
        ("last", np.int16, HIDDEN * WIDTH),  # in the same order
        ("last_bias", np.int32, WIDTH),
        ("fits", np.int64),  # whether no sum can be too large for 32 bits
        ("units", np.int16, HIDDEN),
        ("sums", np.int32, HIDDEN),
        ("ends", np.int32, 2 * WIDTH),  # the row of a line from either end
    ]
)
"""The layers of one colour as `add_layer` reads them, and memory to work in."""


@compiled
def side_number(side):
    """Return the number of a side by its half of a code, the nearest point lowest; -1 if there is none.

    The numbers are the places in `tengen.engine.evaluation.line_network.sides`: shorter sides come first,
    those of a length in the order of their contents, the nearest first.
    """
    number, first, length = 0, 0, 1
    for place in range(REACH):
        content = (side >> (2 * place)) & 3
        if content == _OUTSIDE:
            # Beyond a point off the board all are.
            return first + number if side >> (2 * place) == (SIDE_CODES - 1) >> (2 * place) else -1
        number = 3 * number + content
        first += length
        length *= 3
    return first + number


@inlined
def mirrored(side):
    """Return a side's half of a code in the opposite order."""
    found = 0
    for place in range(REACH):
        found |= ((side >> (2 * place)) & 3) << (2 * (REACH - 1 - place))
    return found


@inlined
def swapped(side):
    """Return a side from the other colour's view: own and the other's stones are swapped."""
    lower, upper = side & 0x155, (side >> 1) & 0x155
    stones = lower ^ upper
    return side ^ (stones | (stones << 1))


@compiled
def fill_row_places(networks, colours):
    """Put the index of each line's row into a record, by the codes of its sides."""
    white = ((colours - 1) * SIDES * SIDES * WIDTH) << 32
    for ahead in range(SIDE_CODES):
        side = closed_ahead(ahead)
        place = (side_number(side) + (side_number(swapped(side)) << 32)) * WIDTH
        networks.rows_ahead[ahead] = place
        # In a code the points ahead are ordered from the nearest on, those behind from the farthest.
        networks.rows_behind[mirrored(ahead)] = place * SIDES + white


@inlined
def fill_rows(network, rows, colours, scratch):
    """Put the rows of all lines into a table, of both colours if there are two."""
    for colour in range(colours):
        bias = network.line_first_bias[colour]
        _read_first_layer(network.line_first, bias, scratch)
        scratch.fits = 1
        _read_layer(
            network.line_second, network.line_second_bias, scratch.second, scratch.second_bias, scratch
        )
        _read_layer(network.line_last, network.line_last_bias, scratch.last, scratch.last_bias, scratch)
        _expand(scratch, rows, np.int64(colour) * SIDES * SIDES * WIDTH)


@compiled
def _read_first_layer(weights, biases, scratch):
    """Add up what each side contributes to the first layer; the bias counts as the near end's."""
    for side in range(SIDE_CODES):
        number = side_number(side)
        if number < 0:
            continue
        for unit in range(HIDDEN):
            near, far = min(max(np.int64(biases[unit]), -_MOST_BIAS), _MOST_BIAS), 0
            for place in range(REACH):
                content = (side >> (2 * place)) & 3
                if content > 0:
                    near += weights[3 * place + content - 1, unit]
                    far += weights[INPUTS // 2 + 3 * place + content - 1, unit]
            scratch.near[number, unit] = near
            scratch.far[number, unit] = far


@compiled
def _read_layer(weights, biases, weights_out, biases_out, scratch):
    """Copy a layer in the order of `add_layer`, and note whether its sums fit into 32 bits."""
    for unit in range(len(biases)):
        largest = abs(np.int64(biases[unit])) << LINE_BITS
        biases_out[unit] = _saturated(np.int64(biases[unit]) << LINE_BITS)
        start = (unit // UNITS) * HIDDEN * UNITS + 2 * (unit % UNITS)
        for place in range(HIDDEN):
            weight = np.int64(weights[place, unit])
            largest += abs(weight) << 15
            weights_out[start + (place >> 1) * 2 * UNITS + (place & 1)] = weight
        if largest > _MOST_SUM:
            scratch.fits = 0


@compiled
def _expand(scratch, rows, start):
    """Compute the rows of all lines of a colour, for an array from a place on."""
    for one in range(SIDES):
        for other in range(one + 1):
            _row_from(scratch, one, other, 0)
            _row_from(scratch, other, one, np.int64(WIDTH))
            there = start + (one * SIDES + other) * WIDTH
            back = start + (other * SIDES + one) * WIDTH
            for unit in range(WIDTH):
                # From either end the same: the mean, with fewer bits after the point.
                both = np.int32(scratch.ends[unit] + scratch.ends[WIDTH + unit])
                mean = _rounded(both, np.int32(LINE_BITS + 1 - ROW_BITS))
                row = np.int16(min(max(mean, _LEAST_ROW), _MOST_ROW))
                rows[there + unit] = row
                rows[back + unit] = row


@inlined
def _row_from(scratch, near, far, to):
    """Compute the row of a line as one end sees it, before the last rounding."""
    for unit in range(HIDDEN):
        scratch.units[unit] = _activated(np.int32(scratch.near[near, unit] + scratch.far[far, unit]))
    for unit in range(HIDDEN):
        scratch.sums[unit] = scratch.second_bias[unit]
    _add_products(scratch, scratch.second, np.int64(0), np.int64(0))
    _add_products(scratch, scratch.second, np.int64(HIDDEN * UNITS), np.int64(UNITS))
    for unit in range(HIDDEN):
        scratch.units[unit] = _activated(_rounded(scratch.sums[unit], np.int32(LINE_BITS)))
    for unit in range(WIDTH):
        scratch.sums[unit] = scratch.last_bias[unit]
    _add_products(scratch, scratch.last, np.int64(0), np.int64(0))
    for unit in range(WIDTH):
        scratch.ends[to + unit] = _rounded(scratch.sums[unit], np.int32(LINE_BITS))


@inlined
def _add_products(scratch, weights, at, to):
    """Add the products of the units and of weights, from a place on, to as many sums as a row has."""
    if scratch.fits:
        add_layer(scratch.units, np.int64(_PAIRS), weights, at, scratch.sums, to)
        return
    for unit in range(UNITS):
        total = np.int64(scratch.sums[to + unit])
        for place in range(HIDDEN):
            weight = weights[at + (place >> 1) * 2 * UNITS + 2 * unit + (place & 1)]
            total += np.int64(scratch.units[place]) * np.int64(weight)
        scratch.sums[to + unit] = _saturated(total)


@inlined
def _activated(unit):
    """Return a unit, an eighth of it if it is negative, in 16 bits."""
    active = max(unit, np.int32(unit >> np.int32(_LEAK_BITS)))
    return np.int16(min(max(active, _LEAST_UNIT), _MOST_UNIT))


@inlined
def _rounded(number, bits):
    """Return a number without its lowest bits, rounded half up."""
    half = np.int32(np.int32(1) << np.int32(bits - np.int32(1)))
    return np.int32(np.int32(number + half) >> bits)


@inlined
def _saturated(total):
    return np.int32(min(max(total, -_MOST_SUM), _MOST_SUM))
