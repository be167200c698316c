"""The worths of empty points, kept up to date as stones come and go.

A point has a worth for either side, by its point class and by whose turn it is. Both are packed into one
integer: the score with White to move in the low bits, with Black to move above them, each in sixteenths of
a centi-unit.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from tengen.engine.kernels.declarations import inlined

UNIT = 16
"""Units of a worth in a centi-unit: many points are worth less than one centi-unit."""

LOW_BITS = 32
"""Bits of the lower of the two packed numbers."""


@inlined
def worth_of(tables, black, white):
    """Return the worth of an empty cell by its point class for either colour."""
    return tables.worths[0, black] + tables.worths[1, white]
