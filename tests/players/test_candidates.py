from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import PASS, Board, GameOver, Rules
from tengen.game.points import distance
from tengen.players.candidates import closeness, near, pick, playable
from tests.positions import drawn
from tests.strategies import boards

FORK = """
    . . . . . . .
    . . . . . . .
    . . X X f . .
    . . . . X . .
    . . . . X . .
    . . . . . . .
    O . O . O . O
"""


def names(board, points):
    return [board.name(point) for point in points]


def test_an_empty_board_has_its_centre_near():
    assert names(Board(), near(Board())) == ["h8"]
    even = Board(Rules.mnk(4, 4, 3))
    assert names(even, near(even)) == ["b2", "c2", "b3", "c3"]


def test_near_points_are_within_some_kings_moves_of_a_stone():
    board = Board.from_moves("a1")
    assert names(board, near(board, 1)) == ["b1", "a2", "b2"]
    assert names(board, near(board)) == ["b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


@pytest.mark.parametrize("fouls", ["forbidden", "loses", "claimed"])
def test_blacks_fouls_are_no_candidates_however_they_are_enforced(fouls):
    board, at = drawn(FORK, fouls=fouls)
    assert board.fouls()[at["f"]].kind == "double-three"
    assert at["f"] not in playable(board)
    assert at["f"] not in near(board)
    board.push("a7")
    assert at["f"] in playable(board)
    assert at["f"] in near(board)


LAST = """
    X X f X X X
"""


@pytest.mark.parametrize("fouls", ["loses", "claimed"])
def test_a_foul_is_played_where_nothing_else_is_left(fouls):
    board, at = drawn(LAST, fouls=fouls)
    assert playable(board) == near(board) == [at["f"]]
    passing, _ = drawn(LAST, fouls=fouls, passing=True)
    assert playable(passing) == near(passing) == []
    assert pick(passing, {}) == PASS


def test_the_heaviest_point_is_picked_then_the_closest_to_the_centre_then_by_seed():
    board = Board("tictactoe")
    assert pick(board, {0: 1.0, 1: 1.0, 4: 0.5}) == 1
    corners = dict.fromkeys((0, 2, 6, 8), 1.0)
    assert pick(board, corners) == 0
    assert {pick(board, corners, seed) for seed in range(40)} == {0, 2, 6, 8}
    assert pick(board, corners, 7) == pick(board.copy(), corners, 7)


def test_the_centre_is_where_the_distance_is_least():
    assert closeness(Board("tictactoe")) == (8, 4, 8, 4, 0, 4, 8, 4, 8)
    assert closeness(Board(Rules.mnk(4, 1, 3))) == (9, 1, 1, 9)


def test_there_is_nothing_to_pick_in_a_game_that_is_over():
    board = Board.from_moves("a1 a2 b1 b2 c1", rules="tictactoe")
    assert playable(board) == near(board) == []
    with pytest.raises(GameOver):
        pick(board, {})


@given(boards(), st.integers(0, 3))
def test_candidates_are_legal_and_near(board, reach):
    legal, safe, around = board.legal_points(), playable(board), near(board, reach)
    assert set(around) <= set(safe) <= set(legal)
    assert around == sorted(around)
    fouls = board.fouls() if board.turn == 1 else {}
    if any(point not in fouls for point in legal):
        assert not set(safe) & set(fouls)
    stones = board.stones(1) + board.stones(2)
    close = [p for p in safe if any(distance(p, stone, board.width) <= reach for stone in stones)]
    if close:
        assert around == close
    else:
        assert bool(around) == bool(safe)
        assert len(around) <= 4
