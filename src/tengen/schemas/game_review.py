"""The answer of ``tengen review`` with ``--json``."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from tengen.game.board import Board
from tengen.schemas.base import Schema
from tengen.schemas.points import COLOURS, ColourName, named
from tengen.schemas.review import ReviewedPositionData
from tengen.study.judgement import Judgement, Reason
from tengen.study.review import Mistake, Review


class MistakeData(Schema):
    """A move that is criticised."""

    ply: int
    """The number of the move, from 1."""
    colour: ColourName
    point: str
    judgement: Judgement
    reason: Reason
    loss: float
    """The loss of win rate, from 0 to 1; 0 where the game was already lost or stays won."""
    better: tuple[str, ...]
    """The line that should have been played, beginning with the better move."""

    @classmethod
    def of(cls, board: Board, mistake: Mistake) -> MistakeData:
        """Return a mistake of the game that led to a board as data."""
        return cls(
            ply=mistake.ply,
            colour=COLOURS[mistake.colour],
            point=board.name(mistake.point),
            judgement=mistake.judgement,
            reason=mistake.reason,
            loss=mistake.loss,
            better=named(board.rules, mistake.better),
        )


class WholeReview(Schema):
    """A review of a game in one piece."""

    moves: tuple[str, ...]
    rules: str
    """The name of the rules."""
    size: str
    accuracy: dict[ColourName, float]
    """The accuracy of each side that has moved, from 0 to 100; empty if interrupted."""
    turning_point: int | None
    """The ply from which one side was far ahead to the end; null if there is none."""
    complete: bool
    """False if the review was interrupted, so that it is about a part of the game."""
    total: int
    """The number of positions of the game."""
    mistakes: tuple[MistakeData, ...]
    positions: tuple[ReviewedPositionData, ...]
    """In the order of play, beginning with the first position; fewer than `total` if interrupted."""
    files: tuple[str, ...] = Field(default=(), exclude_if=lambda files: not files)
    """The files that were written; left out without any."""

    @classmethod
    def of(cls, board: Board, review: Review, files: Iterable[str]) -> WholeReview:
        """Return the review of the game that led to a board as data."""
        return cls(
            moves=named(board.rules, board.moves),
            rules=board.rules.name,
            size=board.rules.size_text,
            accuracy={COLOURS[colour]: percent for colour, percent in review.accuracy.items()},
            turning_point=review.turning_point,
            complete=review.complete,
            total=review.total,
            mistakes=tuple(MistakeData.of(board, mistake) for mistake in review.mistakes),
            positions=tuple(
                ReviewedPositionData.of(board, position, board.ply + 1) for position in review.positions
            ),
            files=tuple(files),
        )
