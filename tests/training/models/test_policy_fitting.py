"""A policy is fitted to the moves that searches chose, and is the same in whole numbers."""

from __future__ import annotations

import math
from dataclasses import astuple, fields

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.records import SIDES
from tengen.engine.board.vectors import MOST_ACTIVATED
from tengen.engine.evaluation.line_network import line_rows
from tengen.training.games.policy_positions import policy_positions
from tengen.training.models.fitting import Fit
from tengen.training.models.policy_fitting import PolicyFit
from tests.training.played_games import played_games

pytestmark = pytest.mark.usefixtures("compiled")

SIZE = 9
RULES = Rules.named("freestyle", SIZE)
EPOCHS = 4


@pytest.fixture(scope="module")
def positions():
    return policy_positions(RULES, played_games(count=40))


@pytest.fixture(scope="module")
def fitted(positions):
    fit = PolicyFit([positions])
    reports: list[Fit] = []
    policy = fit.run(EPOCHS, reports.append)
    return fit, policy, reports


@pytest.mark.long
def test_the_loss_falls(fitted):
    fit, _, reports = fitted
    epochs = [report for report in reports if not math.isnan(report.validation)]
    assert [report.epoch for report in epochs] == list(range(1, EPOCHS + 1))
    assert fit.epochs == epochs
    assert epochs[-1].training < epochs[0].training - 0.05
    before, after = fit.before[0], fit.foreseen()[0]
    assert after.loss == epochs[-1].validation
    assert after.loss < before.loss - 0.02
    for one in (before, after):
        assert 0 < one.first < one.four < one.eight <= 1


def test_before_anything_is_learned_it_says_what_the_numbers_say(positions):
    fit = PolicyFit([positions])
    assert fit.begun == fit.before
    assert fit.validation() == pytest.approx(fit.before[0].loss, abs=0.02)


@pytest.mark.long
def test_the_same_seed_gives_the_same_policy(positions):
    one, again, other = (PolicyFit([positions], seed=seed).run(1).line_first for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@pytest.mark.long
def test_slopes_are_those_of_the_loss(positions, fitted):
    """In whatever direction the numbers of a layer go, the loss changes by what their slopes say."""
    _, policy, _ = fitted
    fit = PolicyFit([positions], begin=policy)
    # The loss has kinks where units change sign: in so many positions, at so short a step, they vanish.
    some = positions.taken(np.arange(0, len(positions), 10))
    _, weights, biases = fit._slopes(some)
    chance, step = np.random.default_rng(1), 1e-3
    layers = [*fit._layers.weights, *fit._layers.biases]
    for numbers, slope in zip(layers, [*weights, *biases], strict=True):
        before = numbers.numbers
        assert slope.shape == before.shape
        for _ in range(2):
            way = chance.normal(size=slope.shape)
            way /= np.sqrt((way**2).sum())
            losses = []
            for there in (step, -step):
                numbers.numbers = before + there * way
                losses += fit._slopes(some)[0]
            measured = (losses[0] - losses[1]) / (2 * step)
            # What to expect in a way chosen by lot.
            usual = np.sqrt((slope**2).sum() / slope.size)
            assert usual > 0
            assert abs((slope * way).sum() - measured) < 0.1 * usual
        numbers.numbers = before


def in_whole_numbers(policy, positions):
    """What the engine adds to each move's order, worked out as `engine.evaluation.policy` tells it."""
    first, second = np.triu_indices(SIDES)
    table = line_rows(policy)
    number = positions.lines
    rows = table[number // len(first), first[number % len(first)], second[number % len(first)]]
    sums = rows.astype(np.int64).sum(axis=1)
    starts, counts = positions.starts[:-1], np.diff(positions.starts)
    active = np.minimum(np.maximum(sums, sums >> 3), MOST_ACTIVATED)
    means = np.add.reduceat(active, starts) / counts[:, None]
    common = np.trunc(means @ policy.whole.astype(np.float64)).astype(np.int64)
    common += policy.bias[positions.movers * (policy.colours - 1)]
    units = sums + policy.steps[0][positions.lasts] + policy.steps[1][positions.befores]
    units += np.repeat(common, counts, axis=0)
    return (np.maximum(units, units >> 3) @ policy.out.astype(np.int64)) >> 10


def assert_close(fit, policy, positions):
    """Whole numbers say of each move what was fitted, within five hundredths."""
    added = 100 * fit.logits(positions) - positions.base
    assert np.abs(added).max() > 30, "it says something"
    assert np.abs(in_whole_numbers(policy, positions) - added).max() < 5


@pytest.mark.long
def test_whole_numbers_come_close_to_what_was_fitted(positions, fitted):
    fit, policy, _ = fitted
    assert_close(fit, policy, positions)


@pytest.mark.long
def test_one_policy_learns_from_boards_of_several_sizes(positions):
    small = policy_positions(Rules.named("freestyle", 7), played_games(size=7, count=21))
    fit = PolicyFit([small, positions])
    fit.run(1)
    one, other = after = fit.foreseen()
    apart = [some.held_out.sum() for some in (small, positions)]
    assert fit.overall(after).loss == pytest.approx(np.average([one.loss, other.loss], weights=apart))
    assert fit.epochs[-1].validation == fit.overall(after).loss


@pytest.mark.long
def test_where_black_has_fouls_it_learns_whose_line_it_sees():
    renju = policy_positions(Rules.named("renju", SIZE), played_games("renju", count=21))
    fit = PolicyFit([renju], colours=2)
    policy = fit.run(4)
    assert policy.colours == 2
    assert not np.array_equal(*policy.line_first_bias)
    assert not np.array_equal(*policy.bias)
    assert_close(fit, policy, renju)


@pytest.mark.long
@pytest.mark.parametrize("colours", [1, 2])
def test_it_may_begin_with_a_policy(positions, fitted, colours):
    _, policy, reports = fitted
    fit = PolicyFit([positions], colours, begin=policy)
    assert fit.begun[0].loss == pytest.approx(reports[-1].validation, abs=0.002)
    assert fit.begun != fit.before
    again = PolicyFit([positions], colours, begin=fit.in_whole_numbers())
    assert again.begun[0].loss == pytest.approx(fit.begun[0].loss, abs=0.0002)


@pytest.fixture(scope="module")
def kept(positions, fitted):
    """A fit of two epochs: its set, the policy that it began with, and what it kept on its way."""
    _, begin, _ = fitted
    some = positions.taken(np.flatnonzero(positions.games < 5))
    fit, state_ref = PolicyFit([some], begin=begin, seed=3), []

    def keep():
        state_ref.append({name: array.copy() for name, array in fit.state().items()})

    return some, begin, fit, fit.run(2, keep=keep), state_ref


@pytest.mark.long
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_fit_goes_on_to_the_same_policy_bit_for_bit(kept, share):
    """Wherever it has been left, in the middle of an epoch or between two, by a fit made anew."""
    some, begin, whole, expected, state_ref = kept
    again = PolicyFit([some], begin=begin, seed=3)
    again.restore(state_ref[int(share * len(state_ref))])
    found = again.run(2)
    for field in fields(expected):
        assert np.array_equal(getattr(found, field.name), getattr(expected, field.name))
    assert again.epochs == whole.epochs


def test_what_is_no_state_is_not_gone_on_with(positions):
    fit = PolicyFit([positions])
    state = fit.state()
    for damage in (
        {"weight3_numbers": state["weight3_numbers"][:1]},
        {"bias3_steps": np.zeros(1)},
        {"about": np.frombuffer(b"{", np.uint8)},
    ):
        with pytest.raises(ValueError, match=r"."):
            fit.restore(state | damage)
    del state["weight5_mean"]
    with pytest.raises(KeyError):
        fit.restore(state)


def test_where_nothing_is_held_out_nothing_is_foreseen(positions):
    fit = PolicyFit([positions.taken(np.flatnonzero(~positions.held_out))])
    assert all(math.isnan(value) for value in astuple(fit.before[0]))
    assert math.isnan(fit.validation())
