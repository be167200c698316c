"""The transposition table of the exact search: proven bounds of positions.

An entry is three int64: the attacker's points, the defender's points (a point useless to both sides belongs
to both), and the data, from bit 0: plies within which the attacker wins (7 bits, 0 if unknown), plies
within which it does not win (7 bits, `NEVER` for the whole game), the best point plus 1 (7 bits, 0 for
none), the side to move (1 bit, 1 for the defender), a bit that is always set, and the binary logarithm of
the nodes spent below (6 bits).

The whole position is stored instead of a hash key, so that two positions are never confused. Four
neighbouring entries form a bucket; in a full bucket the entry with the fewest nodes below is replaced.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.kernels.declarations import inlined, kernel
from tengen.engine.kernels.signatures import signature, table_of

NEVER = 127
"""More plies than any game has."""

ENTRY = 24
"""Bytes of an entry."""

BUCKET = 4

_SPREAD = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xBF58476D1CE4E5B9
_FIRST, _SECOND, _THIRD = (number - (1 << 64) for number in _SPREAD)  # as int64 numbers


def new_exact_table(megabytes: int) -> npt.NDArray[np.int64]:
    """Return an empty table of at most `megabytes`: int64, shape (a multiple of four, 3)."""
    buckets = max((megabytes << 20) // (ENTRY * BUCKET), 1)
    return np.zeros((buckets * BUCKET, ENTRY // 8), np.int64)


@inlined
def _bucket(table, attacker, defender, turn):
    """Return the first entry of a position's bucket."""
    key = attacker * np.int64(_FIRST) ^ ((defender << 1) ^ (defender >> 40) ^ turn) * np.int64(_SECOND)
    key = (key ^ (key >> 29)) * np.int64(_THIRD)
    return ((((key >> 32) & 0x7FFFFFFF) * (table.shape[0] // BUCKET)) >> 31) * BUCKET


@inlined
def _matches(table, slot, attacker, defender, turn):
    """Return whether an entry holds a position."""
    equal = table[slot, 0] == attacker and table[slot, 1] == defender
    return equal and (table[slot, 2] >> 21) & 3 == 2 + turn


@inlined
def known_exact(table, attacker, defender, turn):
    """Return the data of a position; 0 if there is no entry."""
    first = _bucket(table, attacker, defender, turn)
    for slot in range(first, first + BUCKET):
        if _matches(table, slot, attacker, defender, turn):
            return table[slot, 2]
    return np.int64(0)


@inlined
def stored_win(data):
    """Return the plies within which the attacker wins; 0 if unknown."""
    return data & 127


@inlined
def stored_hold(data):
    """Return the plies within which the attacker does not win."""
    return (data >> 7) & 127


@inlined
def stored_point(data):
    """Return the best point plus 1; 0 if there is none."""
    return (data >> 14) & 127


@inlined
def store_exact(table, attacker, defender, turn, win, hold, point, logarithm):
    """Store the bounds of a position, merged with those of its former entry."""
    first = _bucket(table, attacker, defender, turn)
    place = first
    for slot in range(first, first + BUCKET):
        data = table[slot, 2]
        if _matches(table, slot, attacker, defender, turn):
            former_win = stored_win(data)
            if former_win and (win == 0 or former_win < win):
                win = former_win
            hold = max(hold, stored_hold(data))
            logarithm = max(logarithm, data >> 23)
            place = slot
            break
        if (data >> 22) < (table[place, 2] >> 22):
            place = slot
    table[place, 0] = attacker
    table[place, 1] = defender
    table[place, 2] = win | (hold << 7) | (point << 14) | ((2 + turn) << 21) | (logarithm << 23)


@kernel(signature(None, table_of(3), table_of(3)))
def keep_entries(table, entries):
    """Store entries of another table: int64, shape (any number, 3)."""
    for row in range(entries.shape[0]):
        data = entries[row, 2]
        if data:
            turn = (data >> 21) & 1
            win, hold, point = stored_win(data), stored_hold(data), stored_point(data)
            store_exact(table, entries[row, 0], entries[row, 1], turn, win, hold, point, data >> 23)
