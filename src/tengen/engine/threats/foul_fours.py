"""White's fours that Black could answer only by a foul.

The one answer to a four is the point of its five. If that is a foul for Black, the four wins as an open
four does, and a white stone that prepares it threatens as an open three does.

Such a *foul four* is one integer: the cell of White's stone, from bit 10 on the cell of the five, and from
bit 20 on its place among the fours of that five (`next_four_of`).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.fouls import is_foul, kept_pattern, may_foul, pattern_on, toggle
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.records import CELLS, FRAME, ROW, STEPS, Kind
from tengen.engine.board.vectors import bits_of_greater
from tengen.engine.kernels.declarations import compiled, inlined
from tengen.engine.threats.vcf_kernel import empty_in_row, is_four, makes_four, on_a_line

_THREE, _OPEN_FOUR, _FIVE = int(Pattern.THREE), int(Pattern.OPEN_FOUR), int(Pattern.FIVE)
_STRONGEST = Kind.FIVE
"""Kinds beyond it are fouls, or suspected to be."""

_FOUL = Kind.FOUL

WHITE = 1
_REACH = 4
"""Points between two stones of one five, at most."""

_SPAN = 2 * _REACH + 1
"""Cells on a line through a five's cell within reach."""


@inlined
def cell_of_four(foul_four):
    """Return the cell of White's stone."""
    return foul_four & (CELLS - 1)


@inlined
def five_of_four(foul_four):
    """Return the cell of the five that the stone threatens."""
    return (foul_four >> 10) & (CELLS - 1)


@inlined
def next_four_of(state, five, foul_four):
    """Return the next of White's fours whose five is on a cell, whether or not Black may play there.

    Of two points that make a five together, each makes a four.

    Args:
        state: the position.
        five: the cell of the five.
        foul_four: the four before; -1 for the first.

    Returns:
        The four; -1 if there are no more.
    """
    place = np.int64(0)
    if foul_four >= 0:
        place = (foul_four >> 20) + 1
    while place < 4 * _SPAN:
        direction = place // _SPAN
        if is_four(kept_pattern(state, WHITE, five, direction)):
            cell = (five + (place - direction * _SPAN - _REACH) * STEPS[direction]) & (CELLS - 1)
            empty = state.cells[cell] == 0 and cell != five
            if empty and is_four(kept_pattern(state, WHITE, cell, direction)):
                return np.int64(cell | (five << 10) | (place << 20))
            place += 1
        else:
            place = (direction + 1) * _SPAN
    return np.int64(-1)


@inlined
def is_unanswered(state_ref, tables_ref, foul_four):
    """Return whether after White's stone the only answer of Black's is a foul."""
    state, tables = state_ref[0], tables_ref[0]
    cell, five = cell_of_four(foul_four), five_of_four(foul_four)
    direction = (foul_four >> 20) // _SPAN
    toggle(state, WHITE, cell)
    unanswered = pattern_on(state, tables, WHITE, five, direction) == _FIVE and is_foul(
        state_ref, tables_ref, five
    )
    toggle(state, WHITE, cell)
    return unanswered


@compiled
def find_foul_four(state_ref, tables_ref):
    """Find a four of White's that Black could answer only by a foul, Black having no five to make.

    Lines and cells are changed meanwhile, and are as before when this returns.

    Returns:
        The foul four; -1 if there is none.
    """
    state = state_ref[0]
    if not may_foul(state):
        return np.int64(-1)
    for y in range(state.size):
        start = (y + FRAME) * ROW
        fouls = empty_in_row(state, y, bits_of_greater(state.kinds, np.int64(start), np.int64(_STRONGEST)))
        while fouls:
            five = start + lowest_bit(fouls)
            fouls &= fouls - 1
            foul_four = next_four_of(state, five, np.int64(-1))
            while foul_four >= 0:
                if is_unanswered(state_ref, tables_ref, foul_four):
                    return foul_four
                foul_four = next_four_of(state, five, foul_four)
    return np.int64(-1)


@compiled
def stops_foul_four(state_ref, tables_ref, foul_four, cell):
    """Return whether a black stone on an empty cell may save Black from a foul four.

    A stone does not if it makes no four, and leaves White's four and the foul as they are.

    Args:
        state_ref: the position; Black has no five to make or to stop.
        tables_ref: the tables of its rules.
        foul_four: White's foul four.
        cell: of Black's stone.
    """
    state = state_ref[0]
    five = five_of_four(foul_four)
    if cell == cell_of_four(foul_four) or makes_four(state, 0, cell) or on_a_line(cell, five):
        return True
    if state.kinds[0, five] == _FOUL:
        return False
    # A stone far away may stop a three from counting, and so lift a double-three.
    toggle(state, 0, cell)
    stopped = not is_unanswered(state_ref, tables_ref, foul_four)
    toggle(state, 0, cell)
    return stopped


@compiled
def prepares_foul_four(state_ref, tables_ref, cell):
    """Return whether a white stone on an empty cell prepares a four whose answer is, or may be, a foul."""
    state, tables = state_ref[0], tables_ref[0]
    prepares = False
    if may_foul(state):
        toggle(state, WHITE, cell)
        for direction in range(4):
            if not _THREE <= kept_pattern(state, WHITE, cell, direction) <= _OPEN_FOUR:
                continue
            for offset in range(-_REACH, _REACH + 1):
                five = (cell + offset * STEPS[direction]) & (CELLS - 1)
                if (
                    state.cells[five] == 0
                    and state.kinds[0, five] > _STRONGEST
                    and is_four(pattern_on(state, tables, WHITE, five, direction))
                ):
                    prepares = True
        toggle(state, WHITE, cell)
    return prepares
