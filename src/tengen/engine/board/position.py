"""Moves made and unmade on the engine's board, with incremental updates of all patterns.

A stone changes the patterns of the empty points up to five steps away on its four lines, forty at most.
The new patterns come from a table (`tengen.engine.board.patterns`); the old ones are pushed on a stack,
from which `unmake` restores them.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, PLR0915

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.hash_keys import fill_keys
from tengen.engine.board.patterns import REACH, SIDE_CODES
from tengen.engine.board.records import (
    CELLS,
    CHANGES,
    FRAME,
    KINDS,
    LINE_PATTERNS,
    LINES,
    PLIES,
    ROW,
    STATE,
    STATE_REF,
    TABLES_REF,
    Record,
    new_record,
)
from tengen.engine.board.rule_tables import new_tables
from tengen.engine.board.vectors import read_counts, with_kinds, without_kinds, write_counts
from tengen.engine.board.worths import worth_of
from tengen.engine.kernels.declarations import inlined, kernel
from tengen.engine.kernels.signatures import INT64, signature
from tengen.game.points import EMPTY
from tengen.game.rules import Rules

_OUTSIDE = 3
"""The content of a point off the board."""

_LOWER = 0x5555555555555555
"""The lower bit of each place."""


@inlined
def sides_at(line, place):
    """Return the five points behind a place of a line, and those ahead: the halves of the point's code.

    See `tengen.engine.board.patterns`.
    """
    window = line >> (2 * place)
    return window & (SIDE_CODES - 1), (window >> (2 * REACH + 2)) & (SIDE_CODES - 1)


@inlined
def patterns_at(tables, line, place):
    """Return the patterns of the point at a place of a line: Black's in four bits, White's above."""
    behind, ahead = sides_at(line, place)
    row = tables.behind[behind] + tables.ahead[ahead]
    return np.int64(tables.patterns[row & (LINE_PATTERNS - 1)])


@inlined
def empty_near(line, first, reach):
    """Return a bit for each empty one of ``2 * reach + 1`` places of a line: the lower one of its two."""
    return (~(line | (line >> 1)) >> (2 * (first + FRAME))) & (_LOWER & ((1 << (4 * reach + 2)) - 1))


@inlined
def line_number(direction, x, y):
    """Return the number of a point's line in a direction; see `tengen.engine.board.records.places`."""
    if direction == 0:
        return y
    if direction == 1:
        return x
    if direction == 2:
        return x - y + LINES // 2
    return x + y


@inlined
def enter_classes(state, tables, cell, black, white):
    """Set an empty cell's point class for either colour, and the kinds that follow."""
    state.classes[0, cell] = black
    state.classes[1, cell] = white
    state.kinds[0, cell] = tables.kinds[0, black]
    state.kinds[1, cell] = tables.kinds[1, white]


@kernel(signature(None, STATE_REF, TABLES_REF, INT64))
def make(state_ref, tables_ref, cell):
    """Make a move: put a stone of the side to move on an empty cell."""
    state, tables = state_ref[0], tables_ref[0]
    cell &= CELLS - 1
    side = state.turn
    ply = state.ply & (PLIES - 1)
    state.moves[ply] = cell
    state.firsts[ply] = state.changed
    # Sums stay in registers: in memory each addition would wait for the store before.
    counts, worth, changed = read_counts(state.counts, 0), state.worth, state.changed
    write_counts(state.kept, ply * 2 * KINDS, counts)
    state.kept_worth[ply] = worth
    counts = without_kinds(counts, state.kinds[0, cell], state.kinds[1, cell])
    worth -= worth_of(tables, state.classes[0, cell], state.classes[1, cell])
    state.cells[cell] = side + 1
    state.rows[(cell >> 5) - FRAME] |= np.int64(1) << ((cell & 31) - FRAME)
    state.hash ^= state.keys[side & 1, cell]
    state.ply += 1
    state.turn = 1 - side
    x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
    reach = state.reach
    for direction in range(4):
        number = line_number(direction, x, y) & (LINES - 1)
        place = y if direction == 1 else x
        line = state.lines[direction, number] | ((side + 1) << (2 * (place + FRAME)))
        state.lines[direction, number] = line
        step = (1, 32, 33, -31)[direction]
        shift = 4 * direction
        mask = ~(np.int64(0x000F000F) << shift)
        first = place - reach
        empty = empty_near(line, first, reach)
        while empty:
            at = lowest_bit(empty) >> 1
            empty &= empty - 1
            near = (cell + (at - reach) * step) & (CELLS - 1)
            found = patterns_at(tables, line, (first + at) & 31)
            old = np.int64(state.patterns[near])
            new = (old & mask) | (((found & 15) | ((found >> 4) << 16)) << shift)
            if new != old:
                slot = changed & (CHANGES - 1)
                changed += 1
                black, white = state.classes[0, near], state.classes[1, near]
                state.changes[slot] = near | (old << 10)
                state.changed_classes[slot, 0] = black
                state.changed_classes[slot, 1] = white
                worth -= worth_of(tables, black, white)
                counts = without_kinds(counts, state.kinds[0, near], state.kinds[1, near])
                black = tables.classes[np.uint16(new)]
                white = tables.classes[np.uint16(new >> 16)]
                worth += worth_of(tables, black, white)
                state.patterns[near] = new
                enter_classes(state, tables, near, black, white)
                counts = with_kinds(counts, state.kinds[0, near], state.kinds[1, near])
    write_counts(state.counts, 0, counts)
    state.worth, state.changed = worth, changed


@kernel(signature(None, STATE_REF, TABLES_REF))
def unmake(state_ref, tables_ref):
    """Unmake the last move."""
    state, tables = state_ref[0], tables_ref[0]
    state.ply -= 1
    ply = state.ply & (PLIES - 1)
    side = 1 - state.turn
    state.turn = side
    cell = np.int64(state.moves[ply]) & (CELLS - 1)
    state.cells[cell] = 0
    state.rows[(cell >> 5) - FRAME] ^= np.int64(1) << ((cell & 31) - FRAME)
    state.hash ^= state.keys[side & 1, cell]
    x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
    for direction in range(4):
        number = line_number(direction, x, y) & (LINES - 1)
        place = y if direction == 1 else x
        state.lines[direction, number] ^= (side + 1) << (2 * (place + FRAME))
    first = np.int64(state.firsts[ply])
    for index in range(first, state.changed):
        change = state.changes[index & (CHANGES - 1)]
        near, slot = change & (CELLS - 1), index & (CHANGES - 1)
        state.patterns[near] = change >> 10
        enter_classes(state, tables, near, state.changed_classes[slot, 0], state.changed_classes[slot, 1])
    state.changed = first
    write_counts(state.counts, 0, read_counts(state.kept, ply * 2 * KINDS))
    state.worth = state.kept_worth[ply]
    state.common = min(state.common, state.ply)


@kernel(signature(None, STATE_REF, TABLES_REF))
def look_up(state_ref, tables_ref):
    """Compute patterns, kinds and counts of all empty cells from the lines."""
    state, tables = state_ref[0], tables_ref[0]
    state.counts[:] = 0
    state.worth = 0
    for cell in range(CELLS):
        if state.cells[cell] != 0:
            continue
        x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
        patterns = np.int64(0)
        for direction in range(4):
            number = line_number(direction, x, y) & (LINES - 1)
            place = y if direction == 1 else x
            found = patterns_at(tables, state.lines[direction, number], place)
            patterns |= ((found & 15) | ((found >> 4) << 16)) << (4 * direction)
        state.patterns[cell] = patterns
        black, white = tables.classes[np.uint16(patterns)], tables.classes[np.uint16(patterns >> 16)]
        enter_classes(state, tables, cell, black, white)
        for side in range(2):
            state.counts[side, state.kinds[side, cell]] += 1
        state.worth += worth_of(tables, black, white)


@kernel(signature(None, STATE_REF, TABLES_REF, INT64))
def empty_board(state_ref, tables_ref, size):
    """Set up an empty board of a size in a state that is all zeros."""
    state, tables = state_ref[0], tables_ref[0]
    state.size = size
    # Where overlines win and nothing can be closed, the fifth point does not matter.
    plain = tables.overline_wins and not tables.closed
    state.reach = FRAME - 1 if plain else FRAME
    state.cells[:] = _OUTSIDE
    state.lines[:] = -1
    for y in range(size):
        for x in range(size):
            state.cells[(y + FRAME) * ROW + x + FRAME] = EMPTY
            for direction in range(4):
                place = y if direction == 1 else x
                line = line_number(direction, x, y)
                state.lines[direction, line] &= ~(np.int64(_OUTSIDE) << (2 * (place + FRAME)))
    fill_keys(state)
    look_up(state_ref, tables_ref)


def new_position(rules: Rules) -> tuple[Record, Record]:
    """Return an empty board, ready for `make`: the state, and the tables of its rules."""
    state, tables = new_record(STATE), new_tables(rules)
    empty_board(state, tables, rules.width)
    return state, tables
