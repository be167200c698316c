"""Wins that leave Black nothing but fouls: draws where these are forbidden, and wins where they lose."""

from __future__ import annotations

import pytest

import tengen
from tengen import BLACK, WHITE, Board, Rules
from tests.solver.threats.test_vcf import replayed

pytestmark = pytest.mark.usefixtures("compiled")

DRAWN = "221212211110222102121211222212121111"
"""Stones row by row from the bottom, White to move: f2 makes a four, and leaves Black only a foul at e3."""

STOPPED = "112121100222211011222002221211112221"
"""Black to move: of four points that stop White's fours, e4 does so only because Black has no move left."""


def board_of(stones: str, turn: int, fouls: str = "forbidden") -> Board:
    """The board of one of these."""
    black, white = (
        [at for at, stone in enumerate(stones) if int(stone) == side] for side in (BLACK, WHITE)
    )
    return Board.from_stones(black, white, turn, Rules.named("renju", 6, fouls=fouls))


@pytest.mark.parametrize("threats", ["fours", "threes", "any"])
def test_a_draw_that_would_be_a_win(threats):
    board = board_of(DRAWN, WHITE)
    found = tengen.solve_vct(board, threats=threats)
    assert (found.winner, found.proven, found.line) == (None, True, ())
    assert [board.name(point) for point in found.if_fouls_lose] == ["f2", "e3"]
    drawn = replayed(board, found.if_fouls_lose[:1]).outcome()
    assert drawn is not None
    assert drawn.winner is None
    other = board_of(DRAWN, WHITE, "loses")
    won = tengen.solve_vct(other, threats=threats)
    assert (won.winner, won.line, won.if_fouls_lose) == (WHITE, found.if_fouls_lose, ())
    outcome = replayed(other, won.line).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (WHITE, "foul")


def test_it_is_said_only_where_it_decides():
    """Not of Black's attack, nor where White wins, nor where there is nothing to win by."""
    board = board_of(DRAWN, WHITE)
    assert tengen.solve_vct(board, colour=BLACK).if_fouls_lose == ()
    assert tengen.solve_vct(Board.from_moves("h8i9g7", "renju")).if_fouls_lose == ()
    stopped = board_of(STOPPED, BLACK)
    found = tengen.solve_vct(stopped, colour=WHITE)
    assert (found.winner, found.if_fouls_lose) == (WHITE, ())


def test_all_first_points():
    board = board_of(DRAWN, WHITE)
    found = tengen.winning_points(board, threats="fours")
    assert (found.points, found.proven) == ((), True)
    assert [board.name(point) for point in found.if_fouls_lose] == ["f2"]
    assert set(found.if_fouls_lose) <= set(found.fails)


def test_defences():
    board = board_of(STOPPED, BLACK)
    found = tengen.defences(board, threats="fours")
    assert [board.name(point) for point in found.stops] == ["c2", "d3", "d4", "e4"]
    assert [board.name(point) for point in found.if_fouls_lose] == ["e4"]
    other = tengen.defences(board_of(STOPPED, BLACK, "loses"), threats="fours")
    assert set(found.stops) - set(other.stops) == set(found.if_fouls_lose)
