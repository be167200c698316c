"""Explanations of moves as JSON, computed in a worker process, or in a thread for the engine."""

from __future__ import annotations

from tengen.executors import stop_signal
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Limit, explanation
from tengen.players.lines import Lines, counters
from tengen.players.registry import player
from tengen.schemas.analysis import ScoreData
from tengen.schemas.explanation import CounterData, ExplainedMove, explanation_fields
from tengen.schemas.points import named

MOST_BRANCHES = 2000
"""The most nodes of a tree that are sent; the deepest nodes are omitted."""

MOST_POINTS = 16
"""The number of points of the largest board whose line counters are sent: 4x4 has 24 lines of three."""


def explained(spec: str, board: Board, limit: Limit | None = None) -> str:
    """Return a player's move on a board and its explanation, as JSON text.

    A hurried task returns the explanation found so far, without a move.

    Args:
        spec: the spec of an allowed player.
        board: the position; if the game is over, there is no move.
        limit: the limit of the search; None for the player's default.

    Raises:
        TengenError: the player does not support the rules, or fails with its parameters.
    """
    try:
        return _explained(spec, board, limit)
    except TengenError:
        raise
    except Exception as error:  # parameters chosen by a client may lead to errors such as division by zero
        reason = shorten(f"{type(error).__name__}: {error}", 200)
        raise TengenError("error.player", reason=reason) from error


def _explained(spec: str, board: Board, limit: Limit | None) -> str:
    explainer, stop = player(spec), stop_signal()
    why = explanation(explainer, board, limit, stop)
    counts = isinstance(explainer, Lines) and board.rules.points <= MOST_POINTS
    point = score = None
    if not stop.is_set() and board.outcome() is None and why.weights:
        choice = explainer.choose(board, limit, stop)
        point, score = board.name(choice.point), choice.score
    answer = ExplainedMove(
        point=point,
        score=None if score is None else ScoreData.of(score),
        counters=_counters(board) if counts else None,
        **explanation_fields(board.rules, why, MOST_BRANCHES),
    )
    return answer.to_json()


def _counters(board: Board) -> tuple[CounterData, ...]:
    return tuple(
        CounterData(points=named(board.rules, line), value=value) for line, value in counters(board).items()
    )
