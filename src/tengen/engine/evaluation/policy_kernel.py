"""The evaluation of the policy inside the search, which orders the moves of a position by it.

Most positions are cut off by the move from the transposition table. So the policy is evaluated only once
the other moves are needed, for all of them together. It needs no incremental updates: the rows of a move's
four lines are looked up.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tengen.engine.board.bits import prefetch
from tengen.engine.board.position import line_number
from tengen.engine.board.records import (
    CELLS,
    FRAME,
    LINES,
    NETWORKS_REF,
    PLACE_BITS,
    SCRATCH,
    SCRATCH_REF,
    STATE_REF,
    STEPS_AWAY,
    WIDTH,
    Kind,
    Record,
    new_record,
)
from tengen.engine.board.steps import last_moves, placed, steps_away
from tengen.engine.board.techniques import Technique
from tengen.engine.board.vectors import add_rows, matrix_product, weighted_sum
from tengen.engine.evaluation.network_kernel import row_at
from tengen.engine.evaluation.policy import OUT_BITS
from tengen.engine.kernels.declarations import kernel
from tengen.engine.kernels.signatures import INT64, signature

_LOW = 0xFFFFFFFF
_FIVE, _OPEN_FOUR = Kind.FIVE, Kind.OPEN_FOUR


def asks_policy(state: Record, tables: Record, networks: Record) -> bool:
    """Return whether a search evaluates the policy in a position: not if a move wins or has to answer."""
    counts, side = state[0]["counts"], int(state[0]["turn"]) & 1
    there = networks[0]["policy"] and not tables[0]["without"] & Technique.POLICY
    decided = counts[0, _FIVE] or counts[1, _FIVE] or counts[1 - side, _OPEN_FOUR]
    return bool(there and state[0]["ply"] > 1 and not decided)


def policy_orders(state: Record, networks: Record, cells: Sequence[int]) -> list[int]:
    """Return what the policy adds to the orders of moves (`tengen.engine.evaluation.weights`).

    Args:
        state: the position, two moves at least after the empty board.
        networks: those of its rules, with a policy.
        cells: all moves that a search would consider.
    """
    scratch = new_record(SCRATCH)
    count = len(cells)
    scratch["cells"][0, 0, :count] = cells
    order_by_policy(state, networks, scratch, 0, 0, count)
    return [order >> PLACE_BITS for order in scratch["order"][0, 0, :count].tolist()]


@kernel(signature(None, STATE_REF, NETWORKS_REF, SCRATCH_REF, INT64, INT64, INT64))
def order_by_policy(state_ref, networks_ref, scratch_ref, ply, start, count):
    """Add the output of the policy to the orders of moves, from a place on.

    Args:
        state_ref: the position, two moves at least after the empty board.
        networks_ref: the networks of its rules, with a policy.
        scratch_ref: the thread's scratch record, with the moves of this ply as
            `tengen.engine.search.moves.candidates` has listed them.
        ply: plies from the root.
        start: the place of the first move to order; those before count in the global term only.
        count: the number of moves.
    """
    state, networks, scratch = state_ref[0], networks_ref[0], scratch_ref[0]
    side = np.int64(state.turn & 1)
    for unit in range(WIDTH):
        scratch.policy_total[unit] = 0
    for place in range(count):
        cell = np.int64(scratch.cells[ply, place]) & (CELLS - 1)
        x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
        for direction in range(4):
            number = line_number(direction, x, y) & (LINES - 1)
            rows = row_at(networks, state.lines[direction, number], y if direction == 1 else x)
            row = (rows >> (32 * side)) & _LOW
            prefetch(networks.policy_rows, row)
            scratch.policy_places[4 * place + direction] = row
    for place in range(count):
        add_rows(
            networks.policy_rows,
            np.int64(scratch.policy_places[4 * place]),
            np.int64(scratch.policy_places[4 * place + 1]),
            np.int64(scratch.policy_places[4 * place + 2]),
            np.int64(scratch.policy_places[4 * place + 3]),
            scratch.policy_sums,
            np.int64(place) * WIDTH,
            scratch.policy_total,
        )
    scale = np.float32(1) / np.float32(count)
    matrix_product(
        scratch.policy_total,
        scale,
        networks.policy_whole,
        networks.policy_bias,
        side * WIDTH,
        scratch.policy_units,
    )
    last_cell, before_last = last_moves(state)
    for place in range(start, count):
        cell = np.int64(scratch.cells[ply, place]) & (CELLS - 1)
        correction = weighted_sum(
            scratch.policy_sums,
            np.int64(place) * WIDTH,
            networks.policy_steps,
            steps_away(cell, last_cell) * WIDTH,
            (STEPS_AWAY + steps_away(cell, before_last)) * WIDTH,
            scratch.policy_units,
            networks.policy_out,
        )
        order = (np.int64(scratch.order[ply, place]) >> PLACE_BITS) + (correction >> OUT_BITS)
        scratch.order[ply, place] = placed(order, place)
