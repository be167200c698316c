from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import PASS, Board, GameOver, Limit
from tengen.players.random import Random, generator
from tests import strategies
from tests.positions import drawn, state


@given(strategies.boards(), st.none() | st.integers())
def test_it_plays_a_legal_move_and_leaves_the_board_alone(board, seed):
    before = state(board)
    player = Random(seed)
    if board.outcome() is None:
        choice = player.choose(board, Limit(seconds=0.001))
        assert board.is_legal(choice.point)
        assert (choice.point == PASS) == (not board.legal_points())
        assert choice.nodes == 1
        assert choice.seconds >= 0
        assert choice.score is None
    else:
        with pytest.raises(GameOver):
            player.choose(board)
    player.explain(board)
    assert state(board) == before


def test_the_name_is_the_spec():
    assert Random().name == "random"
    assert Random(7).name == "random,seed=7"
    assert Random(seed=-1).name == "random,seed=-1"


@given(strategies.boards().filter(lambda board: board.outcome() is None), st.integers())
def test_a_seed_makes_it_repeatable(board, seed):
    assert Random(seed).choose(board).point == Random(seed).choose(board.copy()).point


def play(player, rules):
    board = Board(rules)
    while board.outcome() is None:
        board.push(player.choose(board).point)
    return board


def test_a_saved_game_goes_on_as_it_would_have():
    whole = play(Random(7), "tictactoe")
    board = Board.from_moves(whole.moves[:4], "tictactoe")
    later = Random(7)
    while board.outcome() is None:
        board.push(later.choose(board).point)
    assert board.moves == whole.moves


def test_seeds_differ():
    first = {Random(seed).choose(Board("renju")).point for seed in range(40)}
    assert len(first) > 20


def test_numbers_depend_on_the_position():
    board = Board.from_moves("h8", "renju")
    assert generator(1, board).random() == generator(1, Board.from_moves("h8", "standard")).random()
    assert generator(1, board).random() != generator(1, Board.from_moves("h9", "renju")).random()
    assert generator(1, board).random() != generator(2, board).random()


def test_without_a_seed_every_point_has_the_same_chance():
    counts = Counter(Random().choose(Board("tictactoe")).point for _ in range(9_000))
    assert set(counts) == set(range(9))
    # Ten standard deviations of a binomial count: a fair player fails once in 10^22 runs.
    assert all(abs(count - 1_000) < 10 * math.sqrt(1_000 * 8 / 9) for count in counts.values())


def test_it_passes_only_where_nothing_else_is_legal():
    board, _ = drawn(
        """
        O X O X O X O
        X X X . X X X
        O X O X O X O
        X O X O X O X
        """,
        passing=True,
    )
    assert Random(1).choose(board).point == PASS
    assert Random(1).explain(board).weights == {}


def test_it_says_why():
    board = Board.from_moves("a1", "tictactoe")
    explanation = Random().explain(board)
    assert str(explanation.summary) == "every legal point is equally likely, 1 in 8"
    assert set(explanation.weights) == set(board.legal_points())
    assert math.isclose(sum(explanation.weights.values()), 1)


def test_nothing_can_be_weighed_after_the_end():
    board = Board.from_moves("a1a2b1b2c1", "tictactoe")
    with pytest.raises(GameOver, match="nothing to choose"):
        Random().choose(board)
    assert Random().explain(board).weights == {}
