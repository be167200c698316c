"""Bitboards of the exact search, and operations on the lines that win.

A set of points is an int64 whose bit p is point p of `tengen.game`, so that a board has at most 64 points.
A *line* is k points in a row. Bit operations treat all lines of one direction at once: bit p stands for the
line that starts at p, and a shift by `step` brings the next point of each line to bit p.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.engine.board.bits import count_bits, lowest_bit
from tengen.engine.kernels.declarations import inlined
from tengen.game.symmetry import inverse, symmetries

MOST_POINTS = 64
"""The most points of a board."""

LEVELS = 4
"""The number of plies from the root whose progress is recorded; a power of two."""

_LINES = 256
"""Capacity for lines: a power of two, so that `_LINES - 1` masks their numbers."""

_SYMMETRIES, _BYTES = 8, 8
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))

GAME = np.dtype(
    [
        ("k", np.int64),
        ("board", np.int64),  # all points
        ("bytes", np.int64),  # number of bytes in a set of points
        ("directions", np.int64),  # number of directions with at least one line
        ("steps", np.int64, 4),  # by direction: from a point to the next one of a line
        ("starts", np.int64, 4),  # by direction: the points where lines begin
        ("lines", np.int64),  # number of lines
        ("line", np.int64, _LINES),  # the points of each line; lines of a straight are consecutive
        ("straight", np.int64, _LINES),  # number of the straight (row, column or diagonal) of each line
        ("symmetries", np.int64),  # number of symmetries of the board
        ("byte_images", np.int64, (_SYMMETRIES, _BYTES, 256)),  # image of the points in one byte of a set
        ("image", np.int64, (_SYMMETRIES, MOST_POINTS)),  # image of each point
        ("preimage", np.int64, (_SYMMETRIES, MOST_POINTS)),  # the point of which each point is the image
        ("nodes", np.int64),  # positions visited
        ("most_nodes", np.int64),  # limit of `nodes`
        ("stop", np.int64),  # set from outside to end the search; see `tengen.engine.board.stop_flag`
        ("polled", np.int64),
        ("ended", np.int64),  # 1 if the search was interrupted
        ("root", np.int64),  # number of stones at the root of the search
        ("moves_done", np.int64, LEVELS),  # by ply from the root: finished moves of the current node
        ("move_count", np.int64, LEVELS),  # by ply from the root: all moves of the current node
        ("moves", np.int64, (MOST_POINTS, MOST_POINTS)),  # by stones on the board: list of moves
        ("scores", np.int64, (MOST_POINTS, MOST_POINTS)),  # by stones on the board: scores of the moves
        ("weights", np.int64, (2, MOST_POINTS)),  # attacker, defender: see `weigh_points`
        ("partners", np.int64, (2, MOST_POINTS)),  # attacker, defender: see `weigh_points`
        ("groups", np.int64, _LINES),  # free points common to each group of lines; see `bounds`
        ("owner", np.int64, MOST_POINTS),  # matching: the group of each point
        ("queue", np.int64, _LINES),  # matching: groups, in order of breadth-first search
        ("parent", np.int64, _LINES),  # matching: the group before each group on the path; -1 at the root
        ("through", np.int64, _LINES),  # matching: the point between each group and its parent
    ]
)
"""The lines and symmetries of a game, and the workspace of its search. Sets of points are bits."""


def new_game(width: int, height: int, k: int) -> npt.NDArray[Any]:
    """Return the record of an m,n,k game: shape (1,), of type `GAME`.

    Args:
        width: columns.
        height: rows; at most `MOST_POINTS` points in all.
        k: stones in a row that win, from 1 up.
    """
    return _new_game(width, height, k).copy()


@lru_cache(maxsize=8)
def _new_game(width: int, height: int, k: int) -> npt.NDArray[Any]:
    games = np.zeros(1, GAME)
    game, points = games[0], width * height
    game["k"], game["board"] = k, as_bits(range(points))
    game["bytes"] = -(-points // 8)
    lines = straight = directions = 0
    for dx, dy in _DIRECTIONS if k > 1 else _DIRECTIONS[:1]:
        step, starts = dy * width + dx, []
        for points_in_order in _straights(width, height, dx, dy):
            for first in range(len(points_in_order) - k + 1):
                game["line"][lines] = as_bits(points_in_order[first : first + k])
                game["straight"][lines] = straight
                starts.append(points_in_order[first])
                lines += 1
            straight += 1
        if starts:
            game["steps"][directions], game["starts"][directions] = step, as_bits(starts)
            directions += 1
    game["lines"], game["directions"] = lines, directions
    maps = symmetries(width, height)
    game["symmetries"] = len(maps)
    for number, symmetry in enumerate(maps):
        game["image"][number, :points] = symmetry
        game["preimage"][number, :points] = inverse(symmetry)
        for byte in range(int(game["bytes"])):
            images = symmetry[8 * byte : 8 * byte + 8]
            for bits in range(1 << len(images)):
                image = as_bits(point for bit, point in enumerate(images) if bits >> bit & 1)
                game["byte_images"][number, byte, bits] = image
    return games


def _straights(width: int, height: int, dx: int, dy: int) -> Iterator[list[int]]:
    """Yield the points of each row, column or diagonal of the board in one direction, in order."""
    for y in range(height):
        for x in range(width):
            if 0 <= x - dx < width and 0 <= y - dy < height:
                continue  # not the first point of its straight
            points, column, row = [], x, y
            while 0 <= column < width and 0 <= row < height:
                points.append(row * width + column)
                column, row = column + dx, row + dy
            yield points


def as_bits(points: Iterable[int]) -> int:
    """Return a set of points as an int64; the highest of 64 bits makes it negative."""
    bits = sum(1 << point for point in points)
    return bits - (1 << MOST_POINTS) if bits >> (MOST_POINTS - 1) else bits


@inlined
def completions(game, own, free):
    """Return the free points where a stone of `own` completes a line."""
    points = np.int64(0)
    for direction in range(game.directions):
        step = game.steps[direction & 3]
        full = game.starts[direction & 3]  # lines with stones only so far
        lacking = np.int64(0)  # lines with exactly one free point so far, and stones otherwise
        shift = np.int64(0)
        for _ in range(game.k):
            stones = own >> shift
            lacking = (lacking & stones) | (full & (free >> shift))
            full &= stones
            shift += step
        if lacking:
            shift = np.int64(0)
            for _ in range(game.k):
                points |= lacking << shift
                shift += step
    return points & free


@inlined
def on_lines(game, usable):
    """Return the points of all lines that lie within the usable points."""
    points = np.int64(0)
    for direction in range(game.directions):
        step = game.steps[direction & 3]
        open_lines = game.starts[direction & 3]
        shift = np.int64(0)
        for _ in range(game.k):
            open_lines &= usable >> shift
            shift += step
        shift = np.int64(0)
        for _ in range(game.k):
            points |= open_lines << shift
            shift += step
    return points


@inlined
def image_of(game, symmetry, points):
    """Return the image of a set of points under a symmetry."""
    image = np.int64(0)
    for byte in range(game.bytes):
        image |= game.byte_images[symmetry & 7, byte & 7, (points >> (8 * byte)) & 255]
    return image


@inlined
def least_image(game, first, second):
    """Return the canonical image of two sets of points: the least one, in lexicographic order.

    Returns:
        The images of both sets, equal for symmetric positions, and the number of the symmetry.
    """
    least_first, least_second, symmetry = first, second, np.int64(0)
    for number in range(1, game.symmetries):
        image = image_of(game, number, first)
        if image <= least_first:
            second_image = image_of(game, number, second)
            if image < least_first or second_image < least_second:
                least_first, least_second, symmetry = image, second_image, np.int64(number)
    return least_first, least_second, symmetry


@inlined
def weigh_points(game, attacker, defender, free, stones):
    """Fill `weights` and `partners` for each free point.

    The attacker's weight of a point is the sum of 2 ** s over the lines through it without a stone of the
    defender's, where s is the number of the attacker's stones on the line; only lines that lack at most
    `stones` stones count. The defender's weight is defined alike, but all its lines count. The partners of
    a point are the points where a line could be completed after a stone on that point.

    Returns:
        The points where a stone of the attacker's threatens to complete a line, and likewise the
        defender's.
    """
    weights, partners, k = game.weights, game.partners, game.k
    for point in range(MOST_POINTS):
        weights[0, point] = weights[1, point] = partners[0, point] = partners[1, point] = 0
    threats = answers = np.int64(0)
    for number in range(game.lines):
        line = game.line[number & (_LINES - 1)]
        rest = line & free
        if line & defender == 0:
            count = count_bits(line & attacker)
            if k - count <= stones:
                weight = np.int64(1) << count
                points = rest
                while points:
                    weights[0, lowest_bit(points) & 63] += weight
                    points &= points - 1
            if k - count == 2:
                threats |= rest
                _add_partners(partners, np.int64(0), rest)
        if line & attacker == 0:
            count = count_bits(line & defender)
            weight = np.int64(1) << count
            points = rest
            while points:
                weights[1, lowest_bit(points) & 63] += weight
                points &= points - 1
            if k - count == 2:
                answers |= rest
                _add_partners(partners, np.int64(1), rest)
    return threats, answers


@inlined
def _add_partners(partners, side, pair):
    """Make two points partners: a stone on one threatens to complete a line with the other."""
    low = pair & -pair
    partners[side, lowest_bit(pair) & 63] |= pair ^ low
    partners[side, lowest_bit(pair ^ low) & 63] |= low


@inlined
def against_two_threats(game, side, threats):
    """Return the points that prevent a side from making two threats with one stone.

    A stone that threatens to complete lines at two points wins: only one of them can be blocked. The other
    side can prevent it by taking the point of the stone or, if there are exactly two such points, one of
    them; or it can make a threat itself.

    Args:
        game: the record of the game, with the partners of the points.
        side: 0 for the attacker, 1 for the defender.
        threats: the points where a stone of this side threatens to complete a line.

    Returns:
        The points that prevent all such stones; -1 if the side has no such stone.
    """
    points = np.int64(-1)
    while threats:
        stone = threats & -threats
        partners = game.partners[side & 1, lowest_bit(threats) & 63]
        threats ^= stone
        all_but_first = partners & (partners - 1)
        if all_but_first:
            more_than_two = all_but_first & (all_but_first - 1)
            points &= stone if more_than_two else stone | partners
    return points
