"""Positions from a browser: what is understood, what is refused and how."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from tengen import Board, Rules
from tengen.schemas.board import SetupData
from tengen.schemas.position import PositionData, PositionRequest, read_rules
from tengen.web.transport.errors import WebError, WrongFields
from tengen.web.transport.request_bodies import read, read_message, validated
from tests.strategies import boards

POSITION = TypeAdapter(PositionRequest)


def sent(board: Board) -> dict[str, object]:
    """A board as a browser sends it."""
    return {
        "rules": board.rules.to_dict(),
        "setup": board.setup and SetupData.of(board.setup).to_dict(),
        "moves": list(map(board.name, board.moves)),
    }


def refused(**fields: object) -> str:
    """The sentence that says what is wrong with a position."""
    with pytest.raises(WrongFields) as caught:
        validated(read(PositionRequest, json.dumps(fields)).board)
    assert caught.value.status == 422
    return str(caught.value)


# -- what is understood


def test_moves_as_text_and_as_a_list():
    for moves in ("h8i9", "H8 i9", ["h8", "i9"]):
        board = PositionRequest.model_validate({"rules": "renju", "moves": moves}).board()
        assert board == Board.from_moves("h8i9", "renju")


def test_nothing_at_all_is_the_empty_board():
    assert PositionRequest().board() == Board("freestyle")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"rules": "renju", "size": 9}, Rules.named("renju", 9)),
        ({"rules": "caro", "size": [20, 15]}, Rules.named("caro", (20, 15))),
        ({"rules": "caro", "size": "20x15"}, Rules.named("caro", (20, 15))),
        ({"rules": {"k": 4}, "size": "6x7"}, Rules.mnk(6, 7, 4)),
        ({"rules": "mnk:9,8,4"}, Rules.mnk(9, 8, 4)),
        ({"rules": "renju", "fouls": "claimed"}, Rules.named("renju", fouls="claimed")),
        ({"rules": {"width": 7, "height": 6, "k": 4}}, Rules.mnk(7, 6, 4)),
        ({"rules": {"k": 4}, "size": 6}, Rules.mnk(6, 6, 4)),
    ],
)
def test_rules(fields, expected):
    assert read_message(POSITION, fields).board().rules == expected


def test_rules_as_a_state_tells_them():
    told = PositionData.of(Board(Rules.named("renju", 11, passing=True))).rules
    assert read_rules(told.to_dict()) == Rules.named("renju", 11, passing=True)


@given(boards())
def test_every_position_comes_back_as_it_was(board):
    again = read(PositionRequest, json.dumps(sent(board))).board()
    if not board.claimed:
        assert again == board
    assert (again.moves, again.setup, again.rules) == (board.moves, board.setup, board.rules)


def test_the_board_is_the_callers_own():
    position = PositionRequest(moves="h8")
    position.board().push("i9")
    assert position.board().ply == 1
    assert position.board().moves == Board.from_moves("h8").moves


# -- what is refused


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"moves": "h8h8"}, "h8 is occupied"),
        ({"moves": ["h8", "z99"]}, "z99 is off the 15x15 board"),
        ({"moves": "h8?"}, "?"),
        ({"moves": ["h"]}, "'h'"),
        ({"moves": 7}, "moves"),
        ({"moves": ["h8", 7]}, "moves"),
        ({"moves": ["h" * 50]}, "moves"),
        ({"rules": "go"}, "go"),
        ({"rules": "mnk:0,3,3"}, "columns"),
        ({"rules": {"width": 15, "colour": "red"}}, "colour"),
        ({"rules": {"width": "15"}}, "width"),
        ({"rules": {"fouls": ["loses"]}}, "fouls"),
        ({"size": 51}, "50"),
        ({"size": True}, "size"),
        ({"size": [15]}, "size"),
        ({"size": "15x"}, "is not a board size"),
        ({"size": 1.5}, "size"),
        ({"fouls": "never"}, "fouls"),
        ({"setup": {"black": ["h8"], "white": ["h8"]}}, "h8 is occupied"),
        ({"setup": {"black": ["--"]}}, "pass"),
        ({"setup": {"turn": "red"}}, "setup.turn"),
        ({"setup": []}, "setup"),
        ({"rules": "renju", "moves": "f8i10g8j7h7e9h6g5h8"}, "h8 is forbidden to Black: three-three"),
        ({"moves": "a1a2b1b2c1c2d1d2e1h8"}, "the game is over"),
        ({"moves": "--"}, "pass"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_one_sentence_says_what_is_wrong(fields, expected):
    said = refused(**fields)
    assert expected in said
    assert "\n" not in said


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\udcff", "NaN,"])
def test_what_is_no_json(text):
    with pytest.raises(WebError) as caught:
        read(PositionRequest, text)
    assert caught.value.status == 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "rules": JSON | st.sampled_from(("renju", "tictactoe", "mnk:3,3,3")),
            "size": JSON | st.integers(1, 9),
            "fouls": JSON,
            "setup": JSON | st.fixed_dictionaries({}, optional={"black": JSON, "turn": JSON}),
            "moves": JSON | st.lists(st.sampled_from(("a1", "b2", "c3", "--"))),
        },
    )
)
def test_whatever_is_sent_there_is_a_board_or_wrong_fields(fields):
    board = None
    with suppress(WrongFields):
        board = validated(read_message(POSITION, fields).board)
    assert board is None or PositionData.of(board).ply == board.ply
