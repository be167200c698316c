"""The player of docs/tutorial.md: it weighs every point by the rows that pass through it.

tengen play --white py:examples.row_player:RowPlayer
tengen match py:examples.row_player:RowPlayer lines --rules mnk:7,7,4 --games 20
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

from tengen import EMPTY, Board, Choice, Explanation, Limit


class RowPlayer:
    """Plays where a stone does most for its own rows and against the other side's.

    Args:
        defence: what a row of the other side counts, compared with one of its own.
    """

    def __init__(self, defence: float = 0.8) -> None:
        self.defence = defence
        self.name = f"py:examples.row_player:RowPlayer,defence={defence}"

    def weight(self, board: Board, point: int) -> float:
        """Return what a stone on a point is worth."""
        total = 0.0
        for colours in rows(board, point):
            own, other = colours.count(board.turn), len(colours) - colours.count(EMPTY)
            other -= own
            if not other:
                total += 10**own
            elif not own:
                total += self.defence * 10**other
        return total

    def explain(self, board: Board, limit: Limit | None = None, stop: Event | None = None) -> Explanation:
        """Return the weights of all legal points."""
        weights = {point: self.weight(board, point) for point in board.legal_points()}
        return Explanation("the rows through each point", weights)

    def choose(self, board: Board, limit: Limit | None = None, stop: Event | None = None) -> Choice:
        """Return the heaviest point."""
        weights = self.explain(board).weights
        return Choice(max(weights, key=lambda point: weights[point]))


def rows(board: Board, point: int) -> Iterator[list[int]]:
    """Yield the colours in every row of k points through a point."""
    y, x = divmod(point, board.width)
    k = board.rules.k
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for first in range(1 - k, 1):
            places = [(x + (first + i) * dx, y + (first + i) * dy) for i in range(k)]
            if all(0 <= a < board.width and 0 <= b < board.height for a, b in places):
                yield [board[b * board.width + a] for a, b in places]
