"""Learned numbers in the tables of a search."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tengen.engine.board.point_classes import CLASSES
from tengen.engine.board.records import NETWORKS, POOLS, TABLES, UNITS, WIDTH, cell_of, new_record
from tengen.engine.board.worths import LOW_BITS
from tengen.engine.evaluation.learned_file import record_of
from tengen.engine.evaluation.network import load as load_network
from tengen.engine.evaluation.parameters import put_weights
from tengen.engine.evaluation.policy import load as load_policy
from tengen.engine.evaluation.weights import LARGEST_ORDER, LARGEST_WORTH, WEIGHTS_RECORD, load
from tests.engine.evaluation.filling import fill_with_network, fill_with_policy

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.fixture(scope="module")
def weights():
    return load("renju")


def tables_of(weights):
    tables = new_record(TABLES)
    put_weights(record_of(weights, WEIGHTS_RECORD), tables)
    return tables[0]


def test_worths_count_for_the_side_to_move_above_and_below(weights):
    worths = tables_of(weights)["worths"][:, :CLASSES]
    low = ((worths + (1 << (LOW_BITS - 1))) & ((1 << LOW_BITS) - 1)) - (1 << (LOW_BITS - 1))
    high = (worths - low) >> LOW_BITS
    assert np.array_equal(high, [weights.worths[0, 0], -weights.worths[1, 1]])
    assert np.array_equal(low, [-weights.worths[0, 1], weights.worths[1, 0]])


def test_the_other_weights_as_they_are(weights):
    tables = tables_of(weights)
    assert np.array_equal(tables["orders"][:, :, :CLASSES], weights.orders)
    assert np.array_equal(tables["situations"], weights.situations)
    assert np.array_equal(tables["contexts"], weights.contexts)


def test_too_large_numbers_are_clipped(weights):
    huge = np.full_like(weights.worths, 1 << 15)
    low = np.full_like(weights.contexts, -(1 << 15))
    tables = tables_of(replace(weights, worths=huge, orders=-huge, contexts=low))
    assert tables["worths"][0, 0] == (LARGEST_WORTH << LOW_BITS) - LARGEST_WORTH
    assert (tables["orders"][:, :, :CLASSES] == -LARGEST_ORDER).all()
    assert (tables["contexts"] == -LARGEST_ORDER).all()


def test_reductions_grow_with_depth_and_number(weights):
    reductions = tables_of(weights)["reductions"]
    for depth, number in np.ndindex(64, 64):
        assert reductions[depth, number] == int(1 + math.log(max(depth, 1)) * math.log(max(number, 1)))


@pytest.mark.parametrize(("family", "size"), [("freestyle", 20), ("renju", 15)])
def test_the_head_of_a_network(family, size):
    network, networks = load_network(family), new_record(NETWORKS)
    assert network is not None
    fill_with_network(networks, network, size, network.colours)
    record = networks[0]
    assert record["network"] == 1
    for x, y in np.ndindex(size, size):
        assert record["pools"][cell_of(x, y)] == 3 * (3 * y // size) + 3 * x // size
    pairs = record["net_first"].reshape(POOLS * WIDTH, UNITS, 2)
    assert np.array_equal(pairs.transpose(0, 2, 1).reshape(2 * POOLS * WIDTH, UNITS), network.first)
    assert np.array_equal(record["net_first_bias"].reshape(2, UNITS)[[0, -1]], network.first_bias[[0, -1]])
    assert np.array_equal(record["net_second"].reshape(UNITS, UNITS), network.second)
    assert np.array_equal(record["net_second_bias"], network.second_bias)
    assert np.array_equal(record["net_last"], network.last)
    assert record["net_last_bias"] == network.last_bias[0]


def test_the_parameters_of_a_policy():
    policy, networks = load_policy("caro"), new_record(NETWORKS)
    assert policy is not None
    fill_with_policy(networks, policy, 1)
    record = networks[0]
    assert record["policy"] == 1
    assert np.array_equal(record["policy_steps"], policy.steps.reshape(-1))
    assert np.array_equal(record["policy_bias"].reshape(2, WIDTH)[[0, -1]], policy.bias[[0, -1]])
    assert np.array_equal(record["policy_whole"].reshape(WIDTH, WIDTH), policy.whole)
    assert np.array_equal(record["policy_out"], policy.out)
