"""The search: principal variation search over threats and patterns, compiled.

A negamax alpha-beta search by iterative deepening, in the form of principal variation search (T. A.
Marsland 1986), with what five in a row adds to it:

- *No search where the patterns know.* A five to be made wins now; a five of the enemy's has one answer or
  none; an open four or a double four wins in two more moves, and so does a four of White's that Black could
  answer only by a foul (`tengen.engine.threats.foul_fours`).
- *Forced replies.* Where the enemy threatens a five, one point is looked at, and it costs no depth; where
  it threatens an open four, only the points that stop it, and fours of one's own. A four that makes and
  stops nothing else only delays: it comes last, and close to the leaves not at all.
- *Wins by fours.* `tengen.engine.threats.vcf_kernel` is asked some plies from the leaves, with more nodes
  nearer the root.
- *An order by shape.* Where the table's move was not good enough, the policy, if there is one
  (`tengen.engine.evaluation.policy`), says which of the others to try first.

What chess programs do applies too: late-move reductions and pruning, reverse futility pruning (J. Schaeffer
1986, E. A. Heinz 1998), razoring (J. A. Birmingham and P. Kent 1977), singular extensions (T. Anantharaman,
M. S. Campbell, F. Hsu 1990), internal iterative reduction, a correction history of the static score
(`tengen.engine.search.correction_history`). Much of it is in `tengen.engine.search.pruning`, and
`tengen.engine.board.techniques` can leave each out.

Tried, and worth nothing: null moves, futility pruning of single moves, looking only at the points of a win
by fours that the enemy threatens (`benchmarks/log/2026-11-22-techniques.md`), probcut
(`2026-11-25-many-changes.md` there), replies to open threes that cost no depth
(`2026-11-23-answers-to-open-threes.md`).

Where a side has lost, no move of its that could matter has been left out: a win found is a win, at whatever
depth, and is not looked for again.

Scores are centi-units for the side to move; a win in n plies is `WIN` - n.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, C901, PLR0912, PLR0915

from __future__ import annotations

import numpy as np
from numba import typeof, types

from tengen.engine.board.fouls import is_stuck, may_get_stuck
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import DEEPEST, SCRATCH, SITUATIONS, STATE, TABLES, Kind
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.board.techniques import Technique
from tengen.engine.evaluation.network_kernel import (
    UNKNOWN,
    correction,
    expect_known_correction,
    known_correction,
    remember_correction,
)
from tengen.engine.evaluation.policy_kernel import order_by_policy
from tengen.engine.evaluation.static import situation, static_score
from tengen.engine.kernels.jit import compiled, inlined, kernel
from tengen.engine.search.correction_history import learn_error, tells_an_error, usual_error
from tengen.engine.search.moves import bring_best, candidates, is_threatened, reward
from tengen.engine.search.pruning import ends_here, is_late, is_quiet, only_delays, reduction_of
from tengen.engine.search.sampling import is_sampled, keep_sample
from tengen.engine.search.table import (
    EXACT,
    LOWER,
    UPPER,
    data_at,
    expect,
    key_after,
    key_of,
    remember,
    stored_bound,
    stored_depth,
    stored_move,
    stored_score,
)
from tengen.engine.threats.foul_fours import foul_four, prepares_foul_four
from tengen.engine.threats.vcf_kernel import any_five, fours, may_play

_FIVE, _OPEN_FOUR, _FOUR_THREE = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR_THREE
_FOUR, _FOUR_AND_MORE, _OPEN_THREE = Kind.FOUR, Kind.FOUR_AND_MORE, Kind.OPEN_THREE

_SINGULAR, _VCF, _IIR = int(Technique.SINGULAR), int(Technique.VCF), int(Technique.IIR)
_ERRORS, _FOULS, _POLICY = int(Technique.ERRORS), int(Technique.FOULS), int(Technique.POLICY)

_SLACK = np.int64(150)
"""Centi-units; what the network adds is seldom off from what was expected by more."""

_TABLE = np.zeros((2, 2), np.int64)
_ARGUMENTS = types.int64(
    typeof(np.zeros(1, STATE)),
    typeof(np.zeros(1, TABLES)),
    typeof(np.zeros(1, SCRATCH)),
    typeof(_TABLE),
    types.int64,
    types.int64,
    types.int64,
    types.int64,
)

UNDECIDED = np.int64(1 << 20)
"""No score: a step that returns it has not decided anything."""


# -- the steps, in the order of `search`
#
# Most of them may know enough to end the search of the position. They return a score then, for the side to
# move, and `UNDECIDED` where the next step has to go on.


@inlined
def out_of_nodes(state):
    """Step 1: whether the search has to end, for its nodes are used up or it has been told to."""
    if state.nodes >= state.most_nodes or state.stop:
        state.ended = 1
        return True
    return False


@inlined
def five_made(state, scratch, side, ply):
    """Step 2: the score where the side to move, which has a five to make, makes it."""
    if ply == 0:
        scratch.best = any_five(state, side, np.int64(-1))
    return WIN - ply - 1


@inlined
def reply_to_five(state_ref, tables_ref, side, ply):
    """Step 4: what there is to answer, where the side to move has no five to make.

    Returns:
        The cell that stops the enemy's five, -1 where there is none to be stopped; and the score where
        that is all there is to know: nothing stops all of the enemy's fives, or there is none to be stopped
        and an open four can be made, or a four that Black could answer only by a foul. Neither decides
        anything at the root, where a move has to be found, nor under caro, where a five and an open four
        can be stopped by closing the row. At the root a five whose only answer is a foul is not to be
        stopped either. It is a draw, not a loss, where Black has only fouls left; and where that may be so
        soon, neither four decides anything.
    """
    state, tables = state_ref[0], tables_ref[0]
    enemy = 1 - side
    must, score = np.int64(-1), UNDECIDED
    if state.counts[enemy, _FIVE] > 0:
        must = any_five(state, enemy, np.int64(-1))
        several = any_five(state, enemy, must) >= 0
        if not tables.closed and (several or not may_play(state_ref, tables_ref, side, must)):
            if ply > 0:
                score = np.int64(0) if is_stuck(state_ref, tables_ref) else -(WIN - ply - 2)
            elif not may_play(state_ref, tables_ref, side, must):
                must = np.int64(-1)
    elif ply > 0 and (
        (
            state.counts[side, _OPEN_FOUR] > 0
            and not tables.closed
            and (side == 0 or not may_get_stuck(state, tables))
        )
        or (side == 1 and foul_to_come(state_ref, tables_ref) >= 0)
    ):
        score = WIN - ply - 3
    return must, score


@inlined
def foul_to_come(state_ref, tables_ref):
    """What `foul_four` says, if that is to be reckoned with; else -1."""
    if tables_ref[0].without & _FOULS or may_get_stuck(state_ref[0], tables_ref[0]):
        return np.int64(-1)
    return foul_four(state_ref, tables_ref)


@inlined
def look_up_result(state, scratch, table, key, ply, depth, alpha, beta):
    """Step 6: what the table knows of the position.

    Returns:
        The data stored, 0 for none; the cell to try first, -1 for none; and the score, where a search as
        deep as this one, or a proof, has shown it to be outside the window or exactly known. The principal
        variation is never cut short by it, nor is a search that leaves a move out, of which the table knows
        nothing.
    """
    data, first, score = np.int64(0), np.int64(-1), UNDECIDED
    if scratch.excluded[ply] == 0:
        data = data_at(table, key)
        if data != 0:
            first = stored_move(data)
            if first == 0 or state.cells[first] != 0:
                first = np.int64(-1)
            if ply > 0 and beta - alpha == 1:
                known, bound = stored_score(data, ply), stored_bound(data)
                above, below = bound != UPPER and known >= beta, bound != LOWER and known <= alpha
                deep = stored_depth(data) >= depth
                if (
                    (deep and (bound == EXACT or above or below))
                    # At least a win, at most a loss: that is so however deep the search was.
                    or (above and known > MATE)
                    or (below and known < -MATE)
                ):
                    score = known
    if ply == 0 and scratch.best > 0 and state.cells[scratch.best] == 0:
        # What the depth before has found; the table may have lost it to another position.
        first = np.int64(scratch.best)
    return data, first, score


@inlined
def promises_fours(state):
    """Whether fours could lead the side to move anywhere: two that meet, or one that makes more."""
    counts, side = state.counts, state.turn
    return (
        counts[side, _FOUR_THREE] > 0
        or counts[side, _OPEN_FOUR] > 0
        or (counts[side, _FOUR_AND_MORE] > 0 and counts[side, _FOUR_AND_MORE] + counts[side, _FOUR] > 1)
    )


@inlined
def win_by_fours(state_ref, tables_ref, scratch_ref, table, key, ply, depth):
    """Step 7: the score where the side to move, which has no five to stop, wins by fours alone.

    It is asked some plies from the leaves, with more nodes the farther. The score has no meaning where that
    has ended the search.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    score = UNDECIDED
    if depth > 3 and promises_fours(state) and not tables.without & _VCF:
        nodes = np.int64(32) * min(depth, np.int64(8))
        length = wins_by_fours(state_ref, tables_ref, scratch_ref, nodes, np.int64(20))
        if length > 0:
            score = WIN - ply - length
            remember(table, key, scratch.line[0], score, ply, depth, LOWER)
        elif state.ended:
            score = np.int64(0)
    return score


@compiled
def wins_by_fours(state_ref, tables_ref, scratch_ref, most_nodes, most):
    """The plies to a win by fours of the side to move that a small search finds; 0 if it finds none.

    It leaves out fours that make nothing else and stop nothing: few wins need one, and most of the nodes
    would be theirs.
    """
    state, scratch = state_ref[0], scratch_ref[0]
    kept, ended = state.most_nodes, state.ended
    state.most_nodes = min(kept, state.nodes + most_nodes)
    scratch.brief = 1
    length = fours(state_ref, tables_ref, scratch_ref, state.ply, most)
    scratch.brief = 0
    state.most_nodes = kept
    if state.nodes < kept and not state.stop:
        state.ended = ended
    return length


@inlined
def expect_correction(state_ref, tables_ref, scratch_ref, key, ply):
    """Step 5: write what the network adds into `corrections`, or what it may be expected to add.

    It is known where the network has been asked about the position before, and asked at the root. The best
    forecast is some 0.43 of the difference between what it added two plies before and one: from one ply to
    the next what it adds changes by a hundred.

    Returns:
        By how much that may be wrong, to be reckoned with; 0 where it is known.
    """
    scratch = scratch_ref[0]
    if not tables_ref[0].network:
        return np.int64(0)
    known = known_correction(scratch, key)
    if known != UNKNOWN:
        scratch.corrections[ply] = known
        return np.int64(0)
    if ply == 0:
        ask_network(state_ref, tables_ref, scratch_ref, key, ply)
        return np.int64(0)
    if scratch.excluded[ply] == 0:
        before = scratch.corrections[ply - 2] if ply > 1 else -scratch.corrections[0]
        scratch.corrections[ply] = ((before - scratch.corrections[ply - 1]) * 7) >> 4
    return _SLACK


@inlined
def ask_network(state_ref, tables_ref, scratch_ref, key, ply):
    """Write what the network adds into `corrections`, and remember it."""
    scratch = scratch_ref[0]
    scratch.corrections[ply] = correction(state_ref, tables_ref, scratch_ref)
    remember_correction(scratch, key, scratch.corrections[ply])


@inlined
def singular_limit(tables, scratch, data, first, must, ply, depth):
    """Step 12: the score that no move but the table's may reach, for that one to be searched deeper.

    `UNDECIDED` where the table does not know its move well enough to ask, or nothing can be asked.
    """
    limit = UNDECIDED
    if (
        depth >= 8
        and first >= 0
        and must < 0
        and ply > 0
        and scratch.excluded[ply] == 0
        and stored_depth(data) >= depth - 3
        and stored_bound(data) != UPPER
        and not tables.without & _SINGULAR
    ):
        target = stored_score(data, ply)
        if abs(target) < MATE:
            limit = np.int64(target - 10 * depth)
    return limit


@inlined
def list_moves(state_ref, tables_ref, scratch_ref, ply, first, must, four):
    """Step 13: write the moves worth looking at into the scratch record; how many there are."""
    scratch = scratch_ref[0]
    if must >= 0 and not tables_ref[0].closed:
        scratch.cells[ply, 0] = must
        return np.int64(1)
    return np.int64(candidates(state_ref, tables_ref, scratch_ref, ply, first, must, four))


@inlined
def policy_place(state, tables, first, must, threatened, depth):
    """Step 13: the place of the first move that the policy orders, -1 where it is not asked.

    The table's move comes before, and often is good enough. Answers to threats are few, and close to the
    leaves the search of a move costs less than to ask.
    """
    asked = tables.policy and depth >= 3 and must < 0 and not threatened and state.ply > 1
    if not asked or tables.without & _POLICY:
        return np.int64(-1)
    return np.int64(1) if first >= 0 else np.int64(0)


@inlined
def is_skipped(scratch, cell):
    """Step 14: whether a move of the root is left out, because another line begins with it."""
    for number in range(scratch.skip):  # noqa: SIM110 - compiled
        if scratch.skipped[number] == cell:
            return True
    return False


@kernel(_ARGUMENTS, seconds=12.5, large=True)
def search(state_ref, tables_ref, scratch_ref, table, depth, alpha, beta, cut):
    """The score of the position for the side to move.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        table: the shared table (`tengen.engine.search.table`).
        depth: plies to look ahead.
        alpha: the score to beat.
        beta: the score that is enough.
        cut: 1 where the node is expected to reach beta.

    Returns:
        The score; without meaning where `ended` of the state is set.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    ply, side = (state.ply - scratch.root) & 127, state.turn
    # Step 1. No nodes left, or told to stop.
    if out_of_nodes(state):
        return 0
    scratch.deepest = max(scratch.deepest, ply)
    # Step 2. A five to be made.
    if state.counts[side, _FIVE] > 0:
        return five_made(state, scratch, side, ply)
    # Step 3. A full board; a win or loss sooner than any to be found here (mate distance pruning).
    if ply > 0:
        if state.ply >= state.size * state.size:
            return 0
        alpha, beta = max(alpha, -(WIN - ply)), min(beta, WIN - ply - 3)
        if alpha >= beta:
            return alpha
    # Step 4. The enemy's five to be stopped, or an open four to be made.
    must, score = reply_to_five(state_ref, tables_ref, side, ply)
    if score != UNDECIDED:
        return score
    # Step 5. What the patterns are worth, how far that is usually off, and what the network adds.
    key, excluded = key_of(state), scratch.excluded[ply]
    threats, error = situation(state) & (SITUATIONS - 1), np.int64(0)
    learns = must < 0 and not tables.without & _ERRORS
    if learns:
        error = usual_error(scratch, side, threats)
    classes = static_score(state, tables) + error
    slack = expect_correction(state_ref, tables_ref, scratch_ref, key, ply)
    static = np.int64(classes + scratch.corrections[ply])
    if ply >= DEEPEST:
        return static
    scratch.statics[ply] = static
    improving = ply < 2 or static > scratch.statics[ply - 2]
    principal = beta - alpha > 1
    # Step 6. The table.
    data, first, score = look_up_result(state, scratch, table, key, ply, depth, alpha, beta)
    if score != UNDECIDED:
        return score
    threatened, four = must < 0 and is_threatened(state, tables, side), np.int64(-1)
    if must < 0 and side == 0 and not threatened:
        four = foul_to_come(state_ref, tables_ref)
        threatened = four >= 0
    if must < 0 and ply > 0 and excluded == 0:
        # Step 7. A win by fours.
        score = win_by_fours(state_ref, tables_ref, scratch_ref, table, key, ply, depth)
        if score != UNDECIDED:
            return score
        # Steps 8 to 10. The leaves, and close to them what is good enough (reverse futility) or too bad
        # (razoring). The network is asked where it could matter.
        if slack > 0 and ends_here(state, tables, depth, static, slack, alpha, beta, threatened, principal):
            return static
        if (slack > 0 or not tables.network) and is_sampled(scratch, key):
            keep_sample(state_ref, scratch_ref)
        if slack > 0:
            ask_network(state_ref, tables_ref, scratch_ref, key, ply)
            static = np.int64(classes + scratch.corrections[ply])
            scratch.statics[ply] = static
            improving = ply < 2 or static > scratch.statics[ply - 2]
        if ends_here(state, tables, depth, static, np.int64(0), alpha, beta, threatened, principal):
            return static
    # Step 11. Where the table knows no move, one will be known sooner (internal iterative reduction).
    if depth >= 4 and first < 0 and must < 0 and not tables.without & _IIR:
        depth -= 1
    # Step 12. A move that is far better than all others is searched deeper (singular extension), and less
    # deep where others are nearly as good, and it is good enough.
    extension = np.int64(0)
    limit = singular_limit(tables, scratch, data, first, must, ply, depth)
    if limit != UNDECIDED:
        scratch.excluded[ply] = first
        score = search(
            state_ref, tables_ref, scratch_ref, table, np.int64(depth // 2), limit - 1, limit, cut
        )
        scratch.excluded[ply] = 0
        if state.ended:
            return 0
        if score < limit:
            extension = np.int64(1)
        elif limit >= beta:
            return limit
        elif stored_score(data, ply) >= beta:
            extension = np.int64(-1)
    # Step 13. The moves; where none is left, nothing stops the enemy, or nothing is near.
    count = list_moves(state_ref, tables_ref, scratch_ref, ply, first, must, four)
    if count == 0:
        if is_stuck(state_ref, tables_ref):
            return 0
        if must >= 0:
            return -(WIN - ply - 2)
        return -(WIN - ply - 4) if threatened else static
    start_alpha = alpha
    next_depth = np.int64(depth if must >= 0 else depth - 1)
    best_score, best_move, tried = np.int64(-WIN - 1), np.int64(0), 0
    asked = policy_place(state, tables, first, must, threatened, depth)
    for place in range(count):
        if place == asked:
            order_by_policy(state_ref, tables_ref, scratch_ref, ply, np.int64(place), count)
        # Step 14. The best of the rest. Unless all is lost without them, late quiet moves are left out near
        # the leaves, and so are fours that only delay an open three.
        cell = bring_best(scratch, ply, place, count)
        if cell == excluded or (ply == 0 and is_skipped(scratch, cell)):
            continue
        kind, quiet = np.int64(state.kinds[side, cell]), is_quiet(state, side, cell)
        if (
            quiet
            and side == 1
            and not tables.without & _FOULS
            and prepares_foul_four(state_ref, tables_ref, cell)
        ):
            kind, quiet = np.int64(_OPEN_THREE), False
        if best_score > -MATE and must < 0:
            if threatened:
                if only_delays(state, tables, depth, side, cell):
                    continue
            elif quiet and is_late(tables, depth, tried, principal, improving):
                continue
        # Step 15. The stone is put down. Meanwhile what is known of the position is fetched.
        following = key_after(state, cell)
        expect(table, following)
        if tables.network:
            expect_known_correction(scratch, following)
        make(state_ref, tables_ref, cell)
        state.nodes += 1
        tried += 1
        # Step 16. Late moves are searched less deep at first (late-move reductions).
        full = next_depth + (extension if cell == first else np.int64(0))
        late = reduction_of(
            tables,
            depth,
            tried,
            kind,
            quiet,
            principal,
            cut,
            improving,
            threatened,
            np.int64(scratch.history[side, cell]),
        )
        reduction = max(np.int64(0), min(late, next_depth - 1))
        # Step 17. The first move is searched in the whole window; others, not expected to beat it, in an
        # empty one, and again if they do. A literal number would be compiled as another function.
        later = np.int64(1 - cut)
        whole, expected = tried == 1, np.int64(1)
        if whole:
            reduction, expected = np.int64(0), np.int64(0) if principal else later
        while True:
            low, less = -beta if whole else -alpha - 1, np.int64(full - reduction)
            score = -search(state_ref, tables_ref, scratch_ref, table, less, low, -alpha, expected)
            if whole or score <= alpha or state.ended:
                break
            # A win found is no less one for having been found at less depth.
            if reduction > 0 and score <= MATE:
                reduction, expected = np.int64(0), later
            elif score < min(beta, np.int64(MATE)):
                whole, expected = True, np.int64(0)
            else:
                break
        # Step 18. The stone is taken off again.
        unmake(state_ref, tables_ref)
        if state.ended:
            return 0
        # Step 19. Better than all before, or even good enough.
        if score > best_score:
            best_score, best_move = score, cell
            if ply == 0 and (score > alpha or tried == 1):
                scratch.best = cell
        if score > alpha:
            alpha = score
            if alpha >= beta:
                if quiet and must < 0:
                    reward(state, scratch, ply, depth, place)
                break
    # Step 20. What has been found out is remembered, unless a move of the position has been left out.
    if tried == 0:
        return alpha if excluded else static
    if learns and excluded == 0 and tells_an_error(static, best_score, start_alpha, beta):
        learn_error(scratch, side, threats, best_score - static + error, depth)
    if excluded == 0 and (ply > 0 or scratch.skip == 0):
        bound = LOWER if best_score >= beta else (EXACT if best_score > start_alpha else UPPER)
        if bound == UPPER:
            # All that is known of the moves is that none is good enough; which comes nearest says little.
            best_move = max(first, np.int64(0))
        remember(table, key, best_move, best_score, ply, max(depth, np.int64(0)), bound)
    return best_score
