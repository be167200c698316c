"""A network is fitted to games, and what the engine makes of it in whole numbers is the same."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.records import SCRATCH
from tengen.engine.evaluation.network import fill, fits
from tengen.engine.evaluation.network_kernel import begin, correction
from tengen.training.games.board_positions import board_positions
from tengen.training.models.fitting import Fit
from tengen.training.models.network_fitting import NetworkFit
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


@pytest.mark.long
def test_the_loss_falls(fitted):
    fit, _, reports = fitted
    epochs = [report for report in reports if not math.isnan(report.validation)]
    assert [report.epoch for report in epochs] == list(range(1, EPOCHS + 1))
    assert epochs[-1].training < epochs[0].training
    assert fit.epochs == epochs
    assert all(0.2 < report.validation < 2 * fit.mean(fit.before) for report in epochs)


@pytest.mark.long
def test_the_same_seed_gives_the_same_network(positions):
    one, again, other = (NetworkFit([positions], seed=seed).run(1).first for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def assert_close(fit, network, positions, rules, every=20):
    """What the engine makes of a network is what was fitted, within four hundredths.

    Two hundred of them change the odds by a factor of e.
    """
    chosen = np.arange(0, len(positions), every)
    added = 200 * (fit.logits(positions, chosen) / positions.sureness - positions.scores[chosen])
    for number, exact in zip(chosen, added, strict=True):
        state, tables = state_of(positions, number, rules)
        tables = tables.copy()
        fill(tables, network, positions.size, network.colours)
        work = np.zeros(1, SCRATCH)
        begin(state, tables, work)
        assert abs(correction(state, tables, work) - exact) <= 4


@pytest.mark.long
def test_whole_numbers_come_close_to_what_was_fitted(positions, fitted):
    fit, network, _ = fitted
    assert_close(fit, network, positions, RULES)


@pytest.mark.long
def test_where_scores_are_believed_less_the_network_still_speaks_in_scores():
    positions = board_positions(RULES, played_games(count=40), sureness=0.7)
    fit = NetworkFit([positions])
    network = fit.run(2)
    assert_close(fit, network, positions, RULES)
    again = NetworkFit([positions], begin=network)
    assert again.begun == [pytest.approx(fit.epochs[-1].validation, abs=0.0005)]


@pytest.mark.long
def test_one_network_learns_from_boards_of_several_sizes(positions):
    small = Rules.named("freestyle", 7)
    both = [board_positions(small, played_games(size=7, count=21)), positions]
    fit = NetworkFit(both)
    network = fit.run(1)
    assert network.sizes.tolist() == [7, SIZE]
    assert [fits(network, size) for size in (6, 7, 8, 9, 10)] == [False, True, True, True, True]
    for some, rules in zip(both, (small, RULES), strict=True):
        assert_close(fit, network, some, rules, every=60)


@pytest.mark.long
def test_where_black_has_fouls_it_learns_whose_line_it_sees():
    renju = Rules.named("renju", SIZE)
    positions = board_positions(renju, played_games("renju", count=21))
    fit = NetworkFit([positions], colours=2)
    network = fit.run(3)
    assert network.colours == 2
    assert not np.array_equal(*network.line_first_bias)
    assert not np.array_equal(*network.first_bias)
    assert_close(fit, network, positions, renju, every=40)


@pytest.mark.long
@pytest.mark.parametrize("colours", [1, 2])
def test_it_may_begin_with_a_network(positions, fitted, colours):
    _, network, reports = fitted
    fit = NetworkFit([positions], colours, begin=network)
    assert fit.begun == [pytest.approx(reports[-1].validation, abs=0.0005)]
    again = NetworkFit([positions], colours, begin=fit.in_whole_numbers())
    assert again.begun == [pytest.approx(fit.begun[0], abs=0.0002)]


def test_gradients_are_those_of_the_loss(positions):
    """In a random direction through the parameters of each layer, against central differences."""
    fit = NetworkFit([positions])
    # Over so many positions the kinks where units change sign average out; shorter steps drown in rounding.
    some, symmetry = np.arange(0, len(positions), 5), fit._turned[3]
    _, weights, biases = fit._slopes(positions, some, symmetry)
    rng, step = np.random.default_rng(1), 1e-2
    layers = [*fit._layers.weights, *fit._layers.biases]
    for numbers, gradient in zip(layers, [*weights, *biases], strict=True):
        before = numbers.numbers
        assert gradient.shape == before.shape
        for _ in range(3):
            direction = rng.normal(size=gradient.shape)
            direction /= np.sqrt((direction**2).sum())
            losses = []
            for offset in (step, -step):
                numbers.numbers = before + offset * direction
                losses += fit._slopes(positions, some, symmetry)[0]
            measured = (losses[0] - losses[1]) / (2 * step)
            # The derivative to expect in a random direction.
            typical = np.sqrt((gradient**2).sum() / gradient.size)
            assert typical > 0
            assert abs((gradient * direction).sum() - measured) < 0.1 * typical
        numbers.numbers = before


@pytest.fixture(scope="module")
def kept(positions, fitted):
    """A fit of two epochs: its sets, the network that it began with, and what it kept on its way."""
    _, begin, _ = fitted
    small = board_positions(Rules.named("freestyle", 7), played_games(size=7, count=21))
    sets, state_ref = [small, positions], []
    fit = NetworkFit(sets, begin=begin, seed=3)

    def keep():
        state_ref.append({name: array.copy() for name, array in fit.state().items()})

    return sets, begin, fit, fit.run(2, keep=keep), state_ref


@pytest.mark.long
@pytest.mark.parametrize("after", [1, 2, 3, 4])
def test_a_fit_goes_on_to_the_same_network_bit_for_bit(kept, after):
    """Wherever it has been left, in the middle of an epoch or between two, by a fit made anew."""
    sets, begin, whole, expected, state_ref = kept
    again = NetworkFit(sets, begin=begin, seed=3)
    again.restore(state_ref[after - 1])
    found = again.run(2)
    for field in fields(expected):
        assert np.array_equal(getattr(found, field.name), getattr(expected, field.name))
    assert again.epochs == whole.epochs


def test_what_is_no_state_is_not_gone_on_with(positions):
    fit = NetworkFit([positions])
    state = fit.state()
    for damage in (
        {"mean": state["mean"][:1]},
        {"weight0_numbers": state["weight0_numbers"][:1]},
        {"bias3_steps": np.zeros(1)},
        {"about": np.frombuffer(b"{", np.uint8)},
    ):
        with pytest.raises(ValueError, match=r"."):
            fit.restore(state | damage)
    del state["about"]
    with pytest.raises(KeyError):
        fit.restore(state)


def test_calibration_counts_the_positions_kept_apart_whose_ends_are_known(positions, fitted):
    fit, _, _ = fitted
    known = positions.held_out & ~np.isnan(positions.results)
    bins = fit.calibration()
    assert sum(one.count for one in bins) == known.sum()
    assert all(0 <= one.result <= 1 and 0 < one.predicted < 1 for one in bins)
