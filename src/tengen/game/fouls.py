"""Renju's fouls: moves that Black may not make, each with the lines that make it one.

The definitions are those of the International Rules of Renju (Renju International Federation, 1996,
corrected 1998), sections 3 and 9, in these steps for a black stone on an empty point p. The stone stays
on the board during the whole check, and so does every hypothetical stone during the checks below it:

1. A *five* through p, on any line, wins, whatever else the stone makes.
2. A longer row through p is an *overline*.
3. A *four* is a set of stones, p among them, that one more stone makes a five. Two different sets make
   a *double-four*, and both may lie on one line: ``X.XXX.X``. ``.XXXX.`` is one set, so one four.
4. A *three* is a line on which one more stone e makes a straight four, an unbroken four through p and e
   that becomes a five at both ends; e itself may not make a five anywhere, and must not be forbidden by
   this same check (rule 9.3). Two lines with a three make a *double-three*.

Any k works: for "five" read k in a row that wins under `rules`, for "four" one stone fewer, and so on.
The edge closes a line just as a white stone does. The recursion of step 4 ends because every level adds
a stone; it starts only where two lines have the shape of a three.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tengen.game.points import BLACK, DIRECTIONS, EMPTY, Colour, Grid, Point, stars
from tengen.game.rows import ends, row_through, wins_along
from tengen.game.rules import Rules

FoulKind: TypeAlias = Literal["overline", "double-four", "double-three"]
Lines: TypeAlias = "tuple[tuple[Point, ...], ...]"


@dataclass(frozen=True, slots=True)
class Foul:
    """The reason why a point is forbidden to Black.

    Attributes:
        kind: the first of overline, double-four and double-three that applies.
        lines: the stones of each overline, four or three, the new one included, in order along
            their line. A double-four or double-three has two or more.

    Examples:
        >>> import tengen
        >>> board = tengen.Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
        >>> board.push("h8")
        Traceback (most recent call last):
            ...
        tengen.game.errors.Forbidden: h8 is forbidden to Black: three-three
        >>> foul = board.foul("h8")
        >>> foul.kind
        'double-three'
        >>> [[board.name(point) for point in line] for line in foul.lines]
        [['f8', 'g8', 'h8'], ['h6', 'h7', 'h8']]
    """

    kind: FoulKind
    lines: Lines


def find_foul(
    rules: Rules, cells: MutableSequence[Colour], grid: Grid, point: Point, *, whole: bool = True
) -> Foul | None:
    """Return the foul that a black stone on the empty `point` would be, or None.

    Args:
        rules: the rules, which define the fouls.
        cells: the colour of every point; changed during the call and restored before it returns.
        grid: the axes of every point, see `tengen.game.points.axes`.
        point: an empty point.
        whole: find all threes of a double-three. Two prove it, and nested checks stop there: on boards
            composed to be hard the rest would take minutes.
    """
    if _too_few_stones(rules, cells, point):
        return None
    axes = grid[point]
    if any(wins_along(rules, cells, axis, BLACK) for axis in axes):
        return None
    if rules.overline == "foul":
        rows = tuple(row_through(cells, point, axis, BLACK) for axis in axes)
        overlines = tuple(row for row in rows if len(row) > rules.k)
        if overlines:
            return Foul("overline", overlines)
    cells[point] = BLACK
    try:
        if rules.double_four:
            fours = _fours(rules, cells, grid, point)
            if len(fours) >= 2:
                return Foul("double-four", fours)
        if rules.double_three:
            threes = _threes(rules, cells, grid, point, whole)
            if len(threes) >= 2:
                return Foul("double-three", threes)
        return None
    finally:
        cells[point] = EMPTY


def _too_few_stones(rules: Rules, cells: MutableSequence[Colour], point: Point) -> bool:
    """Rule out a foul quickly: the smallest, two threes or two fours on one line, need this many stones."""
    if rules.overline_wins(BLACK):
        return False  # a four may then be longer than k - 1, and reach farther
    k = rules.k
    near = map(cells.__getitem__, stars(rules.width, rules.height, k - 1)[point])
    return list(near).count(BLACK) < min(2 * (k - 3), k - 1)


def _fours(rules: Rules, cells: MutableSequence[Colour], grid: Grid, point: Point) -> Lines:
    """Return the fours through the black stone on `point`: sets of stones that one more makes a five.

    The completing stone joins the row through `point`, so it can only be at one of the row's ends.
    """
    fours: list[tuple[Point, ...]] = []
    for number, axis in enumerate(grid[point]):
        for end in ends(cells, axis, BLACK):
            if cells[end] == EMPTY and wins_along(rules, cells, grid[end][number], BLACK):
                five = row_through(cells, end, grid[end][number], BLACK)
                four = tuple(stone for stone in five if stone != end)
                if four not in fours:
                    fours.append(four)
    return tuple(fours)


def _threes(rules: Rules, cells: MutableSequence[Colour], grid: Grid, point: Point, whole: bool) -> Lines:
    """Return the threes through the black stone on `point`, at most one a line.

    Two are enough unless `whole`; if there are fewer than two, the result may be empty.
    """
    shapes = [
        extensions
        for number in range(len(DIRECTIONS))
        if (extensions := _three_extensions(rules, cells, grid, point, number))
    ]
    threes: list[tuple[Point, ...]] = []
    for number, extensions in enumerate(shapes):
        if len(threes) + len(shapes) - number < 2 or (len(threes) == 2 and not whole):
            break
        for extension, three in extensions:
            if find_foul(rules, cells, grid, extension, whole=False) is None:
                threes.append(three)
                break
    return tuple(threes)


def _three_extensions(
    rules: Rules, cells: MutableSequence[Colour], grid: Grid, point: Point, number: int
) -> list[tuple[Point, tuple[Point, ...]]]:
    """Return the points that extend a three on one line to a straight four, each with the three's stones.

    An extension may itself be a foul: that is not checked here.
    """
    extensions = []
    for end in ends(cells, grid[point][number], BLACK):
        if cells[end] != EMPTY:
            continue
        four = row_through(cells, end, grid[end][number], BLACK)
        if (
            len(four) == rules.k - 1
            and _is_straight(rules, cells, grid, end, number)
            and not any(wins_along(rules, cells, axis, BLACK) for axis in grid[end])
        ):
            extensions.append((end, tuple(stone for stone in four if stone != end)))
    return extensions


def _is_straight(
    rules: Rules, cells: MutableSequence[Colour], grid: Grid, extension: Point, number: int
) -> bool:
    """Return whether a stone on `extension` makes a row that becomes a five at both of its ends."""
    cells[extension] = BLACK
    try:
        fives = [
            end
            for end in ends(cells, grid[extension][number], BLACK)
            if cells[end] == EMPTY and wins_along(rules, cells, grid[end][number], BLACK)
        ]
        return len(fives) == 2
    finally:
        cells[extension] = EMPTY
