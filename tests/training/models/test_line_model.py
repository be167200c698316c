"""The line network while it is fitted: its rows are the engine's, and their gradient is autodiff's."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from tengen.engine.board.patterns import SIDES
from tengen.engine.board.records import WIDTH
from tengen.engine.evaluation.line_network import ROW_BITS
from tengen.engine.evaluation.network import load
from tengen.training.games.lines import PAIRS
from tengen.training.models.arrays import taken
from tengen.training.models.line_model import all_rows, line_parameters, line_sums, quantised_line
from tests.engine.evaluation.line_rows import line_rows as rows_by_definition


def test_rows_are_those_of_the_engine():
    """Of all lines, int16 against float32, within four parts of 128."""
    network = load("renju")
    assert network is not None
    parameters = line_parameters(network, 2)
    rows = np.asarray(all_rows(parameters)).reshape(2, PAIRS, WIDTH)
    larger, smaller = np.tril_indices(SIDES)
    table = rows_by_definition(network)[:, larger, smaller]
    in_range = np.abs(table) < (1 << 13) - 1
    assert np.abs(rows * (1 << ROW_BITS) - table)[in_range].max() < 4
    for name, array in quantised_line(parameters).items():
        assert np.array_equal(array, getattr(network, name)), name


def test_the_gradient_of_sums_of_rows_is_that_of_autodiff():
    rng = np.random.default_rng(1)
    rows = jnp.asarray(rng.normal(size=(20, WIDTH)), jnp.float32)
    places = [jnp.asarray(rng.integers(0, 20, (3, 50)), jnp.int32) for _ in range(4)]
    scale = jnp.asarray(rng.normal(size=(3, 50, WIDTH)), jnp.float32)
    ours = jax.grad(lambda some: (line_sums(some, places) * scale).sum())(rows)
    theirs = jax.grad(lambda some: (sum(taken(some, place) for place in places) * scale).sum())(rows)
    assert np.allclose(ours, theirs, atol=1e-4)
