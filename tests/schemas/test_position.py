"""What is told of a position: stones, fouls, threats, whose turn it is and how it ended."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from tengen import BLACK, PASS, WHITE, Board
from tengen.schemas.position import PositionData, PositionRequest, read_rules
from tests.strategies import boards, rules


def described(**fields: object) -> dict[str, Any]:
    """What is told of a position that a client asks for."""
    position = PositionRequest.model_validate(fields)
    told: dict[str, Any] = json.loads(PositionData.of(position.board()).to_json())
    return told


def legal(board: Board) -> bool:
    return PositionData.of(board).legal


def test_what_is_told_of_a_position():
    told = described(rules="renju", moves="f8i10g8j7h7e9h6g5")
    assert told["rules_name"] == "renju"
    assert told["stones"][:2] == [["f8", "black"], ["i10", "white"]]
    assert (told["turn"], told["last"], told["ply"], told["outcome"]) == ("black", "g5", 8, None)
    foul = told["fouls"].pop("h8")
    assert told["fouls"] == {}
    assert foul == {"kind": "double-three", "lines": [["f8", "g8", "h8"], ["h6", "h7", "h8"]]}
    assert told["threats"] == {"black": [], "white": []}
    assert (told["setup"], told["numbered_from"], told["legal"]) == (None, 0, True)


def test_fouls_are_told_on_blacks_turn_only():
    told = described(rules="renju", moves="f8i10g8j7h7e9h6")
    assert (told["turn"], told["fouls"]) == ("white", {})


def test_a_set_up_position():
    setup = {"black": ["h8", "i8"], "white": ["g7"], "turn": "white"}
    told = described(setup=setup, moves="a1b1")
    assert told["setup"] == setup
    assert sorted(told["stones"][:3]) == [["g7", "white"], ["h8", "black"], ["i8", "black"]]
    assert told["stones"][3:] == [["a1", "white"], ["b1", "black"]]
    assert (told["numbered_from"], told["legal"]) == (3, True)


def test_a_won_game():
    told = described(moves="a1a2b1b2c1c2d1d2e1")
    line = ["a1", "b1", "c1", "d1", "e1"]
    assert told["outcome"] == {"winner": "black", "reason": "five", "line": line, "foul": None}
    assert told["turn"] is None
    assert told["threats"]["black"] == [{"kind": "five", "points": line, "gains": []}]


def test_whether_stones_can_have_come_legal():
    assert legal(Board())
    assert legal(Board.from_stones(["a1"], [], WHITE))
    assert not legal(Board.from_stones(["a1"], [], BLACK))
    assert not legal(Board.from_stones(["a1", "a2"], [], WHITE))


@given(boards())
def test_the_stones_told_are_those_on_the_board(board):
    told = json.loads(PositionData.of(board).to_json())
    colours = {"black": BLACK, "white": WHITE}
    found = {board.point(name): colours[colour] for name, colour in told["stones"]}
    assert len(found) == len(told["stones"])
    assert found == {p: stone for p, stone in enumerate(board.position) if stone}
    numbered = told["stones"][told["numbered_from"] :]
    assert [name for name, _ in numbered] == [board.name(p) for p in board.moves if p != PASS]


@given(rules())
def test_rules_told_can_be_sent_again(given_rules):
    assert read_rules(PositionData.of(Board(given_rules)).rules.to_dict()) == given_rules
