"""Boards after moves, moves taken back, and other rules."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

from tengen import BLACK, PASS, WHITE, Board, Rules
from tengen.protocol.boards import put, take_back, under
from tests.errors import key_of
from tests.strategies import boards

FOUL = Board.from_moves("h8a1i8a3g9a5g10a7", "renju")
"""Black, who is to move, would make a double three at g8."""


@given(boards())
def test_a_move_and_back(board):
    assume(board.outcome() is None and PASS not in board.moves)
    legal = [point for point in board.legal_points() if point != PASS]
    assume(legal)
    after = put(board, legal[0])
    assert after.moves == (*board.moves, legal[0])
    assert take_back(after, legal[0]) == board


def test_what_cannot_be_put():
    board = Board.from_moves("h8")
    assert key_of(put, board, 112) == "error.gomocup.occupied"
    won = Board.from_moves("a1a2b1b2c1c2d1d2e1")
    assert key_of(put, won, 112) == "error.gomocup.over"


def test_a_foul_is_let_stand():
    foul = next(iter(FOUL.fouls()))
    after = put(FOUL, foul)
    assert (after[foul], after.turn, after.moves) == (BLACK, WHITE, ())
    assert FOUL[foul] == 0


@pytest.mark.parametrize("name", ["freestyle", "standard", "caro"])
def test_the_same_stones_under_other_rules(name):
    rules = Rules.named(name)
    assert under(FOUL, rules).moves == FOUL.moves
    assert under(FOUL, FOUL.rules) is FOUL
    setup = Board.from_stones(["h8", "h9"], ["a1"], WHITE, "renju")
    changed = under(setup, rules)
    assert (changed.rules, changed.position, changed.turn) == (rules, setup.position, WHITE)


def test_stones_of_a_list_come_off_in_any_order():
    board = Board.from_moves("h8i9g7")
    assert key_of(take_back, board, 112) == "error.gomocup.take_back"
    after = take_back(board, 112, listed=3)
    assert (after[112], after.turn) == (0, BLACK)
    assert key_of(take_back, board, 0) == "error.gomocup.take_back.none"
