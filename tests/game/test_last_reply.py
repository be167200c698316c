"""The end of a winning line as a person would play it."""

from typing import get_args

import pytest

from tengen import BLACK, WHITE, Board, Limit, Rules, solve_vcf
from tengen.game.last_reply import with_block
from tengen.game.rules import Fouls


def ending(board: Board, line: str, attacker: int = BLACK) -> str:
    points = [board.point(name) for name in line.split()]
    return " ".join(map(board.name, with_block(board, points, attacker)))


@pytest.mark.parametrize(
    ("line", "better"),
    [
        ("h8 a1 i8", "h8 d8 i8"),
        ("h8 a1 d8", "h8 d8 i8"),
        ("h8 d8 i8", "h8 d8 i8"),  # a block already
        ("h8 i8 d8", "h8 i8 d8"),
        ("h8", "h8"),
        ("h8 a1", "h8 a1"),
        ("h8 a1 h9", "h8 a1 h9"),  # no five
    ],
)
def test_an_open_four_is_blocked_at_one_end(line: str, better: str) -> None:
    board = Board.from_moves("e8a15f8b15g8c14")
    assert ending(board, line) == better


def test_a_row_that_the_reply_closes_is_no_five() -> None:
    board = Board.from_moves("e8d8f8a15g8b15", rules="caro")
    assert ending(board, "h8 j8 i8") == "h8 j8 i8"
    assert ending(board, "h8 a1 i8") == "h8 h7 i8"


@pytest.mark.parametrize("fouls", get_args(Fouls))
def test_where_only_a_foul_would_block_the_reply_is_near(fouls: Fouls) -> None:
    """White has a four, and its only answer is an overline of Black's."""
    black, white = ["h5", "h6", "h7", "h9", "h10", "d8"], ["e8", "f8", "g8", "a1", "b3"]
    board = Board.from_stones(black, white, WHITE, Rules.named("renju", fouls=fouls))
    after = board.copy()
    after.push("i8")
    assert after.foul("h8") is not None
    line = ending(board, "i8 a15 h8", WHITE).split()
    reply = board.point(line[1])
    assert (line[0], line[2]) == ("i8", "h8")
    assert after.is_legal(reply)
    assert max(abs(reply % 15 - 7), abs(reply // 15 - 7)) == 1


@pytest.mark.parametrize("fouls", get_args(Fouls))
def test_no_reply_is_a_foul(fouls: Fouls) -> None:
    """White's four can be stopped only by a foul, and the nearest other point is a foul, too."""
    rules = Rules.named("renju", 8, fouls=fouls)
    board = Board.from_stones("a6 b5 d3 e2 f1 b3 a1 c5 f5 f7 e6", "d8 d7 d6 g6 h6 f6", WHITE, rules)
    after = board.copy()
    after.push("d4")
    assert {"c4", "d5"} <= set(map(after.name, after.fouls()))
    line = solve_vcf(board, colour=WHITE).line
    for point in line:
        board.push(point)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (WHITE, "five")


def test_the_attacker_need_not_be_to_move() -> None:
    board = Board.from_moves("e8a15f8b15g8")
    assert ending(board, "h8 a1 i8") == "h8 d8 i8"


@pytest.mark.parametrize("rules", ["freestyle", "renju"])
def test_wins_by_fours_end_so(rules: str) -> None:
    board = Board.from_moves("e8a15f8b15g8c14", rules=rules)
    solution = solve_vcf(board, Limit(nodes=1000))
    assert board.name(solution.line[1]) in ("d8", "h8", "i8", "e8", "j8", "c8")
    replayed = board.copy()
    for point in solution.line:
        replayed.push(point)
    outcome = replayed.outcome()
    assert outcome is not None
    assert outcome.winner == BLACK
