"""A second checker of proofs: it plays everything, and knows nothing but what a board says."""

from __future__ import annotations

from tengen import BLACK, PASS, WHITE, Board, IllegalMove
from tengen.game.points import Colour
from tengen.game.symmetry import Symmetry, symmetries
from tengen.solver.proof_file import ProofError, ProofFile


class TooMany(Exception):
    """More positions than it may look at."""


class PlainChecker:
    """Whether a proof proves what it claims.

    Args:
        proof: the file.
        most: positions to look at.
    """

    def __init__(self, proof: ProofFile, most: int) -> None:
        self._proof = proof
        self._turns = symmetries(proof.board.width, proof.board.height)
        self._winner: Colour = proof.claims[0].side
        self._most = most

    def holds(self) -> bool:
        """Whether the winner wins by moving as the proof says.

        Raises:
            TooMany: too many positions.
        """
        board = self._proof.board.copy()
        if board.turn != self._winner or board.outcome() is not None:
            return False
        if self._winner == BLACK and board.claimable():
            return False
        try:
            return self._wins(self._proof.roots[0], self._turns[0], board)
        except ProofError:
            return False

    def _wins(self, offset: int, turn: Symmetry, board: Board) -> bool:
        node = self._proof.node(offset)
        if node.point == PASS or not self._played(board, turn[node.point]):
            return False
        outcome = board.outcome()
        if outcome is not None:
            good = outcome.winner == self._winner
        elif self._winner == BLACK and board.claimable():
            good = False
        else:
            answers = {PASS if p == PASS else turn[p]: ref for p, ref in node.replies.items()}
            passes = [PASS] if board.is_legal(PASS) else []
            # In an order of its own: those that are answered come first.
            replies = sorted([*board.legal_points(), *passes], key=lambda p: (p not in answers, -p))
            good = all(self._beaten(p, answers.get(p, node.default), turn, board) for p in replies)
        board.pop()
        return good

    def _beaten(self, reply: int, answer: tuple[int, int] | None, turn: Symmetry, board: Board) -> bool:
        self._played(board, reply)
        try:
            outcome = board.outcome()
            if self._winner == WHITE and board.claimable():
                return True
            if outcome is not None:
                return outcome.winner == self._winner
            if any(self._five(board, point) for point in board.legal_points()):
                return True
            if answer is None:
                return False
            offset, number = answer
            return self._wins(offset, tuple(turn[p] for p in self._turns[number]), board)
        finally:
            board.pop()

    def _five(self, board: Board, point: int) -> bool:
        board.push(point)
        outcome = board.outcome()
        board.pop()
        return outcome is not None and outcome.reason == "five"

    def _played(self, board: Board, point: int) -> bool:
        self._most -= 1
        if self._most < 0:
            raise TooMany
        try:
            board.push(point)
        except IllegalMove:
            return False
        return True
