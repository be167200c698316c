"""The table of the exact search: what is proven of positions, in a bounded number of entries.

An array of three integers an entry: the points that the attacker holds, those that the defender holds (a
point that is of no use to either belongs to both), and the data, from bit 0: plies within which the
attacker wins (7 bits, 0 if that is not known), plies within which it does not (7 bits, `NEVER` for ever),
the best point (7 bits, 0 for none), who is to move (1 bit, 1 for the defender), a bit that is always set,
and the logarithm of the work spent below (6 bits).

The whole position is stored, not a number made of it: two positions are never taken for one. Four entries
that stand together make a bucket; where it is full, the one with the least work below gives way.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from tengen.engine.kernels.jit import inlined, kernel

NEVER = 127
"""More plies than any game has."""

ENTRY = 24
"""Bytes of an entry."""

BUCKET = 4

_SPREAD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xBF58476D1CE4E5B9], np.uint64).view(np.int64)
_FIRST, _SECOND, _THIRD = (int(number) for number in _SPREAD)


def new_exact_table(megabytes: int) -> npt.NDArray[np.int64]:
    """An empty table that takes at most so much memory: int64, shape (a multiple of four, 3)."""
    buckets = max((megabytes << 20) // (ENTRY * BUCKET), 1)
    return np.zeros((buckets * BUCKET, ENTRY // 8), np.int64)


@inlined
def _bucket(table, attacker, defender, turn):
    """The first entry of a position's bucket."""
    key = attacker * np.int64(_FIRST) ^ ((defender << 1) ^ (defender >> 40) ^ turn) * np.int64(_SECOND)
    key = (key ^ (key >> 29)) * np.int64(_THIRD)
    return ((((key >> 32) & 0x7FFFFFFF) * (table.shape[0] // BUCKET)) >> 31) * BUCKET


@inlined
def _is_of(table, slot, attacker, defender, turn):
    """Whether an entry is that of a position."""
    same = table[slot, 0] == attacker and table[slot, 1] == defender
    return same and (table[slot, 2] >> 21) & 3 == 2 + turn


@inlined
def known_exact(table, attacker, defender, turn):
    """The data stored of a position; 0 if there are none."""
    first = _bucket(table, attacker, defender, turn)
    for slot in range(first, first + BUCKET):
        if _is_of(table, slot, attacker, defender, turn):
            return table[slot, 2]
    return np.int64(0)


@inlined
def stored_win(data):
    """Plies within which the attacker wins; 0 if that is not known."""
    return data & 127


@inlined
def stored_hold(data):
    """Plies within which the attacker does not win."""
    return (data >> 7) & 127


@inlined
def stored_point(data):
    """The point that was best, and 1; 0 if there is none."""
    return (data >> 14) & 127


@inlined
def keep_exact(table, attacker, defender, turn, win, hold, point, logarithm):
    """Store what is proven of a position, beside what was proven before."""
    first = _bucket(table, attacker, defender, turn)
    place = first
    for slot in range(first, first + BUCKET):
        data = table[slot, 2]
        if _is_of(table, slot, attacker, defender, turn):
            before = stored_win(data)
            if before and (win == 0 or before < win):
                win = before
            hold = max(hold, stored_hold(data))
            logarithm = max(logarithm, data >> 23)
            place = slot
            break
        if (data >> 22) < (table[place, 2] >> 22):
            place = slot
    table[place, 0] = attacker
    table[place, 1] = defender
    table[place, 2] = win | (hold << 7) | (point << 14) | ((2 + turn) << 21) | (logarithm << 23)


@kernel(types.void(types.int64[:, ::1], types.int64[:, ::1]))
def keep_entries(table, entries):
    """Store entries of another table: int64, shape (any number, 3)."""
    for row in range(entries.shape[0]):
        data = entries[row, 2]
        if data:
            turn = (data >> 21) & 1
            win, hold, point = stored_win(data), stored_hold(data), stored_point(data)
            keep_exact(table, entries[row, 0], entries[row, 1], turn, win, hold, point, data >> 23)
