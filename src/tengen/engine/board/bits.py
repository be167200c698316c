"""Single instructions of the processor for which Numba has no functions."""

# The types of the numbers are those of the functions that build the instructions.
# mypy: allow-untyped-defs, allow-untyped-decorators
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from tengen.engine.kernels.declarations import intrinsic


@intrinsic
def count_bits(number):
    """Return the number of bits that are set in an int64."""


@intrinsic
def lowest_bit(number):
    """Return the index of the lowest bit that is set in an int64, which is not 0."""


@intrinsic
def highest_bit(number):
    """Return the index of the highest bit that is set in an int64, which is not 0."""


@intrinsic
def prefetch(array, index):
    """Prefetch an element of an array, by its flat index; nothing is read or checked."""
