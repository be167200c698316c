from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.bounds import Bounds, bounds

STEPS = range(-4, 5)


def bounds_of(players, results, reference=None):
    """Bounds for results given as number of Black, number of White, points of Black."""
    masks = np.zeros((3, players, players), np.bool_)
    for black, white, points in results:
        masks[(1, 0.5, 0).index(points), black, white] = True
    won, drawn, lost = masks
    return bounds(won, drawn, lost, reference)


def likelier(results):
    """All directions of three players, advantage and draw parameter in which no result gets less likely.

    A result does not get less likely if the log-odds of it against both others do not fall.
    """
    draws = any(points == 0.5 for _, _, points in results)
    for second, third, alpha, eta in itertools.product(STEPS, STEPS, STEPS, STEPS if draws else [0]):
        y = (0, second, third)
        for black, white, points in results:
            ahead = alpha + y[black] - y[white]  # eta counts half
            logs = {1: 2 * ahead, 0.5: ahead + eta if draws else -99, 0: 0}
            if logs[points] < max(logs.values()):
                break
        else:
            yield y, alpha, eta


def sides(values):
    lower, higher = min(values) < 0, max(values) > 0
    return {(0, 0): "both", (0, 1): "below", (1, 0): "above", (1, 1): "none"}[lower, higher]


names = st.integers(0, 2)
games = st.lists(st.tuples(names, names, st.sampled_from((0, 0.5, 1))), min_size=1, max_size=14)


@given(games, st.sampled_from((None, 0, 1, 2)))
def test_bounds_are_those_found_by_trying(results, reference):
    found = bounds_of(3, results, reference)
    directions = list(likelier(results))
    assert found.advantage == sides([alpha for _, alpha, _ in directions])
    assert found.draws == sides([eta for _, _, eta in directions])
    # Players are of one group if they stay together where advantage and draws stay as they are.
    together = [
        [all(y[i] == y[j] for y, alpha, eta in directions if alpha == eta == 0) for i in range(3)]
        for j in range(3)
    ]
    assert [[a == b for a in found.groups] for b in found.groups] == together
    largest = max(map(sum, together))
    others = [i for i in range(3) if sum(together[i]) == largest]
    others = [i for i in others if together[others[0]][i]] if largest > 1 else others
    others = [reference] if reference is not None else others
    for i in range(3):
        assert found.players[i] == sides([y[i] - y[j] for y, _, _ in directions for j in others])


def test_everybody_beat_everybody():
    results = [(i, j, points) for i in range(3) for j in range(3) if i != j for points in (0, 1)]
    assert bounds_of(3, results) == Bounds((0, 0, 0), ("both",) * 3, "both", "both")
    assert bounds_of(3, results).alone


def test_two_that_drew_with_each_colour():
    """A strength that helps in one game hurts in the other; but draws might be certain."""
    assert bounds_of(2, [(0, 1, 0.5), (1, 0, 0.5)]) == Bounds(
        (0, 0), ("none", "none"), advantage="none", draws="below"
    )


def test_black_always_won():
    found = bounds_of(2, [(0, 1, 1), (1, 0, 1)])
    assert found.advantage == "below"
    assert found.players == ("none", "none")  # a large advantage hides any difference
    assert not found.alone


def test_white_always_won():
    assert bounds_of(2, [(0, 1, 0), (1, 0, 0)]).advantage == "above"


def test_one_had_black_in_all_games():
    """Its strength and the advantage cannot be told apart; only their sum is known."""
    found = bounds_of(2, [(0, 1, 1), (0, 1, 0)])
    assert found.groups == (0, 0)
    assert found.advantage == "none"
    assert found.players == ("none", "none")


@pytest.mark.parametrize(("points", "bounded"), [(1, "below"), (0, "above")])
def test_one_won_or_lost_all_games(points, bounded):
    core = [(i, j, result) for i, j in [(0, 1), (1, 0)] for result in (0, 1)]
    found = bounds_of(3, [*core, (2, 0, points), (0, 2, 1 - points), (2, 1, points), (1, 2, 1 - points)])
    assert found.players == ("both", "both", bounded)
    assert found.groups == (0, 0, 1)
    assert found.alone


def test_groups_that_never_met():
    pairs = [(0, 1), (1, 0), (2, 3), (3, 2)]
    found = bounds_of(4, [(i, j, points) for i, j in pairs for points in (0, 0.5, 1)])
    assert found.groups == (0, 0, 1, 1)
    assert found.players == ("both", "both", "none", "none")
    assert bounds_of(4, [(i, j, p) for i, j in pairs for p in (0, 1)], 3).players[:2] == ("none", "none")


def test_where_nobody_is_comparable_everybody_is_compared_with_all():
    """Each beat the next one, with both colours."""
    results = [(0, 1, 1), (1, 0, 0), (1, 2, 1), (2, 1, 0)]
    found = bounds_of(3, results)
    assert found.players == ("below", "none", "above")
    assert bounds_of(3, results, 1).players == ("below", "both", "above")


def test_no_players():
    assert bounds_of(0, []) == Bounds((), (), "none", "both")


def test_a_large_field():
    """200 players in a circle, each having beaten the next, once with each colour."""
    n = 200
    results = [((i + colour) % n, (i + 1 - colour) % n, 1 - colour) for i in range(n) for colour in (0, 1)]
    found = bounds_of(n, results)
    assert set(found.players) == {"both"}
    assert found.advantage == "both"
