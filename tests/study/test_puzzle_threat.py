"""The threat of a defence: a win by fours that every right move stops."""

from __future__ import annotations

from tengen import Board
from tengen.game.points import opponent
from tengen.study.puzzle_set import shipped
from tengen.study.puzzle_threat import threat_of


def test_the_other_side_would_have_won_so():
    defences = [puzzle for puzzle in shipped().values() if puzzle.kind == "defence"]
    assert defences
    for puzzle in defences:
        line, board = threat_of(puzzle), puzzle.board()
        attacker = opponent(puzzle.solver)
        stones = [board.stones(colour) for colour in (1, 2)]
        played = Board.from_stones(stones[0], stones[1], attacker, puzzle.rules)
        assert len(line) % 2 == 1, puzzle.name
        for point in line:
            assert played.outcome() is None, puzzle.name
            played.push(point)
        outcome = played.outcome()
        assert outcome is not None, puzzle.name
        assert outcome.winner == attacker, puzzle.name


def test_a_win_has_no_threat_to_stop():
    assert threat_of(next(puzzle for puzzle in shipped().values() if puzzle.kind != "defence")) == ()
