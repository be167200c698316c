"""The pattern that a stone would make on one line: tables generated from the rules.

A *code* describes the ten points around an empty point on one line, five on either side, in two bits each:
0 empty, 1 black, 2 white, 3 off the board. The two lowest bits are the farthest point backwards; the point
itself is left out. For every code and colour there is a `Pattern`: what the line would hold with a stone of
that colour on the point.

Five points on either side determine the pattern. A five through the point ends at most four points away,
and one point further shows whether it is too long, or closed by the enemy at both ends.

No pattern is typed in. The rules define a five, and each other pattern follows from those with one stone
more on the line, so the codes are processed from full to empty:

- *four*: one more stone makes a five. With four stones in an unbroken row and a five at either end it is an
  *open four*; otherwise, with two or more fives, a *double four*.
- *open three*: one more stone makes an open four. Under rules without fouls for this colour a double four
  does as well.
- *three*: one more stone makes a four of any kind.
- *open two*, *two*, *open one*, *one*: one more stone makes an open three, a three, and so on.

A slim or wide variety distinguishes one way to go on from several, which changes the number of the other
side's answers.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tengen.game.points import BLACK, Colour, opponent
from tengen.game.rules import Rules

REACH = 5
"""The points that a code describes on either side."""

SIDE_CODES = 1 << (2 * REACH)
"""The number of codes of five points."""

CODES = SIDE_CODES**2
"""The number of codes; those with a gap in the edge of the board never occur."""

_WIDTH = 2 * REACH
_OUTSIDE = 3
_SEVERAL_FOURS = 3

Bytes: TypeAlias = npt.NDArray[np.uint8]
Ints: TypeAlias = npt.NDArray[np.int64]


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


def pattern_table(rules: Rules) -> Bytes:
    """Return the patterns of both colours by code: Black's in the lower four bits, White's in the upper.

    Args:
        rules: rules with five in a row.

    Returns:
        uint8, shape (`CODES`,); 0 where a code cannot occur.
    """
    black, white = (patterns_of(rules, colour) for colour in (BLACK, opponent(BLACK)))
    return black | (white << np.uint8(4))


def patterns_of(rules: Rules, colour: Colour) -> Bytes:
    """Return the pattern of one colour for each code: uint8, shape (`CODES`,)."""
    codes = possible_codes()
    points = np.stack([(codes >> (2 * place)) & 3 for place in range(_WIDTH)])
    own, empty = points == colour, points == 0
    before = _run(own[REACH - 1 :: -1])
    after = _run(own[REACH:])
    length = before + 1 + after
    fives = _wins(rules, colour, points, before, after)
    overlines = (length > rules.k) & ~fives
    straight = length == rules.k - 1
    fouls = colour == BLACK and (rules.double_three or rules.double_four)
    stones = own.sum(axis=0)
    table = np.zeros(CODES, np.uint8)
    for count in range(_WIDTH, -1, -1):
        here = np.flatnonzero(stones == count)
        steps = _next_patterns(table, codes[here], empty[:, here], colour)
        found = _classified(steps, empty[:, here], straight[here], fouls)
        found[overlines[here]] = Pattern.OVERLINE
        found[fives[here]] = Pattern.FIVE
        table[codes[here]] = found
    return table


def possible_codes() -> Ints:
    """Return the codes that occur, in ascending order."""
    behind, ahead = possible_sides()
    codes: Ints = (ahead[:, None] * SIDE_CODES + behind).reshape(-1)
    return codes


def possible_sides() -> tuple[Ints, Ints]:
    """Return the possible codes of the five points behind a point, and of the five ahead.

    These are the lower and the upper half of a code. Beyond a point off the board all are off the board.
    """
    codes = np.arange(SIDE_CODES, dtype=np.int64)
    outside = [(codes >> (2 * place)) & 3 == _OUTSIDE for place in range(REACH)]
    behind, ahead = np.ones(SIDE_CODES, bool), np.ones(SIDE_CODES, bool)
    for farther, nearer in pairwise(range(REACH)):
        behind &= ~outside[nearer] | outside[farther]
        ahead &= ~outside[farther] | outside[nearer]
    return np.flatnonzero(behind), np.flatnonzero(ahead)


def _run(own: npt.NDArray[np.bool_]) -> Ints:
    """Return the length of the row of own stones next to the point, nearest first: (reach, n) to (n,)."""
    unbroken: Ints = np.logical_and.accumulate(own, axis=0).sum(axis=0)
    return unbroken


def _wins(rules: Rules, colour: Colour, points: Ints, before: Ints, after: Ints) -> npt.NDArray[np.bool_]:
    """Return whether the row through the point wins; see `tengen.game.rows.wins_along`."""
    length = before + 1 + after
    wins = length == rules.k
    if rules.blocked_five != "wins":
        enemy = opponent(colour)
        index = np.arange(points.shape[1])
        # A row of five reaches four points at most: the next one is still in the code.
        closed_before = points[np.maximum(REACH - 1 - before, 0), index] == enemy
        closed_after = points[np.minimum(REACH + after, _WIDTH - 1), index] == enemy
        wins &= ~(closed_before & closed_after)
    if rules.overline_wins(colour):
        wins |= length > rules.k
    won: npt.NDArray[np.bool_] = wins
    return won


def _next_patterns(table: Bytes, codes: Ints, empty: npt.NDArray[np.bool_], colour: Colour) -> Bytes:
    """Return the pattern with one stone more on each of the ten points; 0 on a stone. Shape (10, n)."""
    steps = [table[codes | (colour << (2 * place))] for place in range(_WIDTH)]
    return np.where(empty, np.stack(steps), 0).astype(np.uint8)


def _classified(
    steps: Bytes, empty: npt.NDArray[np.bool_], straight: npt.NDArray[np.bool_], fouls: bool
) -> Bytes:
    """Classify each code that is neither a five nor an overline by those with one stone more."""

    def ways(*patterns: Pattern) -> Ints:
        found: Ints = (np.isin(steps, patterns) & empty).sum(axis=0)
        return found

    fives = ways(Pattern.FIVE)
    open_fours = ways(Pattern.OPEN_FOUR) if fouls else ways(Pattern.OPEN_FOUR, Pattern.DOUBLE_FOUR)
    fours = ways(Pattern.FOUR, Pattern.DOUBLE_FOUR, Pattern.OPEN_FOUR)
    best_threes = ways(Pattern.OPEN_THREE)
    open_threes = best_threes + ways(Pattern.SLIM_OPEN_THREE)
    threes = ways(Pattern.THREE, Pattern.WIDE_THREE)
    open_twos = ways(Pattern.OPEN_TWO, Pattern.SLIM_TWO)
    cases = (
        ((fives >= 2) & straight, Pattern.OPEN_FOUR),
        (fives >= 2, Pattern.DOUBLE_FOUR),
        (fives == 1, Pattern.FOUR),
        (open_fours >= 2, Pattern.OPEN_THREE),
        (open_fours == 1, Pattern.SLIM_OPEN_THREE),
        (fours >= _SEVERAL_FOURS, Pattern.WIDE_THREE),
        (fours >= 1, Pattern.THREE),
        (best_threes >= 2, Pattern.OPEN_TWO),
        (open_threes >= 1, Pattern.SLIM_TWO),
        (threes >= 1, Pattern.TWO),
        (open_twos >= 1, Pattern.OPEN_ONE),
        (ways(Pattern.TWO) >= 1, Pattern.ONE),
    )
    conditions, patterns = zip(*cases, strict=True)
    found: Bytes = np.select(conditions, [np.uint8(pattern) for pattern in patterns], np.uint8(0))
    return found
