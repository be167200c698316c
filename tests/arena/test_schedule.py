"""Who meets whom."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.schedule import gauntlet, round_robin, swiss_round, with_colours


def unordered(pairings):
    return Counter(tuple(sorted(pair)) for pair in pairings)


def test_four_players_in_three_rows():
    rows = [round_robin(4)[start : start + 2] for start in (0, 2, 4)]
    assert all(sorted(player for pair in row for player in pair) == [0, 1, 2, 3] for row in rows)
    assert unordered(round_robin(4)) == Counter(combinations(range(4), 2))


@given(st.integers(2, 15), st.integers(1, 4))
def test_everybody_meets_everybody_equally_often(players, rounds):
    met = unordered(round_robin(players, rounds))
    assert met == Counter(dict.fromkeys(combinations(range(players), 2), rounds))


@given(st.integers(2, 15))
def test_nobody_plays_twice_before_all_have_played(players):
    pairings = round_robin(players)
    half = players // 2
    for start in range(0, len(pairings), half):
        row = [player for pair in pairings[start : start + half] for player in pair]
        assert len(row) == len(set(row))


@given(st.integers(2, 15))
def test_first_and_second_seats_are_shared_out(players):
    first = Counter(one for one, _ in round_robin(players, 2))
    assert all(first[player] == players - 1 for player in range(players))


@given(st.integers(2, 20))
def test_nobody_is_first_much_oftener_than_second(players):
    balance: Counter[int] = Counter()
    for one, other in round_robin(players):
        balance.update({one: 1, other: -1})
    assert max(map(abs, balance.values())) <= (players + 1) % 2


def test_colours_go_to_those_who_have_had_them_less():
    assert with_colours([(0, 1), (2, 3)], []) == [(0, 1), (2, 3)]
    assert with_colours([(0, 2), (1, 3)], [(0, 1), (2, 3)]) == [(0, 2), (1, 3)]
    assert with_colours([(0, 1)], [(0, 2), (3, 1)]) == [(1, 0)]
    # Both were first once; who was second last is first now.
    assert with_colours([(0, 1)], [(2, 0), (1, 3), (0, 3), (2, 1)]) == [(1, 0)]


@given(st.integers(2, 9), st.integers(1, 8), st.randoms(use_true_random=False))
def test_colours_of_a_swiss_tournament_are_balanced(players, rounds, random):
    points, met = [0.0] * players, Counter[tuple[int, int]]()
    byes: list[int] = []
    before: list[tuple[int, int]] = []
    for _ in range(rounds):
        pairs, bye = swiss_round(points, met, byes)
        pairs = with_colours(pairs, before)
        before += pairs
        byes += [] if bye is None else [bye]
        for one, other in pairs:
            met[min(one, other), max(one, other)] += 1
            won = random.choice((0, 0.5, 1))
            points[one] += won
            points[other] += 1 - won
    balance: Counter[int] = Counter()
    for one, other in before:
        balance.update({one: 1, other: -1})
    assert all(abs(count) <= 3 for count in balance.values())


def test_a_gauntlet():
    assert gauntlet(4) == [(0, 1), (2, 0), (0, 3)]
    assert gauntlet(4, champions=2) == [(0, 2), (2, 1), (3, 0), (1, 3)]
    assert gauntlet(3, rounds=2) == [(0, 1), (2, 0), (1, 0), (0, 2)]


@pytest.mark.parametrize("champions", [1, 2, 3])
@pytest.mark.parametrize("players", [4, 5, 8])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_nobody_in_a_gauntlet_is_first_much_oftener_than_second(players, champions, rounds):
    pairs = gauntlet(players, champions, rounds)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    assert all(abs(first[player] - second[player]) <= 1 for player in range(players))


def test_the_first_swiss_round_pairs_the_upper_half_with_the_lower():
    assert swiss_round([0, 0, 0, 0, 0, 0], {}) == ([(0, 3), (1, 4), (2, 5)], None)


def test_swiss_opponents_have_equal_points_where_they_can():
    pairs, _ = swiss_round([2, 0, 2, 0], {(0, 1): 1, (2, 3): 1})
    assert pairs == [(0, 2), (1, 3)]


def test_the_last_without_a_bye_sits_out():
    assert swiss_round([1, 0, 0], {})[1] == 2
    assert swiss_round([1, 0, 0], {}, byes=[2])[1] == 1


def test_with_nobody_new_to_meet_players_meet_again():
    assert swiss_round([1, 0], {(0, 1): 1}) == ([(0, 1)], None)


@given(st.integers(2, 12), st.data())
def test_nobody_meets_anybody_twice_while_there_is_a_way(players, data):
    """As many rounds as a round robin has can be paired; the first half of them always without repeats."""
    met: Counter[tuple[int, int]] = Counter()
    byes: list[int] = []
    points = [0.0] * players
    for _ in range((players - 1) // 2 or 1):
        pairs, bye = swiss_round(points, met, byes)
        paired = [player for pair in pairs for player in pair] + ([bye] if bye is not None else [])
        assert sorted(paired) == list(range(players))
        for one, other in pairs:
            assert not met[min(one, other), max(one, other)]
            met[min(one, other), max(one, other)] += 1
            won = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
            points[one] += won
            points[other] += 1 - won
        if bye is not None:
            assert bye not in byes
            byes.append(bye)


def test_leaders_come_first():
    pairs, _ = swiss_round([0, 1, 2, 3], {})
    assert all(a >= b for a, b in pairwise([max(p) for p in pairs]))


@pytest.mark.parametrize("players", [2, 3])
def test_the_smallest_tournaments(players):
    assert len(round_robin(players)) == players * (players - 1) // 2
