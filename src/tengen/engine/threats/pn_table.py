"""The table of a proof-number search: proof and disproof numbers, in a bounded number of entries.

An array of two integers an entry: the position's key, and the data, from bit 0: `phi` (20 bits), `delta`
(20 bits), the best cell (10 bits), half the length of a win, rounded up (7 bits), and the logarithm of the
work spent below (6 bits). Four entries that stand together make a bucket; where it is full, the one with
the least work below gives way (A. Nagai 2002 collects such small trees as well, but all at once).

Two positions with the same key of 64 bits would be taken for one. Among ten million that has a chance of
about one in a hundred thousand; it is all that a proof depends on.

`phi` is the proof number of the side to move, `delta` that of the other side: `phi` is 0 where the side to
move reaches its aim, `delta` where the other side does.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from tengen.engine.kernels.jit import OPTIONS, inlined

NEVER = (1 << 20) - 1
"""A number that cannot be reached: the side's aim is out of reach."""

BUCKET = 4

_WHITE, _WHITE_ATTACKS = 0x369DEA0F31A53F85, 0x106689D45497FDB5


def new_proof_table(megabytes: int) -> npt.NDArray[np.int64]:
    """An empty table that takes at most so much memory: int64, shape (a power of two, 2)."""
    entries: int = 1 << ((megabytes << 20) // 16).bit_length() - 1
    return np.zeros((entries, 2), np.int64)


@inlined
def proof_key(state, attacker):
    """The position's key: stones, who is to move, and who attacks."""
    key = state.hash ^ (np.int64(_WHITE) if state.turn else np.int64(0))
    return key ^ (np.int64(_WHITE_ATTACKS) if attacker else np.int64(0))


@inlined
def key_after(state, attacker, cell):
    """The key of the position with a stone of the side to move on an empty cell."""
    return proof_key(state, attacker) ^ state.keys[state.turn & 1, cell] ^ np.int64(_WHITE)


@inlined
def proof_at(table, key):
    """The data stored under a key; 0 if there are none."""
    first = key & (table.shape[0] - 1) & ~np.int64(BUCKET - 1)
    for slot in range(first, first + BUCKET):
        if table[slot, 0] == key:
            return table[slot, 1]
    return np.int64(0)


@inlined
def stored_phi(data):
    """The number of the side to move."""
    return data & NEVER


@inlined
def stored_delta(data):
    """The number of the other side."""
    return (data >> 20) & NEVER


@inlined
def stored_cell(data):
    """The best move's cell; 0 if there is none."""
    return (data >> 40) & 1023


@inlined
def stored_length(data):
    """The plies to the win, to within one; 0 where nothing is proven."""
    return ((data >> 50) & 127) * 2


@inlined
def stored_work(data):
    """The nodes that have been spent below, rounded down to a power of two."""
    return np.int64(1) << ((data >> 57) & 63)


@inlined
def keep_proof(table, key, phi, delta, cell, length, work):
    """Store what is known of a position; its former entry, or the one of the least work, gives way."""
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


@njit(**OPTIONS)
def known_proof(state_ref, table, attacker):
    """What is stored about the position: `phi`, `delta`, the best cell, plies to the win; else zeros."""
    data = proof_at(table, proof_key(state_ref[0], attacker))
    return stored_phi(data), stored_delta(data), stored_cell(data), stored_length(data)
