"""A second, slow reading of the rules, written apart from `tengen.game` to be compared with it.

It knows a board only as the written-out text of its lines and never changes a position: a stone is added by
making a new one. Fours are found by trying every window and every choice of stones in it; threes by
trying every empty point of a line, as the working definition of the fouls has it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from tengen import BLACK, EMPTY, WHITE, Rules

Cells: TypeAlias = bytes
Line: TypeAlias = tuple[int, ...]

SIGNS = ".XO"


@lru_cache(maxsize=64)
def lines(width: int, height: int) -> tuple[Line, ...]:
    """Every row, column and diagonal of a board, whole, each from the left (columns from the bottom)."""
    columns = [[(x, y) for y in range(height)] for x in range(width)]
    rows = [[(x, y) for x in range(width)] for y in range(height)]
    rising = [[(x, x + d) for x in range(width) if 0 <= x + d < height] for d in range(-width, height)]
    falling = [[(x, s - x) for x in range(width) if 0 <= s - x < height] for s in range(width + height)]
    return tuple(
        tuple(y * width + x for x, y in line) for line in (*rows, *columns, *rising, *falling) if line
    )


@lru_cache(maxsize=4096)
def lines_through(width: int, height: int, point: int) -> tuple[Line, ...]:
    return tuple(line for line in lines(width, height) if point in line)


def text(cells: Cells, line: Line) -> str:
    return "".join(SIGNS[cells[point]] for point in line)


def put(cells: Cells, point: int, colour: int = BLACK) -> Cells:
    return cells[:point] + bytes([colour]) + cells[point + 1 :]


def row_wins(rules: Rules, colour: int, before: str, length: int, after: str) -> bool:
    """Whether a row of `length` stones wins; `before` and `after` are the texts on either side of it."""
    if length == rules.k:
        enemy = SIGNS[BLACK + WHITE - colour]
        between_enemies = before.endswith(enemy) and after.startswith(enemy)
        return rules.blocked_five == "wins" or not between_enemies
    if length < rules.k:
        return False
    return {"wins": True, "no_win": False, "foul": colour == WHITE}[rules.overline]


def winning_rows(rules: Rules, cells: Cells, colour: int) -> set[Line]:
    """All winning rows of a colour that stand on the board."""
    found = set()
    for line in lines(rules.width, rules.height):
        written = text(cells, line)
        for match in re.finditer(re.escape(SIGNS[colour]) + "+", written):
            start, end = match.span()
            if row_wins(rules, colour, written[:start], end - start, written[end:]):
                found.add(line[start:end])
    return found


def rows_through(cells: Cells, line: Line, point: int, colour: int) -> tuple[str, Line, str]:
    """The unbroken row of `colour` through `point` on a line, with the texts before and after it."""
    written = text(cells, line)
    for match in re.finditer(re.escape(SIGNS[colour]) + "+", written):
        if point in line[match.start() : match.end()]:
            return written[: match.start()], line[match.start() : match.end()], written[match.end() :]
    raise ValueError("no stone of this colour stands there")


def makes_five(rules: Rules, cells: Cells, point: int, colour: int = BLACK) -> bool:
    """Whether the stone that stands on `point` is part of a winning row."""
    for line in lines_through(rules.width, rules.height, point):
        before, row, after = rows_through(cells, line, point, colour)
        if row_wins(rules, colour, before, len(row), after):
            return True
    return False


def overlines(rules: Rules, cells: Cells, point: int) -> set[Line]:
    rows = (
        rows_through(cells, line, point, BLACK)[1]
        for line in lines_through(rules.width, rules.height, point)
    )
    return {row for row in rows if len(row) > rules.k}


def fours(rules: Rules, cells: Cells, point: int) -> set[Line]:
    """The different sets of stones, the one on `point` among them, that one more stone makes a five."""
    found = set()
    for line in lines_through(rules.width, rules.height, point):
        longest = len(line) if rules.overline_wins(BLACK) else rules.k
        for size in range(rules.k, longest + 1):
            for start in range(len(line) - size + 1):
                window = line[start : start + size]
                for stones in itertools.combinations(window, size - 1):
                    if point not in stones or any(cells[stone] != BLACK for stone in stones):
                        continue
                    (gap,) = set(window) - set(stones)
                    if cells[gap] != EMPTY:
                        continue
                    before, row, after = rows_through(put(cells, gap), line, gap, BLACK)
                    if row == window and row_wins(rules, BLACK, before, len(row), after):
                        found.add(stones)
    return found


def straight_four(rules: Rules, cells: Cells, line: Line, *members: int) -> Line | None:
    """The unbroken k - 1 stones with all `members` that a stone at either end makes a five, if any."""
    size = rules.k - 1
    for start in range(1, len(line) - size):
        window = line[start : start + size]
        ends = line[start - 1], line[start + size]
        if not all(member in window for member in members):
            continue
        if text(cells, window) != "X" * size or text(cells, ends) != "..":
            continue
        rows = [rows_through(put(cells, end), line, end, BLACK) for end in ends]
        if all(row_wins(rules, BLACK, before, len(row), after) for before, row, after in rows):
            return window
    return None


def extensions(rules: Rules, cells: Cells, point: int) -> Iterator[tuple[Line, int, Line]]:
    """For each line with the shape of a three through `point`: the line, an extension, and the three."""
    for line in lines_through(rules.width, rules.height, point):
        for extension in line:
            if cells[extension] != EMPTY:
                continue
            after = put(cells, extension)
            four = straight_four(rules, after, line, point, extension)
            if four is not None and not makes_five(rules, after, extension):
                yield line, extension, tuple(stone for stone in four if stone != extension)


def foul(rules: Rules, cells: Cells, point: int, depth: int | None = None) -> str | None:
    """The name of the foul that a black stone on the empty `point` makes, or None.

    Args:
        rules: says which fouls there are.
        cells: the position.
        point: where Black plays.
        depth: how many levels of rule 9.3 to look into; below them every extension is taken as permitted.
            None, the rule, is as many as there are.
    """
    after = put(cells, point)
    if makes_five(rules, after, point):
        return None
    if rules.overline == "foul" and overlines(rules, after, point):
        return "overline"
    if rules.double_four and len(fours(rules, after, point)) >= 2:
        return "double-four"
    if rules.double_three:
        shapes = list(extensions(rules, after, point))
        # Rule 9.3 can only excuse threes, so it need not be asked where there are too few of them.
        if len({line for line, _, _ in shapes}) < 2:
            return None
        deeper = None if depth is None else depth - 1
        threes = {
            line
            for line, extension, _ in shapes
            if depth == 0 or foul(rules, after, extension, deeper) is None
        }
        if len(threes) >= 2:
            return "double-three"
    return None


def fouls(rules: Rules, cells: Cells) -> dict[int, str]:
    """All fouls on the board, whoever is to move."""
    found = ((point, foul(rules, cells, point)) for point in range(len(cells)) if cells[point] == EMPTY)
    return {point: name for point, name in found if name is not None}
