"""Where a test sees "won", a proof is written of it, and checked by the rules alone."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tengen import Board, Limit, Solution, solve_vct
from tengen.game.points import Colour, Point
from tengen.solver.proofs.builder import PlannedMove, ProofEnded, ProofProgress, write_proof
from tengen.solver.proofs.checker import Points
from tengen.solver.proofs.file import WINS, Claim
from tengen.solver.proofs.verify import Verdict

NODES = 1_000_000
"""Nodes for what a proof needs to know of each position in it."""


def won(board: Board, limit: Limit | None = None, *, threats: str = "threes", **how: Any) -> Solution:
    """What `tengen.solve_vct` says of the side to move; where it says "won", that has been proven."""
    found = solve_vct(board, limit, threats=threats, **how)
    if found.winner is not None:
        proven_win(board, found.winner, threats)
    return found


def proven_win(board: Board, winner: Colour, threats: str = "threes") -> Verdict:
    """A proof that a side wins, whoever is to move, by the moves that the solver shows; it has to hold."""
    with TemporaryDirectory() as folder:
        guide = _Solver(board, winner, threats)
        verdict = write_proof(
            board, Path(folder) / "win.proof", {Claim(winner, WINS): guide}, ProofProgress()
        )
    assert verdict is not None, f"no win is shown:\n{board}"
    assert (verdict.winner, verdict.board) == (winner, board)
    return verdict


class _Solver:
    """A guide that asks the solver anew in every position, and so knows of one no more than it says."""

    trial_positions = 2_000
    stopped = False

    def __init__(self, board: Board, winner: Colour, threats: str) -> None:
        self._board, self._winner, self._threats = board.copy(), winner, threats

    def plan(self) -> PlannedMove:
        found = solve_vct(self._board, Limit(nodes=NODES), threats=self._threats, memory_mb=1)
        if found.winner != self._winner:
            raise ProofEnded
        return PlannedMove(found.line[0])

    def pairs(self) -> None:
        return None

    def hard_replies(self, _: Points) -> set[Point]:
        return set()

    def push(self, point: Point) -> None:
        self._board.push(point)

    def pop(self) -> None:
        self._board.pop()
