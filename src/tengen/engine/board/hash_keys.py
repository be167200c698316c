"""Hash keys of stones, from the generator PCG64 with a fixed seed.

They are those of NumPy's ``default_rng(2026).integers(-(2**63), 2**63 - 1)``, computed without NumPy: equal
keys on every machine, so that equal searches fill their tables equally.

M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
Generation" (2014).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from tengen.engine.board.records import CELLS
from tengen.engine.kernels.declarations import inlined


def _halves(number: int) -> tuple[int, int]:
    """Return the upper and the lower 64 bits of a number, as int64 holds them."""
    return tuple(half - (half >> 63 << 64) for half in (number >> 64, number & ((1 << 64) - 1)))  # type: ignore[return-value]


_FIRST_HIGH, _FIRST_LOW = _halves(0x8B4E2F84EA4132EB2D429278CD96CB05)
_MULTIPLIER_HIGH, _MULTIPLIER_LOW = _halves(0x2360ED051FC65DA44385DF649FCCF645)
_INCREMENT_HIGH, _INCREMENT_LOW = _halves(0xBEC6782ECB0472D8DD766BD09854840B)
_LEAST = -(1 << 63)
_LOWER_HALF = (1 << 32) - 1


@inlined
def fill_keys(state):
    """Put a key for each colour and cell into a state."""
    high, low = _FIRST_HIGH, _FIRST_LOW
    for colour in range(2):
        for cell in range(CELLS):
            high, low = _following(high, low)
            state.keys[colour, cell] = _output(high, low) - 1 + _LEAST


@inlined
def _following(high, low):
    """Return ``state * multiplier + increment`` in 128 bits."""
    product = low * _MULTIPLIER_LOW
    upper = _upper_product(low, _MULTIPLIER_LOW) + low * _MULTIPLIER_HIGH + high * _MULTIPLIER_LOW
    total = product + _INCREMENT_LOW
    carry = (total ^ _LEAST) < (product ^ _LEAST)  # compared as numbers without a sign
    return upper + _INCREMENT_HIGH + carry, total


@inlined
def _upper_product(one, other):
    """Return the upper 64 bits of the product of two numbers without a sign."""
    one_low, one_high = one & _LOWER_HALF, (one >> 32) & _LOWER_HALF
    other_low, other_high = other & _LOWER_HALF, (other >> 32) & _LOWER_HALF
    middle = one_high * other_low + ((one_low * other_low >> 32) & _LOWER_HALF)
    rest = one_low * other_high + (middle & _LOWER_HALF)
    return one_high * other_high + ((middle >> 32) & _LOWER_HALF) + ((rest >> 32) & _LOWER_HALF)


@inlined
def _output(high, low):
    """Return both halves of a state combined and rotated."""
    mixed, turns = high ^ low, (high >> 58) & 63
    return ((mixed >> turns) & ((1 << (63 - turns) << 1) - 1)) | (mixed << (-turns & 63))
