"""Sessions: transcripts of games (`tests.game.scripts` says how to read them), and single calls."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict
from typing import Any

import pytest

import tengen
from tengen.game.board import Board, Outcome
from tengen.game.errors import NotAllowed, RulesError, TengenError
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.player import Choice, Explanation, Limit, Score
from tengen.game.points import BLACK, WHITE
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN, Request
from tengen.words import Message
from tests.game.scripts import CLAIMED, DOUBLE_THREE, RANDOM, TICTACTOE, play, refused, run, scripts, table


class First:
    """Plays the first point it may, says that it likes it, and remembers how long it was given."""

    name = "py:tests.game.test_session:First"

    def __init__(self) -> None:
        self.given: list[tuple[Limit | None, threading.Event | None]] = []

    def choose(self, board, limit=None, stop=None):
        self.given.append((limit, stop))
        return Choice(board.legal_points()[0], Score(10))

    def explain(self, board, limit=None, stop=None):
        return Explanation(Message("explain.random", {"count": len(board.legal_points())}))


class Director(First):
    """Has opinions of its own about openings: it puts stones in the top row and takes the last option."""

    name = "py:tests.game.test_session:Director"

    def decide_opening(self, opening, limit=None, stop=None):
        assert opening.decision is not None
        self.given.append((limit, stop))
        return (opening.decision.options or opening.decision.points)[-1]


SEATS_AND_MOVES = """
    ## Two humans play to the end  [tictactoe]
    b2 c3 b1                = actor 2; result none
    c1 b3                   = result black five; actor None; asks nothing
    ! a1: the game is over (GameOver)
    ! black: the game is over (GameOver)

    ## Who plays is checked if the caller says it
    ! h8/2: it is not your turn
    h8/1
    ! h9/1: it is not your turn
    h9/2
    ! black: there is nothing to choose now

    ## What the board refuses, the session refuses in the same words
    h8
    ! h8: h8 is occupied (Occupied)
    ! p1: p1 is off the 15x15 board, whose points run from a1 to o15 (OffBoard)
    ! 8h: '8h' is not a point: expected a letter and a number, such as h8 (NotationError)
    ! --: these rules do not allow passing (IllegalMove)

    ## Sides are swapped, and everything else stays with the seats  [tictactoe white=random take_backs=1]
    b2 a1 undo              = left 1 0; seats human random,seed=1
    swap                    = left 1 0; seats random,seed=1 human; events move move take_back seat seat
"""

TAKE_BACKS = """
    ## A stone is charged to the side that just moved
    h8 i9 j10 undo          = moves h8 i9; left 4 5
    undo                    = moves h8; left 4 4; last take_back 2 stones=1 left=4
    a1/2                    = moves h8 a1

    ## Each side has five
    h8 undo h8 undo h8 undo h8 undo h8 undo h8
    ! undo: no take-backs are left
    i9 undo                 = left 0 4

    ## Without a stone there is nothing to take back
    ! undo: there is no stone to take back

    ## Nor is there in a round  [unit=round]
    ! undo: there is no stone to take back

    ## Nor of the position at the beginning  [start=h8i9]
    ! undo: there is no stone to take back

    ## There may be no take-backs  [take_backs=0]
    h8
    ! undo: no take-backs are left

    ## There may be as many as one likes  [take_backs=none]
    h8 undo h8 undo h8 undo h8 undo h8 undo h8 undo  = left None None; last take_back 1 stones=1 left=None

    ## Only the side that just moved takes its stone back
    h8 i9
    ! undo/1: the last stone is not yours to take back
    undo/2                  = moves h8

    ## A game decided on the board may be taken back, and goes on  [tictactoe]
    b2 c3 b1 c1 b3 undo     = result none; last take_back 1 stones=1 left=4
    a1 a2                   = events move move move move move end take_back move move

    ## No stone is taken back in a paused game, nor once somebody has resigned
    h8 pause
    ! undo: the game is paused
    resume resign
    ! undo: the game is over: no stone can be taken back

    ## A round against a computer is both stones, charged to the human  [tictactoe white=random unit=round]
    a1 computer b2 computer undo  = ply 2; actor 1; last take_back 1 stones=2 left=4; left 4 5

    ## While the computer is to move, a round is one stone  [tictactoe white=random unit=round]
    b2 undo                 = ply 0; last take_back 1 stones=1 left=4

    ## A round begins with a stone of the asker's own  [tictactoe black=random unit=round]
    computer
    ! undo: there is no stone to take back

    ## Between humans, whoever asks takes back to its last move  [unit=round]
    h8 i9 j10 undo/1        = moves h8 i9
    undo/1                  = moves none
    h8 i9 j10 undo          = moves h8; left 3 4

    ## Once a game between two people is over, the last mover takes back  [tictactoe unit=round]
    b2 c3 b1 c1 b3 undo     = ply 4; last take_back 1 stones=1 left=4

    ## The fitting unit: a stone between two people, a round against a computer  [tictactoe unit=none]
    a1 b2 undo              = ply 1
    robot/2 computer undo   = ply 0
"""

CONSENT = """
    ## A human opponent may be asked first  [consent=yes]
    h8 i9 undo              = request take_back 2; moves h8 i9
    ! undo: another request is still waiting for an answer
    ! yes/2: that request is your own: the other side answers it
    yes/1                   = request none; moves h8; left 5 4; events move move request take_back

    ## A take-back may be declined at no charge, and asked again  [consent=yes]
    h8 undo no              = request none; moves h8; left 5 5; last decline 2 request=take_back
    ! yes: there is no request to answer
    undo                    = request take_back 1

    ## A request for a take-back lapses when the other side plays  [consent=yes]
    h8 undo i9              = request none
    ! yes: there is no request to answer

    ## Nobody asks for a take-back that is used up  [consent=yes take_backs=0]
    h8
    ! undo: no take-backs are left

    ## Nothing is granted in a paused game  [consent=yes]
    h8 undo pause
    ! yes: the game is paused

    ## A computer is not asked  [tictactoe white=random consent=yes]
    b2 undo/1               = ply 0
"""

OPENINGS = """
    ## An opening asks for points and choices  [opening=swap]
                            = asks 1 place
    ! black: there is nothing to choose now
    h8 i9 j10               = asks 2 black white; actor 2
    ! a1: the opening asks for a choice: expected one of black, white
    ! black/1: it is not your turn
    ! red: 'red' is not an option here: expected one of black, white
    black/2                 = asks nothing; colours white black
    a1/1                    = events move move move choice move

    ## A take-back reaches across a choice, and gives the colours back  [opening=swap]
    h8 i9 j10 black undo    = moves h8 i9; colours black white; asks 1 place; stone 3; left 4 5
    a1 white                = colours black white

    ## A take-back after the opening leaves the colours as chosen  [opening=swap]
    h8 i9 j10 black a1 b1 undo undo  = asks nothing; colours white black; actor 1; left 4 4

    ## A round in the opening goes back to the asker's own stone  [opening=swap2 unit=round]
    h8 i9 j10 place a1 a2 white undo/1  = moves h8 i9; stone 3

    ## An offered move is taken back like a stone  [renju opening=rif]
    h8 h9 h10 white a1 j7   = offered j7; last move 1 point=j7 placed=False
    undo                    = offered none; asks 1 offer; last take_back 1 stones=0 left=4
    j7 k6 k6                = moves h8 h9 h10 a1 k6
"""

ENDS = """
    ## Whoever is to move resigns if nobody is named
    h8 resign               = result black resigned; last end None winner=1 reason=resigned
    ! resign: the game is over (GameOver)
    ! draw: the game is over (GameOver)
    ! pause: the game is over (GameOver)
    ! hint: the game is over (GameOver)
    ! think: the game is over (GameOver)

    ## The only human resigns, whoever is to move  [tictactoe black=random]
    resign                  = result black resigned

    ## Either side may resign at any time
    resign/2                = result black resigned

    ## Who resigns loses with the colour it has by then  [opening=swap]
    h8 i9 j10 black resign/2  = result white resigned

    ## A game may be aborted  [clock=300]
    h8 draw/1 abort/1       = result nobody aborted; request none; events move request end
    ! abort: the game is over (GameOver)
    ! leave: the game is over (GameOver)
    ! undo: the game is over: no stone can be taken back

    ## A game that one side has left is a draw  [clock=300]
    h8 draw/1 leave/1       = result nobody abandoned; request none; events move request end
    ! resign: the game is over (GameOver)

    ## A draw may be offered and accepted
    h8 draw/1               = request draw 1
    yes/2                   = result nobody agreed; request none; events move request end

    ## A declined draw is not offered again in the same position
    h8 draw/2 no
    ! draw/2: that offer was declined: make a move before you offer again
    draw/1 no
    ! draw/2: that offer was declined: make a move before you offer again
    i9 draw/2               = request draw 2

    ## A draw offer stands until the other side has moved
    draw h8                 = request draw 1
    ! draw: another request is still waiting for an answer
    i9                      = request none

    ## A declined offer is saved  [consent=yes]
    h8 draw                 = request draw 2
    no
    ! draw: that offer was declined: make a move before you offer again

    ## A take-back withdraws a draw offer, and forgets a declined one
    h8 draw no undo h8 draw = request draw 2
    undo                    = request none

    ## A draw offer ends with the game  [tictactoe]
    b2 c3 b1 c1 draw/1 b3   = result black five
    ! yes/2: there is no request to answer

    ## A computer declines a draw while somebody can win  [tictactoe white=random]
    b2 a1 draw              = result none; request none; last decline 2 request=draw
    ! draw: that offer was declined: make a move before you offer again

    ## A computer agrees to a draw once nobody can win  [tictactoe white=random]
    b2 a1 a2 c2 b3 b1 c1 a3 draw  = result nobody agreed
"""

CLAIMS = """
    ## White claims a foul in time  [claimed]
    g8 a1 i8 a3 h7 a5 h9 a7 h8
    ! claim/1: only White may claim a foul
    claim/2                 = result white foul; last end None winner=2 reason=foul
    ! claim: the game is over: there is no foul left to claim (GameOver)

    ## A foul lapses when White plays on  [claimed]
    g8 a1 i8 a3 h7 a5 h9 a7 h8 o15
    ! claim: there is no foul to claim (IllegalMove)

    ## Nothing is claimed under other rules
    ! claim: fouls are not claimed under these rules (IllegalMove)

    ## Nothing is claimed after the end  [claimed]
    g8 a1 i8 a3 h7 a5 h9 a7 h8 resign/1
    ! claim: the game is over: there is no foul left to claim (GameOver)

    ## White is whoever plays White after a swap  [claimed opening=swap]
    g8 a1 i8 black a3 h7 a5 h9 a7 h8
    ! claim/2: only White may claim a foul
    claim/1                 = result white foul

    ## The foul may be taken back with the claim  [claimed]
    g8 a1 i8 a3 h7 a5 h9 a7 h8 claim undo  = result none; ply 8

    ## No foul is claimed in a paused game  [claimed]
    g8 a1 i8 a3 h7 a5 h9 a7 h8 pause
    ! claim: the game is paused

    ## A computer that plays White claims at once  [claimed white=random start=f8i10g8j7h7e9h6g5]
    h8                      = result white foul; events move claim end

    ## It claims a foul that was there at the start  [claimed white=random start=f8i10g8j7h7e9h6g5h8]
                            = result white foul

    ## A computer that sits down claims an overlooked foul  [claimed start=f8i10g8j7h7e9h6g5h8]
                            = result none
    robot/1                 = result none
    robot/2                 = result white foul; events seat seat claim end

    ## It waits while the game is paused  [claimed start=f8i10g8j7h7e9h6g5h8]
    pause robot/2           = result none
    resume                  = result white foul

    ## It claims nothing once the game is over  [claimed start=f8i10g8j7h7e9h6g5h8]
    resign/2 robot/2        = result black resigned
"""


@pytest.mark.parametrize(
    "script", scripts(SEATS_AND_MOVES + TAKE_BACKS + CONSENT + OPENINGS + ENDS + CLAIMS)
)
def test_a_game(script):
    run(script)


# Seats and moves


def test_a_new_game_asks_nothing_of_the_caller():
    session = Session()
    assert session.rules == Rules.named("freestyle")
    assert (session.control, session.opening, session.request, session.paused) == (None, None, None, False)
    assert {participant: seat.name for participant, seat in session.seats.items()} == {1: HUMAN, 2: HUMAN}
    assert [seat.take_backs for seat in session.seats.values()] == [5, 5]
    assert (session.take_backs, session.actions, session.events) == (5, (), ())


def test_the_winning_row_is_known():
    session = play(table(TICTACTOE), "b2 c3 b1 c1 b3")
    assert session.result == Outcome(BLACK, "five", (1, 4, 7), ((1, 4, 7),))


def test_boards_and_openings_that_are_given_out_are_copies():
    session = table(opening="pro")
    session.board.push("a1")
    assert session.opening is not None
    session.opening.answer("h8")
    assert session.board.ply == 0
    assert session.opening.history == ()


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
    assert (session.rules, session.actor, session.board.moves) == (TICTACTOE, FIRST, (6,))
    session.play("c3")
    assert [session.board.name(point) for point in session.board.stones(BLACK)] == ["a1", "a2", "c3"]
    again = session.again()
    assert again.board.moves == (6,)
    assert again.board.stones(BLACK) == [0, 3]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"take_backs": -1}, "take-backs: -1 is out of range: expected 0 or more, or no limit"),
        ({"take_back_unit": "move"}, "take-backs: 'move' is not a unit: expected 'stone' or 'round'"),
        ({"rules": TICTACTOE, "opening": "swap"}, "opening Swap needs five in a row, but k is 3"),
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
    session.swap_sides()
    assert (session.occupant(BLACK), session.occupant(WHITE)) == (RANDOM, HUMAN)
    session.hand_over(FIRST, HUMAN)
    assert [event.data["occupant"] for event in session.events if event.kind == "seat"] == [
        "random,seed=1",
        "random,seed=1",
        "human",
        "human",
    ]


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
    session = table(TICTACTOE)
    session.offer_draw(FIRST)
    refused(session, NotAllowed, "3 is not a participant: expected 1 (first) or 2 (second)", call, session)
    assert session.request == Request("draw", FIRST)


def test_a_session_shows_its_moves_and_who_plays():
    session = play(table(TICTACTOE, HUMAN, RANDOM), "b2")
    assert repr(session) == "<Session tictactoe 3x3 'b2', human against random,seed=1>"


# Computers in openings, and hints


def test_a_computer_decides_openings_too():
    director = Director()
    session = table("renju", First(), director, opening="rif")
    while session.decision is not None:
        session.play_computer()
    assert session.board.ply == 5
    assert director.given, "it was asked in its own way"
    assert [action.value for action in session.actions if action.kind == "choose"] == ["white"]


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


# Ends, claims and events


@pytest.mark.parametrize(("end", "result"), [("abort", None), ("end_abandoned", "draw")])
def test_the_record_of_a_game_that_somebody_has_left(end, result):
    session = table()
    getattr(session, end)()
    headers = session.record().headers
    assert session.result is not None
    assert (headers.get("result"), headers["reason"]) == (result, session.result.reason)


def test_the_foul_claimed_is_kept():
    session = play(table(CLAIMED), DOUBLE_THREE)
    foul = session.board.claimable()
    session.claim()
    assert session.result == Outcome(WHITE, "foul", foul=foul)
    assert session.events[-2].by == SECOND


def test_events_are_numbered_without_gaps_and_ready_for_json():
    session = play(table(opening="swap2", consent=True), "h8 i9 j10")
    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("choose", ("white",)), ("pause", ()), ("resume", ()), ("play", ("a1",)), ("take_back", ()),
        ("answer", (True,)), ("offer_draw", ()), ("answer", (False,)), ("swap_sides", ()), ("resign", ()),
    ]  # fmt: skip
    for name, arguments in calls:
        getattr(session, name)(*arguments)
    assert " ".join(event.kind for event in session.events) == (
        "move move move choice pause resume move request take_back request decline seat seat end"
    )
    assert [event.number for event in session.events] == list(range(len(session.events)))
    assert session.events[0].data == {"point": "h8", "placed": True}
    assert session.events[3].data == {"option": "white"}
    data = [asdict(event) for event in session.events]
    assert json.loads(json.dumps(data, allow_nan=False)) == data


# Another game, and an earlier moment


def test_another_game_is_like_this_one_from_the_start():
    session = Session("renju", HUMAN, RANDOM, "swap2", "60+5", take_backs=1)
    session.play("h8")
    session.take_back()
    again = session.again()
    assert again.board.ply == 0
    assert again.decision is not None
    assert [seat.take_backs for seat in again.seats.values()] == [1, 1]
    assert again == Session("renju", HUMAN, RANDOM, "swap2", "60+5", 1)


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
