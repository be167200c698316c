"""Strength below full: what a weaker player does not see.

A strong player that now and then plays anything is no fun, and nothing to learn from. People are weaker
in three other ways, and so is the engine where its ``strength`` is less than 100:

- *Shorter sight.* It looks fewer plies ahead and puts down fewer stones in doing so. It does not look for
  wins by threats beforehand, nor, at the lower strengths, for wins by fours in all that it looks ahead.
- *Overlooked threats.* Some rows of the enemy's it does not notice: more often on a diagonal, and where
  no stone has been added of late; less often where there are three stones already. Their stones are then
  like the edge of the board along that row, in all that it looks ahead. What is overlooked hangs on the
  seed and the position alone, so that it is the same when asked again.
- *Taste.* What a row is worth is off by a factor for each pattern, which hangs on the seed: one likes open
  twos, another is afraid of threes.

Three things hold at every strength: it never misses its own five, it stops the enemy's if it can, and it
plays no foul while there is another move.

Strengths are such that equal steps are about equal differences in Elo (`docs/strength.md`).
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
from tengen.engine.evaluation.weights import Weights
from tengen.engine.search.forced_moves import fives_of
from tengen.game.board import Board
from tengen.game.player import Limit
from tengen.game.points import PASS, Point, opponent

FULL = 100
"""The strength without any handicap."""


@dataclass(frozen=True, slots=True)
class Handicap:
    """What is taken away.

    Attributes:
        nodes: stones put down at most.
        depth: plies looked ahead at most.
        oversight: how likely a row of two of the enemy's, along the board's sides, is not noticed.
        taste: how far the worth of a pattern is off at most, as a part of it.
        without: techniques of the search that are left out.
    """

    nodes: int
    depth: int
    oversight: float
    taste: float
    without: Technique = Technique.NONE

    def limited(self, limit: Limit) -> Limit:
        """The limit that holds: the one given can shorten the thoughts, not lengthen them."""
        nodes = self.nodes if limit.nodes is None else min(limit.nodes, self.nodes)
        depth = self.depth if limit.depth is None else min(limit.depth, self.depth)
        return replace(limit, nodes=nodes, depth=depth)


_PLAIN = Technique.VCT
_SHORT = Technique.VCF | Technique.VCT

_STEPS = {
    0: Handicap(nodes=250, depth=3, oversight=0.15, taste=0.25, without=_SHORT),
    10: Handicap(nodes=640, depth=5, oversight=0.132, taste=0.168, without=_SHORT),
    25: Handicap(nodes=2150, depth=7, oversight=0.071, taste=0.115, without=_SHORT),
    40: Handicap(nodes=5100, depth=9, oversight=0.0395, taste=0.083, without=_PLAIN),
    55: Handicap(nodes=12_000, depth=12, oversight=0.0235, taste=0.052, without=_PLAIN),
    70: Handicap(nodes=26_500, depth=16, oversight=0.0125, taste=0.031, without=_PLAIN),
    85: Handicap(nodes=70_000, depth=20, oversight=0.004, taste=0.01, without=_PLAIN),
    100: Handicap(nodes=200_000, depth=24, oversight=0.0, taste=0.0),
}
"""Some strengths; those between them lie between, and the last is where 99 tends to."""


def handicap(strength: int) -> Handicap | None:
    """What is taken away at a strength from 0 to 100; None at full strength."""
    if strength >= FULL:
        return None
    known = list(_STEPS)
    place = bisect_right(known, strength)
    low, high = known[place - 1], known[place]
    part = (strength - low) / (high - low)
    one, other = _STEPS[low], _STEPS[high]

    def between(a: float, b: float) -> float:
        return a + part * (b - a)

    return Handicap(
        nodes=round(one.nodes * (other.nodes / one.nodes) ** part),
        depth=round(between(one.depth, other.depth)),
        oversight=between(one.oversight, other.oversight),
        taste=between(one.taste, other.taste),
        without=one.without,
    )


def tasted(weights: Weights, taste: float, seed: int) -> Weights:
    """The learned numbers as they please a player: what each pattern is worth, times a factor."""
    if not taste:
        return weights
    chance = random.Random(f"{seed} taste")
    patterns = class_patterns()
    factors = np.array(
        [[chance.uniform(1 - taste, 1 + taste) for _ in range(patterns.max() + 1)] for _ in range(2)]
    )
    # The strongest of a class's four patterns stands last, and says how the whole is liked.
    liked = factors[:, None, patterns[:, -1]]
    return replace(weights, worths=np.rint(weights.worths * liked).astype(np.int64))


@dataclass(frozen=True, slots=True)
class _Row:
    """Stones of one colour on a line of the board, close enough for a five with nothing between them.

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
    """Take rows out of a state that the side to move does not notice.

    Args:
        state: of the board; changed in place.
        tables: of its rules.
        board: the position.
        oversight: see `Handicap`.
        seed: of what is overlooked.

    Returns:
        The stones of each row, the longest row first.
    """
    chance = random.Random(f"{seed} {board.turn} {board.ply} {board.position.hex()}")
    last = [cell(board, move) for move in board.moves[-2:] if move != PASS]
    hidden = []
    for row in _rows(state, board):
        draw = chance.random()
        if draw < _likely(row, last, oversight) and _hide(state, tables, row):
            hidden.append(row.cells)
    hidden.sort(key=len, reverse=True)
    return tuple(tuple(point_of(board, cell) for cell in cells) for cells in hidden)


def _likely(row: _Row, last: list[int], oversight: float) -> float:
    """How likely a row is not noticed."""
    likely = oversight
    if row.direction >= 2:
        likely *= 1.5
    if len(row.cells) > 2:
        likely *= 0.5
    if any(cell in row.cells for cell in last):
        likely *= 0.5
    return likely


def _rows(state: Record, board: Board) -> Iterator[_Row]:
    """The rows of the side that is not to move, of two stones and more."""
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
        best: set[int] = set()
        for first in range(min(stones) - 4, max(stones) + 1):
            window = range(first, first + 5)
            if all(place in stones or place in free for place in window):
                best = max(best, {place for place in window if place in stones}, key=len)
        if len(best) > 1:
            yield _Row(direction, line, tuple(stones[place] for place in sorted(best)))


def _hide(state: Record, tables: Record, row: _Row) -> bool:
    """Let a row's stones be as the edge of the board along it, unless that would hide a five or a foul."""
    record = state[0]
    before = _certain(state, tables)
    old = record["lines"][row.direction, row.line]
    bits = int(old)
    for stone in row.cells:
        x, y = stone % 32 - FRAME, stone // 32 - FRAME
        bits |= 3 << (2 * (places(x, y)[row.direction][1] + FRAME))
    record["lines"][row.direction, row.line] = bits
    look_up(state, tables)
    if _certain(state, tables) == before:
        return True
    record["lines"][row.direction, row.line] = old
    look_up(state, tables)
    return False


def _certain(state: Record, tables: Record) -> tuple[tuple[int, ...], ...]:
    """What is never overlooked: the fives of both sides, and one's own fouls."""
    fouls = np.zeros(CELLS, np.int64)
    count = forbidden_cells(state, tables, fouls) if state[0]["turn"] == 0 else 0
    return fives_of(state, 0), fives_of(state, 1), tuple(fouls[:count].tolist())
