"""The engine's numbers, fitted: the mathematics is right, and the engine does the same sums."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from tengen import Rules, TengenError
from tengen.engine.board.point_classes import CLASSES, class_patterns
from tengen.engine.board.position import look_up, make
from tengen.engine.board.records import CONTEXTS, SCRATCH, SITUATIONS, STEPS_AWAY, cell_of
from tengen.engine.evaluation.learned_file import record_of
from tengen.engine.evaluation.parameters import put_weights
from tengen.engine.evaluation.static import static_score
from tengen.engine.evaluation.weights import WEIGHTS_RECORD
from tengen.engine.search.moves import generate_moves
from tengen.engine.tables import prepared
from tengen.training.games.point_classes import ORDERS, WORTHS, Positions, joined, positions_of
from tengen.training.games.self_play import Sample
from tengen.training.games.targets import SCALE, targets, win_probability
from tengen.training.models.checkpoint import Checkpoint, Keeper
from tengen.training.models.point_class_model import (
    Logits,
    PointClassSettings,
    fit,
    held_out,
    logits_of,
    mean_loss,
    predicted,
    quantised,
    ranks,
)
from tests.training.played_games import games, played_games

RULES = ("freestyle", "standard", "renju", "caro")


@njit
def _static(state_ref, tables):
    return static_score(state_ref[0], tables[0])


def random_numbers(seed: int, spread: float = 0.02) -> Logits:
    """Numbers as a fit might find them, those of points where nothing can be made left at nothing."""
    random = np.random.default_rng(seed)
    worths, orders = random.normal(0, spread, (2, 2, 2, CLASSES))
    worths[:, :, 0] = orders[:, :, 0] = 0
    situations, contexts = (random.normal(0, spread, (2, size)) for size in (SITUATIONS, CONTEXTS))
    return Logits(worths, orders * 20, situations, contexts * 20)


def shared_numbers(seed: int) -> Logits:
    numbers = random_numbers(seed)
    for array in (numbers.worths, numbers.orders, numbers.situations, numbers.contexts):
        array[1] = array[0]
    return numbers


@st.composite
def positions(draw):
    """Rules, and stones anywhere, near each other more often than not."""
    size = draw(st.integers(5, 22))
    span = draw(st.integers(5, size))
    point = st.tuples(st.integers(0, span - 1), st.integers(0, span - 1))
    points = draw(st.lists(point, unique=True, max_size=min(50, span * span - 1)))
    return Rules.named(draw(st.sampled_from(RULES)), size), [cell_of(x, y) for x, y in points]


# -- what the engine adds up


@given(positions(), st.integers(0, 100))
@settings(deadline=None)
def test_the_engine_adds_up_what_was_fitted(position, seed):
    """Its sum, kept up to date stone by stone in sixteenths, is the fit's, down to the last centi-unit."""
    rules, cells = position
    weights = quantised(random_numbers(seed))
    described = positions_of(rules, [Sample(tuple(cells), 0, 0, None)])
    if described.threats[0] < 0:
        return  # somebody wins at once: the static score is never asked
    empty, tables = prepared(rules)
    state, tables = empty.copy(), tables.copy()
    put_weights(record_of(weights, WEIGHTS_RECORD), tables)
    look_up(state, tables)
    for cell in cells:
        make(state, tables, cell)
    probability = predicted(described, weights, np.array([0]))[0]
    assert _static(state, tables) == pytest.approx(
        SCALE * math.log(probability / (1 - probability)), abs=1.01
    )


@given(positions())
@settings(deadline=None)
def test_the_moves_that_are_ordered_are_those_of_the_search(position):
    rules, cells = position
    described = positions_of(rules, [Sample(tuple(cells), 0, 0, None)])
    empty, tables = prepared(rules)
    state = empty.copy()
    for cell in cells:
        make(state, tables, cell)
    if described.threats[0] < 0:
        return
    work = np.zeros(1, SCRATCH)
    assert described.near.sum() == generate_moves(state, tables, work, 0, -1, -1, -1)


@pytest.mark.parametrize("sureness", [1.0, 0.7])
def test_numbers_are_rounded_and_read_back(sureness):
    numbers = random_numbers(1)
    again = logits_of(quantised(numbers, sureness), sureness)
    assert np.abs(again.worths - numbers.worths).max() <= 0.5 / (16 * SCALE) + 1e-12
    assert np.abs(again.orders - numbers.orders).max() <= 0.005 + 1e-12
    assert np.abs(again.contexts - numbers.contexts).max() <= 0.005 + 1e-12
    fields = numbers.worths, numbers.orders, numbers.situations, numbers.contexts
    large = quantised(Logits(*(1e6 * field for field in fields)))
    for array in (large.worths, large.orders, large.situations, large.contexts):
        assert np.abs(array).max() < 1 << 15


# -- describing


def test_positions_are_described_in_order():
    described = games().positions
    samples = [sample for game in played_games() for sample in game.samples]
    assert len(described) == len(samples)
    assert described.starts[-1] == len(described.own) == len(described.other) == len(described.near)
    assert all(first <= last for first, last in pairwise(described.starts))
    assert described.turns.tolist() == [len(sample.cells) % 2 for sample in samples]
    assert described.targets.tolist() == [each for game in played_games() for each in targets(game)]
    chosen = described.usable(ORDERS)
    assert (described.near[described.starts[chosen] + described.chosen[chosen]] == 1).all()


def test_sets_are_joined():
    rules = Rules.named("freestyle", 9)
    parts = [positions_of(rules, game.samples, targets(game)) for game in played_games()]
    whole = joined(parts)
    for name in ("starts", "own", "other", "near", "chosen", "turns", "threats", "targets"):
        assert (getattr(whole, name) == getattr(games().positions, name)).all(), name
    assert len(joined([])) == 0
    assert len(positions_of(rules, [])) == 0
    unsure = joined([positions_of(rules, game.samples, sureness=0.7) for game in played_games()])
    assert unsure.sureness == 0.7
    assert list(unsure.targets) == [
        win_probability(sample.score, 0.7) for game in played_games() for sample in game.samples
    ]


def test_whole_stretches_are_kept_apart():
    apart = held_out(50_000)
    assert apart.mean() == pytest.approx(0.05, abs=0.002)
    assert np.count_nonzero(np.diff(apart.astype(int)) == 1) <= 20
    assert (held_out(50_000) == apart).all()
    assert (held_out(50_000, 2) != apart).any()
    assert not held_out(0).any()
    assert len(held_out(7)) == 7


# -- fitting


@pytest.mark.parametrize("what", [WORTHS, ORDERS])
def test_the_loss_of_nothing_is_that_of_guessing(what):
    described, none = games().positions, quantised(random_numbers(0, 0.0))
    which = described.usable(what)
    moves = [described.near[described.starts[n] : described.starts[n + 1]].sum() for n in which]
    expected = math.log(2) if what == WORTHS else np.log(moves).mean()
    assert mean_loss(described, none, what, which) == pytest.approx(expected, rel=1e-6)


def made_up(count: int = 4000, points: int = 30) -> tuple[Positions, Logits]:
    """Positions of points at random from forty classes, and what came of them by numbers that are known."""
    random, truth = np.random.default_rng(8), shared_numbers(4)
    truth = replace(truth, worths=5 * truth.worths)
    some = random.choice(np.arange(1, CLASSES), 40, replace=False).astype(np.uint16)
    own, other = (random.choice(some, count * points) for _ in range(2))
    starts = np.arange(count + 1) * points
    contexts = random.integers(0, 40, (len(own), 3)).astype(np.uint8)
    around = contexts + STEPS_AWAY * np.arange(3)  # which numbers those are
    order = truth.orders[0, 0, own] + truth.orders[0, 1, other] + truth.contexts[0, around].sum(axis=1)
    order = order.reshape(count, points)
    # Adding Gumbel's noise chooses each with the chance that the softmax gives it.
    chosen = (order + random.gumbel(size=order.shape)).argmax(axis=1)
    turns, threats = random.integers(0, 2, count), random.integers(0, 4, count)
    near = np.ones(len(own), np.uint8)
    described = Positions(starts, own, other, near, contexts, chosen, turns, threats, np.zeros(count))
    return replace(described, targets=predicted(described, quantised(truth), np.arange(count))), truth


def test_a_fit_finds_the_numbers_again_that_made_the_data():
    described, truth = made_up()
    seen = np.unique(described.own)
    found = logits_of(
        fit(described, PointClassSettings(shared=True, epochs=40, decay=0, rate=0.03, batch=128))
    )
    # All numbers together may be moved: each position has as many points, and a threat of some kind.
    for turn in (0, 1):
        off = (found.worths - truth.worths)[0, turn, seen]
        assert np.std(off) < 0.05 * np.std(truth.worths[0, turn, seen])
        order_off = (found.orders - truth.orders)[0, turn, seen]
        assert np.std(order_off) < 0.4 * np.std(truth.orders[0, turn, seen])
    for kind in range(3):
        some = slice(kind * STEPS_AWAY, kind * STEPS_AWAY + 40)
        context_off = (found.contexts - truth.contexts)[0, some]
        assert np.std(context_off) < 0.4 * np.std(truth.contexts[0, some])
    everything = np.arange(len(described))
    assert np.abs(predicted(described, quantised(found), everything) - described.targets).mean() < 0.01
    best = mean_loss(described, quantised(truth), ORDERS, everything)
    assert mean_loss(described, quantised(found), ORDERS, everything) < best + 0.02


def test_losses_fall_and_are_reported():
    told = []
    how = PointClassSettings(shared=True, epochs=4)
    weights = fit(games().positions, how, report=lambda what, now: told.append((what, now)))
    assert [(what, now.epoch) for what, now in told] == [
        (w, n) for w in (WORTHS, ORDERS) for n in range(1, 5)
    ]
    for what in (WORTHS, ORDERS):
        losses = [now.training for kind, now in told if kind == what]
        assert losses[-1] < losses[0]
    again = fit(games().positions, how)
    assert (again.worths == weights.worths).all()
    assert (again.orders == weights.orders).all()
    assert (again.contexts == weights.contexts).all()


def test_colours_share_their_numbers_only_where_told():
    for shared in (True, False):
        weights = fit(games("renju").positions, PointClassSettings(shared=shared, epochs=1))
        for array in (weights.worths, weights.orders, weights.situations, weights.contexts):
            assert (array[0] == array[1]).all() == shared


def test_points_where_nothing_can_be_made_are_worth_nothing():
    weights = fit(games().positions, PointClassSettings(shared=False, epochs=1))
    assert not weights.worths[:, :, 0].any()
    assert not weights.orders[:, :, 0].any()


def test_what_has_not_been_seen_stays_as_it_was():
    start = quantised(shared_numbers(7))
    described = games().positions
    weights = fit(described, PointClassSettings(shared=True, epochs=1, rate=1e-9), start=start)
    assert (weights.worths == start.worths).all()
    weights = fit(described, PointClassSettings(shared=True, epochs=2), start=start)
    seen = np.bincount(np.concatenate([described.own, described.other]), minlength=CLASSES) > 0
    seen[0] = False  # where nothing can be made
    moved = np.abs(weights.worths - start.worths)[0].sum(axis=0) > 0
    # A class that has not been seen goes with its patterns, if those have been.
    known = np.isin(class_patterns(), class_patterns()[seen])
    strange = ~known.any(axis=1)
    assert strange.any()
    assert not moved[strange].any()
    assert moved[seen].mean() > 0.9


def test_the_rank_of_a_move_among_equals_is_the_middle():
    described, none = games().positions, quantised(random_numbers(0, 0.0))
    batch = described.usable(ORDERS)
    moves = np.array([described.near[described.starts[n] : described.starts[n + 1]].sum() for n in batch])
    assert (ranks(described, none, batch) == (moves - 1) // 2).all()


def test_a_fit_continues_to_the_same_numbers_bit_for_bit(tmp_path):
    """Wherever it has been left, while worths are fitted or orders."""
    described, how, states = games().positions, PointClassSettings(shared=True, epochs=2), []
    keeper = Keeper(tmp_path / "a.npz", "0", True, pause=0, gap=0)

    class Kept(Keeper):
        def __call__(self, epochs, state):
            states.append(Checkpoint("0", True, epochs, state()))

    expected = fit(described, how, keeper=Kept(keeper.path, "0", True))
    told: list[str] = []
    for share in (0.2, 0.6, 0.9):
        keeper.kept = states[int(share * len(states))]
        told.clear()
        found = fit(described, how, lambda what, _: told.append(what), keeper=keeper)
        assert told == [WORTHS, WORTHS, ORDERS, ORDERS]
        for array in ("worths", "orders", "situations", "contexts"):
            assert (getattr(found, array) == getattr(expected, array)).all()
    keeper.kept = Checkpoint("0", True, 0, {"worths.about": np.frombuffer(b"{", np.uint8)})
    with pytest.raises(TengenError, match="is damaged"):
        fit(described, how, keeper=keeper)
