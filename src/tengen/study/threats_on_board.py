"""The threats on a board, for display: fives, open fours, fours and open threes of both colours.

A threat has its stones and its *gains*: the empty points where its owner turns a four into a five, or an
open three into an open four. Every gain is verified by the rules of the game: stones that could only become
a row which does not win are not a four, and Black's three that only a forbidden point could extend is not
an open three. Faster threats of the other side are not considered.

>>> from tengen.study.threats_on_board import threats
>>> from tengen.game.board import Board
>>> board = Board.from_stones(black="f8 g8 h8".split(), white="a1 c1".split())
>>> [(t.kind, [board.name(p) for p in t.gains]) for t in threats(board)[1]]
[('open-three', ['e8', 'i8'])]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tengen.game.board import Board
from tengen.game.points import BLACK, EMPTY, WHITE, Colour, Grid, Point, axes
from tengen.game.rows import ends, row_through, winning_rows, wins_along
from tengen.game.rules import Rules
from tengen.players.windows import Windows

ThreatKind: TypeAlias = Literal["five", "open-four", "four", "open-three"]

SHORTEST_THREE = 4
"""The smallest winning row length for which threes are reported; below it every stone would be one."""


@dataclass(frozen=True, slots=True)
class Threat:
    """A winning row or a threat to make one.

    Attributes:
        kind: the kind of threat, named for five in a row; with k in a row, a five stands for k stones, and
            so on down.
        points: the stones of the row, in order along the line.
        gains: the empty points where one more stone turns a four into a five, or a three into an open four;
            in order, empty for a five.
    """

    kind: ThreatKind
    points: tuple[Point, ...]
    gains: tuple[Point, ...]


def threats(board: Board) -> dict[Colour, tuple[Threat, ...]]:
    """Return the threats of both colours, most serious first.

    Once the game is over, only the winning rows are returned.
    """
    look = _ThreatFinder(board)
    return {colour: tuple(look.of(colour)) for colour in (BLACK, WHITE)}


class _ThreatFinder:
    """A finder of the threats of both colours on one board."""

    def __init__(self, board: Board) -> None:
        self._over = board.outcome() is not None
        self._rules: Rules = board.rules
        self._windows = Windows(board)
        self._cells = self._windows.cells
        self._grid: Grid = axes(board.width, board.height)
        self._stones = {colour: board.stones(colour) for colour in (BLACK, WHITE)}

    def of(self, colour: Colour) -> Iterator[Threat]:
        """Yield the threats of one colour."""
        yield from self._fives(colour)
        if self._over:
            return
        yield from self._fours(colour)
        if self._rules.k >= SHORTEST_THREE:
            yield from self._threes(colour)

    def _fives(self, colour: Colour) -> Iterator[Threat]:
        found: dict[tuple[Point, ...], None] = {}
        if self._rules.k <= max(self._rules.width, self._rules.height):
            for stone in self._stones[colour]:
                rows = winning_rows(self._rules, self._cells, stone, self._grid[stone], colour)
                found |= dict.fromkeys(rows)
        yield from (Threat("five", row, ()) for row in found)

    def _fours(self, colour: Colour) -> Iterator[Threat]:
        """Yield rows that one stone makes a five; an unbroken row with two such ends is an open four."""
        straight: dict[tuple[Point, ...], tuple[Point, ...]] = {}
        single: dict[tuple[Point, ...], tuple[Point, ...]] = {}
        for five in self._windows.fives(colour):
            for number, axis in enumerate(self._grid[five]):
                if not wins_along(self._rules, self._cells, axis, colour):
                    continue
                opened = self._straight_fours(five, number, colour)
                straight |= opened
                row = row_through(self._cells, five, axis, colour)
                if not opened and len(row) > 1:
                    single[tuple(stone for stone in row if stone != five)] = (five,)
        yield from (Threat("open-four", row, gains) for row, gains in straight.items())
        yield from (Threat("four", row, gains) for row, gains in single.items())

    def _straight_fours(
        self, five: Point, number: int, colour: Colour
    ) -> dict[tuple[Point, ...], tuple[Point, ...]]:
        """Return the unbroken rows adjacent to `five` that win at both ends, each with its two ends."""
        found = {}
        for ray in self._grid[five][number]:
            if ray and self._cells[ray[0]] == colour:
                gains = self._ends_that_win(ray[0], number, colour)
                row = row_through(self._cells, ray[0], self._grid[ray[0]][number], colour)
                if len(gains) == 2 and len(row) == self._rules.k - 1:
                    found[row] = tuple(sorted(gains))
        return found

    def _ends_that_win(self, stone: Point, number: int, colour: Colour) -> list[Point]:
        """Return the empty ends of the row through a stone where another stone wins along the line."""
        return [
            end
            for end in ends(self._cells, self._grid[stone][number], colour)
            if self._cells[end] == EMPTY
            and wins_along(self._rules, self._cells, self._grid[end][number], colour)
        ]

    def _threes(self, colour: Colour) -> Iterator[Threat]:
        """Yield rows that one stone makes an open four, by a move that is neither a five nor a foul."""
        found: dict[tuple[int, tuple[Point, ...]], list[Point]] = {}
        fives = set(self._windows.fives(colour))
        for point, wins in self._windows.fours(colour).items():
            if len(wins) < 2 or point in fives:
                continue
            rows = self._open_fours(point, colour)
            if rows and not self._windows.is_foul(point, colour):
                for number, row in rows:
                    stones = tuple(stone for stone in row if stone != point)
                    found.setdefault((number, stones), []).append(point)
        yield from (Threat("open-three", stones, tuple(gains)) for (_, stones), gains in found.items())

    def _open_fours(self, point: Point, colour: Colour) -> list[tuple[int, tuple[Point, ...]]]:
        """Return the unbroken rows that a stone on `point` would make and that would win at both ends."""
        found = []
        self._cells[point] = colour
        for number, axis in enumerate(self._grid[point]):
            row = row_through(self._cells, point, axis, colour)
            if len(row) == self._rules.k - 1 and len(self._ends_that_win(point, number, colour)) == 2:
                found.append((number, row))
        self._cells[point] = EMPTY
        return found
