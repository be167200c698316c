"""Candidate moves, and the choice among equally good ones, shared by the players.

A player weighs points. Which points those are is a thought of its own: the next stone nearly always
belongs near the ones that stand, and a foul is no move to consider while there is another. And where two
points weigh the same, some rule has to decide, or the first one in the list does, in a corner.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from tengen.game.board import Board
from tengen.game.errors import GameOver
from tengen.game.points import BLACK, PASS, Point
from tengen.players.random import generator
from tengen.players.windows import neighbours


def playable(board: Board) -> list[Point]:
    """The legal points, in order, without Black's fouls unless nothing else is left to play.

    Empty where a pass is the only move worth considering, and once the game is over.
    """
    legal = board.legal_points()
    if board.rules.fouls == "forbidden":
        return legal
    safe = _without_fouls(board, legal)
    return safe if safe or board.is_legal(PASS) else legal


def near(board: Board, distance: int = 2) -> list[Point]:
    """The `playable` points at most `distance` king's moves from a stone, in order.

    Where there is none, as on the empty board, those closest to the centre: up to four.
    """
    if board.outcome():
        return []
    position = board.position
    around = neighbours(board.width, board.height, distance)
    close = {q for p, stone in enumerate(position) if stone for q in around[p] if not position[q]}
    points = _without_fouls(board, sorted(close))
    if points:
        return points
    points = playable(board)
    far = closeness(board)
    least = min((far[p] for p in points), default=0)
    return [p for p in points if far[p] == least]


def closeness(board: Board) -> tuple[int, ...]:
    """For each point its distance from the centre, squared, in half steps: smaller is closer."""
    return _closeness(board.width, board.height)


def pick(board: Board, weights: Mapping[Point, float], seed: int | None = None) -> Point:
    """The point with the largest weight; of equal ones the closest to the centre; of those, by seed.

    Args:
        board: the position; the seed's choice depends on it, and on nothing played elsewhere.
        weights: the worth of each point that may be played. If there is none, the answer is a pass.
        seed: any whole number; None takes the point with the lowest number.

    Raises:
        GameOver: there is no point to play, and no pass either.
    """
    if not weights:
        if board.is_legal(PASS):
            return PASS
        raise GameOver("error.game_over.choose")
    most = max(weights.values())
    best = [point for point, weight in weights.items() if weight == most]
    far = closeness(board)
    least = min(far[point] for point in best)
    best = sorted(point for point in best if far[point] == least)
    return best[0] if seed is None else generator(seed, board).choice(best)


def _without_fouls(board: Board, points: list[Point]) -> list[Point]:
    if board.turn != BLACK or not board.rules.has_fouls:
        return points
    return [point for point in points if board.foul(point) is None]


@lru_cache(maxsize=64)
def _closeness(width: int, height: int) -> tuple[int, ...]:
    return tuple(
        (2 * x - width + 1) ** 2 + (2 * y - height + 1) ** 2 for y in range(height) for x in range(width)
    )
