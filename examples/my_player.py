"""A player of your own, in forty lines: wins if it can, else stops a win, else stays close.

    tengen play --white py:examples.my_player:MyPlayer
    tengen explain py:examples.my_player:MyPlayer h8a1i8a2j8a3k8

The tutorial in docs/my-player.md builds it step by step.
"""

from threading import Event

from tengen import BLACK, WHITE, Board, Choice, Explanation, Limit
from tengen.words import Message


class MyPlayer:
    """Weighs every legal point and plays the heaviest."""

    name = "py:examples.my_player:MyPlayer"

    def weight(self, board: Board, point: int) -> float:
        """What a stone there is worth: 100 for a win, 50 for stopping one, else less the farther out."""
        y, x = divmod(point, board.width)
        best = -abs(x - board.width // 2) - abs(y - board.height // 2)
        for colour, value in ((board.turn, 100), (BLACK + WHITE - board.turn, 50)):
            stones = {c: board.stones(c) for c in (BLACK, WHITE)}
            stones[colour].append(point)
            after = Board.from_stones(stones[BLACK], stones[WHITE], rules=board.rules)
            outcome = after.outcome()
            if outcome and outcome.winner == colour:
                best = max(best, value)
        return best

    def explain(self, board: Board, limit: Limit | None = None, stop: Event | None = None) -> Explanation:
        """The weight of every legal point."""
        weights = {point: self.weight(board, point) for point in board.legal_points()}
        return Explanation(Message("explain.own"), weights)

    def choose(self, board: Board, limit: Limit | None = None, stop: Event | None = None) -> Choice:
        """The heaviest point."""
        weights = self.explain(board).weights
        return Choice(max(weights, key=lambda point: weights[point]))
