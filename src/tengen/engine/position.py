"""Stones put on the board and taken off again, with every pattern around them kept up to date.

A stone changes the patterns of the empty points up to five away on its four lines, forty at most. Each
change is looked up in a table (`tengen.engine.patterns`), counted, and written down, so that taking the
stone off is putting back.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from tengen.engine.bits import lowest_bit
from tengen.engine.compiled import OPTIONS, inlined
from tengen.engine.evaluate import devalue, revalue, value
from tengen.engine.patterns import CODES
from tengen.engine.search_state import CELLS, CHANGES, FRAME, LINES, PLIES, Record, empty_state, new_tables
from tengen.game.rules import Rules

_LOW = (1 << (2 * FRAME)) - 1
"""The five points before the one in the middle, in a window of eleven."""

_LOWER = 0x5555555555555555
"""The lower bit of each place."""

_HIGH = _LOW << (2 * FRAME)


@inlined
def code_at(line, place):
    """The code of the point at a place of a line; see `tengen.engine.patterns`."""
    window = line >> (2 * place)
    return (window & _LOW) | ((window >> 2) & _HIGH)


@inlined
def empty_near(line, first, reach):
    """Which of ``2 * reach + 1`` places of a line are empty, from a place on: the lower bit of each."""
    return (~(line | (line >> 1)) >> (2 * (first + FRAME))) & (_LOWER & ((1 << (4 * reach + 2)) - 1))


@inlined
def line_number(direction, x, y):
    """Which line of a direction a point is on; see `tengen.engine.search_state.places`."""
    if direction == 0:
        return y
    if direction == 1:
        return x
    if direction == 2:
        return x - y + LINES // 2
    return x + y


@inlined
def refresh(state, tables, cell, new):
    """Give an empty cell new patterns, and count its kinds anew."""
    state.patterns[cell] = new
    for side in range(2):
        kind = tables.kinds[side, (new >> (16 * side)) & 0xFFFF]
        state.counts[side, state.kinds[side, cell] & 15] -= 1
        state.counts[side, kind & 15] += 1
        state.kinds[side, cell] = kind


@njit(**OPTIONS)
def make(states, tables_, cell):
    """Put a stone of the side to move on an empty cell."""
    state, tables = states[0], tables_[0]
    cell &= CELLS - 1
    side = state.turn
    ply = state.ply & (PLIES - 1)
    state.moves[ply] = cell
    state.firsts[ply] = state.changed
    for colour in range(2):
        for kind in range(16):
            state.kept[ply, colour, kind] = state.counts[colour, kind]
        state.counts[colour, state.kinds[colour, cell] & 15] -= 1
    state.kept_worth[ply] = state.worth
    patterns = np.int64(state.patterns[cell])
    devalue(state, tables, patterns)
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
            found = np.int64(tables.patterns[code_at(line, (first + at) & 31) & (CODES - 1)])
            old = np.int64(state.patterns[near])
            new = (old & mask) | (((found & 15) | ((found >> 4) << 16)) << shift)
            if new != old:
                state.changes[state.changed & (CHANGES - 1)] = near | (old << 10)
                state.changed += 1
                refresh(state, tables, near, new)
                revalue(state, tables, old, new)


@njit(**OPTIONS)
def unmake(states, tables_):
    """Take the last stone off again."""
    state, tables = states[0], tables_[0]
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
    for index in range(state.changed - 1, first - 1, -1):
        change = state.changes[index & (CHANGES - 1)]
        near, old = change & (CELLS - 1), change >> 10
        state.patterns[near] = old
        state.kinds[0, near] = tables.kinds[0, old & 0xFFFF]
        state.kinds[1, near] = tables.kinds[1, (old >> 16) & 0xFFFF]
    state.changed = first
    for colour in range(2):
        for kind in range(16):
            state.counts[colour, kind] = state.kept[ply, colour, kind]
    state.worth = state.kept_worth[ply]
    state.common = min(state.common, state.ply)


@njit(**OPTIONS)
def look_up(states, tables_):
    """Fill in the patterns and kinds of all empty cells, and count them."""
    state, tables = states[0], tables_[0]
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
            found = np.int64(tables.patterns[code_at(state.lines[direction, number], place) & (CODES - 1)])
            patterns |= ((found & 15) | ((found >> 4) << 16)) << (4 * direction)
        state.patterns[cell] = patterns
        for side in range(2):
            kind = tables.kinds[side, (patterns >> (16 * side)) & 0xFFFF]
            state.kinds[side, cell] = kind
            state.counts[side, kind & 15] += 1
        value(state, tables, patterns)


def new_position(rules: Rules) -> tuple[Record, Record]:
    """An empty board, ready for `make`: the state, and the tables of its rules."""
    state, tables = empty_state(rules), new_tables(rules)
    look_up(state, tables)
    return state, tables
