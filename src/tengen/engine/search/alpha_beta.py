"""The search: principal variation search over threats and patterns, compiled.

A negamax alpha-beta search by iterative deepening, in the form of principal variation search (T. A.
Marsland 1986), with what five in a row adds to it:

- *Static wins.* A five to be made wins now; a five of the enemy's has one answer or none; an open four or a
  double four wins in two more moves, and so does a four of White's that Black could answer only by a foul
  (`tengen.engine.threats.foul_fours`).
- *Forced replies.* Against a five to come, one point is searched, and it costs no depth; against an open
  four to come, only the points that stop it, and fours of one's own. A four that makes and stops nothing
  else only delays: it is ordered last, and pruned close to the leaves.
- *Wins by fours (VCF).* `tengen.engine.threats.vcf_kernel` is called some plies from the leaves, with more
  nodes nearer the root.
- *Move order by shape.* Where the table's move was not good enough, the policy, if there is one
  (`tengen.engine.evaluation.policy`), orders the others.

From chess programs: late-move reductions and pruning, reverse futility pruning (J. Schaeffer 1986, E. A.
Heinz 1998), razoring (J. A. Birmingham and P. Kent 1977), singular extensions (T. Anantharaman, M. S.
Campbell, F. Hsu 1990), internal iterative reduction, a correction history of the static score
(`tengen.engine.search.correction_history`). Much of it is in `tengen.engine.search.pruning`, and
`tengen.engine.board.techniques` can leave each out.

Tried, and worth nothing: null moves, futility pruning of single moves, looking only at the points of a win
by fours that the enemy threatens (`benchmarks/log/2026-11-22-techniques.md`), probcut
(`2026-11-25-many-changes.md` there), replies to open threes that cost no depth
(`2026-11-23-answers-to-open-threes.md`).

A position is scored as lost only if every move that could matter has been searched, so a win is a win at
whatever depth it was found, and is not searched again.

Scores are centi-units for the side to move; a win in n plies is `WIN` - n.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, C901, PLR0912, PLR0915

from __future__ import annotations

import numpy as np

from tengen.engine.board.fouls import is_stuck
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import (
    DEEPEST,
    NETWORKS_REF,
    SCRATCH_REF,
    SITUATIONS,
    STATE_REF,
    TABLES_REF,
    Kind,
)
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.board.techniques import Technique
from tengen.engine.evaluation.network_kernel import expect_known_correction
from tengen.engine.evaluation.policy_kernel import order_by_policy
from tengen.engine.evaluation.static import situation, static_score
from tengen.engine.kernels.declarations import kernel
from tengen.engine.kernels.signatures import INT64, signature, table_of
from tengen.engine.search.correction_history import is_informative, mean_error, update_error
from tengen.engine.search.moves import is_threatened, pick_best, update_histories
from tengen.engine.search.pruning import (
    is_delaying_four,
    is_late_move_pruned,
    is_pruned,
    is_quiet,
    late_move_reduction,
)
from tengen.engine.search.sampling import is_sampled, keep_sample
from tengen.engine.search.steps import (
    UNDECIDED,
    estimate_correction,
    evaluate_network,
    five_made,
    is_skipped,
    list_moves,
    out_of_nodes,
    policy_place,
    probe_table,
    relevant_foul_four,
    reply_to_five,
    singular_bound,
    vcf_score,
)
from tengen.engine.search.table import (
    EXACT,
    LOWER,
    UPPER,
    key_after,
    key_of,
    prefetch_entry,
    store,
    stored_score,
)
from tengen.engine.threats.foul_fours import prepares_foul_four

_FIVE, _OPEN_THREE = Kind.FIVE, Kind.OPEN_THREE
_ERRORS, _FOULS, _IIR = int(Technique.ERRORS), int(Technique.FOULS), int(Technique.IIR)

LAST_DEPTH = DEEPEST - 20
"""The largest depth of an iteration; the plies from here to `DEEPEST` are for extensions."""

_IIR_DEPTH = 4
"""Plies from which on internal iterative reduction is used."""


@kernel(
    signature(
        INT64, STATE_REF, TABLES_REF, NETWORKS_REF, SCRATCH_REF, table_of(2), INT64, INT64, INT64, INT64
    )
)
def search(state_ref, tables_ref, networks_ref, scratch_ref, table, depth, alpha, beta, cut_node):
    """Search a position; return its score for the side to move.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        networks_ref: the networks of its rules.
        scratch_ref: the thread's scratch record.
        table: the shared transposition table (`tengen.engine.search.table`).
        depth: plies to search.
        alpha: the lower bound of the window, in centi-units.
        beta: the upper bound of the window, in centi-units.
        cut_node: 1 if the node is expected to fail high.

    Returns:
        The score in centi-units; without meaning if `ended` of the state is set.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    networks = networks_ref[0]
    ply, side = (state.ply - scratch.root) & 127, state.turn
    # Step 1. Out of nodes, or stopped.
    if out_of_nodes(state):
        return 0
    scratch.deepest = max(scratch.deepest, ply)
    # Step 2. A five to be made.
    if state.counts[side, _FIVE] > 0:
        score = five_made(state_ref, scratch_ref, side, ply)
        if score != UNDECIDED:
            return score
    # Step 3. Full board, and mate distance pruning.
    if ply > 0:
        if state.ply >= state.size * state.size:
            return 0
        alpha, beta = max(alpha, -(WIN - ply)), min(beta, WIN - ply - 3)
        if alpha >= beta:
            return alpha
    # Step 4. Forced reply to a five, and static wins and losses.
    forced_reply, score = reply_to_five(state_ref, tables_ref, side, ply)
    if score != UNDECIDED:
        return score
    # Step 5. Static evaluation: point classes, correction history, and the network's correction.
    key, excluded = key_of(state), scratch.excluded[ply]
    threats, error = situation(state) & (SITUATIONS - 1), np.int64(0)
    uses_errors = forced_reply < 0 and not tables.without & _ERRORS
    if uses_errors:
        error = mean_error(scratch, side, threats)
    class_score = static_score(state, tables) + error
    margin = estimate_correction(state_ref, networks_ref, scratch_ref, key, ply)
    static = np.int64(class_score + scratch.corrections[ply])
    if ply >= DEEPEST:
        return static
    scratch.statics[ply] = static
    improving = ply < 2 or static > scratch.statics[ply - 2]
    pv_node = beta - alpha > 1
    # Step 6. Transposition table lookup.
    entry, hash_move, score = probe_table(state, scratch, table, key, ply, depth, alpha, beta)
    if score != UNDECIDED:
        return score
    threatened, foul_four = forced_reply < 0 and is_threatened(state, tables, side), np.int64(-1)
    if forced_reply < 0 and side == 0 and not threatened:
        foul_four = relevant_foul_four(state_ref, tables_ref)
        threatened = foul_four >= 0
    if forced_reply < 0 and ply > 0 and excluded == 0:
        # Step 7. Win by fours (VCF).
        score = vcf_score(state_ref, tables_ref, scratch_ref, table, key, ply, depth)
        if score != UNDECIDED:
            return score
        # Steps 8 to 10. Leaf, reverse futility pruning, razoring: first with the estimate of the network's
        # correction, and only if its margin leaves them open, with the correction itself.
        if margin > 0 and is_pruned(state, tables, depth, static, margin, alpha, beta, threatened, pv_node):
            return static
        if (margin > 0 or not networks.network) and is_sampled(scratch, key):
            keep_sample(state_ref, scratch_ref)
        if margin > 0:
            evaluate_network(state_ref, networks_ref, scratch_ref, key, ply)
            static = np.int64(class_score + scratch.corrections[ply])
            scratch.statics[ply] = static
            improving = ply < 2 or static > scratch.statics[ply - 2]
        if is_pruned(state, tables, depth, static, np.int64(0), alpha, beta, threatened, pv_node):
            return static
    # Step 11. Internal iterative reduction.
    if depth >= _IIR_DEPTH and hash_move < 0 and forced_reply < 0 and not tables.without & _IIR:
        depth -= 1
    # Step 12. Singular extension; if others are nearly as good, multi-cut or a negative extension.
    extension = np.int64(0)
    singular_beta = singular_bound(tables, scratch, entry, hash_move, forced_reply, ply, depth)
    if singular_beta != UNDECIDED:
        scratch.excluded[ply] = hash_move
        score = search(
            state_ref,
            tables_ref,
            networks_ref,
            scratch_ref,
            table,
            np.int64(depth // 2),
            singular_beta - 1,
            singular_beta,
            cut_node,
        )
        scratch.excluded[ply] = 0
        if state.ended:
            return 0
        if score < singular_beta:
            extension = np.int64(1)
        elif singular_beta >= beta:
            return singular_beta
        elif stored_score(entry, ply) >= beta:
            extension = np.int64(-1)
    # Step 13. Move generation. No moves: nothing stops the enemy, or no empty point is near a stone.
    count = list_moves(state_ref, tables_ref, scratch_ref, ply, hash_move, forced_reply, foul_four)
    if count == 0:
        if is_stuck(state_ref, tables_ref):
            return 0
        if forced_reply >= 0:
            return -(WIN - ply - 2)
        return -(WIN - ply - 4) if threatened else static
    start_alpha = alpha
    next_depth = np.int64(depth if forced_reply >= 0 else depth - 1)
    best_score, best_move, move_count = np.int64(-WIN - 1), np.int64(0), 0
    policy_from = policy_place(state, tables, networks, hash_move, forced_reply, threatened, depth)
    for place in range(count):
        if place == policy_from:
            order_by_policy(state_ref, networks_ref, scratch_ref, ply, np.int64(place), count)
        # Step 14. The next best move. Late-move pruning of quiet moves, and pruning of fours that only
        # delay an open three, unless all is lost without them.
        cell = pick_best(scratch, ply, place, count)
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
        if best_score > -MATE and forced_reply < 0:
            if threatened:
                if is_delaying_four(state, tables, depth, side, cell):
                    continue
            elif quiet and is_late_move_pruned(tables, depth, move_count, pv_node, improving):
                continue
        # Step 15. Make the move; meanwhile its table entries are fetched from memory.
        next_key = key_after(state, cell)
        prefetch_entry(table, next_key)
        if networks.network:
            expect_known_correction(scratch, next_key)
        make(state_ref, tables_ref, cell)
        state.nodes += 1
        move_count += 1
        # Step 16. Late-move reduction.
        full_depth = next_depth + (extension if cell == hash_move else np.int64(0))
        late_reduction = late_move_reduction(
            tables,
            depth,
            move_count,
            kind,
            quiet,
            pv_node,
            cut_node,
            improving,
            threatened,
            np.int64(scratch.history[side, cell]),
        )
        reduction = max(np.int64(0), min(late_reduction, next_depth - 1))
        # Step 17. Principal variation search: the first move in the full window; the others in a null
        # window and reduced, and again deeper or wider if they fail high. The arguments are variables, for
        # Numba would compile another function for a literal.
        opposite = np.int64(1 - cut_node)
        full_window, child_cut_node = move_count == 1, np.int64(1)
        if full_window:
            reduction, child_cut_node = np.int64(0), np.int64(0) if pv_node else opposite
        while True:
            child_alpha, child_depth = (
                -beta if full_window else -alpha - 1,
                np.int64(full_depth - reduction),
            )
            score = -search(
                state_ref,
                tables_ref,
                networks_ref,
                scratch_ref,
                table,
                child_depth,
                child_alpha,
                -alpha,
                child_cut_node,
            )
            if full_window or score <= alpha or state.ended:
                break
            # A win is a win, even one found at reduced depth.
            if reduction > 0 and score <= MATE:
                reduction, child_cut_node = np.int64(0), opposite
            elif score < min(beta, np.int64(MATE)):
                full_window, child_cut_node = True, np.int64(0)
            else:
                break
        # Step 18. Unmake the move.
        unmake(state_ref, tables_ref)
        if state.ended:
            return 0
        # Step 19. New best move, or a beta cutoff.
        if score > best_score:
            best_score, best_move = score, cell
            if ply == 0 and (score > alpha or move_count == 1):
                scratch.best = cell
        if score > alpha:
            alpha = score
            if alpha >= beta:
                if quiet and forced_reply < 0:
                    update_histories(state, scratch, ply, depth, place)
                break
    # Step 20. Correction history and transposition table, unless a move was excluded.
    if move_count == 0:
        return alpha if excluded else static
    if uses_errors and excluded == 0 and is_informative(static, best_score, start_alpha, beta):
        update_error(scratch, side, threats, best_score - static + error, depth)
    if excluded == 0 and (ply > 0 or (scratch.skip == 0 and scratch.root_count == 0)):
        bound = LOWER if best_score >= beta else (EXACT if best_score > start_alpha else UPPER)
        if bound == UPPER:
            # Every move failed low; which one has the highest bound says little.
            best_move = max(hash_move, np.int64(0))
        store(table, key, best_move, best_score, ply, max(depth, np.int64(0)), bound)
    return best_score
