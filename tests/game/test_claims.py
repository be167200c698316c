"""Passing, the three ways in which fouls are enforced, and boards where nothing is left to play."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from tengen import BLACK, PASS, WHITE, Board, Forbidden, Foul, GameOver, Outcome, Rules
from tests import oracle, strategies
from tests.errors import key_of
from tests.positions import drawn, ended, foul_at, state

SIX = """
    . . . . . . .
    . . . . . . .
    X X p X X X .
    . . . . . . .
"""
FOUR_FOUR = """
    . . . . . . .
    . . . . . . .
    X . X p X . X
    . . . . . . .
"""
THREE_THREE = """
    . . . . . . .
    . . X . . . .
    . . X . . . .
    . . p . X X .
    . . . . . . .
    . . . . . . .
"""
FOULS = [
    pytest.param(picture, kind, id=kind)
    for picture, kind in ((SIX, "overline"), (FOUR_FOUR, "double-four"), (THREE_THREE, "double-three"))
]


def kind_of(foul: Foul | None) -> str:
    assert foul is not None
    return foul.kind


# -- passing

PASSING = Rules.named("freestyle", passing=True)


def test_a_pass_gives_the_turn_away():
    board = Board.from_moves("h8i9g7--", PASSING)
    assert (board.turn, board.last, board.ply) == (BLACK, PASS, 4)
    assert len(board.legal_points()) == 222
    assert PASS not in board.legal_points()
    board.push("a1")
    assert board.turn == WHITE
    assert board.stones(BLACK) == [0, 96, 112]


def test_a_pass_needs_three_stones():
    board = Board(PASSING)
    for move in ("h8", "i9", "g7"):
        assert not board.is_legal("--")
        assert key_of(board.push, PASS) == "error.pass.early"
        board.push(move)
    assert board.is_legal("--")
    assert board.is_legal(PASS)


def test_a_pass_needs_three_stones_on_a_set_up_position_too():
    assert not Board.from_stones(["h8"], ["i9"], rules=PASSING).is_legal(PASS)
    assert Board.from_stones(["h8", "g7"], ["i9"], rules=PASSING).is_legal(PASS)


def test_two_passes_in_a_row_draw():
    board = Board.from_moves("h8i9g7----", PASSING)
    assert board.outcome() == Outcome(None, "passes")
    assert not board.is_legal(PASS)
    assert key_of(board.push, PASS) == "error.game_over"
    assert board.pop() == PASS
    assert board.outcome() is None
    board.push("a1")
    assert board.outcome() is None


def test_two_passes_with_a_move_between_them_do_not_draw():
    board = Board.from_moves("h8i9g7--a1--", PASSING)
    assert board.outcome() is None
    board.push("--")
    assert board.outcome() == Outcome(None, "passes")


def test_a_full_board_is_a_draw_under_passing_too():
    board = Board.from_moves("a1b1c1--", Rules(width=4, height=1, passing=True))
    assert board.outcome() is None
    board.push("d1")
    assert board.outcome() == Outcome(None, "full")


# -- Black with only forbidden points left

ONLY_FOULS = """
    O X O X O X O
    X X X p X X X
    O X O X O X O
    X O X O X O X
"""


def test_black_without_a_legal_point_draws():
    board, at = drawn(ONLY_FOULS.replace("p", "."))
    assert set(board.fouls()) == {board.point("d3")}
    assert board.outcome() == Outcome(None, "full")
    assert board.legal_points() == []
    assert at == {}


def test_white_has_a_legal_point_there():
    board, at = drawn(ONLY_FOULS, turn=WHITE)
    assert board.outcome() is None
    assert board.legal_points() == [at["p"]]


def test_the_draw_comes_with_the_move_before_it():
    board, at = drawn(ONLY_FOULS.replace("O X O X O X O", "w X O X O X O", 1), turn=WHITE)
    assert board.outcome() is None
    board.push(at["w"])
    assert board.outcome() == Outcome(None, "full")
    board.pop()
    assert board.outcome() is None


def test_where_passing_is_allowed_black_passes_instead():
    board, at = drawn(ONLY_FOULS, passing=True)
    assert board.outcome() is None
    assert board.legal_points() == []
    with pytest.raises(Forbidden):
        board.push(at["p"])
    board.push(PASS)
    board.push(at["p"])
    assert board.outcome() == Outcome(None, "full")


def test_where_it_is_too_early_to_pass_black_draws_as_well():
    board, _ = drawn("X . X", rules="freestyle", k=2, overline="foul", passing=True)
    assert board.legal_points() == []
    assert not board.is_legal(PASS)
    assert board.outcome() == Outcome(None, "full")


@pytest.mark.parametrize("fouls", ["loses", "claimed"])
def test_where_fouls_may_be_played_the_game_goes_on(fouls):
    board, at = drawn(ONLY_FOULS, fouls=fouls)
    assert board.outcome() is None
    assert board.legal_points() == [at["p"]]


# -- fouls that lose


@pytest.mark.parametrize(("picture", "kind"), FOULS)
def test_a_foul_loses_at_once(picture, kind):
    board, at = drawn(picture, fouls="loses")
    expected = foul_at(board, at["p"])
    assert at["p"] in board.legal_points()
    board.push(at["p"])
    assert board.outcome() == Outcome(WHITE, "foul", foul=expected)
    assert expected.kind == kind
    assert board.legal_points() == []
    assert board.claimable() is None
    assert key_of(board.claim) == "error.claim.over"
    board.pop()
    assert board.outcome() is None
    assert board.foul(at["p"]) == expected


def test_a_foul_that_fills_the_board_loses():
    board, at = drawn(ONLY_FOULS, fouls="loses")
    board.push(at["p"])
    assert (ended(board).winner, ended(board).reason) == (WHITE, "foul")


@pytest.mark.parametrize(("picture", "kind"), FOULS)
@pytest.mark.parametrize("fouls", ["forbidden", "loses", "claimed"])
def test_white_makes_no_fouls(picture, kind, fouls):
    board, at = drawn(picture.replace("X", "O"), turn=WHITE, fouls=fouls)
    board.push(at["p"])
    assert board.claimable() is None
    assert (board.outcome() is not None) == (kind == "overline")


# -- fouls that White claims


@pytest.mark.parametrize(("picture", "kind"), FOULS)
def test_white_claims_a_foul_and_wins(picture, kind):
    board, at = drawn(picture, fouls="claimed")
    foul = foul_at(board, at["p"])
    assert board.claimable() is None
    board.push(at["p"])
    assert board.outcome() is None
    assert board.claimable() == foul
    assert not board.claimed
    board.claim()
    assert board.claimed
    assert board.outcome() == Outcome(WHITE, "foul", foul=foul)
    assert foul.kind == kind
    assert board.legal_points() == []
    assert board.claimable() is None
    with pytest.raises(GameOver):
        board.push("a1")
    assert key_of(board.claim) == "error.claim.over"


@pytest.mark.parametrize(("picture", "kind"), FOULS)
def test_what_lapses_when_white_plays_on(picture, kind):
    board, at = drawn(picture, fouls="claimed")
    board.push(at["p"])
    board.push("a1")
    if kind == "overline":
        assert kind_of(board.claimable()) == "overline"
        board.push("g1")
        board.push("b1")
        assert kind_of(board.claimable()) == "overline"
        board.claim()
        assert ended(board).winner == WHITE
    else:
        assert board.claimable() is None
        assert key_of(board.claim) == "error.claim.nothing"
        assert board.outcome() is None


def test_what_has_lapsed_can_be_claimed_after_a_take_back():
    board, at = drawn(THREE_THREE, fouls="claimed")
    board.push(at["p"])
    board.push("a1")
    assert board.claimable() is None
    board.pop()
    assert kind_of(board.claimable()) == "double-three"


def test_a_pass_of_whites_lets_a_foul_lapse():
    board, at = drawn(THREE_THREE, fouls="claimed", passing=True)
    board.push(at["p"])
    board.push(PASS)
    assert board.claimable() is None


def test_an_overline_in_a_set_up_position_can_be_claimed():
    board, _ = drawn(SIX.replace("p", "X"), turn=WHITE, fouls="claimed")
    assert kind_of(board.claimable()) == "overline"
    board.claim()
    assert ended(board).winner == WHITE


def test_a_double_three_in_a_set_up_position_cannot():
    board, _ = drawn(THREE_THREE.replace("p", "X"), turn=WHITE, fouls="claimed")
    assert board.claimable() is None


def test_a_claim_after_a_full_board():
    board, at = drawn(ONLY_FOULS, fouls="claimed")
    foul = foul_at(board, at["p"])
    board.push(at["p"])
    assert board.outcome() == Outcome(None, "full")
    assert board.claimable() == foul
    board.claim()
    assert board.outcome() == Outcome(WHITE, "foul", foul=foul)
    board.pop()
    assert board.outcome() is None


def test_a_full_board_without_a_foul_leaves_nothing_to_claim():
    board = Board.from_moves("a1b1c1", Rules.named("renju", size=(3, 1), fouls="claimed"))
    assert board.outcome() == Outcome(None, "full")
    assert board.claimable() is None
    assert key_of(board.claim) == "error.claim.over"


def test_taking_back_after_a_claim():
    board, at = drawn(SIX, fouls="claimed")
    before = state(board)
    board.push(at["p"])
    board.claim()
    assert board.pop() == at["p"]
    assert board.outcome() is None
    assert not board.claimed
    assert state(board) == before
    assert pickle.loads(pickle.dumps(board)) == board


@pytest.mark.parametrize("rules", ["renju", "freestyle", Rules.named("freestyle", fouls="claimed")])
def test_rules_under_which_nothing_is_claimed(rules):
    board = Board.from_moves("h8", rules)
    assert board.claimable() is None
    assert key_of(board.claim) == "error.claim.rules"


def test_a_five_can_still_be_made_after_an_unclaimed_foul():
    board, at = drawn(FOUR_FOUR, fouls="claimed")
    board.push(at["p"])
    board.push("a1")
    board.push("b2")
    assert (ended(board).winner, ended(board).reason) == (BLACK, "five")
    assert board.claimable() is None
    assert key_of(board.claim) == "error.claim.over"


def test_a_refused_claim_changes_nothing():
    board, _ = drawn(SIX, fouls="claimed")
    before = state(board)
    assert key_of(board.claim) == "error.claim.nothing"
    assert state(board) == before


@given(strategies.played(strategies.fouled_rules(), most=70))
def test_what_can_be_claimed_is_the_last_foul_or_a_standing_overline(board):
    rules, outcome = board.rules, board.outcome()
    claimable = board.claimable()
    if rules.fouls != "claimed" or (outcome is not None and outcome.reason != "full"):
        assert claimable is None
        return
    last = board.last
    kind = None
    if last is not None and last != PASS and board[last] == BLACK:
        kind = oracle.foul(rules, oracle.put(board.position, last, 0), last)
    if kind is None and rules.overline == "foul":
        stones = board.stones(BLACK)
        kind = "overline" if any(oracle.overlines(rules, board.position, p) for p in stones) else None
    assert (claimable and claimable.kind) == kind
    if claimable is not None:
        board.claim()
        assert board.outcome() == Outcome(WHITE, "foul", foul=claimable)


@given(strategies.played(strategies.fouled_rules(), most=70))
def test_no_foul_is_ever_played_where_fouls_are_forbidden(board):
    if board.rules.fouls != "forbidden":
        return
    while board.ply:
        move = board.pop()
        if board.turn == BLACK and move != PASS:
            assert oracle.foul(board.rules, board.position, move) is None
