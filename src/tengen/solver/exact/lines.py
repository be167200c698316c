"""The board of the exact search: sets of points as bits of a number, and the lines that win.

Point p of `tengen.game` is bit p of an int64, so that a board has at most 64 points. A *line* is k points
in a row. Bit operations examine all lines of one direction at once: bit p stands for the line that starts
at p, and shifting a set by `step` brings the next point of each line to bit p.
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
from tengen.engine.kernels.jit import inlined
from tengen.game.symmetry import inverse, symmetries

MOST_POINTS = 64
"""Points of the largest board."""

_LINES, _SYMMETRIES, _BYTES, LEVELS = 256, 8, 8, 4
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))

GAME = np.dtype(
    [
        ("k", np.int64),
        ("board", np.int64),  # all points
        ("bytes", np.int64),  # bytes that hold the points
        ("directions", np.int64),  # directions with at least one line
        ("steps", np.int64, 4),  # from a point to the next, for each
        ("starts", np.int64, 4),  # the points where lines begin, for each
        ("lines", np.int64),
        ("line", np.int64, _LINES),  # its points; those on one straight of the board follow each other
        ("straight", np.int64, _LINES),  # the number of the straight that it is on
        ("symmetries", np.int64),
        ("images", np.int64, (_SYMMETRIES, _BYTES, 256)),  # of eight points, given as bits
        ("there", np.int64, (_SYMMETRIES, MOST_POINTS)),  # where a symmetry takes a point
        ("back", np.int64, (_SYMMETRIES, MOST_POINTS)),  # the point that it takes there
        ("nodes", np.int64),  # positions visited
        ("most_nodes", np.int64),
        ("stop", np.int64),  # set from outside to end the search
        ("ended", np.int64),  # whether it was interrupted
        ("root", np.int64),  # stones on the board where the search began
        ("done", np.int64, LEVELS),  # moves that are finished in the first plies of the line of play
        ("width", np.int64, LEVELS),  # moves in all, likewise
        ("moves", np.int64, (MOST_POINTS, MOST_POINTS)),  # by the number of stones on the board
        ("scores", np.int64, (MOST_POINTS, MOST_POINTS)),
        ("weights", np.int64, (2, MOST_POINTS)),  # the attacker's and the defender's; see `weigh_points`
        ("partners", np.int64, (2, MOST_POINTS)),  # likewise
        ("groups", np.int64, _LINES),  # free points that a group of lines shares; see `bounds`
        ("owner", np.int64, MOST_POINTS),
        ("queue", np.int64, _LINES),
        ("parent", np.int64, _LINES),
        ("through", np.int64, _LINES),
    ]
)
"""A game's lines and symmetries, and the scratch memory of a search."""


def new_game(width: int, height: int, k: int) -> npt.NDArray[Any]:
    """Return the record of an m,n,k game: shape (1,), of type `GAME`.

    Args:
        width: columns.
        height: rows; at most `MOST_POINTS` points in all.
        k: in a row; any number from 1 up.
    """
    return _new_game(width, height, k).copy()


@lru_cache(maxsize=8)
def _new_game(width: int, height: int, k: int) -> npt.NDArray[Any]:
    games = np.zeros(1, GAME)
    game, points = games[0], width * height
    game["k"], game["board"] = k, as_bits(range(points))
    game["bytes"] = -(-points // 8)
    lines = straight = directions = 0
    for across, up in _DIRECTIONS if k > 1 else _DIRECTIONS[:1]:
        step, starts = up * width + across, []
        for ray in _straights(width, height, across, up):
            for first in range(len(ray) - k + 1):
                game["line"][lines] = as_bits(ray[first : first + k])
                game["straight"][lines] = straight
                starts.append(ray[first])
                lines += 1
            straight += 1
        if starts:
            game["steps"][directions], game["starts"][directions] = step, as_bits(starts)
            directions += 1
    game["lines"], game["directions"] = lines, directions
    images = symmetries(width, height)
    game["symmetries"] = len(images)
    for number, symmetry in enumerate(images):
        game["there"][number, :points] = symmetry
        game["back"][number, :points] = inverse(symmetry)
        for byte in range(int(game["bytes"])):
            places = symmetry[8 * byte : 8 * byte + 8]
            for bits in range(1 << len(places)):
                image = as_bits(place for bit, place in enumerate(places) if bits >> bit & 1)
                game["images"][number, byte, bits] = image
    return games


def _straights(width: int, height: int, across: int, up: int) -> Iterator[list[int]]:
    """Yield the points of each straight of the board in one direction, in order."""
    for y in range(height):
        for x in range(width):
            if 0 <= x - across < width and 0 <= y - up < height:
                continue
            ray, column, row = [], x, y
            while 0 <= column < width and 0 <= row < height:
                ray.append(row * width + column)
                column, row = column + across, row + up
            yield ray


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
        full = game.starts[direction & 3]
        lacking = np.int64(0)  # lines with one free point so far, the others being stones
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
    """Return the points of all lines that consist of usable points."""
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
        image |= game.images[symmetry & 7, byte & 7, (points >> (8 * byte)) & 255]
    return image


@inlined
def least_image(game, first, second):
    """Return the canonical image of two sets of points, equal for symmetric positions.

    Returns:
        The images of both sets, and the number of the symmetry.
    """
    least, beside, symmetry = first, second, np.int64(0)
    for number in range(1, game.symmetries):
        image = image_of(game, number, first)
        if image <= least:
            other = image_of(game, number, second)
            if image < least or other < beside:
                least, beside, symmetry = image, other, np.int64(number)
    return least, beside, symmetry


@inlined
def weigh_points(game, attacker, defender, free, stones):
    """Fill `weights` and `partners` for each free point.

    The attacker's weight of a point is the sum of 2 ** its stones over the lines through it on which the
    defender has no stone, and which the attacker can complete with at most `stones` more; the defender's
    weight is defined alike, without that bound. A point's partners are the points that would complete a
    line after a stone there.

    Returns:
        The points where the attacker threatens to complete a line, and those where the defender does.
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

    A stone that threatens to complete lines at two points wins: only one of them can be blocked. Before it,
    the other side can take the point of that stone or, if there are but two others, one of those; or it
    can make a threat itself.

    Returns:
        The points that prevent all such stones; -1 if the side has no such stone.
    """
    points = np.int64(-1)
    while threats:
        stone = threats & -threats
        partners = game.partners[side & 1, lowest_bit(threats) & 63]
        threats ^= stone
        others = partners & (partners - 1)
        if others:
            points &= stone if others & (others - 1) else stone | partners
    return points
