"""The table of a proof-number search: proof and disproof numbers, in a bounded number of entries.

An array of two integers an entry: the position's key, and the data, from bit 0: `phi` (20 bits), `delta`
(20 bits), the best cell (10 bits), half the length of a win, rounded up (7 bits), and the logarithm of the
nodes spent below (6 bits). Four adjacent entries form a bucket; in a full bucket the entry with the
smallest subtree is replaced (A. Nagai's SmallTreeGC, 2002, collects small subtrees too, but all at once).

Two positions with the same key of 64 bits would be taken for one. Among ten million positions the
probability of that is about one in a hundred thousand; a proof depends on nothing else.

`phi` is the proof number of the side to move, `delta` that of the other side: `phi` is 0 if the side to
move reaches its aim, `delta` is 0 if the other side does.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import STATE_REF
from tengen.engine.kernels.declarations import inlined, kernel
from tengen.engine.kernels.signatures import INT64, signature, table_of

INFINITY = (1 << 20) - 1
"""The proof number of a side that cannot reach its aim."""

BUCKET = 4
"""Entries that a position may be stored in."""

_WHITE, _WHITE_ATTACKS = 0x369DEA0F31A53F85, 0x106689D45497FDB5


def new_pn_table(megabytes: int) -> npt.NDArray[np.int64]:
    """Return an empty table of at most so many megabytes: int64, shape (a power of two, 2)."""
    entries: int = 1 << ((megabytes << 20) // 16).bit_length() - 1
    return np.zeros((entries, 2), np.int64)


@inlined
def pn_key(state, attacker):
    """Return the hash key of a position: its stones, the side to move and the attacker."""
    key = state.hash ^ (np.int64(_WHITE) if state.turn else np.int64(0))
    return key ^ (np.int64(_WHITE_ATTACKS) if attacker else np.int64(0))


@inlined
def pn_key_after(state, attacker, cell):
    """Return the hash key of the position after a move of the side to move."""
    return pn_key(state, attacker) ^ state.keys[state.turn & 1, cell] ^ np.int64(_WHITE)


@inlined
def probe(table, key):
    """Return the data stored under a key; 0 if there are none."""
    first = key & (table.shape[0] - 1) & ~np.int64(BUCKET - 1)
    for slot in range(first, first + BUCKET):
        if table[slot, 0] == key:
            return table[slot, 1]
    return np.int64(0)


@inlined
def stored_phi(data):
    """Return `phi`, the number of the side to move."""
    return data & INFINITY


@inlined
def stored_delta(data):
    """Return `delta`, the number of the other side."""
    return (data >> 20) & INFINITY


@inlined
def stored_cell(data):
    """Return the cell of the best move; 0 if there is none."""
    return (data >> 40) & 1023


@inlined
def stored_length(data):
    """Return the plies to the win, rounded up to an even number; 0 if no win is proven."""
    return ((data >> 50) & 127) * 2


@inlined
def stored_work(data):
    """Return the nodes spent below, rounded down to a power of two."""
    return np.int64(1) << ((data >> 57) & 63)


@inlined
def store(table, key, phi, delta, cell, length, work):
    """Store a result; it replaces the position's own entry or that of the bucket's smallest subtree.

    Args:
        table: the table.
        key: of the position.
        phi: the number of the side to move.
        delta: the number of the other side.
        cell: of the best move; 0 for none.
        length: plies to the win; 0 if no win is proven.
        work: nodes spent on the position and below.
    """
    logarithm = np.int64(0)
    while (np.int64(2) << logarithm) <= work and logarithm < 62:
        logarithm += 1
    first = key & (table.shape[0] - 1) & ~np.int64(BUCKET - 1)
    place = first
    for slot in range(first, first + BUCKET):
        if table[slot, 0] == key:
            place = slot
            break
        if (table[slot, 1] >> 57) < (table[place, 1] >> 57):
            place = slot
    table[place, 0] = key
    table[place, 1] = (
        phi | (delta << 20) | (cell << 40) | (min((length + 1) >> 1, 127) << 50) | (logarithm << 57)
    )


@kernel(signature(INT64, STATE_REF, table_of(2), INT64))
def plies_to_win(state_ref, table, attacker):
    """Return the plies to the attacker's win that the table knows of; 0 for none."""
    # What is stored is rounded up to an even number, and the attacker wins in an odd one.
    state = state_ref[0]
    even = stored_length(probe(table, pn_key(state, attacker)))
    return max(even - np.int64(state.turn == attacker), np.int64(0))
