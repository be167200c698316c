"""Proofs: the result of a search, and the claim that a file proves."""

from __future__ import annotations

from typing import Literal

from tengen.game.points import BLACK, WHITE
from tengen.schemas.base import Schema
from tengen.schemas.points import COLOURS, ColourName, colour_name, named
from tengen.schemas.rules import RulesData
from tengen.solver.proofs.builder import ProofResult
from tengen.solver.proofs.verify import Verdict


class ProofData(Schema):
    """The result of a search for a proof."""

    winner: ColourName | None
    holds: tuple[ColourName, ...]
    """The sides that are proven not to lose."""
    proven: bool
    file: str | None
    """The file of the proof; null without a proof, as are the fields derived from it."""
    depth: int | None
    positions: int | None
    size: int | None
    """Bytes of the file."""
    nodes: int
    seconds: float

    @classmethod
    def of(cls, done: ProofResult, file: str) -> ProofData:
        """Return the result as data; `file` is the requested file of the proof."""
        verdict = done.verdict
        return cls(
            winner=colour_name(done.winner),
            holds=tuple(COLOURS[side] for side in done.holds),
            proven=done.proven,
            file=None if verdict is None else file,
            depth=None if verdict is None else _depth(verdict),
            positions=None if verdict is None else verdict.positions,
            size=None if verdict is None else done.size,
            nodes=done.nodes,
            seconds=round(done.seconds, 6),
        )


class VerdictData(Schema):
    """The claim that a file proves."""

    proven: Literal[True]
    rules: RulesData
    black: tuple[str, ...]
    white: tuple[str, ...]
    moves: tuple[str, ...]
    winner: ColourName | None
    holds: tuple[ColourName, ...]
    """The sides that are proven not to lose."""
    depth: int | None
    """The most plies to the five; null if no side is proven to win."""
    positions: int

    @classmethod
    def of(cls, verdict: Verdict) -> VerdictData:
        """Return a verdict as data."""
        board = verdict.board
        black, white = (named(board.rules, board.stones(colour)) for colour in (BLACK, WHITE))
        return cls(
            proven=True,
            rules=RulesData.of(board.rules),
            black=black,
            white=white,
            moves=named(board.rules, board.moves),
            winner=colour_name(verdict.winner),
            holds=tuple(COLOURS[side] for side in verdict.holds),
            depth=_depth(verdict),
            positions=verdict.positions,
        )


def _depth(verdict: Verdict) -> int | None:
    """Return the most plies to the five; None if no side is proven to win."""
    return None if verdict.winner is None else verdict.depth


class ProofRefused(Schema):
    """The refusal of a file that proves nothing, or not its claim."""

    proven: Literal[False]
    problem: str
    line: tuple[str, ...]
    """The moves to the position that is not proven; empty where the file itself is damaged."""
