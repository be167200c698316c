"""A network is fitted to games, and what the engine makes of it in whole numbers is the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.engine import prepared
from tengen.engine.network import fill, fits
from tengen.engine.network_kernel import begin, correction
from tengen.engine.search_state import POOLS, WORK
from tengen.training.board_positions import board_positions
from tengen.training.fitting import Fit
from tengen.training.game_file import GameFile, Run, TrainingError
from tengen.training.network_fitting import NetworkFit, learn_network, write_network
from tengen.training.run import numbers_of
from tengen.training.self_play import Plan
from tests.training.played_games import played_games, state_of

pytestmark = pytest.mark.usefixtures("compiled")

SIZE = 9
RULES = Rules.named("freestyle", SIZE)
EPOCHS = 6


@pytest.fixture(scope="module")
def positions():
    return board_positions(RULES, played_games(count=40))


@pytest.fixture(scope="module")
def fitted(positions):
    fit = NetworkFit([positions])
    reports: list[Fit] = []
    network = fit.run(EPOCHS, reports.append)
    return fit, network, reports


def test_the_loss_falls(fitted):
    fit, _, reports = fitted
    epochs = [report for report in reports if not math.isnan(report.validation)]
    assert [report.epoch for report in epochs] == list(range(1, EPOCHS + 1))
    assert epochs[-1].training < epochs[0].training
    assert all(0.2 < report.validation < 2 * fit.before for report in epochs)


def test_the_same_seed_gives_the_same_network(positions):
    one, again, other = (NetworkFit([positions], seed=seed).run(1).first for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def assert_close(fit, network, positions, rules, every=20):
    """What the engine makes of a network is what was fitted, within three hundredths.

    Two hundred of them change the odds by a factor of e.
    """
    chosen = np.arange(0, len(positions), every)
    added = 200 * (fit.logits(positions, chosen) - positions.scores[chosen])
    for number, exact in zip(chosen, added, strict=True):
        state, tables = state_of(positions, number, rules)
        tables = tables.copy()
        fill(tables, network, positions.size)
        work = np.zeros(1, WORK)
        begin(state, tables, work)
        assert abs(correction(state, tables, work) - exact) <= 3


def test_whole_numbers_come_close_to_what_was_fitted(positions, fitted):
    fit, network, _ = fitted
    assert_close(fit, network, positions, RULES)


def test_one_network_learns_from_boards_of_several_sizes(positions):
    small = Rules.named("freestyle", 7)
    both = [board_positions(small, played_games(size=7, count=21)), positions]
    fit = NetworkFit(both)
    network = fit.run(1)
    assert network.sizes.tolist() == [7, SIZE]
    assert [fits(network, size) for size in (6, 7, 8, 9, 10)] == [False, True, True, True, False]
    for some, rules in zip(both, (small, RULES), strict=True):
        assert_close(fit, network, some, rules, every=60)


def test_where_black_has_fouls_it_learns_whose_line_it_sees():
    renju = Rules.named("renju", SIZE)
    positions = board_positions(renju, played_games("renju", count=21))
    fit = NetworkFit([positions], colours=2)
    network = fit.run(3)
    assert network.colours == 2
    assert not np.array_equal(*network.line_first_bias)
    assert not np.array_equal(*network.first_bias)
    assert_close(fit, network, positions, renju, every=40)


@pytest.mark.parametrize("colours", [1, 2])
def test_it_may_begin_with_a_network(positions, fitted, colours):
    _, network, reports = fitted
    fit = NetworkFit([positions], colours, begin=network)
    assert fit.begun == pytest.approx(reports[-1].validation, abs=0.0005)
    again = NetworkFit([positions], colours, begin=fit.network())
    assert again.begun == pytest.approx(fit.begun, abs=0.0002)


def test_small_steps_make_the_loss_smaller(positions):
    fit = NetworkFit([positions])
    chosen = np.flatnonzero(~positions.held_out)
    losses = [fit._step(positions, chosen, np.arange(POOLS), 1e-4) for _ in range(6)]
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


def test_games_by_other_rules_are_refused(game_file):
    with pytest.raises(TrainingError, match="9x9"):
        learn_network(Rules.named("standard", SIZE), [game_file])


def test_too_few_positions_are_refused(tmp_path):
    plan = Plan(RULES, nodes=40, seed=5)
    with GameFile(tmp_path / "one.jsonl", RULES) as file:
        file.add(Run.of(plan, numbers_of(RULES)), played_games(count=40)[0])
    with pytest.raises(TrainingError, match="play more games"):
        learn_network(RULES, [tmp_path / "one.jsonl"])
