"""A second checker of proofs: it plays everything, and knows nothing but what a board says."""

from __future__ import annotations

from tengen import BLACK, EMPTY, PASS, WHITE, Board, IllegalMove
from tengen.game.points import Colour, opponent
from tengen.game.rows import can_still_win
from tengen.game.symmetry import Symmetry, symmetries
from tengen.solver.proofs.file import HOLDS, Claim, ProofError, ProofFile, ProofNode


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
        self._most = most

    def holds(self) -> bool:
        """Whether each side does what is claimed by moving as the proof says.

        Raises:
            TooMany: too many positions.
        """
        try:
            return all(map(self._so, self._proof.claims, self._proof.roots))
        except ProofError:
            return False

    def _so(self, claim: Claim, root: int) -> bool:
        """Whether a claim holds."""
        board = self._proof.board.copy()
        self._side: Colour = claim.side
        self._holds = claim.goal == HOLDS
        if board.outcome() is not None or (self._side == BLACK and board.claimable()):
            return False
        if board.turn == self._side:
            return self._good_move(root, self._turns[0], board)
        return self._good_answers(self._proof.node(root), self._turns[0], board)

    def _good_move(self, offset: int, turn: Symmetry, board: Board) -> bool:
        node = self._proof.node(offset)
        point = PASS if node.point == PASS else turn[node.point]
        if (point == PASS and not self._holds) or not self._played(board, point):
            return False
        if self._side == BLACK and board.claimable():
            good = False
        elif board.outcome() is not None:
            good = self._good_end(board)
        else:
            good = self._good_answers(node, turn, board)
        board.pop()
        return good

    def _good_answers(self, node: ProofNode, turn: Symmetry, board: Board) -> bool:
        """Whether every reply is answered, the other side to move."""
        pairs = [(turn[first], turn[second]) for first, second in node.pairs if PASS not in (first, second)]
        pairs = [(first, second) for first, second in pairs if board[first] == board[second] == EMPTY]
        enemy = opponent(self._side)
        shut = not can_still_win(board.rules, board.position, enemy)
        if self._holds and (pairs or shut) and self._good_idling(pairs, board):
            return True
        answers = {PASS if p == PASS else turn[p]: ref for p, ref in node.replies.items()}
        # In an order of its own: those that are answered come first.
        replies = sorted(self._moves(board), key=lambda p: (p not in answers, -p))
        return all(self._beaten(p, answers.get(p, node.default), turn, board) for p in replies)

    def _beaten(self, reply: int, answer: tuple[int, int] | None, turn: Symmetry, board: Board) -> bool:
        self._played(board, reply)
        try:
            if self._side == WHITE and board.claimable():
                return True
            if board.outcome() is not None:
                return self._good_end(board)
            if any(self._five(board, point) for point in board.legal_points()):
                return True
            if answer is None:
                return False
            offset, number = answer
            return self._good_move(offset, tuple(turn[p] for p in self._turns[number]), board)
        finally:
            board.pop()

    def _good_idling(self, pairs: list[tuple[int, int]], board: Board) -> bool:
        """Whether the side does not lose by answering within pairs, or else anywhere, to the very end."""
        partner = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
        for reply in self._moves(board):
            self._played(board, reply)
            good = self._side == WHITE and board.claimable() is not None
            if not good and board.outcome() is not None:
                good = self._good_end(board)
            elif not good:
                moves = self._moves(board)
                other = partner.get(reply, PASS)
                answer = other if other in moves else min(moves, key=lambda point: point in partner)
                self._played(board, answer)
                if self._side == BLACK and board.claimable():
                    good = False
                elif board.outcome() is not None:
                    good = self._good_end(board)
                else:
                    good = self._good_idling(pairs, board)
                board.pop()
            board.pop()
            if not good:
                return False
        return True

    def _good_end(self, board: Board) -> bool:
        outcome = board.outcome()
        assert outcome is not None
        return outcome.winner == self._side or (self._holds and outcome.winner is None)

    def _moves(self, board: Board) -> list[int]:
        return [*board.legal_points(), *([PASS] if board.is_legal(PASS) else [])]

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
