"""Proof-number search leaves the position as it was and keeps to its limits; see `tests/solver`, too."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import Board
from tengen.engine.board.conversion import cell, point_of, position_of
from tengen.engine.board.position import make
from tengen.engine.threats.pn_search import PnSearch
from tengen.engine.threats.pn_table import new_pn_table
from tests.engine.games import after, boards, winner_of

SAME = ("ply", "turn", "hash", "changed", "lines", "cells", "patterns", "kinds", "counts", "rows", "worth")


@settings(max_examples=50)
@given(boards(most=30), st.integers(0, 3000), st.sampled_from((3, 9, 500)))
def test_the_position_is_as_before_and_a_win_is_one(board, nodes, plies):
    state, tables = position_of(board)
    state[0]["most_nodes"] = nodes
    before = state.copy()
    search = PnSearch(state, tables, new_pn_table(1), plies)
    wins = search.search()
    assert all((before[name] == state[name]).all() for name in SAME)
    assert state[0]["nodes"] <= nodes
    if wins is None:
        assert state[0]["ended"] or plies < 500
    if wins:
        line = [point_of(board, cell) for cell in search.line()]
        assert all((before[name] == state[name]).all() for name in SAME)
        assert len(line) <= plies
        assert winner_of(after(board, line)) == board.turn


@settings(max_examples=30)
@given(boards(most=30))
def test_broken_off_or_not_the_answers_agree(board):
    """A search that goes on knows what the one before it has found out."""
    state, tables = position_of(board)
    state[0]["most_nodes"] = 20_000
    whole = PnSearch(state, tables, new_pn_table(4), 500).search()
    if whole is None:
        return
    state, tables = position_of(board)
    search = PnSearch(state, tables, new_pn_table(4), 500)
    for nodes in range(10, 60_000, 500):
        state[0]["most_nodes"] = nodes
        part = search.search()
        assert part in (whole, None)
        if part is not None:
            return
    pytest.fail("it does not end")


def test_a_stop_ends_the_line_as_well():
    board = Board.from_moves("h8h9i8g8j6j9i9o15", "renju")
    state, tables = position_of(board)
    state[0]["most_nodes"] = 1_000_000
    search = PnSearch(state, tables, new_pn_table(4), 225)
    assert search.search()
    whole = search.line()
    state[0]["stop"] = 1
    assert search.search()
    assert search.line()[0] == whole[0]
    assert PnSearch(state, tables, new_pn_table(4), 225).search() is None


def test_the_attacker_goes_on_and_the_defender_answers():
    """After the search, in positions that were searched and in others."""
    board = Board.from_moves("h8h9i8g8j6j9i9o15", "renju")
    state, tables = position_of(board)
    state[0]["most_nodes"] = 1 << 62
    search = PnSearch(state, tables, new_pn_table(1))
    assert search.search()
    before = state.copy()
    attack = search.attack()
    assert all((before[name] == state[name]).all() for name in SAME)
    make(state, tables, attack[0])
    assert 0 < len(search.answers()) < 60
    far = cell(board, board.point("a2"))
    make(state, tables, far)
    line = [attack[0], far, *search.attack()]
    assert winner_of(after(board, [point_of(board, each) for each in line])) == board.turn
    state[0]["stop"] = 1
    assert search.attack() == ()
