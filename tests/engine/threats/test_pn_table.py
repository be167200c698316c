"""The table of the proof-number search returns what was stored, and keeps the largest subtrees."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tengen import Board
from tengen.engine.board.conversion import cell, position_of
from tengen.engine.board.position import make
from tengen.engine.board.records import CELLS
from tengen.engine.threats import pn_table
from tengen.engine.threats.pn_table import BUCKET, INFINITY, new_pn_table
from tests.engine.helpers import called

KEYS = st.integers(-(2**63), 2**63 - 1)
NUMBER = st.integers(0, INFINITY)

store = called(pn_table.store)
pn_key_after = called(pn_table.pn_key_after)
probe = called(pn_table.probe)
pn_key = called(pn_table.pn_key)
stored_cell = called(pn_table.stored_cell)
stored_delta = called(pn_table.stored_delta)
stored_length = called(pn_table.stored_length)
stored_phi = called(pn_table.stored_phi)
stored_work = called(pn_table.stored_work)


def keep(table, key, phi=1, delta=1, work=1, best=0, length=0):
    store(table, *(np.int64(value) for value in (key, phi, delta, best, length, work)))


@given(KEYS, NUMBER, NUMBER, st.integers(0, CELLS - 1), st.integers(0, 250), st.integers(1, 1 << 62))
def test_what_is_kept_is_found(key, phi, delta, best, length, work):
    table = new_pn_table(1)
    keep(table, key, phi, delta, work, best, length)
    data = probe(table, np.int64(key))
    assert stored_phi(data) == phi
    assert stored_delta(data) == delta
    assert stored_cell(data) == best
    assert stored_length(data) in (length, length + 1)
    assert stored_work(data) <= work < 2 * stored_work(data)


@given(KEYS, KEYS)
def test_nothing_else_is_found(key, other):
    table = new_pn_table(1)
    keep(table, key)
    assert (probe(table, np.int64(other)) != 0) == (key == other)


def test_where_a_bucket_is_full_the_cheapest_gives_way():
    table = np.zeros((BUCKET, 2), np.int64)
    scratch_ref = (8, 64, 1, 1024)
    for number, work in enumerate(scratch_ref):
        keep(table, number + 1, work=work)
    keep(table, 9, work=16)
    assert [bool(probe(table, np.int64(key))) for key in (1, 2, 3, 4, 9)] == [
        *(True, True, False, True, True)
    ]
    keep(table, 4, phi=7)
    assert stored_phi(probe(table, np.int64(4))) == 7
    assert probe(table, np.int64(2)) != 0


def test_the_memory_is_bounded():
    for megabytes in (1, 3, 64):
        assert new_pn_table(megabytes).nbytes <= megabytes << 20 < 2 * new_pn_table(megabytes).nbytes + 1


def test_the_key_after_a_move_is_that_of_the_position():
    board = Board.from_moves("h8i9")
    state, tables = position_of(board)
    for attacker in (0, 1):
        before = pn_key(state[0], attacker)
        after = pn_key_after(state[0], attacker, cell(board, board.point("g7")))
        later = state.copy()
        make(later, tables, cell(board, board.point("g7")))
        assert after == pn_key(later[0], attacker) != before
