"""Potential and pairs prove only what a plain search finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numba import njit

from tengen.engine.kernels.jit import OPTIONS
from tengen.game.board import Board
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules
from tengen.game.symmetry import symmetries
from tengen.solver.exact.bounds import has_pairing, potential
from tengen.solver.exact.lines import as_bits, completions, least_image, new_game
from tests.solver.exact_oracle import ExactOracle


@njit(**OPTIONS)
def pairing(games, attacker, defender, stones):
    game = games[0]
    return has_pairing(game, attacker, defender, game.board & ~(attacker | defender), np.int64(stones))


@njit(**OPTIONS)
def summed(games, attacker, defender, stones):
    return potential(games[0], attacker, defender, np.int64(stones))


@njit(**OPTIONS)
def completing(games, own, enemy):
    return completions(games[0], own, games[0].board & ~(own | enemy))


@njit(**OPTIONS)
def least(games, first, second):
    return least_image(games[0], first, second)


@st.composite
def boards(draw):
    """Black has attacked, and is to move."""
    width, height, k = draw(
        st.sampled_from([(4, 4, 3), (4, 4, 4), (5, 4, 4), (6, 4, 4), (5, 5, 5), (7, 3, 3)])
    )
    stones = draw(st.permutations(range(width * height)))[draw(st.integers(4, 9)) :]
    black = draw(st.integers(len(stones) // 3, len(stones) // 2))
    board = Board.from_stones(stones[:black], stones[black:], BLACK, Rules.mnk(width, height, k))
    assume(board.outcome() is None)
    return board


def bits(board):
    return as_bits(board.stones(BLACK)), as_bits(board.stones(WHITE))


def game_of(board):
    return new_game(board.width, board.height, board.rules.k)


@pytest.mark.long
@settings(max_examples=100)
@given(boards())
def test_what_holds_is_not_won(board):
    games, (black, white) = game_of(board), bits(board)
    assume(not completing(games, black, white))
    total, most, left_out = summed(games, black, white, 64)
    assert not left_out
    if pairing(games, black, white, 64) or most < 0:
        assert ExactOracle().value(board)[0] <= 0
    if total < 1 << board.rules.k:
        turned = Board.from_stones(board.stones(BLACK), board.stones(WHITE), WHITE, board.rules)
        if turned.outcome() is None:
            assert ExactOracle().value(turned)[0] >= 0


def test_pairs_hold_five_by_five():
    """Hales and Jewett's example: the second player of (5,5,5) has pairs from the beginning."""
    assert pairing(new_game(5, 5, 5), 0, 0, 64)
    assert not pairing(new_game(4, 4, 4), 0, 0, 64)
    # Lines side by side in a row share a pair.
    assert pairing(new_game(9, 1, 5), 0, 0, 64)
    assert pairing(new_game(8, 4, 5), 0, 0, 64)
    # With two stones more no line of five can be made.
    assert pairing(new_game(6, 6, 5), 0, 0, 2)


def test_the_potential_is_that_of_the_open_lines():
    games = new_game(3, 3, 3)
    assert summed(games, 0, 0, 64) == (8, 0, False)
    assert summed(games, 1 << 4, 0, 64) == (4 * 1 + 4 * 2, 1, False)
    assert summed(games, 1 << 4, 1 << 0, 64) == (2 * 1 + 3 * 2, 1, False)
    assert summed(games, 1 << 4, 1 << 0, 2) == (3 * 2, 1, True)
    assert summed(games, 0, 0b001010100 | 1 << 0 | 1 << 8, 64)[1] == -1


@given(boards())
def test_completions_are_the_moves_that_win(board):
    games, (black, white) = game_of(board), bits(board)
    wins = []
    for point in board.legal_points():
        board.push(point)
        outcome = board.outcome()
        if outcome is not None and outcome.winner == BLACK:
            wins.append(point)
        board.pop()
    assert completing(games, black, white) == as_bits(wins)


@given(boards())
def test_symmetric_positions_have_one_least_image(board):
    games, (black, white) = game_of(board), bits(board)
    first, second, number = least(games, black, white)
    images = symmetries(board.width, board.height)
    for image in images:
        turned = [as_bits(image[point] for point in board.stones(side)) for side in (BLACK, WHITE)]
        assert least(games, *turned)[:2] == (first, second)
    assert first == as_bits(images[number][point] for point in board.stones(BLACK))
    assert second == as_bits(images[number][point] for point in board.stones(WHITE))


def test_a_board_of_sixty_four_points():
    """The last point is the highest bit."""
    games = new_game(8, 8, 5)
    assert int(games[0]["lines"]) == 96
    assert as_bits([63]) < 0
    own = as_bits([62, 61, 60, 59])
    assert completing(games, own, 0) == as_bits([63, 58])
    assert completing(games, as_bits([63, 54, 45, 36]), 0) == as_bits([27])
