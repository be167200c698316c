from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.board import Board
from tengen.game.course import Action, Course
from tengen.game.errors import (
    GameOver,
    IllegalMove,
    NotAllowed,
    NotationError,
    Occupied,
    RulesError,
    TengenError,
)
from tengen.game.opening_rules import FIRST, SECOND, Decision, Opening
from tengen.game.player import Score
from tengen.game.points import PASS, WHITE
from tengen.game.rules import Rules
from tests.strategies import boards

TICTACTOE = Rules.named("tictactoe")
CLAIMED = Rules.named("renju", fouls="claimed")
DOUBLE_THREE = "g8 a1 i8 a3 h7 a5 h9 a7 h8"


def course(rules: Rules | str = "freestyle", opening: str | None = None, moves: str = "") -> Course:
    made = Course(Board(rules), opening)
    for move in moves.split():
        made.play(move)
    return made


def asked(course: Course) -> Decision:
    assert course.decision is not None
    return course.decision


def seen(course: Course) -> dict[str, Any]:
    """All that a course remembers and what follows from it."""
    return course.to_dict() | {
        "board": course.board.copy(),
        "moves": course.board.moves,
        "decision": course.decision,
        "actor": course.actor,
        "colours": [course.colour_of(participant) for participant in (FIRST, SECOND)],
        "actions": course.actions.copy(),
    }


@st.composite
def courses(draw: st.DrawFn) -> Course:
    """A course played at random, from any board or with an opening."""
    name = draw(st.sampled_from((None, None, "swap", "swap2", "pro", "rif", "yamaguchi", "taraguchi-10")))
    if name is None:
        made = Course(draw(boards()))
    else:
        made = Course(Board(Rules.named("renju", size=9, fouls="claimed")), name)
    for number in draw(st.lists(st.integers(0, 99), max_size=20)):
        decision = made.decision
        if decision is not None and decision.options:
            made.choose(decision.options[number % len(decision.options)], seconds=number / 8)
        elif points := decision.points if decision is not None else made.board.legal_points():
            made.play(points[number % len(points)], seconds=number / 8, score=Score(number))
    if made.board.claimable() and draw(st.booleans()):
        made.claim()
    return made


# Playing


def test_the_actions_are_the_course():
    made = course(TICTACTOE)
    action = made.play("b2", seconds=2.5, score=Score(7))
    assert action == Action("play", FIRST, 4, 2.5, placed=True, score=Score(7))
    assert made.play(0).by == SECOND
    assert [action.value for action in made.actions] == [4, 0]
    assert (made.actor, made.decision) == (FIRST, None)


def test_a_course_from_a_set_up_position():
    start = Board.from_stones(["a1"], ["b1"], WHITE, TICTACTOE)
    made = Course(start)
    start.push("c3")
    assert made.actor == SECOND
    assert made.play("b2").by == SECOND
    assert (made.start.ply, made.board.ply) == (0, 1)


def test_white_claims_a_foul():
    made = course(CLAIMED, moves=DOUBLE_THREE)
    assert made.claim() == Action("claim", SECOND, "")
    assert made.actor is None
    with pytest.raises(GameOver):
        made.claim()
    with pytest.raises(IllegalMove):
        course().claim()


@pytest.mark.parametrize("name", ["gambit", "Swap", "", 5])
def test_an_unknown_opening_is_refused(name):
    with pytest.raises(RulesError, match="is not an opening rule"):
        Course(Board(), name)


def test_an_opening_begins_on_the_empty_board():
    for start in (Board.from_moves("h8"), Board.from_stones([], [], WHITE)):
        with pytest.raises(RulesError, match="an opening rule starts from the empty board"):
            Course(start, "free")
    assert Course(Board.from_stones(), "free").actor == FIRST


@given(courses(), st.integers(-3, 99))
def test_a_refused_action_changes_nothing(made, number):
    before = seen(made)
    for attempt in (lambda: made.play(number), lambda: made.choose(str(number)), made.claim):
        try:
            attempt()
        except TengenError:
            assert seen(made) == before
        else:
            made.rewind(len(before["actions"]))
            assert seen(made) == before


# Going back


def test_the_last_play_of_anybody_or_of_one():
    made = course(opening="swap2")
    assert made.last_play() is None
    for move in ("h8", "i9", "j10"):
        made.play(move)
    made.choose("place")
    assert (made.last_play(), made.last_play(FIRST), made.last_play(SECOND)) == (2, 2, None)
    made.play("a1")
    assert (made.last_play(), made.last_play(FIRST), made.last_play(SECOND)) == (4, 2, 4)


@given(courses(), st.integers(0, 30))
def test_going_back_is_as_if_the_rest_had_never_been(made, length):
    twin = Course(made.start, made.opening_name)
    for action in made.actions[:length]:
        twin.take(action)
    made.rewind(length)
    assert seen(made) == seen(twin)


@given(courses())
def test_participants_and_colours_are_each_others_inverse(made):
    for participant in (FIRST, SECOND):
        assert made.player_of(made.colour_of(participant)) == participant
    assert made.colour_of(FIRST) != made.colour_of(SECOND)
    if made.opening is not None:
        replayed = Opening.replay(made.opening.name, made.start.rules, made.opening.history)
        assert made.colour_of(FIRST) == replayed.colour_of(FIRST)


# Written down


def test_a_course_is_written_with_names_of_points():
    start = Board.from_stones(["a1"], ["b1"], WHITE, TICTACTOE)
    start.push("c1")
    made = Course(start)
    made.play("b2", seconds=1.5, score=Score.win_in(3))
    made.play("a2")
    data = made.to_dict()
    start_data = {key: data["start"][key] for key in ("black", "white", "turn", "moves")}
    assert start_data == {"black": ["a1"], "white": ["b1"], "turn": WHITE, "moves": ["c1"]}
    assert data["actions"] == [
        {"kind": "play", "value": "b2", "seconds": 1.5, "score": [29997, 3]},
        {"kind": "play", "value": "a2", "seconds": 0.0},
    ]


def test_passes_choices_and_claims_are_written_too():
    made = course(Rules.named("tictactoe", passing=True), moves="a1 b1 c1 --")
    assert made.actions[-1].value == PASS
    assert made.to_dict()["actions"][-1]["value"] == "--"
    made = course(CLAIMED, moves=DOUBLE_THREE)
    made.claim()
    assert made.to_dict()["actions"][-1] == {"kind": "claim", "value": "", "seconds": 0.0}
    made = course(opening="swap", moves="h8 i9 j10")
    made.choose("white")
    assert made.to_dict()["actions"][-1] == {"kind": "choose", "value": "white", "seconds": 0.0}


@given(courses())
def test_what_is_written_can_be_read(made):
    read = Course.from_dict(json.loads(json.dumps(made.to_dict())))
    assert seen(read) == seen(made)


def test_points_are_read_as_they_are_written_by_hand():
    data = course(TICTACTOE, moves="b2").to_dict()
    data["actions"][0]["value"] = " B2 "
    assert Course.from_dict(data).to_dict()["actions"][0]["value"] == "b2"


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("kind", "undo", NotationError),
        ("kind", "choose", NotAllowed),
        ("kind", "claim", IllegalMove),
        ("value", "??", NotationError),
        ("value", "b2", Occupied),
        ("value", 0, NotationError),
        ("seconds", "1", NotationError),
        ("seconds", -0.5, NotationError),
        ("seconds", float("inf"), NotationError),
        ("seconds", False, NotationError),
        ("score", [1.5, None], TypeError),
        ("score", [1, True], TypeError),
        ("score", [], TypeError),
        ("score", [None, None], (TypeError, ValueError)),
    ],
)
def test_what_cannot_be_an_action_is_refused(key, value, error):
    data = course(TICTACTOE, moves="b2 a1").to_dict()
    data["actions"][1][key] = value
    with pytest.raises(error):
        Course.from_dict(data)


@pytest.mark.parametrize("turn", [0, 3, 2.0, "2"])
def test_the_side_to_move_is_a_colour(turn):
    data = course(TICTACTOE).to_dict()
    data["start"]["turn"] = turn
    with pytest.raises((TypeError, ValueError)):
        Course.from_dict(data)
