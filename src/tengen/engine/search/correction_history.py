"""Correction history: the mean error of the static score, for each combination of threats.

Where the score of a search differs from the static score, the static scores of other positions with the
same threats (`tengen.engine.evaluation.static.situation`) are likely to be wrong in the same way: a mean of
these errors, in which deeper searches have a larger share, is added to them (chessprogramming.org, "Static
Evaluation Correction History").
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.scores import MATE
from tengen.engine.kernels.declarations import inlined

_BITS = 7
"""Errors are stored in parts of a centi-unit: this power of two."""

_SHARE_BITS, _LARGEST_SHARE = 8, 16
"""The share of a new error in the mean is at most 16 of 2 ** 8 parts."""

_LARGEST_ERROR = 400
"""Centi-units to which errors are limited."""


@inlined
def mean_error(scratch, side, threats):
    """Return the mean error in centi-units: by how much the static score was too low."""
    return np.int64(scratch.errors[side, threats]) >> _BITS


@inlined
def update_error(scratch, side, threats, error, depth):
    """Add an error to the mean.

    Args:
        scratch: the thread's scratch record.
        side: to move.
        threats: the combination of threats.
        error: the score of the search minus the static score, in centi-units.
        depth: plies searched.
    """
    share = max(np.int64(0), min(depth + 1, np.int64(_LARGEST_SHARE)))
    error = max(np.int64(-_LARGEST_ERROR), min(error, np.int64(_LARGEST_ERROR))) << _BITS
    before = np.int64(scratch.errors[side, threats])
    scratch.errors[side, threats] = before + ((error - before) * share >> _SHARE_BITS)


@inlined
def is_informative(static, score, alpha, beta):
    """Return whether the score of a search shows the sign of the static score's error.

    It does not if the score is a bound and the static score lies beyond it, too.
    """
    return abs(score) < MATE and not (score >= beta and score <= static) and not (alpha >= score >= static)
