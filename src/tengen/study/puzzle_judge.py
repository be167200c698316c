"""Whether a puzzle asks for the move that one would play: the engine looks beyond the threats asked for.

What the solver proves of threats is true, and may still be beside the point. Where a quiet move, or a
threat with a quiet move after it, wins as well, whoever has seen that is told to look for something else;
and a defence that stops all wins by fours does not matter in a game that is lost in another way. Such
puzzles can be left out.
"""

from __future__ import annotations

from tengen.engine.engine import Engine
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.study.puzzle import Puzzle

NODES = 20_000
"""Spent on the position, and on that after each wrong move."""


def makes_sense(puzzle: Puzzle, engine: Engine, limit: Limit | None = None) -> bool:
    """Whether the engine knows no better than what a puzzle calls right.

    Args:
        puzzle: the puzzle.
        engine: who is asked.
        limit: for each question; so many nodes if None.

    Returns:
        Of an attack: whether the engine sees no win by another first move. Of a defence: whether the move
        that it would play is right, and is not seen to lose.
    """
    limit = limit or Limit(nodes=NODES)
    board, turn = puzzle.board(), puzzle.turn
    best = engine.analyse(board, limit)[0]
    mate = best.score.mate
    if puzzle.kind == "defence":
        return best.point in turn.right and (mate is None or mate > 0)
    if best.point not in turn.right and mate is not None and mate > 0:
        return False
    return not any(_wins(board, point, engine, limit) for point in turn.wrong)


def _wins(board: Board, point: int, engine: Engine, limit: Limit) -> bool:
    """Whether a move wins, in the engine's eyes; the board comes back as it was."""
    board.push(point)
    mate = engine.analyse(board, limit)[0].score.mate if board.outcome() is None else None
    board.pop()
    return mate is not None and mate < 0
