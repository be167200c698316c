"""Wins by continuous fours, searched to the end.

Each move of the attacker makes a four, so the defender has one answer or none, and a line of play is
hardly wider than it is long: what a board holds can be searched completely. At each step

- a five of one's own wins, and so does a four that becomes a five in two ways, or whose only answer is a
  foul (under caro, a four that no answer near it stops: the enemy at both ends of a five spoils it);
- a five that the defender threatens has to be met, by a move that makes a four as well;
- otherwise every point that makes a four is tried.

A position from which no win is left is remembered with the number of fours that were looked at, because
different orders of the same moves lead to it again and again. To find the shortest win, the number of
fours is raised one at a time (iterative deepening, R. E. Korf 1985).

The idea of searching threats alone: L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, "Go-Moku and
Threat-Space Search" (1993).
"""

from __future__ import annotations

import numpy as np
from numba import njit, typeof, types

from tengen.engine.compiled import OPTIONS, inlined
from tengen.engine.foul_kernel import is_forbidden
from tengen.engine.patterns import Pattern
from tengen.engine.position import make, unmake
from tengen.engine.search_state import CELLS, FRAME, MEMORY, PLIES, ROW, STATE, TABLES, WORK, Kind

UNLIMITED = 255
"""More fours than any board has room for."""

_FOUR, _DOUBLE_FOUR, _OPEN_FOUR = int(Pattern.FOUR), int(Pattern.DOUBLE_FOUR), int(Pattern.OPEN_FOUR)
_FIVE_KIND = Kind.FIVE
_FOUR_KIND = Kind.FOUR

_ARGUMENTS = types.int64(
    typeof(np.zeros(1, STATE)),
    typeof(np.zeros(1, TABLES)),
    typeof(np.zeros(1, WORK)),
    types.int64,
    types.int64,
)


@inlined
def makes_four(state, side, cell):
    """Whether a stone of a side on an empty cell makes a four on any line."""
    patterns = (np.int64(state.patterns[cell]) >> (16 * side)) & 0xFFFF
    for _ in range(4):
        if _FOUR <= (patterns & 15) <= _OPEN_FOUR:
            return True
        patterns >>= 4
    return False


@inlined
def five_near(state, side, cell, other):
    """A cell on the lines through `cell` that makes a five of a side, not `other`; -1 if there is none."""
    for direction in range(4):
        step = (1, ROW, ROW + 1, 1 - ROW)[direction]
        for way in (-1, 1):
            near = cell
            for _ in range(FRAME):
                near = (near + way * step) & (CELLS - 1)
                if state.cells[near] == 3:
                    break
                if state.cells[near] == 0 and state.kinds[side, near] == _FIVE_KIND and near != other:
                    return np.int64(near)
    return np.int64(-1)


@inlined
def any_five(state, side, other):
    """A cell anywhere that makes a five of a side, not `other`; -1 if there is none."""
    size = state.size
    for y in range(FRAME, FRAME + size):
        for x in range(FRAME, FRAME + size):
            cell = y * ROW + x
            if state.cells[cell] == 0 and state.kinds[side, cell] == _FIVE_KIND and cell != other:
                return np.int64(cell)
    return np.int64(-1)


@njit(**OPTIONS)
def winning_cell(states, side):
    """A cell where a side makes a five; -1 if there is none."""
    return any_five(states[0], side, -1)


@njit(**OPTIONS)
def may_play(states, tables_, side, cell):
    """Whether a side may play on an empty cell."""
    return side == 1 or not is_forbidden(states, tables_, cell)


@njit(**OPTIONS)
def finish(states, tables_, works, length, five, second):
    """Add the last two plies to a line: a reply that does not help, and the five.

    Args:
        states: the position after the last four; the defender is to move.
        tables_: the tables of its rules.
        works: whose `line` it is.
        length: its length so far.
        five: where the attacker makes a five.
        second: where else, or -1.

    Returns:
        The length of the line then.
    """
    state, work = states[0], works[0]
    defender = state.turn
    reply = np.int64(-1)
    if may_play(states, tables_, defender, five):
        reply, five = five, second
    elif second >= 0 and may_play(states, tables_, defender, second):
        reply = second
    else:
        for cell in range(CELLS):
            free = state.cells[cell] == 0 and cell != five and cell != second  # noqa: PLR1714 - compiled
            if free and may_play(states, tables_, defender, cell):
                reply = np.int64(cell)
                break
    work.line[length] = reply
    work.line[length + 1] = five
    return length + 2


@njit(_ARGUMENTS, **OPTIONS)
def fours(states, tables_, works, first, most):
    """Look for a win by fours of the side to move.

    Args:
        states: the position; as before when this returns.
        tables_: the tables of its rules.
        works: the thread's work record: `memory` is read and written, and `line` receives the cells of the
            winning line, the five included.
        first: the ply at the root.
        most: how many fours may be played.

    Returns:
        The length of the line; 0 without a win. `ended` of the state says whether that is proven.
    """
    state, work = states[0], works[0]
    side = state.turn
    enemy = 1 - side
    depth = state.ply - first
    if state.counts[side, _FIVE_KIND] > 0:
        for place in range(depth):
            work.line[place] = state.moves[(first + place) & (PLIES - 1)]
        work.line[depth] = any_five(state, side, -1)
        return depth + 1
    if most <= 0 or state.ply + 4 >= PLIES:
        return 0
    must = np.int64(-1)
    if state.counts[enemy, _FIVE_KIND] > 0:
        must = any_five(state, enemy, -1)
        if any_five(state, enemy, must) >= 0:
            return 0
    key = (state.hash ^ (state.keys[side & 1, 0] if side else 0)) & ~np.int64(255)
    slot = (state.hash >> 8) & (MEMORY - 1)
    known = work.memory[slot]
    if (known & ~np.int64(255)) == key and (known & 255) >= most:
        return 0
    size = state.size
    for y in range(FRAME, FRAME + size):
        for x in range(FRAME, FRAME + size):
            cell = y * ROW + x
            if state.cells[cell] != 0 or (must >= 0 and cell != must):
                continue
            if state.kinds[side, cell] < _FOUR_KIND or not makes_four(state, side, cell):
                continue
            if side == 0 and is_forbidden(states, tables_, cell):
                continue
            # A four and its answer; a search that asks has a node left to go on with.
            if state.nodes + 2 >= state.most_nodes or state.stop:
                state.ended = 1
                return 0
            make(states, tables_, cell)
            state.nodes += 1
            length = np.int64(0)
            if state.counts[enemy, _FIVE_KIND] == 0 and tables_[0].closed:
                # The enemy at both ends spoils a five, so there are more answers than the five's own point.
                # Each that leaves no five has to lose; the one that holds out longest is shown.
                worst = five_near(state, side, cell, -1)
                length = np.int64(-1)
                for number in range(4 * (2 * FRAME + 1)):
                    step = (1, ROW, ROW + 1, 1 - ROW)[number & 3]
                    reply = (cell + ((number >> 2) - FRAME) * step) & (CELLS - 1)
                    if state.cells[reply] != 0 or length == 0 or state.ended:
                        continue
                    if state.nodes + 1 >= state.most_nodes:
                        state.ended = 1
                        length = np.int64(0)
                        continue
                    make(states, tables_, reply)
                    state.nodes += 1
                    if state.counts[side, _FIVE_KIND] == 0:
                        left = fours(states, tables_, works, first, np.int64(most - 1))
                        if left == 0:
                            length = np.int64(0)
                        elif left > length:
                            length, worst = left, reply
                    unmake(states, tables_)
                if length != 0 and not state.ended:
                    make(states, tables_, worst)
                    length = fours(states, tables_, works, first, np.int64(most - 1))
                    unmake(states, tables_)
            elif state.counts[enemy, _FIVE_KIND] == 0:
                answer = five_near(state, side, cell, -1)
                second = five_near(state, side, cell, answer)
                if second >= 0 or not may_play(states, tables_, enemy, answer):
                    depth = state.ply - first
                    for place in range(depth):
                        work.line[place] = state.moves[(first + place) & (PLIES - 1)]
                    length = finish(states, tables_, works, depth, answer, second)
                else:
                    make(states, tables_, answer)
                    state.nodes += 1
                    length = fours(states, tables_, works, first, np.int64(most - 1))
                    unmake(states, tables_)
            unmake(states, tables_)
            if length > 0 or state.ended:
                return length
    work.memory[slot] = key | most
    return 0
