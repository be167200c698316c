"""Open fours of the enemy's, and the moves that may answer them."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.records import CELLS, FRAME, MOST_THREATS, ROW, Kind
from tengen.engine.board.vectors import bits_of_equal
from tengen.engine.kernels.declarations import inlined
from tengen.engine.threats.vcf_kernel import empty_in_row, makes_four, on_a_line

_OPEN_FOUR = Kind.OPEN_FOUR


@inlined
def open_fours(state, scratch, side):
    """Write the cells where a side makes an open four into `threats`; return their number."""
    count = np.int64(0)
    for y in range(state.size):
        start = (y + FRAME) * ROW
        bits = empty_in_row(state, y, bits_of_equal(state.kinds, side * CELLS + start, _OPEN_FOUR))
        while bits and count < MOST_THREATS:
            scratch.threats[count] = start + lowest_bit(bits)
            bits &= bits - 1
            count += 1
    return count


@inlined
def is_reply(state, tables, scratch, threats, side, cell):
    """Return whether a move may save a side from open fours: a four, or a stone that may stop all of them.

    Under caro a stone anywhere on a line with a four may stop it.

    Args:
        state: the position.
        tables: the tables of its rules.
        scratch: the thread's scratch record.
        threats: the number of the enemy's open fours in `threats` of the scratch record.
        side: to move.
        cell: of the move.
    """
    if makes_four(state, side, cell):
        return True
    if not tables.closed and not makes_four(state, 1 - side, cell):
        return False
    for number in range(threats):  # noqa: SIM110 - compiled
        if not on_a_line(cell, np.int64(scratch.threats[number])):
            return False
    return True
