"""The points where a side completes a five."""

from __future__ import annotations

from tengen import BLACK, WHITE, Board, Rules
from tengen.game.fives import fives


def names(board: Board, colour: int) -> list[str]:
    """The names of a side's fives."""
    return [board.name(point) for point in fives(board, colour)]


def test_both_ends_of_four_stones_whoever_is_to_move():
    board = Board.from_moves("h8a1i8a2j8a3k8")
    assert names(board, BLACK) == ["g8", "l8"]
    assert names(board, WHITE) == []


def test_an_overline_is_no_five_where_it_does_not_win():
    stones = ["c8", "e8", "f8", "g8", "h8"]
    for name, points in (("freestyle", ["d8", "i8"]), ("standard", ["i8"])):
        board = Board.from_stones(black=stones, white=[], turn=BLACK, rules=Rules.named(name))
        assert names(board, BLACK) == points
