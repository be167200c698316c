"""The threat that a defence has to stop: how the other side would have won by fours."""

from __future__ import annotations

from tengen.game.points import Point, opponent
from tengen.players.threats import find_vcf
from tengen.study.puzzle import Puzzle


def threat_of(puzzle: Puzzle) -> tuple[Point, ...]:
    """Return the win that a puzzle asks to stop: the moves in turn, the attacker's first, a five the last.

    Empty for a puzzle that asks for a win, and where the win is not found in a moment.
    """
    if puzzle.kind != "defence":
        return ()
    return tuple(find_vcf(puzzle.board(), colour=opponent(puzzle.solver)).line)
