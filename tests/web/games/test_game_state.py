from __future__ import annotations

import json
from typing import Any

from tengen.game.board import Board
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.web.computing.spec_policy import SpecPlayer
from tengen.web.games.game import BOTH, Game, Presence, Settings
from tengen.web.games.game_state import game_state
from tengen.words import Message


class Clock:
    """A time that goes on when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(session: Session, presence: Presence | None = None, **settings: Any) -> dict[str, Any]:
    """The state as it arrives in the browser."""
    game = Game("game", session, Settings(**settings), created=10.0, updated=20.0)
    for who in BOTH:
        game.give(who, "m" * 22)
    game.presence = presence or Presence()
    state: dict[str, Any] = json.loads(game_state(game).to_json())
    return state


def test_a_new_game() -> None:
    state = told(Session("freestyle"))
    beside = ("rules_name", "has_fouls", "opening_names", "fouls_mode")
    rest = {name: value for name, value in state.items() if name not in beside}
    assert rest | {"rules": None, "seats": None} == {
        "id": "game",
        "version": 1,
        "rules": None,
        "opening_rule": None,
        "take_backs_each": 5,
        "undoable": False,
        "setup": None,
        "moves": [],
        "ply": 0,
        "turn": "black",
        "stones": [],
        "numbered_from": 0,
        "last": None,
        "outcome": None,
        "fouls": {},
        "claimable": False,
        "offered": [],
        "opening": None,
        "seats": None,
        "actor": 1,
        "take_backs": {"black": 5, "white": 5},
        "control": None,
        "request": None,
        "paused": False,
        "preparing": False,
        "pace": 0.0,
        "thinking": False,
        "events": 0,
        "created": 10.0,
        "updated": 20.0,
        "watchers": 0,
        "again": None,
        "rematch": None,
        "rated": None,
        "tournament": None,
        "begun": False,
        "unaided": False,
        "notice": None,
    }
    assert state["rules_name"] == "freestyle"
    assert state["rules"]["width"] == 15
    assert state["has_fouls"] is False
    assert "swap2" in state["opening_names"]
    assert state["seats"][1] == {
        "participant": 2,
        "colour": "white",
        "occupant": "human",
        "name": None,
        "rating": None,
        "take_backs": 5,
        "clock": None,
        "open": False,
        "connected": False,
    }


def test_moves_stones_and_the_end() -> None:
    session = Session("tictactoe")
    for move in ["b2", "a1", "b1", "a2", "b3"]:
        session.play(move)
    state = told(session)
    assert state["stones"][:2] == [["b2", "black"], ["a1", "white"]]
    assert state["last"] == "b3"
    assert state["outcome"] == {
        "winner": "black",
        "reason": "five",
        "line": ["b1", "b2", "b3"],
        "foul": None,
    }
    assert (state["turn"], state["actor"], state["thinking"]) == (None, None, False)


def test_a_set_up_position_comes_before_the_moves() -> None:
    start = Board.from_stones(["h8", "j8"], ["h9"], WHITE, "renju")
    session = Session(start.rules, start=start)
    session.play("a1")
    session.play("b1")
    state = told(session)
    assert state["setup"] == {"black": ["h8", "j8"], "white": ["h9"], "turn": "white"}
    assert state["stones"] == [
        ["h8", "black"],
        ["j8", "black"],
        ["h9", "white"],
        ["a1", "white"],
        ["b1", "black"],
    ]
    assert (state["numbered_from"], state["ply"]) == (3, 2)


def test_a_pass_is_a_move_and_no_stone() -> None:
    session = Session(Rules.named("renju", passing=True))
    for move in ("h8", "h9", "j8", "--", "a1"):
        session.play(move)
    state = told(session)
    assert state["moves"][-2:] == ["--", "a1"]
    assert state["stones"][-1] == ["a1", "black"]
    assert len(state["stones"]) == 4


def test_fouls_are_told_with_their_lines_while_black_is_to_move() -> None:
    board = Board.from_moves("h8a1h9a3g10a5f10a7", "renju")
    state = told(Session(board.rules, start=board))
    foul = board.foul("h10")
    assert foul is not None
    assert state["fouls"]["h10"]["kind"] == "double-three"
    assert {*map(tuple, state["fouls"]["h10"]["lines"])} == {
        tuple(board.name(point) for point in line) for line in foul.lines
    }
    assert {*state["fouls"]} == {board.name(point) for point in board.fouls()}
    board.push("o15")
    assert told(Session(board.rules, start=board))["fouls"] == {}


def test_a_claim_is_possible_until_the_game_has_ended_otherwise() -> None:
    board = Board.from_moves("h8a1h9a3g10a5f10a7", Rules.named("renju", fouls="claimed"))
    session = Session(board.rules, start=board)
    session.play("h10")
    assert told(session)["claimable"]
    session.resign(by=1)
    assert not told(session)["claimable"]


def test_who_plays_a_person_has_to_see_a_foul_to_claim_it() -> None:
    moves = "h8a1h9a3g10a5f10a7"
    board = Board.from_moves(moves, Rules.named("renju", fouls="claimed"))
    session = Session(board.rules, start=board)
    assert "h10" in told(session)["fouls"]
    assert told(session, organiser="cup")["fouls"] == {}
    session.play("h10")
    assert not told(session, organiser="cup")["claimable"]
    session.claim()
    assert told(session)["outcome"]["reason"] == "foul"
    # Where a foul is forbidden, or loses, it belongs to the rules, and everybody is told.
    forbidden = Board.from_moves(moves, Rules.named("renju"))
    assert "h10" in told(Session(forbidden.rules, start=forbidden), organiser="cup")["fouls"]


def test_an_opening_says_what_it_asks() -> None:
    session = Session("renju", opening="yamaguchi")
    opening = told(session)["opening"]
    assert opening["name"] == "yamaguchi"
    assert (opening["decision"]["by"], opening["decision"]["kind"]) == (1, "place")
    assert opening["decision"]["points"] == ["h8"]
    for move in ("h8", "h9", "i9"):
        session.play(move)
    decision = told(session)["opening"]["decision"]
    assert decision["kind"] == "choice"
    assert decision["options"][1] == {
        "value": "2",
        "message": {"key": "opening.option.number", "values": {"number": 2}},
    }
    session.choose("2")
    session.choose("white")
    session.play("a1")
    session.play("b2")
    state = told(session)
    assert state["offered"] == ["b2"]
    assert [seat["colour"] for seat in state["seats"]] == ["black", "white"]
    assert state["opening"]["decision"]["kind"] == "offer"


def test_clocks_as_they_stand_now() -> None:
    now = Clock()
    session = Session("freestyle", clock="60+2x30", now=now)
    now.now = 10.0
    first, second = (seat["clock"] for seat in told(session)["seats"])
    assert first == {"left": 50.0, "periods": 2, "running": True}
    assert second == {"left": 60.0, "periods": 2, "running": False}
    now.now = 70.0
    assert told(session)["seats"][0]["clock"] == {"left": 20.0, "periods": 2, "running": True}
    session.pause()
    now.now = 500.0
    assert told(session)["seats"][0]["clock"] == {"left": 20.0, "periods": 2, "running": False}
    assert told(session)["control"] == "60+2x30"


def test_who_thinks_and_what_stands_round_the_game() -> None:
    session = Session("freestyle", black=SpecPlayer("level:4"))
    there = Presence(frozenset({1}), 3)
    notice = Message("web.live.compiling")
    state = told(session, there, open=2, pace=1.5, again="next", notice=notice)
    assert state["thinking"]
    assert state["seats"][0]["occupant"] == "level:4"
    assert [seat["open"] for seat in state["seats"]] == [False, True]
    assert [seat["connected"] for seat in state["seats"]] == [True, False]
    assert (state["watchers"], state["pace"], state["again"]) == (3, 1.5, "next")
    assert state["notice"] == {"key": "web.live.compiling", "values": {}}
    session.pause()
    state = told(session)
    assert (state["thinking"], state["paused"]) == (False, True)
    session.resume()
    assert told(session, stepping=True)["paused"]
    assert session.colour_of(1) == BLACK
