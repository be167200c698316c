"""The review of a game: the verdicts on its positions, and its summary."""

from __future__ import annotations

from typing import Any

from tengen.game.board import Board
from tengen.schemas.base import Schema
from tengen.schemas.points import COLOURS, ColourName, named
from tengen.study.judgement import Judgement
from tengen.study.judgement import Reason as JudgementReason
from tengen.study.review import Review, ReviewedPosition, for_black, turn_at


class ReviewProgress(Schema):
    """A review that is not finished."""

    total: int
    """The number of positions of the game."""


class ReviewedPositionData(ReviewProgress):
    """The verdict on a position, and on the move that led to it."""

    ply: int
    """The number of moves before the position."""
    win_rate: float
    """Black's, from 0 to 1."""
    mate: int | None
    """Plies to a proven end, below 0 if White wins; null if unproven."""
    best: str | None
    """Null if the game is over."""
    line: tuple[str, ...]
    """The principal variation, beginning with the best move."""
    loss: float | None
    """The loss of win rate by the move; null at the beginning."""
    judgement: Judgement | None
    """Null without criticism."""
    reason: JudgementReason | None
    missed_win: bool
    """True if the move gave up a proven win."""

    @classmethod
    def of(cls, board: Board, position: ReviewedPosition, total: int) -> ReviewedPositionData:
        """Return a verdict as data.

        Args:
            board: the final position of the game.
            position: the verdict.
            total: the number of positions of the game.
        """
        return cls(**_verdict(board, position, total))


def _verdict(board: Board, position: ReviewedPosition, total: int) -> dict[str, Any]:
    win_rate, mate = for_black(position, turn_at(board, position.ply))
    return {
        "total": total,
        "ply": position.ply,
        "win_rate": round(win_rate, 4),
        "mate": mate,
        "best": None if position.best is None else board.name(position.best),
        "line": named(board.rules, position.line),
        "loss": position.loss,
        "judgement": position.judgement,
        "reason": position.reason,
        "missed_win": position.missed,
    }


class ReviewData(ReviewedPositionData):
    """The end of a review: the verdict on the first position, which comes last, and the summary."""

    accuracy: dict[ColourName, float]
    """The accuracy of each side that has moved, from 0 to 100."""
    turning_point: int | None
    """The ply from which one side was far ahead to the end; null if there is none."""

    @classmethod
    def of_review(cls, board: Board, review: Review, total: int) -> ReviewData:
        """Return a review as data."""
        accuracy = {COLOURS[colour]: percent for colour, percent in review.accuracy.items()}
        first = _verdict(board, review.positions[0], total)
        return cls(**first, accuracy=accuracy, turning_point=review.turning_point)
