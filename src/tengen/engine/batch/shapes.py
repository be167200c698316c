"""Rows, and the shapes of renju's fouls, on lines that are bits, for any k.

The *shape* of an empty point on one of its lines is what a black stone there would make of it: a winning
row, an overline, fours, a three. Shapes are kept for every empty point, and a stone changes those near it
on its four lines. They decide all fouls but a double three, whose threes have to be looked into by rule
9.3; `makes_foul` does that on the lines alone.

The specification is `tengen.game.fouls`, and its words are used here.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.batch.rule_record import RULES_REF
from tengen.engine.board.bits import count_bits, highest_bit, lowest_bit
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import BOOL, INT64, INT64_ARRAY, signature

_FOURS = 3
_ABOVE, _BELOW = 4, 8
"""A shape is the number of fours, and a bit for a three that a stone above the row, or below, extends."""

_OVERLINE, _FIVE = 3, 7
"""Shapes that are neither."""

CLEAR, SUSPECT, FOUL = range(3)
"""Whether a black stone on an empty point is a foul: no, perhaps by two threes, or certainly."""

BLACK_SIDE, WHITE_SIDE = 0, 1


@inlined
def row_end(stones, place):
    """Return the last place of the unbroken row that begins or goes on at a place, which is occupied."""
    return place + lowest_bit(~(stones >> place)) - 1


@inlined
def row_start(stones, place):
    """Return the first place of the unbroken row that ends or goes on at a place, which is occupied."""
    return highest_bit(~stones & ((np.int64(2) << place) - 1)) + 1


@inlined
def bit(place):
    """Return the bit of a place."""
    return np.int64(1) << place


@inlined
def row_wins(rules, side, enemy, start, end):
    """Return whether a row of a side wins; `enemy` are the other side's stones on the line."""
    length = end - start + 1
    if length != rules.k:
        return length > rules.k and rules.long_wins[side] != 0
    return rules.closed == 0 or (enemy >> (start - 1)) & (enemy >> (end + 1)) & 1 == 0


@inlined
def is_straight(rules, black, white, empty, start, end):
    """Return whether a black row of k - 1 becomes a winning row at both of its ends."""
    below, above = start - 1, end + 1
    if (empty >> below) & (empty >> above) & 1 == 0:
        return False
    first = row_start(black | bit(below), below)
    last = row_end(black | bit(above), above)
    return row_wins(rules, BLACK_SIDE, white, first, end) and row_wins(
        rules, BLACK_SIDE, white, start, last
    )


@compiled
def line_shape(rules, black, white, on_board, place):
    """Return the shape of an empty place of a line."""
    black |= bit(place)
    start, end = row_start(black, place), row_end(black, place)
    if row_wins(rules, BLACK_SIDE, white, start, end):
        return np.int64(_FIVE)
    if end - start >= rules.k and rules.overlines:
        return np.int64(_OVERLINE)
    empty = on_board & ~(black | white)
    below, above = start - 1, end + 1
    fours, threes = np.int64(0), np.int64(0)
    last, first = above, below
    if (empty >> above) & 1:
        extended = black | bit(above)
        last = row_end(extended, above)
        if row_wins(rules, BLACK_SIDE, white, start, last):
            fours += 1
        elif last - start == rules.k - 2 and is_straight(
            rules, extended, white, empty & ~bit(above), start, last
        ):
            threes |= _ABOVE
    if (empty >> below) & 1:
        extended = black | bit(below)
        first = row_start(extended, below)
        if row_wins(rules, BLACK_SIDE, white, first, end):
            # Both are the same set of stones if there are none beyond the two ends.
            fours += 1 if fours == 0 or last > above or first < below else 0
        elif end - first == rules.k - 2 and is_straight(
            rules, extended, white, empty & ~bit(below), first, end
        ):
            threes |= _BELOW
    return fours | threes


@compiled
def status_of(rules, shapes):
    """Return `CLEAR`, `SUSPECT` or `FOUL` for the shapes of a point: four bits for each direction."""
    fours, threes, overline = np.int64(0), np.int64(0), False
    for direction in range(4):
        shape = (shapes >> (4 * direction)) & 15
        if shape == _FIVE:
            return np.int64(CLEAR)
        if shape == _OVERLINE:
            overline = True
        else:
            fours += shape & _FOURS
            threes += shape >= _ABOVE
    if overline or (fours >= 2 and rules.double_fours):
        return np.int64(FOUL)
    return np.int64(SUSPECT if threes >= 2 and rules.double_threes else CLEAR)


@inlined
def toggle(rules, lines, black_at, point):
    """Set or remove a black stone on the lines; `black_at` is where those of its board begin."""
    for direction in range(4):
        line, place = np.int64(rules.line[point, direction]), np.int64(rules.place[point, direction])
        lines[black_at + line] ^= bit(place)


@inlined
def shapes_at(rules, lines, black_at, point):
    """Return the shapes of an empty point as the lines are now."""
    shapes = np.int64(0)
    for direction in range(4):
        line, place = np.int64(rules.line[point, direction]), np.int64(rules.place[point, direction])
        black, white = lines[black_at + line], lines[black_at + rules.lines + line]
        shapes |= line_shape(rules, black, white, rules.on_board[line], place) << (4 * direction)
    return shapes


@inlined
def has_five(shapes):
    """Return whether one of four shapes is a winning row."""
    fives = np.int64(0)
    for direction in range(4):
        fives += (shapes >> (4 * direction)) & 15 == _FIVE
    return fives > 0


@kernel(signature(BOOL, RULES_REF, INT64_ARRAY, INT64, INT64))
def makes_foul(rules_ref, lines, black_at, point):
    """Return whether a black stone on an empty point is a foul; see `tengen.game.fouls.find_foul`.

    Args:
        rules_ref: the rules.
        lines: the stones on the lines of all boards; they change during the search, and are restored.
        black_at: where Black's lines of the board begin.
        point: the point.
    """
    rules = rules_ref[0]
    shapes = shapes_at(rules, lines, black_at, point)
    status = status_of(rules, shapes)
    if status != SUSPECT:
        return status == FOUL
    real = 0
    toggle(rules, lines, black_at, point)
    for direction in range(4):
        shape = (shapes >> (4 * direction)) & 15
        if shape < _ABOVE:
            continue
        line, place = np.int64(rules.line[point, direction]), np.int64(rules.place[point, direction])
        black = lines[black_at + line]
        for way in (_ABOVE, _BELOW):
            if shape & way:
                at = row_end(black, place) + 1 if way == _ABOVE else row_start(black, place) - 1
                end = point + (at - place) * rules.steps[direction]
                five = has_five(shapes_at(rules, lines, black_at, end))
                if not five and not makes_foul(rules_ref, lines, black_at, end):
                    real += 1
                    break
    toggle(rules, lines, black_at, point)
    return real >= 2


@compiled
def update_shapes(rules, lines, black_at, shapes, statuses, point):
    """Compute the shapes near a new stone of either colour.

    Args:
        rules: the rules.
        lines: the stones on the lines of all boards.
        black_at: where Black's lines of the board begin.
        shapes: the shapes of the board's points, uint16.
        statuses: whether each point is a foul, uint8.
        point: the stone.

    Returns:
        By how much the number of suspects has changed.
    """
    change = np.int64(0) - (statuses[point] == SUSPECT)
    shapes[point] = statuses[point] = 0
    reach, k = rules.reach, rules.k
    for direction in range(4):
        line, place = np.int64(rules.line[point, direction]), np.int64(rules.place[point, direction])
        black, white = lines[black_at + line], lines[black_at + rules.lines + line]
        if count_bits(black) < k - 3:
            continue
        on_board = rules.on_board[line]
        near = (bit(min(place + reach, np.int64(60)) + 1) - 1) & ~(bit(max(place - reach, np.int64(0))) - 1)
        empty = on_board & ~(black | white) & near
        while empty:
            at = lowest_bit(empty)
            empty &= empty - 1
            shape = np.int64(0)
            # With fewer stones than this near by, a stone makes neither a four nor a three.
            behind = at - (k - 1)
            window = rules.window << behind if behind >= 0 else rules.window >> -behind
            if count_bits(black & window) >= k - 3:
                shape = line_shape(rules, black, white, on_board, at)
            other = point + (at - place) * rules.steps[direction]
            old = np.int64(shapes[other])
            new = (old & ~(np.int64(15) << (4 * direction))) | (shape << (4 * direction))
            if new != old:
                shapes[other] = new
                status = status_of(rules, new)
                change += np.int64(status == SUSPECT) - (statuses[other] == SUSPECT)
                statuses[other] = status
    return change
