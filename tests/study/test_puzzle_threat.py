"""The threat of a defence: a win by fours that every right move stops."""

from __future__ import annotations

import pytest

from tengen import Board
from tengen.game.points import opponent
from tengen.study.puzzle import Puzzle
from tengen.study.puzzle_set import shipped
from tengen.study.puzzle_threat import threat_of

DEFENCES = [puzzle for puzzle in shipped().values() if puzzle.kind == "defence"]


@pytest.mark.parametrize("puzzle", DEFENCES, ids=lambda puzzle: puzzle.name)
def test_the_other_side_would_have_won_so(puzzle: Puzzle):
    line, board = threat_of(puzzle), puzzle.board()
    attacker = opponent(puzzle.solver)
    stones = [board.stones(colour) for colour in (1, 2)]
    played = Board.from_stones(stones[0], stones[1], attacker, puzzle.rules)
    assert len(line) % 2 == 1
    for point in line:
        assert played.outcome() is None
        played.push(point)
    outcome = played.outcome()
    assert outcome is not None
    assert outcome.winner == attacker


def test_a_win_has_no_threat_to_stop():
    assert threat_of(next(puzzle for puzzle in shipped().values() if puzzle.kind != "defence")) == ()
