"""All lines through a point, numbered, and what a line network sees of each."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import REACH
from tengen.engine.board.records import SIDES
from tengen.engine.evaluation.line_network import SWAPPED, side_inputs, sides
from tengen.training.games.board_positions import BoardPositions
from tengen.training.games.position_kernels import lines_of

Floats: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]


class LineTable:
    """All lines there are, without their order: which they are, and what the network sees of them.

    Args:
        colours: 2 if Black's and White's are told apart, else 1.

    Attributes:
        pairs: the number of a line by whose it is, and by those of its two sides, shape (2, n, n).
        own: the number of one side of a line by its code, the nearest point lowest, shape (1024,).
        other: the same with colours swapped.
        by_code: the number of a side of a line by where it lies, ahead or behind, by whose the line is, and
            by its half of a point's code (`tengen.engine.board.position.sides_at`), shape (2, 2, 1024).
    """

    def __init__(self, colours: int) -> None:
        self._colours = colours
        states, one_side = sides(), side_inputs().astype(np.float32)
        first, second = np.triu_indices(SIDES)
        pairs = np.zeros((SIDES, SIDES), np.int64)
        pairs[first, second] = pairs[second, first] = np.arange(len(first))
        self.pairs = np.stack([pairs, pairs + (colours - 1) * len(first)])
        self._inputs = (
            np.concatenate([one_side[first], one_side[second]], axis=1),
            np.concatenate([one_side[second], one_side[first]], axis=1),
        )
        places = 4 ** np.arange(REACH)
        self.own, self.other = (_numbers(seen @ places) for seen in (states, SWAPPED[states]))
        # In the code of a point (`tengen.engine.board.patterns`) those behind stand from the farthest on.
        behind = [_numbers(seen @ places[::-1]) for seen in (states, SWAPPED[states])]
        self.by_code = np.stack([np.stack([self.own, self.other]), np.stack(behind)])

    def __len__(self) -> int:
        return self._colours * len(self._inputs[0])

    def seen(self, used: Ints) -> Floats:
        """What the network sees of some lines, from one end, and below it from the other."""
        whose, line = np.divmod(used, len(self._inputs[0]))
        ends = np.concatenate([inputs[line] for inputs in self._inputs])
        return with_colour(ends, np.concatenate([whose, whose]), self._colours)

    def used(self, found: npt.NDArray[np.int32]) -> tuple[Ints, npt.NDArray[np.int32]]:
        """Which of all lines are among those found, far fewer, and for these their places among them."""
        # Where there is none, -1 stands, and the last place is for it.
        occurs, numbers = np.zeros(len(self) + 1, np.bool_), np.full(len(self) + 1, -1, np.int32)
        occurs[found.reshape(-1)] = True
        used = np.flatnonzero(occurs[:-1])
        numbers[used] = np.arange(len(used))
        return used, numbers[found]

    def of(self, positions: BoardPositions, chosen: Ints) -> npt.NDArray[np.int32]:
        """The lines through the empty points of some boards; see `network_kernels.lines_of`."""
        boards, size = positions.boards[chosen], positions.size
        movers = positions.movers[chosen] * (self._colours - 1)
        found = np.zeros((len(boards), size * size, 2, 4), np.int32)
        lines_of(boards, movers, size, self.own, self.other, self.pairs, found)
        return found


def _numbers(codes: Ints) -> Ints:
    """The number of each side of a line, by its code."""
    numbers = np.zeros(4**REACH, np.int64)
    numbers[codes] = np.arange(SIDES)
    return numbers


def with_colour(inputs: Floats, colours: npt.NDArray[Any], how_many: int) -> Floats:
    """The inputs of a layer, and one more, 1 for White, where the colours are told apart."""
    if how_many == 1:
        return inputs
    return np.concatenate([inputs, colours[:, None].astype(np.float32)], axis=1)
