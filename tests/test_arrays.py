"""Boards as arrays: planes, masks, actions, and the symmetries of all of them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tengen
from tengen import PASS, Board, IllegalMove, Rules, TengenError, arrays
from tests.strategies import rules

CLAIMED = Rules.named("renju", 9, fouls="claimed", passing=True)
OVERLINE = "a1a9b1b9c1c9e1e9f1f9"
"""After this d1 is an overline, on 9x9."""


def played(variant: Rules, choices: list[int]) -> Board:
    """A game whose actions are chosen by numbers, as long as it goes on."""
    board = Board(variant)
    for choice in choices:
        legal = np.flatnonzero(arrays.legal_mask(board))
        if not len(legal):
            break
        arrays.play(board, int(legal[choice % len(legal)]))
    return board


CHOICES = st.lists(st.integers(0, 1000), max_size=30)


def test_planes_are_seen_by_the_side_to_move():
    board = Board.from_moves("a1c2b1", Rules.mnk(4, 3, 3))
    own, other, last, black = arrays.planes(board)
    assert own.tolist() == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]], "White's, the bottom row first"
    assert other.tolist() == [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert last.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert not black.any()
    assert arrays.planes(Board()).sum(axis=(1, 2)).tolist() == [0, 0, 0, 225]
    assert arrays.planes(board).dtype == np.uint8
    assert len(arrays.PLANES) == len(arrays.planes(board))


def test_rules_may_be_names():
    for function in (
        arrays.has_claims,
        arrays.action_count,
        arrays.longest_game,
        arrays.claim_action,
        arrays.pass_action,
    ):
        for name in ("renju", "tictactoe", "mnk:4,3,3"):
            assert function(name) == function(Rules.parse(name))
        wrong: Any
        for wrong in ("chess", None, 5, Board()):
            with pytest.raises(tengen.RulesError):
                function(wrong)


WRONG = (None, -1, "nonsense", object(), [[1, 2], [3]], ["a"], b"0")


@pytest.mark.parametrize("value", WRONG)
def test_arguments_of_other_kinds_are_errors_of_one_line(value):
    turn, planes = arrays.symmetries(3)[1], arrays.planes(Board("tictactoe"))
    for call in (
        lambda: arrays.play(value, 0),
        lambda: arrays.play(Board(), value),
        lambda: arrays.stones(value),
        lambda: arrays.planes(value),
        lambda: arrays.legal_mask(value),
        lambda: arrays.batch(value),
        lambda: arrays.symmetries(value),
        lambda: arrays.inverse(value),
        lambda: arrays.transform_planes(value, turn),
        lambda: arrays.transform_planes(planes, value),
        lambda: arrays.transform_policy(value, turn),
        lambda: arrays.transform_policy(planes.reshape(4, 9), value),
        lambda: arrays.transform_board(value, turn),
        lambda: arrays.transform_board(Board("tictactoe"), value),
    ):
        with pytest.raises(TengenError) as refused:
            call()
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "symmetry", [[0, 0, 1], [1, 2, 3], [-1, 0, 1], [0.0, 1.0, 2.0], [False, True], [[0, 1], [0, 0]]]
)
def test_a_symmetry_is_a_permutation(symmetry):
    policy = np.zeros(np.shape(symmetry))
    for call in (
        lambda: arrays.inverse(symmetry),
        lambda: arrays.transform_policy(policy, symmetry),
        lambda: arrays.transform_planes(policy[..., None], symmetry),
    ):
        with pytest.raises(TengenError, match="each once"):
            call()


def test_a_board_is_moved_by_its_own_symmetries_alone():
    with pytest.raises(TengenError, match="a symmetry of this board"):
        arrays.transform_board(Board("tictactoe"), [1, 0, 2, 3, 4, 5, 6, 7, 8])
    with pytest.raises(TengenError, match="symmetries of shape"):
        arrays.transform_planes(np.zeros((1, 10)), arrays.symmetries(3)[0])


def test_stones_are_colours():
    board = Board.from_moves("a1c2b1", Rules.mnk(4, 3, 3))
    assert arrays.stones(board).tolist() == [[1, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]
    arrays.stones(board)[0, 0] = 5
    assert board["a1"] == tengen.BLACK


def test_fouls_are_left_out_of_the_mask_where_they_are_forbidden():
    board = Board.from_moves("f8i10g8j7h7e9h6g5", rules="renju")
    point = board.point("h8")
    assert not arrays.legal_mask(board)[point]
    lenient = Board.from_moves("f8i10g8j7h7e9h6g5", Rules.named("renju", fouls="loses"))
    assert arrays.legal_mask(lenient)[point]
    assert arrays.legal_mask(lenient).sum() == 225 - 8


def test_a_pass_is_the_last_action_and_a_claim_the_one_before():
    assert arrays.action_count(Rules()) == 225
    assert (arrays.claim_action(Rules()), arrays.pass_action(Rules())) == (None, None)
    assert arrays.action_count(CLAIMED) == 83
    assert (arrays.claim_action(CLAIMED), arrays.pass_action(CLAIMED)) == (81, 82)
    board = Board.from_moves(OVERLINE, CLAIMED)
    assert arrays.legal_mask(board)[81:].tolist() == [False, True]
    assert arrays.legal_mask(board)[PASS]
    arrays.play(board, board.point("d1"))
    assert arrays.legal_mask(board)[81:].tolist() == [True, True]
    arrays.play(board, 82)
    assert board.last == PASS
    assert not arrays.legal_mask(board)[81], "Black does not claim"
    with pytest.raises(IllegalMove):
        arrays.play(board, 81)
    arrays.play(board, board.point("i5"))
    arrays.play(board, 81)
    assert board.claimed
    assert not arrays.legal_mask(board).any()


def test_an_action_that_is_none():
    nothing: tuple[Any, ...] = (-1, 225, 1.5, None, "h8", True)
    for action in nothing:
        with pytest.raises(TengenError, match="expected a whole number from 0 to 224"):
            arrays.play(Board(), action)


def test_boards_in_a_batch():
    boards = [Board.from_moves(moves, rules="renju") for moves in ("", "h8", "h8i9")]
    planes, masks = arrays.batch(boards)
    assert planes.shape == (3, 4, 15, 15)
    assert masks.sum(axis=1).tolist() == [225, 224, 223]
    assert np.array_equal(planes[2], arrays.planes(boards[2]))
    wrong: Any
    for wrong in ([], [Board(), Board("renju")], [Board(), 5]):
        with pytest.raises(TengenError, match="Boards under the same rules"):
            arrays.batch(wrong)


@given(variant=rules(), choices=CHOICES, number=st.integers(0, 7))
def test_a_symmetry_of_the_arrays_is_that_of_the_board(variant, choices, number):
    board = played(variant, choices)
    group = arrays.symmetries(variant.width, variant.height)
    assert len(group) in ((8, 4, 2, 1) if variant.width == variant.height else (4, 2, 1))
    symmetry = group[number % len(group)]
    image = arrays.transform_board(board, symmetry)
    assert image.outcome() == board.outcome() or (image.outcome() and board.outcome())
    assert np.array_equal(arrays.stones(image), arrays.transform_planes(arrays.stones(board), symmetry))
    planes, mask = arrays.planes(board), arrays.legal_mask(board)
    assert np.array_equal(arrays.planes(image), arrays.transform_planes(planes, symmetry))
    assert np.array_equal(arrays.legal_mask(image), arrays.transform_policy(mask, symmetry))
    back = arrays.inverse(symmetry)
    assert np.array_equal(arrays.transform_planes(arrays.planes(image), back), planes)
    assert np.array_equal(arrays.transform_policy(arrays.legal_mask(image), back), mask)
    assert arrays.transform_board(image, back) == board


@given(choices=CHOICES)
def test_each_board_of_a_batch_has_a_symmetry_of_its_own(choices):
    board = played(CLAIMED, choices)
    assume(board.ply)
    group = arrays.symmetries(9)
    planes, masks = (np.stack([array] * 8) for array in (arrays.planes(board), arrays.legal_mask(board)))
    policies = masks.astype(np.float32)
    for moved, mapped, number in zip(
        arrays.transform_planes(planes, group),
        arrays.transform_policy(policies, group),
        range(8),
        strict=True,
    ):
        assert np.array_equal(moved, arrays.transform_planes(planes[0], group[number]))
        assert np.array_equal(mapped, arrays.transform_policy(policies[0], group[number]))
        assert mapped.dtype == np.float32


def test_a_set_up_position_has_symmetries_too():
    board = Board.from_stones(["a1", "c3"], ["b1"], rules=Rules.named("freestyle", 5))
    board.push("e5")
    image = arrays.transform_board(board, arrays.symmetries(5)[1])
    assert (image["e1"], image["c3"], image["d1"], image["a5"]) == (1, 1, 2, board["e5"])
    assert image.turn == board.turn
    claimed = Board.from_moves(f"{OVERLINE}d1", CLAIMED)
    claimed.claim()
    assert arrays.transform_board(claimed, arrays.symmetries(9)[3]).claimed


@pytest.mark.parametrize(
    "call",
    [
        lambda: arrays.transform_planes(np.zeros((4, 9, 8)), arrays.symmetries(9)[0]),
        lambda: arrays.transform_planes(np.zeros(80), arrays.symmetries(9)[0]),
        lambda: arrays.transform_policy(np.zeros(84), arrays.symmetries(9)[0]),
        lambda: arrays.transform_policy(np.zeros((3, 81)), arrays.symmetries(9)),
        lambda: arrays.transform_policy(np.zeros(81), arrays.symmetries(9)),
        lambda: arrays.transform_board(Board(), arrays.symmetries(9)[0]),
        lambda: arrays.transform_board(Board(), arrays.symmetries(15)),
        lambda: arrays.symmetries(0),
        lambda: arrays.planes("h8"),  # type: ignore[arg-type]
        lambda: arrays.legal_mask(None),  # type: ignore[arg-type]
    ],
)
def test_shapes_that_do_not_fit(call):
    with pytest.raises(TengenError) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_shared_symmetries_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        arrays.symmetries(9)[0, 0] = 5


def test_without_numpy_it_says_what_to_install():
    script = "import sys; sys.modules['numpy'] = None\nimport tengen.arrays"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "the package numpy is missing: install it with pip install tengen" in done.stderr
