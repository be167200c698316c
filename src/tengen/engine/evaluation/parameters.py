"""Learned parameters on their way into the records that the search reads.

The kernels `put_weights`, `put_network` and `put_policy` need nothing but the parameters as records.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import math

import numpy as np

from tengen.engine.board.point_classes import CLASSES
from tengen.engine.board.records import (
    CONTEXTS,
    FRAME,
    NETWORKS_REF,
    POOLS,
    ROW,
    SITUATIONS,
    STEPS_AWAY,
    TABLES_REF,
    UNITS,
    WIDTH,
)
from tengen.engine.board.worths import LOW_BITS
from tengen.engine.evaluation.line_network_kernel import LINE_SCRATCH, fill_row_places, fill_rows
from tengen.engine.evaluation.network import NETWORK_RECORD, SIDE_OF_POOLS
from tengen.engine.evaluation.policy import POLICY_RECORD
from tengen.engine.evaluation.weights import LARGEST_ORDER, LARGEST_WORTH, WEIGHTS_RECORD
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import INT64, Ref, signature

_LOGARITHMS = np.array([math.log(max(number, 1)) for number in range(64)], np.float64)

_WEIGHTS_REF, _NETWORK_REF, _POLICY_REF = Ref(WEIGHTS_RECORD), Ref(NETWORK_RECORD), Ref(POLICY_RECORD)
LINE_SCRATCH_REF = Ref(LINE_SCRATCH)


@kernel(signature(None, _WEIGHTS_REF, TABLES_REF))
def put_weights(weights_ref, tables_ref):
    """Put the weights into the tables of some rules."""
    weights_into(weights_ref[0], tables_ref[0])


@kernel(signature(None, _NETWORK_REF, INT64, INT64, LINE_SCRATCH_REF, NETWORKS_REF))
def put_network(network_ref, size, colours, scratch_ref, networks_ref):
    """Put a value network into a record, for boards of a size, with rows for 1 or 2 colours."""
    network_into(network_ref[0], size, colours, scratch_ref[0], networks_ref[0])


@kernel(signature(None, _POLICY_REF, INT64, LINE_SCRATCH_REF, NETWORKS_REF))
def put_policy(policy_ref, colours, scratch_ref, networks_ref):
    """Put a policy into a record, with rows for 1 or 2 colours."""
    policy_into(policy_ref[0], colours, scratch_ref[0], networks_ref[0])


@compiled
def weights_into(weights, tables):
    """Put the weights into the tables of some rules."""
    for number in range(CLASSES):
        # Black's points count for Black when it is to move, and against White when White is; vice versa.
        black_moving, black_waiting = _worth(weights, 0, 0, number), _worth(weights, 0, 1, number)
        white_moving, white_waiting = _worth(weights, 1, 0, number), _worth(weights, 1, 1, number)
        tables.worths[0, number] = (black_moving << LOW_BITS) - black_waiting
        tables.worths[1, number] = white_moving - (white_waiting << LOW_BITS)
        for colour in range(2):
            for against in range(2):
                order = weights.orders[colour, against, number]
                tables.orders[colour, against, number] = _clipped(order, LARGEST_ORDER)
    for side in range(2):
        for number in range(SITUATIONS):
            tables.situations[side, number] = weights.situations[side, number]
        for number in range(CONTEXTS):
            tables.contexts[side, number] = _clipped(weights.contexts[side, number], LARGEST_ORDER)
    for depth in range(64):
        for number in range(64):
            tables.reductions[depth, number] = np.int64(1 + _LOGARITHMS[depth] * _LOGARITHMS[number])


@inlined
def _worth(weights, colour, waiting, number):
    return _clipped(weights.worths[colour, waiting, number], LARGEST_WORTH)


@inlined
def _clipped(number, limit):
    return min(max(np.int64(number), -limit), limit)


@compiled
def network_into(network, size, colours, scratch, networks):
    """Put a value network into a record."""
    fill_rows(network, networks.net_rows, colours, scratch)
    fill_row_places(networks, colours)
    for y in range(size):
        for x in range(size):
            pool = y * SIDE_OF_POOLS // size * SIDE_OF_POOLS + x * SIDE_OF_POOLS // size
            networks.pools[(y + FRAME) * ROW + x + FRAME] = pool
    for place in range(2 * POOLS * WIDTH):
        for unit in range(UNITS):
            # Pairs of inputs, as `tengen.engine.board.vectors.first_layer` reads them.
            at = 2 * ((place >> 1) * UNITS + unit) + (place & 1)
            networks.net_first[at] = network.first[place, unit]
    for side in range(2):
        for unit in range(UNITS):
            networks.net_first_bias[side * UNITS + unit] = network.first_bias[side, unit]
    for place in range(UNITS):
        for unit in range(UNITS):
            networks.net_second[place * UNITS + unit] = network.second[place, unit]
        networks.net_second_bias[place] = network.second_bias[place]
        networks.net_last[place] = network.last[place]
    networks.net_last_bias = network.last_bias[0]
    networks.network = 1


@compiled
def policy_into(policy, colours, scratch, networks):
    """Put a policy into a record."""
    fill_rows(policy, networks.policy_rows, colours, scratch)
    fill_row_places(networks, colours)
    for place in range(2):
        for unit in range(WIDTH):
            for step in range(STEPS_AWAY):
                at = (place * STEPS_AWAY + step) * WIDTH + unit
                networks.policy_steps[at] = policy.steps[place, step, unit]
            networks.policy_bias[place * WIDTH + unit] = policy.bias[place, unit]
    for place in range(WIDTH):
        for unit in range(WIDTH):
            networks.policy_whole[place * WIDTH + unit] = policy.whole[place, unit]
        networks.policy_out[place] = policy.out[place]
    networks.policy = 1
