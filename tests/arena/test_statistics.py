from __future__ import annotations

import json
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.statistics import NORMALIZED, Tally, elo_of, score_of

RESULTS = (0, 0.5, 1)


def paired(*pairs):
    """A tally of pairs by points, those of one point being two draws."""
    none, half, one, most, both = pairs
    return Tally(2 * both + most, half + 2 * one + most, 2 * none + half, pairs)


def tallies(most=50):
    """Any tally: pairs, and games without a partner."""
    result = st.sampled_from(RESULTS)
    pairs = st.lists(st.tuples(result, result | st.none()), max_size=most)
    return pairs.map(Tally.from_pairs)


# -- counting


def test_games_are_counted_by_result():
    tally = Tally.from_points([1, 0.5, 0, 1])
    assert tally == Tally(wins=2, draws=1, losses=1)
    assert (tally.games, tally.points, tally.score) == (4, 2.5, 0.625)
    assert not tally.paired
    assert tally.outcomes == ((0, 1), (0.5, 1), (1, 2))


def test_pairs_are_counted_by_points():
    tally = Tally.from_pairs([(1, 1), (1, 0.5), (1, 0), (0.5, 0.5), (0, 0), (0.5, None), (None, 1)])
    assert tally == Tally(wins=5, draws=4, losses=3, pairs=(1, 0, 2, 1, 1))
    assert tally.paired
    assert tally.outcomes == ((0, 1), (0.25, 0), (0.5, 2), (0.75, 1), (1, 1))


def test_pairs_may_come_one_at_a_time():
    pairs = [(1, 0.5), (0, 0), (0.5, None)]
    assert sum((Tally.from_pairs([pair]) for pair in pairs), Tally()) == Tally.from_pairs(pairs)


@pytest.mark.parametrize("points", [[2], [0.25], [-1], [math.nan]])
def test_other_results_are_refused(points):
    with pytest.raises(ValueError, match=r"."):
        Tally.from_points(points)
    with pytest.raises(ValueError, match=r"."):
        Tally.from_pairs([(points[0], 1)])


@pytest.mark.parametrize(
    "counts",
    [
        (-1, 0, 0),
        (1, 0, 0, (0, 0, 0, 0, 1)),  # two wins are in the pair
        (0, 1, 1, (0, 0, 1, 0, 0)),  # two draws, or a win and a loss
        (1, 1, 1, (0, 0, 1, 0, 1)),
        (0, 0, 0, (0, 0, -1, 0, 0)),
        (2, 2, 2, (0, 0, 0, 0)),
    ],
)
def test_pairs_must_fit_the_games(counts):
    with pytest.raises(ValueError, match="Tally"):
        Tally(*counts)


@given(tallies(), tallies())
def test_tallies_add_up(one, other):
    both = one + other
    assert both.games == one.games + other.games
    assert both.points == one.points + other.points
    assert sum(both.pairs) == sum(one.pairs) + sum(other.pairs)
    assert both == other + one
    assert one + Tally() == one


# -- what it says


def test_elo_and_score():
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(1) == math.inf
    assert elo_of(0) == -math.inf
    assert score_of(400) == pytest.approx(10 / 11)
    assert score_of(-400) == pytest.approx(1 / 11)
    assert score_of(math.inf) == 1
    assert score_of(-1e9) == 0


@given(st.floats(-2000, 2000))
def test_elo_and_score_are_inverse(elo):
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)
    assert score_of(elo) + score_of(-elo) == pytest.approx(1)


def test_a_reported_match():
    """1013 - 896 - 1998, as reported by a match runner (github.com/JoAnnP38/PedanticRF/pull/51)."""
    tally = Tally(wins=1013, draws=1998, losses=896)
    assert f"{tally.elo:.1f} +/- {tally.elo_error:.1f}" == "10.4 +/- 7.6"
    assert f"{100 * tally.los:.1f} %" == "99.6 %"


def test_a_reported_match_of_pairs():
    """From the wiki of Reckless, "Progress tracking", 2025-12-06: 30.09 +- 2.56, nElo 56.71."""
    tally = paired(59, 1751, 4800, 3267, 169)
    assert f"{tally.elo:.2f} +- {tally.elo_error:.2f}" == "30.09 +- 2.56"
    assert tally.normalized_elo == pytest.approx(56.71, abs=0.005)


def test_statistics_of_a_published_test():
    """montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712, "Pentanomial statistics"."""
    tally = paired(13, 37, 50, 25, 3)
    assert tally.score == 0.4375
    assert tally.elo == pytest.approx(-43.6578, abs=5e-5)
    assert tally.variance == pytest.approx(0.11523, abs=5e-6)
    assert tally.normalized_elo == pytest.approx(-63.97, abs=0.005)


def test_by_hand_without_pairs():
    # 3 wins and a loss: score 3/4, variance 3/16, standard error sqrt(3/64) = 0.2165.
    tally = Tally(wins=3, losses=1)
    assert tally.elo == pytest.approx(400 * math.log10(3))
    assert tally.variance == pytest.approx(3 / 16)
    assert tally.elo_error is None  # 0.75 + 1.96 * 0.2165 is more than 1
    assert tally.normalized_elo == pytest.approx(800 / math.log(10) * 0.25 / math.sqrt(3 / 16))
    assert tally.los == pytest.approx(0.5 * (1 + math.erf(2 / math.sqrt(8))))


def test_by_hand_with_pairs():
    # Pairs of 0.5, 1 and 1.5 points, as often: mean scores 1/4, 1/2, 3/4, of variance 1/24.
    tally = paired(0, 40, 40, 40, 0)
    assert tally.variance == pytest.approx(2 / 24)
    reach = 1.959964 * math.sqrt(2 / 24 / 240)
    assert tally.elo_error == pytest.approx(elo_of(0.5 + reach), rel=1e-6)
    # At t = 0 the error of normalized Elo is 1.96 * 800 / ln 10 / sqrt(games).
    assert tally.normalized_elo_error == pytest.approx(1.959964 * NORMALIZED / math.sqrt(240), rel=1e-6)


def test_pairs_tell_more_than_games():
    """Where the opening decides, each wins once: nearly no noise, though no game is drawn."""
    opening_decides = [(1, 0)] * 90 + [(1, 1)] * 6 + [(0, 0)] * 4
    pairs = Tally.from_pairs(opening_decides)
    games = Tally.from_points([points for pair in opening_decides for points in pair])
    assert pairs.elo == games.elo
    assert pairs.elo_error is not None
    assert games.elo_error is not None
    assert pairs.elo_error < games.elo_error / 2
    assert pairs.los > games.los > 0.5


def test_a_game_without_a_partner_moves_the_score_only():
    pairs = Tally.from_pairs([(1, 0), (1, 0.5), (0, 0.5)] * 10)
    more = pairs + Tally(wins=1)
    assert more.variance == pairs.variance
    assert more.score > pairs.score
    assert more.los > pairs.los == 0.5


def test_before_the_first_game():
    tally = Tally()
    assert (tally.score, tally.elo, tally.los) == (0.5, 0, 0.5)
    assert tally.elo_error is tally.normalized_elo is tally.normalized_elo_error is tally.variance is None


@pytest.mark.parametrize("tally", [Tally(wins=10), Tally.from_pairs([(1, 1)] * 5)])
def test_only_wins(tally):
    assert tally.elo == math.inf
    assert tally.swapped().elo == -math.inf
    assert tally.elo_error is None
    assert tally.normalized_elo is None
    assert 0.98 < tally.los < 1
    assert tally.to_dict()["elo"] is None


@pytest.mark.parametrize("tally", [Tally(draws=10), Tally.from_pairs([(1, 0)] * 5), Tally(draws=1)])
def test_where_all_ended_the_same_there_is_no_error(tally):
    assert (tally.elo, tally.los) == (0, 0.5)
    assert tally.elo_error is tally.normalized_elo is tally.normalized_elo_error is None


def test_where_normalized_elo_cannot_vary_there_is_no_error():
    """One pair without a point to two of half a point: no other share of the two has a larger t."""
    tally = Tally.from_pairs([(0, 0), (0, 0.5), (0, 0.5)])
    assert tally.normalized_elo is not None
    assert tally.normalized_elo_error is None


@given(tallies())
def test_nothing_is_ever_nan(tally):
    text = json.dumps(tally.to_dict(), allow_nan=False)
    assert json.loads(text)["games"] == tally.games
    assert 0 <= tally.los <= 1
    assert tally.elo_error is None or tally.elo_error > 0
    assert tally.normalized_elo_error is None or tally.normalized_elo_error > 0


@given(tallies())
def test_seen_from_the_other_player(tally):
    other = tally.swapped()
    assert other.swapped() == tally
    assert other.score == pytest.approx(1 - tally.score)
    assert other.elo == pytest.approx(-tally.elo)
    assert other.los == pytest.approx(1 - tally.los)
    for name in ("elo_error", "normalized_elo_error", "variance"):
        mine, theirs = getattr(tally, name), getattr(other, name)
        assert (mine is None) == (theirs is None)
        assert mine is None or mine == pytest.approx(theirs, rel=1e-6)


@pytest.mark.long
@pytest.mark.parametrize(
    ("weights", "outcomes"),
    [
        ((20, 10, 70), ((0,), (0.5,), (1,))),
        ((5, 30, 40, 15, 10), ((1, 1), (1, 0), (0.5, 0.5), (0.5, 0), (0, 0))),
        ((60, 25, 10, 4, 1), ((1, 1), (1, 0.5), (1, 0), (0.5, 0), (0, 0))),
    ],
)
def test_the_intervals_hold_the_truth_as_often_as_they_say(weights, outcomes):
    """95 % of 1500 matches of 400 units; 2.2 % are four standard deviations of that share."""
    rng = random.Random(7)
    total = sum(weights)
    mean = [sum(points) / len(points) for points in outcomes]
    score = sum(w * m for w, m in zip(weights, mean, strict=True)) / total
    second = sum(w * (m - score) ** 2 for w, m in zip(weights, mean, strict=True)) / total
    truth = elo_of(score), NORMALIZED * (score - 0.5) / math.sqrt(len(outcomes[0]) * second)
    inside = [0, 0]
    for _ in range(1500):
        units = rng.choices(outcomes, weights, k=400)
        tally = (
            Tally.from_pairs(units)
            if len(outcomes[0]) == 2
            else Tally.from_points([unit[0] for unit in units])
        )
        assert tally.elo_error is not None
        assert tally.normalized_elo is not None
        assert tally.normalized_elo_error is not None
        inside[0] += abs(tally.elo - truth[0]) < tally.elo_error
        inside[1] += abs(tally.normalized_elo - truth[1]) < tally.normalized_elo_error
    assert all(abs(count / 1500 - 0.95) < 0.022 for count in inside)
