"""Verification of a proof file; `tengen.solver.proofs.checker` plays it through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tengen.game.board import Board
from tengen.game.points import BLACK, Colour
from tengen.solver.proofs.checker import Checker
from tengen.solver.proofs.file import HOLDS, WINS, Claim, ProofError, ProofFile


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a proof whose claims hold.

    Attributes:
        board: the position.
        winner: the side that wins; None if no win is claimed.
        depth: most plies until the five, the five included; 0 without a winner.
        positions: positions reached by a move of either side.
        holds: the sides that are claimed not to lose; if both are, the position is a draw.
    """

    board: Board
    winner: Colour | None
    depth: int
    positions: int
    holds: tuple[Colour, ...] = ()

    @property
    def claims(self) -> int:
        """Number of claims of the proof."""
        return len(self.holds) + (self.winner is not None)


def verify(path: str | Path, on_position: Callable[[int], None] = lambda _: None) -> Verdict:
    """Verify a proof.

    Args:
        path: the file.
        on_position: called with the number of positions each time one is reached.

    Raises:
        ProofError: the file is no proof, or damaged; `Unproven` if it does not prove its claims.
        OSError: the file cannot be read.
    """
    winner, depth, positions = None, 0, 0

    def reached(count: int) -> None:
        on_position(positions + count)

    with ProofFile(path) as proof:
        for claim, root in zip(proof.claims, proof.roots, strict=True):
            board = proof.board.copy()
            if not claimable(board, claim):
                raise ProofError("error.proof.turn")
            checker = Checker(board, claim, proof.node, reached)
            try:
                plies = checker.check(root)
            except RecursionError as error:
                raise ProofError("error.proof.deep") from error
            positions += checker.positions
            if claim.goal == WINS:
                winner, depth = claim.side, plies
        holds = tuple(claim.side for claim in proof.claims if claim.goal == HOLDS)
        return Verdict(proof.board, winner, depth, positions, holds)


def claimable(board: Board, claim: Claim) -> bool:
    """Return whether a claim can be proven: the game is not over, and White cannot claim a foul."""
    return not board.outcome() and not (claim.side == BLACK and board.claimable())
