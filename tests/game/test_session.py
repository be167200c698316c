from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import pytest

import tengen
from tengen.game.board import Board, Outcome
from tengen.game.errors import (
    GameOver,
    IllegalMove,
    NotAllowed,
    RulesError,
    TengenError,
)
from tengen.game.opening_rules import FIRST, SECOND, Answer, Decision, Opening
from tengen.game.player import Choice, Explanation, Limit, Score
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN, Request
from tengen.words import Message

TICTACTOE = Rules.named("tictactoe")
CLAIMED = Rules.named("renju", fouls="claimed")

DOUBLE_THREE = "g8 a1 i8 a3 h7 a5 h9 a7 h8"
"""Black's last stone makes two threes."""

DEAD = "b2 a1 a2 c2 b3 b1 c1 a3"
"""Eight moves of tic-tac-toe after which no row of three is left for anybody; c3 is empty."""

RANDOM = tengen.player("random,seed=1")


class Watch:
    """A clock that stands still until it is told how long something takes."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def wait(self, seconds: float) -> None:
        self.seconds += seconds


class First:
    """Plays the first point it may, says that it likes it, and remembers how long it was given."""

    name = "py:tests.game.test_session:First"

    def __init__(self) -> None:
        self.given: list[tuple[Limit | None, threading.Event | None]] = []

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        self.given.append((limit, stop))
        return Choice(board.legal_points()[0], Score(10))

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        return Explanation(Message("explain.random", {"count": len(board.legal_points())}))


class Director(First):
    """Has opinions of its own about openings: it puts stones in the top row and takes the last option."""

    name = "py:tests.game.test_session:Director"

    def decide_opening(
        self, opening: Opening, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Answer:
        assert opening.decision is not None
        self.given.append((limit, stop))
        return (opening.decision.options or opening.decision.points)[-1]


def table(rules: Rules | str = "freestyle", *seats: Any, **options: Any) -> Session:
    """A session whose time stands still, unless it is given a watch."""
    return Session(rules, *seats, **({"now": Watch()} | options))


def play(session: Session, moves: str) -> Session:
    for move in moves.split():
        session.play(move)
    return session


def swapped(**options: Any) -> Session:
    """A game opened by swap, where the second participant has taken Black."""
    session = play(table(opening="swap", **options), "h8 i9 j10")
    session.choose("black")
    return session


def refused(
    session: Session,
    error: type[TengenError],
    sentence: str,
    call: Callable[..., object],
    *arguments: Any,
    **more: Any,
) -> None:
    """The call is refused with this sentence, and nothing at all has changed."""
    before = session.to_json()
    with pytest.raises(error) as caught:
        call(*arguments, **more)
    assert type(caught.value) is error
    assert str(caught.value) == sentence
    assert session.to_json() == before


def asked(session: Session) -> Decision:
    assert session.decision is not None
    return session.decision


def opening(session: Session) -> Opening:
    assert session.opening is not None
    return session.opening


def ended(session: Session) -> Outcome:
    assert session.result is not None
    return session.result


def moves(session: Session) -> str:
    return " ".join(session.board.name(point) for point in session.board.moves)


def kinds(session: Session) -> str:
    return " ".join(event.kind for event in session.events)


# Seats and moves


def test_two_humans_play_to_the_end():
    session = play(table(TICTACTOE), "b2 c3 b1")
    assert (session.actor, session.board.turn, session.result) == (SECOND, WHITE, None)
    play(session, "c1 b3")
    assert session.result == Outcome(BLACK, "five", (1, 4, 7), ((1, 4, 7),))
    assert (session.actor, session.decision) == (None, None)
    refused(session, GameOver, "the game is over", session.play, "a1")
    refused(session, GameOver, "the game is over", session.choose, "black")


def test_a_new_game_asks_nothing_of_the_caller():
    session = Session()
    assert session.rules == Rules.named("freestyle")
    assert (session.control, session.opening, session.request, session.paused) == (None, None, None, False)
    assert {participant: seat.name for participant, seat in session.seats.items()} == {1: HUMAN, 2: HUMAN}
    assert [seat.take_backs for seat in session.seats.values()] == [5, 5]
    assert (session.actions, session.events) == ((), ())


@pytest.mark.parametrize("move", ["h8", 112, "p1", 225, "8h", "--"])
def test_what_the_board_refuses_the_session_refuses_in_the_same_words(move):
    session = play(table(), "h8")
    with pytest.raises(TengenError) as caught:
        session.board.push(move)
    refused(session, type(caught.value), str(caught.value), session.play, move)


def test_who_plays_is_checked_where_the_caller_says_it():
    session = table()
    refused(session, NotAllowed, "it is not your turn", session.play, "h8", by=SECOND)
    session.play("h8", by=FIRST)
    refused(session, NotAllowed, "it is not your turn", session.play, "h9", by=FIRST)
    session.play("h9", by=SECOND)
    refused(session, NotAllowed, "there is nothing to choose now", session.choose, "black")


def test_the_board_that_is_given_out_is_a_copy():
    session = table()
    session.board.push("h8")
    assert session.board.ply == 0


def test_a_computer_thinks_and_then_plays():
    session = table(TICTACTOE, RANDOM, HUMAN)
    before = session.to_json()
    answer = session.think()
    assert session.to_json() == before
    session.apply(answer, by=FIRST)
    assert session.board.moves == (RANDOM.choose(Board(TICTACTOE)).point,)
    refused(session, NotAllowed, "a human is to move: there is no computer to ask", session.play_computer)


def test_two_computers_play_a_whole_game():
    session = table(TICTACTOE, RANDOM, First())
    while session.result is None:
        session.play_computer()
    assert session.board.outcome() == session.result
    refused(session, GameOver, "the game is over", session.think)
    refused(session, GameOver, "the game is over", session.hint)


def test_a_player_of_ones_own_is_asked_as_any_other():
    player, stop = First(), threading.Event()
    session = table(TICTACTOE, player, HUMAN)
    assert session.play_computer(Limit(nodes=5), stop) == Choice(0, Score(10))
    assert player.given == [(Limit(nodes=5), stop)]
    assert session.actions[0].score == Score(10), "how it rates the position is kept"
    session.play("b2", score=Score(-3))
    assert session.actions[1].score == Score(-3)


def test_a_game_may_begin_from_any_board():
    start = Board.from_stones(["a1", "a2"], ["b1"], WHITE, TICTACTOE)
    start.push("a3")
    session = table(start=start)
    start.push("c3")
    assert (session.rules, session.actor, moves(session)) == (TICTACTOE, FIRST, "a3")
    session.play("c3")
    assert [session.board.name(point) for point in session.board.stones(BLACK)] == ["a1", "a2", "c3"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"take_backs": -1}, "take-backs: -1 is out of range: expected 0 or more, or no limit"),
        ({"take_back_unit": "move"}, "take-backs: 'move' is not a unit: expected 'stone' or 'round'"),
        (
            {"rules": TICTACTOE, "opening": "swap"},
            "opening Swap needs five in a row, but k is 3",
        ),
        (
            {"opening": "free", "start": Board.from_moves("h8")},
            "an opening rule starts from the empty board",
        ),
    ],
)
def test_a_game_that_cannot_be_is_refused(options, sentence):
    with pytest.raises(RulesError) as caught:
        table(**options)
    assert str(caught.value) == sentence


def test_a_seat_is_for_a_human_or_a_player_not_for_the_name_of_one():
    with pytest.raises(TengenError):
        Session(black="random,seed=1")  # type: ignore[arg-type]
    session = table()
    with pytest.raises(TengenError):
        session.hand_over(FIRST, "random,seed=1")  # type: ignore[arg-type]
    assert session.seats[FIRST].occupant == HUMAN


def test_somebody_else_may_sit_down():
    session = table(TICTACTOE)
    session.hand_over(SECOND, RANDOM)
    assert session.occupant(WHITE) is RANDOM
    session.play("b2")
    session.play_computer()
    session.hand_over(SECOND, HUMAN)
    assert session.occupant(WHITE) == HUMAN
    assert [event.data for event in session.events if event.kind == "seat"] == [
        {"occupant": "random,seed=1"},
        {"occupant": "human"},
    ]


def test_sides_are_swapped_and_all_else_stays_with_the_seats():
    session = play(table(TICTACTOE, HUMAN, RANDOM, take_backs=1), "b2 a1")
    session.take_back()
    session.swap_sides()
    assert (session.occupant(BLACK), session.occupant(WHITE)) == (RANDOM, HUMAN)
    assert [seat.take_backs for seat in session.seats.values()] == [1, 0]
    assert session.take_backs == 1
    assert kinds(session) == "move move take_back seat seat"


# Taking back, stone by stone as in O5


def test_a_stone_is_taken_back_and_charged_to_the_side_that_just_moved():
    session = play(table(), "h8 i9 j10")
    session.take_back()
    assert moves(session) == "h8 i9"
    assert [seat.take_backs for seat in session.seats.values()] == [4, 5]
    session.take_back()
    assert moves(session) == "h8"
    assert [seat.take_backs for seat in session.seats.values()] == [4, 4]
    assert session.events[-1].by == SECOND
    assert session.events[-1].data == {"stones": 1, "left": 4}
    session.play("a1", by=SECOND)


def test_each_side_has_five():
    session = table()
    for _ in range(5):
        session.play("h8")
        session.take_back()
    session.play("h8")
    refused(session, NotAllowed, "no take-backs are left", session.take_back)
    session.play("i9")
    session.take_back()
    assert session.seats[SECOND].take_backs == 4


def test_without_a_stone_there_is_nothing_to_take_back():
    for unit in ("stone", "round"):
        session = table(take_back_unit=unit)
        refused(session, NotAllowed, "there is no stone to take back", session.take_back)
    session = table(start=Board.from_moves("h8i9"))
    refused(session, NotAllowed, "there is no stone to take back", session.take_back)


def test_take_backs_may_be_none_or_without_limit():
    session = play(table(take_backs=0), "h8")
    refused(session, NotAllowed, "no take-backs are left", session.take_back)
    session = table(take_backs=None)
    for _ in range(50):
        session.play("h8")
        session.take_back()
    assert session.seats[FIRST].take_backs is None
    assert session.events[-1].data == {"stones": 1, "left": None}


def test_only_the_side_that_just_moved_takes_its_stone_back():
    session = play(table(), "h8 i9")
    message = "the last stone is not yours to take back"
    refused(session, NotAllowed, message, session.take_back, by=FIRST)
    session.take_back(by=SECOND)
    assert moves(session) == "h8"


def test_a_game_decided_on_the_board_may_be_taken_back_and_goes_on():
    session = play(table(TICTACTOE), "b2 c3 b1 c1 b3")
    session.take_back()
    assert session.result is None
    assert session.events[-1].by == FIRST
    play(session, "a1 a2")
    assert kinds(session).endswith("end take_back move move")


def test_no_stone_is_taken_back_once_somebody_resigned_or_while_the_game_is_paused():
    session = play(table(), "h8")
    session.pause()
    refused(session, NotAllowed, "the game is paused", session.take_back)
    session.resume()
    session.resign()
    refused(session, NotAllowed, "the game is over: no stone can be taken back", session.take_back)


# Taking back a round


def test_against_a_computer_a_round_is_both_stones_and_charged_to_the_human():
    session = table(TICTACTOE, HUMAN, RANDOM, take_back_unit="round")
    for _ in range(2):
        session.play(session.board.legal_points()[0])
        session.play_computer()
    session.take_back()
    assert session.board.ply == 2
    assert session.actor == FIRST
    assert session.events[-1].data == {"stones": 2, "left": 4}
    assert [seat.take_backs for seat in session.seats.values()] == [4, 5]


def test_while_the_computer_is_to_move_a_round_is_one_stone():
    session = play(table(TICTACTOE, HUMAN, RANDOM, take_back_unit="round"), "b2")
    session.take_back()
    assert session.board.ply == 0
    assert session.events[-1].data == {"stones": 1, "left": 4}


def test_a_round_begins_with_a_stone_of_the_askers_own():
    session = table(TICTACTOE, RANDOM, HUMAN, take_back_unit="round")
    session.play_computer()
    refused(session, NotAllowed, "there is no stone to take back", session.take_back)


def test_between_humans_whoever_asks_takes_back_to_its_last_move():
    session = play(table(take_back_unit="round"), "h8 i9 j10")
    session.take_back(by=FIRST)
    assert moves(session) == "h8 i9"
    session.take_back(by=FIRST)
    assert moves(session) == ""
    play(session, "h8 i9 j10")
    session.take_back()
    assert moves(session) == "h8", "who is to move asks, if nobody says who"
    assert [seat.take_backs for seat in session.seats.values()] == [3, 4]


def test_once_a_game_between_two_of_a_kind_is_over_the_last_mover_takes_back():
    session = play(table(TICTACTOE, take_back_unit="round"), "b2 c3 b1 c1 b3")
    session.take_back()
    assert session.board.ply == 4
    assert session.events[-1].by == FIRST


# Consent


def test_a_human_opponent_may_be_asked_first():
    session = play(table(consent=True), "h8 i9")
    session.take_back()
    assert session.request == Request("take_back", SECOND)
    assert moves(session) == "h8 i9"
    refused(session, NotAllowed, "another request is still waiting for an answer", session.take_back)
    refused(
        session,
        NotAllowed,
        "that request is your own: the other side answers it",
        session.answer,
        True,
        by=SECOND,
    )
    session.answer(accept=True, by=FIRST)
    assert session.request is None
    assert moves(session) == "h8"
    assert [seat.take_backs for seat in session.seats.values()] == [5, 4]
    assert kinds(session) == "move move request take_back"


def test_a_take_back_may_be_declined_at_no_charge():
    session = play(table(consent=True), "h8")
    session.take_back()
    session.answer(accept=False)
    assert session.request is None
    assert moves(session) == "h8"
    assert session.seats[FIRST].take_backs == 5
    assert session.events[-1].by == SECOND
    assert session.events[-1].data == {"request": "take_back"}
    refused(session, NotAllowed, "there is no request to answer", session.answer, True)
    session.take_back()
    assert session.request is not None, "it may be asked again"


def test_a_request_for_a_take_back_lapses_when_the_other_plays():
    session = play(table(consent=True), "h8")
    session.take_back()
    session.play("i9")
    assert session.request is None
    refused(session, NotAllowed, "there is no request to answer", session.answer, True)


def test_nothing_is_asked_that_could_not_be_granted():
    session = play(table(consent=True, take_backs=0), "h8")
    refused(session, NotAllowed, "no take-backs are left", session.take_back)
    session = play(table(consent=True), "h8")
    session.take_back()
    session.pause()
    refused(session, NotAllowed, "the game is paused", session.answer, True)


def test_a_computer_is_not_asked():
    session = play(table(TICTACTOE, HUMAN, RANDOM, consent=True), "b2")
    session.take_back()
    assert session.board.ply == 0


# Openings


def test_an_opening_asks_for_points_and_choices():
    session = table(opening="swap")
    assert (asked(session).player, asked(session).kind) == (FIRST, "place")
    refused(session, NotAllowed, "there is nothing to choose now", session.choose, "black")
    play(session, "h8 i9 j10")
    assert asked(session).options == ("black", "white")
    assert session.actor == SECOND
    choice = "the opening asks for a choice: expected one of black, white"
    refused(session, NotAllowed, choice, session.play, "a1")
    refused(session, NotAllowed, "it is not your turn", session.choose, "black", by=FIRST)
    wrong = "'red' is not an option here: expected one of black, white"
    refused(session, NotAllowed, wrong, session.choose, "red")
    session.choose("black", by=SECOND)
    assert (session.decision, session.opening) == (None, None)
    assert (session.colour_of(SECOND), session.player_of(WHITE)) == (BLACK, FIRST)
    session.play("a1", by=FIRST)
    assert kinds(session) == "move move move choice move"


def test_the_opening_that_is_given_out_is_a_copy():
    session = table(opening="pro")
    opening(session).answer("h8")
    assert session.board.ply == 0
    centre = "a1 is not allowed: stone 1 goes on the centre"
    refused(session, IllegalMove, centre, session.play, "a1")


def test_a_take_back_reaches_across_a_choice_and_gives_the_colours_back():
    session = swapped()
    session.take_back()
    assert moves(session) == "h8 i9"
    assert [session.colour_of(participant) for participant in (FIRST, SECOND)] == [BLACK, WHITE]
    assert (asked(session).player, asked(session).kind, asked(session).number) == (FIRST, "place", 3)
    assert [seat.take_backs for seat in session.seats.values()] == [4, 5], "the first put that stone"
    session.play("a1")
    session.choose("white")
    assert session.colour_of(SECOND) == WHITE


def test_a_take_back_after_the_opening_leaves_the_colours_as_chosen():
    session = play(swapped(), "a1 b1")
    session.take_back()
    session.take_back()
    assert (session.decision, session.colour_of(SECOND), session.actor) == (None, BLACK, FIRST)
    assert [seat.take_backs for seat in session.seats.values()] == [4, 4], "each for its own stone"


def test_a_round_in_the_opening_goes_back_to_the_askers_own_stone():
    session = play(table(opening="swap2", take_back_unit="round"), "h8 i9 j10")
    session.choose("place")
    play(session, "a1 a2")
    session.choose("white")
    session.take_back(by=FIRST)
    assert (moves(session), asked(session).number) == ("h8 i9", 3)


def test_an_offered_move_is_taken_back_as_a_stone_is():
    session = play(table("renju", opening="rif"), "h8 h9 h10")
    session.choose("white")
    play(session, "a1 j7")
    assert [session.board.name(point) for point in opening(session).offered] == ["j7"]
    session.take_back()
    assert (opening(session).offered, asked(session).step) == ((), 1)
    assert session.events[-1].data == {"stones": 0, "left": 4}
    assert session.events[-2].data == {"point": "j7", "placed": False}
    play(session, "j7 k6 k6")
    assert moves(session) == "h8 h9 h10 a1 k6"


def test_a_computer_decides_openings_too():
    director = Director()
    session = table("renju", First(), director, opening="rif")
    while session.decision is not None:
        session.play_computer()
    assert session.board.ply == 5
    assert director.given, "it was asked in its own way"
    assert [action.value for action in session.actions if action.kind == "choose"] == ["white"]


# Hints


def test_a_hint_is_what_the_computer_at_the_table_would_play():
    session = table(TICTACTOE, HUMAN, First())
    before = session.to_json()
    assert session.hint() == Choice(0, Score(10))
    session.hint(adviser := First())
    assert len(adviser.given) == 1, "or whoever is asked"
    assert session.to_json() == before


def test_without_a_computer_somebody_must_be_asked_for_a_hint():
    session = table()
    refused(session, NotAllowed, "there is no computer to ask for a hint", session.hint)
    limit, stop, adviser = Limit(depth=1), threading.Event(), First()
    session.hint(adviser, limit, stop)
    assert adviser.given == [(limit, stop)]


def test_a_hint_for_a_choice_is_an_option():
    session = play(table(opening="swap2"), "h8 i9 j10")
    assert session.hint(First()) == "white", "who moves next, as First likes any position"
    assert session.hint(Director()) == "place"


# Resigning and draws


def test_whoever_is_to_move_resigns_if_nobody_says_who():
    session = play(table(), "h8")
    session.resign()
    assert session.result == Outcome(BLACK, "resigned")
    assert session.events[-1].data == {"winner": BLACK, "reason": "resigned"}
    for call in (session.resign, session.offer_draw, session.pause):
        refused(session, GameOver, "the game is over", call)


def test_the_only_human_resigns_whoever_is_to_move():
    session = table(TICTACTOE, RANDOM, HUMAN)
    session.resign()
    assert session.result == Outcome(BLACK, "resigned")
    session = table()
    session.resign(by=SECOND)
    assert session.result == Outcome(BLACK, "resigned")


def test_who_resigns_loses_with_the_colour_it_has_by_then():
    session = swapped()
    session.resign(by=SECOND)
    assert session.result == Outcome(WHITE, "resigned")


@pytest.mark.parametrize(
    ("end", "reason", "result"), [("abort", "aborted", None), ("end_abandoned", "abandoned", "draw")]
)
def test_a_game_that_somebody_has_left_is_ended_without_a_winner(end, reason, result):
    session = play(table(clock="300"), "h8")
    session.offer_draw(by=FIRST)
    getattr(session, end)(by=FIRST)
    assert session.result == Outcome(None, reason)
    assert session.request is None
    assert kinds(session) == "move request end"
    record = session.record()
    assert (record.headers.get("result"), record.headers["reason"]) == (result, reason)
    assert Session.from_json(session.to_json(), tengen.player).result == session.result
    for again in (session.abort, session.end_abandoned, session.resign, session.take_back):
        with pytest.raises((GameOver, NotAllowed)):
            again()


def test_a_draw_may_be_offered_and_accepted():
    session = play(table(), "h8")
    session.offer_draw(by=FIRST)
    assert session.request == Request("draw", FIRST)
    session.answer(accept=True, by=SECOND)
    assert session.result == Outcome(None, "agreed")
    assert session.request is None
    assert kinds(session) == "move request end"


def test_a_declined_draw_is_not_offered_again_in_the_same_position():
    session = play(table(), "h8")
    session.offer_draw()
    session.answer(accept=False)
    message = "that offer was declined: make a move before you offer again"
    refused(session, NotAllowed, message, session.offer_draw)
    with suppress(NotAllowed):
        session.offer_draw(by=FIRST)
        session.answer(accept=False)
    refused(session, NotAllowed, message, session.offer_draw, by=SECOND)
    session.play("i9")
    session.offer_draw(by=SECOND)
    assert session.request == Request("draw", SECOND)


def test_a_draw_offer_stands_until_the_other_side_has_moved():
    session = table()
    session.offer_draw()
    session.play("h8")
    assert session.request == Request("draw", FIRST), "offered with the move, as is usual"
    refused(session, NotAllowed, "another request is still waiting for an answer", session.offer_draw)
    session.play("i9")
    assert session.request is None


def test_a_take_back_withdraws_a_draw_offer_and_forgets_a_declined_one():
    session = play(table(), "h8")
    session.offer_draw()
    session.answer(accept=False)
    session.take_back()
    session.play("h8")
    session.offer_draw()
    session.take_back()
    assert session.request is None


def test_a_draw_offer_ends_with_the_game():
    session = play(table(TICTACTOE), "b2 c3 b1 c1")
    session.offer_draw(by=FIRST)
    session.play("b3")
    with pytest.raises(TengenError):
        session.answer(accept=True, by=SECOND)
    assert ended(session).winner == BLACK


def test_a_computer_agrees_to_a_draw_only_where_nobody_can_win():
    session = play(table(TICTACTOE, HUMAN, RANDOM), "b2 a1")
    session.offer_draw()
    assert (session.result, session.request) == (None, None)
    assert [(event.kind, event.by) for event in session.events[-2:]] == [("request", 1), ("decline", 2)]
    message = "that offer was declined: make a move before you offer again"
    refused(session, NotAllowed, message, session.offer_draw)
    session = play(table(TICTACTOE, HUMAN, RANDOM), DEAD)
    session.offer_draw()
    assert session.result == Outcome(None, "agreed")


# Foul claims


def test_white_claims_a_foul_in_time():
    session = play(table(CLAIMED), DOUBLE_THREE)
    refused(session, NotAllowed, "only White may claim a foul", session.claim, by=FIRST)
    foul = session.board.claimable()
    session.claim(by=SECOND)
    assert (ended(session).winner, ended(session).reason, ended(session).foul) == (WHITE, "foul", foul)
    assert kinds(session).endswith("move claim end")
    refused(session, GameOver, "the game is over: there is no foul left to claim", session.claim)


def test_a_foul_lapses_when_white_plays_on():
    session = play(table(CLAIMED), DOUBLE_THREE + " o15")
    refused(session, IllegalMove, "there is no foul to claim", session.claim)


def test_there_is_nothing_to_claim_under_other_rules_or_after_the_end():
    session = table()
    refused(session, IllegalMove, "fouls are not claimed under these rules", session.claim)
    session = play(table(CLAIMED), DOUBLE_THREE)
    session.resign(by=FIRST)
    refused(session, GameOver, "the game is over: there is no foul left to claim", session.claim)


def test_white_is_whoever_plays_white_after_a_swap():
    session = play(table(CLAIMED, opening="swap"), "g8 a1 i8")
    session.choose("black")
    play(session, "a3 h7 a5 h9 a7 h8")
    refused(session, NotAllowed, "only White may claim a foul", session.claim, by=SECOND)
    session.claim(by=FIRST)
    assert session.events[-2].by == FIRST
    assert ended(session).winner == WHITE


def test_the_foul_stone_may_be_taken_back_with_the_claim():
    session = play(table(CLAIMED), DOUBLE_THREE)
    session.claim()
    session.take_back()
    assert (session.result, session.board.ply) == (None, 8)


def test_no_foul_is_claimed_in_a_paused_game():
    session = play(table(CLAIMED), DOUBLE_THREE)
    session.pause()
    refused(session, NotAllowed, "the game is paused", session.claim)


# Events


def test_events_are_numbered_without_gaps_and_ready_for_json():
    session = play(table(opening="swap2", consent=True), "h8 i9 j10")
    session.choose("white")
    session.pause()
    session.resume()
    session.play("a1")
    session.take_back()
    session.answer(accept=True)
    session.offer_draw()
    session.answer(accept=False)
    session.swap_sides()
    session.resign()
    assert kinds(session) == (
        "move move move choice pause resume move request take_back request decline seat seat end"
    )
    assert [event.number for event in session.events] == list(range(len(session.events)))
    assert session.events[0].data == {"point": "h8", "placed": True}
    assert session.events[3].data == {"option": "white"}
    data = [asdict(event) for event in session.events]
    assert json.loads(json.dumps(data, allow_nan=False)) == data


# Another game


def test_another_game_is_like_this_one_from_the_start():
    session = Session("renju", HUMAN, tengen.player("random,seed=1"), "swap2", "60+5", take_backs=1)
    session.play("h8")
    session.take_back()
    again = session.again()
    assert again.board.ply == 0
    assert again.decision is not None
    assert [seat.take_backs for seat in again.seats.values()] == [1, 1]
    assert again == Session("renju", HUMAN, tengen.player("random,seed=1"), "swap2", "60+5", 1)


def test_another_game_begins_where_this_one_began():
    start = Board.from_stones(["a1", "a2"], ["b1", "b2"], rules="tictactoe")
    session = Session(start=start)
    session.play("c3")
    assert session.again().board == start


def test_the_fitting_unit_of_take_backs_follows_who_plays():
    session = Session("tictactoe", take_back_unit=None)
    session.play("a1")
    session.play("b2")
    session.take_back()
    assert session.board.ply == 1, "two people: a stone"
    session.hand_over(SECOND, tengen.player("random,seed=1"))
    session.play_computer()
    session.take_back()
    assert session.board.ply == 0, "against a computer: a round"


def test_a_computer_that_plays_white_claims_at_once():
    rules = Rules.named("renju", fouls="claimed")
    session = Session(
        rules, HUMAN, tengen.player("random,seed=1"), start=Board.from_moves("f8i10g8j7h7e9h6g5", rules)
    )
    session.play("h8")
    assert session.result is not None
    assert (session.result.winner, session.result.reason) == (WHITE, "foul")
    assert [event.kind for event in session.events] == ["move", "claim", "end"]
    assert Session.from_json(session.to_json(), tengen.player) == session


CLAIMED = Rules.named("renju", fouls="claimed")
FOUL = "f8i10g8j7h7e9h6g5h8"


def test_a_computer_that_sits_down_claims_what_stands():
    session = Session(CLAIMED, start=Board.from_moves(FOUL, CLAIMED))
    assert session.result is None, "a person may overlook it"
    session.hand_over(FIRST, RANDOM)
    assert session.result is None, "Black does not claim"
    session.hand_over(SECOND, RANDOM)
    assert session.result is not None
    assert session.result.reason == "foul"
    assert [event.kind for event in session.events] == ["seat", "seat", "claim", "end"]


def test_a_foul_that_stands_at_the_start_is_claimed_too():
    session = Session(CLAIMED, HUMAN, RANDOM, start=Board.from_moves(FOUL, CLAIMED))
    assert session.result is not None
    assert session.result.winner == WHITE
    assert Session.from_json(session.to_json(), tengen.player) == session


def test_nothing_is_claimed_in_a_paused_game():
    session = Session(CLAIMED, start=Board.from_moves(FOUL, CLAIMED))
    session.pause()
    session.hand_over(SECOND, RANDOM)
    assert session.result is None
    session.resume()
    assert session.result is not None


def test_nothing_is_claimed_once_the_game_is_over():
    session = Session(CLAIMED, start=Board.from_moves(FOUL, CLAIMED))
    session.resign(SECOND)
    session.hand_over(SECOND, RANDOM)
    assert session.result is not None
    assert session.result.reason == "resigned"


def test_the_time_left_counts_the_running_period():
    watch = Watch()
    session = Session(clock="10+3x30", now=watch)
    watch.wait(30)
    assert session.time_left(FIRST) == 10
    assert session.time_left(SECOND) == 10
    assert Session().time_left(FIRST) is None


@pytest.mark.parametrize(
    "call",
    [
        lambda session: session.resign(3),
        lambda session: session.offer_draw(3),
        lambda session: session.answer(True, 3),
        lambda session: session.hand_over(3, HUMAN),
    ],
)
def test_nobody_else_sits_at_the_table(call):
    session = Session("tictactoe")
    session.offer_draw(FIRST)
    with pytest.raises(NotAllowed, match="3 is not a participant"):
        call(session)
    assert session.result is None
    assert session.seats.keys() == {FIRST, SECOND}
    assert session.request == Request("draw", FIRST)


def test_a_session_shows_its_moves_and_who_plays():
    session = play(table(TICTACTOE, HUMAN, RANDOM), "b2")
    assert repr(session) == "<Session tictactoe 3x3 'b2', human against random,seed=1>"


def test_clocks_by_colour():
    session = Session(clock="60", now=Watch())
    assert {colour: clock.main for colour, clock in session.clocks.items()} == {BLACK: 60, WHITE: 60}
    assert Session().clocks == {}


def test_a_session_goes_back_to_a_moment_and_keeps_its_events():
    session = Session(TICTACTOE, HUMAN, HUMAN, take_backs=1)
    session.play("b2")
    moment = session.moment()
    session.play("a1")
    session.take_back()
    session.restore(moment, tengen.player)
    assert session.board.moves == (4,)
    assert [seat.take_backs for seat in session.seats.values()] == [1, 1]
    assert [event.kind for event in session.events] == ["move", "move", "take_back", "restore"]
    with pytest.raises(TengenError):
        session.restore("{}", tengen.player)
    assert session.board.moves == (4,)
