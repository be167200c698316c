from __future__ import annotations

from tengen.game.board import Board
from tengen.game.points import BLACK, WHITE
from tengen.schemas.board import FoulData, OutcomeData, SetupData, fouls_of, played_stones, setup_stones
from tengen.schemas.points import named, point_names

DOUBLE_THREE = "f8i10g8j7h7e9h6g5"


def test_a_set_up():
    board = Board.from_stones(black=["a1"], white=["b2", "c3"], turn=WHITE, rules="tictactoe")
    assert SetupData.of(board).to_dict() == {"black": ["a1"], "white": ["b2", "c3"], "turn": "white"}
    assert setup_stones(board, point_names(board.rules)) == (
        ("a1", "black"),
        ("b2", "white"),
        ("c3", "white"),
    )
    assert setup_stones(None, point_names(board.rules)) == ()


def test_stones_in_the_order_of_play():
    board = Board.from_moves("h8i9g7")
    names = point_names(board.rules)
    assert played_stones(board.moves, BLACK, names) == (("h8", "black"), ("i9", "white"), ("g7", "black"))
    assert played_stones((*board.moves, -1, 0), WHITE, names)[2:] == (("g7", "white"), ("a1", "white"))


def test_fouls_and_a_game_lost_by_one():
    board = Board.from_moves(DOUBLE_THREE, rules="renju")
    lines = [["f8", "g8", "h8"], ["h6", "h7", "h8"]]
    assert {name: foul.to_dict() for name, foul in fouls_of(board).items()} == {
        "h8": {"kind": "double-three", "lines": lines}
    }
    assert fouls_of(Board.from_moves("h8")) == {}
    lost = Board.from_moves(DOUBLE_THREE + "h8", rules=type(board.rules).named("renju", fouls="loses"))
    outcome = lost.outcome()
    assert outcome is not None
    assert OutcomeData.of(lost.rules, outcome).to_dict() == {
        "winner": "white",
        "reason": "foul",
        "line": [],
        "foul": {"kind": "double-three", "lines": lines},
    }


def test_a_draw_has_no_winner():
    board = Board.from_moves("a1b1c1b2a2c2b3a3c3", rules="tictactoe")
    outcome = board.outcome()
    assert outcome is not None
    told = OutcomeData.of(board.rules, outcome)
    assert (told.winner, told.reason, told.line, told.foul) == (None, "full", (), None)


def test_names_of_points():
    rules = Board(rules="tictactoe").rules
    assert named(rules, (0, 8, -1)) == ("a1", "c3", "--")
    assert FoulData(kind="overline", lines=(("a1",),)).to_dict() == {"kind": "overline", "lines": [["a1"]]}
