"""The answers of ``tengen mcp``'s tools that no other face has."""

from __future__ import annotations

from collections.abc import Iterable

from tengen.game.board import Board
from tengen.game.player import Choice
from tengen.schemas.analysis import ScoreData
from tengen.schemas.base import Schema
from tengen.schemas.board import OutcomeData
from tengen.schemas.points import COLOURS, ColourName, named
from tengen.schemas.proof import ProofRefused, VerdictData
from tengen.schemas.puzzle import PuzzleSummary
from tengen.schemas.sentence import Sentence
from tengen.study.puzzle import Puzzle
from tengen.words import Message


class PuzzleQuestionData(PuzzleSummary):
    """A puzzle to be solved, without any part of its solution."""

    moves: tuple[str, ...]
    """The moves up to the position."""
    turn: ColourName
    """The side to move, which has to solve it."""
    board: tuple[str, ...]
    """The rows of a drawing in text."""

    @classmethod
    def of_question(cls, puzzle: Puzzle) -> PuzzleQuestionData:
        """Return a puzzle as a question."""
        board = puzzle.board()
        return cls(
            **dict(PuzzleSummary.of(puzzle)),
            moves=named(board.rules, board.moves),
            turn=COLOURS[board.turn],
            board=tuple(str(board).splitlines()),
        )


class PuzzleJudgementData(Schema):
    """The judgement of the moves of somebody who solves a puzzle."""

    name: str
    right: bool
    """True if all moves are right."""
    solved: bool
    """True if no further move is needed."""
    reason: Sentence | None
    """The reason why a move is wrong."""
    moves: tuple[str, ...]
    """The moves of the position after the right moves and the answers to them."""
    board: tuple[str, ...]
    """The rows of a drawing of it in text."""

    @classmethod
    def of(cls, name: str, board: Board, reason: Message | None, *, solved: bool) -> PuzzleJudgementData:
        """Return a judgement as data."""
        return cls(
            name=name,
            right=reason is None,
            solved=solved,
            reason=None if reason is None else Sentence.of(reason),
            moves=named(board.rules, board.moves),
            board=tuple(str(board).splitlines()),
        )


class PlayedMoveData(Schema):
    """A move that a player has made."""

    player: str
    point: str
    score: ScoreData | None
    """For the player; null for one without numbers."""
    line: tuple[str, ...]
    """The continuation that it expects, beginning with the move."""
    moves: tuple[str, ...]
    """All moves of the game, this one included."""
    outcome: OutcomeData | None
    board: tuple[str, ...]
    """The rows of a drawing of the position after the move in text."""

    @classmethod
    def of(cls, player: str, after: Board, choice: Choice) -> PlayedMoveData:
        """Return a move as data; `after` is the position after it."""
        rules, outcome = after.rules, after.outcome()
        return cls(
            player=player,
            point=after.name(choice.point),
            score=None if choice.score is None else ScoreData.of(choice.score),
            line=named(rules, _points(choice)),
            moves=named(rules, after.moves),
            outcome=None if outcome is None else OutcomeData.of(rules, outcome),
            board=tuple(str(after).splitlines()),
        )


def _points(choice: Choice) -> Iterable[int]:
    return choice.line or (choice.point,)


class ProofJudgementData(Schema):
    """The judgement of a proof."""

    verdict: VerdictData | ProofRefused
