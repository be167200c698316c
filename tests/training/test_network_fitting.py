"""A network is fitted to games, and what the engine makes of it in whole numbers is the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.engine import CLASSES_ALONE, prepared
from tengen.engine.evaluate import static_score
from tengen.engine.network import fill
from tengen.engine.network_kernel import begin, correction
from tengen.engine.position import make
from tengen.engine.search_state import POOLS, WORK, cell_of
from tengen.training.fitting import Fit, target
from tengen.training.game_file import GameFile, Run, TrainingError
from tengen.training.network_fitting import (
    NetworkFit,
    board_positions,
    joined,
    learn_network,
    write_network,
)
from tengen.training.run import numbers_of
from tengen.training.self_play import Plan
from tests.training.played_games import played_games

pytestmark = pytest.mark.usefixtures("compiled")

SIZE = 9
RULES = Rules.named("freestyle", SIZE)
EPOCHS = 12


@pytest.fixture(scope="module")
def positions():
    return board_positions(RULES, played_games(count=40))


@pytest.fixture(scope="module")
def fitted(positions):
    fit = NetworkFit(positions)
    reports: list[Fit] = []
    network = fit.run(EPOCHS, reports.append)
    return fit, network, reports


def stones_of(board):
    """Cells and sides, the side to move being Black here."""
    return [(cell_of(point % SIZE, point // SIZE), stone - 1) for point, stone in enumerate(board) if stone]


def state_of(board, weights=""):
    empty, tables = prepared(RULES, weights=weights)
    state = empty.copy()
    for cell, side in stones_of(board):
        state[0]["turn"] = side
        make(state, tables, cell)
    state[0]["turn"] = 0
    return state, tables


def test_positions_are_those_that_a_search_asks_about(positions):
    samples = [sample for game in played_games(count=40) for sample in game.samples]
    assert 0 < len(positions) < len(samples)
    assert positions.boards.shape == (len(positions), RULES.points)
    assert set(np.unique(positions.boards)) == {0, 1, 2}
    assert set(positions.games) <= set(range(40))
    wanted = {round(target(sample, 0.5), 4) for sample in samples}
    assert {round(float(one), 4) for one in positions.targets} <= wanted


def test_scores_are_static_scores_of_the_side_to_move(positions):
    for number in range(0, len(positions), 50):
        state, tables = state_of(positions.boards[number], CLASSES_ALONE)
        # Freestyle knows no difference between the colours.
        assert positions.scores[number] == pytest.approx(static_score(state[0], tables[0]) / 200)


def test_whole_games_are_held_out(positions):
    assert set(positions.games[positions.held_out]) == {0, 20}
    both = joined([positions, positions])
    assert len(both) == 2 * len(positions)
    assert both.held_out.sum() == 2 * positions.held_out.sum()
    assert len(set(both.games)) == 2 * len(set(positions.games))


def test_the_loss_falls(fitted):
    fit, _, reports = fitted
    epochs = [report for report in reports if not math.isnan(report.validation)]
    assert [report.epoch for report in epochs] == list(range(1, EPOCHS + 1))
    assert epochs[-1].training < epochs[0].training
    assert all(0.2 < report.validation < 2 * fit.before for report in epochs)


def test_the_same_seed_gives_the_same_network(positions, fitted):
    again = NetworkFit(positions).run(EPOCHS)
    assert np.array_equal(again.first, fitted[1].first)
    assert not np.array_equal(NetworkFit(positions, seed=2).run(1).first, fitted[1].first)


def test_whole_numbers_come_close_to_what_was_fitted(positions, fitted):
    """Within three hundredths; two hundred change the odds by a factor of e."""
    fit, network, _ = fitted
    chosen = np.arange(0, len(positions), 20)
    added = 200 * (fit.logits(chosen) - positions.scores[chosen])
    for number, exact in zip(chosen, added, strict=True):
        state, tables = state_of(positions.boards[number])
        tables = tables.copy()
        fill(tables, network, SIZE)
        work = np.zeros(1, WORK)
        begin(state, tables, work)
        assert abs(correction(state, tables, work) - exact) <= 3


def test_small_steps_make_the_loss_smaller(positions):
    fit = NetworkFit(positions)
    chosen = np.flatnonzero(~positions.held_out)
    losses = [fit._step(chosen, np.arange(POOLS), 1e-4) for _ in range(6)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


@pytest.fixture
def game_file(tmp_path):
    plan = Plan(RULES, nodes=40, seed=5)
    path = tmp_path / "games.jsonl"
    with GameFile(path, RULES) as file:
        for game in played_games(count=40):
            file.add(Run.of(plan, numbers_of(RULES)), game)
    return path


def test_it_is_learned_from_files_and_written_with_the_numbers_it_corrects(game_file, tmp_path):
    learned = learn_network(RULES, [game_file], epochs=1)
    assert learned.positions > 200
    assert learned.after == learned.epochs[-1].validation
    files = write_network(learned, "", tmp_path / "w")
    assert {path.name for path in files.values()} == {"freestyle.npz", "freestyle-network.npz"}
    assert prepared(RULES, weights=str(tmp_path / "w"))[1][0]["network"]


def test_games_of_other_boards_are_refused(game_file):
    with pytest.raises(TrainingError, match="9x9"):
        learn_network(Rules.named("freestyle", 11), [game_file])


def test_too_few_positions_are_refused(tmp_path):
    plan = Plan(RULES, nodes=40, seed=5)
    with GameFile(tmp_path / "one.jsonl", RULES) as file:
        file.add(Run.of(plan, numbers_of(RULES)), played_games(count=40)[0])
    with pytest.raises(TrainingError, match="play more games"):
        learn_network(RULES, [tmp_path / "one.jsonl"])
