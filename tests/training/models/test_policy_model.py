"""A policy is fitted to the moves that searches chose; the engine, in integers, says what was fitted."""

from __future__ import annotations

import math
from dataclasses import astuple, fields

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.patterns import SIDES
from tengen.engine.board.vectors import MOST_ACTIVATED
from tengen.training.games.policy_positions import policy_positions
from tengen.training.models import arrays
from tengen.training.models.policy_model import PolicyModel
from tengen.training.models.trainer import Fit, Trainer
from tests.engine.evaluation.line_rows import line_rows
from tests.training.played_games import played_games

pytestmark = pytest.mark.usefixtures("compiled")

SIZE = 9
RULES = Rules.named("freestyle", SIZE)
EPOCHS = 3


@pytest.fixture(scope="module")
def positions():
    return policy_positions(RULES, played_games(count=40))


@pytest.fixture(scope="module")
def trained(positions):
    trainer = Trainer(PolicyModel([positions]), EPOCHS)
    reports: list[Fit] = []
    policy = trainer.run(reports.append)
    return trainer, policy, reports


def test_the_loss_falls(trained):
    trainer, _, reports = trained
    epochs = [report for report in reports if not math.isnan(report.validation)]
    assert [report.epoch for report in epochs] == list(range(1, EPOCHS + 1))
    assert trainer.epochs == epochs
    assert epochs[-1].training < epochs[0].training - 0.05
    before, after = trainer.model.before[0], trainer.model.metrics()[0]
    assert after.loss == epochs[-1].validation
    assert after.loss < before.loss - 0.02
    for one in (before, after):
        assert 0 < one.first < one.four < one.eight <= 1


def test_before_anything_is_learned_it_says_what_the_numbers_say(positions):
    model = PolicyModel([positions])
    assert model.begun == model.before
    assert model.validation() == pytest.approx(model.before[0].loss, abs=0.02)


def test_the_same_seed_gives_the_same_policy(positions, trained):
    _, one, _ = trained
    model, other = PolicyModel([positions]), PolicyModel([positions], seed=2)
    assert not np.array_equal(model.parameters["line_first"], other.parameters["line_first"])
    again = Trainer(model, EPOCHS).run()
    assert np.array_equal(one.line_first, again.line_first)
    in_another_order = Trainer(PolicyModel([positions]), EPOCHS, seed=2).run()
    assert not np.array_equal(one.line_first, in_another_order.line_first)


def test_padding_changes_nothing(positions, trained, monkeypatch):
    model = trained[0].model
    few = positions.taken(np.arange(20))
    assert arrays.bucket(1) > len(few.base), "much is padded"
    padded = model.logits(few)
    monkeypatch.setattr(arrays, "_LEAST_BUCKET", 256)
    assert [arrays.bucket(count) for count in (1, 256, 257, 385, 513)] == [256, 256, 384, 512, 768]
    assert model.logits(few) == pytest.approx(padded, abs=1e-5)


def quantised_orders(policy, positions):
    """What the engine adds to each move's order, worked out as `engine.evaluation.policy` tells it."""
    first, second = np.tril_indices(SIDES)
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


def assert_close(model, policy, positions):
    """The engine's orders, int16, are what was fitted, float32, within five hundredths."""
    added = 100 * model.logits(positions) - positions.base
    assert np.abs(added).max() > 10, "it says something"
    assert np.abs(quantised_orders(policy, positions) - added).max() < 5


def test_the_engine_comes_close_to_what_was_fitted(positions, trained):
    trainer, policy, _ = trained
    assert_close(trainer.model, policy, positions)


@pytest.mark.slow
def test_the_engine_comes_close_in_ten_thousand_positions():
    """Self-play on a full board, with a policy that has learned from some of it."""
    positions = policy_positions(Rules.named("freestyle", 15), played_games(count=450, size=15))
    model = PolicyModel([positions])
    assert_close(model, Trainer(model, 1).run(), positions)


def test_one_policy_learns_from_boards_of_several_sizes(positions):
    small = policy_positions(Rules.named("freestyle", 7), played_games(size=7, count=21))
    model = PolicyModel([small, positions])
    trainer = Trainer(model, 1)
    trainer.run()
    one, other = after = model.metrics()
    held_out = [some.held_out.sum() for some in (small, positions)]
    overall = model.overall(after)
    assert overall.loss == pytest.approx(np.average([one.loss, other.loss], weights=held_out))
    assert trainer.epochs[-1].validation == overall.loss


def test_a_size_whose_only_game_is_held_out_is_not_learned_from(positions):
    small = policy_positions(Rules.named("freestyle", 7), played_games(size=7, count=1))
    assert small.held_out.all()
    trainer = Trainer(PolicyModel([small, positions]), 1)
    trainer.run()
    assert math.isfinite(trainer.epochs[0].training)


def test_where_black_has_fouls_it_learns_whose_line_it_sees():
    renju = policy_positions(Rules.named("renju", SIZE), played_games("renju", count=21))
    model = PolicyModel([renju], colours=2)
    policy = Trainer(model, 3).run()
    assert policy.colours == 2
    assert not np.array_equal(*policy.line_first_bias)
    assert not np.array_equal(*policy.bias)
    assert_close(model, policy, renju)


@pytest.mark.parametrize("colours", [1, 2])
def test_it_may_begin_with_a_policy(positions, trained, colours):
    _, policy, reports = trained
    model = PolicyModel([positions], colours, begin=policy)
    assert model.begun[0].loss == pytest.approx(reports[-1].validation, abs=0.002)
    assert model.begun != model.before
    again = PolicyModel([positions], colours, begin=model.quantised())
    assert again.begun[0].loss == pytest.approx(model.begun[0].loss, abs=0.0002)


def test_training_continues_to_the_same_policy_bit_for_bit(positions, trained):
    """Wherever it has been left, in the middle of an epoch or between two, by a trainer made anew."""
    _, begin, _ = trained
    some = positions.taken(np.flatnonzero(positions.games < 5))
    whole, states = Trainer(PolicyModel([some], begin=begin), 2, seed=3), []
    expected = whole.run(keep=lambda: states.append(whole.state()))
    for share in (0.2, 0.5, 0.9):
        again = Trainer(PolicyModel([some], begin=begin), 2, seed=3)
        again.restore(states[int(share * len(states))])
        found = again.run()
        for field in fields(expected):
            assert np.array_equal(getattr(found, field.name), getattr(expected, field.name))
        assert again.epochs == whole.epochs


def test_where_nothing_is_held_out_nothing_is_predicted(positions):
    model = PolicyModel([positions.taken(np.flatnonzero(~positions.held_out))])
    assert all(math.isnan(value) for value in astuple(model.before[0]))
    assert math.isnan(model.validation())
