"""The positions that a network is fitted to are those of the games, as a search sees them."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.evaluation.static import static_score
from tengen.training.games.board_positions import board_positions, joined
from tengen.training.games.targets import targets
from tests.engine.helpers import called
from tests.training.played_games import played_games, state_of

pytestmark = pytest.mark.usefixtures("compiled")

RULES = Rules.named("freestyle", 9)


@pytest.fixture(scope="module")
def positions():
    return board_positions(RULES, played_games(count=40))


def test_positions_are_those_that_a_search_asks_about(positions):
    samples = [sample for game in played_games(count=40) for sample in game.samples]
    assert 0 < len(positions) < len(samples)
    assert positions.boards.shape == (len(positions), RULES.points)
    assert set(np.unique(positions.boards)) == {0, 1, 2}
    assert set(positions.games) <= set(range(40))
    wanted = {np.float32(each) for game in played_games(count=40) for each in targets(game)}
    assert set(positions.targets) <= wanted


def test_scores_are_static_scores_of_the_side_to_move(positions):
    for number in range(0, len(positions), 50):
        state, tables = state_of(positions, number, RULES)
        assert positions.scores[number] == pytest.approx(called(static_score)(state[0], tables[0]) / 200)


def test_whole_games_are_held_out(positions):
    assert set(positions.games[positions.held_out]) == {0, 20}
    both = joined([positions, positions])
    assert len(both) == 2 * len(positions)
    assert both.held_out.sum() == 2 * positions.held_out.sum()
    assert len(set(both.games)) == 2 * len(set(positions.games))
