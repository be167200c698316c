"""The rules of the scripts against those of Tengen."""

from __future__ import annotations

import pytest

from tengen import BLACK, Board, Rules
from tests.microbit.fake import Device
from tests.microbit.scenes import DRAWN, WORKED

RULES = Rules.named("tictactoe")
game = Device().load("game")


def point(cell):
    """A cell of the display, whose rows go down, as a point of the board, whose rows go up."""
    return (2 - cell // 3) * 3 + cell % 3


def test_lines_are_those_of_the_origin():
    """At x, y in {0, 2, 4}: columns 0, 1, 2, rows 3, 4, 5, x == y is 6, x + y == 4 is 7."""
    for x in (0, 2, 4):
        for y in (0, 2, 4):
            expected = {x // 2, 3 + y // 2} | ({6} if x == y else set()) | ({7} if x + y == 4 else set())
            assert set(game.LINES[y // 2 * 3 + x // 2]) == expected
    assert [len(lines) for lines in game.LINES] == [3, 2, 3, 2, 4, 2, 3, 2, 3]


def test_the_worked_example_of_the_origin():
    counters = [game.count(bytes(WORKED[:moves])) for moves in range(9)]
    assert counters[1] == [0, 1, 0, 0, 1, 0, 1, 1]
    assert counters[2] == [0, 1, -1, -1, 1, 0, 1, 0]
    assert [moves for moves in range(9) if 3 in map(abs, counters[moves])] == [8]
    assert counters[8][5] == -3
    assert game.result(bytes(WORKED)) == "B Win"
    assert game.result(bytes(DRAWN)) == "Draw Game"


def test_every_game_ends_as_on_the_board_of_tengen():
    """Every position that can occur: the same winner, the same draws, and no end before the end."""
    seen = set()
    ends = {"A Win": 0, "B Win": 0, "Draw Game": 0}

    def walk(board, moves):
        if board.position in seen:
            return
        seen.add(board.position)
        outcome = board.outcome()
        text = game.result(moves)
        if outcome is None:
            assert text == ""
            for cell in range(9):
                if cell not in moves:
                    board.push(point(cell))
                    walk(board, moves + bytes([cell]))
                    board.pop()
        else:
            winner = {None: "Draw Game", BLACK: "A Win"}.get(outcome.winner, "B Win")
            assert text == winner
            ends[text] += 1

    walk(Board(RULES), b"")
    assert len(seen) == 5478
    assert ends == {"A Win": 626, "B Win": 316, "Draw Game": 16}


@pytest.mark.parametrize("moves", [b"", bytes(WORKED)])
def test_counting_changes_nothing(moves):
    assert game.count(moves) == game.count(moves)
