"""The exact value of small positions by plain search over `tengen.game.Board`, every move to the end."""

from __future__ import annotations

from tengen.game.board import Board
from tengen.game.points import Point


class ExactOracle:
    """Values of positions of one game, remembered.

    Nothing is left out and nothing is clever: this is the definition of value and distance.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int], tuple[int, int]] = {}

    def value(self, board: Board) -> tuple[int, int]:
        """The value for the side to move, and the plies to the end; the winner hurries."""
        outcome = board.outcome()
        if outcome is not None:
            return (0, 0) if outcome.winner is None else (1 if outcome.winner == board.turn else -1, 0)
        key = board.position, board.turn
        if key not in self._known:
            # A win in few plies, then a draw, then a loss in many.
            self._known[key] = max(self._after(board).values(), key=lambda one: (one[0], -one[0] * one[1]))
        return self._known[key]

    def best(self, board: Board) -> tuple[Point, ...]:
        """All moves that keep the value."""
        value, _ = self.value(board)
        return tuple(point for point, after in self._after(board).items() if after[0] == value)

    def _after(self, board: Board) -> dict[Point, tuple[int, int]]:
        """What each move leads to."""
        found = {}
        for point in board.legal_points():
            board.push(point)
            value, distance = self.value(board)
            board.pop()
            found[point] = -value, distance + 1
        return found
