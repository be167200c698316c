"""The shares of the empty points in the correction of the value network, by occlusion.

`tengen.engine.evaluation.value_shares` says what they are. The head is computed in double precision here,
so that small shares are no rounding errors; otherwise it is that of
`tengen.engine.evaluation.network_kernel.correction`.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import numpy as np

from tengen.engine.board.records import (
    CEILING,
    CELLS,
    NETWORKS_REF,
    POOLS,
    SCRATCH_REF,
    STATE_REF,
    UNIT_BITS,
    UNITS,
    WIDTH,
    aligned,
)
from tengen.engine.board.scores import LOGISTIC_SCALE
from tengen.engine.evaluation.network import MOST_ADDED
from tengen.engine.evaluation.network_kernel import begin
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import Ref, signature

NETWORK_SHARES = aligned(
    [
        ("correction", np.float64),  # of the whole position, in centi-units for the side to move
        ("shares", np.float64, CELLS),  # of each empty cell
        ("units", np.int64, UNITS),  # of the head's first layer, in parts of 2**`UNIT_BITS`
        ("rest", np.int64, UNITS),  # these without a cell
        ("active", np.float64, UNITS),  # activations
    ]
)
"""The result, and memory to work in."""

_VIEW = POOLS * WIDTH
_UNIT = float(1 << UNIT_BITS)


@kernel(signature(None, STATE_REF, NETWORKS_REF, SCRATCH_REF, Ref(NETWORK_SHARES)))
def network_shares(state_ref, networks_ref, scratch_ref, shares_ref):
    """Compute the correction of a position, and the share of each empty cell.

    The first layer is linear: the contribution of a cell is subtracted from its units.

    Args:
        state_ref: the position.
        networks_ref: the networks of its rules, with a value network.
        scratch_ref: a scratch record.
        shares_ref: receives the result.
    """
    state, networks, scratch, shares = state_ref[0], networks_ref[0], scratch_ref[0], shares_ref[0]
    begin(state_ref, networks_ref, scratch_ref)
    side = state.turn & 1
    for unit in range(UNITS):
        shares.units[unit] = networks.net_first_bias[side * UNITS + unit]
    for view in range(2):
        for place in range(_VIEW):
            total = np.int64(scratch.net_pools[(side ^ view) * _VIEW + place])
            _add(networks, shares.units, view * _VIEW + place, total)
    shares.correction = _head(networks, shares, shares.units)
    for cell in range(CELLS):
        if state.cells[cell] != 0:
            continue
        for unit in range(UNITS):
            shares.rest[unit] = shares.units[unit]
        for view in range(2):
            for index in range(WIDTH):
                total = np.int64(scratch.net_sums[((side ^ view) * CELLS + cell) * WIDTH + index])
                active = min(max(total, (total + 4) >> 3), CEILING)
                _add(networks, shares.rest, view * _VIEW + networks.pools[cell] * WIDTH + index, -active)
        shares.shares[cell] = shares.correction - _head(networks, shares, shares.rest)


@inlined
def _add(networks, units, place, number):
    """Add to the units what an input of the first layer contributes; see `parameters.network_into`."""
    first = 2 * (place >> 1) * UNITS + (place & 1)
    for unit in range(UNITS):
        units[unit] += number * networks.net_first[first + 2 * unit]


@compiled
def _head(networks, shares, units):
    """Return the correction by the units of the first layer."""
    for unit in range(UNITS):
        shares.active[unit] = _leaky(units[unit] / _UNIT)
    logit = np.float64(networks.net_last_bias)
    for unit in range(UNITS):
        total = np.float64(networks.net_second_bias[unit])
        for place in range(UNITS):
            total += shares.active[place] * networks.net_second[place * UNITS + unit]
        logit += _leaky(total) * networks.net_last[unit]
    return min(max(logit * LOGISTIC_SCALE, -float(MOST_ADDED)), float(MOST_ADDED))


@inlined
def _leaky(number):
    return max(number, number / 8)
