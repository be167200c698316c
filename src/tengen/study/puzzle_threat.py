"""The threat that a defence has to stop: the other side's win by fours."""

from __future__ import annotations

from tengen.game.points import Point, opponent
from tengen.players.threats import find_vcf
from tengen.study.puzzle import Puzzle


def threat_of(puzzle: Puzzle) -> tuple[Point, ...]:
    """Return the win that a puzzle asks to stop: the moves in turn, from the attacker's first to the five.

    It is empty for a puzzle that asks for a win, and where the win is not found quickly.
    """
    if puzzle.kind != "defence":
        return ()
    return tuple(find_vcf(puzzle.board(), colour=opponent(puzzle.solver)).line)
