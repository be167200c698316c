"""The errors of a weaker player, compiled: overlooked rows, and distorted worths of patterns.

See `tengen.engine.handicap`.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.fouls import is_forbidden, may_foul
from tengen.engine.board.point_classes import PATTERNS
from tengen.engine.board.position import look_up
from tengen.engine.board.records import (
    CELLS,
    FRAME,
    LINES,
    PLIES,
    ROW,
    STATE_REF,
    TABLES_REF,
    Kind,
    aligned,
)
from tengen.engine.evaluation.weights import LARGEST_WORTH, WEIGHTS_RECORD
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import Ref, signature
from tengen.engine.seeded_random import RANDOM, next_random, seed_with_text

_FIVE = Kind.FIVE

_DIAGONAL_FACTOR, _THREE_FACTOR, _RECENT_FACTOR = 1.5, 0.5, 0.5
"""Factors of an oversight's probability: on a diagonal, of three stones, and with a stone just added."""

_MOST_ROWS = 256
"""An upper bound on the lines of a board that can have a row."""

_WINDOW = 5

_ROUNDING = 1.5 * (1 << 52)
"""A float64 with this number added has no fraction left: it has been rounded to the nearest integer."""

HANDICAP = aligned(
    [
        ("oversight", np.float64),  # the probability that a row of two parallel to a side is overlooked
        ("distortion", np.float64),  # the largest relative error in the worth of a pattern
        ("recent", np.int64),  # how many of the last two moves are moves of the game
        ("random", RANDOM),  # the caller writes the seed
        ("rows", np.int64),  # the number of overlooked rows, ...
        ("row_lengths", np.int64, _MOST_ROWS),  # ... their stones ...
        ("row_cells", np.int16, (_MOST_ROWS, _WINDOW)),  # ... and where these are
        ("certain", np.uint8, (2, CELLS)),  # what is never overlooked, before and after a row is hidden
    ]
)
"""The errors of a player in a position, all zeros but for what the caller writes."""

HANDICAP_REF = Ref(HANDICAP)


@kernel(signature(None, STATE_REF, TABLES_REF, HANDICAP_REF))
def overlook_rows(state_ref, tables_ref, handicap_ref):
    """Remove the rows from a position that the side to move overlooks.

    Args:
        state_ref: the position, which is changed; its moves cannot be unmade afterwards.
        tables_ref: the tables of its rules.
        handicap_ref: the record `HANDICAP`, which receives the rows.
    """
    state, handicap = state_ref[0], handicap_ref[0]
    seed_with_text(handicap.random)
    mark_certain(state_ref, tables_ref, handicap, 0)
    for direction in range(4):
        for number in range(LINES):
            write_row(state, handicap, direction, number)
            if handicap.row_lengths[handicap.rows] < 2:
                continue
            drawn = next_random(handicap.random)
            if drawn < oversight_probability(state, handicap, direction) and hide_row(
                state_ref, tables_ref, handicap, direction, number
            ):
                handicap.rows += 1


@inlined
def write_row(state, handicap, direction, number):
    """Append the row of a line: the enemy's stones within the possible five that has most of them.

    Of several it is the first; the row is empty where no five is possible.
    """
    line, own = state.lines[direction, number], state.turn + 1
    first, most = np.int64(0), np.int64(0)
    for start in range(LINES // 2 - FRAME - _WINDOW + 1):
        count = np.int64(0)
        for place in range(start, start + _WINDOW):
            stone = stone_at(line, place)
            count += -_WINDOW if stone in (own, 3) else stone != 0
        if count > most:
            first, most = np.int64(start), count
    row, length = handicap.rows, 0
    for place in range(first, first + _WINDOW):
        if most > 0 and stone_at(line, place) != 0:
            handicap.row_cells[row, length] = cell_on(direction, number, place)
            length += 1
    handicap.row_lengths[row] = length


@inlined
def stone_at(line, place):
    """Return the content of a place of a line: 0 empty, 1 black, 2 white, 3 off the board."""
    return (line >> (2 * (place + FRAME))) & 3


@inlined
def cell_on(direction, number, place):
    """Return the cell at a place of a line; see `tengen.engine.board.records.places`."""
    x = number if direction == 1 else place
    y = (number, place, place - number + LINES // 2, number - place)[direction]
    return (y + FRAME) * ROW + x + FRAME


@inlined
def oversight_probability(state, handicap, direction):
    """Return the probability that the row written last is overlooked."""
    row, probability = handicap.rows, handicap.oversight
    length = handicap.row_lengths[row]
    if direction >= 2:
        probability *= _DIAGONAL_FACTOR
    if length > 2:
        probability *= _THREE_FACTOR
    recent = False
    for back in range(1, handicap.recent + 1):
        for place in range(length):
            recent |= handicap.row_cells[row, place] == state.moves[(state.ply - back) & (PLIES - 1)]
    return probability * _RECENT_FACTOR if recent else probability


@inlined
def hide_row(state_ref, tables_ref, handicap, direction, number):
    """Make the stones of the row written last like the edge of the board along it.

    Returns:
        Whether that was done: not if it would hide a five or a foul.
    """
    state, row = state_ref[0], handicap.rows
    line = hidden = state.lines[direction, number]
    for place in range(handicap.row_lengths[row]):
        cell = np.int64(handicap.row_cells[row, place])
        x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
        hidden |= np.int64(3) << (2 * ((y if direction == 1 else x) + FRAME))
    state.lines[direction, number] = hidden
    look_up(state_ref, tables_ref)
    mark_certain(state_ref, tables_ref, handicap, 1)
    for cell in range(CELLS):
        if handicap.certain[0, cell] != handicap.certain[1, cell]:
            state.lines[direction, number] = line
            look_up(state_ref, tables_ref)
            return False
    return True


@compiled
def mark_certain(state_ref, tables_ref, handicap, which):
    """Mark the cells that are never overlooked: the fives of both sides, and fouls of the side to move."""
    state = state_ref[0]
    fouls = state.turn == 0 and may_foul(state)
    for cell in range(CELLS):
        marks = np.int64(0)
        if state.cells[cell] == 0:
            marks = (state.kinds[0, cell] == _FIVE) + 2 * (state.kinds[1, cell] == _FIVE)
            if fouls and is_forbidden(state_ref, tables_ref, cell):
                marks += 4
        handicap.certain[which, cell] = marks


@kernel(signature(None, Ref(WEIGHTS_RECORD), HANDICAP_REF))
def distort_worths(weights_ref, handicap_ref):
    """Multiply the worth of each pattern by a random factor, another for each colour.

    Args:
        weights_ref: the weights, which are changed.
        handicap_ref: the record `HANDICAP`.
    """
    weights, handicap = weights_ref[0], handicap_ref[0]
    seed_with_text(handicap.random)
    least, most = 1 - handicap.distortion, 1 + handicap.distortion
    for colour in range(2):
        for pattern in range(PATTERNS):
            factor = least + (most - least) * next_random(handicap.random)
            multiply_worths(weights.worths, colour, pattern, factor)


@compiled
def multiply_worths(worths, colour, pattern, factor):
    """Multiply the worths of the classes whose strongest pattern is a given one by a factor.

    The classes are numbered as in `tengen.engine.board.point_classes.class_patterns`, the strongest last.
    """
    number = 0
    for first in range(PATTERNS):
        for second in range(first, PATTERNS):
            for third in range(second, PATTERNS):
                for strongest in range(third, PATTERNS):
                    if strongest == pattern:
                        for waiting in range(2):
                            worth = factor * np.int64(worths[colour, waiting, number])
                            worth = np.int64((worth + _ROUNDING) - _ROUNDING)
                            worths[colour, waiting, number] = min(max(worth, -LARGEST_WORTH), LARGEST_WORTH)
                    number += 1
