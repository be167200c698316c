"""The static score: a linear evaluation of the empty points, and of the combination of threats.

Each empty point has a weight for either side, by its point class and whose turn it is
(`tengen.engine.evaluation.weights`). `make` and `unmake` update the sum of these incrementally: `worth` of
the state holds it for White to move in the low bits, for Black to move above them.

A network, where there is one, adds a correction (`tengen.engine.evaluation.network_kernel`).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.records import STATE_REF, Kind
from tengen.engine.board.worths import LOW_BITS, UNIT
from tengen.engine.kernels.declarations import inlined, kernel
from tengen.engine.kernels.signatures import INT64, signature

_UNIT_BITS = UNIT.bit_length() - 1
_OPEN_FOUR, _FOUR_THREE = Kind.OPEN_FOUR, Kind.FOUR_THREE
_FOUR_AND_MORE, _FOUR, _DOUBLE_THREE = Kind.FOUR_AND_MORE, Kind.FOUR, Kind.DOUBLE_THREE
_THREE_AND_MORE, _OPEN_THREE = Kind.THREE_AND_MORE, Kind.OPEN_THREE


@inlined
def situation(state):
    """Return the combination of threats, a bit for each.

    Of the side to move, from bit 0: a four that makes an open three, a four that makes more, any other
    four, a double three, an open three; of the other side: an open four, then the same with both kinds of
    fours in one.
    """
    counts, side, enemy = state.counts, state.turn & 1, (1 - state.turn) & 1
    return (
        np.int64(counts[side, _FOUR_THREE] > 0)
        | (np.int64(counts[side, _FOUR_AND_MORE] > 0) << 1)
        | (np.int64(counts[side, _FOUR] > 0) << 2)
        | (np.int64(counts[side, _DOUBLE_THREE] > 0) << 3)
        | (np.int64(counts[side, _THREE_AND_MORE] + counts[side, _OPEN_THREE] > 0) << 4)
        | (np.int64(counts[enemy, _OPEN_FOUR] > 0) << 5)
        | (np.int64(counts[enemy, _FOUR_THREE] > 0) << 6)
        | (np.int64(counts[enemy, _FOUR_AND_MORE] + counts[enemy, _FOUR] > 0) << 7)
        | (np.int64(counts[enemy, _DOUBLE_THREE] > 0) << 8)
        | (np.int64(counts[enemy, _THREE_AND_MORE] + counts[enemy, _OPEN_THREE] > 0) << 9)
    )


@kernel(signature(INT64, STATE_REF))
def situation_of(state_ref):
    """Return `situation` to callers from Python."""
    return situation(state_ref[0])


@inlined
def static_score(state, tables):
    """Return the linear evaluation for the side to move, in centi-units."""
    low = ((state.worth & ((1 << LOW_BITS) - 1)) ^ (1 << (LOW_BITS - 1))) - (1 << (LOW_BITS - 1))
    threats = np.int64(tables.situations[state.turn & 1, situation(state)])
    if state.turn == 1:
        return (low >> _UNIT_BITS) + threats
    return ((state.worth - low) >> (LOW_BITS + _UNIT_BITS)) + threats
