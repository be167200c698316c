"""The worths of empty points, kept up to date as stones come and go.

Each point is worth something to either side, by its point class, and something else when that side has to
wait. A worth is two numbers in one integer: the score with White to move in the low bits, with Black to
move above them. Both are in units of a sixteenth of a centi-unit.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

from tengen.engine.kernels.jit import inlined

UNIT = 16
"""How many of a worth's units are a centi-unit: many points are worth less than one."""

LOW_BITS = 32
"""A worth is two numbers in one: for White to move in the low bits, for Black in those above."""


@inlined
def worth_of(tables, black, white):
    """Return the worth of an empty cell by its point class for either colour."""
    return tables.worths[0, black] + tables.worths[1, white]
