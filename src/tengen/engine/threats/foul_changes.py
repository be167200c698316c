"""Threats made by a change of a foul alone.

A three that is on the board already threatens nothing while a foul of Black's is in its way: Black may not
play where it would become an open four, or Black's answer to White's four is legal. A stone anywhere may
change that. A black stone *lifts* the foul on the point of Black's open four: a row that would be completed
there becomes an overline, so that there is a four less, or a three can never become a straight four any
more (rule 9.3). A white stone *makes* Black's answer a foul: it stops what forbade the point where a three
of Black's becomes a straight four, so that there is a three more.

The stone's own patterns do not show it, so it is set, and the foul is looked at again. Few points come into
question: those where Black would have an open four and may not play, and those of Black's answers where two
threes are suspected. A white stone adds no four and no three to a point, and a black one that is on no line
with a double-four or an overline leaves it as it is.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.fouls import is_forbidden, is_foul, kept_pattern, may_foul, pattern_on, toggle
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.records import CELLS, FRAME, ROW, STEPS, Kind
from tengen.engine.board.vectors import bits_of_greater
from tengen.engine.kernels.jit import compiled, inlined
from tengen.engine.threats.foul_fours import REACH, WHITE, is_unanswered
from tengen.engine.threats.vcf_kernel import empty_in_row, is_four, makes_four, on_a_line

_SUSPECT, _STRONGEST = Kind.SUSPECT, Kind.FIVE
_FOUR = int(Pattern.FOUR)


@inlined
def makes_two_fives(patterns):
    """Whether a stone with four patterns makes an open four, or two fours."""
    ways = np.int64(0)
    for direction in range(4):
        pattern = (patterns >> (4 * direction)) & 15
        if is_four(pattern):
            ways += 1 if pattern == _FOUR else 2
    return ways > 1


@inlined
def may_open_four(state_ref, tables_ref, cell):
    """Whether Black may play on an empty cell, and makes an open four or two, as the lines are now."""
    patterns = np.int64(0)
    for direction in range(4):
        patterns |= pattern_on(state_ref[0], tables_ref[0], 0, cell, direction) << (4 * direction)
    return makes_two_fives(patterns) and not is_foul(state_ref, tables_ref, cell)


@inlined
def is_among(found, count, cell):
    """Whether a cell is one of so many that are listed."""
    for place in range(count):  # noqa: SIM110 - compiled
        if found[place] == cell:
            return True
    return False


@compiled
def list_lifting(state_ref, tables_ref, four, late, found, count):
    """Add Black's stones that lift the foul on the point of an open four; see `list_foul_changes`.

    The point is the cell `four`, which is a foul or suspected to be.
    """
    state = state_ref[0]
    if not makes_two_fives(np.int64(state.patterns[four])) or not is_forbidden(state_ref, tables_ref, four):
        return count
    everywhere = state.kinds[0, four] == _SUSPECT
    for y in range(FRAME, FRAME + state.size):
        for x in range(FRAME, FRAME + state.size):
            cell = np.int64(y * ROW + x)
            if state.cells[cell] != 0 or cell == four or not (everywhere or on_a_line(cell, four)):
                continue
            if (late and not makes_four(state, WHITE, cell)) or is_among(found, count, cell):
                continue
            toggle(state, 0, cell)
            lifted = may_open_four(state_ref, tables_ref, four)
            toggle(state, 0, cell)
            if lifted and not is_forbidden(state_ref, tables_ref, cell):
                found[count] = cell
                count += 1
    return count


@compiled
def list_unanswering(state_ref, tables_ref, four, late, found, count):
    """Add White's stones after which only a foul would answer a four; see `list_foul_changes`.

    The four is White's, as `tengen.engine.threats.foul_fours.foul_four` says it.
    """
    state = state_ref[0]
    five = (four >> 10) & (CELLS - 1)
    if is_unanswered(state_ref, tables_ref, four):
        return count
    for y in range(FRAME, FRAME + state.size):
        for x in range(FRAME, FRAME + state.size):
            cell = np.int64(y * ROW + x)
            if state.cells[cell] != 0 or cell == five or cell == four & (CELLS - 1):
                continue
            if (late and not makes_four(state, 0, cell)) or is_among(found, count, cell):
                continue
            toggle(state, WHITE, cell)
            unanswered = is_unanswered(state_ref, tables_ref, four)
            toggle(state, WHITE, cell)
            if unanswered:
                found[count] = cell
                count += 1
    return count


@inlined
def list_forbidding(state_ref, tables_ref, five, late, found, count):
    """Add White's stones that make a point a foul where Black would answer a four; see `list_foul_changes`.

    The point is the cell `five`, where two threes of Black's are suspected.
    """
    state = state_ref[0]
    for direction in range(4):
        # Of two points that make a five together, each makes a four.
        if not is_four(kept_pattern(state, WHITE, five, direction)):
            continue
        for away in range(-REACH, REACH + 1):
            cell = (five + away * STEPS[direction]) & (CELLS - 1)
            if away == 0 or state.cells[cell] != 0:
                continue
            if is_four(kept_pattern(state, WHITE, cell, direction)):
                four = np.int64(cell | (five << 10) | (direction << 20))
                count = list_unanswering(state_ref, tables_ref, four, late, found, count)
    return count


@compiled
def list_foul_changes(state_ref, tables_ref, late, found, count):
    """Add the cells where a stone of the side to move threatens by a change of a foul alone.

    Lines and cells are changed meanwhile, and are as before when this returns.

    Args:
        state_ref: the position; neither side has a five to make.
        tables_ref: the tables of its rules.
        late: whether the enemy has an open four to make, so that the stone has to stop it.
        found: int16, room for the board; so many cells are in it that are not listed again.
        count: how many.

    Returns:
        How many there are then.
    """
    state = state_ref[0]
    if not may_foul(state):
        return count
    for y in range(state.size):
        start = (y + FRAME) * ROW
        fouls = empty_in_row(state, y, bits_of_greater(state.kinds, np.int64(start), np.int64(_STRONGEST)))
        while fouls:
            foul = start + lowest_bit(fouls)
            fouls &= fouls - 1
            if state.turn == 0:
                count = list_lifting(state_ref, tables_ref, foul, late, found, count)
            elif state.kinds[0, foul] == _SUSPECT:
                count = list_forbidding(state_ref, tables_ref, foul, late, found, count)
    return count
