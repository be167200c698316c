"""The transposition table: what a search has found out about positions, shared by all its threads.

An array of two integers an entry: the key combined by exclusive or with the data, and the data. A thread
that reads what another is just writing sees a key that does not fit, so no lock is needed (R. M. Hyatt and
T. Mann, "A lock-less transposition table implementation for parallel search", ICGA Journal 25(1), 2002).

Pairs of entries of which the deeper stays, and larger tables, reach no greater depth
(`benchmarks/log/2026-11-28-overlooked-wins.md`).

The data hold, from bit 0: the score (17 bits), the depth (8), the bound (2), the move (10).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.bits import prefetch
from tengen.engine.board.scores import MATE
from tengen.engine.kernels.jit import compiled, inlined

EXACT, LOWER, UPPER = 1, 2, 3
"""What a stored score is: the value, at least the value, at most the value."""

_OFFSET = 1 << 16
_WHITE = 0x5DEECE66D1234567
_DEEPER = 3
"""Plies by which a former entry has to be deeper to be kept."""


def new_table(megabytes: int) -> npt.NDArray[np.int64]:
    """An empty table that takes at most so much memory: int64, shape (a power of two, 2)."""
    entries: int = 1 << ((megabytes << 20) // 16).bit_length() - 1
    return np.zeros((entries, 2), np.int64)


@inlined
def key_of(state):
    """The position's key: stones, and who is to move."""
    return state.hash ^ (np.int64(_WHITE) if state.turn else np.int64(0))


@inlined
def key_after(state, cell):
    """The key of the position once the side to move has put a stone on an empty cell."""
    turned = state.hash ^ state.keys[state.turn & 1, cell]
    return turned if state.turn else turned ^ np.int64(_WHITE)


@inlined
def expect(table, key):
    """Have what is stored under a key fetched from memory: it will be looked at soon."""
    prefetch(table, 2 * (key & (table.shape[0] - 1)))


@inlined
def data_at(table, key):
    """The data stored under a key; 0 if there are none."""
    slot = key & (table.shape[0] - 1)
    data = table[slot, 1]
    return data if (table[slot, 0] ^ data) == key else np.int64(0)


@compiled
def known_move(state_ref, table):
    """The cell that the table knows as the best in the position; 0 for none."""
    return stored_move(data_at(table, key_of(state_ref[0])))


@inlined
def stored_score(data, ply):
    """A stored score, with the distance of a win counted from the root again."""
    score = (data & 0x1FFFF) - _OFFSET
    if score > MATE:
        return score - ply
    if score < -MATE:
        return score + ply
    return score


@inlined
def stored_depth(data):
    """How deep the stored search was."""
    return (data >> 17) & 255


@inlined
def stored_bound(data):
    """What the stored score is."""
    return (data >> 25) & 3


@inlined
def stored_move(data):
    """The best move's cell; 0 if it is not known."""
    return (data >> 27) & 1023


@inlined
def remember(table, key, move, score, ply, depth, bound):
    """Store a result; an entry of the same position that is much deeper stays."""
    if score > MATE:
        score += ply
    elif score < -MATE:
        score -= ply
    slot = key & (table.shape[0] - 1)
    old = table[slot, 1]
    same = (table[slot, 0] ^ old) == key
    if same and bound != EXACT and stored_depth(old) > depth + _DEEPER:
        return
    if same and move == 0:
        move = stored_move(old)
    data = (score + _OFFSET) | (depth << 17) | (bound << 25) | (move << 27)
    table[slot, 0] = key ^ data
    table[slot, 1] = data
