from __future__ import annotations

import math
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tengen import TengenError
from tengen.arena.sprt import MODELS, Sprt
from tengen.arena.statistics import NORMALIZED, Tally, score_of
from tests.arena.test_statistics import paired, tallies

PENTANOMIAL = (0, 0.25, 0.5, 0.75, 1)

counts = st.integers(0, 400) | st.sampled_from((0, 1, 5000))
matches = st.one_of(
    st.builds(paired, counts, counts, counts, counts, counts),
    st.builds(Tally, counts, counts, counts),
    tallies(20),
)
elos = st.floats(-300, 300)


@st.composite
def sprts(draw):
    low, high = sorted((draw(elos), draw(elos)))
    assume(high - low > 0.01)
    return Sprt(low, high, model=draw(st.sampled_from(MODELS)))


# -- the numbers that define a test


def test_a_test_says_when_to_stop():
    sprt = Sprt(elo0=0, elo1=10)
    assert sprt.bounds == pytest.approx((-2.944, 2.944), abs=5e-4)
    assert sprt.decision(Tally()) is None
    assert sprt.decision(Tally(wins=110, draws=100, losses=90)) is None
    assert sprt.decision(Tally(wins=1100, draws=1000, losses=900)) == "H1"
    assert sprt.decision(Tally(wins=900, draws=1000, losses=1100)) == "H0"


def test_bounds_of_unequal_risks():
    assert Sprt(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx(
        (math.log(0.1 / 0.99), math.log(0.9 / 0.01))
    )


@pytest.mark.parametrize(
    ("text", "sprt"),
    [
        ("elo0=0,elo1=10,alpha=0.05,beta=0.05", Sprt(0, 10)),
        ("elo0=-3,elo1=1.5,alpha=0.01,beta=0.1", Sprt(-3, 1.5, 0.01, 0.1)),
        ("elo0=0,elo1=4,alpha=0.05,beta=0.05,model=normalized", Sprt(0, 4, model="normalized")),
    ],
)
def test_a_test_as_text(text, sprt):
    assert Sprt.parse(text) == sprt
    assert str(sprt) == text


def test_text_may_be_short():
    assert Sprt.parse("elo0=0,elo1=10") == Sprt(0, 10)
    assert Sprt.parse(" elo1 = 1e1 , elo0 = 0 , model = logistic ") == Sprt(0, 10)


@given(sprts())
def test_text_is_read_back(sprt):
    assert Sprt.parse(str(sprt)) == sprt


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a test"),
        ("elo0=0", "is not a test"),
        ("elo0=0,elo1", "is not a test"),
        ("elo0=0,elo1=5,elo1=6", "is not a test"),
        ("elo0=0,elo1=5,llr=3", "is not a test"),
        ("elo0=0,elo1=5,", "is not a test"),
        ("elo0=0,elo1=five", "elo1 is 'five'"),
        ("elo0=5,elo1=5", "elo0=5 to elo1=5"),
        ("elo0=5,elo1=0", "expected elo0 below elo1"),
        ("elo0=nan,elo1=0", "elo0=nan"),
        ("elo0=0,elo1=inf", "elo1=inf"),
        ("elo0=0,elo1=5,alpha=0", "alpha is 0"),
        ("elo0=0,elo1=5,beta=0.5", "beta is 0.5"),
        ("elo0=0,elo1=5,beta=nan", "beta is nan"),
        (
            "elo0=0,elo1=5,model=bayes",
            "'bayes' is not a model of the test: expected one of logistic, normalized",
        ),
    ],
)
def test_what_is_no_test(text, words):
    with pytest.raises(TengenError, match=words) as caught:
        Sprt.parse(text)
    assert "\n" not in str(caught.value)


# -- the log-likelihood ratio: published values


def test_a_published_ratio():
    """montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712, "Generalized Log Likelihood Ratio".

    0 to 4 normalized Elo are 0 to 2.716 Elo at the standard deviation of these results.
    """
    tally = paired(13, 37, 50, 25, 3)
    assert Sprt(0, 4, model="normalized").llr(tally) == pytest.approx(-0.54912, abs=1e-5)
    assert Sprt(0, 2.716).llr(tally) == pytest.approx(-0.53772, abs=1e-4)


@pytest.mark.parametrize(
    ("pairs", "llr"),
    [
        ((398, 4112, 7672, 4336, 430), 2.96),
        ((56, 1144, 2546, 1310, 77), 2.95),
        ((5, 295, 1145, 466, 2), 2.98),
    ],
)
def test_reported_matches_that_passed(pairs, llr):
    """Tests of 0 to 3 normalized Elo, from github.com/official-clockwork/Clockwork/pull/364."""
    sprt, tally = Sprt(0, 3, model="normalized"), paired(*pairs)
    assert sprt.llr(tally) == pytest.approx(llr, abs=0.005)
    assert sprt.decision(tally) == "H1"


# -- the log-likelihood ratio: against other ways to find it


def highest(function, low, high):
    """The largest value of a function with one peak."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(120):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (a, high) if function(a) < function(b) else (low, b)
    return function((low + high) / 2)


def log_likelihood(counts, chances):
    if min(chances) <= 0:
        return -math.inf
    return sum(n * math.log(p) for n, p in zip(counts, chances, strict=True))


@pytest.mark.parametrize("counts", [(3, 4, 5), (10, 1, 30), (1, 200, 3), (500, 300, 480)])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 10), (-50, 20), (100, 300)])
def test_games_by_trying_all_draw_rates(counts, elo0, elo1):
    """With the score s given, a rate of draws d leaves s - d/2 wins and 1 - s - d/2 losses."""
    losses, draws, wins = counts

    def best(score):
        return highest(
            lambda d: log_likelihood(counts, (1 - score - d / 2, d, score - d / 2)),
            0,
            2 * min(score, 1 - score),
        )

    expected = best(score_of(elo1)) - best(score_of(elo0))
    assert Sprt(elo0, elo1).llr(Tally(wins, draws, losses)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("counts", [(3, 4, 5), (10, 1, 30), (1, 200, 3), (500, 300, 480)])
@pytest.mark.parametrize(("elo0", "elo1"), [(5, 10), (-50, 20), (50, 150)])
def test_normalized_games_by_trying_all_scores(counts, elo0, elo1):
    """With t and the score s given, the variance is ((s - 1/2) / t)^2, and that gives the rate of draws."""
    losses, draws, wins = counts

    def best(elo):
        t = elo / NORMALIZED

        def at(share):  # of the largest deviation there is
            above = t * share / 2
            decided = 4 * ((above / t) ** 2 + above**2)
            return log_likelihood(counts, (decided / 2 - above, 1 - decided, decided / 2 + above))

        return max(at(i / 20_000) for i in range(1, 20_000))

    expected = best(elo1) - best(elo0)
    llr = Sprt(elo0, elo1, model="normalized").llr(Tally(wins, draws, losses))
    assert llr == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("counts", [(3, 8, 20, 9, 5), (1, 1, 1, 1, 1), (2, 30, 4, 60, 1)])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 10), (-100, 50)])
def test_pairs_by_climbing(counts, elo0, elo1):
    """Moving chances by 1, -2, 1 keeps their sum and the score; the peak is found one move at a time."""
    moves = [(1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1)]

    def best(score):
        # Mean `score`, and all cells in use: the even distribution and the better end of the scale.
        extra = abs(score - 0.5) * 2
        chances = [(1 - extra) / 5] * 5
        chances[4 if score > 0.5 else 0] += extra
        for _ in range(200):
            for move in moves:
                free = [p / abs(m) for p, m in zip(chances, move, strict=True) if m]
                up = [p / -m for p, m in zip(chances, move, strict=True) if m < 0]
                down = [p / m for p, m in zip(chances, move, strict=True) if m > 0]
                assert min(free) > 0
                low, high = -min(down), min(up)
                golden = (math.sqrt(5) - 1) / 2
                for _ in range(40):
                    a, b = high - golden * (high - low), low + golden * (high - low)
                    at_a, at_b = (
                        log_likelihood(counts, [p + x * m for p, m in zip(chances, move, strict=True)])
                        for x in (a, b)
                    )
                    low, high = (a, high) if at_a < at_b else (low, b)
                x = (low + high) / 2
                chances = [p + x * m for p, m in zip(chances, move, strict=True)]
        return log_likelihood(counts, chances)

    expected = best(score_of(elo1)) - best(score_of(elo0))
    assert Sprt(elo0, elo1).llr(paired(*counts)) == pytest.approx(expected, abs=1e-5)


@given(st.lists(st.integers(500, 5000), min_size=5, max_size=5), st.floats(-4, 4))
def test_for_small_differences_it_is_a_normal_ratio(counts, above):
    """(s1 - s0) (2 s - s0 - s1) / (2 variance / n), the approximation of Van den Bergh's paper."""
    tally = paired(*counts)
    assert tally.variance is not None
    sprt = Sprt(tally.elo + above, tally.elo + above + 2)
    s0, s1 = score_of(sprt.elo0), score_of(sprt.elo1)
    expected = (s1 - s0) * (2 * tally.score - s0 - s1) / (2 * tally.variance / tally.games)
    assert sprt.llr(tally) == pytest.approx(expected, rel=0.03, abs=0.03)


# -- the log-likelihood ratio: what must hold for any match


@given(sprts(), matches)
def test_it_is_the_same_seen_from_the_other_player(sprt, tally):
    other = Sprt(-sprt.elo1, -sprt.elo0, model=sprt.model)
    assert other.llr(tally.swapped()) == pytest.approx(-sprt.llr(tally), rel=1e-6, abs=1e-6)


@given(elos, elos, elos, matches, st.sampled_from(MODELS))
def test_ratios_of_neighbouring_hypotheses_add_up(a, b, c, tally, model):
    a, b, c = sorted((a, b, c))
    assume(b - a > 0.01)
    assume(c - b > 0.01)
    parts = Sprt(a, b, model=model).llr(tally) + Sprt(b, c, model=model).llr(tally)
    assert Sprt(a, c, model=model).llr(tally) == pytest.approx(parts, rel=1e-6, abs=1e-6)


@given(sprts(), st.lists(counts, min_size=5, max_size=5), st.integers(0, 3))
def test_a_better_pair_never_lowers_it(sprt, pairs, cell):
    """True of the mean; a better pair may well lower the normalized Elo, by raising the deviation.

    Only the thousandths that stand for what was not seen may come and go.
    """
    assume(pairs[cell])
    better = list(pairs)
    better[cell] -= 1
    better[cell + 1] += 1
    sprt = Sprt(sprt.elo0, sprt.elo1)
    assert sprt.llr(paired(*better)) > sprt.llr(paired(*pairs)) - 0.01


@given(sprts(), matches)
def test_it_is_always_a_number(sprt, tally):
    assert math.isfinite(sprt.llr(tally))
    assert sprt.decision(tally) in (None, "H0", "H1")


@given(matches, st.floats(-2000, 1999), st.sampled_from(MODELS))
def test_far_off_hypotheses_have_a_ratio_too(tally, elo, model):
    assert math.isfinite(Sprt(elo, elo + 1, model=model).llr(tally))


def test_before_the_first_game():
    assert Sprt(0, 10).llr(Tally()) == 0
    assert Sprt(0, 10, model="normalized").llr(Tally()) == 0


@pytest.mark.parametrize("model", MODELS)
def test_a_match_of_wins_only_ends_too(model):
    sprt = Sprt(0, 10, model=model)
    won = next(n for n in range(1, 1000) if sprt.decision(paired(0, 0, 0, 0, n)))
    assert won < 150
    assert sprt.decision(paired(0, 0, 0, 0, won)) == "H1"
    assert sprt.decision(Tally(wins=2 * won)) == "H1"
    lost = next(n for n in range(1, 1000) if sprt.decision(paired(n, 0, 0, 0, 0)))
    assert sprt.decision(paired(lost, 0, 0, 0, 0)) == "H0"


def test_a_match_without_any_difference_ends_too():
    assert Sprt(0, 10).decision(paired(0, 0, 150, 0, 0)) == "H0"
    assert Sprt(0, 10).decision(Tally(draws=150)) == "H0"
    assert Sprt(0, 10, model="normalized").decision(paired(0, 0, 3000, 0, 0)) == "H0"


def test_only_complete_pairs_count_where_there_are_any():
    pairs = paired(5, 10, 20, 15, 8)
    assert Sprt(0, 10).llr(pairs + Tally(wins=1)) == Sprt(0, 10).llr(pairs)


def test_pairs_decide_sooner_where_the_opening_decides():
    pairs = Tally.from_pairs([(1, 0)] * 300 + [(1, 0.5)] * 60 + [(0.5, 0)] * 30)
    assert Sprt(0, 10).decision(pairs) == "H1"
    assert Sprt(0, 10).decision(Tally(pairs.wins, pairs.draws, pairs.losses)) is None


@pytest.mark.long
@pytest.mark.parametrize(("truth", "wrong"), [(0, "H1"), (80, "H0")])
def test_wrong_decisions_are_as_rare_as_asked_for(truth, wrong):
    """120 matches; 13 % are four standard deviations above 5 %. benchmarks/sprt.py measures it closely."""
    rng, sprt = random.Random(truth), Sprt(0, 80)
    score = score_of(truth)
    decisions = []
    for _ in range(120):
        tally, decision = Tally(), None
        while decision is None:
            tally += Tally.from_points(rng.choices((1, 0.5, 0), (score - 0.15, 0.3, 0.85 - score)))
            decision = sprt.decision(tally)
        decisions.append(decision)
    assert decisions.count(wrong) < 16
