from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.board import Board
from tengen.game.errors import (
    IllegalMove,
    NotAllowed,
    NotationError,
    Occupied,
    OffBoard,
    RulesError,
    TengenError,
)
from tengen.game.opening_rules import (
    FIRST,
    NAMES,
    SECOND,
    Answer,
    Decision,
    Opening,
    available,
    option_message,
)
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Point, distance
from tengen.game.rules import Rules
from tengen.game.symmetry import stabiliser
from tengen.words import LANGUAGES, catalogue, say

CENTRE = 112


def now(opening: Opening) -> Decision:
    """The decision of an opening that is not over."""
    assert opening.decision is not None
    return opening.decision


def asked(opening: Opening) -> str:
    """Who is asked for what: ``"1 place"``, or ``"2 black|white"`` where there is a choice."""
    decision = now(opening)
    options = "|".join(decision.options)
    return f"{decision.player} {NUMBERS.get(options, options) or decision.kind}"


def names(opening: Opening, points: Iterable[Point]) -> list[str]:
    return [opening.board.name(point) for point in points]


def moves(opening: Opening) -> str:
    return " ".join(names(opening, opening.board.moves))


def refused(opening: Opening, answer: Answer, error: type[TengenError], sentence: str) -> None:
    """The answer is refused with this sentence, and nothing has changed."""
    before = state(opening)
    with pytest.raises(error) as caught:
        opening.answer(answer)
    assert type(caught.value) is error
    assert str(caught.value) == sentence
    assert state(opening) == before


def state(opening: Opening) -> tuple[Any, ...]:
    """All that can be seen of an opening."""
    return (
        opening.name,
        opening.rules,
        opening.board.moves,
        opening.board.position,
        opening.board.turn,
        opening.decision,
        opening.history,
        opening.offered,
        opening.colour_of(FIRST),
        opening.colour_of(SECOND),
    )


COLOUR = ("black", "white")
NUMBERS = {"|".join(map(str, range(1, most + 1))): f"1..{most}" for most in (8, 10)}

TRANSCRIPTS = """
    ## pro, standard
    ! h9: h9 is not allowed: stone 1 goes on the centre
    1 place (h8): h8; 2 place (224): a1
    ! f6: f6 is not allowed: stone 3 goes outside the central 5x5
    ! h10: h10 is not allowed: stone 3 goes outside the central 5x5
    ! j9: j9 is not allowed: stone 3 goes outside the central 5x5
    1 place (199): h11
    = h8 a1 h11; Black is 1

    ## long-pro, standard
    1 place: h8; 2 place: i9
    ! h11: h11 is not allowed: stone 3 goes outside the central 7x7
    1 place: h12
    = h8 i9 h12; Black is 1

    ## swap, freestyle
    1 place: a1 h8 o15; 2 black|white: black
    = a1 h8 o15; Black is 2

    ## swap, freestyle
    1 place: h8 i9 j10; 2 black|white: white
    = h8 i9 j10; Black is 1

    ## swap2, freestyle
    1 place: h8 i9 c3; 2 black|white|place: black
    = h8 i9 c3; Black is 2

    ## swap2, freestyle
    1 place: h8 i9 c3; 2 black|white|place: white
    = h8 i9 c3; Black is 1

    ## swap2, freestyle
    1 place: h8 i9 c3; 2 black|white|place: place; 2 place: a1 o15; 1 black|white: black
    = h8 i9 c3 a1 o15; Black is 1

    ## swap2, freestyle
    1 place: h8 i9 c3; 2 black|white|place: place; 2 place: a1 o15; 1 black|white: white
    = h8 i9 c3 a1 o15; Black is 2

    ## rif, renju
    1 place: h8; 1 place (g7 h7 i7 g8 i8 g9 h9 i9): h9
    ! k8: k8 is not allowed: stone 3 goes inside the central 5x5
    1 place: i9; 2 black|white: black; 1 place: a15; 2 offer: i8 i7
    ! i6: i6 has not been offered: expected one of i7, i8
    1 select (i7 i8): i8
    = h8 h9 i9 a15 i8; Black is 2

    ## yamaguchi, renju
    1 place: h8 i9 j8; 1 1..10: 3; 2 black|white: white; 2 place: o1; 1 offer: a1 b1 c1
    2 select: b1
    = h8 i9 j8 o1 b1; Black is 1

    ## yamaguchi, renju: a single fifth move is played without being offered
    1 place: h8 i9 j8; 1 1..10: 1; 2 black|white: black; 1 place: o1; 2 place: a1
    = h8 i9 j8 o1 a1; Black is 2

    ## soosyrv-8, renju: Black may swap once more
    1 place: h8 g9 f10; 2 black|white: black; 1 place: a1; 1 1..8: 2; 2 black|white: white
    1 offer: c1 b1; 2 select: c1
    = h8 g9 f10 a1 c1; Black is 1

    ## taraguchi-10, renju: single moves and no swap
    1 place: h8; 2 black|white: white; 2 place: i9; 1 black|white: black; 1 place: j10
    2 black|white: white; 2 place: k11; 1 black|white|offer: black; 1 place: l12
    2 black|white: white
    = h8 i9 j10 k11 l12; Black is 1

    ## taraguchi-10, renju: a swap after every move
    1 place: h8; 2 black|white: black; 1 place: i9; 2 black|white: white; 1 place: j10
    2 black|white: black; 1 place: k11; 2 black|white|offer: white; 1 place: l12
    2 black|white: black
    = h8 i9 j10 k11 l12; Black is 2

    ## taraguchi-10, renju: ten fifth moves
    1 place: h8; 2 black|white: white; 2 place: i9; 1 black|white: black; 1 place: j10
    2 black|white: white; 2 place: k11; 1 black|white|offer: offer
    1 offer: a1 b1 c1 d1 e1 f1 g1 h1 i1 j1; 2 select: e1
    = h8 i9 j10 k11 e1; Black is 1

    ## rif, renju: the stones are symmetric, so one of two mirrored fifth moves can be offered
    1 place: h8 h9 h10; 2 black|white: white; 2 place: h6; 1 offer: g8
    ! i8: i8 is symmetric to g8, which has already been offered
    ! g8: g8 has already been offered
    1 offer (219): h7; 2 select: h7
    = h8 h9 h10 h6 h7; Black is 1

    ## rif, renju: without a symmetry, any two can be offered
    1 place: h8 h9 h10; 2 black|white: white; 2 place: g6; 1 offer: g8; 1 offer (220): i8
    2 select: g8
    = h8 h9 h10 g6 g8; Black is 1
"""
"""Openings: who is asked for what, and the answers; in brackets the points allowed, or how many there are.

A line with ``!`` is an answer that is refused with this sentence; the last line is the result.
"""


@pytest.mark.parametrize(
    "transcript", re.split(r"\s*## ", TRANSCRIPTS)[1:], ids=lambda text: text.split("\n")[0]
)
def test_an_opening(transcript):
    title, *lines, end = (line.strip() for line in transcript.strip().split("\n"))
    opening = Opening(*title.partition(":")[0].split(", "))
    for line in lines:
        if line.startswith("!"):
            answer, _, sentence = line[2:].partition(": ")
            refused(opening, answer, IllegalMove, sentence)
            continue
        for what, allowed, answers in re.findall(r"(\d [^:( ]+)(?: \((.*?)\))?: ([^;]+)", line):
            if allowed.isdigit():
                assert len(now(opening).points) == int(allowed)
            elif allowed:
                assert " ".join(names(opening, now(opening).points)) == allowed
            for answer in answers.split():
                assert asked(opening) == what, line
                opening.answer(answer)
    assert (opening.decision, opening.offered, opening.board.turn) == (None, (), WHITE)
    assert end == f"= {moves(opening)}; Black is {opening.player_of(BLACK)}"
    assert opening.colour_of(opening.player_of(WHITE)) == WHITE


def test_free_asks_nothing():
    opening = Opening("free", "tictactoe")
    assert opening.decision is None
    assert opening.history == ()
    assert (opening.player_of(BLACK), opening.player_of(WHITE)) == (FIRST, SECOND)


def test_long_pro_on_its_smallest_board_leaves_the_edge():
    opening = Opening.replay("long-pro", Rules.named("standard", 9), ["e5", "d4"])
    edge = [point for point in range(81) if point // 9 in (0, 8) or point % 9 in (0, 8)]
    assert list(now(opening).points) == edge


def test_a_decision_says_whose_stone_is_put_where_somebody_else_puts_it():
    opening = Opening.replay("swap", "freestyle", ["h8"])
    decision = now(opening)
    assert (decision.player, decision.colour, decision.number) == (FIRST, WHITE, 2)
    assert opening.colour_of(FIRST) == BLACK
    assert say(decision.message) == "place stone 2 (White) anywhere"


def test_taraguchi_keeps_each_move_inside_its_square():
    opening = Opening("taraguchi-10", "renju")
    for size, point in ((1, "h8"), (3, "i9"), (5, "j10"), (7, "k11"), (9, "l12")):
        assert len(now(opening).points) == size * size - opening.board.ply
        assert all(distance(CENTRE, p, 15) <= size // 2 for p in now(opening).points)
        opening.answer(point)
        opening.answer(now(opening).options[0])


@pytest.mark.parametrize(
    ("answers", "answer", "error", "sentence"),
    [
        ([], "p1", OffBoard, "p1 is off the 15x15 board, whose points run from a1 to o15"),
        ([], 225, OffBoard, "225 is off the 15x15 board, whose points run from a1 to o15"),
        ([], "--", IllegalMove, "passing is not allowed in the opening"),
        (["h8"], PASS, IllegalMove, "passing is not allowed in the opening"),
        ([], "black", NotationError, "'black' is not a point: expected a letter and a number, such as h8"),
        (["h8"], CENTRE, Occupied, "h8 is occupied"),
        (
            ["h8", "i9", "j10"],
            "grey",
            NotAllowed,
            "'grey' is not an option here: expected one of black, white, place",
        ),
        (
            ["h8", "i9", "j10"],
            "h9",
            NotAllowed,
            "'h9' is not an option here: expected one of black, white, place",
        ),
        (
            ["h8", "i9", "j10"],
            1,
            NotAllowed,
            "'1' is not an option here: expected one of black, white, place",
        ),
        (
            ["h8", "i9", "j10", "black"],
            "a1",
            NotAllowed,
            "the opening is over: there is nothing left to decide",
        ),
    ],
)
def test_what_is_refused_says_why(answers, answer, error, sentence):
    rules = Rules.named("freestyle", passing=True)
    refused(Opening.replay("swap2", rules, answers), answer, error, sentence)


def test_replay_refuses_what_answer_refuses():
    with pytest.raises(IllegalMove, match="stone 1 goes on the centre"):
        Opening.replay("pro", "standard", ["a1"])


@pytest.mark.parametrize(
    ("name", "rules", "sentence"),
    [
        (
            "swap3",
            Rules(),
            "'swap3' is not an opening rule: expected one of free, pro, long-pro, swap, swap2, rif, "
            "yamaguchi, taraguchi-10, soosyrv-8",
        ),
        ("swap", Rules.named("tictactoe"), "opening Swap needs five in a row, but k is 3"),
        ("swap2", Rules.mnk(5, 4, 5), "opening Swap2 needs a board of at least 5x5, but this one is 5x4"),
        (
            "pro",
            Rules.named("standard", 7),
            "opening Pro needs a board of at least 9x9, but this one is 7x7",
        ),
        (
            "long-pro",
            Rules.named("standard", 20),
            "opening Long Pro needs a centre point, and so odd sides, but the board is 20x20",
        ),
        (
            "pro",
            Rules.named("standard", (15, 20)),
            "opening Pro needs a centre point, and so odd sides, but the board is 15x20",
        ),
        ("rif", Rules.named("renju", (15, 13)), "opening RIF needs a square board, but this one is 15x13"),
    ],
)
def test_an_opening_that_the_rules_do_not_fit_says_why(name, rules, sentence):
    with pytest.raises(RulesError) as caught:
        Opening(name, rules)
    assert str(caught.value) == sentence


def test_which_openings_fit():
    assert available(Rules.named("renju")) == NAMES
    assert available(Rules.named("freestyle", 9)) == NAMES
    assert available(Rules.named("freestyle", (9, 11))) == ("free", "pro", "long-pro", "swap", "swap2")
    assert available(Rules.named("standard", 20)) == ("free", "swap", "swap2")
    assert available(Rules.named("caro", 5)) == ("free", "swap", "swap2")
    assert available(Rules.named("tictactoe")) == ("free",)


def test_a_board_that_is_no_square_still_has_a_centre():
    opening = Opening("pro", Rules.named("standard", (9, 11)))
    assert names(opening, now(opening).points) == ["e6"]


def test_a_copy_goes_on_alone():
    opening = Opening.replay("swap", "freestyle", ["h8", "i9"])
    twin = opening.copy()
    twin.answer("a1")
    assert opening.history == (112, 128)
    assert twin.history == (112, 128, 0)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))])
def test_an_opening_can_be_copied_and_pickled_like_any_value(duplicate):
    opening = Opening.replay("swap2", "freestyle", ["h8", "i9", "j10", "place"])
    twin = duplicate(opening)
    assert state(twin) == state(opening)
    twin.answer("a1")
    assert opening.board["a1"] == EMPTY


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_name_is_in_the_catalogue(lang):
    texts = [catalogue(lang)[f"opening.{name}"] for name in NAMES]
    assert len(set(texts)) == len(texts)


def test_what_is_asked_is_said_in_words():
    opening = Opening("taraguchi-10", "renju")
    assert say(now(opening).message) == "place stone 1 (Black) on the centre"
    assert say(now(opening).message, "zh") == "请下第 1 手（黑）：天元"
    opening.answer("h8")
    assert say(now(opening).message) == "choose: play Black, play White"
    for answer in ("white", "i9"):
        opening.answer(answer)
    for answer in ("black", "j10", "white"):
        opening.answer(answer)
    assert say(now(opening).message) == "place stone 4 (White) inside the central 7x7"
    opening.answer("k11")
    sentence = "choose: play Black, play White, stay Black and offer ten fifth moves"
    assert say(now(opening).message) == sentence
    opening.answer("offer")
    assert say(now(opening).message) == "offer fifth move 1 of 10"
    for point in range(10):
        opening.answer(point)
    assert say(now(opening).message) == "choose one of the 10 fifth moves"
    opening = Opening.replay("yamaguchi", "renju", ["h8", "i9", "j10"])
    assert say(now(opening).message) == "say how many fifth moves will be offered"
    sentences = [say(option_message(option)) for option in now(opening).options[:2]]
    assert sentences == ["1 fifth move", "2 fifth moves"]


# --- whatever is answered

BOARDS = (
    Rules.named("renju"),
    Rules.named("renju", 9, passing=True),
    Rules.named("freestyle", 9),
    Rules.named("standard", (9, 11)),
    Rules.named("caro", 5),
)
GAMES = [(name, rules) for rules in BOARDS for name in available(rules)]

answers = st.one_of(
    st.integers(-3, 230),
    st.sampled_from(["black", "white", "place", "offer", "1", "3", "--", "a1", "e5", "z9", "", "h8 i9"]),
)


def legal_answers(decision: Decision) -> tuple[Answer, ...]:
    return decision.options or decision.points


@pytest.mark.uncovered
@given(game=st.sampled_from(GAMES), data=st.data())
def test_any_legal_answers_finish_the_opening(game, data):
    opening = Opening(*game)
    asked = 0
    while (decision := opening.decision) is not None:
        check(opening)
        opening.answer(data.draw(st.sampled_from(legal_answers(decision))))
        asked += 1
        assert len(opening.history) == asked
        assert state(Opening.replay(game[0], game[1], opening.history)) == state(opening)
    assert asked <= 20
    assert opening.offered == ()
    assert opening.board.outcome() is None
    assert Board.from_moves(opening.board.moves, opening.rules) == opening.board


def check(opening: Opening) -> None:
    """What holds while an opening is being played."""
    decision, board = now(opening), opening.board
    assert decision.player in (FIRST, SECOND)
    assert bool(decision.points) != bool(decision.options)
    assert (decision.colour, decision.number) == (board.turn, board.ply + 1)
    assert board.turn == (BLACK if board.ply % 2 == 0 else WHITE)
    assert list(decision.points) == sorted(set(decision.points) & set(board.legal_points()))
    for player in (FIRST, SECOND):
        assert opening.player_of(opening.colour_of(player)) == player
    assert opening.colour_of(FIRST) != opening.colour_of(SECOND)
    if decision.kind == "offer":
        assert opening.player_of(BLACK) == decision.player
        assert decision.step == len(opening.offered) + 1 <= decision.total
        images = {symmetry[point] for symmetry in stabiliser(board) for point in opening.offered}
        assert set(decision.points) == set(board.legal_points()) - images
    if decision.kind == "select":
        assert opening.player_of(WHITE) == decision.player
        assert sorted(opening.offered) == list(decision.points)
        assert len(decision.points) == decision.total
    for lang in LANGUAGES:
        assert say(decision.message, lang)
        assert all(say(option_message(option), lang) for option in decision.options)


@given(game=st.sampled_from(GAMES), data=st.data())
def test_a_colour_chosen_is_the_colour_had(game, data):
    opening = Opening(*game)
    while (decision := opening.decision) is not None:
        before = opening.colour_of(FIRST)
        answer = data.draw(st.sampled_from(legal_answers(decision)))
        opening.answer(answer)
        if answer in COLOUR:
            assert opening.colour_of(decision.player) == {"black": BLACK, "white": WHITE}[answer]
        else:
            assert opening.colour_of(FIRST) == before


@pytest.mark.uncovered
@given(
    game=st.sampled_from(GAMES),
    length=st.integers(0, 20),
    wrong=st.lists(answers, max_size=8),
    data=st.data(),
)
def test_a_refused_answer_changes_nothing(game, length, wrong, data):
    opening = Opening(*game)
    while opening.decision is not None and len(opening.history) < length:
        opening.answer(data.draw(st.sampled_from(legal_answers(now(opening)))))
    before = state(opening)
    for answer in wrong:
        try:
            opening.copy().answer(answer)
        except TengenError as error:
            with pytest.raises(type(error)):
                opening.answer(answer)
        assert state(opening) == before
