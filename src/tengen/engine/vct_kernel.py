"""Wins by continuous threats: fours and open threes, within a number of nodes.

An AND/OR search by iterative deepening on the number of threats, over the moves of threat-space search
(L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, "Go-Moku and Threat-Space Search", 1993), but with
every answer of the defender's played apart:

- the attacker makes a four or an open three, or wins by fours alone (`tengen.engine.vcf_kernel`); against
  an open three of the defender's, its own has to stop that one as well;
- against a four there is one answer; against an open three, every point where the attacker would make a
  four and every four of the defender's own. Whatever else the defender plays, an open four follows.

What it finds is a win; where it finds none nothing is proven. Positions won and lost are written into the
search's table, so that the search goes on from them and the line can be read off.

Under caro, where an open four can be stopped, it finds nothing.
"""

from __future__ import annotations

import numpy as np
from numba import njit, typeof, types

from tengen.engine.compiled import OPTIONS, inlined
from tengen.engine.foul_kernel import is_forbidden, may_get_stuck
from tengen.engine.moves import bring_best
from tengen.engine.position import make, unmake
from tengen.engine.scores import WIN
from tengen.engine.search_state import DEEPEST, FRAME, MEMORY, ROW, STATE, TABLES, WORK, Kind
from tengen.engine.table import LOWER, UPPER, key_of, remember
from tengen.engine.vcf_kernel import SEVERAL, five_to_stop, fours, makes_four, may_play

_FIVE, _OPEN_FOUR, _FOUR = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR
_FOUR_THREE, _FOUR_AND_MORE, _OPEN_THREE = Kind.FOUR_THREE, Kind.FOUR_AND_MORE, Kind.OPEN_THREE

_FOUR_NODES = 64
"""Nodes spent on a win by fours in each position."""

_FOURS = 12
_SALT = 0x2545F4914F6CDD1D
_PROVEN_DEPTH = 60
"""The depth under which wins are stored: deeper than a search would look."""

_ARGUMENTS = types.int64(
    typeof(np.zeros(1, STATE)),
    typeof(np.zeros(1, TABLES)),
    typeof(np.zeros(1, WORK)),
    typeof(np.zeros((2, 2), np.int64)),
    types.int64,
)


# -- the steps, in the order of `threats_win`


@inlined
def memory_key(state):
    """Step 4: the position as it is kept in `memory`, unlike that of a search for fours; its place."""
    key = key_of(state) ^ np.int64(_SALT)
    return key & ~np.int64(255), (key >> 8) & (MEMORY - 1)


@inlined
def win_by_fours(states, tables_, works, table, away):
    """Step 5: the plies to a win by fours of the side to move that few nodes find; 0 if they find none."""
    state, work = states[0], works[0]
    counts, side = state.counts, state.turn
    four_points = np.int64(counts[side, _FOUR]) + counts[side, _FOUR_AND_MORE] + counts[side, _FOUR_THREE]
    length = np.int64(0)
    if four_points > 1 or counts[side, _FOUR_THREE] > 0:
        kept, ended = state.most_nodes, state.ended
        state.most_nodes = min(kept, state.nodes + _FOUR_NODES)
        length = fours(states, tables_, works, state.ply, np.int64(_FOURS))
        state.most_nodes = kept
        if state.nodes < kept and not state.stop:
            state.ended = ended
        if length > 0:
            proven(table, key_of(state), work.line[0], WIN - away - length, away, LOWER)
    return length


@inlined
def proven(table, key, cell, score, away, bound):
    """Write a position that is won, or lost, into the search's table."""
    remember(table, key, cell, score, away, np.int64(_PROVEN_DEPTH), bound)


@inlined
def list_threats(states, tables_, works, must, away):
    """Step 7: write the fours and open threes of the side to move into the work record; how many there are.

    Where `must`, the cell that stops the enemy's five, is not -1, it alone is written, whatever it makes.
    """
    state, tables, work = states[0], tables_[0], works[0]
    side = state.turn
    enemy = 1 - side
    if must >= 0:
        work.cells[away, 0] = must
        work.order[away, 0] = 0
        return np.int64(1)
    count = np.int64(0)
    size = state.size
    for y in range(FRAME, FRAME + size):
        for x in range(FRAME, FRAME + size):
            cell = y * ROW + x
            kind = state.kinds[side, cell]
            if state.cells[cell] != 0 or kind < _OPEN_THREE or kind > _FIVE:
                continue
            if side == 0 and is_forbidden(states, tables_, cell):
                continue
            patterns = np.int64(state.patterns[cell])
            work.cells[away, count] = cell
            work.order[away, count] = np.int64(
                tables.orders[side, 0, (patterns >> (16 * side)) & 0xFFFF]
            ) + np.int64(tables.orders[enemy, 1, (patterns >> (16 * enemy)) & 0xFFFF])
            count += 1
    return count


@inlined
def is_threat(state, side):
    """Step 8: whether a side's last stone threatens a five, or an open four, before the enemy does."""
    enemy = 1 - side
    return state.counts[enemy, _FIVE] == 0 and (
        state.counts[side, _FIVE] > 0
        or (state.counts[side, _OPEN_FOUR] > 0 and state.counts[enemy, _OPEN_FOUR] == 0)
    )


@inlined
def next_answer(states, tables_, side, cell):
    """Step 9: the next cell after `cell` where a side's threat may be stopped; -1 if there is none.

    Against a four those are the points of the five; against an open three, all where either side makes a
    four.
    """
    state = states[0]
    enemy = 1 - side
    four = state.counts[side, _FIVE] > 0
    last = (FRAME + state.size - 1) * ROW + FRAME + state.size - 1
    for answer in range(cell + 1, last + 1):
        if state.cells[answer] != 0:
            continue
        if four:
            if state.kinds[side, answer] != _FIVE:
                continue
        elif not (makes_four(state, side, answer) or makes_four(state, enemy, answer)):
            continue
        if may_play(states, tables_, enemy, answer):
            return np.int64(answer)
    return np.int64(-1)


@njit(_ARGUMENTS, **OPTIONS)
def threats_win(states, tables_, works, table, depth):
    """Look for a win by threats of the side to move.

    Args:
        states: the position; as before when this returns.
        tables_: the tables of its rules.
        works: the thread's work record.
        table: the shared table (`tengen.engine.table`).
        depth: how many threats may be made before the rest has to be fours.

    Returns:
        The plies to the win; 0 if none is found. `ended` of the state tells whether the nodes were used up.
    """
    state, work = states[0], works[0]
    side = state.turn
    enemy = 1 - side
    away = (state.ply - work.root) & 127
    # Step 1. A five to be made.
    if state.counts[side, _FIVE] > 0:
        return 1
    # Step 2. No nodes left, or told to stop.
    if state.nodes >= state.most_nodes or state.stop:
        state.ended = 1
        return 0
    # Step 3. The enemy's five, which has to be stopped; or an open four, unless Black could be left with
    # fouls alone.
    must = five_to_stop(state, enemy)
    if must == SEVERAL or (must >= 0 and not may_play(states, tables_, side, must)):
        return 0
    doubtful = side == 1 and may_get_stuck(state, tables_[0])
    if must < 0 and state.counts[side, _OPEN_FOUR] > 0 and not doubtful:
        return 3
    # Step 4. What is known to lead to nothing, with as many threats.
    key, slot = memory_key(state)
    known = work.memory[slot]
    if (known & ~np.int64(255)) == key and (known & 255) > depth:
        return 0
    # Step 5. A win by fours.
    length = win_by_fours(states, tables_, works, table, away)
    if length > 0 or state.ended:
        return length
    # Step 6. As many threats as may be made, while they can be trusted.
    if depth <= 0 or away >= DEEPEST - 4 or doubtful:
        return 0
    # Step 7. Every threat there is; stopping a five is no threat of one's own, and costs no depth.
    less = np.int64(depth if must >= 0 else depth - 1)
    count = list_threats(states, tables_, works, must, away)
    for place in range(count):
        cell = bring_best(work, away, place, count)
        make(states, tables_, cell)
        state.nodes += 1
        # Step 8. What is no threat is no win.
        longest, longest_answer = np.int64(0), np.int64(0)
        if is_threat(state, side):
            # Step 9. Every answer has to lose. Where there is none, the five or the open four follows.
            longest = np.int64(2)
            answer = next_answer(states, tables_, side, np.int64(FRAME * ROW))
            while answer >= 0:
                make(states, tables_, answer)
                state.nodes += 1
                length = threats_win(states, tables_, works, table, less)
                unmake(states, tables_)
                if length == 0:
                    longest = np.int64(0)
                    break
                if length + 1 > longest:
                    longest, longest_answer = np.int64(length + 1), answer
                answer = next_answer(states, tables_, side, answer)
            if longest > 0 and longest_answer > 0:
                proven(table, key_of(state), longest_answer, -(WIN - away - 1 - longest), away + 1, UPPER)
        unmake(states, tables_)
        # Step 10. A win, or the end of the search.
        if state.ended:
            return 0
        if longest > 0:
            proven(table, key_of(state), cell, WIN - away - 1 - longest, away, LOWER)
            return longest + 1
    # Step 11. Nothing: that is remembered.
    work.memory[slot] = key | (depth + 1)
    return 0
