from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise, product
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from tengen import TengenError
from tengen.arena.rating import Rating, _blas, rate

SCALE = 400 / math.log(10)
NEAR = 1e-2
"""The share by which the weak prior on advantage and draws may move what is solved without it."""


def series(black, white, wins, draws, losses):
    """Games of two players with the same colours."""
    return [(black, white, 1)] * wins + [(black, white, 0.5)] * draws + [(black, white, 0)] * losses


def both_colours(one, other, wins, draws, losses):
    """Games of two players, the same results with either colour."""
    return series(one, other, wins, draws, losses) + series(other, one, losses, draws, wins)


def chances(ahead, nu):
    """Chances of a win of Black, a draw and a loss, where Black is `ahead` (natural logarithm)."""
    weights = (math.exp(ahead), nu * math.exp(ahead / 2), 1)
    return [weight / sum(weights) for weight in weights]


def round_robin(rng, ratings, advantage, nu, rounds):
    """Random games of everybody against everybody with each colour."""
    return [
        (black, white, rng.choices((1, 0.5, 0), chances((advantage + r - s) / SCALE, nu))[0])
        for _ in range(rounds)
        for black, r in ratings.items()
        for white, s in ratings.items()
        if black != white
    ]


# -- solved by hand


def test_two_players_without_draws():
    """A with Black wins 30 of 40, B with Black wins 20 of 40.

    There are as many parameters as pairings, so that the model fits exactly. The log-odds of Black are
    a + x = log 3 and a - x = 0 for the difference x = r_A - r_B: both a and x are half of log 3. The
    variance of log-odds is 1/wins + 1/losses, 4/30 and 1/10, and that of x a quarter of their sum.
    """
    ratings = rate(series("A", "B", 30, 0, 10) + series("B", "A", 20, 0, 20))
    assert [rating.name for rating in ratings.players] == ["A", "B"]
    x = SCALE * math.log(3) / 2
    error = 1.959964 * SCALE * math.sqrt((4 / 30 + 1 / 10) / 4)
    assert ratings.advantage.value == pytest.approx(x, rel=NEAR)
    assert ratings.advantage.error == pytest.approx(error, rel=NEAR)
    assert ratings.difference("A", "B") == pytest.approx((x, error), rel=NEAR)
    # Relative to the mean both are half as far away, and half as uncertain.
    for rating, elo, points in zip(ratings.players, (x / 2, -x / 2), (50, 30), strict=True):
        assert rating.elo == pytest.approx(elo, rel=NEAR)
        assert rating.error == pytest.approx(error / 2, rel=NEAR)
        assert (rating.games, rating.points, rating.bounded) == (80, points, "both")
    assert ratings.draw_parameter == 0
    assert ratings.expected("A", "B") == pytest.approx(30 / 40, rel=NEAR)
    assert ratings.expected("B", "A") == pytest.approx(20 / 40, rel=NEAR)


def test_two_players_with_draws():
    """A with Black makes 16 wins, 8 draws and 4 losses, B with Black 4 of each.

    nu^2 = draws^2 / (wins losses) = 1 in both, so that the model fits exactly: a + x = log (16/4) and
    a - x = log (4/4), which makes gamma = 2 and Black ahead by log 2 between equals, where draws have a
    chance of sqrt 2 in 2 + sqrt 2 + 1.
    """
    ratings = rate(series("A", "B", 16, 8, 4) + series("B", "A", 4, 4, 4))
    assert ratings.draw_parameter == pytest.approx(1, rel=NEAR)
    assert ratings.advantage.value == pytest.approx(SCALE * math.log(2), rel=NEAR)
    assert ratings.difference("A", "B")[0] == pytest.approx(SCALE * math.log(2), rel=NEAR)
    assert ratings.expected("A", "B") == pytest.approx(20 / 28, rel=NEAR)


def test_three_players():
    """A beats B 3:1, B beats C 3:1, A and C 1:1, everything with either colour.

    By symmetry there is no advantage and C is as far below B as A is above: x, 0, -x. The likelihood is
    highest where A's expected wins are those made: 4 s(x) + 2 s(2x) = 4 with s(x) = 1 / (1 + e^-x). With
    u = e^x that is 4u / (1 + u) + 2u^2 / (1 + u^2) = 4, or u^3 - u^2 - 2 = 0, whose root is
    1.69562. The information about A and C, of the games A-B or B-C (4) and A-C (2), each twice, is

        8 p + 4 q   -4 q        p = s(x) s(-x) = u / (1 + u)^2
        -4 q   8 p + 4 q        q = s(2x) s(-2x) = u^2 / (1 + u^2)^2

    relative to B. A - C has the variance 2 / (8 p + 8 q), and A + C has 2 / (8 p).
    """
    u = 1.695620769559862
    assert u**3 - u**2 == pytest.approx(2)
    results = both_colours("A", "B", 3, 0, 1) + both_colours("B", "C", 3, 0, 1)
    results += both_colours("A", "C", 1, 0, 1)
    ratings = rate(results, anchor=("B", 1000))
    x = SCALE * math.log(u)
    assert ratings.elo("A") == pytest.approx(1000 + x)
    assert ratings.elo("B") == 1000
    assert ratings.elo("C") == pytest.approx(1000 - x)
    assert ratings.advantage.value == pytest.approx(0, abs=1e-9)

    p, q = u / (1 + u) ** 2, u**2 / (1 + u**2) ** 2
    apart, together = 2 / (8 * p + 8 * q), 2 / (8 * p)
    z = 1.959964 * SCALE
    assert ratings.difference("A", "C")[1] == pytest.approx(z * math.sqrt(apart), rel=1e-6)
    assert ratings.players[0].error == pytest.approx(z * math.sqrt((apart + together) / 4), rel=1e-6)
    assert ratings.players[1].error == 0
    # Relative to the mean of the three, B varies as (A + C) / 3.
    free = {rating.name: rating.error for rating in rate(results).players}
    assert free["B"] == pytest.approx(z * math.sqrt(together) / 3, rel=1e-6)


def test_results_that_are_just_as_expected():
    """Strengths of 4, 2 and 1, and nu = 2: wins, draws and losses as 2 : 2 sqrt 2 : 1 and 4 : 4 : 1."""
    results = []
    strengths = {"A": 4, "B": 2, "C": 1}
    for black, white in [("A", "B"), ("B", "C"), ("B", "A"), ("C", "B")]:
        # 12 is a strength of 1; sqrt 2 is 17 to 12, near enough for whole games.
        ratio = strengths[black] / strengths[white]
        results += series(black, white, *((24, 34, 12) if ratio == 2 else (12, 34, 24)))
    for black, white in [("A", "C"), ("C", "A")]:
        results += series(black, white, *((24, 24, 6) if black == "A" else (6, 24, 24)))
    ratings = rate(results)
    step = SCALE * math.log(2)
    assert [rating.elo for rating in ratings.players] == pytest.approx([step, 0, -step], rel=2e-3)
    assert ratings.draw_parameter == pytest.approx(2, rel=2e-3)


# -- against another way to find it


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_likelier_in_any_coordinate(seed):
    """Climb from zero, one coordinate at a time, by golden sections; then compare."""
    rng = random.Random(seed)
    truth = {"A": 150, "B": 40, "C": -60, "D": -130}
    results = round_robin(rng, truth, advantage=70, nu=0.6, rounds=6)
    ratings = rate(results)
    assert all(rating.bounded == "both" for rating in ratings.players)

    counts = Counter(results)
    point = [0.0] * 6  # A to D, advantage, logarithm of nu

    def at(place, value):
        trial = [*point[:place], value, *point[place + 1 :]]
        strength, advantage, log_nu = dict(zip("ABCD", trial, strict=False)), trial[4], trial[5]
        found = 0.0
        for (black, white, points), count in counts.items():
            p = chances(advantage + strength[black] - strength[white], math.exp(log_nu))
            found += count * math.log(p[(1, 0.5, 0).index(points)])
        spread = 1000 / SCALE
        return found - ((advantage / spread) ** 2 + ((log_nu - math.log(2)) / spread) ** 2) / 2

    golden = (math.sqrt(5) - 1) / 2
    for sweep in range(20):
        for place in range(6):
            reach = 2.0 ** -(sweep // 2)
            low, high = point[place] - reach, point[place] + reach
            while high - low > reach / 100:
                a, b = high - golden * (high - low), low + golden * (high - low)
                low, high = (a, high) if at(place, a) < at(place, b) else (low, b)
            point[place] = (low + high) / 2
    for name, value in zip("ABCD", point, strict=False):
        assert ratings.elo(name) == pytest.approx(SCALE * (value - fmean(point[:4])), abs=0.05)
    assert ratings.advantage.value == pytest.approx(SCALE * point[4], abs=0.05)
    assert math.log(ratings.draw_parameter) == pytest.approx(point[5], abs=1e-3)


def test_expected_points_are_those_made():
    """At the maximum everybody's points are what the model expects; so are Black's, but for the prior."""
    rng = random.Random(5)
    results = round_robin(rng, {name: rng.gauss(0, 150) for name in "ABCDEFGH"}, 50, 0.4, 2)
    ratings = rate(results)
    for rating in ratings.players:
        expected = 0.0
        for black, white, _ in results:
            if rating.name == black:
                expected += ratings.expected(black, white)
            elif rating.name == white:
                expected += 1 - ratings.expected(black, white)
        assert expected == pytest.approx(rating.points)
    expected = sum(ratings.expected(b, w) for b, w, _ in results)
    assert expected == pytest.approx(sum(p for _, _, p in results), rel=1e-3)


def test_known_strengths_are_found():
    truth = {"A": 250, "B": 100, "C": 0, "D": -100, "E": -250}
    ratings = rate(round_robin(random.Random(3), truth, advantage=40, nu=0.5, rounds=400))
    for rating in ratings.players:
        assert abs(rating.elo - truth[rating.name]) < 1.5 * rating.error < 25
    assert ratings.advantage.value == pytest.approx(40, abs=8)
    assert ratings.draw_parameter == pytest.approx(0.5, abs=0.05)


# -- what must hold for any results

names = st.sampled_from("ABCDE")
games = st.lists(st.tuples(names, names, st.sampled_from((0, 0.5, 1))), max_size=40)


@given(games, st.randoms())
def test_the_order_of_results_does_not_matter(results, rng):
    shuffled = list(results)
    rng.shuffle(shuffled)
    assert rate(shuffled) == rate(results)


@given(games)
def test_any_results_can_be_rated(results):
    ratings = rate(results)
    assert {r.name for r in ratings.players} == {name for *two, _ in results for name in two}
    assert sum(r.games for r in ratings.players) == 2 * len(results)
    assert sum(r.points for r in ratings.players) == len(results)
    elos = [r.elo for r in ratings.players]
    assert all(math.isfinite(elo) and abs(elo) < 5000 for elo in elos)
    assert all(a >= b - 1e-5 for a, b in pairwise(elos))
    assert all(math.isfinite(r.error) and r.error >= 0 for r in ratings.players)
    if elos:
        assert fmean(elos) == pytest.approx(0, abs=1e-6)
        assert ratings.advantage.error is not None
    assert math.isfinite(ratings.advantage.value)
    assert 0 <= ratings.draw_parameter < math.inf
    for one in ratings.players:
        for other in ratings.players:
            difference, error = ratings.difference(one.name, other.name)
            assert difference == pytest.approx(one.elo - other.elo)
            assert error >= 0
            assert 0 < ratings.expected(one.name, other.name) < 1
            assert ratings.los(one.name, other.name) + ratings.los(other.name, one.name) == pytest.approx(1)


@given(games)
def test_names_do_not_matter(results):
    new = dict(zip("ABCDE", ("z", "y", "", "天元", "a b"), strict=True))
    renamed = rate((new[black], new[white], points) for black, white, points in results)
    ratings = rate(results)
    for rating in ratings.players:
        assert renamed.elo(new[rating.name]) == pytest.approx(rating.elo, abs=1e-4)
    assert renamed.advantage.value == pytest.approx(ratings.advantage.value, abs=1e-3)


@given(games.filter(bool), st.floats(-3000, 3000))
def test_an_anchor_shifts_everybody(results, elo):
    name = results[0][0]
    free, anchored = rate(results), rate(results, anchor=(name, elo))
    assert anchored.elo(name) == pytest.approx(elo)
    for rating in anchored.players:
        assert rating.elo - elo == pytest.approx(free.elo(rating.name) - free.elo(name), abs=1e-4)
        # An error relative to the anchor is the error of the difference.
        assert rating.error == pytest.approx(free.difference(rating.name, name)[1], abs=1e-4)
    assert anchored.advantage.value == pytest.approx(free.advantage.value)


@given(games)
def test_swapped_colours_turn_the_advantage_round(results):
    ratings = rate(results)
    swapped = rate((white, black, 1 - points) for black, white, points in results)
    assert swapped.advantage.value == pytest.approx(-ratings.advantage.value, abs=1e-3)
    for rating in ratings.players:
        assert swapped.elo(rating.name) == pytest.approx(rating.elo, abs=1e-3)


def test_more_games_make_errors_smaller():
    once = round_robin(random.Random(1), {"A": 50, "B": 0, "C": -50}, 20, 0.5, 10)
    for rating, again in zip(rate(once).players, rate(once * 4).players, strict=True):
        assert again.elo == pytest.approx(rating.elo, rel=NEAR)
        assert again.error == pytest.approx(rating.error / 2, rel=NEAR)


def test_the_error_of_a_difference_is_not_the_sum_of_errors():
    """Two that played each other often are well compared, though little is known about the rest."""
    ratings = rate(both_colours("A", "B", 60, 20, 40) + both_colours("B", "C", 2, 1, 1))
    sum_of_errors = sum(r.error for r in ratings.players if r.name in "AB")
    assert ratings.difference("A", "B")[1] < sum_of_errors / 3
    assert ratings.los("A", "B") > 0.98


# -- where results leave something open


def test_no_games():
    ratings = rate([])
    assert ratings.players == ()
    assert (ratings.advantage.value, ratings.advantage.error) == (0, None)
    assert ratings.draw_parameter == 0


def test_one_player_against_itself():
    ratings = rate(series("A", "A", 30, 0, 10))
    assert ratings.players == (Rating("A", 0.0, 0.0, 80, 40.0, "both"),)
    assert ratings.advantage.value == pytest.approx(SCALE * math.log(3), rel=NEAR)


def test_a_player_that_won_all_games():
    core = both_colours("A", "B", 20, 5, 15) + both_colours("B", "C", 20, 5, 15)
    core += both_colours("C", "A", 18, 5, 18)
    results = core + [game for name in "ABC" for game in both_colours("W", name, 5, 0, 0)]
    ratings = rate(results)
    assert [(r.name, r.bounded) for r in ratings.players] == [
        ("W", "below"),
        ("A", "both"),
        ("B", "both"),
        ("C", "both"),
    ]
    assert 400 < ratings.difference("W", "B")[0] < 1000
    # What the others are to each other is theirs alone.
    alone = rate(core)
    for pair in ("AB", "BC", "CA"):
        assert ratings.difference(*pair) == pytest.approx(alone.difference(*pair), rel=0.05)
    # Against equals it would be n + 1/2 points of n + 1.
    expected = (30 + 0.5) / (30 + 1)
    assert ratings.expected("W", "B") == pytest.approx(expected, abs=0.005)
    assert rate(results, anchor=("W", 0)).players[1].bounded == "above"


def test_a_player_that_lost_all_games():
    results = both_colours("A", "B", 2, 1, 1) + both_colours("L", "A", 0, 0, 3)
    last = rate(results).players[-1]
    assert (last.name, last.bounded) == ("L", "above")


def test_the_prior_of_two_players():
    """A won all 10 games against B: 10 (1 - s(2x)) = s(x) - 1/2, where each is x from their mean."""
    ratings = rate(both_colours("A", "B", 5, 0, 0))
    assert [(r.name, r.bounded) for r in ratings.players] == [("A", "below"), ("B", "above")]
    x = ratings.elo("A") / SCALE
    assert 10 / (1 + math.exp(2 * x)) == pytest.approx(1 / (1 + math.exp(-x)) - 0.5)
    assert ratings.advantage.value == pytest.approx(0, abs=1e-6)


def test_more_wins_make_a_higher_bound():
    elos = [rate(both_colours("A", "B", n, 0, 0)).elo("A") for n in (1, 2, 5, 20, 1000, 100_000)]
    assert elos == sorted(elos)
    assert elos[-1] < 1500


def test_groups_that_never_met():
    """Within both it is as if the other was not there. How they compare is open, and guessed equal."""
    left, right = both_colours("A", "B", 20, 5, 10), both_colours("C", "D", 15, 5, 12)
    ratings = rate(left + right)
    assert ratings.elo("A") + ratings.elo("B") == pytest.approx(ratings.elo("C") + ratings.elo("D"))
    # Only the rate of draws is common.
    assert ratings.difference("A", "B")[0] == pytest.approx(rate(left).difference("A", "B")[0], rel=0.02)
    assert {r.name: r.bounded for r in ratings.players} == {
        "A": "both",
        "B": "both",
        "C": "none",
        "D": "none",
    }
    assert ratings.difference("A", "C")[1] > 5 * ratings.difference("A", "B")[1]


def test_only_draws():
    ratings = rate(both_colours("A", "B", 0, 5, 0))
    assert ratings.elo("A") == pytest.approx(0, abs=1e-6)
    assert 18 < ratings.draw_parameter < math.inf
    assert ratings.difference("A", "B")[1] > 500


def test_no_draws():
    ratings = rate(both_colours("A", "B", 3, 0, 2))
    assert ratings.draw_parameter == 0


@pytest.mark.parametrize("points", [1, 0])
def test_black_always_won_or_never(points):
    results = [(black, white, points) for black in "ABC" for white in "ABC" if black != white]
    ratings = rate(results)
    assert abs(ratings.advantage.value) > 300
    assert (ratings.advantage.value > 0) == (points == 1)
    assert ratings.advantage.error is not None
    assert ratings.advantage.error > 300
    assert [r.elo for r in ratings.players] == pytest.approx([0, 0, 0], abs=1e-6)


def test_one_had_black_in_all_games():
    """Nobody can tell strength from advantage: the prior takes it for none, and the errors say so."""
    ratings = rate(series("A", "B", 30, 0, 10))
    assert ratings.expected("A", "B") == pytest.approx(0.75, abs=0.02)
    difference, error = ratings.difference("A", "B")
    assert difference == pytest.approx(SCALE * math.log(3), rel=NEAR)
    assert ratings.advantage.value == pytest.approx(0, abs=1)
    assert ratings.advantage.error is not None
    assert min(error, ratings.advantage.error) > 1900


three = st.sampled_from("ABC")


@given(
    st.lists(st.tuples(three, three, st.sampled_from((0, 0.5, 1))), min_size=1, max_size=14),
    st.sampled_from((None, "A", "B", "C")),
)
def test_bounds_are_those_found_by_trying(results, reference):
    """Move players along every line, and see whether some result gets less likely."""
    names = sorted({name for *two, _ in results for name in two})
    if reference not in names:
        reference = None

    def harmless(y):
        found = (y[black] - y[white] for black, white, _ in results)
        signs = ((ahead > 0) - (ahead < 0) for ahead in found)
        return all(
            sign == 0 if points == 0.5 else sign != 1 - 2 * points
            for sign, (*_, points) in zip(signs, results, strict=True)
        )

    lines = (dict(zip(names, steps, strict=True)) for steps in product(range(3), repeat=len(names)))
    directions = [y for y in lines if harmless(y)]
    together = {one: [two for two in names if all(y[one] == y[two] for y in directions)] for one in names}
    largest = max(map(len, together.values()))
    others = next(group for group in together.values() if len(group) == largest)
    if reference is not None:
        others = [reference]
    elif largest == 1:
        others = names
    for rating in rate(results, anchor=reference and (reference, 0)).players:
        moved = [y[rating.name] - y[other] for y in directions for other in others]
        sides = {(0, 0): "both", (0, 1): "below", (1, 0): "above", (1, 1): "none"}
        assert rating.bounded == sides[min(moved) < 0, max(moved) > 0]


def test_where_nobody_is_comparable_everybody_is_compared_with_all():
    """Each beat the next one, with both colours."""
    results = both_colours("A", "B", 1, 0, 0) + both_colours("B", "C", 1, 0, 0)
    assert [r.bounded for r in rate(results).players] == ["below", "none", "above"]
    assert [r.bounded for r in rate(results, anchor=("B", 0)).players] == ["below", "both", "above"]


def test_a_large_circle():
    """200 players, each having beaten the next, once with each colour."""
    results = [
        (f"{(i + colour) % 200}", f"{(i + 1 - colour) % 200}", 1 - colour)
        for i in range(200)
        for colour in (0, 1)
    ]
    assert {rating.bounded for rating in rate(results).players} == {"both"}


def test_a_long_ladder():
    """Each of 40 won 999 of 1000 games against the next, and so is far above it."""
    results = []
    for i in range(39):
        results += both_colours(f"{i:02}", f"{i + 1:02}", 999, 0, 1)
    ratings = rate(results)
    assert [r.name for r in ratings.players] == [f"{i:02}" for i in range(40)]
    assert ratings.difference("00", "01")[0] == pytest.approx(SCALE * math.log(999))
    assert ratings.difference("00", "39")[0] == pytest.approx(39 * SCALE * math.log(999))


# -- speed


def test_linear_algebra_keeps_to_one_thread(monkeypatch):
    """On a busy machine its threads wait for each other longer than one takes alone."""
    np.ones((2, 2)) @ np.ones((2, 2))
    _blas.cache_clear()  # other tests may have loaded a second library since
    before = blas_threads()
    seen = []
    solve = np.linalg.solve

    def watched(*arguments):
        seen.append(blas_threads())
        return solve(*arguments)

    monkeypatch.setattr(np.linalg, "solve", watched)
    with threadpool_limits(3, user_api="blas"):
        rate(both_colours("A", "B", 3, 1, 2))
        assert set(blas_threads()) == {3}
    assert seen
    assert {threads for each in seen for threads in each} == {1}
    assert blas_threads() == before


def blas_threads():
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


# -- errors


def test_an_anchor_that_never_played():
    with pytest.raises(TengenError, match="no player 'C' is among the results: expected one of A, B"):
        rate(series("A", "B", 1, 1, 1), anchor=("C", 0))
    with pytest.raises(TengenError, match="no player 'C'"):
        rate([], anchor=("C", 0))


def test_other_points_are_refused():
    with pytest.raises(ValueError, match=r"."):
        rate([("A", "B", 2)])


def test_unknown_names():
    ratings = rate(series("A", "B", 1, 1, 1))
    for ask in (
        ratings.elo,
        lambda name: ratings.difference("A", name),
        lambda name: ratings.los(name, "A"),
    ):
        with pytest.raises(KeyError):
            ask("C")


@pytest.mark.slow
def test_errors_are_those_of_the_bootstrap():
    """Draw games again from the games played: ratings then vary as the information says."""
    rng = random.Random(11)
    truth = {"A": 200, "B": 80, "C": 0, "D": -80, "E": -200}
    results = round_robin(rng, truth, advantage=60, nu=0.7, rounds=30)
    ratings = rate(results)
    again = [rate(rng.choices(results, k=len(results))) for _ in range(2000)]
    for rating in ratings.players:
        assert rating.error == pytest.approx(1.96 * stdev(r.elo(rating.name) for r in again), rel=0.08)
    assert ratings.difference("A", "B")[1] == pytest.approx(
        1.96 * stdev(r.difference("A", "B")[0] for r in again), rel=0.08
    )
    assert ratings.advantage.error == pytest.approx(
        1.96 * stdev(r.advantage.value for r in again), rel=0.08
    )
