"""The steps of the search, in the order of `tengen.engine.search.alpha_beta.search`.

A step that returns a score, from the point of view of the side to move, ends the search of the node; one
that returns `UNDECIDED` leaves it to the next step. Those of pruning and reductions are in
`tengen.engine.search.pruning`.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.fouls import is_stuck, may_get_stuck
from tengen.engine.board.records import Kind
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.board.stop_flag import stopped
from tengen.engine.board.techniques import Technique
from tengen.engine.evaluation.network_kernel import (
    UNKNOWN,
    correction,
    known_correction,
    remember_correction,
)
from tengen.engine.kernels.declarations import compiled, inlined
from tengen.engine.search.moves import generate_moves, list_root_moves
from tengen.engine.search.table import (
    EXACT,
    LOWER,
    UPPER,
    probe,
    store,
    stored_bound,
    stored_depth,
    stored_move,
    stored_score,
)
from tengen.engine.threats.foul_fours import find_foul_four
from tengen.engine.threats.vcf_kernel import any_five, find_vcf, may_play

_FIVE, _OPEN_FOUR, _FOUR_THREE = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR_THREE
_FOUR, _FOUR_AND_MORE = Kind.FOUR, Kind.FOUR_AND_MORE

_SINGULAR, _VCF = int(Technique.SINGULAR), int(Technique.VCF)
_FOULS, _POLICY = int(Technique.FOULS), int(Technique.POLICY)

_VCF_DEPTH = 4
"""Plies from the leaves at which the VCF search begins."""

_VCF_NODES = np.int64(32)
"""Nodes of a VCF search for each ply of depth, ..."""

_VCF_DEPTH_CAP = np.int64(8)
"""... counted up to so many plies."""

_VCF_FOURS = np.int64(20)
"""Fours in a row that a VCF search plays, at most."""

_CORRECTION_MARGIN = np.int64(150)
"""Centi-units by which the network's correction seldom differs from its estimate."""

_ESTIMATE_SHARE, _ESTIMATE_BITS = 7, 4
"""The estimate is 7/16 of the change from one ply to the next: 0.43 was the best fit."""

_SINGULAR_DEPTH = 8
"""Plies from which on a move may be extended as singular."""

_SINGULAR_TABLE_PLIES = 3
"""Plies by which the entry of such a move may be shallower than the search."""

_SINGULAR_MARGIN = 10
"""Centi-units for each ply of depth by which such a move has to be better than all others."""

_POLICY_DEPTH = 3
"""Plies from which on the policy orders the moves."""

UNDECIDED = np.int64(1 << 20)
"""Returned instead of a score by a step that does not end the search of the node."""


@inlined
def out_of_nodes(state):
    """Step 1: return whether the search has to end, because its nodes are used up or it was stopped."""
    if state.nodes >= state.most_nodes or stopped(state):
        state.ended = 1
        return True
    return False


@inlined
def five_made(state_ref, scratch_ref, side, ply):
    """Step 2: return the score of a side that is to move and has a five to make.

    It is undecided at the root if none of the moves that may be searched makes one.
    """
    if ply == 0:
        scratch = scratch_ref[0]
        five = any_five(state_ref[0], side, np.int64(-1))
        if scratch.root_count > 0:
            five = root_five(state_ref, scratch_ref, side)
            if five == 0:
                return UNDECIDED
        scratch.best = five
    return np.int64(WIN - ply - 1)


@compiled
def root_five(state_ref, scratch_ref, side):
    """Return a move that may be searched, begins no other line, and makes a five; 0 for none."""
    state, scratch = state_ref[0], scratch_ref[0]
    for place in range(scratch.root_count):
        cell = np.int64(scratch.root_cells[place])
        if state.kinds[side, cell] == _FIVE and not is_skipped(scratch, cell):
            return cell
    return np.int64(0)


@inlined
def reply_to_five(state_ref, tables_ref, side, ply):
    """Step 4: find the forced reply to the enemy's five, or a static win or loss.

    The side to move has no five to make. The score is a loss if nothing stops all of the enemy's fives, and
    a win if there is no five to stop and an open four can be made, or a four that Black could answer only
    by a foul. There is no static score at the root, where a move has to be found, nor under caro, where
    closing the row can stop a five and an open four. At the root a five whose only answer is a foul is not
    stopped either. If Black has only fouls left, the game is drawn, not lost; if that may happen soon,
    neither four is a static win.

    Returns:
        The cell that stops the enemy's five, -1 if there is none to stop; and the score or `UNDECIDED`.
    """
    state, tables = state_ref[0], tables_ref[0]
    enemy = 1 - side
    forced_reply, score = np.int64(-1), UNDECIDED
    if state.counts[enemy, _FIVE] > 0:
        forced_reply = any_five(state, enemy, np.int64(-1))
        several = any_five(state, enemy, forced_reply) >= 0
        if not tables.closed and (several or not may_play(state_ref, tables_ref, side, forced_reply)):
            if ply > 0:
                score = np.int64(0) if is_stuck(state_ref, tables_ref) else -(WIN - ply - 2)
            elif not may_play(state_ref, tables_ref, side, forced_reply):
                forced_reply = np.int64(-1)
    elif ply > 0 and (
        (
            state.counts[side, _OPEN_FOUR] > 0
            and not tables.closed
            and (side == 0 or not may_get_stuck(state, tables))
        )
        or (side == 1 and relevant_foul_four(state_ref, tables_ref) >= 0)
    ):
        score = WIN - ply - 3
    return forced_reply, score


@inlined
def relevant_foul_four(state_ref, tables_ref):
    """Return the result of `find_foul_four`; -1 if such fours are left out or Black may get stuck."""
    if tables_ref[0].without & _FOULS or may_get_stuck(state_ref[0], tables_ref[0]):
        return np.int64(-1)
    return find_foul_four(state_ref, tables_ref)


@inlined
def estimate_correction(state_ref, networks_ref, scratch_ref, key, ply):
    """Step 5: write the network's correction of the static score into `corrections`, or an estimate of it.

    It is known if the network has evaluated the position before, and at the root it is evaluated. The
    estimate is some 0.43 of the difference between the corrections one and two plies before: from one ply
    to the next they change by a hundred centi-units.

    Returns:
        The margin of error of an estimate in centi-units; 0 if the correction is known.
    """
    scratch = scratch_ref[0]
    if not networks_ref[0].network:
        return np.int64(0)
    known = known_correction(scratch, key)
    if known != UNKNOWN:
        scratch.corrections[ply] = known
        return np.int64(0)
    if ply == 0:
        evaluate_network(state_ref, networks_ref, scratch_ref, key, ply)
        return np.int64(0)
    if scratch.excluded[ply] == 0:
        before = scratch.corrections[ply - 2] if ply > 1 else -scratch.corrections[0]
        change = before - scratch.corrections[ply - 1]
        scratch.corrections[ply] = (change * _ESTIMATE_SHARE) >> _ESTIMATE_BITS
    return _CORRECTION_MARGIN


@inlined
def evaluate_network(state_ref, networks_ref, scratch_ref, key, ply):
    """Write the network's correction of the static score into `corrections`, and into its cache."""
    scratch = scratch_ref[0]
    scratch.corrections[ply] = correction(state_ref, networks_ref, scratch_ref)
    remember_correction(scratch, key, scratch.corrections[ply])


@inlined
def probe_table(state, scratch, table, key, ply, depth, alpha, beta):
    """Step 6: look the position up in the transposition table.

    The table never ends the search of a PV node, and a search with an excluded move does not use it.

    Args:
        state: the position.
        scratch: the thread's scratch record.
        table: the transposition table.
        key: of the position.
        ply: plies from the root.
        depth: plies to search.
        alpha: the lower bound of the window.
        beta: the upper bound of the window.

    Returns:
        The entry's data, 0 for none; the hash move, -1 for none; and the score, `UNDECIDED` unless an entry
        deep enough, or a proven win or loss, has a score outside the window or an exact one.
    """
    entry, hash_move, score = np.int64(0), np.int64(-1), UNDECIDED
    if scratch.excluded[ply] == 0:
        entry = probe(table, key)
        if entry != 0:
            hash_move = stored_move(entry)
            if hash_move == 0 or state.cells[hash_move] != 0:
                hash_move = np.int64(-1)
            if ply > 0 and beta - alpha == 1:
                known, bound = stored_score(entry, ply), stored_bound(entry)
                fails_high = bound != UPPER and known >= beta
                fails_low = bound != LOWER and known <= alpha
                deep = stored_depth(entry) >= depth
                if (
                    (deep and (bound == EXACT or fails_high or fails_low))
                    # At least a win, or at most a loss: true at any depth.
                    or (fails_high and known > MATE)
                    or (fails_low and known < -MATE)
                ):
                    score = known
    if ply == 0 and scratch.best > 0 and state.cells[scratch.best] == 0:
        # The best move of the iteration before; its entry may have been replaced.
        hash_move = np.int64(scratch.best)
    return entry, hash_move, score


@inlined
def may_have_vcf(state):
    """Return whether fours could lead the side to move to a win: two that meet, or one that makes more."""
    counts, side = state.counts, state.turn
    return (
        counts[side, _FOUR_THREE] > 0
        or counts[side, _OPEN_FOUR] > 0
        or (counts[side, _FOUR_AND_MORE] > 0 and counts[side, _FOUR_AND_MORE] + counts[side, _FOUR] > 1)
    )


@inlined
def vcf_score(state_ref, tables_ref, scratch_ref, table, key, ply, depth):
    """Step 7: return the score of a win by fours of the side to move, which has no five to stop.

    The search for it is made some plies from the leaves, with more nodes at greater depth. If it ends the
    whole search, the score has no meaning.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    score = UNDECIDED
    if depth >= _VCF_DEPTH and may_have_vcf(state) and not tables.without & _VCF:
        nodes = _VCF_NODES * min(depth, _VCF_DEPTH_CAP)
        length = find_small_vcf(state_ref, tables_ref, scratch_ref, nodes, _VCF_FOURS)
        if length > 0:
            score = WIN - ply - length
            store(table, key, scratch.line[0], score, ply, depth, LOWER)
        elif state.ended:
            score = np.int64(0)
    return score


@compiled
def find_small_vcf(state_ref, tables_ref, scratch_ref, nodes, most_fours):
    """Search for a win by fours with few nodes.

    Fours that make nothing else and stop nothing are left out: few wins need one, and most of the nodes
    would be spent on them.

    Args:
        state_ref: the position.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        nodes: stones to put down, at most.
        most_fours: fours in a row, at most.

    Returns:
        The plies to the win; 0 for none.
    """
    state, scratch = state_ref[0], scratch_ref[0]
    most_nodes, ended = state.most_nodes, state.ended
    state.most_nodes = min(most_nodes, state.nodes + nodes)
    scratch.brief = 1
    length = find_vcf(state_ref, tables_ref, scratch_ref, state.ply, most_fours)
    scratch.brief = 0
    state.most_nodes = most_nodes
    if state.nodes < most_nodes and not stopped(state):
        state.ended = ended
    return length


@inlined
def singular_bound(tables, scratch, entry, hash_move, forced_reply, ply, depth):
    """Step 12: return the score that all other moves have to stay below for the hash move to be singular.

    `UNDECIDED` if the table's entry is too shallow for that, or no move is to be extended.
    """
    bound = UNDECIDED
    if (
        depth >= _SINGULAR_DEPTH
        and hash_move >= 0
        and forced_reply < 0
        and ply > 0
        and scratch.excluded[ply] == 0
        and stored_depth(entry) >= depth - _SINGULAR_TABLE_PLIES
        and stored_bound(entry) != UPPER
        and not tables.without & _SINGULAR
    ):
        score = stored_score(entry, ply)
        if abs(score) < MATE:
            bound = np.int64(score - _SINGULAR_MARGIN * depth)
    return bound


@inlined
def list_moves(state_ref, tables_ref, scratch_ref, ply, hash_move, forced_reply, foul_four):
    """Step 13: write the moves to search into the scratch record; return their number."""
    scratch = scratch_ref[0]
    if ply == 0 and scratch.root_count > 0:
        return np.int64(list_root_moves(state_ref, tables_ref, scratch_ref, hash_move))
    if forced_reply >= 0 and not tables_ref[0].closed:
        scratch.cells[ply, 0] = forced_reply
        return np.int64(1)
    return np.int64(
        generate_moves(state_ref, tables_ref, scratch_ref, ply, hash_move, forced_reply, foul_four)
    )


@inlined
def policy_place(state, tables, networks, hash_move, forced_reply, threatened, depth):
    """Step 13: return the place of the first move that the policy orders; -1 if it orders none.

    The hash move comes before, and often fails high. Answers to threats are few, and close to the leaves a
    move costs less to search than the policy costs to evaluate.
    """
    ordered = (
        networks.policy and depth >= _POLICY_DEPTH and forced_reply < 0 and not threatened and state.ply > 1
    )
    if not ordered or tables.without & _POLICY:
        return np.int64(-1)
    return np.int64(1) if hash_move >= 0 else np.int64(0)


@inlined
def is_skipped(scratch, cell):
    """Step 14: return whether a root move is left out because another line begins with it (multi-PV)."""
    for number in range(scratch.skip):  # noqa: SIM110 - compiled
        if scratch.skipped[number] == cell:
            return True
    return False
