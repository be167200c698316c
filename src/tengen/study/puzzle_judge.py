"""A plausibility check of puzzles: the engine must find no better move outside the solution.

The solver's proofs about threats are correct, but may miss the point. Where a quiet move, or a threat
followed by a quiet move, wins as well, a player who finds that win is told to look for another; and a
defence that stops all wins by fours is pointless in a game that is lost in another way. Such puzzles can be
left out.
"""

from __future__ import annotations

from tengen.engine.engine import Engine
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.study.puzzle import Puzzle

NODES = 20_000
"""The engine's nodes for the position, and for the position after each wrong move."""


def makes_sense(puzzle: Puzzle, engine: Engine, limit: Limit | None = None) -> bool:
    """Return whether the engine finds nothing better than the moves that a puzzle calls right.

    Args:
        puzzle: the puzzle.
        engine: the engine.
        limit: the limit of each search; `NODES` nodes if None.

    Returns:
        For an attack: whether the engine finds no win by another first move. For a defence: whether the
        engine's best move is right, and is not a proven loss.
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
    """Return whether the engine finds a proven win after a move; the board is restored."""
    board.push(point)
    mate = engine.analyse(board, limit)[0].score.mate if board.outcome() is None else None
    board.pop()
    return mate is not None and mate < 0
