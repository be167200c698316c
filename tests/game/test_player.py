from __future__ import annotations

import math
import pickle
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Board, Branch, Choice, Explanation, GameTime, Limit, Part, Player, Score, TengenError
from tengen.game.player import SOONEST, explanation, player_repr
from tengen.game.score_units import WIN
from tengen.players.random import Random
from tengen.words import Message


def test_a_limit_without_bounds():
    assert Limit() == Limit(seconds=None, nodes=None, depth=None)
    assert Limit(nodes=100) != Limit(depth=100)


def _whole(most):
    return f"expected a whole number from 1 to {most}"


SECONDS = "expected a number above 0, up to 1000000"


@pytest.mark.parametrize("value", [0, -1, 100.5, 2.0, math.nan, math.inf, "100", True, [], 1 << 63])
@pytest.mark.parametrize(("name", "most"), [("nodes", 1 << 62), ("depth", 999_999_999)])
def test_nodes_and_depths_are_whole_numbers_from_one_up(name, most, value):
    with pytest.raises(TengenError, match=f"^{name} is .*: {_whole(most)}$"):
        Limit(**{name: value})


@pytest.mark.parametrize("value", [0, 0.0, -1, -0.5, math.nan, math.inf, -math.inf, "1", True, [], 1e7])
def test_seconds_are_numbers_above_nothing(value):
    with pytest.raises(TengenError, match=f"^seconds is .*: {SECONDS}$"):
        Limit(seconds=value)


def test_what_is_left_of_a_limit():
    assert Limit().after(5, 5) == Limit()
    assert Limit(10.0, 100, 7).after(4, 30) == Limit(6.0, 70, 7)
    assert Limit(10.0, 100).after(11, 100) == Limit(SOONEST, 1)


def test_numbers_of_numpy_are_bounds():
    bounds: tuple[Any, ...] = (np.float64(0.5), np.int64(100), np.int32(3))
    assert Limit(*bounds) == Limit(0.5, 100, 3)


def test_the_clock_is_in_numbers():
    assert GameTime(game=60, left=0.5).left == 0.5
    for value in ("5", -1, math.nan, math.inf, True, 1e9):
        with pytest.raises(TengenError, match=r"^left is .*: expected a number from 0 to 1000000$"):
            GameTime(left=value)  # type: ignore[arg-type]
    with pytest.raises(TengenError, match=r"^increment is None: expected"):
        GameTime(increment=None)  # type: ignore[arg-type]
    with pytest.raises(TengenError, match=r"^time is 5: expected a GameTime, or None$"):
        Limit(time=5)  # type: ignore[arg-type]


def test_an_even_score():
    assert Score(0).win_rate == 0.5
    assert Score(0).mate is None


def test_more_is_better():
    rates = [Score(value).win_rate for value in (-5000, -500, -50, 0, 50, 500, 5000)]
    assert rates == sorted(rates)
    assert all(0 < rate < 1 for rate in rates)


def test_the_odds_grow_by_a_factor_of_e():
    rate = Score(200).win_rate
    assert math.isclose(rate / (1 - rate), math.e)


@given(st.integers(-(10**6), 10**6))
def test_the_other_side_has_the_rest(value):
    assert math.isclose(Score(value).win_rate + Score(-value).win_rate, 1)


@given(st.integers(0, 500))
def test_a_win_in_sight(plies):
    won, lost = Score.win_in(plies), Score.loss_in(plies)
    assert (won.mate, lost.mate) == (plies, -plies)
    assert won.value == -lost.value == WIN - plies
    assert lost.win_rate == 0.0 or plies == 0


def test_a_win_in_sight_is_certain():
    assert Score.win_in(7).win_rate == 1.0
    assert Score.loss_in(8).win_rate == 0.0


def test_a_win_that_is_nearer_is_better():
    assert Score.win_in(1).value > Score.win_in(3).value > Score(5000).value
    assert Score.loss_in(4).value > Score.loss_in(2).value


@given(st.integers(-2000, 2000))
def test_a_score_round_trips_through_its_win_rate(value):
    assert Score.from_win_rate(Score(value).win_rate) == Score(value)


@pytest.mark.parametrize("rate", [0, 1, -0.5, 1.5])
def test_no_win_rate_makes_a_win_in_sight(rate):
    score = Score.from_win_rate(rate)
    assert score.mate is None
    assert abs(score.value) < WIN / 2
    assert (score.value > 0) == (rate >= 1)


@pytest.mark.parametrize("values", [(0.5,), (True,), ("10",), (None,), (0, 3.0), (0, False)])
def test_a_score_is_whole_numbers(values):
    with pytest.raises(TypeError):
        Score(*values)


def test_choices_and_explanations_are_values():
    choice = Choice(112, Score(10), (112, 128), nodes=5, seconds=0.1)
    assert choice == pickle.loads(pickle.dumps(choice))
    tree = Branch(-1, 0.5, None, (Branch(112, 0.5, Message("explain.random", {"count": 2})),))
    part = Part(Message("foul.overline"), (1, 2), 3.0)
    explanation = Explanation(
        Message("explain.random", {"count": 2}), {112: 3.0}, {112: (part,)}, ((112,),), tree
    )
    assert explanation == pickle.loads(pickle.dumps(explanation))
    assert Choice(112) == Choice(112, None, (), 0, 0.0)


def test_who_looks_like_a_player():
    assert isinstance(Random(), Player)

    class Nobody:
        name = "nobody"

        def choose(self, board, limit=None, stop=None):
            raise NotImplementedError

    assert not isinstance(Nobody(), Player)
    assert not isinstance("random", Player)


class Plain:
    """A player as others have written them: its explanation takes a board and no more."""

    name = "py:tests.game.test_player:Plain"

    def choose(self, board, limit=None, stop=None):
        return Choice(board.legal_points()[0])

    def explain(self, board: Board) -> Explanation:
        return Explanation(Message("explain.own"), {board.legal_points()[0]: 1.0})


class Listening(Plain):
    """One that says what it was told."""

    def explain(self, board, limit=None, stop=None):
        assert limit == Limit(nodes=1)
        assert stop is not None
        return super().explain(board)


@pytest.mark.parametrize("kind", [Plain, Listening])
def test_an_explanation_that_takes_only_a_board(kind):
    board = Board.from_moves("h8i9")
    why = explanation(kind(), board, Limit(nodes=1), threading.Event())
    assert why.weights == {board.legal_points()[0]: 1.0}


def test_a_player_is_shown_as_the_call_that_makes_it():
    assert player_repr(Random(seed=7)) == "tengen.player('random,seed=7')"
