"""The answers of ``tengen show`` and ``tengen fouls`` with ``--json``."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from tengen.game.board import Board
from tengen.game.fouls import FoulKind
from tengen.schemas.base import Schema
from tengen.schemas.board import OutcomeData
from tengen.schemas.points import COLOURS, ColourName, named


class FoulKinds(Schema):
    """The points forbidden to Black, each with the kind of its foul."""

    fouls: dict[str, FoulKind]

    @classmethod
    def of(cls, board: Board) -> FoulKinds:
        """Return the fouls of a position as data."""
        return cls(fouls={board.name(point): foul.kind for point, foul in board.fouls().items()})


class ShownBoard(Schema):
    """A position as a command shows it."""

    moves: tuple[str, ...]
    rules: str
    size: str
    turn: ColourName
    outcome: OutcomeData | None
    board: tuple[str, ...]
    """The rows of a drawing in text."""
    files: tuple[str, ...] = Field(default=(), exclude_if=lambda files: not files)
    """The pictures that were written; left out without any."""

    @classmethod
    def of(cls, board: Board, drawing: str, files: Iterable[str]) -> ShownBoard:
        """Return a position as data."""
        result, rules = board.outcome(), board.rules
        return cls(
            moves=named(rules, board.moves),
            rules=rules.name,
            size=rules.size_text,
            turn=COLOURS[board.turn],
            outcome=None if result is None else OutcomeData.of(rules, result),
            board=tuple(drawing.splitlines()),
            files=tuple(files),
        )
