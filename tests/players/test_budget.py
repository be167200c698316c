from __future__ import annotations

import threading

import pytest

from tengen import Limit, TengenError
from tengen.game.player import SOONEST
from tengen.players.budget import Budget, BudgetSpent, whole


def spent(budget):
    """How many nodes can still be spent, up to a thousand."""
    for number in range(1000):
        try:
            budget.spend()
        except BudgetSpent:
            return number
    return 1000


def test_without_a_limit_there_is_no_end():
    assert spent(Budget()) == spent(Budget(Limit(depth=3))) == 1000


@pytest.mark.parametrize("nodes", [1, 7, 100])
def test_exactly_the_nodes_of_the_limit_can_be_spent(nodes):
    budget = Budget(Limit(nodes=nodes))
    assert spent(budget) == nodes
    assert spent(budget) == 0
    assert budget.nodes == nodes


def test_time_and_the_stop_signal_end_it():
    assert spent(Budget(Limit(seconds=SOONEST))) == 0
    stop = threading.Event()
    budget = Budget(None, stop)
    budget.spend()
    assert not budget.over()
    stop.set()
    assert budget.over()
    assert spent(budget) < 20


def test_a_share_is_a_part_of_what_is_left():
    budget = Budget(Limit(nodes=100))
    budget.share(0.5)
    assert spent(budget) == 50
    budget.share(0.5)
    assert spent(budget) == 25
    budget.share(1)
    assert spent(budget) == 25
    timed = Budget(Limit(seconds=1000))
    timed.share(0)
    assert spent(timed) == 0
    timed.share(0.5)
    assert spent(timed) == 1000


@pytest.mark.parametrize("value", [0, -1, 1.5, "3", True, None])
def test_a_whole_number_is_asked_for(value):
    assert whole("depth", 1, 1) == 1
    with pytest.raises(TengenError, match=r"player parameter depth is .*: expected a whole number"):
        whole("depth", value, 1)
