"""The search: principal variation search over threats and patterns, compiled.

A negamax alpha-beta search by iterative deepening, in the form of principal variation search (T. A.
Marsland 1986), with what five in a row adds to it:

- *No search where the patterns know.* A five to be made wins now; a five of the enemy's has one answer or
  none; an open four or a double four wins in two more moves.
- *Forced replies.* Where the enemy threatens a five, one point is looked at, and it costs no depth; where
  it threatens an open four, only the points that stop it, and fours of one's own.
- *Wins by fours.* `tengen.engine.vcf_kernel` is asked at every node where a move since the last question
  has made new fours possible, with few nodes at the leaves and more nearer the root.

What chess programs do applies too: late-move reductions and pruning, reverse futility pruning (J. Schaeffer
1986, E. A. Heinz 1998), singular extensions (T. Anantharaman, M. S. Campbell, F. Hsu 1990), internal
iterative reduction. `tengen.engine.techniques` can leave each of them out. Null moves, razoring, futility
pruning of single moves, and looking only at the points of a win by fours that the enemy threatens were
tried, and brought nothing (`docs/strength.md`).

Where a side has lost, no move of its that could matter has been left out: a win found is a win.

Scores are centi-units for the side to move; a win in n plies is `WIN` - n.
"""

from __future__ import annotations

import numpy as np
from numba import njit, typeof, types

from tengen.engine.compiled import OPTIONS, inlined
from tengen.engine.evaluate import static_score
from tengen.engine.moves import bring_best, candidates, reward
from tengen.engine.position import make, unmake
from tengen.engine.scores import MATE, WIN
from tengen.engine.search_state import DEEPEST, PLIES, STATE, TABLES, WORK, Kind
from tengen.engine.table import (
    EXACT,
    LOWER,
    UPPER,
    data_at,
    key_of,
    remember,
    stored_bound,
    stored_depth,
    stored_move,
    stored_score,
)
from tengen.engine.techniques import Technique
from tengen.engine.vcf_kernel import any_five, fours, may_play

_FIVE, _OPEN_FOUR, _FOUR_THREE = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR_THREE
_FOUR, _FOUR_AND_MORE, _OPEN_THREE = Kind.FOUR, Kind.FOUR_AND_MORE, Kind.OPEN_THREE

_LMR, _LMP, _REVERSE = int(Technique.LMR), int(Technique.LMP), int(Technique.REVERSE)
_SINGULAR, _VCF = int(Technique.SINGULAR), int(Technique.VCF)
_IIR, _REPLIES = int(Technique.IIR), int(Technique.REPLIES)

_TABLE = np.zeros((2, 2), np.int64)
_ARGUMENTS = types.int64(
    typeof(np.zeros(1, STATE)),
    typeof(np.zeros(1, TABLES)),
    typeof(np.zeros(1, WORK)),
    typeof(_TABLE),
    types.int64,
    types.int64,
    types.int64,
    types.int64,
)


@inlined
def chances(counts, side):
    """How many points make a four of a side, those that win at once left out."""
    return (
        np.int64(counts[side, _FOUR])
        + np.int64(counts[side, _FOUR_AND_MORE])
        + np.int64(counts[side, _FOUR_THREE])
    )


@inlined
def may_win_by_fours(state, side):
    """Whether fours could lead anywhere: two that meet, or one that makes more."""
    counts = state.counts
    return (
        counts[side, _FOUR_THREE] > 0
        or counts[side, _OPEN_FOUR] > 0
        or (counts[side, _FOUR_AND_MORE] > 0 and counts[side, _FOUR_AND_MORE] + counts[side, _FOUR] > 1)
    )


@njit(**OPTIONS)
def wins_by_fours(states, tables_, works, most_nodes, most):
    """The plies to a win by fours of the side to move that a small search finds; 0 if it finds none."""
    state = states[0]
    kept, ended = state.most_nodes, state.ended
    state.most_nodes = min(kept, state.nodes + most_nodes)
    length = fours(states, tables_, works, state.ply, most)
    state.most_nodes = kept
    if state.nodes < kept and not state.stop:
        state.ended = ended
    return length


@njit(_ARGUMENTS, **OPTIONS)
def search(states, tables_, works, table, depth, alpha, beta, cut):
    """The score of the position for the side to move.

    Args:
        states: the position; as before when this returns.
        tables_: the tables of its rules.
        works: the thread's work record.
        table: the shared table (`tengen.engine.table`).
        depth: plies to look ahead.
        alpha: the score to beat.
        beta: the score that is enough.
        cut: 1 where the node is expected to reach beta.

    Returns:
        The score; without meaning where `ended` of the state is set.
    """
    state, tables, work = states[0], tables_[0], works[0]
    away = (state.ply - work.root) & 127
    side = state.turn
    enemy = 1 - side
    without = tables.without
    if state.nodes >= state.most_nodes or state.stop:
        state.ended = 1
        return 0
    work.deepest = max(work.deepest, away)
    if state.counts[side, _FIVE] > 0:
        if away == 0:
            work.best = any_five(state, side, -1)
        return WIN - away - 1
    if away > 0:
        if state.ply >= state.size * state.size:
            return 0
        alpha = max(alpha, -(WIN - away))
        beta = min(beta, WIN - away - 3)
        if alpha >= beta:
            return alpha
    must = np.int64(-1)
    if state.counts[enemy, _FIVE] > 0:
        must = any_five(state, enemy, -1)
        # Under caro a five is also stopped by closing its row.
        several = any_five(state, enemy, must) >= 0
        if not tables.closed and (several or not may_play(states, tables_, side, must)):
            if away > 0:
                return -(WIN - away - 2)
            if not may_play(states, tables_, side, must):
                must = np.int64(-1)
    elif away > 0 and state.counts[side, _OPEN_FOUR] > 0 and not tables.closed:
        return WIN - away - 3
    static = static_score(state, tables)
    if away >= DEEPEST:
        return static
    principal = beta - alpha > 1
    excluded = work.excluded[away]
    key = key_of(state)
    first = np.int64(-1)
    data = np.int64(0)
    if excluded == 0:
        data = data_at(table, key)
        if data != 0:
            first = stored_move(data)
            if first == 0 or state.cells[first] != 0:
                first = np.int64(-1)
            if away > 0 and not principal and stored_depth(data) >= depth:
                score = stored_score(data, away)
                bound = stored_bound(data)
                if (
                    bound == EXACT
                    or (bound == LOWER and score >= beta)
                    or (bound == UPPER and score <= alpha)
                ):
                    return score
    if away == 0 and work.best > 0 and state.cells[work.best] == 0:
        # What the depth before has found; the table may have lost it to another position.
        first = np.int64(work.best)
    threatened = must < 0 and state.counts[enemy, _OPEN_FOUR] > 0
    work.statics[away] = static
    if must < 0 and away > 0 and excluded == 0:
        if depth > 3 and may_win_by_fours(state, side) and not without & _VCF:
            # Only a stone of one's own since the last question can have made new fours possible.
            before = (state.ply - 2) & (PLIES - 1)
            fresh = away < 2 or chances(state.counts, side) > chances(state.kept[before], side)
            if fresh or depth >= 4:
                nodes = np.int64(32) * min(depth, np.int64(8))
                length = wins_by_fours(states, tables_, works, nodes, np.int64(20))
                if length > 0:
                    score = WIN - away - length
                    remember(table, key, work.line[0], score, away, depth, LOWER)
                    return score
                if state.ended:
                    return 0
        if depth <= 0 and (not threatened or depth < -1 or without & _REPLIES):
            return static
        # Far above beta close to the leaves, the rest is taken for granted.
        if (
            not threatened
            and not principal
            and depth <= 6
            and static - 60 * depth >= beta
            and abs(beta) < MATE
            and not without & _REVERSE
        ):
            return static
    if depth >= 4 and first < 0 and must < 0 and not without & _IIR:
        depth -= 1
    extension = np.int64(0)
    if (
        depth >= 6
        and first >= 0
        and must < 0
        and away > 0
        and excluded == 0
        and stored_depth(data) >= depth - 3
        and stored_bound(data) != UPPER
        and not without & _SINGULAR
    ):
        target = stored_score(data, away)
        if abs(target) < MATE:
            limit = np.int64(target - 3 * depth)
            work.excluded[away] = first
            score = search(
                states, tables_, works, table, np.int64(depth // 2), np.int64(limit - 1), limit, cut
            )
            work.excluded[away] = 0
            if state.ended:
                return 0
            if score < limit:
                extension = np.int64(1)
            elif limit >= beta:
                return limit
    count = np.int64(1)
    next_depth = np.int64(depth - 1)
    if must >= 0:
        next_depth = depth
    if must >= 0 and not tables.closed:
        work.cells[away, 0] = must
        work.order[away, 0] = 0
    else:
        count = candidates(states, tables_, works, away, first, must)
    if count == 0:
        # Nothing stops it, or nothing is near: the static score knows no better.
        if must >= 0:
            return -(WIN - away - 2)
        return -(WIN - away - 4) if threatened else static
    improving = away < 2 or static > work.statics[away - 2]
    start_alpha = alpha
    best_score = np.int64(-WIN - 1)
    best_move = np.int64(0)
    tried = 0
    for place in range(count):
        cell = bring_best(work, away, place, count)
        if cell == excluded:
            continue
        if away == 0:
            left_out = False
            for number in range(work.skip):
                if work.skipped[number] == cell:
                    left_out = True
            if left_out:
                continue
        kind, stopped = state.kinds[side, cell], state.kinds[enemy, cell]
        quiet = kind < _OPEN_THREE and (stopped < _OPEN_THREE or stopped > _FIVE)
        dull = quiet and not threatened and must < 0 and not principal and best_score > -MATE
        if dull and not without & _LMP and tried >= (3 + depth * depth) * (2 if improving else 1):
            continue
        make(states, tables_, cell)
        state.nodes += 1
        tried += 1
        reduction = np.int64(0)
        if depth >= 2 and tried > 2 and not threatened and kind < _FOUR and not without & _LMR:
            reduction = np.int64(tables.reductions[min(depth, np.int64(63)), min(tried, np.int64(63))])
            if not quiet:
                reduction -= 1
            if principal:
                reduction -= 1
            if cut:
                reduction += 1
            if not improving:
                reduction += 1
            reduction = max(np.int64(0), min(reduction, next_depth - 1))
        full = next_depth + (extension if cell == first else np.int64(0))
        # Constants are given a type: a literal one would be compiled as another function.
        later = np.int64(1 - cut)
        if tried == 1:
            first_cut = np.int64(0) if principal else later
            score = -search(states, tables_, works, table, full, -beta, -alpha, first_cut)
        else:
            less = np.int64(full - reduction)
            score = -search(states, tables_, works, table, less, -alpha - 1, -alpha, np.int64(1))
            if score > alpha and reduction > 0 and not state.ended:
                score = -search(states, tables_, works, table, full, -alpha - 1, -alpha, later)
            if alpha < score < beta and not state.ended:
                score = -search(states, tables_, works, table, full, -beta, -alpha, np.int64(0))
        unmake(states, tables_)
        if state.ended:
            return 0
        if score > best_score:
            best_score = score
            best_move = cell
            if away == 0 and (score > alpha or tried == 1):
                work.best = cell
        if score > alpha:
            alpha = score
            if alpha >= beta:
                if quiet and must < 0:
                    reward(state, work, away, depth, place)
                break
    if tried == 0:
        return alpha if excluded else static
    if excluded == 0:
        bound = LOWER if best_score >= beta else (EXACT if best_score > start_alpha else UPPER)
        if bound == UPPER:
            # All that is known of the moves is that none is good enough; which comes nearest says little.
            best_move = max(first, np.int64(0))
        remember(table, key, best_move, best_score, away, max(depth, np.int64(0)), bound)
    return best_score
