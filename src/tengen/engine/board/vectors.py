"""Vector kernels, for loops that Numba does not vectorise well.

Numba promotes integers to 64 bits; here 32 numbers of 16 bits are added at once, on any processor. Each
function works on flat arrays, from given indices on. Nothing is checked.
`tengen.engine.board.vectors_llvm` builds them.
"""

# The types of the numbers are those of the functions that build the instructions.
# mypy: allow-untyped-defs, allow-untyped-decorators
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from tengen.engine.kernels.declarations import intrinsic

AT_ONCE = 32
"""The count of int32 numbers that are compared at once."""

LEAST = -(1 << 31)
"""The least int32 number."""

MOST_ACTIVATED = 1024
"""The largest activation of a sum of the policy in the mean of all moves; 128 stand for 1."""


@intrinsic
def largest(numbers, at, count):
    """Return the largest of so many numbers, int32, from a place on.

    They are read by 32 at once: what follows up to a multiple of that has to be `LEAST`.
    """


@intrinsic
def bits_of_equal(array, at, number):
    """Return a bit for each of the ``ROW`` bytes from an index on: whether it equals a number."""


@intrinsic
def bits_of_greater(array, at, number):
    """Return a bit for each of the ``ROW`` bytes from an index on: whether it is greater than a number."""


@intrinsic
def read_counts(array, at):
    """Return the counts of all kinds from a place of an array on, ``2 * KINDS`` numbers, int16."""


@intrinsic
def write_counts(array, at, counts):
    """Write the counts of all kinds into an array, from a place on."""


@intrinsic
def with_kinds(counts, black, white):
    """Return the counts with one more cell, that is of a kind for Black and of one for White."""


@intrinsic
def without_kinds(counts, black, white):
    """Return the counts with one cell less, that is of a kind for Black and of one for White."""


@intrinsic
def copy_row(target, to, source, at):
    """``target[to:to + WIDTH] = source[at:at + WIDTH]``, all int16."""


@intrinsic
def copy_pools(target, to, source, at):
    """Copy all pools of both colours, ``2 * POOLS * WIDTH`` numbers."""


@intrinsic
def leave_pool(sums, at, pools, pool):
    """Take a point, whose sums are at a place, out of a pool."""


@intrinsic
def change_row(sums, at, rows, new, old, pools, pool):
    """Put another row of the table in the place of one in a point's sums, and keep up its pool."""


@intrinsic
def add_layer(inputs, pairs, weights, at, sums, to):
    """``sums[to:] += weights[at:] @ inputs``: `UNITS` sums, int32, of so many pairs of inputs, int16.

    The weights, int16, are in the order (pair of inputs, unit, which of the pair): processors multiply and
    add such pairs in one instruction.
    """


@intrinsic
def first_layer(pools, own, other, weights, bias, at, units):
    """``units = bias from a place on + weights @ (pools from own on, then from other on)``, int32.

    The weights, int16, are in the order (pair of inputs, unit, which of the pair).
    """


@intrinsic
def last_layers(units, scale, weights, bias, last):
    """Return ``last @ leaky(weights.T @ leaky(units * scale) + bias)``, float32.

    It is the same on every processor, for the order of the additions is fixed: in turn over the units, then
    halves added to halves.
    """


@intrinsic
def add_rows(rows, first, second, third, fourth, sums, at, total):
    """``sums[at:] =`` four rows of the table added up, and ``total +=`` that, activated, int32.

    Negative numbers are divided by eight, great ones cut off.
    """


@intrinsic
def matrix_product(total, scale, matrix, bias, at, units):
    """``units = (bias from a place on) + (total * scale) @ matrix``, int16, rounded towards nothing.

    The order of the additions is fixed: the same on every processor.
    """


@intrinsic
def weighted_sum(sums, at, steps, first, second, units, out):
    """Return ``out @ leaky(units + (sums from a place on) + (steps from two places on))``.

    What does not fit into 16 bits is cut off on the way.
    """
