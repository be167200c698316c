"""Games on many boards at once: moves, masks of legal actions, planes, random actions.

All boards of a batch are played under the same rules. Each kernel works on a range of them, so that several
threads share a batch. Arrays are flat: the part of board b of an array of n numbers a board begins at b *
n.

- ``lines`` (int64): Black's stones on each line, then White's; see `tengen.engine.batch.rule_record`.
- ``stones`` (uint8): by point, 0 empty, 1 black, 2 white.
- ``shapes`` (uint16), ``statuses`` (uint8): by point; see `tengen.engine.batch.shapes`.
- ``fields`` (int64): by board, the numbers of `Field`.
- ``history`` (int16): the actions played.
- ``legal`` (uint8): by action, 1 if the side to move may choose it.
- ``planes`` (uint8): the planes by point, as `tengen.arrays` describes them.
- ``rewards`` (float32), ``ended`` (uint8), ``winners`` (uint8): what the last step has brought, by board.

An action is a point; the number after the points is White's claim where fouls are claimed; the last number
is the pass where there are passes.

The specification is `tengen.game.board`.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.batch.rule_record import CLAIMED, FORBIDDEN, LOSES, RULES_REF
from tengen.engine.batch.shapes import (
    BLACK_SIDE,
    FOUL,
    SUSPECT,
    WHITE_SIDE,
    bit,
    makes_foul,
    row_end,
    row_start,
    row_wins,
    update_shapes,
)
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import INT16_ARRAY, INT64, INT64_ARRAY, Array, signature, table_of
from tengen.engine.seeded_random import shifted


class Field:
    """The numbers of a board besides its stones.

    Attributes:
        TURN: the side to move, 0 for Black and 1 for White.
        PLY: actions played.
        EMPTY: empty points.
        OVER: 1 once the game is over.
        LAST: the action before, or `NONE`.
        CLAIMS: what White can claim, `JUST_PLAYED` and `STANDING`.
        SUSPECTS: points whose status is `SUSPECT`.
        RANDOM: the state of the random number generator.
    """

    TURN, PLY, EMPTY, OVER, LAST, CLAIMS, SUSPECTS, RANDOM = range(8)


FIELDS = 8
"""The number of fields."""

PLANES = 4
"""The number of planes: as many as `tengen.arrays.PLANES` names."""

NONE = -1
"""No action."""

JUST_PLAYED, STANDING = 1, 2
"""A foul that Black has just played, and an overline that stands."""

_UNDECIDED, _DRAW, _WINS_WHITE = -1, 0, 2

_TURN, _PLY, _EMPTY, _OVER = Field.TURN, Field.PLY, Field.EMPTY, Field.OVER
_LAST, _CLAIMS, _SUSPECTS, _RANDOM = Field.LAST, Field.CLAIMS, Field.SUSPECTS, Field.RANDOM

_FIRST_PASS = 3
"""Stones on the board before a side may pass."""

_GOLDEN, _MIX_1, _MIX_2 = (
    number - (1 << 64) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
"""The constants of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
generators", 2014), as int64."""

_TRIES = 8
"""Random actions that are tried before the legal ones are counted."""

_BYTES, _SHORTS, _FLOATS = (
    Array(np.dtype(np.uint8)),
    Array(np.dtype(np.uint16)),
    Array(np.dtype(np.float32)),
)
_FIELDS = table_of(FIELDS)


@inlined
def put_stone(rules, lines, black_at, side, point):
    """Put a stone on the lines; return whether its row wins, and whether it is longer than k."""
    wins, long = False, False
    count = rules.lines
    for direction in range(4):
        line, place = np.int64(rules.line[point, direction]), np.int64(rules.place[point, direction])
        own_at = black_at + side * count + line
        own = lines[own_at] | bit(place)
        lines[own_at] = own
        start, end = row_start(own, place), row_end(own, place)
        if end - start + 1 >= rules.k:
            wins |= row_wins(rules, side, lines[black_at + (1 - side) * count + line], start, end)
            long |= end - start >= rules.k
    return wins, long


@inlined
def may_pass(rules, numbers):
    """Return whether the side to move may pass."""
    return rules.passing != 0 and rules.points - numbers[_EMPTY] >= _FIRST_PASS


@inlined
def is_barred(rules, numbers):
    """Return whether fouls are not legal for the side to move."""
    return rules.has_fouls != 0 and rules.enforcement == FORBIDDEN and numbers[_TURN] == BLACK_SIDE


@compiled
def write_legal(rules_ref, lines, stones, statuses, numbers, legal, black_at):
    """Write the mask of a board's legal actions, and return the number of legal points."""
    rules = rules_ref[0]
    points = rules.points
    count = numbers[_EMPTY]
    if is_barred(rules, numbers):
        for point in range(points):
            legal[point] = (stones[point] | statuses[point]) == 0
        if numbers[_SUSPECTS]:
            for point in range(points):
                if statuses[point] == SUSPECT:
                    legal[point] = not makes_foul(rules_ref, lines, black_at, point)
        count = np.int64(0)
        for point in range(points):
            count += legal[point]
    else:
        for point in range(points):
            legal[point] = stones[point] == 0
    if rules.has_fouls and rules.enforcement == CLAIMED:
        legal[points] = numbers[_TURN] == WHITE_SIDE and numbers[_CLAIMS] != 0
    if rules.passing:
        legal[rules.actions - 1] = may_pass(rules, numbers)
    return count


@compiled
def write_planes(rules, stones, numbers, planes):
    """Write the planes of a board."""
    points, own = rules.points, np.uint8(numbers[_TURN] + 1)
    other, black = np.uint8(3 - own), np.uint8(1 - numbers[_TURN])
    for point in range(points):
        planes[point] = stones[point] == own
    planes = planes[points:]
    for point in range(points):
        planes[point] = stones[point] == other
    planes = planes[points:]
    for point in range(points):
        planes[point] = 0
    if 0 <= numbers[_LAST] < points:
        planes[numbers[_LAST]] = 1
    planes = planes[points:]
    for point in range(points):
        planes[point] = black


@compiled
def clear(rules, lines, stones, shapes, statuses, numbers, black_at):
    """Set up the empty board; its generator of random numbers goes on."""
    for line in range(2 * rules.lines):
        lines[black_at + line] = 0
    for point in range(rules.points):
        stones[point] = 0
    if rules.has_fouls:
        for point in range(rules.points):
            shapes[point] = 0
            statuses[point] = 0
    for field in (_TURN, _PLY, _OVER, _CLAIMS, _SUSPECTS):
        numbers[field] = 0
    numbers[_EMPTY], numbers[_LAST] = rules.points, NONE


@compiled
def play_point(rules_ref, lines, stones, shapes, statuses, numbers, black_at, point):
    """Put a stone on a legal point; return who has won by it, or `_UNDECIDED`."""
    rules = rules_ref[0]
    side = numbers[_TURN]
    fouled = False
    if side == BLACK_SIDE and rules.has_fouls and rules.enforcement != FORBIDDEN:
        status = statuses[point]
        fouled = status == FOUL or (status == SUSPECT and makes_foul(rules_ref, lines, black_at, point))
    stones[point] = side + 1
    numbers[_EMPTY] -= 1
    wins, long = put_stone(rules, lines, black_at, side, point)
    if wins:
        return side + 1
    if fouled and rules.enforcement == LOSES:
        return np.int64(_WINS_WHITE)
    if rules.has_fouls:
        numbers[_SUSPECTS] += update_shapes(rules, lines, black_at, shapes, statuses, point)
        numbers[_CLAIMS] &= STANDING
        if fouled:
            numbers[_CLAIMS] |= JUST_PLAYED
        if side == BLACK_SIDE and long and rules.overlines:
            numbers[_CLAIMS] |= STANDING
    return np.int64(_UNDECIDED)


@compiled
def play(rules_ref, lines, stones, shapes, statuses, numbers, history, black_at, action):
    """Play a legal action; return who has won by it, or `_UNDECIDED`."""
    rules = rules_ref[0]
    winner = np.int64(_UNDECIDED)
    is_pass = rules.passing != 0 and action == rules.actions - 1
    if action < rules.points:
        winner = play_point(rules_ref, lines, stones, shapes, statuses, numbers, black_at, action)
    elif is_pass:
        numbers[_CLAIMS] &= STANDING
        if numbers[_LAST] == action:
            winner = np.int64(_DRAW)
    else:
        winner = np.int64(_WINS_WHITE)
    history[numbers[_PLY]] = action
    numbers[_LAST] = action
    numbers[_PLY] += 1
    numbers[_TURN] = 1 - numbers[_TURN]
    return winner


_BOARDS = (
    RULES_REF,
    INT64_ARRAY,  # lines
    _BYTES,  # stones
    _SHORTS,  # shapes
    _BYTES,  # statuses
    _FIELDS,
    _BYTES,  # legal
    _BYTES,  # planes
)


@kernel(signature(None, *_BOARDS, INT64, INT64))
def clear_boards(rules_ref, lines, stones, shapes, statuses, fields, legal, planes, first, after):
    """Set up the empty board on a range of boards, and write masks and planes."""
    rules = rules_ref[0]
    points, actions = rules.points, rules.actions
    for board in range(first, after):
        some, at, black_at = stones[board * points :], board * points, board * 2 * rules.lines
        clear(rules, lines, some, shapes[at:], statuses[at:], fields[board], black_at)
        write_legal(
            rules_ref, lines, some, statuses[at:], fields[board], legal[board * actions :], black_at
        )
        write_planes(rules, some, fields[board], planes[at * PLANES :])


@kernel(signature(None, *_BOARDS, INT16_ARRAY, INT64_ARRAY, _FLOATS, _BYTES, _BYTES, INT64, INT64, INT64))
def step_boards(
    rules_ref, lines, stones, shapes, statuses, fields, legal, planes,
    history, actions, rewards, ended, winners, restart, first, after,
):  # fmt: skip
    """Play a legal action on each board from `first` to the one before `after`.

    On boards whose game is over nothing happens. Where a game ends and `restart` is 1, the empty board is
    set up. `rewards` receives 1 where the side that has moved has won, -1 where it has lost, else 0;
    `ended` receives 1 where the game has ended by this action, and `winners` the winner's colour there,
    else 0. The other arrays are those of this module.
    """
    rules = rules_ref[0]
    points, count = rules.points, rules.actions
    for board in range(first, after):
        numbers, at, black_at = fields[board], board * points, board * 2 * rules.lines
        rewards[board] = ended[board] = winners[board] = 0
        if numbers[_OVER]:
            continue
        some, codes, marks, mask = stones[at:], shapes[at:], statuses[at:], legal[board * count :]
        mover = numbers[_TURN] + 1
        played = history[board * rules.plies :]
        winner = play(rules_ref, lines, some, codes, marks, numbers, played, black_at, actions[board])
        if winner == _UNDECIDED:
            left = write_legal(rules_ref, lines, some, marks, numbers, mask, black_at)
            # Without a legal point the game is over, unless a pass is legal and points are left.
            if left == 0 and not (numbers[_EMPTY] > 0 and may_pass(rules, numbers)):
                winner = np.int64(_DRAW)
        if winner != _UNDECIDED:
            ended[board], winners[board] = 1, winner
            rewards[board] = 0.0 if winner == _DRAW else 1.0 if winner == mover else -1.0
            if restart:
                clear(rules, lines, some, codes, marks, numbers, black_at)
                write_legal(rules_ref, lines, some, marks, numbers, mask, black_at)
            else:
                numbers[_OVER] = 1
                for action in range(count):
                    mask[action] = 0
        write_planes(rules, some, numbers, planes[at * PLANES :])


@inlined
def next_number(numbers, bound):
    """Return a random number from 0 to below a bound, which is small."""
    numbers[_RANDOM] += _GOLDEN
    mixed = numbers[_RANDOM]
    mixed = (mixed ^ shifted(mixed, 30)) * _MIX_1
    mixed = (mixed ^ shifted(mixed, 27)) * _MIX_2
    mixed ^= shifted(mixed, 31)
    return (shifted(mixed, 32) * bound) >> 32


@kernel(signature(None, RULES_REF, _FIELDS, _BYTES, INT64_ARRAY, INT64, INT64))
def random_actions(rules_ref, fields, legal, out, first, after):
    """Write a random legal action for each of a range of boards, all with the same probability.

    Where the game is over, the action is 0.
    """
    count = rules_ref[0].actions
    for board in range(first, after):
        numbers, mask = fields[board], legal[board * count :]
        out[board] = NONE
        for _ in range(_TRIES):
            action = next_number(numbers, count)
            if mask[action]:
                out[board] = action
                break
        if out[board] == NONE:
            left = np.int64(0)
            for action in range(count):
                left += mask[action]
            skipped = next_number(numbers, max(left, np.int64(1)))
            out[board] = 0
            for action in range(count):
                if mask[action]:
                    if skipped == 0:
                        out[board] = action
                        break
                    skipped -= 1
