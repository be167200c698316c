"""Points and tie-breaks of a tournament."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.standings import Standing, standings

GAMES = [(0, 1, 1.0), (2, 3, 0.5), (0, 2, 0.0), (1, 3, 1.0), (3, 0, 0.0), (1, 2, 0.5)]
"""A round robin of four: 0 has 2 points, 1 has 1.5, 2 has 2, 3 has 0.5."""


def all_met(players, games):
    return [[a + b - player for a, b, _ in games if player in (a, b)] for player in range(players)]


def test_a_round_robin():
    found = standings(4, GAMES, all_met(4, GAMES), {})
    assert [one.points for one in found] == [2, 1.5, 2, 0.5]
    assert [(one.wins, one.draws, one.losses) for one in found] == [
        (2, 0, 1),
        (1, 1, 1),
        (1, 2, 0),
        (0, 1, 2),
    ]
    assert [one.buchholz for one in found] == [4, 4.5, 4, 5.5]
    # 0 has beaten 1 and 3; 1 has beaten 3 and drawn with 2; 2 has beaten 0 and drawn with 1 and 3.
    assert [one.sonneborn_berger for one in found] == [1.5 + 0.5, 0.5 + 1, 2 + 0.75 + 0.25, 1]


def test_who_sits_out_has_points_and_no_games():
    assert standings(3, [(0, 1, 1.0)], [[1], [0], []], {2: 1.0}) == [
        Standing(1, 1, 0, 0, 0, 0),
        Standing(0, 0, 0, 1, 1, 0),
        Standing(1, 0, 0, 0, 0, 0),
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from((0.0, 0.5, 1.0))).filter(
            lambda game: game[0] != game[1]
        )
    )
)
def test_points_and_games_add_up(games):
    found = standings(5, games, all_met(5, games), {})
    assert sum(one.points for one in found) == len(games)
    assert sum(one.wins + one.draws + one.losses for one in found) == 2 * len(games)
    met = sum(found[one].points + found[other].points for one, other, _ in games)
    assert sum(one.buchholz for one in found) == pytest.approx(met)
