"""What positions should come to: between the score of their search and the result of their game."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine.board.records import cell_of
from tengen.training.games.self_play import Sample, SelfPlayGame
from tengen.training.games.targets import SCALE, sureness_of, targets, win_probability
from tests.training.played_games import played_games

THREE_IN_FOUR = round(SCALE * math.log(3))


def game_of(scores: list[int], black: float) -> SelfPlayGame:
    """A game whose positions were seen so, for the side to move in turn."""
    cells = tuple(cell_of(number % 9, number // 9) for number in range(len(scores)))
    samples = [
        Sample(cells[:ply], score, cells[ply], 1 - black if ply % 2 else black)
        for ply, score in enumerate(scores)
    ]
    return SelfPlayGame(0, cells, black, tuple(samples))


@pytest.mark.parametrize(
    ("score", "sureness", "expected"),
    [
        (0, 1.0, 0.5),
        (0, 0.5, 0.5),
        (THREE_IN_FOUR, 1.0, 0.75),
        (-THREE_IN_FOUR, 1.0, 0.25),
        (2 * THREE_IN_FOUR, 0.5, 0.75),  # half of it is believed
        (29_995, 0.5, 1.0),  # a win that was found is one, however sure scores are
        (-29_995, 0.5, 0.0),
    ],
)
def test_what_a_score_stands_for(score, sureness, expected):
    assert win_probability(score, sureness) == pytest.approx(expected, abs=0.001)


def test_a_position_listens_to_all_that_comes_after_it():
    game = game_of([0, -THREE_IN_FOUR, THREE_IN_FOUR], black=1.0)
    last = 0.8 * 1 + 0.2 * 0.75
    middle = 0.8 * last + 0.2 * 0.75  # what is 1 in 4 for White is 3 in 4 for Black
    first = 0.8 * middle + 0.2 * 0.5
    assert targets(game, trace=0.8) == pytest.approx([first, 1 - middle, last], abs=0.001)


@given(st.lists(st.integers(-800, 800), min_size=1, max_size=20), st.sampled_from([0.0, 0.5, 1.0]))
def test_without_a_trace_only_the_search_counts_and_with_all_of_it_only_the_result(scores, black):
    game = game_of(scores, black)
    assert targets(game, trace=0) == pytest.approx([win_probability(score) for score in scores])
    assert targets(game, trace=1) == [sample.result for sample in game.samples]


def test_a_position_beside_the_game_has_its_score_alone():
    game = game_of([0, -THREE_IN_FOUR, THREE_IN_FOUR], black=1.0)
    beside = Sample((cell_of(8, 8),), THREE_IN_FOUR, cell_of(0, 0), None)
    first, second, third = game.samples
    found = targets(replace(game, samples=(first, beside, second, third)), trace=0.8)
    assert found[1] == pytest.approx(0.75, abs=0.001)
    assert [found[0], *found[2:]] == targets(game, trace=0.8)


@pytest.mark.usefixtures("compiled")
def test_targets_of_games_are_chances():
    for game in played_games():
        found = targets(game, sureness=0.7)
        assert len(found) == len(game.samples)
        assert all(0 <= target <= 1 for target in found)


def games_as_sure_as(sureness: float, count: int) -> list[SelfPlayGame]:
    """Games of one position, whose results are those that its score promises when so much is believed."""
    random = np.random.default_rng(1)
    scores = random.normal(0, 300, count)
    return [
        game_of([round(score)], float(random.random() < win_probability(round(score), sureness)))
        for score in scores
    ]


@pytest.mark.parametrize("sureness", [0.6, 1.0, 1.3])
def test_games_tell_how_sure_their_scores_are(sureness):
    assert sureness_of(games_as_sure_as(sureness, 20_000)) == pytest.approx(sureness, abs=0.06)


def test_few_games_tell_little():
    assert sureness_of([]) == 1
    assert abs(sureness_of(games_as_sure_as(0.2, 50)) - 1) < 0.2


def test_wins_that_were_found_say_nothing_about_it():
    wrong = [game_of([29_995], 0.0)] * 1000
    assert sureness_of(wrong) == 1
