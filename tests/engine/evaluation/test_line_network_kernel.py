"""The rows of all lines that a kernel computes are those of the definition, bit for bit."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tengen.engine.board.patterns import REACH, SIDES
from tengen.engine.board.records import NETWORKS, WIDTH, new_record
from tengen.engine.evaluation.line_network import HIDDEN, INPUTS, sides
from tengen.engine.evaluation.network import load
from tengen.engine.evaluation.weights import FAMILIES
from tests.engine.evaluation.filling import fill_with_network
from tests.engine.evaluation.line_rows import line_rows

pytestmark = pytest.mark.usefixtures("compiled")


def filled(network, colours):
    networks = new_record(NETWORKS)
    fill_with_network(networks, network, 15, colours)
    return networks[0]


def rows_of(record, colours):
    shape = colours, SIDES, SIDES, WIDTH
    return record["net_rows"][: colours * SIDES * SIDES * WIDTH].reshape(shape)


def extreme(network, seed, largest, colours):
    """A network of random numbers up to far beyond those of one that has been learned."""
    rng = np.random.default_rng(seed)

    def numbers(kind, limit, *shape):
        return rng.integers(-limit, limit, shape, endpoint=True).astype(kind)

    return replace(
        network,
        line_first=numbers(np.int16, min(largest, 32_767), INPUTS, HIDDEN),
        line_first_bias=numbers(np.int32, largest, colours, HIDDEN),
        line_second=numbers(np.int16, min(largest, 32_767), HIDDEN, HIDDEN),
        line_second_bias=numbers(np.int32, largest, HIDDEN),
        line_last=numbers(np.int16, min(largest, 32_767), HIDDEN, WIDTH),
        line_last_bias=numbers(np.int32, largest, WIDTH),
        first_bias=np.broadcast_to(network.first_bias[:1], (colours, *network.first_bias.shape[1:])),
    )


@pytest.mark.long
@pytest.mark.parametrize("family", FAMILIES)
def test_rows_of_the_networks_that_come_with_tengen(family):
    network = load(family)
    assert network is not None
    rows = rows_of(filled(network, network.colours), network.colours)
    assert np.array_equal(rows, line_rows(network))


# The largest number decides which sums fit into 32 bits, and which units into 16.
@pytest.mark.long
@pytest.mark.parametrize(("largest", "colours"), [(800, 1), (3000, 2), (32_767, 1), ((1 << 31) - 1, 2)])
def test_rows_of_any_numbers(largest, colours):
    network = extreme(load("freestyle"), 7, largest, colours)
    rows = rows_of(filled(network, colours), colours)
    expected = line_rows(network)
    assert len(np.unique(expected)) > 1
    assert np.array_equal(rows, expected)


def test_one_network_for_both_colours_fills_a_table_of_two():
    network = load("freestyle")
    one, two = rows_of(filled(network, 1), 1), rows_of(filled(network, 2), 2)
    assert np.array_equal(two, np.concatenate([one, one]))


@pytest.mark.parametrize("colours", [1, 2])
def test_the_place_of_a_row_by_the_codes_of_the_sides(colours):
    record = filled(load("freestyle"), colours)
    numbers = {tuple(contents): number for number, contents in enumerate(sides().tolist())}
    ahead, behind = np.zeros(1024, np.int64), np.zeros(1024, np.int64)
    for contents in product(range(4), repeat=REACH):
        # Beyond a point off the board all are.
        edge = contents.index(3) if 3 in contents else REACH
        seen = (*contents[:edge], *(3,) * (REACH - edge))
        number = numbers[seen]
        mirror = numbers[tuple((0, 2, 1, 3)[content] for content in seen)]
        nearest_first = sum(content << (2 * place) for place, content in enumerate(contents))
        farthest_first = sum(content << (2 * place) for place, content in enumerate(contents[::-1]))
        # Black's row in the low half, White's in the high one.
        ahead[nearest_first] = WIDTH * (number + (mirror << 32))
        white = (colours - 1) * SIDES**2 * WIDTH
        behind[farthest_first] = WIDTH * SIDES * (number + (mirror << 32)) + (white << 32)
    assert np.array_equal(record["rows_ahead"], ahead)
    assert np.array_equal(record["rows_behind"], behind)
