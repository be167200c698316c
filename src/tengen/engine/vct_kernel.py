"""Wins by continuous threats: fours and open threes, within a number of nodes.

An AND/OR search by iterative deepening on the number of threats, over the moves of threat-space search
(L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, "Go-Moku and Threat-Space Search", 1993), but with
every answer of the defender's played apart:

- the attacker makes a four or an open three, or wins by fours alone (`tengen.engine.vcf_kernel`);
- against a four there is one answer; against an open three, every point where the attacker would make a
  four and every four of the defender's own. Whatever else the defender plays, an open four follows.

What it finds is a win; where it finds none nothing is proven. Positions won and lost are written into the
search's table, so that the search goes on from them and the line can be read off.

Under caro, where an open four can be stopped, it finds nothing.
"""

from __future__ import annotations

import numpy as np
from numba import njit, typeof, types

from tengen.engine.compiled import OPTIONS
from tengen.engine.foul_kernel import is_forbidden
from tengen.engine.moves import bring_best
from tengen.engine.position import make, unmake
from tengen.engine.scores import WIN
from tengen.engine.search_state import DEEPEST, FRAME, MEMORY, ROW, STATE, TABLES, WORK, Kind
from tengen.engine.table import LOWER, UPPER, key_of, remember
from tengen.engine.vcf_kernel import any_five, fours, makes_four, may_play

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
    state, tables, work = states[0], tables_[0], works[0]
    side = state.turn
    enemy = 1 - side
    away = (state.ply - work.root) & 127
    if state.counts[side, _FIVE] > 0:
        return 1
    if state.nodes >= state.most_nodes or state.stop:
        state.ended = 1
        return 0
    must = np.int64(-1)
    if state.counts[enemy, _FIVE] > 0:
        must = any_five(state, enemy, -1)
        if any_five(state, enemy, must) >= 0 or not may_play(states, tables_, side, must):
            return 0
    elif state.counts[side, _OPEN_FOUR] > 0:
        return 3
    key = key_of(state)
    known = work.memory[((key ^ _SALT) >> 8) & (MEMORY - 1)]
    if (known & ~np.int64(255)) == ((key ^ _SALT) & ~np.int64(255)) and (known & 255) > depth:
        return 0
    counts = state.counts
    four_points = np.int64(counts[side, _FOUR]) + counts[side, _FOUR_AND_MORE] + counts[side, _FOUR_THREE]
    if four_points > 1 or counts[side, _FOUR_THREE] > 0:
        kept, ended = state.most_nodes, state.ended
        state.most_nodes = min(kept, state.nodes + _FOUR_NODES)
        length = fours(states, tables_, works, state.ply, np.int64(_FOURS))
        state.most_nodes = kept
        if state.nodes < kept and not state.stop:
            state.ended = ended
        if length > 0:
            remember(table, key, work.line[0], WIN - away - length, away, np.int64(_PROVEN_DEPTH), LOWER)
            return length
        if state.ended:
            return 0
    if depth <= 0 or away >= DEEPEST - 4:
        return 0
    count = np.int64(0)
    # Against an open three of the enemy's only fours are quick enough.
    least = _FOUR if state.counts[enemy, _OPEN_FOUR] > 0 else _OPEN_THREE
    size = state.size
    if must >= 0:
        work.cells[away, 0] = must
        work.order[away, 0] = 0
        count = np.int64(1)
    else:
        for y in range(FRAME, FRAME + size):
            for x in range(FRAME, FRAME + size):
                cell = y * ROW + x
                kind = state.kinds[side, cell]
                if state.cells[cell] != 0 or kind < least or kind > _FIVE:
                    continue
                if side == 0 and is_forbidden(states, tables_, cell):
                    continue
                patterns = np.int64(state.patterns[cell])
                work.cells[away, count] = cell
                work.order[away, count] = np.int64(
                    tables.orders[side, 0, (patterns >> (16 * side)) & 0xFFFF]
                ) + np.int64(tables.orders[enemy, 1, (patterns >> (16 * enemy)) & 0xFFFF])
                count += 1
    less = np.int64(depth if must >= 0 else depth - 1)
    for place in range(count):
        cell = bring_best(work, away, place, count)
        make(states, tables_, cell)
        state.nodes += 1
        longest = np.int64(0)
        answer_best = np.int64(0)
        if state.counts[enemy, _FIVE] == 0 and (
            state.counts[side, _FIVE] > 0
            or (state.counts[side, _OPEN_FOUR] > 0 and state.counts[enemy, _OPEN_FOUR] == 0)
        ):
            four = state.counts[side, _FIVE] > 0
            stopped = False
            longest = np.int64(2)
            for y in range(FRAME, FRAME + size):
                for x in range(FRAME, FRAME + size):
                    answer = y * ROW + x
                    if stopped or state.cells[answer] != 0:
                        continue
                    if four:
                        if state.kinds[side, answer] != _FIVE:
                            continue
                    elif not (makes_four(state, side, answer) or makes_four(state, enemy, answer)):
                        continue
                    if not may_play(states, tables_, enemy, answer):
                        continue
                    make(states, tables_, answer)
                    state.nodes += 1
                    length = threats_win(states, tables_, works, table, less)
                    unmake(states, tables_)
                    if length == 0:
                        stopped = True
                        longest = np.int64(0)
                    elif length + 1 > longest:
                        longest = np.int64(length + 1)
                        answer_best = np.int64(answer)
            if longest > 0 and answer_best > 0:
                score = -(WIN - away - 1 - longest)
                remember(table, key_of(state), answer_best, score, away + 1, np.int64(_PROVEN_DEPTH), UPPER)
        unmake(states, tables_)
        if state.ended:
            return 0
        if longest > 0:
            score = WIN - away - 1 - longest
            remember(table, key, cell, score, away, np.int64(_PROVEN_DEPTH), LOWER)
            return longest + 1
    work.memory[((key ^ _SALT) >> 8) & (MEMORY - 1)] = ((key ^ _SALT) & ~np.int64(255)) | (depth + 1)
    return 0
