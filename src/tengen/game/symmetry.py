"""The symmetries of a board, its images, and a key shared by symmetric positions, for books and tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from tengen.game.board import Board
from tengen.game.points import BLACK, EMPTY, PASS, WHITE, Point

Symmetry: TypeAlias = tuple[Point, ...]
"""A symmetry as a permutation: ``symmetry[point]`` is the image of `point`."""


@lru_cache(maxsize=64)
def symmetries(width: int, height: int) -> tuple[Symmetry, ...]:
    """Return all symmetries of a board, the identity first: eight of a square, else four."""
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
    # On boards one point wide or high, several of the maps are the same permutation.
    return tuple(
        dict.fromkeys(
            tuple(image[1] * width + image[0] for image in (to(x, y) for x, y in points)) for to in maps
        )
    )


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


@lru_cache(maxsize=64)
def products(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Return the table of products of symmetries, by their numbers in `symmetries`.

    ``products(width, height)[a][b]`` is the number of the symmetry that maps as `b` does and then as `a`.
    """
    group = symmetries(width, height)
    number = {symmetry: at for at, symmetry in enumerate(group)}
    return tuple(tuple(number[tuple(a[point] for point in b)] for b in group) for a in group)


def inverse(symmetry: Symmetry) -> Symmetry:
    """Return the inverse of `symmetry`."""
    back = [0] * len(symmetry)
    for point, image in enumerate(symmetry):
        back[image] = point
    return tuple(back)


def transform_position(position: bytes, symmetry: Symmetry) -> bytes:
    """Map the colours of all points by `symmetry`."""
    image = bytearray(len(position))
    for point, colour in enumerate(position):
        image[symmetry[point]] = colour
    return bytes(image)


def canonical(board: Board) -> tuple[bytes, Symmetry]:
    """Return a key that all symmetric positions share, with the symmetry that leads to it.

    The key consists of the size, the side to move and the stones, not of the rules; it is the same in
    every version and process. A move m that a book gives for the key is ``inverse(symmetry)[m]`` here.
    """
    images = (
        (transform_position(board.position, symmetry), symmetry)
        for symmetry in symmetries(board.width, board.height)
    )
    position, symmetry = min(images)
    return bytes([board.width, board.height, board.turn]) + position, symmetry


def stabiliser(board: Board) -> list[Symmetry]:
    """Return the symmetries that leave all stones in place, the identity among them."""
    position = board.position
    return [
        symmetry
        for symmetry in symmetries(board.width, board.height)
        if transform_position(position, symmetry) == position
    ]


def representatives(board: Board) -> dict[Point, Point]:
    """Return a representative for each empty point: the lowest of the points symmetric to it.

    Two points are symmetric if one of the position's own symmetries maps one to the other.
    """
    images = stabiliser(board)
    return {point: min(image[point] for image in images) for point in board.stones(EMPTY)}
