"""Whether a proof proves what it claims; played through by `tengen.solver.proofs.checker`."""

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
    """What has been proven.

    Attributes:
        board: the position.
        winner: who wins it; None where only not to lose is claimed.
        depth: plies until the five at most, the five included; 0 without a winner.
        positions: how many were reached by a move of either side.
        holds: the sides that do not lose, where that is claimed: of both, it is a draw.
    """

    board: Board
    winner: Colour | None
    depth: int
    positions: int
    holds: tuple[Colour, ...] = ()

    @property
    def claims(self) -> int:
        """How many claims the proof makes."""
        return len(self.holds) + (self.winner is not None)


def verify(path: str | Path, heard: Callable[[int], None] = lambda _: None) -> Verdict:
    """Check a proof.

    Args:
        path: of its file.
        heard: called with the number of positions each time one is reached.

    Raises:
        ProofError: the file is no proof, or damaged; `Unproven`, where it does not prove what it claims.
        OSError: it cannot be read.
    """
    winner, depth, positions = None, 0, 0

    def reached(count: int) -> None:
        heard(positions + count)

    with ProofFile(path) as proof:
        for claim, root in zip(proof.claims, proof.roots, strict=True):
            board = proof.board.copy()
            if not claimable(board, claim):
                raise ProofError("error.proof.turn")
            checker = Checker(board, claim, proof.node, reached)
            try:
                plies = checker.proven(root)
            except RecursionError as error:
                raise ProofError("error.proof.deep") from error
            positions += checker.positions
            if claim.goal == WINS:
                winner, depth = claim.side, plies
        holds = tuple(claim.side for claim in proof.claims if claim.goal == HOLDS)
        return Verdict(proof.board, winner, depth, positions, holds)


def claimable(board: Board, claim: Claim) -> bool:
    """Whether a claim can be proven: the game goes on, and White cannot end it by claiming a foul."""
    return not board.outcome() and not (claim.side == BLACK and board.claimable())
