"""The transposition table gives back what was put in, or nothing."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from tengen import Rules
from tengen.engine.board.position import make, new_position
from tengen.engine.board.records import CELLS, DEEPEST
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.search import table as tables
from tengen.engine.search.table import EXACT, LOWER, UPPER, new_table
from tests.engine.helpers import called

KEYS = st.integers(-(2**63), 2**63 - 1)
CELL = st.integers(1, CELLS - 1)
AWAY = st.integers(0, DEEPEST)
DEPTH = st.integers(0, DEEPEST)
BOUND = st.sampled_from((EXACT, LOWER, UPPER))
PLAIN = st.integers(-MATE, MATE)

probe = called(tables.probe)
store = called(tables.store)
key_of = called(tables.key_of)
key_after = called(tables.key_after)
stored_move = called(tables.stored_move)
stored_score = called(tables.stored_score)
stored_depth = called(tables.stored_depth)
stored_bound = called(tables.stored_bound)


def stored(table, key, ply=0):
    """Move, score, depth and bound found under a key; None where there is nothing."""
    data = probe(table, key)
    if data == 0:
        return None
    return (
        stored_move(data),
        stored_score(data, ply),
        stored_depth(data),
        stored_bound(data),
    )


@given(st.data(), st.integers(0, 12))
def test_the_key_after_a_move_is_known_before_it(data, plies):
    state, rules = new_position(Rules.named("renju"))
    for _ in range(plies):
        cell = data.draw(st.sampled_from(np.flatnonzero(state[0]["cells"] == 0).tolist()))
        expected = key_after(state[0], cell)
        make(state, rules, cell)
        assert key_of(state[0]) == expected


@given(KEYS, CELL, PLAIN, AWAY, AWAY, DEPTH, BOUND)
def test_what_is_stored_is_found_again(key, move, score, here, there, depth, bound):
    table = new_table(1)
    assert stored(table, key) is None
    store(table, key, move, score, here, depth, bound)
    assert stored(table, key, there) == (move, score, depth, bound)


@given(KEYS, st.integers(1, 200), AWAY, AWAY, st.sampled_from((1, -1)))
def test_a_win_is_as_far_from_the_position_wherever_it_is_met(key, plies, here, there, sign):
    """The score says how far the win is from the root; stored is how far it is from the position."""
    table = new_table(1)
    store(table, key, 7, sign * (WIN - here - plies), here, 5, EXACT)
    assert stored(table, key, there) == (7, sign * (WIN - there - plies), 5, EXACT)


@given(KEYS, KEYS, CELL, CELL, PLAIN, PLAIN)
def test_no_position_is_taken_for_another(key, other, move, other_move, score, other_score):
    table = new_table(1)
    slots = table.shape[0] - 1
    other = (other & ~slots) | (key & slots)
    assume(key != other)
    store(table, key, move, score, 0, 9, EXACT)
    assert stored(table, other) is None
    store(table, other, other_move, other_score, 0, 1, UPPER)
    assert stored(table, key) is None
    assert stored(table, other) == (other_move, other_score, 1, UPPER)


@given(KEYS, CELL, st.integers(1, 60))
def test_a_torn_entry_is_no_entry(key, move, change):
    """Another thread may have written one half of an entry and not yet the other."""
    table = new_table(1)
    store(table, key, move, 100, 0, 5, EXACT)
    slot = key & (table.shape[0] - 1)
    table[slot, 1] ^= change
    assert stored(table, key) is None


def test_of_the_same_position_the_deeper_search_stays():
    table = new_table(1)
    store(table, 12345, 7, 100, 0, 20, LOWER)
    store(table, 12345, 8, 50, 0, 2, UPPER)
    assert stored(table, 12345) == (7, 100, 20, LOWER)
    store(table, 12345, 8, 50, 0, 2, EXACT)
    assert stored(table, 12345) == (8, 50, 2, EXACT)


def test_a_search_that_knows_no_move_leaves_the_one_known():
    table = new_table(1)
    store(table, 12345, 7, 100, 0, 5, LOWER)
    store(table, 12345, 0, 50, 0, 6, UPPER)
    assert stored(table, 12345) == (7, 50, 6, UPPER)


@given(st.integers(1, 40))
def test_a_table_takes_no_more_memory_than_it_may(megabytes):
    table = new_table(megabytes)
    assert table.nbytes <= megabytes << 20 < 2 * table.nbytes
    assert table.shape[0].bit_count() == 1
    assert table.dtype == np.int64
