"""Explanations of moves as JSON, computed in a worker process, or in a thread for the engine."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from tengen.engine.info import score_json
from tengen.executors import stop_signal
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.player import Branch, Explanation, Heatmap, Limit, Part, explanation
from tengen.game.points import PASS
from tengen.players.lines import Lines, counters
from tengen.players.registry import player

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
    asked, stop = player(spec), stop_signal()
    told = explanation_json(board, explanation(asked, board, limit, stop))
    if isinstance(asked, Lines) and board.rules.points <= MOST_POINTS:
        told["counters"] = counters_json(board)
    point = score = None
    if not stop.is_set() and board.outcome() is None and told["weights"]:
        choice = asked.choose(board, limit, stop)
        point, score = board.name(choice.point), choice.score
    answer = {"point": point, "score": None if score is None else score_json(score), **told}
    return json.dumps(answer, separators=(",", ":"), allow_nan=False)


def explanation_json(board: Board, why: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON data, with points by name."""
    return {
        "summary": why.summary.to_dict(),
        "weights": {board.name(point): weight for point, weight in why.weights.items()},
        "parts": {board.name(point): _parts(board, parts) for point, parts in why.parts.items() if parts},
        "lines": [[board.name(point) for point in line] for line in why.lines],
        "tree": None if why.tree is None else tree_json(board, why.tree),
        "heatmaps": [heatmap_json(board, heatmap) for heatmap in why.heatmaps],
    }


def heatmap_json(board: Board, heatmap: Heatmap) -> dict[str, Any]:
    """Return a heatmap as JSON data, with points by name and values rounded for display."""
    return {
        "name": heatmap.name,
        "title": heatmap.title.to_dict(),
        "summary": heatmap.summary.to_dict(),
        "note": heatmap.note.to_dict(),
        "weights": {board.name(point): round(weight, 4) for point, weight in heatmap.weights.items()},
        "parts": {board.name(point): _parts(board, parts) for point, parts in heatmap.parts.items()},
        "total": _parts(board, heatmap.total),
    }


def _parts(board: Board, parts: tuple[Part, ...]) -> list[dict[str, Any]]:
    return [
        {
            "label": part.label.to_dict(),
            "points": [board.name(p) for p in part.points],
            "value": round(part.value, 4),
        }
        for part in parts
    ]


def counters_json(board: Board) -> list[dict[str, Any]]:
    """Return the counter of each line that can still win; see `tengen.players.lines.counters`."""
    return [
        {"points": [board.name(point) for point in line], "value": value}
        for line, value in counters(board).items()
    ]


def tree_json(board: Board, tree: Branch, most: int = MOST_BRANCHES) -> dict[str, Any]:
    """Return a tree as JSON data, limited to the `most` nodes nearest to the root.

    The root's point is None if its move is a pass.
    """
    root = _branch(board, tree)
    waiting = deque([(tree, root)])
    left = most - 1
    while waiting:
        branch, told = waiting.popleft()
        for child in branch.children[:left]:
            told["children"].append(_branch(board, child))
            waiting.append((child, told["children"][-1]))
        left = max(left - len(branch.children), 0)
    root["point"] = None if tree.point == PASS else root["point"]
    return root


def _branch(board: Board, branch: Branch) -> dict[str, Any]:
    return {
        "point": board.name(branch.point),
        "value": branch.value,
        "note": None if branch.note is None else branch.note.to_dict(),
        "children": [],
    }
