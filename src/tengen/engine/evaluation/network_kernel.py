"""The evaluation of the value network inside the search, with incremental and lazy updates.

The *accumulator* holds a row of sums for each empty point and colour: the rows of the four lines through
the point from that colour's view, from a table (`tengen.engine.evaluation.network`). The activated sums are
added up in nine pools, a ninth of the board each. A stone changes some thirty-six lines through empty
points near it.

Most positions of a search are never evaluated, so the accumulator stays behind and catches up when its
output is needed. The old values of a change are saved, from which a stone is undone. `common` of the state
is the number of plies of the accumulator that are still on the board.

Incremental accumulators are the idea of Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation
Functions for Computer Shogi" (2018).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, C901

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import lowest_bit, prefetch
from tengen.engine.board.patterns import REACH
from tengen.engine.board.position import empty_near, line_number, sides_at
from tengen.engine.board.records import (
    CEILING,
    CELLS,
    CORRECTIONS,
    FRAME,
    KEPT_PLIES,
    KEPT_ROWS,
    LINES,
    NETWORKS_REF,
    PLIES,
    POOLS,
    ROW,
    SCRATCH_REF,
    STATE_REF,
    UNIT_BITS,
    UNITS,
    WIDTH,
)
from tengen.engine.board.scores import LOGISTIC_SCALE
from tengen.engine.board.vectors import (
    change_row,
    copy_pools,
    copy_row,
    first_layer,
    last_layers,
    leave_pool,
)
from tengen.engine.evaluation.network import MOST_ADDED
from tengen.engine.kernels.declarations import inlined, kernel
from tengen.engine.kernels.signatures import INT64, signature

_LOW = 0xFFFFFFFF
_VIEW = POOLS * WIDTH
_SCALE = np.float32(1 / (1 << UNIT_BITS))
_LOGISTIC_SCALE = np.float32(LOGISTIC_SCALE)

_MOST_ADDED = np.float32(MOST_ADDED)

UNKNOWN = np.int64(1 << 20)
"""No correction is stored."""

_OFFSET = CORRECTIONS >> 1


@inlined
def row_at(networks, line, place):
    """Return the index of the row of a line through its point at a place.

    It is packed: from White's view in the high half, from Black's in the low.
    """
    behind, ahead = sides_at(line, place)
    return networks.rows_behind[behind] + networks.rows_ahead[ahead]


@kernel(signature(None, STATE_REF, NETWORKS_REF, SCRATCH_REF))
def begin(state_ref, networks_ref, scratch_ref):
    """Compute the accumulator from scratch; the position becomes the root."""
    state, networks, scratch = state_ref[0], networks_ref[0], scratch_ref[0]
    for direction in range(4):
        for number in range(LINES):
            scratch.net_lines[direction, number] = state.lines[direction, number]
    for index in range(2 * _VIEW):
        scratch.net_pools[index] = 0
    for cell in range(CELLS):
        if state.cells[cell] != 0:
            continue
        x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
        for view in range(2):
            place = (view * CELLS + cell) * WIDTH
            for index in range(WIDTH):
                scratch.net_sums[place + index] = 0
            for direction in range(4):
                number = line_number(direction, x, y) & (LINES - 1)
                line = state.lines[direction, number]
                row = (row_at(networks, line, y if direction == 1 else x) >> (32 * view)) & _LOW
                for index in range(WIDTH):
                    scratch.net_sums[place + index] += networks.net_rows[row + index]
            pool = view * _VIEW + networks.pools[cell] * WIDTH
            for index in range(WIDTH):
                total = np.int64(scratch.net_sums[place + index])
                scratch.net_pools[pool + index] += min(max(total, (total + 4) >> 3), CEILING)
    scratch.net_root = scratch.net_ply = state.common = state.ply
    scratch.net_saved = 0


@inlined
def undo_stone(scratch):
    """Undo the last stone of the accumulator."""
    scratch.net_ply -= 1
    ply = (scratch.net_ply - scratch.net_root) & (KEPT_PLIES - 1)
    cell = np.int64(scratch.net_moves[ply]) & (CELLS - 1)
    x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
    for direction in range(4):
        number = line_number(direction, x, y) & (LINES - 1)
        place = y if direction == 1 else x
        scratch.net_lines[direction, number] &= ~(np.int64(3) << (2 * (place + FRAME)))
    copy_pools(scratch.net_pools, 0, scratch.net_kept, ply * 2 * _VIEW)
    first = np.int64(scratch.net_firsts[ply])
    for index in range(first, scratch.net_saved):
        place = index & (KEPT_ROWS - 1)
        copy_row(scratch.net_sums, np.int64(scratch.net_places[place]), scratch.net_rows, place * WIDTH)
    scratch.net_saved = first


@inlined
def replace_row(networks, scratch, cell, view, saved, new, old):
    """Change a point's sums for one colour, and save the old ones."""
    place = (view * CELLS + cell) * WIDTH
    slot = saved & (KEPT_ROWS - 1)
    scratch.net_places[slot] = place
    copy_row(scratch.net_rows, slot * WIDTH, scratch.net_sums, place)
    pool = view * _VIEW + networks.pools[cell] * WIDTH
    change_row(scratch.net_sums, place, networks.net_rows, new, old, scratch.net_pools, pool)


@inlined
def add_stone(state, networks, scratch):
    """Add the next stone on the board to the accumulator."""
    ply = (scratch.net_ply - scratch.net_root) & (KEPT_PLIES - 1)
    cell = np.int64(state.moves[scratch.net_ply & (PLIES - 1)]) & (CELLS - 1)
    scratch.net_moves[ply] = cell
    saved = np.int64(scratch.net_saved)
    scratch.net_firsts[ply] = saved
    copy_pools(scratch.net_kept, ply * 2 * _VIEW, scratch.net_pools, 0)
    for view in range(2):
        place = (view * CELLS + cell) * WIDTH
        leave_pool(scratch.net_sums, place, scratch.net_pools, view * _VIEW + networks.pools[cell] * WIDTH)
    x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
    for direction in range(4):
        number = line_number(direction, x, y) & (LINES - 1)
        place = y if direction == 1 else x
        bare = scratch.net_lines[direction, number]
        line = bare | (np.int64(state.cells[cell]) << (2 * (place + FRAME)))
        scratch.net_lines[direction, number] = line
        step = (1, ROW, ROW + 1, 1 - ROW)[direction]
        empty = empty_near(line, place - REACH, REACH)
        while empty:
            at = lowest_bit(empty) >> 1
            empty &= empty - 1
            near = (cell + (at - REACH) * step) & (CELLS - 1)
            new = row_at(networks, line, (place - REACH + at) & 31)
            old = row_at(networks, bare, (place - REACH + at) & 31)
            replace_row(networks, scratch, near, 0, saved, new & _LOW, old & _LOW)
            replace_row(networks, scratch, near, 1, saved + 1, new >> 32, old >> 32)
            saved += 2
    scratch.net_saved = saved
    scratch.net_ply += 1


@kernel(signature(INT64, STATE_REF, NETWORKS_REF, SCRATCH_REF))
def correction(state_ref, networks_ref, scratch_ref):
    """Return the network's correction of the static score for the side to move, in centi-units.

    `tengen.training.models.value_model.value_logits` is the same before parameters are rounded.
    """
    state, networks, scratch = state_ref[0], networks_ref[0], scratch_ref[0]
    while scratch.net_ply > state.common:
        undo_stone(scratch)
    while scratch.net_ply < state.ply:
        add_stone(state, networks, scratch)
    state.common = state.ply
    side = np.int64(state.turn & 1)
    first_layer(
        scratch.net_pools,
        _VIEW * side,
        _VIEW * (1 - side),
        networks.net_first,
        networks.net_first_bias,
        UNITS * side,
        scratch.net_units,
    )
    logit = networks.net_last_bias + last_layers(
        scratch.net_units, _SCALE, networks.net_second, networks.net_second_bias, networks.net_last
    )
    return np.int64(min(max(logit * _LOGISTIC_SCALE, -_MOST_ADDED), _MOST_ADDED))


@inlined
def known_correction(scratch, key):
    """Return the stored correction of the position of a key; `UNKNOWN` if there is none."""
    data = scratch.net_memory[key & (CORRECTIONS - 1)]
    value = data & (CORRECTIONS - 1)
    # An empty entry is zero, which no stored correction is.
    return value - _OFFSET if value != 0 and (data ^ key) & ~np.int64(CORRECTIONS - 1) == 0 else UNKNOWN


@inlined
def expect_known_correction(scratch, key):
    """Prefetch the entry of a key."""
    prefetch(scratch.net_memory, key & (CORRECTIONS - 1))


@inlined
def remember_correction(scratch, key, value):
    """Store the correction of the position of a key."""
    scratch.net_memory[key & (CORRECTIONS - 1)] = (key & ~np.int64(CORRECTIONS - 1)) | (value + _OFFSET)
