"""Shared helpers of all models: activations, padding, softmax over ragged moves."""

from __future__ import annotations

from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

Parameters: TypeAlias = dict[str, jax.Array]
"""The parameters of a model by name, float32."""

Batch: TypeAlias = dict[str, Any]
"""The arrays of some positions by name, padded to few distinct shapes: each shape is compiled once."""

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float32]

LEAK = 0.125
_LARGEST_INT16 = 32_767
_LEAST_BUCKET = 256


def leaky(values: jax.Array) -> jax.Array:
    """Apply the leaky rectifier elementwise."""
    return jnp.where(values > 0, values, values * LEAK)


def taken(table: jax.Array, index: jax.Array) -> jax.Array:
    """Return the rows of a table at valid indexes, shape ``index.shape + table.shape[1:]``."""
    return table.at[index].get(mode="promise_in_bounds")


def bucket(count: int) -> int:
    """Return the next larger padded length: a power of two, or one and a half times one."""
    length = _LEAST_BUCKET
    while length < count:
        half = length + length // 2
        if half >= count:
            return half
        length *= 2
    return length


def padded(array: npt.NDArray[Any], length: int, value: int = 0) -> npt.NDArray[Any]:
    """Return the array, padded to a length with a value."""
    found = np.full((length, *array.shape[1:]), value, array.dtype)
    found[: len(array)] = array
    return found


def segments(counts: Ints, length: int) -> npt.NDArray[np.int32]:
    """Return the position index of each move, shape (length,); padding has the number of positions."""
    found = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    return padded(found, length, len(counts))


def segment_sum(values: jax.Array, segment: jax.Array, count: int) -> jax.Array:
    """Sum the values of each position, shape (count, ...); values of padding are dropped."""
    return jax.ops.segment_sum(values, segment, count, indices_are_sorted=True)


def move_losses(logits: jax.Array, segment: jax.Array, chosen: jax.Array) -> jax.Array:
    """Return minus the logarithm of the chosen move's probability, shape (positions,).

    Args:
        logits: the logits of all moves, shape (moves,).
        segment: the position of each move, ascending, shape (moves,).
        chosen: the index of the chosen move of each position among all moves, shape (positions,).
    """
    count = chosen.shape[0]
    largest = jax.ops.segment_max(logits, segment, count, indices_are_sorted=True)
    largest = jax.lax.stop_gradient(largest)
    shifted = logits - jnp.concatenate([largest, jnp.zeros(1)])[segment]
    totals = segment_sum(jnp.exp(shifted), segment, count)
    return jnp.log(totals) - taken(shifted, chosen)


def cross_entropy(logits: jax.Array, targets: jax.Array) -> jax.Array:
    """Return the cross-entropy of each prediction, shape (n,)."""
    return jnp.logaddexp(0, logits) - targets * logits


def losses_and_ranks(
    starts: Ints, chosen: Ints, logits: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the loss of each position and the rank of its chosen move, from 0, shape (2, n).

    Moves of the same probability share their ranks: the chosen move gets the middle rank.

    Args:
        starts: the index of the first move of each position, and the number of moves last, shape (n + 1,).
        chosen: the chosen move of each position, counted from its first move, shape (n,).
        logits: the logits of all moves, shape (moves,).
    """
    first, counts = starts[:-1], np.diff(starts)
    if not len(first):
        return np.zeros((2, 0))
    beyond = logits - np.repeat(logits[first + chosen], counts)
    # Relative to the largest logit, to avoid overflow.
    largest = np.maximum.reduceat(beyond, first)
    weights = np.add.reduceat(np.exp(beyond - np.repeat(largest, counts)), first)
    ahead = np.add.reduceat((beyond > 0).astype(np.int64), first)
    level = np.add.reduceat((beyond == 0).astype(np.int64), first) - 1
    return np.stack([largest + np.log(weights), ahead + level // 2])


def int16(values: npt.NDArray[Any], scale: float) -> npt.NDArray[np.int16]:
    """Quantise values in units of 1 / scale to int16; too large values are clipped."""
    scaled = np.rint(values.astype(np.float64) * scale)
    found: npt.NDArray[np.int16] = np.clip(scaled, -_LARGEST_INT16, _LARGEST_INT16).astype(np.int16)
    return found


def int32(values: npt.NDArray[Any], scale: float) -> npt.NDArray[np.int32]:
    """Quantise values in units of 1 / scale to int32, where int16 is too small."""
    found: npt.NDArray[np.int32] = np.rint(values.astype(np.float64) * scale).astype(np.int32)
    return found
