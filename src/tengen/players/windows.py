"""The board as windows: every k points in a row, with the stones that stand in each.

A *window* is k neighbouring points of one line. A game is won by filling one with stones of one colour,
so the windows are all the ways to win there are: on a 15x15 board with k = 5 they number 572, and a
point lies in up to 20 of them. A window that holds both colours is dead. One that holds n stones of one
colour and no other *needs* k - n more. The tactics of the game follow from the windows that need little:

- a window that needs one: its empty point wins at once (below called a *five*, whatever k is);
- a window that needs two: a stone on one of its empty points makes a *four*, which threatens a five on
  the other, and a point that does so twice cannot be answered.

    >>> from tengen.players.windows import Windows
    >>> from tengen.game.board import Board
    >>> board = Board.from_stones(black="f8 g8 h8".split(), white=["e8"])
    >>> windows = Windows(board)
    >>> {board.name(four): [board.name(p) for p in fives] for four, fives in windows.fours(1).items()}
    {'i8': ['j8'], 'j8': ['i8']}

A new stone changes the 20 windows through its point and no others. So the counts are kept, not counted
again: a microsecond or two a stone, a thirtieth of what counting the whole board takes. The players that
look ahead stand on this table.

Filling a window is not always winning: six in a row do not win under the standard rules, nor do five
between two enemy stones under caro. Every five found here is checked with `tengen.game.rows`, and Black's
fouls with `tengen.game.fouls`, so that the rules are written down once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from tengen.game.board import Board
from tengen.game.fouls import find_foul
from tengen.game.points import BLACK, EMPTY, WHITE, Colour, Point, axes, opponent
from tengen.game.rows import ends, windows, wins_along

Fours: TypeAlias = "dict[Point, list[Point]]"
"""For each point that makes a four the points that would then win, both in order."""


class WindowLayout(NamedTuple):
    """The windows of a board; see `layout`.

    Attributes:
        lines: the points of each window.
        through: for each point of the board the numbers of the windows it lies in.
    """

    lines: tuple[range, ...]
    through: tuple[tuple[int, ...], ...]


class Windows:
    """A position as windows: stones are placed and lifted at will, with no regard to turns.

    Attributes:
        rules: the rules of the board.
        k: the length of a window. A k that no line has room for counts as one too long.
        cells: the colour of every point, in order.
        codes: for each window ``black + (k + 1) * white``, the numbers of stones in it; what the
            whole position is worth can be read from a table of (k + 1) ** 2 values.
        through: for each point the numbers of the windows it lies in.

    Args:
        board: the position to begin with; it is copied.
    """

    __slots__ = ("_grid", "_layout", "_live", "_plain", "_slots", "cells", "codes", "k", "rules", "through")

    def __init__(self, board: Board) -> None:
        self.rules = board.rules
        self.k = min(self.rules.k, max(board.width, board.height) + 1)
        self._layout = layout(board.width, board.height, self.k)
        self._grid = axes(board.width, board.height)
        self.through = self._layout.through
        self.cells = bytearray(board.width * board.height)
        self.codes = [0] * len(self._layout.lines)
        # Where any k stones win, a full window is a win without a further look.
        ends_matter = self.rules.blocked_five != "wins"
        self._plain = [False, *(self.rules.overline_wins(c) and not ends_matter for c in (BLACK, WHITE))]
        # For each code the set that its windows are kept in, if any: those that need one or two.
        self._slots: list[set[int] | None] = [None] * (self.k + 1) ** 2
        self._live = {
            (colour, need): self._slot(colour, need) for colour in (BLACK, WHITE) for need in (1, 2)
        }
        if (empty := self._slots[0]) is not None:
            empty.update(range(len(self.codes)))
        for colour in (BLACK, WHITE):
            for point in board.stones(colour):
                self.place(point, colour)

    def _step(self, colour: Colour) -> int:
        return 1 if colour == BLACK else self.k + 1

    def _slot(self, colour: Colour, need: int) -> set[int]:
        code = (self.k - need) * self._step(colour)
        if code < 0:
            return set()
        # With k = 1 or 2 an empty window needs no more, and is either colour's.
        slot = self._slots[code]
        if slot is None:
            slot = self._slots[code] = set()
        return slot

    def place(self, point: Point, colour: Colour) -> None:
        """Put a stone on an empty point."""
        self.cells[point] = colour
        self._change(point, self._step(colour))

    def lift(self, point: Point) -> None:
        """Take the stone on a point away."""
        step = self._step(self.cells[point])
        self.cells[point] = EMPTY
        self._change(point, -step)

    def _change(self, point: Point, step: int) -> None:
        codes, slots = self.codes, self._slots
        for window in self.through[point]:
            old = codes[window]
            new = codes[window] = old + step
            if (leaves := slots[old]) is not None:
                leaves.discard(window)
            if (enters := slots[new]) is not None:
                enters.add(window)

    def needing(self, colour: Colour, need: int) -> int:
        """Count the windows that need 1 or 2 more stones of this colour and hold no other."""
        return len(self._live[colour, need])

    def fives(self, colour: Colour) -> list[Point]:
        """The points where a stone of this colour wins at once, in order."""
        points = {self._empty(window)[0] for window in self._live[colour, 1]}
        return sorted(point for point in points if self._plain[colour] or self._wins(point, colour))

    def fours(self, colour: Colour) -> Fours:
        """The points where a stone of this colour makes a four, each with the points that then win.

        Fours that stand already are not looked at: the points that win are new ones.
        """
        found: dict[Point, set[Point]] = {}
        for window in self._live[colour, 2]:
            a, b = self._empty(window)
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
        fours = {}
        for point in sorted(found):
            fives = sorted(found[point])
            if not self._plain[colour]:
                self.cells[point] = colour
                fives = [five for five in fives if self._wins(five, colour)]
                self.cells[point] = EMPTY
            if fives:
                fours[point] = fives
        return fours

    def answers(self, attacker: Colour) -> list[Point]:
        """The points where the other side stops every five of `attacker`, fouls of Black's left out.

        Whether the other side could rather win itself is not asked.
        """
        fives = self.fives(attacker)
        defender = opponent(attacker)
        if self.rules.blocked_five == "wins":
            points: Iterable[Point] = fives if len(fives) == 1 else ()
        else:
            # A five that would end next to an enemy stone is also stopped at its other end.
            points = sorted({*fives, *(end for five in fives for end in self._ends(five, attacker))})
        return [
            point for point in points if not self.is_foul(point, defender) and self._stops(point, defender)
        ]

    def is_foul(self, point: Point, colour: Colour) -> bool:
        """Return whether a stone of this colour on an empty point would be a foul, however enforced."""
        if colour != BLACK or not self.rules.has_fouls:
            return False
        return find_foul(self.rules, self.cells, self._grid, point) is not None

    def around(self, point: Point, distance: int) -> frozenset[Point]:
        """The points at most `distance` king's moves away, stones or not, this one left out."""
        return neighbours(self.rules.width, self.rules.height, distance)[point]

    def empty(self) -> list[Point]:
        """All empty points, in order."""
        return [point for point, stone in enumerate(self.cells) if stone == EMPTY]

    def _empty(self, window: int) -> list[Point]:
        cells = self.cells
        return [point for point in self._layout.lines[window] if not cells[point]]

    def _wins(self, point: Point, colour: Colour) -> bool:
        axes = self._grid[point]
        return any(wins_along(self.rules, self.cells, axis, colour) for axis in axes)

    def _ends(self, point: Point, colour: Colour) -> list[Point]:
        """The empty points at the ends of the rows that a stone on `point` would make."""
        found = [end for axis in self._grid[point] for end in ends(self.cells, axis, colour)]
        return [end for end in found if not self.cells[end]]

    def _stops(self, point: Point, defender: Colour) -> bool:
        self.place(point, defender)
        stopped = not self.fives(opponent(defender))
        self.lift(point)
        return stopped


@lru_cache(maxsize=16)
def layout(width: int, height: int, k: int) -> WindowLayout:
    """All windows of a board, see `WindowLayout`."""
    lines = windows(width, height, k)
    through: list[list[int]] = [[] for _ in range(width * height)]
    for number, window in enumerate(lines):
        for point in window:
            through[point].append(number)
    return WindowLayout(lines, tuple(map(tuple, through)))


@lru_cache(maxsize=16)
def neighbours(width: int, height: int, distance: int) -> tuple[frozenset[Point], ...]:
    """For each point of a board the others at most `distance` king's moves away."""
    return tuple(
        frozenset(
            v * width + u
            for v in range(max(y - distance, 0), min(y + distance + 1, height))
            for u in range(max(x - distance, 0), min(x + distance + 1, width))
            if (u, v) != (x, y)
        )
        for y in range(height)
        for x in range(width)
    )
