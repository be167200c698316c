"""The line network in training; `tengen.engine.evaluation.line_network` describes it.

Each distinct line of a batch is evaluated once, since there are far fewer lines than points: the rows of
all lines that occur are computed, and the points gather them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tengen.engine.board.patterns import SIDES
from tengen.engine.board.records import WIDTH
from tengen.engine.evaluation.line_network import (
    HIDDEN,
    INPUTS,
    LINE_BITS,
    LineNetwork,
    side_inputs,
)
from tengen.training.games.lines import PAIRS
from tengen.training.models.arrays import Floats, Parameters, int16, int32, leaky, taken

_SPREAD, _MEAN = 0.25, 0.05
"""The standard deviation and mean of random rows: rows differ between lines, and no sum is large."""

_SEEN = side_inputs().astype(np.float32)
_LARGER, _SMALLER = (index.astype(np.int32) for index in np.tril_indices(SIDES))


def random_layer(
    rng: np.random.Generator, inputs: int, outputs: int, scale: float = 1.0, colour_inputs: int = 0
) -> Floats:
    """Return random weights, shape (inputs + colour_inputs, outputs).

    Initially the colours are equal: the last inputs, which encode the colour, have zero weights.
    """
    spread = scale * math.sqrt(2 / (inputs + colour_inputs))
    weights = rng.normal(0, spread, (inputs + colour_inputs, outputs))
    weights[inputs:] = 0
    return weights.astype(np.float32)


def random_line(rng: np.random.Generator, colours: int) -> Parameters:
    """Return random parameters, scaled so that rows differ between lines."""
    found = {
        "line_first": jnp.asarray(random_layer(rng, INPUTS, HIDDEN, 2, colours - 1)),
        "line_first_bias": jnp.zeros(HIDDEN),
        "line_second": jnp.asarray(random_layer(rng, HIDDEN, HIDDEN)),
        "line_second_bias": jnp.zeros(HIDDEN),
        "line_last": jnp.asarray(random_layer(rng, HIDDEN, WIDTH)),
        "line_last_bias": jnp.zeros(WIDTH),
    }
    found["line_last"] *= _SPREAD / all_rows(found).std(axis=0).mean()
    found["line_last_bias"] = _MEAN - all_rows(found).mean(axis=0)
    return found


def line_rows(parameters: Parameters, lines: jax.Array) -> jax.Array:
    """Return the rows of some lines.

    Args:
        parameters: the parameters of the line network; ``line_first`` has shape (`INPUTS` + 1, `HIDDEN`)
            where the colours are distinguished, else (`INPUTS`, `HIDDEN`).
        lines: the numbers of the lines (`tengen.training.games.lines.LineTable`), int32, shape (n,).

    Returns:
        The rows, float32, shape (n, `WIDTH`).
    """
    first, half = parameters["line_first"], INPUTS // 2
    seen = jnp.asarray(_SEEN)
    near, far = seen @ first[:half], seen @ first[half:INPUTS]
    pair, bias = lines, parameters["line_first_bias"]
    if first.shape[0] > INPUTS:
        pair = lines % PAIRS
        bias = bias + (lines // PAIRS)[:, None] * first[INPUTS]
    sides = taken(jnp.asarray(_LARGER), pair), taken(jnp.asarray(_SMALLER), pair)

    def from_end(ahead: jax.Array, behind: jax.Array) -> jax.Array:
        units = leaky(taken(near, ahead) + taken(far, behind) + bias)
        units = leaky(units @ parameters["line_second"] + parameters["line_second_bias"])
        return units @ parameters["line_last"] + parameters["line_last_bias"]

    # A line has the same row in both directions.
    return (from_end(sides[0], sides[1]) + from_end(sides[1], sides[0])) * 0.5


def all_rows(parameters: Parameters) -> jax.Array:
    """Return the rows of all lines, shape (colours * `PAIRS`, `WIDTH`)."""
    colours = parameters["line_first"].shape[0] - INPUTS + 1
    rows: jax.Array = _line_rows(parameters, jnp.arange(colours * PAIRS, dtype=jnp.int32))
    return rows


_line_rows = jax.jit(line_rows)


@jax.custom_vjp
def line_sums(rows: jax.Array, places: Sequence[jax.Array]) -> jax.Array:
    """Sum the rows of the four lines through each point, one per direction.

    Args:
        rows: float32, shape (lines, `WIDTH`).
        places: the indexes of the rows by direction, four int32 arrays of the same shape.

    Returns:
        The sums, float32, shape ``places[0].shape + (WIDTH,)``.
    """
    first, second, third, fourth = (taken(rows, place) for place in places)
    return first + second + third + fourth


def _sums_forward(rows: jax.Array, places: Sequence[jax.Array]) -> tuple[jax.Array, Any]:
    return line_sums(rows, places), (rows, places)


def _sums_backward(residuals: Any, gradient: jax.Array) -> tuple[jax.Array, None]:
    """Return the gradient of a sum of gathered rows, direction by direction.

    By default XLA recomputes the gradient of the sums for each direction, which takes four times as long on
    a CPU; in a loop the gradient is kept in memory.
    """
    rows, places = residuals
    flat = gradient.reshape(-1, WIDTH)

    def add(total: jax.Array, place: jax.Array) -> tuple[jax.Array, None]:
        return total.at[place].add(flat, mode="promise_in_bounds"), None

    found, _ = jax.lax.scan(add, jnp.zeros_like(rows), jnp.stack([each.reshape(-1) for each in places]))
    return found, None


line_sums.defvjp(_sums_forward, _sums_backward)


def quantised_line(parameters: Parameters) -> dict[str, Any]:
    """Return the fields of a `LineNetwork`, by name."""
    arrays = {name: np.asarray(value) for name, value in parameters.items() if name.startswith("line_")}
    scale, first, bias = 1 << LINE_BITS, arrays["line_first"], arrays["line_first_bias"]
    return {
        "line_first": int16(first[:INPUTS], scale),
        "line_first_bias": int32(np.stack([bias, *(bias + first[INPUTS:])]), scale),
        "line_second": int16(arrays["line_second"], scale),
        "line_second_bias": int32(arrays["line_second_bias"], scale),
        "line_last": int16(arrays["line_last"], scale),
        "line_last_bias": int32(arrays["line_last_bias"], scale),
    }


def line_parameters(network: LineNetwork, colours: int) -> Parameters:
    """Return the parameters of a quantised line network, which may not distinguish the colours."""
    names = "line_second", "line_second_bias", "line_last", "line_last_bias"
    scale = 1 << LINE_BITS
    first, bias = with_colours(network.line_first, network.line_first_bias, colours)
    found = {
        "line_first": first,
        "line_first_bias": bias,
        **{name: getattr(network, name) for name in names},
    }
    return {name: jnp.asarray(value / scale, jnp.float32) for name, value in found.items()}


def with_colours(weights: Any, biases: Any, colours: int) -> tuple[Any, Any]:
    """Return a layer's weights, with an input for White where colours are distinguished, and Black's bias.

    Args:
        weights: shape (inputs, outputs).
        biases: shared by both colours or one for each, shape (1 or 2, outputs).
        colours: 2 where the colours are distinguished, else 1.
    """
    more = np.broadcast_to(biases[-1:] - biases[:1], (colours - 1, weights.shape[1]))
    return np.concatenate([weights, more]), biases[0]
