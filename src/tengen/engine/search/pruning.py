"""What the search leaves out, and what it looks at less deeply.

Close to the leaves the static score is enough where it lies far outside the window; late moves are left out
there, and looked at with less depth farther away. None of it calls a position lost in which a move is left
that has not been tried.

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
from tengen.engine.kernels.jit import inlined
from tengen.engine.threats.vcf_kernel import is_bare_four

_FIVE, _FOUR_THREE, _FOUR_AND_MORE = Kind.FIVE, Kind.FOUR_THREE, Kind.FOUR_AND_MORE
_FOUR, _OPEN_THREE = Kind.FOUR, Kind.OPEN_THREE

_LMR, _LMP, _REVERSE = int(Technique.LMR), int(Technique.LMP), int(Technique.REVERSE)
_RAZORING, _REPLIES, _BRIEF = int(Technique.RAZORING), int(Technique.REPLIES), int(Technique.BRIEF)
_HISTORY = int(Technique.HISTORY)

_THREAT = np.int64(150)
"""The answer to an open three seldom changes the static score by more."""

_REPLIES_IN_FULL = 3
"""Replies to an open three that are searched to the full depth."""

_THREE_BONUS = 3
"""Plies by which a move that makes an open three is reduced less: long attacks must keep depth."""

_IN_FULL = 3
"""Moves of the principal variation that are tried however close the leaves."""

_HISTORY_BITS = 11
"""So much history, a power of two, is worth a ply."""


@inlined
def is_leaf(tables, depth, static, slack, alpha, beta, threatened):
    """Step 8: whether the static score, were it wrong by `slack` even, has to do.

    An open three of the enemy's is answered first, unless the score is far outside the window anyway.
    """
    known = slack == 0
    if threatened and depth >= -1 and not tables.without & _REPLIES:
        known, slack = False, slack + _THREAT
    return depth <= 0 and (known or static - slack >= beta or static + slack <= alpha)


@inlined
def is_far_above(tables, depth, static, beta, threatened, principal):
    """Step 9: whether the static score, close to the leaves, is so good that no more has to be known."""
    return (
        not threatened
        and not principal
        and depth <= 6
        and static - 60 * depth >= beta
        and abs(beta) < MATE
        and not tables.without & _REVERSE
    )


@inlined
def is_far_below(state, tables, depth, static, alpha, threatened, principal):
    """Step 10: whether the static score, close to the leaves, is so bad that no quiet move mends it.

    A four that makes an open three might (razoring).
    """
    return (
        not threatened
        and not principal
        and depth <= 4
        and static + 150 * depth <= alpha
        and state.counts[state.turn, _FOUR_THREE] == 0
        and not tables.without & _RAZORING
    )


@inlined
def ends_here(state, tables, depth, static, slack, alpha, beta, threatened, principal):
    """Steps 8 to 10 together: whether the static score ends the search, were it wrong by `slack` even."""
    return (
        is_leaf(tables, depth, static, slack, alpha, beta, threatened)
        or is_far_above(tables, depth, static - slack, beta, threatened, principal)
        or is_far_below(state, tables, depth, static + slack, alpha, threatened, principal)
    )


@inlined
def is_late(tables, depth, tried, principal, improving):
    """Step 14: whether enough moves have been tried for quiet ones to be left out (late-move pruning)."""
    return (
        tried >= (3 + depth * depth // 4) * (2 if improving else 1)
        and not (principal and tried <= _IN_FULL)
        and not tables.without & _LMP
    )


@inlined
def only_delays(state, tables, depth, side, cell):
    """Step 14: whether a move only delays an open three, close to the leaves: a four and nothing else."""
    return depth < 4 and is_bare_four(state, side, cell) and not tables.without & _BRIEF


@inlined
def is_quiet(state, side, cell):
    """Whether a move makes neither an open three nor a four with more.

    Nor may it stop an open three with more, a double three, a four that makes an open three, an open four
    or a five.
    """
    kind, stopped = state.kinds[side, cell], state.kinds[1 - side, cell]
    return (kind < _OPEN_THREE or kind == _FOUR) and (
        stopped <= _OPEN_THREE or _FOUR <= stopped <= _FOUR_AND_MORE or stopped > _FIVE
    )


@inlined
def reduction_of(tables, depth, tried, kind, quiet, principal, cut, improving, threatened, history):
    """Step 16: by how many plies less a late move is searched at first, whatever is left of the depth.

    Moves that make an open three are reduced by three plies less, other moves that are not quiet by one,
    and quiet ones by what their history says. Of the replies to an open three only the fourth and later
    ones are late, and but for their history by two plies at most.
    """
    reduction = np.int64(0)
    late = tried > (_REPLIES_IN_FULL if threatened else 1)
    if depth >= 2 and late and kind <= _FOUR and not tables.without & _LMR:
        reduction = np.int64(tables.reductions[min(depth, np.int64(63)), min(tried, np.int64(63))])
        if kind >= _OPEN_THREE and kind != _FOUR:
            reduction -= _THREE_BONUS
        elif not quiet:
            reduction -= 1
        if principal:
            reduction -= 1
        if threatened:
            reduction = min(reduction, np.int64(2))
        if cut:
            reduction += 1
        if not improving:
            reduction += 1
        if quiet and not tables.without & _HISTORY:
            reduction -= history >> _HISTORY_BITS
    return reduction
