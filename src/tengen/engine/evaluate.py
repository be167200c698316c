"""What a position is worth: the learned numbers of all empty points, added up as stones come and go.

Each point is worth something to either side, by what a stone there would make (`tengen.engine.weights`),
and something else when that side has to wait. `worth` of the state holds two sums in one integer: the score
if White were to move in the low bits, if Black were above them.

A network would take the place of these functions: the first three keep up with the stones, `static_score`
is asked where the search ends.
"""

from __future__ import annotations

import numpy as np

from tengen.engine.compiled import inlined
from tengen.engine.weights import LOW_BITS


@inlined
def value(state, tables, patterns):
    """Add an empty cell's patterns to the sum."""
    state.worth += np.int64(tables.worths[0, patterns & 0xFFFF])
    state.worth += np.int64(tables.worths[1, (patterns >> 16) & 0xFFFF])


@inlined
def devalue(state, tables, patterns):
    """Take a cell's patterns out of the sum."""
    state.worth -= np.int64(tables.worths[0, patterns & 0xFFFF])
    state.worth -= np.int64(tables.worths[1, (patterns >> 16) & 0xFFFF])


@inlined
def revalue(state, tables, old, new):
    """Take a cell's old patterns out of the sum, and its new ones in."""
    devalue(state, tables, old)
    value(state, tables, new)


@inlined
def static_score(state):
    """What the patterns are worth for the side to move, in centi-units."""
    low = ((state.worth & ((1 << LOW_BITS) - 1)) ^ (1 << (LOW_BITS - 1))) - (1 << (LOW_BITS - 1))
    if state.turn == 1:
        return np.int64(low)
    return np.int64((state.worth - low) >> LOW_BITS)
