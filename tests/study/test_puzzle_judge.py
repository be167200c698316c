"""Puzzles that ask for the move that one would play, and others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tengen import Board, Engine, Limit
from tengen.study.puzzle import KINDS, Puzzle, PuzzleReply, PuzzleTurn
from tengen.study.puzzle_judge import makes_sense
from tengen.study.puzzle_set import select, shipped

pytestmark = pytest.mark.usefixtures("compiled")

SOLVED = PuzzleReply((), None)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_those_that_come_with_tengen_make_sense(kind):
    engine = Engine()
    for puzzle in list(select(shipped().values(), kind=kind))[::12]:
        assert makes_sense(puzzle, engine), puzzle.name


def test_an_attack_beside_which_another_move_wins():
    puzzle = next(select(shipped().values(), kind="vcf"))
    right = next(iter(puzzle.turn.right))
    other = next(point for point in puzzle.board().legal_points() if point not in puzzle.turn.right)
    hidden = PuzzleTurn({other: SOLVED}, ())
    assert not makes_sense(replace(puzzle, turn=hidden), Engine())
    counted_wrong = PuzzleTurn({other: SOLVED}, (right,))
    assert not makes_sense(replace(puzzle, turn=counted_wrong), Engine(), Limit(nodes=5_000))


def test_a_defence_that_loses_all_the_same():
    board = Board.from_moves("h8a1i8a15j8o1h9o15i9")  # two open threes
    defence = PuzzleTurn(dict.fromkeys(board.legal_points(), SOLVED), ())
    assert not makes_sense(Puzzle(board.rules, board.moves, "defence", defence), Engine())


def test_a_defence_that_one_would_not_play():
    puzzle = next(select(shipped().values(), kind="defence"))
    other = next(point for point in puzzle.board().legal_points() if point not in puzzle.turn.right)
    assert not makes_sense(replace(puzzle, turn=PuzzleTurn({other: SOLVED}, ())), Engine())
