from __future__ import annotations

import copy
import pickle

import pytest

from tengen import (
    Forbidden,
    GameOver,
    IllegalMove,
    NotAllowed,
    NotationError,
    Occupied,
    OffBoard,
    RulesError,
    TengenError,
)
from tengen.words import Message, say

KINDS = (
    Forbidden,
    GameOver,
    IllegalMove,
    NotAllowed,
    NotationError,
    Occupied,
    OffBoard,
    RulesError,
    TengenError,
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_a_value_error(kind):
    assert issubclass(kind, TengenError)
    assert issubclass(kind, ValueError)


@pytest.mark.parametrize("kind", [OffBoard, Occupied, Forbidden, GameOver])
def test_four_ways_for_a_move_to_be_illegal(kind):
    assert issubclass(kind, IllegalMove)


def test_an_error_says_its_sentence_in_both_languages():
    error = Occupied("error.occupied", point="h8")
    assert str(error) == "h8 is occupied"
    assert error.message == Message("error.occupied", {"point": "h8"})
    assert say(error.message, "zh") != str(error)
    assert "h8" in say(error.message, "zh")


def test_an_error_without_values():
    assert str(IllegalMove("error.nothing_to_pop")) == "there is no move to take back"


def test_an_error_whose_value_is_a_message():
    error = Forbidden("error.forbidden", point="h8", kind=Message("foul.double-three"))
    assert str(error) == "h8 is forbidden to Black: three-three"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))]
)
def test_errors_are_copied_whole(kind, again):
    error = kind("error.forbidden", point="h8", kind=Message("foul.overline"))
    twin = again(error)
    assert type(twin) is kind
    assert twin.message == error.message
    assert str(twin) == str(error)


def test_an_error_may_be_a_sentence_of_its_own():
    """Players and programs of other people have none in the catalogue."""
    assert str(TengenError("the book is missing")) == "the book is missing"
