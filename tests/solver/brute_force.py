"""The exact value of every position of a small game, from full boards back to the empty one, compiled.

`tests.solver.exact_oracle` is plainer and takes any position; this one has all boards at once, up to 4x4,
of which there are 3 ** 16.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from tengen import Board
from tengen.game.points import Point
from tengen.game.rows import windows

LOST = 64
"""The score of a lost position, negated; each ply before the end brings a score one nearer to a draw, 0."""


class BruteForce:
    """All positions that games of m columns, n rows and k in a row come to, Black having moved first."""

    def __init__(self, m: int, n: int, k: int) -> None:
        lines = [sum(1 << point for point in line) for line in windows(m, n, k)]
        self._scores = _scores(np.array(lines, np.int64), m * n)

    def value(self, board: Board) -> tuple[int, int]:
        """The value for the side to move, and the plies to the end; the winner hurries."""
        score = int(self._scores[_number(board)])
        if score == 0:
            return 0, board.position.count(0)
        return (1 if score > 0 else -1), LOST - abs(score)

    def best(self, board: Board) -> tuple[Point, ...]:
        """All moves that keep the value."""
        value, _ = self.value(board)
        found = []
        for point in board.legal_points():
            board.push(point)
            if -self.value(board)[0] == value:
                found.append(point)
            board.pop()
        return tuple(found)


def _number(board: Board) -> int:
    """The board read as a number of base 3, the first point its lowest digit."""
    return sum(int(stone) * 3**point for point, stone in enumerate(board.position))


@njit  # type: ignore[untyped-decorator]
def _scores(lines: npt.NDArray[np.int64], points: int) -> npt.NDArray[np.int8]:
    """The score of each board for the side to move; of boards that no game comes to it means nothing."""
    boards = 3**points
    scores = np.zeros(boards, np.int8)
    # One stone more is a greater number, so that all that follow a board are settled before it.
    for board in range(boards - 1, -1, -1):
        black = white = stones = ahead = 0
        rest = board
        for point in range(points):
            stone = rest % 3
            rest //= 3
            black |= (stone == 1) << point
            white |= (stone == 2) << point
            stones += stone > 0
            ahead += (stone == 1) - (stone == 2)
        if ahead not in (0, 1):
            continue
        played, enemy = (1, white) if ahead == 0 else (2, black)
        over = False
        for line in lines:
            over = over or enemy & line == line
        if over:
            scores[board] = -LOST
            continue
        if stones == points:
            continue
        best, place = -LOST, 1
        for point in range(points):
            if not (black | white) >> point & 1:
                after = -scores[board + played * place]
                best = max(best, after - np.sign(after))
            place *= 3
        scores[board] = best
    return scores
