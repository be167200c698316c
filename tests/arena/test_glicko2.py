"""Glicko-2: Glickman's own example, and what holds for any players and results."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tengen.arena.glicko2 import MEAN, PROVISIONAL, SCALE, UNKNOWN, VOLATILITY, Glicko2, updated

PLAYERS = st.builds(
    Glicko2,
    st.floats(500, 2800),
    st.floats(30, UNKNOWN),
    st.floats(0.03, 0.1),
)
SCORES = st.sampled_from([0.0, 0.5, 1.0])
RESULTS = st.lists(st.tuples(PLAYERS, SCORES), min_size=1, max_size=8)


def test_the_published_example() -> None:
    """Glickman's player of 1500 beats one of three opponents in a period, with tau 0.5."""
    player = Glicko2(1500, 200, 0.06)
    results = [(Glicko2(1400, 30), 1.0), (Glicko2(1550, 100), 0.0), (Glicko2(1700, 300), 0.0)]
    found = updated(player, results, tau=0.5)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_does_not_play_is_known_less_and_not_rated_differently() -> None:
    """Step 6 of the paper: the deviation grows by the volatility."""
    found = updated(Glicko2(1700, 100, 0.06), [])
    assert found.rating == 1700
    assert found.deviation == pytest.approx(math.hypot(100, 0.06 * SCALE))
    assert found.volatility == 0.06
    assert updated(Glicko2(1700, 100, 0.06), [], periods=1e6).deviation == UNKNOWN


def test_a_rating_is_provisional_until_some_games_are_played() -> None:
    one, games = Glicko2(), 0
    assert one == Glicko2(MEAN, UNKNOWN, VOLATILITY)
    while one.provisional:
        one = updated(one, [(Glicko2(1500, 60), games % 2)], periods=0.0)
        games += 1
    assert one.deviation <= PROVISIONAL
    assert 6 <= games <= 15


@given(PLAYERS, RESULTS, st.floats(0, 3))
def test_numbers_stay_sensible(
    player: Glicko2, results: list[tuple[Glicko2, float]], periods: float
) -> None:
    found = updated(player, results, periods)
    assert math.isfinite(found.rating)
    assert 0 < found.deviation <= UNKNOWN
    assert 0 < found.volatility < 1
    aged = updated(player, [], periods)
    if found.volatility <= player.volatility:
        assert found.deviation <= aged.deviation


@given(PLAYERS, PLAYERS, st.floats(0, 1))
def test_a_win_never_costs_and_a_loss_never_pays(one: Glicko2, other: Glicko2, periods: float) -> None:
    lost, drawn, won = (updated(one, [(other, score)], periods).rating for score in (0.0, 0.5, 1.0))
    assert lost <= one.rating <= won
    assert lost <= drawn <= won


@given(PLAYERS, PLAYERS)
def test_the_rating_moves_as_the_score_differs_from_what_was_expected(one: Glicko2, other: Glicko2) -> None:
    assume(abs(one.rating - other.rating) > 1)
    drawn = updated(one, [(other, 0.5)]).rating
    assert (drawn > one.rating) == (other.rating > one.rating)


@given(PLAYERS, RESULTS, st.randoms(use_true_random=False))
def test_the_order_of_games_within_a_period_does_not_matter(
    player: Glicko2, results: list[tuple[Glicko2, float]], shuffling: random.Random
) -> None:
    shuffled = list(results)
    shuffling.shuffle(shuffled)
    first, second = updated(player, results), updated(player, shuffled)
    assert second.rating == pytest.approx(first.rating, abs=0.01)
    assert second.deviation == pytest.approx(first.deviation, abs=0.01)


@given(st.floats(500, 2800), st.floats(30, UNKNOWN))
def test_of_two_who_are_known_alike_one_gains_what_the_other_loses(rating: float, deviation: float) -> None:
    one = Glicko2(rating, deviation)
    won, lost = updated(one, [(one, 1.0)]), updated(one, [(one, 0.0)])
    assert won.rating - rating == pytest.approx(rating - lost.rating, abs=1e-6)
    assert won.deviation == pytest.approx(lost.deviation)


def test_ratings_find_out_who_is_stronger() -> None:
    """Two who differ by 300 points, and play 200 games as they should."""
    chance, played = 1 / (1 + 10 ** (-300 / 400)), random.Random(7)
    one = other = Glicko2()
    for _ in range(200):
        score = float(played.random() < chance)
        one, other = updated(one, [(other, score)], 0.01), updated(other, [(one, 1 - score)], 0.01)
    assert one.rating - other.rating == pytest.approx(300, abs=100)
    assert not one.provisional
