"""The symmetries of a board, and a key that symmetric positions share, for books and tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from tengen.game.board import Board
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Point

Symmetry: TypeAlias = tuple[Point, ...]
"""A symmetry as a permutation: ``symmetry[point]`` is where `point` goes."""


@lru_cache(maxsize=64)
def symmetries(width: int, height: int) -> tuple[Symmetry, ...]:
    """All symmetries of a board, the identity first: eight of a square, four of another rectangle."""
    right, top = width - 1, height - 1
    maps: list[Callable[[int, int], tuple[int, int]]] = [
        lambda x, y: (x, y),
        lambda x, y: (right - x, y),
        lambda x, y: (x, top - y),
        lambda x, y: (right - x, top - y),
    ]
    if width == height:
        maps += [
            lambda x, y: (y, x),
            lambda x, y: (y, right - x),
            lambda x, y: (right - y, x),
            lambda x, y: (right - y, right - x),
        ]
    points = [(x, y) for y in range(height) for x in range(width)]
    # On boards one point wide or high several of the maps are the same permutation.
    return tuple(
        dict.fromkeys(
            tuple(image[1] * width + image[0] for image in (to(x, y) for x, y in points)) for to in maps
        )
    )


@lru_cache(maxsize=64)
def products(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Which symmetry two after each other are, by their numbers in `symmetries`.

    ``products(width, height)[a][b]`` is the number of the symmetry that maps as `b` does and then as `a`.
    """
    group = symmetries(width, height)
    number = {symmetry: at for at, symmetry in enumerate(group)}
    return tuple(tuple(number[tuple(a[point] for point in b)] for b in group) for a in group)


def inverse(symmetry: Symmetry) -> Symmetry:
    """The symmetry that undoes `symmetry`."""
    back = [0] * len(symmetry)
    for point, image in enumerate(symmetry):
        back[image] = point
    return tuple(back)


def transform(board: Board, symmetry: Symmetry) -> Board:
    """The board as `symmetry` maps it: set-up and moves, played in the same order."""
    image = Board(board.rules)
    if (setup := board.setup) is not None:
        black, white = ([symmetry[p] for p in setup.stones(colour)] for colour in (BLACK, WHITE))
        image = Board.from_stones(black, white, setup.turn, board.rules)
    for move in board.moves:
        image.push(move if move == PASS else symmetry[move])
    if board.claimed:
        image.claim()
    return image


def transform_position(position: bytes, symmetry: Symmetry) -> bytes:
    """The colours of all points, in order, as `symmetry` maps them."""
    image = bytearray(len(position))
    for point, colour in enumerate(position):
        image[symmetry[point]] = colour
    return bytes(image)


def canonical(board: Board) -> tuple[bytes, Symmetry]:
    """A key for the position, the same for all symmetric ones, with the symmetry that leads to it.

    The key is the side to move and the stones, the same in every version and process; it does not
    hold the rules. A move m that a book gives for the key is played as ``inverse(symmetry)[m]``.
    """
    images = (
        (transform_position(board.position, symmetry), symmetry)
        for symmetry in symmetries(board.width, board.height)
    )
    position, symmetry = min(images)
    return bytes([board.width, board.height, board.turn]) + position, symmetry


def stabiliser(board: Board) -> list[Symmetry]:
    """The symmetries that leave all stones where they are, the identity among them."""
    position = board.position
    return [
        symmetry
        for symmetry in symmetries(board.width, board.height)
        if transform_position(position, symmetry) == position
    ]


def representatives(board: Board) -> dict[Point, Point]:
    """For each free point, which of those that the stones do not tell apart from it stands for them all.

    Points that one of the position's own symmetries takes to each other have the same: the lowest of them.
    """
    images = stabiliser(board)
    return {point: min(image[point] for image in images) for point in board.stones(EMPTY)}
