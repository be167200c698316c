"""Puzzles found in games: only what is proven, and has to be found."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from tengen import Board, Record, Rules
from tengen.study.puzzle import KINDS, Puzzle, PuzzleError, PuzzleTurn
from tengen.study.puzzle_finder import check, puzzle_at, puzzles_of
from tengen.study.puzzle_set import select, shipped

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_position_makes_its_puzzle(kind):
    puzzle = next(select(shipped().values(), kind=kind))
    assert puzzle_at(puzzle.board()) == puzzle


def test_a_puzzle_is_found_in_its_game():
    puzzle = next(select(shipped().values(), kind="vcf"))
    found = list(puzzles_of(Record.from_board(puzzle.board())))
    assert found
    for one in found:
        assert one.moves == puzzle.moves[: len(one.moves)]
        assert one.rules == puzzle.rules
    # Of each kind and for each colour the first: this one, or one before it.
    assert any((one.kind, one.solver) == (puzzle.kind, puzzle.solver) for one in found)
    assert len({(one.kind, one.solver) for one in found}) == len(found)


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("", "nothing to find"),
        ("h8i9", "nothing to find"),
        ("h8a1i8a15j8o1k8o15", "a five can be made"),
        ("h8a1i8a15j8o1k8", "a five has to be stopped"),
        ("h8a1i8a15j8o1", "an open three: one move wins, and four of them do"),
        ("h8a1i8a15j8", "an open three has to be stopped: that is no riddle"),
        ("h8a1i8a15j8o1k8o15l8", "the game is over"),
    ],
)
def test_positions_that_make_no_puzzle(moves, why):
    assert puzzle_at(Board.from_moves(moves)) is None, why


@pytest.mark.long
def test_the_board_stays_as_it_is():
    for kind in KINDS:
        board = next(select(shipped().values(), kind=kind)).board()
        before = board.copy()
        puzzle_at(board)
        assert board == before


def test_a_puzzle_that_says_something_else_is_told():
    puzzle = next(select(shipped().values(), kind="vcf"))
    point = next(iter(puzzle.turn.right))
    fewer = PuzzleTurn({point: puzzle.turn.right[point]}, ())
    for wrong in (replace(puzzle, turn=fewer), replace(puzzle, kind="vct")):
        with pytest.raises(PuzzleError, match="the solver finds moves other than those given"):
            check(wrong)
    nothing = Puzzle(puzzle.rules, puzzle.moves[:2], "vcf", puzzle.turn)
    with pytest.raises(PuzzleError):
        check(nothing)


def test_a_game_from_a_position_is_refused():
    board = Board.from_stones(black=["h8"], white=["i9"])
    with pytest.raises(PuzzleError, match="from a set-up position: expected one from the empty board"):
        next(puzzles_of(Record(setup=board)))


def test_a_position_that_was_set_up_is_refused():
    with pytest.raises(PuzzleError, match="from a set-up position"):
        puzzle_at(Board.from_stones(black=["h8"], white=["i9"]))


@pytest.mark.long
def test_fouls_are_forbidden_in_puzzles_whatever_becomes_of_them_in_the_game():
    puzzle = next(one for one in select(shipped().values(), kind="vcf") if one.rules.name == "renju")
    rules = replace(puzzle.rules, fouls="loses")
    found = list(puzzles_of(Record.from_board(Board.from_moves(puzzle.moves, rules))))
    assert found == list(puzzles_of(Record.from_board(puzzle.board())))
    with pytest.raises(PuzzleError, match="expected rules that forbid them"):
        puzzle_at(Board.from_moves(puzzle.moves, rules))
    # The game ends where a foul is played: nothing after it is looked at.
    foul = Board.from_moves("f8i10g8j7h7e9h6g5h8", replace(rules, fouls="claimed"))
    assert not list(puzzles_of(Record.from_board(foul)))


def test_it_can_be_stopped():
    stop = threading.Event()
    stop.set()
    puzzle = next(select(shipped().values(), kind="vcf"))
    assert not list(puzzles_of(Record.from_board(puzzle.board()), stop))


def test_rules_that_the_engine_does_not_play():
    board = Board.from_moves("a1b2", Rules.mnk(3, 3, 3))
    with pytest.raises(ValueError, match="engine"):
        puzzle_at(board)
