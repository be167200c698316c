"""The positions that a policy is fitted to are those in which a search had a choice, as it sees them."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import Rules
from tengen.engine.board.records import FRAME, ROW
from tengen.engine.board.steps import steps_away
from tengen.training.games.playing import numbers_of
from tengen.training.games.point_classes import ORDERS, positions_of
from tengen.training.games.policy_positions import joined, policy_positions
from tengen.training.models.point_class_model import mean_loss
from tengen.training.models.value_model import layout, lines_of
from tests.engine.helpers import called
from tests.training.played_games import played_games

pytestmark = pytest.mark.usefixtures("compiled")

SIZE, COUNT = 9, 21


@pytest.fixture(scope="module", params=["freestyle", "renju"])
def described(request):
    """The rules, the samples that tell of a choice, these as orders see them, and as a policy does."""
    rules = Rules.named(request.param, SIZE)
    games = played_games(request.param, count=COUNT)
    samples = [sample for game in games for sample in game.samples]
    orders = positions_of(rules, samples)
    looked_at = np.add.reduceat(orders.near, orders.starts[:-1], dtype=np.int64)
    chosen = np.flatnonzero((orders.chosen >= 0) & (looked_at > 1))
    return rules, [samples[number] for number in chosen], orders, chosen, looked_at[chosen], games


@pytest.fixture(scope="module")
def positions(described):
    rules, *_, games = described
    return policy_positions(rules, games)


def test_moves_are_those_that_a_search_looks_at(described, positions):
    _, samples, _, _, looked_at, _ = described
    assert len(positions) == len(samples) > 500
    assert np.array_equal(np.diff(positions.starts), looked_at)
    assert len(set(looked_at)) > 20, "some are forced, some are not"
    assert positions.movers.tolist() == [len(sample.cells) % 2 for sample in samples]
    assert positions.outside.tolist() == [sample.result is None for sample in samples]
    assert 0 < positions.outside.sum() < len(positions)
    for array in (positions.base, positions.lines, positions.lasts, positions.befores):
        assert len(array) == positions.starts[-1]


def test_what_the_numbers_say_is_what_orders_and_contexts_say(described, positions):
    rules, _, orders, chosen, _, _ = described
    first, counts = positions.starts[:-1], np.diff(positions.starts)
    chances = np.exp(positions.base / 100)
    loss = np.log(np.add.reduceat(chances, first)) - positions.base[first + positions.chosen] / 100
    assert counts.min() > 1
    assert loss.mean() == pytest.approx(mean_loss(orders, numbers_of(rules), ORDERS, chosen))


def test_lines_and_steps_are_those_of_the_side_to_move(described, positions):
    rules, samples, *_ = described
    for number in range(0, len(samples), 40):
        sample, mover = samples[number], int(positions.movers[number])
        board = np.zeros((1, rules.points), np.uint8)
        for ply, cell in enumerate(sample.cells):
            board[0, point_of(cell)] = 1 if ply % 2 == mover else 2
        lines, empty = lines_of(board, np.array([mover], np.uint8), SIZE, 2 if rules.has_fouls else 1)
        there = layout(SIZE) == point_of(sample.best)
        best = positions.starts[number] + positions.chosen[number]
        assert positions.lines[best].tolist() == [int(each[0, 0][there][0]) for each in lines]
        assert empty[0][there].all()
        assert positions.lasts[best] == called(steps_away)(sample.best, sample.cells[-1])
        assert positions.befores[best] == called(steps_away)(sample.best, sample.cells[-2])


def point_of(cell: int) -> int:
    return (cell // ROW - FRAME) * SIZE + cell % ROW - FRAME


def test_whole_games_are_held_out_and_sets_are_joined(described, positions):
    rules, *_, games = described
    assert set(positions.games[positions.held_out]) == {0, 20}
    both = joined([policy_positions(rules, games), policy_positions(rules, games)])
    assert len(both) == 2 * len(positions)
    assert both.held_out.sum() == 2 * positions.held_out.sum()
    assert len(set(both.games)) == 2 * len(set(positions.games))
    for half in range(2):
        again = both.taken(np.arange(len(positions)) + half * len(positions))
        assert np.array_equal(again.starts, positions.starts)
        for name in ("chosen", "movers", "outside", "base", "lines", "lasts", "befores"):
            assert np.array_equal(getattr(again, name), getattr(positions, name)), name


def test_some_positions_are_taken_in_the_order_given(positions):
    some = positions.taken(np.array([7, 3]))
    assert len(some) == 2
    for place, number in enumerate((7, 3)):
        first, last = positions.starts[number], positions.starts[number + 1]
        part = slice(some.starts[place], some.starts[place + 1])
        assert np.array_equal(some.lines[part], positions.lines[first:last])
        assert np.array_equal(some.base[part], positions.base[first:last])
        assert some.chosen[place] == positions.chosen[number]
    assert len(positions.taken(np.zeros(0, np.int64))) == 0
