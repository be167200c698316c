from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Outcome, Rules
from tengen.formats import describe
from tengen.game.opening_rules import NAMES, Opening
from tengen.words import LANGUAGES, say
from tests.positions import drawn
from tests.strategies import boards

FOUL = "f8i10g8j7h7e9h6g5"
"""After these moves h8 is a three-three."""


def test_a_colour():
    assert [say(describe.colour(colour), "zh") for colour in (BLACK, WHITE)] == ["黑", "白"]


def test_a_row_reads_along_the_line():
    board = Board()
    assert describe.row(board, tuple(map(board.point, ("f8", "g8", "h8")))) == "f8 g8 h8"
    assert describe.row(board, ()) == ""


def test_a_foul_with_its_lines():
    board = Board.from_moves(FOUL, "renju")
    found = board.foul("h8")
    assert found is not None
    point = board.point("h8")
    assert str(describe.foul(board, point, found)) == "h8: three-three, formed by f8 g8 h8, h6 h7 h8"
    forbidden = describe.foul(board, point, found, "describe.forbidden")
    assert str(forbidden) == "h8 is forbidden to Black: three-three, formed by f8 g8 h8, h6 h7 h8"
    assert say(forbidden, "zh") == "h8 是黑方的禁手：三三禁手，由 f8 g8 h8、h6 h7 h8 构成"


# -- the end of a game


def end_of(board: Board) -> str:
    result = board.outcome()
    assert result is not None
    return str(describe.outcome(board, result))


def test_a_win_names_its_row():
    board = Board.from_moves("a1b1a2b2a3", "tictactoe")
    assert end_of(board) == "Black wins: a1 a2 a3 in a row"


def test_a_win_by_two_rows_names_both():
    board, at = drawn("X . O\nX O O\np X X", "tictactoe")
    board.push(at["p"])
    assert end_of(board) == "Black wins: a1 b1 c1, a1 a2 a3 in a row"


def test_a_lost_foul_says_which_and_why():
    board = Board.from_moves(FOUL + "h8", Rules.named("renju", fouls="loses"))
    assert end_of(board) == "White wins: foul by Black, three-three: f8 g8 h8, h6 h7 h8"


def test_a_draw():
    assert end_of(Board.from_moves("b2a1a2c2b3b1c1a3c3", "tictactoe")) == "draw: the board is full"
    passed = Board.from_moves("a1 b2 c3 -- --", Rules.named("freestyle", passing=True))
    assert end_of(passed) == "draw: both sides passed"


@pytest.mark.parametrize(
    ("reason", "winner", "sentence"),
    [
        ("resigned", BLACK, "Black wins: White resigned"),
        ("time", WHITE, "White wins: Black ran out of time"),
        ("agreed", None, "draw by agreement"),
    ],
)
def test_ends_beside_the_board(reason, winner, sentence):
    assert str(describe.outcome(Board(), Outcome(winner, reason))) == sentence


@given(boards(), st.sampled_from(LANGUAGES))
def test_every_end_can_be_said_and_drawn(board, lang):
    result = board.outcome()
    if result is not None:
        sentence = say(describe.outcome(board, result), lang)
        assert sentence
        assert all(board.name(point) in sentence for line in result.lines for point in line)
    assert len(describe.drawing(board).splitlines()) == board.height + 1


# -- the board


def test_the_last_move_stands_in_brackets():
    assert describe.drawing(Board.from_moves("a1b2", "tictactoe")).splitlines() == [
        "3  . . .",
        "2  .[O].",
        "1  X . .",
        "   a b c",
    ]


def test_a_winning_row_is_starred():
    assert describe.drawing(Board.from_moves("a1b1a2b2a3", "tictactoe")).splitlines() == [
        "3 *X*. .",
        "2 *X*O .",
        "1 *X*O .",
        "   a b c",
    ]


def test_a_foul_that_lost_is_marked_with_its_lines():
    board = Board.from_moves(FOUL + "h8", Rules.named("renju", fouls="loses"))
    rows = describe.drawing(board).splitlines()
    assert rows[15 - 8] == " 8  . . . . .!X!X!X!. . . . . . ."
    assert rows[15 - 7] == " 7  . . . . . . .!X!. O . . . . ."
    assert rows[15 - 6] == " 6  . . . . . . .!X!. . . . . . ."
    assert rows[15 - 5] == " 5  . . . . . . O . . . . . . . ."


def test_signs_stand_in_place_of_points():
    board = Board.from_moves(FOUL, "renju")
    rows = describe.drawing(board, {board.point("h8"): "!"}).splitlines()
    assert rows[15 - 8] == " 8  . . . . . X X ! . . . . . . ."


# -- what an opening asks


def asked(opening: Opening, lang: str = "en") -> str:
    assert opening.decision is not None
    return say(describe.question(opening.board, opening.decision), lang)


def test_where_a_stone_may_go_is_said_in_points():
    opening = Opening("rif", "renju")
    assert asked(opening) == "place stone 1 (Black) on the centre (h8)"
    opening.answer("h8")
    assert asked(opening) == "place stone 2 (White) inside the central 3x3 (g7 to i9)"
    assert asked(opening, "zh") == "请下第 2 手（白）：中央 3x3 以内（g7 到 i9）"
    opening.answer("h9")
    assert asked(opening) == "place stone 3 (Black) inside the central 5x5 (f6 to j10)"


def test_a_stone_anywhere_needs_no_points():
    assert asked(Opening("swap2")) == "place stone 1 (Black) anywhere"


def test_outside_the_centre_on_another_board():
    rules = Rules.named("freestyle", size=(19, 11))
    assert asked(Opening.replay("pro", rules, ("j6", "a1"))) == (
        "place stone 3 (Black) outside the central 5x5 (h4 to l8)"
    )


def test_a_choice_shows_what_to_type():
    opening = Opening.replay("swap2", "freestyle", ("h8", "i9", "j10"))
    assert asked(opening) == "choose: black/white/place"
    assert asked(opening, "zh") == "请选择：black/white/place"


def test_a_number_shows_how_many():
    opening = Opening.replay("yamaguchi", "renju", ("h8", "h9", "h10"))
    assert asked(opening) == "say how many fifth moves will be offered (1 to 10)"


def test_offers_and_the_selection():
    opening = Opening.replay("rif", "renju", ("h8", "h9", "h10", "white", "a1"))
    assert asked(opening) == "offer fifth move 1 of 2"
    opening.answer("a5")
    opening.answer("a6")
    assert asked(opening) == "choose one of the 2 fifth moves"


@given(st.sampled_from(NAMES), st.sampled_from(LANGUAGES), st.data())
def test_every_question_of_every_opening_can_be_said(name, lang, data):
    opening = Opening(name, "renju")
    while opening.decision is not None:
        decision = opening.decision
        sentence = asked(opening, lang)
        assert "{" not in sentence
        if decision.options and not decision.options[0].isdigit():
            assert all(option in sentence for option in decision.options)
        opening.answer(data.draw(st.sampled_from(decision.options or decision.points)))
