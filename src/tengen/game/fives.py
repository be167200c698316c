"""The points where a side completes a five."""

from __future__ import annotations

from tengen.game.board import Board
from tengen.game.points import EMPTY, Colour, Point, axes
from tengen.game.rows import five_points


def fives(board: Board, colour: Colour) -> tuple[Point, ...]:
    """Return the points where `colour` completes a five, in order, whoever is to move."""
    grid = axes(board.width, board.height)
    return tuple(five_points(board.rules, board.position, grid, board.stones(EMPTY), colour))
