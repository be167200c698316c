"""A player that reads the shapes around a point and looks their weights up.

The idea. Stand on an empty point and look along the eight directions. Write down the stones you see until
the first empty point or the edge: 1 for a stone of the opponent's, 2 for an own one. ``111`` means three
enemy stones in a row next to you; ``2221`` three own ones, and then an enemy that closes the row. A table
says what each such shape is worth, the point gets the weights together, and the heaviest point is played.

A worked example. White, to move, looks from f8 at the black stones g8 and h8 in the east, and sees nothing
anywhere else. ``11`` weighs 410 in origin O5's table, so that is what f8 weighs:

>>> from tengen.players.shapes import Shapes
>>> from tengen import Board
>>> board = Board.from_moves("h8 a15 g8")
>>> explanation = Shapes("o5").explain(board)
>>> explanation.weights[board.point("f8")]
410
>>> [(str(part.label), part.value) for part in explanation.parts[board.point("f8")]]
[('shape 11', 410)]

Two ways to read and to add up, each with its table:

- ``o2`` reads a run of one colour with the stone of the other colour that closes it, if one does, and no
  further. The weight of a point is the sum of its eight directions, and bonuses: 2000 (`pair_1`) if two or
  more directions read ``11``, ``111`` or ``1111``, 2000 (`pair_2`) if two or more read ``22``, ``222`` or
  ``2222``, and 20000 (`row_1`) if an enemy stone there would make an unbroken row of four or five.
- ``o5``, the default, reads at most five stones, whatever their colours. It adds the two directions of
  each of the four axes, so that it sees the gap in ``11 11``, and the largest axis counts. ``o5easy`` takes
  the largest of the eight directions instead. A part of the explanation is a direction that counts: those
  of the largest axis, or the largest direction.

A shape that is not in the table weighs nothing. What the sources left out or got wrong is mended:

- ``o2`` lacked ``2222``, ``2221``, ``1112`` and ``11112``. ``2221`` is 700, as its author wrote but never
  entered. ``2222`` is 10000 as ``22221``, and ``11112`` is 50000 as ``1111``: one stone makes five either
  way. ``1112`` is 1400, to ``111`` as ``2221`` is to ``222``.
- the bonus for rows saw the opponent's only: `row_2` is the same 20000 for an own row. That alone would
  still block a five rather than win, and make a four rather than block a five, so a five, by the rules
  of the game, is worth more again: 1,000,000 (`five_2`) if it is one's own, 100,000 (`five_1`) if it is
  the opponent's. "Four or five" is k - 1 or more in a row.
- every direction is read to the edge, and never round it; of equal points the one closest to the centre
  is played, not the first; so the empty board begins in the centre, not in a corner.

``tuned`` reads and adds up as ``o2`` does, with a weight for each shape that this way of reading can see,
found by letting it play (`tengen.arena.tuning`). What it has learnt reads like advice. Make an open four
(`w_222`), or stop one (`w_111`). Do not make a four that is closed already: `w_2221` takes back what
`row_2` gives. Leave the enemy's closed three alone (`w_1112`), and do not cling to its stones (`w_1`,
`w_12`): build in the open. The weights are right for each other only; the sum decides.

``o2exact`` and ``o5exact`` keep all that as it was, for comparison. The sources count their points from
the top left, row by row (so we read "the first point"), and ``o2exact`` never reads column 0 when it looks
left, or row 0 when it looks up, straight or aslant. ``o5exact`` walks along one list of all points: beyond
the right edge comes the left edge of the next row. Colours there were fixed, 1 the human's black and 2 the
computer's white; here as everywhere 2 is whoever is to move, which with the colours swapped is the same,
and with the human to move is the sources' hint.

Cost: eight short looks from each point, a few milliseconds on 15x15.

Blind to: everything that takes a second move, and gaps but for the one that two directions make: ``o5``
rates an own 222 and 2 across a gap, a five, at 478, and blocks a single open ``111`` first. The axes of
``o5`` do not add up, so double threes slip through. The tables are written for five in a row; for another
k they see what they can.

From: ``o2`` a gomoku program with shape weights (origin O2), ``o5`` a phone mini-program (origin O5); the
numbers of ``tuned`` are our own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from tengen.game.board import Board
from tengen.game.player import Choice, Explanation, Limit, Part, player_repr
from tengen.game.points import DIRECTIONS, Colour, Point, axes, opponent
from tengen.game.rows import row_through, winning_rows
from tengen.players.candidates import pick, playable
from tengen.players.parameters import number, preset_of, tuned
from tengen.players.spec import spec_text
from tengen.words import Message

Source: TypeAlias = Literal["o2", "o5"]

Sight: TypeAlias = "tuple[tuple[Point, ...], ...]"
"""The rays of a point: the points in eight directions, outward; opposite rays are neighbours."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A table of weights and how it is used.

    Attributes:
        source: whose way to read and to add up.
        parameters: the weight of each shape under ``w_`` and its digits, and the bonuses.
        easy: whether the largest direction counts, rather than the largest axis.
        exact: whether the source's faults are kept.
    """

    source: Source
    parameters: Mapping[str, float]
    easy: bool = False
    exact: bool = False


_O2 = (
    {"w_1": 20, "w_11": 100, "w_111": 2000, "w_1111": 50000, "w_12": 10}
    | {"w_2": 10, "w_22": 50, "w_222": 1000, "w_22221": 10000}
    | {"pair_1": 2000, "pair_2": 2000, "row_1": 20000}
)
_O2_MENDED = (
    _O2
    | {"w_2222": 10000, "w_2221": 700, "w_1112": 1400, "w_11112": 50000}
    | {"row_2": 20000, "five_1": 100_000, "five_2": 1_000_000}
)
_O5 = (
    {"w_1": 20, "w_11": 410, "w_111": 500, "w_1111": 8000}
    | {"w_12": 4, "w_112": 70, "w_1112": 450, "w_11112": 8000}
    | {"w_2": 8, "w_22": 80, "w_222": 470, "w_2222": 9000}
    | {"w_21": 6, "w_221": 60, "w_2221": 600, "w_22221": 10000}
    | {"w_121": 5, "w_1221": 5, "w_2112": 5, "w_212": 5}
)
_TUNED = (
    {"w_1": -80, "w_11": -50, "w_111": 1000, "w_1111": 50000}
    | {"w_12": -170, "w_112": -700, "w_1112": -1500, "w_11112": 50000}
    | {"w_2": 60, "w_22": 170, "w_222": 50000, "w_2222": 10000}
    | {"w_21": -50, "w_221": 140, "w_2221": -3300, "w_22221": 10000}
    | {"pair_1": 200, "pair_2": 150, "row_1": 1000, "row_2": 3400}
    | {"five_1": 100_000, "five_2": 1_000_000}
)

PRESETS = {
    "o5": Preset("o5", _O5),
    "o2": Preset("o2", _O2_MENDED),
    "tuned": Preset("o2", _TUNED),
    "o5easy": Preset("o5", _O5, easy=True),
    "o2exact": Preset("o2", _O2, exact=True),
    "o5exact": Preset("o5", _O5, exact=True),
}
"""The presets; the first is the default."""

_FARTHEST = 5
"""The most stones that O5 reads in a direction."""

_PAIRS = {"pair_1": ("11", "111", "1111"), "pair_2": ("22", "222", "2222")}


class Shape(NamedTuple):
    """The code read in one direction: the digits, the points they stand for, and the weight."""

    digits: str
    points: tuple[Point, ...]
    weight: float


class Shapes:
    """Plays the point with the heaviest shapes around it.

    Args:
        preset: ``"o5"``, ``"o2"``, ``"tuned"``, ``"o5easy"``, ``"o2exact"`` or ``"o5exact"``.
        seed: which of equal points equally close to the centre is played, None the first; of no
            effect on the exact presets, which always play the first of equal points.
        changes: parameters with another value than the preset's, such as ``w_111=3000``.

    Attributes:
        parameters: all parameters by name.
    """

    def __init__(self, preset: str = "o5", seed: int | None = None, **changes: float) -> None:
        self._preset: Preset = preset_of("shapes", preset, PRESETS)
        self.parameters = tuned(self._preset.parameters, changes)
        self._seed = seed
        self.name = spec_text(f"shapes:{preset}", self._preset.parameters, self.parameters, seed)

    __repr__ = player_repr

    def choose(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Choice:
        """The point with the largest weight.

        Raises:
            GameOver: the game is over.
        """
        start = time.perf_counter()
        weights = _weights(self._parts(board))
        point = self._pick(board, weights)
        return Choice(point, line=(point,), nodes=len(weights), seconds=time.perf_counter() - start)

    def explain(
        self, board: Board, limit: Limit | None = None, stop: threading.Event | None = None
    ) -> Explanation:
        """Each point with the shapes and bonuses that count for it."""
        parts = self._parts(board)
        if not parts:
            return Explanation(Message("explain.nothing"))
        weights = _weights(parts)
        point = self._pick(board, weights)
        values = {"point": board.name(point), "weight": number(weights[point])}
        return Explanation(Message("explain.shapes", values), weights, parts)

    def _pick(self, board: Board, weights: Mapping[Point, float]) -> Point:
        if not (self._preset.exact and weights):
            return pick(board, weights, self._seed)
        return max(weights, key=lambda point: (weights[point], -_flip(point, board.width, board.height)))

    def _parts(self, board: Board) -> dict[Point, tuple[Part, ...]]:
        """For each point that may be played the parts that make up its weight."""
        sights = _sights(board.width, board.height, self._preset.source, self._preset.exact)
        position = board.position
        parts = {}
        for point in playable(board):
            rays = sights[point]
            if self._preset.source == "o2":
                rays = tuple(ray for ray in rays if ray and position[ray[0]])
            shapes = [self._read(position, board.turn, ray) for ray in rays]
            bonuses: list[Part] = []
            if self._preset.source == "o2":
                bonuses += self._bonuses(board, position, point, shapes)
            elif self._preset.easy:
                shapes = [max(shapes, key=lambda shape: shape.weight)]
            else:
                pairs = [shapes[i : i + 2] for i in range(0, len(shapes), 2)]
                shapes = max(pairs, key=lambda pair: pair[0].weight + pair[1].weight)
            counting = (
                Part(Message("explain.shapes.shape", {"shape": digits}), points, weight)
                for digits, points, weight in shapes
                if weight
            )
            parts[point] = (*counting, *bonuses)
        return parts

    def _read(self, position: bytes, me: Colour, ray: tuple[Point, ...]) -> Shape:
        digits = ""
        for point in ray:
            stone = position[point]
            if not stone:
                break
            digits += "2" if stone == me else "1"
            if self._preset.source == "o2" and digits[-1] != digits[0]:
                break
        return Shape(digits, ray[: len(digits)], self.parameters.get(f"w_{digits}", 0))

    def _bonuses(self, board: Board, position: bytes, point: Point, shapes: list[Shape]) -> Iterator[Part]:
        """The bonuses of ``o2``; those that the preset does not have are worth nothing, and left out."""
        for name, group in _PAIRS.items():
            seen = [shape.points for shape in shapes if shape.digits in group]
            if len(seen) > 1 and (value := self.parameters[name]):
                yield Part(Message(f"explain.shapes.{name}"), tuple(p for ray in seen for p in ray), value)
        k, lines = board.rules.k, axes(board.width, board.height)[point]
        read = "".join(shape.digits for shape in shapes)
        for digit, colour in (("1", opponent(board.turn)), ("2", board.turn)):
            if not self._preset.exact and read.count(digit) < k - 2:
                continue  # too few stones for a row; the exact preset does not read all there are
            row = max((row_through(position, point, axis, colour) for axis in lines), key=len)
            if len(row) < k - 1:
                continue
            if value := self.parameters.get(f"row_{digit}", 0):
                yield Part(Message(f"explain.shapes.row_{digit}", {"length": len(row)}), row, value)
            fives = winning_rows(board.rules, position, point, lines, colour)
            if fives and (value := self.parameters.get(f"five_{digit}", 0)):
                yield Part(Message(f"explain.shapes.five_{digit}"), fives[0], value)


def _weights(parts: Mapping[Point, tuple[Part, ...]]) -> dict[Point, float]:
    return {point: sum(part.value for part in counting) for point, counting in parts.items()}


@lru_cache(maxsize=32)
def _sights(width: int, height: int, source: Source, exact: bool) -> tuple[Sight, ...]:
    """The rays of each point of a board."""
    points = range(width * height)
    if source == "o5":
        if exact:
            return tuple(_round_the_edge(point, width, height) for point in points)
        return tuple(
            tuple(tuple(ray[:_FARTHEST]) for axis in lines for ray in axis) for lines in axes(width, height)
        )
    return tuple(
        tuple(
            tuple(p for p in ray if not (exact and _unread(p, sign * dx, sign * dy, width, height)))
            for (dx, dy), axis in zip(DIRECTIONS, lines, strict=True)
            for sign, ray in zip((1, -1), axis, strict=True)
        )
        for lines in axes(width, height)
    )


def _unread(point: Point, dx: int, dy: int, width: int, height: int) -> bool:
    """True where O2's scans in the direction dx, dy stop before a point: index 0 to the left and top."""
    return (dx < 0 and point % width == 0) or (dy > 0 and point // width == height - 1)


def _round_the_edge(point: Point, width: int, height: int) -> Sight:
    """The eight directions of O5's one-dimensional board, which end only with the list of its points."""
    start = _flip(point, width, height)
    steps = (sign * (dx - dy * width) for dx, dy in DIRECTIONS for sign in (1, -1))
    return tuple(
        tuple(
            _flip(start + n * step, width, height)
            for n in range(1, _FARTHEST + 1)
            if 0 <= start + n * step < width * height
        )
        for step in steps
    )


def _flip(point: Point, width: int, height: int) -> int:
    """From our number of a point to its place in a list from the top left, and back."""
    y, x = divmod(point, width)
    return (height - 1 - y) * width + x
