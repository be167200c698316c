"""Point classes: the multiset of the four patterns of a point for one colour, without their directions.

The linear evaluation has weights for each class (`tengen.engine.evaluation.weights`), and the kind of a
point (`tengen.engine.board.records.Kind`) follows from its class.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import Pattern, count_of
from tengen.engine.board.records import Kind
from tengen.engine.kernels.declarations import compiled, inlined

PATTERNS = len(Pattern)
CLASSES = math.comb(PATTERNS + 3, 4)
"""The number of point classes."""

Ints = npt.NDArray[np.int64]

_OPEN_TWO, _SLIM_TWO, _THREE, _WIDE_THREE = map(
    int, (Pattern.OPEN_TWO, Pattern.SLIM_TWO, Pattern.THREE, Pattern.WIDE_THREE)
)
_OPEN_THREE, _SLIM_OPEN_THREE = int(Pattern.OPEN_THREE), int(Pattern.SLIM_OPEN_THREE)
_FOUR, _DOUBLE_FOUR, _OPEN_FOUR = int(Pattern.FOUR), int(Pattern.DOUBLE_FOUR), int(Pattern.OPEN_FOUR)
_FIVE, _OVERLINE = int(Pattern.FIVE), int(Pattern.OVERLINE)

_KIND_NOTHING, _KIND_OPEN_TWO, _KIND_TWO_OPEN_TWOS = Kind.NOTHING, Kind.OPEN_TWO, Kind.TWO_OPEN_TWOS
_KIND_THREE, _KIND_OPEN_THREE, _KIND_THREE_AND_MORE = Kind.THREE, Kind.OPEN_THREE, Kind.THREE_AND_MORE
_KIND_DOUBLE_THREE, _KIND_FOUR, _KIND_FOUR_AND_MORE = Kind.DOUBLE_THREE, Kind.FOUR, Kind.FOUR_AND_MORE
_KIND_FOUR_THREE, _KIND_OPEN_FOUR, _KIND_FIVE = Kind.FOUR_THREE, Kind.OPEN_FOUR, Kind.FIVE
_KIND_SUSPECT, _KIND_FOUL = Kind.SUSPECT, Kind.FOUL


def class_patterns() -> Ints:
    """Return the four patterns of each point class: shape (`CLASSES`, 4)."""
    return np.array(list(combinations_with_replacement(range(PATTERNS), 4)), np.int64)


@inlined
def fill_classes(tables):
    """Put the class of each four patterns, and the kinds of all classes, into the tables of some rules.

    The rules' numbers are there already. The classes are numbered as in `class_patterns`.
    """
    number = 0
    for first in range(PATTERNS):
        for second in range(first, PATTERNS):
            for third in range(second, PATTERNS):
                for fourth in range(third, PATTERNS):
                    tables.classes[_joined(first, second, third, fourth)] = number
                    counts = (1 << 4 * first) + (1 << 4 * second) + (1 << 4 * third) + (1 << 4 * fourth)
                    fouls = tables.overlines, tables.double_fours, tables.double_threes
                    tables.kinds[0, number] = _kind(counts, *fouls)
                    tables.kinds[1, number] = _kind(counts, np.int64(0), np.int64(0), np.int64(0))
                    number += 1
    for patterns in range(1 << 16):
        tables.classes[patterns] = tables.classes[_in_order(patterns)]


@inlined
def _joined(first, second, third, fourth):
    return first | (second << 4) | (third << 8) | (fourth << 12)


@inlined
def _in_order(patterns):
    """Return four patterns, the least first; what is none counts as the last."""
    last = PATTERNS - 1
    a, b = min(patterns & 15, last), min((patterns >> 4) & 15, last)
    c, d = min((patterns >> 8) & 15, last), min(patterns >> 12, last)
    a, b, c, d = min(a, b), max(a, b), min(c, d), max(c, d)
    a, b, c, d = min(a, c), min(b, d), max(a, c), max(b, d)
    return _joined(a, min(b, c), max(b, c), d)


@compiled
def _kind(counts, overlines, double_fours, double_threes):
    """Return the kind of a point by the counts of its patterns; which fouls its colour has, 1 or 0 each."""
    fours = count_of(counts, _FOUR) + count_of(counts, _OPEN_FOUR) + 2 * count_of(counts, _DOUBLE_FOUR)
    open_threes = count_of(counts, _OPEN_THREE) + count_of(counts, _SLIM_OPEN_THREE)
    threes = count_of(counts, _THREE) + count_of(counts, _WIDE_THREE)
    open_twos = count_of(counts, _OPEN_TWO) + count_of(counts, _SLIM_TWO)
    more = threes + open_twos > 0
    if count_of(counts, _FIVE) > 0:
        return _KIND_FIVE
    if (overlines and count_of(counts, _OVERLINE) > 0) or (double_fours and fours >= 2):
        return _KIND_FOUL
    if double_threes and open_threes >= 2:
        return _KIND_SUSPECT
    if count_of(counts, _OPEN_FOUR) > 0 or fours >= 2:
        return _KIND_OPEN_FOUR
    if fours == 1:
        return _KIND_FOUR_THREE if open_threes > 0 else _KIND_FOUR_AND_MORE if more else _KIND_FOUR
    if open_threes >= 2:
        return _KIND_DOUBLE_THREE
    if open_threes == 1:
        return _KIND_THREE_AND_MORE if more else _KIND_OPEN_THREE
    if threes > 0:
        return _KIND_THREE
    if open_twos >= 2:
        return _KIND_TWO_OPEN_TWOS
    return _KIND_OPEN_TWO if open_twos == 1 else _KIND_NOTHING
