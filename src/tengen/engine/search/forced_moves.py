"""Moves that need no search: one's own five, the answers to the enemy's, and what is played without one."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, FRAME, MOST_MOVES, STATE_REF, TABLES_REF, Kind, Record
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import INT16_ARRAY, INT64, signature
from tengen.engine.threats.vcf_kernel import may_play

_FIVE = Kind.FIVE


def forced_moves(state: Record, tables: Record) -> tuple[int, ...]:
    """Return the cells one of which has to be played; see `list_forced_moves`."""
    out = np.zeros(MOST_MOVES, np.int16)
    return tuple(out[: list_forced_moves(state, tables, out)].tolist())


def fives_of(state: Record, side: int) -> tuple[int, ...]:
    """Return the cells where a side makes a five."""
    out = np.zeros(MOST_MOVES, np.int16)
    return tuple(out[: list_fives(state, side, out)].tolist())


@kernel(signature(INT64, STATE_REF, INT64, INT16_ARRAY))
def list_fives(state_ref, side, out):
    """Write the cells where a side makes a five into an array, and return their number."""
    state, count = state_ref[0], np.int64(0)
    if state.counts[side, _FIVE] > 0:
        for cell in range(CELLS):
            if state.cells[cell] == 0 and state.kinds[side, cell] == _FIVE:
                out[count] = cell
                count += 1
    return count


@kernel(signature(INT64, STATE_REF, TABLES_REF, INT16_ARRAY))
def list_forced_moves(state_ref, tables_ref, out):
    """Write the cells one of which has to be played into an array.

    They are the cells that make a five, else those that stop every five of the enemy's, else those that
    stop one. Fouls are left out.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        out: int16, room for the board: receives the cells.

    Returns:
        The number of cells; 0 if there is no five to make or to stop, or if only fouls would stop one.
    """
    state = state_ref[0]
    count = list_fives(state_ref, state.turn, out)
    if count == 0 and state.counts[1 - state.turn, _FIVE] > 0:
        count = list_replies_to_five(state_ref, tables_ref, True, out)
        if count == 0:
            count = list_replies_to_five(state_ref, tables_ref, False, out)
    return count


@compiled
def list_replies_to_five(state_ref, tables_ref, all_fives, out):
    """Write the legal cells that stop all of the enemy's fives, or any of them, and return their number."""
    state = state_ref[0]
    side, count = state.turn, np.int64(0)
    for cell in range(CELLS):
        if state.cells[cell] != 0:
            continue
        stops = state.kinds[1 - side, cell] == _FIVE
        if all_fives:
            # Under caro a stone at the end of the row takes a five away as well.
            stops = (stops or tables_ref[0].closed) and leaves_no_five(state_ref, tables_ref, cell)
        if stops and may_play(state_ref, tables_ref, side, cell):
            out[count] = cell
            count += 1
    return count


@inlined
def leaves_no_five(state_ref, tables_ref, cell):
    """Return whether the enemy has no five to make after a move."""
    make(state_ref, tables_ref, cell)
    stopped = state_ref[0].counts[state_ref[0].turn, _FIVE] == 0
    unmake(state_ref, tables_ref)
    return stopped


@kernel(signature(INT64, STATE_REF, TABLES_REF))
def central_move(state_ref, tables_ref):
    """Return the empty cell nearest to the centre that the side to move may play on.

    It is a foul if all moves are fouls, and 0 on a full board.
    """
    state, best = state_ref[0], np.int64(0)
    least = np.int64(CELLS)
    for cell in range(CELLS):
        if state.cells[cell] != 0:
            continue
        x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
        distance = max(abs(2 * x - state.size + 1), abs(2 * y - state.size + 1))
        if not may_play(state_ref, tables_ref, state.turn, cell):
            distance += state.size
        if distance < least:
            least, best = distance, cell
    return best
