"""The table of proofs gives back what was put in, or nothing, and keeps what has cost most."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tengen import Board
from tengen.engine.board.conversion import cell, position_of
from tengen.engine.board.position import make
from tengen.engine.board.records import CELLS
from tengen.engine.threats import pn_table as proofs
from tengen.engine.threats.pn_table import BUCKET, NEVER, new_proof_table
from tests.engine.helpers import called

KEYS = st.integers(-(2**63), 2**63 - 1)
NUMBER = st.integers(0, NEVER)

keep_proof = called(proofs.keep_proof)
key_after = called(proofs.key_after)
proof_at = called(proofs.proof_at)
proof_key = called(proofs.proof_key)
stored_cell = called(proofs.stored_cell)
stored_delta = called(proofs.stored_delta)
stored_length = called(proofs.stored_length)
stored_phi = called(proofs.stored_phi)
stored_work = called(proofs.stored_work)


def keep(table, key, phi=1, delta=1, work=1, best=0, length=0):
    keep_proof(table, *(np.int64(value) for value in (key, phi, delta, best, length, work)))


@given(KEYS, NUMBER, NUMBER, st.integers(0, CELLS - 1), st.integers(0, 250), st.integers(1, 1 << 62))
def test_what_is_kept_is_found(key, phi, delta, best, length, work):
    table = new_proof_table(1)
    keep(table, key, phi, delta, work, best, length)
    data = proof_at(table, np.int64(key))
    assert stored_phi(data) == phi
    assert stored_delta(data) == delta
    assert stored_cell(data) == best
    assert stored_length(data) in (length, length + 1)
    assert stored_work(data) <= work < 2 * stored_work(data)


@given(KEYS, KEYS)
def test_nothing_else_is_found(key, other):
    table = new_proof_table(1)
    keep(table, key)
    assert (proof_at(table, np.int64(other)) != 0) == (key == other)


def test_where_a_bucket_is_full_the_cheapest_gives_way():
    table = np.zeros((BUCKET, 2), np.int64)
    scratch_ref = (8, 64, 1, 1024)
    for number, work in enumerate(scratch_ref):
        keep(table, number + 1, work=work)
    keep(table, 9, work=16)
    assert [bool(proof_at(table, np.int64(key))) for key in (1, 2, 3, 4, 9)] == [
        *(True, True, False, True, True)
    ]
    keep(table, 4, phi=7)
    assert stored_phi(proof_at(table, np.int64(4))) == 7
    assert proof_at(table, np.int64(2)) != 0


def test_the_memory_is_bounded():
    for megabytes in (1, 3, 64):
        assert (
            new_proof_table(megabytes).nbytes <= megabytes << 20 < 2 * new_proof_table(megabytes).nbytes + 1
        )


def test_the_key_after_a_move_is_that_of_the_position():
    board = Board.from_moves("h8i9")
    state, tables = position_of(board)
    for attacker in (0, 1):
        before = proof_key(state[0], attacker)
        after = key_after(state[0], attacker, cell(board, board.point("g7")))
        later = state.copy()
        make(later, tables, cell(board, board.point("g7")))
        assert after == proof_key(later[0], attacker) != before
