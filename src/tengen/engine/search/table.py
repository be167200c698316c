"""The transposition table, shared by all threads of a search.

An array of two integers an entry: the key combined by exclusive or with the data, and the data. A thread
that reads an entry while another writes it sees a key that does not fit, so no lock is needed (R. M. Hyatt
and T. Mann, "A lock-less transposition table implementation for parallel search", ICGA Journal 25(1),
2002).

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
from tengen.engine.kernels.declarations import inlined

EXACT, LOWER, UPPER = 1, 2, 3
"""Bounds: the stored score is exact, a lower bound or an upper bound."""

_OFFSET = 1 << 16
_WHITE = 0x5DEECE66D1234567
_DEEPER = 3
"""Plies by which the entry of a position has to be deeper than a new bound to be kept."""


def new_table(megabytes: int) -> npt.NDArray[np.int64]:
    """Return an empty table of at most so many megabytes: int64, shape (a power of two, 2)."""
    entries: int = 1 << ((megabytes << 20) // 16).bit_length() - 1
    return np.zeros((entries, 2), np.int64)


@inlined
def key_of(state):
    """Return the hash key of a position: its stones and the side to move."""
    return state.hash ^ (np.int64(_WHITE) if state.turn else np.int64(0))


@inlined
def key_after(state, cell):
    """Return the hash key of the position after a move of the side to move."""
    turned = state.hash ^ state.keys[state.turn & 1, cell]
    return turned if state.turn else turned ^ np.int64(_WHITE)


@inlined
def prefetch_entry(table, key):
    """Prefetch the entry of a key into the processor's cache."""
    prefetch(table, 2 * (key & (table.shape[0] - 1)))


@inlined
def probe(table, key):
    """Return the data stored under a key; 0 if there are none."""
    slot = key & (table.shape[0] - 1)
    data = table[slot, 1]
    return data if (table[slot, 0] ^ data) == key else np.int64(0)


@inlined
def known_move(state, table):
    """Return the cell of the best move that the table has of a position; 0 for none."""
    return stored_move(probe(table, key_of(state)))


@inlined
def stored_score(data, ply):
    """Return the stored score, with the distance of a win counted from the root again."""
    score = (data & 0x1FFFF) - _OFFSET
    if score > MATE:
        return score - ply
    if score < -MATE:
        return score + ply
    return score


@inlined
def stored_depth(data):
    """Return the depth of the stored search, in plies."""
    return (data >> 17) & 255


@inlined
def stored_bound(data):
    """Return the bound of the stored score: `EXACT`, `LOWER` or `UPPER`."""
    return (data >> 25) & 3


@inlined
def stored_move(data):
    """Return the cell of the best move; 0 for none."""
    return (data >> 27) & 1023


@inlined
def store(table, key, move, score, ply, depth, bound):
    """Store a result, unless the position has a much deeper entry and the score is only a bound.

    Args:
        table: the table.
        key: of the position.
        move: the cell of the best move; 0 for none, which keeps the move stored before.
        score: in centi-units.
        ply: plies from the root.
        depth: plies searched.
        bound: `EXACT`, `LOWER` or `UPPER`.
    """
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
