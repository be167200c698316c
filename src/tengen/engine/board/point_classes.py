"""Point classes: the multiset of the four patterns of a point for one colour, without their directions.

The linear evaluation has weights for each class (`tengen.engine.evaluation.weights`), and the kind of a
point (`tengen.engine.board.records.Kind`) follows from its class.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import Pattern

PATTERNS = len(Pattern)
CLASSES = math.comb(PATTERNS + 3, 4)
"""The number of point classes."""

Ints = npt.NDArray[np.int64]


@lru_cache(maxsize=1)
def class_table() -> Ints:
    """Return the point class of each four patterns, of four bits each: shape (65536,)."""
    sets = class_patterns()
    places = PATTERNS ** np.arange(4)
    numbers = np.zeros(PATTERNS**4, np.int64)
    numbers[sets @ places] = np.arange(len(sets))
    codes = np.arange(1 << 16)
    patterns = np.stack(
        [np.minimum((codes >> shift) & 15, PATTERNS - 1) for shift in (0, 4, 8, 12)], axis=1
    )
    table: Ints = numbers[np.sort(patterns, axis=1) @ places]
    return table


def class_patterns() -> Ints:
    """Return the four patterns of each point class: shape (`CLASSES`, 4)."""
    return np.array(list(combinations_with_replacement(range(PATTERNS), 4)), np.int64)
