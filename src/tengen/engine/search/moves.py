"""Move generation and move ordering.

Against a threat only answers are generated: against an open three the side's own fours, and the points on a
line with every open four to come, for no other point changes them all; likewise against a four that only a
foul would answer. Otherwise every point within two of a stone is generated. The order is that of the
probability that a move is the best one, as learned from games (`tengen.engine.evaluation.weights`),
corrected by the search itself: the history of quiet moves (J. Schaeffer 1989), killer moves (S. G. Akl and
M. M. Newborn 1977) and counter-moves (J. W. H. M. Uiterwijk 1992). The policy orders them later, where it
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
    SCRATCH_REF,
    STATE_REF,
    STEPS_AWAY,
    TABLES_REF,
    Kind,
    Record,
)
from tengen.engine.board.steps import last_moves, placed, steps_away
from tengen.engine.board.techniques import Technique
from tengen.engine.board.vectors import AT_ONCE, LEAST, largest
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import INT64, INT64_ARRAY, signature
from tengen.engine.threats.foul_fours import stops_foul_four
from tengen.engine.threats.open_fours import is_reply, open_fours
from tengen.engine.threats.vcf_kernel import fours_in_row, is_bare_four, makes_four, on_a_line

_FIVE, _OPEN_FOUR, _FOUR = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR

_HISTORY, _CONTEXTS = int(Technique.HISTORY), int(Technique.CONTEXTS)
_HISTORY_BITS = 13
"""The largest history is this power of two."""

_HISTORY_SHARE = 6
"""The history is divided by this power of two in the order."""

_KILLER_ORDER, _COUNTER_ORDER = 250, 200
"""Order bonuses of killer moves and counter-moves, in hundredths of a logarithm of probability."""

_HASH_MOVE_ORDER, _STOPPED_FIVE_ORDER, _BARE_FOUR_ORDER = 1 << 20, 1 << 19, 1 << 18
"""Order bonuses of the hash move and of the five's own point; a bare four is ordered last by the third."""

_BONUS_SQUARE, _BONUS_LINEAR, _LARGEST_BONUS = np.int64(16), 32, np.int64(1024)
"""A cutoff changes the history by 16 times the squared depth and 32 times the depth, up to 1024."""

_NEAR = 2
"""Points from a stone within which moves are generated."""


@inlined
def made_and_stopped(state, side, cell):
    """Return as one number the kinds that a stone of a side would make and stop on an empty cell."""
    return KINDS * np.int64(state.kinds[side, cell]) + np.int64(state.kinds[1 - side, cell])


@inlined
def class_order(state, tables, side, cell):
    """Return the order of a move by its point classes: of the stone made, and of the one stopped."""
    own, other = state.classes[side, cell], state.classes[1 - side, cell]
    return np.int64(tables.orders[side, 0, own]) + np.int64(tables.orders[1 - side, 1, other])


@inlined
def context_bonus(state, tables, side, cell, last_move, move_before):
    """Return the order bonus of a move for its context (`tengen.engine.evaluation.weights`).

    Args:
        state: the position.
        tables: the tables of its rules.
        side: to move.
        cell: of the move.
        last_move: the cell of the last move.
        move_before: the cell of the move before it.
    """
    contexts = tables.contexts
    return (
        np.int64(contexts[side, steps_away(cell, last_move)])
        + np.int64(contexts[side, STEPS_AWAY + steps_away(cell, move_before)])
        + np.int64(contexts[side, 2 * STEPS_AWAY + made_and_stopped(state, side, cell)])
    )


@kernel(signature(INT64, STATE_REF, TABLES_REF, INT64))
def context_order(state_ref, tables_ref, cell):
    """Return the order bonus of a move of the side to move for its context; see `context_bonus`."""
    state = state_ref[0]
    last_move, move_before = last_moves(state)
    return context_bonus(state, tables_ref[0], state.turn, cell, last_move, move_before)


@inlined
def near_stones(state, y):
    """Return the empty points of a row within two of a stone, one bit each.

    There are no stones in rows beyond the board, neither before its first one nor after its last.
    """
    near = np.int64(0)
    for offset in range(-_NEAR, _NEAR + 1):
        near |= state.rows[(y + offset) & (ROW - 1)]
    near |= (near << 1) | (near << 2) | (near >> 1) | (near >> 2)
    return near & ~state.rows[y] & ((np.int64(1) << state.size) - 1)


@inlined
def is_candidate(state_ref, tables_ref, side, forced, cell):
    """Return whether a search generates a move near a stone, with no five to make or to stop.

    Args:
        state_ref: the position.
        tables_ref: the tables of its rules.
        side: to move.
        forced: whether it has to stop an open four.
        cell: of the move, empty.
    """
    state = state_ref[0]
    if forced and not (makes_four(state, side, cell) or makes_four(state, 1 - side, cell)):
        return False
    return not (side == 0 and state.kinds[0, cell] > _FIVE and is_forbidden(state_ref, tables_ref, cell))


def candidates(state: Record, tables: Record) -> list[int]:
    """Return the cells of the moves that a search generates; see `list_candidates`."""
    out = np.zeros(CELLS, np.int64)
    found: list[int] = out[: list_candidates(state, tables, out)].tolist()
    return found


@kernel(signature(INT64, STATE_REF, TABLES_REF, INT64_ARRAY))
def list_candidates(state_ref, tables_ref, out):
    """Write the cells of the moves that a search generates into an array, row by row.

    Args:
        state_ref: the position, with no five to make or to stop.
        tables_ref: the tables of its rules.
        out: int64, shape (`CELLS`,): receives the cells.

    Returns:
        The number of cells.
    """
    state = state_ref[0]
    side, count = state.turn, np.int64(0)
    forced = state.counts[1 - side, _OPEN_FOUR] > 0
    for y in range(state.size):
        near = near_stones(state, y)
        while near:
            cell = (y + FRAME) * ROW + FRAME + lowest_bit(near)
            near &= near - 1
            if is_candidate(state_ref, tables_ref, side, forced, cell):
                out[count] = cell
                count += 1
    return count


@inlined
def is_threatened(state, tables, side):
    """Return whether a side, with no five to stop, loses unless it stops an open four of the enemy's."""
    return state.counts[1 - side, _OPEN_FOUR] > 0 and (side == 1 or not may_get_stuck(state, tables))


@kernel(signature(INT64, STATE_REF, TABLES_REF, SCRATCH_REF, INT64, INT64, INT64, INT64))
def generate_moves(state_ref, tables_ref, scratch_ref, ply, hash_move, forced_reply, foul_four):
    """Write the moves to search into the scratch record, with their orders.

    Args:
        state_ref: the position; the side to move has no five to make.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        ply: plies from the root.
        hash_move: the cell to search first; -1 for none.
        forced_reply: the cell of the enemy's five, to be stopped on one of the lines through it; -1 for
            none.
        foul_four: the four that White, the enemy, threatens and only a foul would answer, as
            `tengen.engine.threats.foul_fours.find_foul_four` returns it; -1 for none.

    Returns:
        The number of moves.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    side = state.turn
    enemy = 1 - side
    forced = forced_reply < 0 and is_threatened(state, tables, side)
    # At the root a lost side has to be left with a move, too; and what can be closed may be stopped later.
    threats = np.int64(0)
    if forced and ply > 0 and not tables.closed:
        threats = open_fours(state, scratch, enemy)
    uses_history = not tables.without & _HISTORY
    uses_context = state.ply > 1 and not tables.without & _CONTEXTS
    last_move, move_before = last_moves(state)
    counter_move = np.int64(-1)
    if state.ply > 0:
        counter_move = np.int64(scratch.counters[side, last_move & (CELLS - 1)])
    count = 0
    for y in range(state.size):
        near = near_stones(state, y)
        if forced:
            near &= (fours_in_row(state, side, y) | fours_in_row(state, enemy, y)) >> FRAME
        while near:
            cell = ((y + FRAME) * ROW + lowest_bit(near) + FRAME) & (CELLS - 1)
            near &= near - 1
            if forced_reply >= 0 and not on_a_line(cell, forced_reply):
                continue
            own_kind = state.kinds[side, cell]
            if forced and not is_reply(state, tables, scratch, threats, side, cell):
                continue
            if (
                foul_four >= 0
                and ply > 0
                and not stops_foul_four(state_ref, tables_ref, foul_four, np.int64(cell))
            ):
                continue
            if side == 0 and own_kind > _FIVE and is_forbidden(state_ref, tables_ref, cell):
                continue
            order = class_order(state, tables, side, cell)
            if uses_context:
                order += context_bonus(state, tables, side, cell, last_move, move_before)
            if uses_history:
                order += np.int64(scratch.history[side, cell]) >> _HISTORY_SHARE
                if cell == scratch.killers[ply, 0] or cell == scratch.killers[ply, 1]:
                    order += _KILLER_ORDER
                if cell == counter_move:
                    order += _COUNTER_ORDER
            if forced_reply >= 0 and state.kinds[enemy, cell] == _FIVE:
                order += _STOPPED_FIVE_ORDER
            if (forced or foul_four >= 0) and is_bare_four(state, side, cell):
                order -= _BARE_FOUR_ORDER
            if cell == hash_move:
                order += _HASH_MOVE_ORDER
            scratch.cells[ply, count & (MOST_MOVES - 1)] = cell
            scratch.order[ply, count & (MOST_MOVES - 1)] = placed(order, count)
            count += 1
    clear_orders_after(scratch, ply, count)
    return count


@compiled
def list_root_moves(state_ref, tables_ref, scratch_ref, hash_move):
    """Write the root moves that alone may be searched into the scratch record, with their orders.

    Args:
        state_ref: the position.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record, with the moves.
        hash_move: the cell to search first; -1 for none.

    Returns:
        The number of moves.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    side, count = state.turn, scratch.root_count
    last_move, move_before = last_moves(state)
    for place in range(count):
        cell = np.int64(scratch.root_cells[place]) & (CELLS - 1)
        order = class_order(state, tables, side, cell)
        if state.ply > 1 and not tables.without & _CONTEXTS:
            order += context_bonus(state, tables, side, cell, last_move, move_before)
        if not tables.without & _HISTORY:
            order += np.int64(scratch.history[side, cell]) >> _HISTORY_SHARE
        if cell == hash_move:
            order += _HASH_MOVE_ORDER
        scratch.cells[0, place & (MOST_MOVES - 1)] = cell
        scratch.order[0, place & (MOST_MOVES - 1)] = placed(order, place)
    clear_orders_after(scratch, 0, count)
    return count


@inlined
def clear_orders_after(scratch, ply, count):
    """Clear the orders that a vector read beyond the last move would take for a move's."""
    for place in range(count, (count + AT_ONCE - 1) & -AT_ONCE):
        scratch.order[ply, place] = LEAST


@inlined
def pick_best(scratch, ply, start, count):
    """Swap the best of the remaining moves to `start`, and return its cell."""
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
def _update_history(scratch, side, cell, bonus):
    """Move a cell's history towards its upper or lower bound."""
    history = np.int64(scratch.history[side, cell])
    scratch.history[side, cell] = history + bonus - (history * abs(bonus) >> _HISTORY_BITS)


@inlined
def update_histories(state, scratch, ply, depth, place):
    """Reward the quiet move at a place for a beta cutoff, and punish the quiet moves before it.

    It becomes a killer move of its ply, and the counter-move of the last move.
    """
    side = state.turn
    cell = np.int64(scratch.cells[ply, place]) & (CELLS - 1)
    bonus = min(_BONUS_SQUARE * depth * depth + _BONUS_LINEAR * depth, _LARGEST_BONUS)
    _update_history(scratch, side, cell, bonus)
    for other in range(place):
        other_cell = np.int64(scratch.cells[ply, other]) & (CELLS - 1)
        if state.kinds[side, other_cell] < _FOUR:
            _update_history(scratch, side, other_cell, -bonus)
    if scratch.killers[ply, 0] != cell:
        scratch.killers[ply, 1] = scratch.killers[ply, 0]
        scratch.killers[ply, 0] = cell
    if state.ply > 0:
        scratch.counters[side, np.int64(state.moves[(state.ply - 1) & (PLIES - 1)]) & (CELLS - 1)] = cell
