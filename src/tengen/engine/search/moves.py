"""The moves that a search looks at, and in which order.

Where a side has to answer, only answers are generated: against an open three its own fours, and the points
that lie on a line with every open four to come, for no other changes them all; likewise against a four that
a foul would answer. Otherwise every point within two of a stone is. The order is that of the chance that a
move is the best one, as learned from games (`tengen.engine.evaluation.weights`), corrected by what has been
best elsewhere in this search: the history of quiet moves (J. Schaeffer 1989), killer moves (S. G. Akl and
M. M. Newborn 1977) and counter-moves (J. W. H. M. Uiterwijk 1992). What a policy adds comes later, where it
is needed (`tengen.engine.evaluation.policy_kernel`).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0912

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.fouls import is_forbidden, may_get_stuck
from tengen.engine.board.records import (
    CELLS,
    FRAME,
    KINDS,
    MOST_MOVES,
    PLACE_BITS,
    PLIES,
    ROW,
    STEPS_AWAY,
    Kind,
)
from tengen.engine.board.steps import last_moves, placed, steps_away
from tengen.engine.board.techniques import Technique
from tengen.engine.board.vectors import AT_ONCE, LEAST, largest
from tengen.engine.kernels.jit import compiled, inlined
from tengen.engine.threats.foul_fours import stops_foul_four
from tengen.engine.threats.open_fours import is_reply, open_fours
from tengen.engine.threats.vcf_kernel import fours_in_row, is_bare_four, makes_four, on_a_line

_FIVE, _OPEN_FOUR, _FOUR = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR

_HISTORY, _CONTEXTS = int(Technique.HISTORY), int(Technique.CONTEXTS)
_HISTORY_BITS = 13
"""No history is greater than this power of two."""

_HISTORY_SHARE = 6
"""The history counts in the order as divided by this power of two."""

_KILLER, _COUNTER = 250, 200
_FIRST, _LAST = 1 << 20, 1 << 18

_NEAR = 2
"""Points away from a stone that are looked at."""


@inlined
def made_and_stopped(state, side, cell):
    """The kinds of what a stone of a side would make and stop on an empty cell, as one number."""
    return KINDS * np.int64(state.kinds[side, cell]) + np.int64(state.kinds[1 - side, cell])


@inlined
def by_class(state, tables, side, cell):
    """How likely a move of a side is by its class: what it makes, and what it stops."""
    own, other = state.classes[side, cell], state.classes[1 - side, cell]
    return np.int64(tables.orders[side, 0, own]) + np.int64(tables.orders[1 - side, 1, other])


@inlined
def in_context(state, tables, side, cell, last, before):
    """What the chance of a move changes by for its context (`tengen.engine.evaluation.weights`)."""
    contexts = tables.contexts
    return (
        np.int64(contexts[side, steps_away(cell, last)])
        + np.int64(contexts[side, STEPS_AWAY + steps_away(cell, before)])
        + np.int64(contexts[side, 2 * STEPS_AWAY + made_and_stopped(state, side, cell)])
    )


@compiled
def context_order(state_ref, tables_ref, cell):
    """What the chance of a move of the side to move changes by for its context; see `in_context`."""
    state = state_ref[0]
    last, before = last_moves(state)
    return in_context(state, tables_ref[0], state.turn, cell, last, before)


@inlined
def near_stones(state, y):
    """Which empty points of a row lie within two of a stone, one bit each.

    There are no stones in rows beyond the board, before its first one as little as after its last.
    """
    near = np.int64(0)
    for ply in range(-_NEAR, _NEAR + 1):
        near |= state.rows[(y + ply) & (ROW - 1)]
    near |= (near << 1) | (near << 2) | (near >> 1) | (near >> 2)
    return near & ~state.rows[y] & ((np.int64(1) << state.size) - 1)


@inlined
def is_looked_at(state_ref, tables_ref, side, forced, cell):
    """Whether a search would look at an empty cell near a stone, where no five is to be made or stopped.

    Args:
        state_ref: the position.
        tables_ref: the tables of its rules.
        side: to move.
        forced: whether it has to stop an open four.
        cell: the cell.
    """
    state = state_ref[0]
    if forced and not (makes_four(state, side, cell) or makes_four(state, 1 - side, cell)):
        return False
    return not (side == 0 and state.kinds[0, cell] > _FIVE and is_forbidden(state_ref, tables_ref, cell))


@compiled
def looked_at(state_ref, tables_ref, cells):
    """Write the cells that a search would look at; how many there are.

    Args:
        state_ref: the position, in which no five is to be made or stopped.
        tables_ref: the tables of its rules.
        cells: receives them, row by row; int64, shape (`CELLS`,).
    """
    state = state_ref[0]
    side, count = state.turn, np.int64(0)
    forced = state.counts[1 - side, _OPEN_FOUR] > 0
    for y in range(state.size):
        near = near_stones(state, y)
        while near:
            cell = (y + FRAME) * ROW + FRAME + lowest_bit(near)
            near &= near - 1
            if is_looked_at(state_ref, tables_ref, side, forced, cell):
                cells[count] = cell
                count += 1
    return count


@inlined
def is_threatened(state, tables, side):
    """Whether a side, with no five to stop, loses unless it stops an open four of the enemy's."""
    return state.counts[1 - side, _OPEN_FOUR] > 0 and (side == 1 or not may_get_stuck(state, tables))


@compiled
def candidates(state_ref, tables_ref, scratch_ref, ply, first, must, four):
    """Write the moves worth looking at into the scratch record, with what orders them.

    Args:
        state_ref: the position; the side to move has no five to make.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        ply: plies from the root.
        first: the cell to be tried first; -1 for none.
        must: where the enemy makes a five, to be stopped on one of the rows through it; -1 for none.
        four: the one that White, the enemy, threatens to make and that a foul would answer, as
            `tengen.engine.threats.foul_fours.foul_four` says it; -1 for none.

    Returns:
        How many there are.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    side = state.turn
    enemy = 1 - side
    forced = must < 0 and is_threatened(state, tables, side)
    # At the root a lost side has to be left with a move, too; and what can be closed may be stopped later.
    threats = np.int64(0)
    if forced and ply > 0 and not tables.closed:
        threats = open_fours(state, scratch, enemy)
    learned = not tables.without & _HISTORY
    context = state.ply > 1 and not tables.without & _CONTEXTS
    last, before = last_moves(state)
    counter = np.int64(-1)
    if state.ply > 0:
        counter = np.int64(scratch.counters[side, last & (CELLS - 1)])
    count = 0
    for y in range(state.size):
        near = near_stones(state, y)
        if forced:
            near &= (fours_in_row(state, side, y) | fours_in_row(state, enemy, y)) >> FRAME
        while near:
            cell = ((y + FRAME) * ROW + lowest_bit(near) + FRAME) & (CELLS - 1)
            near &= near - 1
            if must >= 0 and not on_a_line(cell, must):
                continue
            own_kind = state.kinds[side, cell]
            if forced and not is_reply(state, tables, scratch, threats, side, cell):
                continue
            if four >= 0 and ply > 0 and not stops_foul_four(state_ref, tables_ref, four, np.int64(cell)):
                continue
            if side == 0 and own_kind > _FIVE and is_forbidden(state_ref, tables_ref, cell):
                continue
            order = by_class(state, tables, side, cell)
            if context:
                order += in_context(state, tables, side, cell, last, before)
            if learned:
                order += np.int64(scratch.history[side, cell]) >> _HISTORY_SHARE
                if cell == scratch.killers[ply, 0] or cell == scratch.killers[ply, 1]:
                    order += _KILLER
                if cell == counter:
                    order += _COUNTER
            if must >= 0 and state.kinds[enemy, cell] == _FIVE:
                order += _FIRST // 2
            if (forced or four >= 0) and is_bare_four(state, side, cell):
                order -= _LAST
            if cell == first:
                order += _FIRST
            scratch.cells[ply, count & (MOST_MOVES - 1)] = cell
            scratch.order[ply, count & (MOST_MOVES - 1)] = placed(order, count)
            count += 1
    clear_after(scratch, ply, count)
    return count


@inlined
def clear_after(scratch, ply, count):
    """Let no number that is left from before be taken for a move's."""
    for place in range(count, (count + AT_ONCE - 1) & -AT_ONCE):
        scratch.order[ply, place] = LEAST


@inlined
def bring_best(scratch, ply, start, count):
    """Put the best of the remaining moves at `start`, and return it."""
    start &= MOST_MOVES - 1
    if start + 1 < count:
        best = largest(scratch.order, ply * MOST_MOVES, np.int64(count))
        place = MOST_MOVES - 1 - (best & (MOST_MOVES - 1))
        if place != start:
            cell = scratch.cells[ply, place]
            scratch.cells[ply, place] = scratch.cells[ply, start]
            scratch.order[ply, place] = placed(scratch.order[ply, start] >> PLACE_BITS, place)
            scratch.cells[ply, start] = cell
        scratch.order[ply, start] = LEAST  # it is no longer among those left
    return np.int64(scratch.cells[ply, start]) & (CELLS - 1)


@inlined
def _credit(scratch, side, cell, bonus):
    """Move a cell's history towards the most or the least there is."""
    history = np.int64(scratch.history[side, cell])
    scratch.history[side, cell] = history + bonus - (history * abs(bonus) >> _HISTORY_BITS)


@inlined
def reward(state, scratch, ply, depth, place):
    """Remember that the quiet move at a place was the best, and that those before it were not."""
    side = state.turn
    cell = np.int64(scratch.cells[ply, place]) & (CELLS - 1)
    bonus = min(np.int64(16) * depth * depth + 32 * depth, np.int64(1024))
    _credit(scratch, side, cell, bonus)
    for other in range(place):
        worse = np.int64(scratch.cells[ply, other]) & (CELLS - 1)
        if state.kinds[side, worse] < _FOUR:
            _credit(scratch, side, worse, -bonus)
    if scratch.killers[ply, 0] != cell:
        scratch.killers[ply, 1] = scratch.killers[ply, 0]
        scratch.killers[ply, 0] = cell
    if state.ply > 0:
        scratch.counters[side, np.int64(state.moves[(state.ply - 1) & (PLIES - 1)]) & (CELLS - 1)] = cell
