"""Symmetric boards and openings, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from tengen import BLACK, PASS, WHITE, Board, Rules
from tengen.game.points import Point
from tengen.game.symmetry import Symmetry, canonical


def transform(board: Board, symmetry: Symmetry) -> Board:
    """Return the image of a board: its set-up and its moves, played in the same order."""
    image = Board(board.rules)
    if (setup := board.setup) is not None:
        black, white = ([symmetry[p] for p in setup.stones(colour)] for colour in (BLACK, WHITE))
        image = Board.from_stones(black, white, setup.turn, board.rules)
    for move in board.moves:
        image.push(move if move == PASS else symmetry[move])
    if board.claimed:
        image.claim()
    return image


def duplicates(openings: Sequence[tuple[Point, ...]], rules: Rules) -> list[int]:
    """Return the places, from 0, of openings whose position came before, perhaps turned or mirrored."""
    seen = set()
    places = []
    for place, opening in enumerate(openings):
        key = canonical(Board.from_moves(opening, rules))[0]
        if key in seen:
            places.append(place)
        seen.add(key)
    return places
