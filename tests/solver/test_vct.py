"""Wins by continuous threats: they replay, and no defence escapes them."""

from __future__ import annotations

import threading

import pytest

import tengen
from tengen import BLACK, WHITE, Board, GameOver, Limit, RulesError
from tests.solver.test_vcf import replayed

THREE_THREE = "h8a1i9a15i7o1h7g10"
"""Black to move, with a double-three and more at hand, and no win by fours alone."""

COUNTER_THREE = "f8h5g8h6f10h7g9a1"
"""Black to move against White's open three: h8 stops it, and makes one of his own."""


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("freestyle", THREE_THREE),
        ("standard", "h8h9i9g7j10g10o1"),
        ("renju", "h8h9i8g8j6j9i9o15"),
        ("freestyle", COUNTER_THREE),
        ("standard", COUNTER_THREE),
        ("renju", "h5f8h6g8h7f10a1g9o15"),
    ],
)
def test_no_defence_escapes(rules: str, moves: str) -> None:
    """After the first move any reply there is loses, too, and the line shown is one that is played."""
    board = Board.from_moves(moves, rules)
    attacker = board.turn
    found = tengen.solve_vct(board)
    assert found.winner == attacker
    assert found.proven
    assert found.length == len(found.line)
    assert tengen.solve_vcf(board).winner is None
    outcome = replayed(board, found.line).outcome()
    assert outcome is not None
    assert outcome.winner == attacker
    after = replayed(board, found.line[:1])
    for reply in after.legal_points():
        answer = replayed(after, [reply])
        assert tengen.solve_vct(answer, Limit(nodes=1_000_000)).winner == attacker, board.name(reply)


def test_an_open_three_that_stops_the_enemys_is_quick_enough():
    """Once only fours were tried against an open three."""
    board = Board.from_moves(COUNTER_THREE)
    found = tengen.solve_vct(board)
    assert board.name(found.line[0]) == "h8"


@pytest.mark.parametrize(("white", "winner"), [(["k4", "k5", "k6"], None), (["k4", "k5", "o1"], BLACK)])
def test_an_open_three_that_stops_nothing_is_too_slow(white: list[str], winner: int | None) -> None:
    """Two open threes at once at g12, which White is given no time for by three stones in a row."""
    board = Board.from_stones(["e12", "f12", "g11", "g10"], [*white, "a1"])
    assert tengen.solve_vct(board).winner == winner


def test_a_win_by_fours_is_one_by_threats():
    board = Board.from_moves("h8a1i8a3j8a5")
    found = tengen.solve_vct(board)
    assert (found.winner, found.fours, found.length) == (BLACK, 1, 3)


def test_what_is_not_found_is_not_proven():
    found = tengen.solve_vct(Board.from_moves("h8a1i8a15"))
    assert (found.winner, found.proven, found.line) == (None, False, ())


def test_the_fours_of_the_line_are_counted():
    board = Board.from_moves(THREE_THREE)
    found = tengen.solve_vct(board)
    fours = 0
    for number in range(0, found.length - 1, 2):
        after = replayed(board, found.line[: number + 1])
        fives = [point for point in after.legal_points() if replayed_as(after, BLACK, point)]
        fours += bool(fives)
    assert found.fours == fours


def replayed_as(board: Board, colour: int, point: int) -> bool:
    """Whether a stone of that colour there would win, whoever is to move."""
    stones = {each: [board.name(one) for one in board.stones(each)] for each in (BLACK, WHITE)}
    stones[colour].append(board.name(point))
    outcome = Board.from_stones(stones[BLACK], stones[WHITE], rules=board.rules).outcome()
    return outcome is not None and outcome.winner == colour


def test_limits():
    board = Board.from_moves("h8h9i8g8j6j9", "renju")
    assert tengen.solve_vct(board, Limit(nodes=1000)).winner is None
    assert tengen.solve_vct(board, Limit(nodes=1000)).nodes <= 1200
    slow = tengen.solve_vct(board, Limit(seconds=0.2))
    assert slow.winner is None
    stop = threading.Event()
    stop.set()
    assert tengen.solve_vct(board, stop=stop).winner is None
    win = Board.from_moves(THREE_THREE)
    length = tengen.solve_vct(win).length
    assert tengen.solve_vct(win, Limit(depth=length)).winner == BLACK
    assert tengen.solve_vct(win, Limit(depth=3)).winner is None


def test_caro_knows_fours_only():
    assert tengen.solve_vct(Board.from_moves(THREE_THREE, "caro")).winner is None


def test_what_cannot_be_solved():
    with pytest.raises(GameOver):
        tengen.solve_vct(Board.from_moves("h8a1i8a2j8a3k8a4l8"))
    with pytest.raises(RulesError):
        tengen.solve_vct(Board("tictactoe"))
