"""Playing strength below full: limits of the search, oversights and evaluation errors.

Strength could be reduced by random moves, but a strong player that now and then plays anything is no fun,
and teaches nothing. People are weaker in three other ways, and so is the engine with a ``strength`` below
100:

- *A smaller search.* It has fewer plies and fewer nodes. There is no search for wins by threats (VCT)
  before it, nor, at the lower strengths, one for wins by fours (VCF) inside it.
- *Oversights.* Some rows of the enemy's are overlooked: more often on a diagonal, less often with three
  stones or a stone added in the last two moves. In the whole search their stones are then like the edge of
  the board along that row. The oversights depend on the seed and the position alone, so that the same
  question has the same answer.
- *Evaluation errors.* The worth of each pattern is distorted by a factor that depends on the seed: one
  player overrates open twos, another threes.

At every strength the engine makes its own five, stops the enemy's if it can, and plays no foul while there
is another move.

Equal steps of strength are about equal differences in Elo (`docs/strength.md`).
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tengen.engine.board.conversion import cell, point_of
from tengen.engine.board.fouls import forbidden_cells
from tengen.engine.board.point_classes import class_patterns
from tengen.engine.board.position import look_up
from tengen.engine.board.records import CELLS, FRAME, LINES, Record, places
from tengen.engine.board.techniques import Technique
from tengen.engine.defaults import FULL, NODES
from tengen.engine.evaluation.weights import Weights
from tengen.engine.search.forced_moves import fives_of
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import PASS, Point, opponent


@dataclass(frozen=True, slots=True)
class Handicap:
    """The limits and errors of a playing strength.

    Attributes:
        nodes: of the search, at most.
        depth: plies of the search, at most.
        oversight: the probability that a row of two of the enemy's, parallel to a side of the board, is
            overlooked.
        distortion: the largest relative error in the worth of a pattern.
        without: techniques of the search that are left out.
    """

    nodes: int
    depth: int
    oversight: float
    distortion: float
    without: Technique = Technique.NONE

    def limited(self, limit: Limit) -> Limit:
        """Return a limit of the search, tightened to that of this strength."""
        nodes = self.nodes if limit.nodes is None else min(limit.nodes, self.nodes)
        depth = self.depth if limit.depth is None else min(limit.depth, self.depth)
        return replace(limit, nodes=nodes, depth=depth)


_DIAGONAL_FACTOR, _THREE_FACTOR, _RECENT_FACTOR = 1.5, 0.5, 0.5
"""Factors of an oversight's probability: on a diagonal, of three stones, and with a stone just added."""

_NO_VCT = Technique.VCT
_NO_THREATS = Technique.VCF | Technique.VCT

_STEPS = {
    0: Handicap(nodes=250, depth=3, oversight=0.15, distortion=0.25, without=_NO_THREATS),
    10: Handicap(nodes=640, depth=5, oversight=0.132, distortion=0.168, without=_NO_THREATS),
    25: Handicap(nodes=2150, depth=7, oversight=0.071, distortion=0.115, without=_NO_THREATS),
    40: Handicap(nodes=5100, depth=9, oversight=0.0395, distortion=0.083, without=_NO_VCT),
    55: Handicap(nodes=12_000, depth=12, oversight=0.0235, distortion=0.052, without=_NO_VCT),
    70: Handicap(nodes=26_500, depth=16, oversight=0.0125, distortion=0.031, without=_NO_VCT),
    85: Handicap(nodes=70_000, depth=20, oversight=0.004, distortion=0.01, without=_NO_VCT),
    FULL: Handicap(nodes=NODES, depth=24, oversight=0.0, distortion=0.0),
}
"""Handicaps of some strengths, interpolated in between; the last is only the limit of interpolation."""


def handicap(strength: int) -> Handicap | None:
    """Return the handicap of a strength from 0 to 100; None at full strength."""
    if strength >= FULL:
        return None
    known = list(_STEPS)
    place = bisect_right(known, strength)
    low, high = known[place - 1], known[place]
    fraction = (strength - low) / (high - low)
    lower, upper = _STEPS[low], _STEPS[high]

    def between(a: float, b: float) -> float:
        return a + fraction * (b - a)

    return Handicap(
        nodes=round(lower.nodes * (upper.nodes / lower.nodes) ** fraction),
        depth=round(between(lower.depth, upper.depth)),
        oversight=between(lower.oversight, upper.oversight),
        distortion=between(lower.distortion, upper.distortion),
        without=lower.without,
    )


def distorted(weights: Weights, distortion: float, seed: int) -> Weights:
    """Multiply the worth of each pattern by a random factor.

    Args:
        weights: the learned numbers.
        distortion: the largest relative error.
        seed: of the factors.
    """
    if not distortion:
        return weights
    rng = random.Random(f"{seed} taste")  # the word stays, so that a seed stays the same player
    patterns = class_patterns()
    factors = np.array(
        [[rng.uniform(1 - distortion, 1 + distortion) for _ in range(patterns.max() + 1)] for _ in range(2)]
    )
    # The last of a class's four patterns is the strongest; its factor is that of the class.
    of_classes = factors[:, None, patterns[:, -1]]
    return replace(weights, worths=np.rint(weights.worths * of_classes).astype(np.int64))


@dataclass(frozen=True, slots=True)
class _Row:
    """Stones of one colour on a line of the board, within one possible five.

    Attributes:
        direction: of the line.
        line: its number.
        cells: the stones.
    """

    direction: int
    line: int
    cells: tuple[int, ...]


def overlook(
    state: Record, tables: Record, board: Board, oversight: float, seed: int
) -> tuple[tuple[Point, ...], ...]:
    """Remove the rows from a state that the side to move overlooks.

    Args:
        state: of the board; changed in place.
        tables: of its rules.
        board: the position.
        oversight: the probability for a row of two parallel to a side of the board.
        seed: of the oversights.

    Returns:
        The stones of each row, the longest row first.
    """
    rng = random.Random(f"{seed} {board.turn} {board.ply} {board.position.hex()}")
    recent = [cell(board, move) for move in board.moves[-2:] if move != PASS]
    hidden = []
    for row in _rows(state, board):
        drawn = rng.random()
        if drawn < _oversight_probability(row, recent, oversight) and _hide(state, tables, row):
            hidden.append(row.cells)
    hidden.sort(key=len, reverse=True)
    return tuple(tuple(point_of(board, cell) for cell in cells) for cells in hidden)


def _oversight_probability(row: _Row, recent: list[int], oversight: float) -> float:
    """Return the probability that a row is overlooked."""
    probability = oversight
    if row.direction >= 2:
        probability *= _DIAGONAL_FACTOR
    if len(row.cells) > 2:
        probability *= _THREE_FACTOR
    if any(cell in row.cells for cell in recent):
        probability *= _RECENT_FACTOR
    return probability


def _rows(state: Record, board: Board) -> Iterator[_Row]:
    """Yield the rows of two stones and more of the side that is not to move."""
    colour = opponent(board.turn)
    lines: dict[tuple[int, int], dict[int, int]] = {}
    for point in board.stones(colour):
        x, y = point % board.width, point // board.width
        for direction, (line, place) in enumerate(places(x, y)):
            lines.setdefault((direction, line), {})[place] = cell(board, point)
    for (direction, line), stones in sorted(lines.items()):
        if len(stones) < 2:
            continue
        bits = int(state[0]["lines"][direction, line])
        free = {place for place in range(LINES // 2 - FRAME) if not (bits >> (2 * (place + FRAME))) & 3}
        longest: set[int] = set()
        for first in range(min(stones) - 4, max(stones) + 1):
            window = range(first, first + 5)
            if all(place in stones or place in free for place in window):
                longest = max(longest, {place for place in window if place in stones}, key=len)
        if len(longest) > 1:
            yield _Row(direction, line, tuple(stones[place] for place in sorted(longest)))


def _hide(state: Record, tables: Record, row: _Row) -> bool:
    """Make a row's stones like the edge of the board along it, unless that hides a five or a foul."""
    record = state[0]
    before = _never_overlooked(state, tables)
    old = record["lines"][row.direction, row.line]
    bits = int(old)
    for stone in row.cells:
        x, y = stone % 32 - FRAME, stone // 32 - FRAME
        bits |= 3 << (2 * (places(x, y)[row.direction][1] + FRAME))
    record["lines"][row.direction, row.line] = bits
    look_up(state, tables)
    if _never_overlooked(state, tables) == before:
        return True
    record["lines"][row.direction, row.line] = old
    look_up(state, tables)
    return False


def _never_overlooked(state: Record, tables: Record) -> tuple[tuple[int, ...], ...]:
    """Return what is never overlooked: the fives of both sides, and fouls of the side to move."""
    fouls = np.zeros(CELLS, np.int64)
    count = forbidden_cells(state, tables, fouls) if state[0]["turn"] == 0 else 0
    return fives_of(state, 0), fives_of(state, 1), tuple(fouls[:count].tolist())
