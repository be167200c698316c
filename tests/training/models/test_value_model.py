"""A value network is fitted to games, and the engine, in integers, says what was fitted."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.records import NETWORKS, SCRATCH
from tengen.engine.evaluation.network import fits, load
from tengen.engine.evaluation.network_kernel import begin, correction
from tengen.training.games.board_positions import board_positions
from tengen.training.models.trainer import Fit, Trainer
from tengen.training.models.value_model import ValueModel
from tests.engine.evaluation.filling import fill_with_network
from tests.training.played_games import played_games, state_of

pytestmark = pytest.mark.usefixtures("compiled")

SIZE = 9
RULES = Rules.named("freestyle", SIZE)
EPOCHS = 3


@pytest.fixture(scope="module")
def positions():
    return board_positions(RULES, played_games(count=40))


@pytest.fixture(scope="module")
def trained(positions):
    trainer = Trainer(ValueModel([positions]), EPOCHS)
    reports: list[Fit] = []
    network = trainer.run(reports.append)
    return trainer, network, reports


def test_the_loss_falls(trained):
    trainer, _, reports = trained
    epochs = [report for report in reports if not math.isnan(report.validation)]
    assert [report.epoch for report in epochs] == list(range(1, EPOCHS + 1))
    assert epochs[-1].training < epochs[0].training
    assert trainer.epochs == epochs
    before = trainer.model.mean(trainer.model.before)
    assert all(0.2 < report.validation < 2 * before for report in epochs)


def test_the_same_seed_gives_the_same_network(positions, trained):
    _, one, _ = trained
    model, other = ValueModel([positions]), ValueModel([positions], seed=2)
    assert not np.array_equal(model.parameters["first"], other.parameters["first"])
    again = Trainer(model, EPOCHS).run()
    assert np.array_equal(one.first, again.first)
    in_another_order = Trainer(ValueModel([positions]), EPOCHS, seed=2).run()
    assert not np.array_equal(one.first, in_another_order.first)


def differences(model, network, positions, rules, every):
    """Between the engine's corrections, int16, and what was fitted, float32, in centi-units.

    Two hundred of them change the odds by a factor of e.
    """
    chosen = np.arange(0, len(positions), every)
    added = 200 * (model.logits(positions, chosen) / positions.sureness - positions.scores[chosen])
    networks = np.zeros(1, NETWORKS)
    fill_with_network(networks, network, positions.size, network.colours)
    found = []
    for number, exact in zip(chosen, added, strict=True):
        state, _ = state_of(positions, number, rules)
        scratch = np.zeros(1, SCRATCH)
        begin(state, networks, scratch)
        found.append(abs(correction(state, networks, scratch) - exact))
    return np.array(found)


def assert_close(model, network, positions, rules, every=20, most=4):
    """On small boards the engine says what was fitted within four centi-units."""
    assert differences(model, network, positions, rules, every).max() <= most


def test_the_engine_comes_close_to_what_was_fitted(positions, trained):
    trainer, network, _ = trained
    assert_close(trainer.model, network, positions, RULES)


@pytest.mark.slow
def test_the_engine_comes_close_in_ten_thousand_positions():
    """Self-play on a full board, with the network that comes with Tengen, whose weights are larger.

    The engine's rows and pools are rounded: int16 and float32 differ by three centi-units in the mean, of
    corrections of 170.
    """
    rules = Rules.named("freestyle", 15)
    positions = board_positions(rules, played_games(count=450, size=15))
    network = load("freestyle")
    assert network is not None
    off = differences(ValueModel([positions], begin=network), network, positions, rules, 1)
    assert len(off) >= 10_000
    assert off.mean() < 4
    assert off.max() < 30


def test_a_size_whose_only_game_is_held_out_is_not_learned_from(positions):
    small = board_positions(Rules.named("freestyle", 7), played_games(size=7, count=1))
    assert small.held_out.all()
    trainer = Trainer(ValueModel([small, positions]), 1)
    trainer.run()
    assert math.isfinite(trainer.epochs[0].training)


def test_where_scores_are_believed_less_the_network_still_speaks_in_scores():
    positions = board_positions(RULES, played_games(count=40), sureness=0.7)
    trainer = Trainer(ValueModel([positions]), 1)
    network = trainer.run()
    assert_close(trainer.model, network, positions, RULES, every=60)
    again = ValueModel([positions], begin=network)
    assert again.begun == [pytest.approx(trainer.epochs[-1].validation, abs=0.0005)]


def test_where_black_has_fouls_it_learns_whose_line_it_sees():
    renju = Rules.named("renju", SIZE)
    positions = board_positions(renju, played_games("renju", count=21))
    model = ValueModel([positions], colours=2)
    network = Trainer(model, 2).run()
    assert network.colours == 2
    assert not np.array_equal(*network.line_first_bias)
    assert not np.array_equal(*network.first_bias)
    assert_close(model, network, positions, renju, every=40)


@pytest.mark.parametrize("colours", [1, 2])
def test_it_may_begin_with_a_network(positions, trained, colours):
    _, network, reports = trained
    model = ValueModel([positions], colours, begin=network)
    assert model.begun == [pytest.approx(reports[-1].validation, abs=0.0005)]
    again = ValueModel([positions], colours, begin=model.quantised())
    assert again.begun == [pytest.approx(model.begun[0], abs=0.0002)]


@pytest.fixture(scope="module")
def kept(positions, trained):
    """Two epochs of training: the sets, the network it began with, and what was kept on its way."""
    _, begin, _ = trained
    small = board_positions(Rules.named("freestyle", 7), played_games(size=7, count=21))
    sets, states = [small, positions], []
    trainer = Trainer(ValueModel(sets, begin=begin), 2, seed=3)
    network = trainer.run(keep=lambda: states.append(trainer.state()))
    return sets, begin, trainer, network, states


def test_one_network_learns_from_boards_of_several_sizes(kept):
    sets, _, trainer, network, _ = kept
    assert network.sizes.tolist() == [7, SIZE]
    assert [fits(network, size) for size in (6, 7, 8, 9, 10)] == [False, True, True, True, True]
    for some in sets:  # after five epochs weights are larger, and so is what rounding them changes
        assert_close(trainer.model, network, some, Rules.named("freestyle", some.size), 60, most=6)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9])
def test_training_continues_to_the_same_network_bit_for_bit(kept, share):
    """Wherever it has been left, in the middle of an epoch or between two, by a trainer made anew."""
    sets, begin, whole, expected, states = kept
    again = Trainer(ValueModel(sets, begin=begin), 2, seed=3)
    again.restore(states[int(share * len(states))])
    found = again.run()
    for field in fields(expected):
        assert np.array_equal(getattr(found, field.name), getattr(expected, field.name))
    assert again.epochs == whole.epochs


def test_what_is_no_state_is_not_continued(positions):
    trainer = Trainer(ValueModel([positions]), 1)
    state = trainer.state()
    name = next(each for each in state if "line_last_bias" in each)
    for damage in (
        {name: state[name][:1]},
        {name: np.zeros(len(state[name]), np.int64)},
        {"about": np.frombuffer(b"{", np.uint8)},
    ):
        with pytest.raises(ValueError, match=r"."):
            trainer.restore(state | damage)
    del state["about"]
    with pytest.raises(KeyError):
        trainer.restore(state)


def test_calibration_counts_the_positions_held_out_whose_ends_are_known(positions, trained):
    trainer, _, _ = trained
    known = positions.held_out & ~np.isnan(positions.results)
    bins = trainer.model.calibration()
    assert sum(one.count for one in bins) == known.sum()
    assert all(0 <= one.result <= 1 and 0 < one.predicted < 1 for one in bins)
