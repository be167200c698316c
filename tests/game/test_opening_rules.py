from __future__ import annotations

import copy
import pickle
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
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Point, distance, opponent
from tengen.game.rules import Rules
from tengen.game.symmetry import stabiliser
from tengen.words import LANGUAGES, catalogue, say

CENTRE = 112


def now(opening: Opening) -> Decision:
    """The decision of an opening that is not over."""
    assert opening.decision is not None
    return opening.decision


def asked(opening: Opening) -> tuple[int, str | tuple[str, ...]]:
    """Who is asked for what: ``(FIRST, "place")``, or the options of a choice."""
    decision = now(opening)
    return decision.player, decision.options or decision.kind


def play(opening: Opening, *steps: tuple[int, str | tuple[str, ...], Answer]) -> None:
    """Answer step by step, each an expectation and the answer: ``(FIRST, "place", "h8")``."""
    for player, what, answer in steps:
        assert asked(opening) == (player, what), f"before {answer}"
        opening.answer(answer)


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
NUMBERS_8 = tuple("12345678")
NUMBERS_10 = (*"123456789", "10")


def test_free_asks_nothing():
    opening = Opening("free", "tictactoe")
    assert opening.decision is None
    assert opening.history == ()
    assert (opening.player_of(BLACK), opening.player_of(WHITE)) == (FIRST, SECOND)


def test_pro():
    opening = Opening("pro", "standard")
    assert names(opening, now(opening).points) == ["h8"]
    refused(opening, "h9", IllegalMove, "h9 is not allowed: stone 1 goes on the centre")
    play(opening, (FIRST, "place", "h8"))
    assert len(now(opening).points) == 224
    play(opening, (SECOND, "place", "a1"))
    for inside in ("f6", "h10", "j9"):
        sentence = f"{inside} is not allowed: stone 3 goes outside the central 5x5"
        refused(opening, inside, IllegalMove, sentence)
    assert len(now(opening).points) == 225 - 25 - 1
    play(opening, (FIRST, "place", "h11"))
    assert opening.decision is None
    assert moves(opening) == "h8 a1 h11"
    assert opening.colour_of(FIRST) == BLACK


def test_long_pro():
    opening = Opening("long-pro", "standard")
    play(opening, (FIRST, "place", "h8"), (SECOND, "place", "i9"))
    refused(opening, "h11", IllegalMove, "h11 is not allowed: stone 3 goes outside the central 7x7")
    play(opening, (FIRST, "place", "h12"))
    assert opening.decision is None


def test_long_pro_on_its_smallest_board_leaves_the_edge():
    opening = Opening.replay("long-pro", Rules.named("standard", 9), ["e5", "d4"])
    edge = [point for point in range(81) if point // 9 in (0, 8) or point % 9 in (0, 8)]
    assert list(now(opening).points) == edge


def test_swap_where_the_second_player_takes_black():
    opening = Opening("swap", "freestyle")
    play(
        opening,
        (FIRST, "place", "a1"),
        (FIRST, "place", "h8"),
        (FIRST, "place", "o15"),
        (SECOND, COLOUR, "black"),
    )
    assert opening.decision is None
    assert [opening.board[p] for p in ("a1", "h8", "o15")] == [BLACK, WHITE, BLACK]
    assert opening.board.turn == WHITE
    assert opening.player_of(WHITE) == FIRST  # who now makes move 4


def test_swap_where_the_second_player_stays_white():
    opening = Opening.replay("swap", "freestyle", ["h8", "i9", "j10", "white"])
    assert (opening.colour_of(FIRST), opening.colour_of(SECOND)) == (BLACK, WHITE)


THREE = ((FIRST, "place", "h8"), (FIRST, "place", "i9"), (FIRST, "place", "c3"))


@pytest.mark.parametrize(("choice", "second"), [("black", BLACK), ("white", WHITE)])
def test_swap2_where_the_second_player_chooses_a_colour(choice, second):
    opening = Opening("swap2")
    play(opening, *THREE, (SECOND, (*COLOUR, "place"), choice))
    assert opening.decision is None
    assert opening.colour_of(SECOND) == second
    assert opening.colour_of(FIRST) == opponent(second)


@pytest.mark.parametrize(("choice", "first"), [("black", BLACK), ("white", WHITE)])
def test_swap2_where_the_second_player_hands_the_choice_back(choice, first):
    opening = Opening("swap2")
    play(
        opening,
        *THREE,
        (SECOND, (*COLOUR, "place"), "place"),
        (SECOND, "place", "a1"),
        (SECOND, "place", "o15"),
        (FIRST, COLOUR, choice),
    )
    assert opening.decision is None
    assert [opening.board[p] for p in ("a1", "o15")] == [WHITE, BLACK]
    assert opening.board.turn == WHITE
    assert opening.colour_of(FIRST) == first


def test_a_decision_says_whose_stone_is_put_where_somebody_else_puts_it():
    opening = Opening.replay("swap", "freestyle", ["h8"])
    decision = now(opening)
    assert (decision.player, decision.colour, decision.number) == (FIRST, WHITE, 2)
    assert opening.colour_of(FIRST) == BLACK
    assert say(decision.message) == "place stone 2 (White) anywhere"


def test_rif():
    opening = Opening("rif", "renju")
    play(opening, (FIRST, "place", "h8"))
    assert names(opening, now(opening).points) == ["g7", "h7", "i7", "g8", "i8", "g9", "h9", "i9"]
    play(opening, (FIRST, "place", "h9"))
    refused(opening, "k8", IllegalMove, "k8 is not allowed: stone 3 goes inside the central 5x5")
    play(
        opening,
        (FIRST, "place", "i9"),
        (SECOND, COLOUR, "black"),
        (FIRST, "place", "a15"),  # White, anywhere
        (SECOND, "offer", "i7"),
        (SECOND, "offer", "i8"),
    )
    assert names(opening, opening.offered) == ["i7", "i8"]
    assert opening.board.ply == 4
    play(opening, (FIRST, "select", "i8"))
    assert opening.decision is None
    assert moves(opening) == "h8 h9 i9 a15 i8"
    assert opening.board["i8"] == BLACK
    assert opening.offered == ()
    assert opening.board.turn == WHITE


def test_only_an_offered_fifth_move_can_be_chosen():
    opening = Opening.replay("rif", "renju", ["h8", "h9", "i9", "white", "a15", "i8", "i7"])
    assert names(opening, opening.offered) == ["i8", "i7"]
    assert names(opening, now(opening).points) == ["i7", "i8"]
    refused(opening, "i6", IllegalMove, "i6 has not been offered: expected one of i7, i8")
    refused(opening, "h8", Occupied, "h8 is occupied")


def test_yamaguchi():
    opening = Opening("yamaguchi", "renju")
    play(
        opening,
        (FIRST, "place", "h8"),
        (FIRST, "place", "i9"),
        (FIRST, "place", "j8"),
        (FIRST, NUMBERS_10, "3"),
        (SECOND, COLOUR, "white"),
        (SECOND, "place", "o1"),
        (FIRST, "offer", "a1"),
        (FIRST, "offer", "b1"),
        (FIRST, "offer", "c1"),
        (SECOND, "select", "b1"),
    )
    assert opening.decision is None
    assert moves(opening) == "h8 i9 j8 o1 b1"


def test_a_single_fifth_move_is_played_without_being_offered():
    opening = Opening("yamaguchi", "renju")
    play(
        opening,
        (FIRST, "place", "h8"),
        (FIRST, "place", "i9"),
        (FIRST, "place", "j8"),
        (FIRST, NUMBERS_10, "1"),
        (SECOND, COLOUR, "black"),
        (FIRST, "place", "o1"),
        (SECOND, "place", "a1"),
    )
    assert opening.decision is None
    assert moves(opening) == "h8 i9 j8 o1 a1"


def test_soosyrv():
    opening = Opening("soosyrv-8", "renju")
    play(
        opening,
        (FIRST, "place", "h8"),
        (FIRST, "place", "g9"),
        (FIRST, "place", "f10"),
        (SECOND, COLOUR, "black"),
        (FIRST, "place", "a1"),  # White, anywhere
        (FIRST, NUMBERS_8, "2"),
        (SECOND, COLOUR, "white"),  # Black may swap once more
        (FIRST, "offer", "c1"),
        (FIRST, "offer", "b1"),
        (SECOND, "select", "c1"),
    )
    assert opening.decision is None
    assert moves(opening) == "h8 g9 f10 a1 c1"
    assert opening.colour_of(FIRST) == BLACK


TARAGUCHI_FOUR = (
    (FIRST, "place", "h8"),
    (SECOND, COLOUR, "white"),
    (SECOND, "place", "i9"),
    (FIRST, COLOUR, "black"),
    (FIRST, "place", "j10"),
    (SECOND, COLOUR, "white"),
    (SECOND, "place", "k11"),
)


def test_taraguchi_with_single_moves_and_no_swap():
    opening = Opening("taraguchi-10", "renju")
    play(
        opening,
        *TARAGUCHI_FOUR,
        (FIRST, (*COLOUR, "offer"), "black"),
        (FIRST, "place", "l12"),
        (SECOND, COLOUR, "white"),
    )
    assert opening.decision is None
    assert moves(opening) == "h8 i9 j10 k11 l12"
    assert opening.board.turn == WHITE


def test_taraguchi_with_a_swap_after_every_move():
    opening = Opening("taraguchi-10", "renju")
    play(
        opening,
        (FIRST, "place", "h8"),
        (SECOND, COLOUR, "black"),
        (FIRST, "place", "i9"),
        (SECOND, COLOUR, "white"),
        (FIRST, "place", "j10"),
        (SECOND, COLOUR, "black"),
        (FIRST, "place", "k11"),
        (SECOND, (*COLOUR, "offer"), "white"),
        (FIRST, "place", "l12"),
        (SECOND, COLOUR, "black"),
    )
    assert opening.decision is None
    assert opening.player_of(BLACK) == SECOND


def test_taraguchi_with_ten_fifth_moves():
    opening = Opening("taraguchi-10", "renju")
    ten = ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1")
    play(
        opening,
        *TARAGUCHI_FOUR,
        (FIRST, (*COLOUR, "offer"), "offer"),
        *((FIRST, "offer", point) for point in ten),
        (SECOND, "select", "e1"),
    )
    assert opening.decision is None
    assert moves(opening) == "h8 i9 j10 k11 e1"


def test_taraguchi_keeps_each_move_inside_its_square():
    opening = Opening("taraguchi-10", "renju")
    for size, point in ((1, "h8"), (3, "i9"), (5, "j10"), (7, "k11"), (9, "l12")):
        assert len(now(opening).points) == size * size - opening.board.ply
        assert all(distance(CENTRE, p, 15) <= size // 2 for p in now(opening).points)
        opening.answer(point)
        opening.answer(now(opening).options[0])


def test_of_two_symmetric_fifth_moves_only_one_can_be_offered():
    # All stones stand on the middle column, so left and right are the same.
    opening = Opening.replay("rif", "renju", ["h8", "h9", "h10", "white", "h6", "g8"])
    assert now(opening).step == 2
    assert "i8" not in names(opening, now(opening).points)
    refused(opening, "i8", IllegalMove, "i8 is symmetric to g8, which has already been offered")
    refused(opening, "g8", IllegalMove, "g8 has already been offered")
    refused(opening, "h9", Occupied, "h9 is occupied")
    opening.answer("h7")  # its own mirror image
    assert now(opening).kind == "select"


def test_where_the_position_has_no_symmetry_any_two_fifth_moves_can_be_offered():
    opening = Opening.replay("rif", "renju", ["h8", "h9", "h10", "white", "g6", "g8"])
    assert len(now(opening).points) == 225 - 4 - 1
    opening.answer("i8")
    assert now(opening).kind == "select"


@pytest.mark.parametrize(
    ("answers", "answer", "error", "sentence"),
    [
        ([], "p1", OffBoard, "p1 is off the 15x15 board, whose points run from a1 to o15"),
        ([], 225, OffBoard, "225 is off the 15x15 board, whose points run from a1 to o15"),
        ([], "--", IllegalMove, "passing is not allowed in the opening"),
        (["h8"], PASS, IllegalMove, "passing is not allowed in the opening"),
        (
            [],
            "black",
            NotationError,
            "'black' is not a point: expected a letter and a number, such as h8",
        ),
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
        (
            "swap2",
            Rules.mnk(5, 4, 5),
            "opening Swap2 needs a board of at least 5x5, but this one is 5x4",
        ),
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
        (
            "rif",
            Rules.named("renju", (15, 13)),
            "opening RIF needs a square board, but this one is 15x13",
        ),
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
