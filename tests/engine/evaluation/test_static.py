"""What a position is worth does not depend on how one looks at it, or how one came there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board
from tengen.engine.board.conversion import cell
from tengen.engine.board.position import look_up, make, unmake
from tengen.engine.evaluation.static import situation_of, static_score
from tengen.game.points import opponent
from tengen.game.symmetry import symmetries, transform
from tests.engine.games import NAMES, boards, state_of
from tests.engine.helpers import called


def score(board):
    """The static score of a position for the side to move."""
    state, tables = state_of(board)
    return called(static_score)(state[0], tables[0])


@given(boards())
def test_the_eight_symmetries(board):
    expected = score(board)
    assert {score(transform(board, symmetry)) for symmetry in symmetries(board.width, board.height)} == {
        expected
    }


@given(boards(names=("freestyle", "standard", "caro")))
def test_colours_are_alike_where_the_rules_are(board):
    swapped = Board.from_stones(board.stones(WHITE), board.stones(BLACK), opponent(board.turn), board.rules)
    assert score(swapped) == score(board)


@given(boards(), st.randoms(use_true_random=False))
def test_the_order_of_the_stones_does_not_matter(board, chance):
    state, tables = state_of(Board(board.rules))
    stones = [(colour, point) for colour in (BLACK, WHITE) for point in board.stones(colour)]
    chance.shuffle(stones)
    for colour, point in stones:
        state[0]["turn"] = colour - 1
        make(state, tables, cell(board, point))
    state[0]["turn"] = board.turn - 1
    assert called(static_score)(state[0], tables[0]) == score(board)


@given(boards())
def test_the_sum_kept_up_to_date_is_the_sum_found_anew(board):
    state, tables = state_of(board)
    anew = state.copy()
    look_up(anew, tables)
    assert state[0]["worth"] == anew[0]["worth"]
    for _ in range(len(board.stones(BLACK)) + len(board.stones(WHITE))):
        # A stone taken off leaves what was there before it.
        last = state[0]["moves"][state[0]["ply"] - 1]
        state[0]["turn"] = 2 - state[0]["cells"][last]
        unmake(state, tables)
    assert state[0]["worth"] == state_of(Board(board.rules))[0][0]["worth"]


@pytest.mark.parametrize("name", NAMES)
def test_who_is_better(name):
    """An open three, and the move, against stones that do nothing: the numbers have been learned."""
    stones = {"black": ["h8", "i8", "j8"], "white": ["a1", "c15", "o4"]}
    mine = Board.from_stones(**stones, turn=BLACK, rules=name)
    yours = Board.from_stones(**stones, turn=WHITE, rules=name)
    assert score(mine) > 100 > -100 > score(yours)


def test_the_situation_tells_whose_threat_it_is():
    board = Board.from_stones(black=["h8", "i8", "j8"], white=["a1", "c15", "o4"], turn=BLACK)
    quiet = Board.from_stones(black=["h8"], white=["a1", "c15", "o4"], turn=BLACK)
    seen = {}
    for turn in (BLACK, WHITE):
        state, _ = state_of(board)
        state[0]["turn"] = turn - 1
        seen[turn] = situation_of(state)
    assert seen[WHITE] > 0
    assert seen[BLACK] != seen[WHITE]
    assert situation_of(state_of(quiet)[0]) == 0
