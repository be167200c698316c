"""Pruning and reductions of the search.

Close to the leaves the static score is enough if it lies far outside the window; late moves are pruned
there and reduced farther away. A position is never scored as lost while a move is left that has not been
searched.

Other margins were tried by the dozen, up to 400,000 nodes, and none has been shown to be better
(`benchmarks/log/2026-11-25-many-changes-again.md`, `2026-11-28-margins-at-400000-nodes.md` there).

The steps are numbered as in `tengen.engine.search.alpha_beta`, which has the sources.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.records import Kind
from tengen.engine.board.scores import MATE
from tengen.engine.board.techniques import Technique
from tengen.engine.kernels.declarations import inlined
from tengen.engine.threats.vcf_kernel import is_bare_four

_FIVE, _FOUR_THREE, _FOUR_AND_MORE = Kind.FIVE, Kind.FOUR_THREE, Kind.FOUR_AND_MORE
_FOUR, _OPEN_THREE = Kind.FOUR, Kind.OPEN_THREE

_LMR, _LMP, _REVERSE = int(Technique.LMR), int(Technique.LMP), int(Technique.REVERSE)
_RAZORING, _REPLIES, _BRIEF = int(Technique.RAZORING), int(Technique.REPLIES), int(Technique.BRIEF)
_HISTORY = int(Technique.HISTORY)

_REPLY_MARGIN = np.int64(150)
"""Centi-units by which the answer to an open three seldom changes the static score."""

_REPLY_DEPTH = -1
"""Plies, below which an open three is not answered at the leaves any more."""

_REVERSE_DEPTH = 6
"""Plies from the leaves in which reverse futility pruning is used."""

_REVERSE_MARGIN = 60
"""Centi-units for each ply of depth by which the static score then has to exceed beta."""

_RAZORING_DEPTH = 4
"""Plies from the leaves in which razoring is used."""

_RAZORING_MARGIN = 150
"""Centi-units for each ply of depth by which the static score then has to lie below alpha."""

_LMP_MOVES = 3
"""Moves after which quiet ones are pruned at the leaves, ..."""

_LMP_DIVISOR = 4
"""... and one more for each so many of the squared depth."""

_UNPRUNED_PV_MOVES = 3
"""Moves of a PV node that are searched however close the leaves."""

_DELAY_DEPTH = 4
"""Plies from the leaves in which fours that only delay an open three are pruned."""

_LMR_DEPTH = 2
"""Plies from which on late moves are reduced."""

_LAST_REDUCTION = np.int64(63)
"""The last row and column of the table of reductions."""

_UNREDUCED_REPLIES = 3
"""Replies to an open three that are searched to the full depth."""

_REPLY_REDUCTION = np.int64(2)
"""Plies by which the other replies are reduced, at most."""

_THREE_EXTENSION = 3
"""Plies by which a move that makes an open three is reduced less: long attacks must keep depth."""

_HISTORY_PLY_BITS = 11
"""So much history, a power of two, reduces a move by a ply less."""


@inlined
def is_leaf(tables, depth, static, margin, alpha, beta, threatened):
    """Step 8: return whether the node is a leaf: the static score, within its margin, has to do.

    An open three of the enemy's is answered first, unless the score is far outside the window anyway.
    """
    exact = margin == 0
    if threatened and depth >= _REPLY_DEPTH and not tables.without & _REPLIES:
        exact, margin = False, margin + _REPLY_MARGIN
    return depth <= 0 and (exact or static - margin >= beta or static + margin <= alpha)


@inlined
def is_reverse_futile(tables, depth, static, beta, threatened, pv_node):
    """Step 9: return whether the static score exceeds beta by a margin (reverse futility pruning)."""
    return (
        not threatened
        and not pv_node
        and depth <= _REVERSE_DEPTH
        and static - _REVERSE_MARGIN * depth >= beta
        and abs(beta) < MATE
        and not tables.without & _REVERSE
    )


@inlined
def is_razored(state, tables, depth, static, alpha, threatened, pv_node):
    """Step 10: return whether the static score lies so far below alpha that no quiet move helps (razoring).

    A four that makes an open three might help.
    """
    return (
        not threatened
        and not pv_node
        and depth <= _RAZORING_DEPTH
        and static + _RAZORING_MARGIN * depth <= alpha
        and state.counts[state.turn, _FOUR_THREE] == 0
        and not tables.without & _RAZORING
    )


@inlined
def is_pruned(state, tables, depth, static, margin, alpha, beta, threatened, pv_node):
    """Steps 8 to 10 together: return whether the static score, within its margin, ends the search."""
    return (
        is_leaf(tables, depth, static, margin, alpha, beta, threatened)
        or is_reverse_futile(tables, depth, static - margin, beta, threatened, pv_node)
        or is_razored(state, tables, depth, static + margin, alpha, threatened, pv_node)
    )


@inlined
def is_late_move_pruned(tables, depth, move_count, pv_node, improving):
    """Step 14: return whether enough moves have been searched to prune quiet ones (late-move pruning)."""
    return (
        move_count >= (_LMP_MOVES + depth * depth // _LMP_DIVISOR) * (2 if improving else 1)
        and not (pv_node and move_count <= _UNPRUNED_PV_MOVES)
        and not tables.without & _LMP
    )


@inlined
def is_delaying_four(state, tables, depth, side, cell):
    """Step 14: return whether a move close to the leaves is a four that only delays an open three."""
    return depth < _DELAY_DEPTH and is_bare_four(state, side, cell) and not tables.without & _BRIEF


@inlined
def is_quiet(state, side, cell):
    """Return whether a move makes neither an open three nor a four with more.

    A quiet move does not stop an open three with more, a double three, a four that makes an open three, an
    open four or a five either.
    """
    kind, stopped = state.kinds[side, cell], state.kinds[1 - side, cell]
    return (kind < _OPEN_THREE or kind == _FOUR) and (
        stopped <= _OPEN_THREE or _FOUR <= stopped <= _FOUR_AND_MORE or stopped > _FIVE
    )


@inlined
def late_move_reduction(
    tables, depth, move_count, kind, quiet, pv_node, cut_node, improving, threatened, history
):
    """Step 16: return the plies by which a late move is reduced, not limited by the depth left.

    Moves that make an open three are reduced by three plies less, other moves that are not quiet by one,
    and quiet ones by their history. Of the replies to an open three only the fourth and later ones are
    late, and but for their history they are reduced by two plies at most.

    Args:
        tables: the tables of the rules.
        depth: plies to search.
        move_count: the number of the move, from 1.
        kind: of the point that the move makes (`Kind`).
        quiet: whether the move is quiet.
        pv_node: whether the window is open.
        cut_node: 1 if the node is expected to fail high.
        improving: whether the static score exceeds that of two plies before.
        threatened: whether the enemy threatens an open four.
        history: of the move.
    """
    reduction = np.int64(0)
    late = move_count > (_UNREDUCED_REPLIES if threatened else 1)
    if depth >= _LMR_DEPTH and late and kind <= _FOUR and not tables.without & _LMR:
        reduction = np.int64(
            tables.reductions[min(depth, _LAST_REDUCTION), min(move_count, _LAST_REDUCTION)]
        )
        if kind >= _OPEN_THREE and kind != _FOUR:
            reduction -= _THREE_EXTENSION
        elif not quiet:
            reduction -= 1
        if pv_node:
            reduction -= 1
        if threatened:
            reduction = min(reduction, _REPLY_REDUCTION)
        if cut_node:
            reduction += 1
        if not improving:
            reduction += 1
        if quiet and not tables.without & _HISTORY:
            reduction -= history >> _HISTORY_PLY_BITS
    return reduction
