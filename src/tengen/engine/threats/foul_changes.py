"""Threats made only by a change of a foul.

A three that is already on the board threatens nothing while a foul of Black's is in its way: Black may not
play where it would become an open four, or Black's answer to White's four is legal. A stone anywhere may
change that. A black stone *lifts* the foul on the point of Black's open four: a row that would be completed
there becomes an overline, so that there is a four less, or a three can never become a straight four any
more (rule 9.3). A white stone *makes* Black's answer a foul: it stops what forbade the point where a three
of Black's becomes a straight four, so that there is a three more.

The stone's own patterns do not show this, so the stone is set and the foul is checked again. Few points
come into question: those where Black would have an open four and may not play, and those of Black's answers
where two threes are suspected. A white stone adds no four and no three to a point, and a black one that is
on no line with a double-four or an overline leaves it as it is.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.fouls import is_forbidden, is_foul, may_foul, pattern_on, toggle
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.records import FRAME, ROW, Kind
from tengen.engine.board.vectors import bits_of_greater
from tengen.engine.kernels.declarations import compiled, inlined
from tengen.engine.threats.foul_fours import WHITE, cell_of_four, five_of_four, is_unanswered, next_four_of
from tengen.engine.threats.vcf_kernel import empty_in_row, is_four, makes_four, on_a_line

_SUSPECT, _STRONGEST = Kind.SUSPECT, Kind.FIVE
_FOUR = int(Pattern.FOUR)


@inlined
def makes_two_fives(patterns):
    """Return whether a stone with four patterns makes an open four, or two fours."""
    ways = np.int64(0)
    for direction in range(4):
        pattern = (patterns >> (4 * direction)) & 15
        if is_four(pattern):
            ways += 1 if pattern == _FOUR else 2
    return ways > 1


@inlined
def may_open_four(state_ref, tables_ref, cell):
    """Return whether Black may play on an empty cell and makes an open four or two there, by the lines."""
    patterns = np.int64(0)
    for direction in range(4):
        patterns |= pattern_on(state_ref[0], tables_ref[0], 0, cell, direction) << (4 * direction)
    return makes_two_fives(patterns) and not is_foul(state_ref, tables_ref, cell)


@inlined
def is_listed(out, count, cell):
    """Return whether a cell is among the first `count` of a list."""
    for place in range(count):  # noqa: SIM110 - compiled
        if out[place] == cell:
            return True
    return False


@compiled
def list_lifting(state_ref, tables_ref, point, threatened, out, count):
    """Add the black stones that lift the foul on the point of an open four.

    Args:
        state_ref: the position; Black is to move, and neither side has a five to make.
        tables_ref: the tables of its rules.
        point: the cell of the open four, a foul or suspected to be.
        threatened: whether the enemy has an open four to make, so that the stone has to stop it.
        out: int16, room for the board: receives the cells.
        count: the number of cells in it, which are not added again.

    Returns:
        The number of cells then.
    """
    state = state_ref[0]
    if not makes_two_fives(np.int64(state.patterns[point])) or not is_forbidden(
        state_ref, tables_ref, point
    ):
        return count
    everywhere = state.kinds[0, point] == _SUSPECT
    for y in range(FRAME, FRAME + state.size):
        for x in range(FRAME, FRAME + state.size):
            cell = np.int64(y * ROW + x)
            if state.cells[cell] != 0 or cell == point or not (everywhere or on_a_line(cell, point)):
                continue
            if (threatened and not makes_four(state, WHITE, cell)) or is_listed(out, count, cell):
                continue
            toggle(state, 0, cell)
            lifted = may_open_four(state_ref, tables_ref, point)
            toggle(state, 0, cell)
            if lifted and not is_forbidden(state_ref, tables_ref, cell):
                out[count] = cell
                count += 1
    return count


@compiled
def list_unanswering(state_ref, tables_ref, foul_four, threatened, out, count):
    """Add the white stones after which only a foul would answer a four of White's.

    Args:
        state_ref: the position; White is to move, and neither side has a five to make.
        tables_ref: the tables of its rules.
        foul_four: the four, as `tengen.engine.threats.foul_fours` writes it.
        threatened: whether the enemy has an open four to make, so that the stone has to stop it.
        out: int16, room for the board: receives the cells.
        count: the number of cells in it, which are not added again.

    Returns:
        The number of cells then.
    """
    state = state_ref[0]
    five = five_of_four(foul_four)
    if is_unanswered(state_ref, tables_ref, foul_four):
        return count
    for y in range(FRAME, FRAME + state.size):
        for x in range(FRAME, FRAME + state.size):
            cell = np.int64(y * ROW + x)
            if state.cells[cell] != 0 or cell == five or cell == cell_of_four(foul_four):
                continue
            if (threatened and not makes_four(state, 0, cell)) or is_listed(out, count, cell):
                continue
            toggle(state, WHITE, cell)
            unanswered = is_unanswered(state_ref, tables_ref, foul_four)
            toggle(state, WHITE, cell)
            if unanswered:
                out[count] = cell
                count += 1
    return count


@compiled
def list_foul_changes(state_ref, tables_ref, threatened, out, count):
    """Add the cells where a stone of the side to move threatens only by a change of a foul.

    Lines and cells are changed meanwhile, and are as before when this returns.

    Args:
        state_ref: the position; neither side has a five to make.
        tables_ref: the tables of its rules.
        threatened: whether the enemy has an open four to make, so that the stone has to stop it.
        out: int16, room for the board: receives the cells.
        count: the number of cells in it, which are not added again.

    Returns:
        The number of cells then.
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
                count = list_lifting(state_ref, tables_ref, foul, threatened, out, count)
            elif state.kinds[0, foul] == _SUSPECT:
                # Black's answer, where two threes are suspected.
                foul_four = next_four_of(state, foul, np.int64(-1))
                while foul_four >= 0:
                    count = list_unanswering(state_ref, tables_ref, foul_four, threatened, out, count)
                    foul_four = next_four_of(state, foul, foul_four)
    return count
