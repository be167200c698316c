"""Somebody solves a puzzle: right moves are answered, wrong ones are told and not played."""

from __future__ import annotations

import pytest

from tengen import Board, IllegalMove, NotationError
from tengen.study.puzzle import KINDS, Puzzle, PuzzleReply, PuzzleTurn
from tengen.study.puzzle_attempt import PuzzleAttempt
from tengen.study.puzzle_set import select, shipped

WORDS = {"vcf": "win by fours", "vct": "win by threats", "defence": "stop the win by fours"}


def two_moves():
    """Black makes a four that is answered, and then another move, after which it is played out."""
    board = Board.from_moves("h8g8i8a1l8a3")
    k8, m9, last = board.point("k8"), board.point("m9"), PuzzleReply((13, 12), None)
    reply = PuzzleReply((board.point("j8"),), PuzzleTurn({m9: last}, (board.point("a15"),)))
    return Puzzle(board.rules, board.moves, "vcf", PuzzleTurn({k8: reply}, (board.point("o15"),)))


@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_solves_it_alone(kind):
    puzzle = next(select(shipped().values(), kind=kind))
    attempt = PuzzleAttempt(puzzle)
    assert WORDS[kind] in str(attempt.question)
    while not attempt.solved:
        right = puzzle_turn(attempt)
        assert attempt.play(min(right)) is None
    assert attempt.alone
    outcome = attempt.board.outcome()
    assert (outcome and outcome.winner) == (None if kind == "defence" else puzzle.solver)


def puzzle_turn(attempt):
    """The right moves now, found by trying all."""
    turn = attempt.puzzle.turn
    for point in attempt.board.moves[len(attempt.puzzle.moves) :: 2]:
        turn = turn.right[point].turn
    return turn.right


def test_a_right_move_is_answered():
    attempt = PuzzleAttempt(two_moves())
    assert attempt.play("k8") is None
    assert attempt.board.name(attempt.board.moves[-1]) == "j8"
    assert not attempt.solved


@pytest.mark.parametrize(
    ("kind", "point", "sentence"),
    [
        ("vcf", "o15", "o15 is a four, but after White's answer there is no win by fours."),
        ("vcf", "o14", "o14 does not make a four; every move must."),
        ("vct", "o15", "o15 is a threat, but after White's answer there is no win by threats."),
        ("vct", "o14", "o14 makes neither a four nor a three that White has to answer"),
        ("defence", "o15", "After o15, White still wins by fours."),
        ("defence", "o14", "After o14, White still wins by fours."),
    ],
)
def test_a_wrong_move_is_told_and_not_played(kind, point, sentence):
    one = two_moves()
    attempt = PuzzleAttempt(Puzzle(one.rules, one.moves, kind, one.turn))
    before = attempt.board.copy()
    assert str(attempt.play(point)).startswith(sentence)
    assert attempt.board == before
    assert not attempt.solved
    assert not attempt.alone


def test_a_move_that_leaves_a_five_to_the_other_side():
    board = Board.from_moves("h8a1i8a2o1a3j8a4")
    turn = PuzzleTurn({board.point("k8"): PuzzleReply((), None)}, ())
    attempt = PuzzleAttempt(Puzzle(board.rules, board.moves, "vcf", turn))
    assert str(attempt.play("o15")) == "After o15, White makes five at a5."


def test_what_cannot_be_played_changes_nothing():
    attempt = PuzzleAttempt(two_moves())
    before = attempt.board.copy()
    with pytest.raises(IllegalMove):
        attempt.play("h8")
    with pytest.raises(NotationError):
        attempt.play("8h")
    assert attempt.board == before
    assert attempt.alone


def test_help_is_help():
    for ask in (PuzzleAttempt.hint, PuzzleAttempt.moves_left, PuzzleAttempt.rest):
        attempt = PuzzleAttempt(two_moves())
        ask(attempt)
        assert not attempt.alone
    attempt = PuzzleAttempt(two_moves())
    assert attempt.moves_left() == 2
    assert attempt.board.name(attempt.hint()) == "k8"
    attempt.play("k8")
    assert attempt.moves_left() == 1
    assert attempt.rest()[1:] == (13, 12)
