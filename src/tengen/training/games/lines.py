"""All lines through a point, numbered regardless of direction, as a line network reads them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import REACH, SIDES
from tengen.engine.evaluation.line_network import SWAPPED, sides

Ints: TypeAlias = npt.NDArray[np.int64]

PAIRS = SIDES * (SIDES + 1) // 2
"""The number of lines of one colour: unordered pairs of sides."""


class LineTable:
    """The numbering of all lines.

    The line of sides a and b, with a >= b, has the number ``a * (a + 1) / 2 + b``. Where the colours are
    distinguished, White's lines follow Black's.

    Args:
        colours: 2 if Black's and White's lines are distinguished, else 1.

    Attributes:
        pairs: the number of a line by its colour and its two sides, shape (2, `SIDES`, `SIDES`).
        by_code: the number of a side by its place (0 ahead, 1 behind), by the owner of the line (0 own, 1
            the other's), and by its half of a point's code (`tengen.engine.board.position.sides_at`), shape
            (2, 2, 1024).
    """

    def __init__(self, colours: int) -> None:
        self.colours = colours
        larger, smaller = np.tril_indices(SIDES)
        pairs = np.zeros((SIDES, SIDES), np.int64)
        pairs[larger, smaller] = pairs[smaller, larger] = np.arange(PAIRS)
        self.pairs = np.stack([pairs, pairs + (colours - 1) * PAIRS])
        places = 4 ** np.arange(REACH)
        # In the code of a point (`tengen.engine.board.patterns`) the points behind are ordered from the
        # farthest on.
        self.by_code = np.stack(
            [
                np.stack([_numbers(seen @ order) for seen in (sides(), SWAPPED[sides()])])
                for order in (places, places[::-1])
            ]
        )

    def __len__(self) -> int:
        return self.colours * PAIRS

    def used(self, lines: npt.NDArray[np.int32]) -> tuple[Ints, npt.NDArray[np.int32]]:
        """Return the distinct lines that occur, and the index of each line among them."""
        occurs, places = np.zeros(len(self), np.bool_), np.zeros(len(self), np.int32)
        occurs[lines.reshape(-1)] = True
        used = np.flatnonzero(occurs)
        places[used] = np.arange(len(used))
        return used, places[lines]


def _numbers(codes: Ints) -> Ints:
    """Return the number of each side, indexed by its code."""
    numbers = np.zeros(4**REACH, np.int64)
    numbers[codes] = np.arange(SIDES)
    return numbers
