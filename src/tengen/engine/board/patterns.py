"""The pattern that a stone would make on one line: tables generated from the rules.

A *code* describes the ten points around an empty point on one line, five on either side, in two bits each:
0 empty, 1 black, 2 white, 3 off the board. The two lowest bits are the farthest point backwards; the point
itself is left out. For every code and colour there is a `Pattern`: what the line would hold with a stone of
that colour on the point.

Below full strength a line may have points off the board between others (`tengen.engine.handicap`). Each is
an edge like any other: whatever lies beyond it is off the board, too, for the points on the near side. So
all points of a line agree about it, and where one makes a four, another makes a five.

Five points on either side determine the pattern. A five through the point ends at most four points away,
and one point further shows whether it is too long, or closed by the enemy at both ends.

No pattern is typed in. The rules define a five, and each other pattern follows from those with one stone
more on the line, so the codes, of which that is a greater one, are processed in descending order:

- *four*: one more stone makes a five. With four stones in an unbroken row and a five at either end it is an
  *open four*; otherwise, with two or more fives, a *double four*.
- *open three*: one more stone makes an open four. Under rules without fouls for this colour a double four
  does as well.
- *three*: one more stone makes a four of any kind.
- *open two*, *two*, *open one*, *one*: one more stone makes an open three, a three, and so on.

A slim or wide variety distinguishes one way to go on from several, which changes the number of the other
side's answers.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

from __future__ import annotations

from enum import IntEnum

import numpy as np

from tengen.engine.kernels.declarations import compiled, inlined
from tengen.game.points import BLACK, EMPTY, WHITE

REACH = 5
"""The points that a code describes on either side."""

SIDE_CODES = 1 << (2 * REACH)
"""The number of codes of five points."""

CODES = SIDE_CODES**2
"""The number of codes."""

SIDES = 364
"""The number of ways to occupy five points on one side of another, the edge of the board included."""

_WIDTH = 2 * REACH
_LOWER_BITS = 0b0101010101
_OUTSIDE = 3
_IN_A_ROW = 5
_SEVERAL_FOURS = 3


class Pattern(IntEnum):
    """The pattern of one line through a point once a stone has been placed there, from nothing to a win."""

    DEAD = 0
    ONE = 1
    OPEN_ONE = 2
    TWO = 3
    SLIM_TWO = 4
    OPEN_TWO = 5
    THREE = 6
    WIDE_THREE = 7
    SLIM_OPEN_THREE = 8
    OPEN_THREE = 9
    FOUR = 10
    DOUBLE_FOUR = 11
    OPEN_FOUR = 12
    FIVE = 13
    OVERLINE = 14


(
    _DEAD, _ONE, _OPEN_ONE, _TWO, _SLIM_TWO, _OPEN_TWO, _THREE, _WIDE_THREE, _SLIM_OPEN_THREE, _OPEN_THREE,
    _FOUR, _DOUBLE_FOUR, _OPEN_FOUR, _FIVE, _OVERLINE,
) = map(int, Pattern)  # fmt: skip


@inlined
def fill_patterns(tables):
    """Put the patterns of all codes into the tables of some rules, whose numbers are there already.

    A pattern is at the index that `behind` and `ahead` of the tables have for the two halves of its code,
    added up: Black's in the lower four bits, White's in the upper.
    """
    _number_sides(tables)
    for code in range(CODES - 1, -1, -1):
        behind, ahead = code & (SIDE_CODES - 1), code // SIDE_CODES
        if closed_behind(behind) == behind and closed_ahead(ahead) == ahead:
            black, white = _pattern_of(tables, code, BLACK), _pattern_of(tables, code, WHITE)
            tables.patterns[_index(tables, code)] = black | (white << 4)


@inlined
def _number_sides(tables):
    """Number the ways to occupy a side; the points beyond one off the board make no difference."""
    behind, ahead = SIDES, SIDES
    # A side with more points off the board is greater: its number is there first.
    for side in range(SIDE_CODES - 1, -1, -1):
        if closed_behind(side) == side:
            behind -= 1
            tables.behind[side] = SIDES * behind
        else:
            tables.behind[side] = tables.behind[closed_behind(side)]
        if closed_ahead(side) == side:
            ahead -= 1
            tables.ahead[side] = ahead
        else:
            tables.ahead[side] = tables.ahead[closed_ahead(side)]


@inlined
def closed_behind(side):
    """Return the points behind a point, with all beyond one off the board off the board as well."""
    outside = _outside(side)
    for _ in range(REACH - 1):
        outside |= outside >> 2
    return side | (_OUTSIDE * outside)


@inlined
def closed_ahead(side):
    """Return the points ahead of a point, with all beyond one off the board off the board as well."""
    outside = _outside(side)
    for _ in range(REACH - 1):
        outside |= (outside << 2) & _LOWER_BITS
    return side | (_OUTSIDE * outside)


@inlined
def _outside(side):
    """Return the lower bit of each point that is off the board."""
    return side & (side >> 1) & _LOWER_BITS


@inlined
def _index(tables, code):
    return np.int64(tables.behind[code & (SIDE_CODES - 1)]) + np.int64(tables.ahead[code // SIDE_CODES])


@compiled
def _pattern_of(tables, code, colour):
    """Return the pattern of one colour for a code, once the codes with one stone more have theirs."""
    before, after = _run(code, REACH - 1, -1, colour), _run(code, REACH, 1, colour)
    length = before + 1 + after
    if length > _IN_A_ROW:
        wins = tables.overline_wins or (tables.overlines and colour != BLACK)
        return _FIVE if wins else _OVERLINE
    if length == _IN_A_ROW and not _is_closed(tables, code, colour, before, after):
        return _FIVE
    fouls = colour == BLACK and (tables.double_threes or tables.double_fours)
    return _classified(_next_patterns(tables, code, colour), length == _IN_A_ROW - 1, fouls)


@inlined
def _run(code, place, step, colour):
    """Return the length of the row of a colour from a place of a code on."""
    length = 0
    while 0 <= place < _WIDTH and _point(code, place) == colour:
        length += 1
        place += step
    return length


@inlined
def _point(code, place):
    return (code >> (2 * place)) & 3


@inlined
def _is_closed(tables, code, colour, before, after):
    """Return whether the enemy at both ends spoils a five; see `tengen.game.rows.wins_along`."""
    enemy = BLACK + WHITE - colour
    # A row of five reaches four points at most: the next one is still in the code.
    ends = _point(code, REACH - 1 - before), _point(code, REACH + after)
    return tables.closed and ends[0] == enemy and ends[1] == enemy


@inlined
def _next_patterns(tables, code, colour):
    """Count the patterns that one stone more makes of a code: four bits for the count of each pattern."""
    counts = 0
    for place in range(_WIDTH):
        if _point(code, place) == EMPTY:
            both = np.int64(tables.patterns[_index(tables, code | (colour << (2 * place)))])
            counts += 1 << (4 * (both & 15 if colour == BLACK else both >> 4))
    return counts


@inlined
def _classified(counts, straight, fouls):
    """Classify a code that is neither a five nor an overline by those with one stone more."""
    fives, best_threes = count_of(counts, _FIVE), count_of(counts, _OPEN_THREE)
    fours = count_of(counts, _FOUR) + count_of(counts, _DOUBLE_FOUR) + count_of(counts, _OPEN_FOUR)
    open_fours = count_of(counts, _OPEN_FOUR) + (0 if fouls else count_of(counts, _DOUBLE_FOUR))
    threes = count_of(counts, _THREE) + count_of(counts, _WIDE_THREE)
    if fives >= 1:
        return _FOUR if fives == 1 else _OPEN_FOUR if straight else _DOUBLE_FOUR
    if open_fours >= 1:
        return _SLIM_OPEN_THREE if open_fours == 1 else _OPEN_THREE
    if fours >= 1:
        return _THREE if fours < _SEVERAL_FOURS else _WIDE_THREE
    if best_threes >= 2:
        return _OPEN_TWO
    if best_threes + count_of(counts, _SLIM_OPEN_THREE) >= 1:
        return _SLIM_TWO
    if threes >= 1:
        return _TWO
    if count_of(counts, _OPEN_TWO) + count_of(counts, _SLIM_TWO) >= 1:
        return _OPEN_ONE
    return _ONE if count_of(counts, _TWO) >= 1 else _DEAD


@inlined
def count_of(counts, pattern):
    """Return the count of a pattern, of which there are four bits each."""
    return (counts >> (4 * pattern)) & 15
