"""Puzzles: their list, and single puzzles with their solutions."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from tengen.schemas.base import Schema
from tengen.schemas.rules import RulesData
from tengen.study.puzzle import Puzzle, PuzzleKind


class PuzzleSummary(Schema):
    """A puzzle in a list, without any part of its solution."""

    name: str
    rules: str | RulesData
    """Their name, or all fields of rules without a name."""
    size: tuple[int, int] | None = Field(default=None, exclude_if=lambda size: size is None)
    """Columns and rows; left out where the name of the rules says them."""
    kind: PuzzleKind
    level: int
    """From 1, easy, to 4, very hard."""
    length: int
    """The least number of the solver's moves."""

    @classmethod
    def of(cls, puzzle: Puzzle) -> PuzzleSummary:
        """Return a puzzle's entry in a list as data."""
        return cls(**_summary(puzzle, puzzle.to_dict()))


class PuzzleTurnData(Schema):
    """A turn of the solver."""

    right: dict[str, PuzzleReplyData]
    """The moves that solve the puzzle, each with what follows."""
    wrong: str
    """The other plausible moves, as move text."""


class PuzzleReplyData(Schema):
    """The continuation after a correct move."""

    moves: str
    """The answer of the other side as move text; of a solved puzzle, the moves of both sides to the end."""
    turn: PuzzleTurnData | None
    """The solver's next turn; null if the puzzle is solved."""


class PuzzleData(PuzzleSummary):
    """A puzzle: the moves up to its position, and all correct moves with their continuations."""

    difficulty: float
    """In bits: the solution is found by chance once in 2 ** difficulty times."""
    moves: str
    turn: PuzzleTurnData
    threat: str | None = Field(default=None, exclude_if=lambda threat: threat is None)
    """The moves by which the other side would win; left out by commands."""

    @classmethod
    def of(cls, puzzle: Puzzle, threat: str | None = None) -> PuzzleData:
        """Return a puzzle as data; `threat` is that of a puzzle of defence, as move text."""
        stored = puzzle.to_dict()
        return cls(
            **_summary(puzzle, stored),
            difficulty=round(puzzle.difficulty, 2),
            moves=stored["moves"],
            turn=PuzzleTurnData.model_validate(stored["turn"]),
            threat=threat,
        )


class PuzzleList(Schema):
    """Puzzles, the easiest first."""

    puzzles: tuple[PuzzleSummary, ...]


class FoundPuzzles(Schema):
    """Puzzles that were found in games."""

    puzzles: tuple[PuzzleData, ...]


def _summary(puzzle: Puzzle, stored: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": puzzle.name,
        "rules": stored["rules"],
        "size": stored.get("size"),
        "kind": puzzle.kind,
        "level": puzzle.level,
        "length": puzzle.length,
    }
