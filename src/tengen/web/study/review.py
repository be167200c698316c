"""A game looked through from its end to its beginning, and what each move has lost.

The engine looks at every position of the game, the last one first. So what comes later is known when it
comes to an earlier position: a win that follows is a win there too, whether or not the engine has seen it
from so far away, and what the engine remembers of the later positions helps it with the earlier ones.

A move's *loss* is the win rate that its mover had with the best move, less what is left after the one that
was played. It is never below 0: a position is worth at least what the move played there has led to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tengen.engine.info import Info
from tengen.game.board import Board
from tengen.game.points import BLACK, PASS, Point, opponent

MISTAKE = 0.10
"""From this loss on a move is a mistake.

What the engine says changes a little from one position to the next, mistake or not. Of the moves that it
chose itself, with 200,000 nodes, nineteen in twenty lose less than this in a review with 30,000."""

BLUNDER = 0.25
"""From this loss on it is a blunder: half of what lies between an even game and a lost one."""

Judgement: TypeAlias = Literal["mistake", "blunder"]

Look: TypeAlias = Callable[[Board], "Info | None"]
"""How the engine is asked about a position; None where it was interrupted."""


@dataclass(frozen=True, slots=True)
class ReviewedPosition:
    """What is known of one position.

    Attributes:
        ply: how many moves led to it.
        win_rate: of the side to move; where the game is over, of the side that would be.
        mate: plies to the end where it is known, positive when the side to move wins; 0 where it is over.
        best: the best move; None where the game is over.
        line: the moves expected, the best one first.
        loss: the win rate that the move which led here has lost its mover; None at the beginning.
        missed: whether that mover had a win for certain and has it no more.
    """

    ply: int
    win_rate: float
    mate: int | None
    best: Point | None
    line: tuple[Point, ...]
    loss: float | None = None
    missed: bool = False

    @property
    def judgement(self) -> Judgement | None:
        """What the move that led here was, if it lost much."""
        if self.loss is None or self.loss < MISTAKE:
            return None
        return "blunder" if self.loss >= BLUNDER else "mistake"


class Review:
    """Goes through a game backwards, a position a step.

    Args:
        board: the end of the game.

    Attributes:
        total: how many positions there are.
        done: whether all have been looked at.
    """

    def __init__(self, board: Board) -> None:
        self._board = board.copy()
        self._after: ReviewedPosition | None = None
        self._played: Point = PASS
        self.total = board.ply + 1
        self.done = False

    def step(self, look: Look) -> list[ReviewedPosition] | None:
        """Look at one more position.

        Returns:
            The verdicts that are complete now: the one on the position after it, whose loss is known from
            here on, and at the end the one on the first position too. None where the look was interrupted;
            then the step is taken again.
        """
        board, after = self._board, self._after
        if self.done:
            return []
        verdict = ended(board) if board.outcome() is not None else None
        if verdict is None:
            info = look(board)
            if info is None:
                return None
            verdict = judged(board.ply, info, self._played, after)
        complete = []
        if after is not None:
            # What is left to the mover is what the next one has not.
            loss = max(verdict.win_rate - (1 - after.win_rate), 0.0)
            missed = (verdict.mate or 0) > 0 and after.win_rate > 0
            complete.append(replace(after, loss=round(loss, 4), missed=missed))
        self._after = verdict
        if board.ply:
            self._played = board.pop()
        else:
            self.done = True
            complete.append(verdict)
        return complete


def ended(board: Board) -> ReviewedPosition:
    """The verdict on a position in which the game is over."""
    outcome = board.outcome()
    assert outcome is not None
    if outcome.winner is None:
        return ReviewedPosition(board.ply, 0.5, None, None, ())
    return ReviewedPosition(board.ply, 1.0 if outcome.winner == board.turn else 0.0, 0, None, ())


def judged(ply: int, info: Info, played: Point, after: ReviewedPosition | None) -> ReviewedPosition:
    """The verdict on a position by what the engine says of it and by what is known of the one after it.

    Args:
        ply: of the position.
        info: what the engine says.
        played: the move that was played there.
        after: the verdict on the position after that move; None at the end of the game.
    """
    seen = ReviewedPosition(ply, info.score.win_rate, info.score.mate, info.point, info.line)
    if after is None:
        return seen
    line = (played, *after.line)
    if after.mate is not None and after.win_rate == 0.0:
        plies = abs(after.mate) + 1
        if seen.mate is None or not 0 < seen.mate <= plies:
            return ReviewedPosition(ply, 1.0, plies, played, line)
    if 1 - after.win_rate > seen.win_rate:
        return ReviewedPosition(ply, 1 - after.win_rate, None, played, line)
    return seen


def for_black(verdict: ReviewedPosition, turn: int) -> tuple[float, int | None]:
    """Black's win rate, and the plies to the end, positive when Black wins.

    Args:
        verdict: on a position.
        turn: the side to move there.
    """
    if turn == BLACK:
        return verdict.win_rate, verdict.mate
    return 1 - verdict.win_rate, None if verdict.mate is None else -verdict.mate


def turn_at(board: Board, ply: int) -> int:
    """The side to move at a ply of the game that led to a board."""
    return board.turn if (board.ply - ply) % 2 == 0 else opponent(board.turn)
