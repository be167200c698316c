"""Moves by where they lie: steps from the moves before, and places in a list of moves."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import MOST_MOVES, PLACE_BITS, PLIES, ROW
from tengen.engine.kernels.declarations import inlined

_FAR = 9
"""Points from which on all distances are the same."""

_WIDE = 2 * ROW
"""A row of `_STEPS`: differences of two places in a row of cells, from -`ROW` on."""


def _all_steps() -> npt.NDArray[np.uint8]:
    """Return what `steps_away` says, by the difference of columns, and `_WIDE` times that of rows."""
    distances = [min(abs(difference), _FAR) for difference in range(-ROW, ROW)]
    rows = [[10 * max(up, right) + min(up, right) for right in distances] for up in range(_FAR + 1)]
    steps = [step for up in distances for step in rows[up]]
    return np.array(steps, np.uint8)


_STEPS = _all_steps()


@inlined
def steps_away(cell, other):
    """Where a cell lies from another, whichever of the eight symmetries: below `STEPS_AWAY`.

    Ten times the larger distance along a row or a column, and the smaller one.
    """
    # A cell and its row's first one added up: the rows are twice as wide, and no difference is ambiguous.
    difference = (cell + (cell & -ROW)) - (other + (other & -ROW))
    return np.int64(_STEPS[(difference + _WIDE * ROW + ROW) & (_WIDE * _WIDE - 1)])


@inlined
def last_moves(state):
    """The last move and the one before; without meaning where there are not two."""
    return (
        np.int64(state.moves[(state.ply - 1) & (PLIES - 1)]),
        np.int64(state.moves[(state.ply - 2) & (PLIES - 1)]),
    )


@inlined
def placed(order, place):
    """What orders a move, and below it its place, so that the greatest number says where it is.

    Of equals the one that comes first is the greatest.
    """
    return (order << PLACE_BITS) | (MOST_MOVES - 1 - place)
