"""How far the static score has been off in this search, for each combination of threats.

Where the search of a position says something else than its static score, the score of other positions with
the same threats (`tengen.engine.evaluation.static.situation`) is likely to be off in the same way: a mean
of these errors, in which deeper searches count for more, is added to it. Chess programs call that a
correction history (chessprogramming.org, "Static Evaluation Correction History").
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.scores import MATE
from tengen.engine.kernels.jit import inlined

_BITS = 7
"""Errors are kept in parts of a centi-unit, a power of two."""

_SHARE_BITS = 8
_MOST_SHARE = 16
"""What an error counts against those before it, at most: so many parts of a power of two."""

_LARGEST = 400


@inlined
def usual_error(scratch, side, threats):
    """By how many centi-units the static score has been too low for a side to move with such threats."""
    return np.int64(scratch.errors[side, threats]) >> _BITS


@inlined
def learn_error(scratch, side, threats, error, depth):
    """Remember by how much the score of a search so deep was above the static one."""
    share = max(np.int64(0), min(depth + 1, np.int64(_MOST_SHARE)))
    error = max(np.int64(-_LARGEST), min(error, np.int64(_LARGEST))) << _BITS
    before = np.int64(scratch.errors[side, threats])
    scratch.errors[side, threats] = before + ((error - before) * share >> _SHARE_BITS)


@inlined
def tells_an_error(static, score, alpha, beta):
    """Whether a score shows on which side of the true one the static score lies.

    It does not where the search ended at a bound, and the static score lies beyond that as well.
    """
    return abs(score) < MATE and not (score >= beta and score <= static) and not (alpha >= score >= static)
