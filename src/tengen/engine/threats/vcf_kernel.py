"""Wins by continuous fours, searched to the end.

Each move of the attacker makes a four, so the defender has one answer or none, and a line of play is
hardly wider than it is long: what a board holds can be searched completely. At each step

- a five of one's own wins, and so does a four that becomes a five in two ways, or whose only answer is a
  foul (under caro, a four that no answer near it stops: the enemy at both ends of a five spoils it);
- a five that the defender threatens has to be met, by a move that makes a four as well (under caro, on the
  five's point or at an end of its row);
- otherwise every point that makes a four is tried, but in a brief search those that make nothing else and
  stop nothing (unless Black's answer might be a foul).

A position from which no win is left is remembered with the number of fours that were looked at, because
different orders of the same moves lead to it again and again. To find the shortest win, the number of
fours is raised one at a time (iterative deepening, R. E. Korf 1985).

Asked at the leaves too, it costs more than it finds: without it there the engine is some 80 Elo stronger
(`benchmarks/log/2026-11-22-first-versions.md`).

The idea of searching threats alone: L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, "Go-Moku and
Threat-Space Search" (1993).
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, C901, PLR0912, PLR0915

from __future__ import annotations

import numpy as np
from numba import typeof, types

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.fouls import is_forbidden, may_foul
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, FRAME, MEMORY, PLIES, ROW, SCRATCH, STATE, TABLES, Kind
from tengen.engine.board.techniques import Technique
from tengen.engine.board.vectors import bits_of_equal, bits_of_greater
from tengen.engine.kernels.jit import compiled, inlined, kernel

UNLIMITED = 255
"""More fours than any board has room for."""

_FOUR, _DOUBLE_FOUR, _OPEN_FOUR = int(Pattern.FOUR), int(Pattern.DOUBLE_FOUR), int(Pattern.OPEN_FOUR)
SEVERAL = np.int64(-2)
"""Instead of a cell: there are more fives than one stone stops."""

NEAR = 4 * (2 * FRAME + 1)
"""Cells on the four lines through a cell, as far as they matter to it, the cell itself once a line."""

_FIVE_KIND = Kind.FIVE
_FOUR_KIND = Kind.FOUR
_FOULS = int(Technique.FOULS)

_ARGUMENTS = types.int64(
    typeof(np.zeros(1, STATE)),
    typeof(np.zeros(1, TABLES)),
    typeof(np.zeros(1, SCRATCH)),
    types.int64,
    types.int64,
)


@inlined
def is_four(pattern):
    """Whether a pattern of one line is a four, open or not, or two."""
    return _FOUR <= pattern <= _OPEN_FOUR


@inlined
def holds_four(patterns):
    """Whether one of four patterns is a four."""
    for direction in range(4):  # noqa: SIM110 - compiled
        if is_four((patterns >> (4 * direction)) & 15):
            return True
    return False


@inlined
def makes_four(state, side, cell):
    """Whether a stone of a side on an empty cell makes a four on any line."""
    return holds_four(np.int64(state.patterns[cell]) >> (16 * side))


@inlined
def on_a_line(cell, other):
    """Whether a stone on one cell may change the patterns of the other: they are near, and on a line."""
    up, right = abs((other >> 5) - (cell >> 5)), abs((other & 31) - (cell & 31))
    return max(up, right) <= FRAME and (up == right or min(up, right) == 0)


@inlined
def is_bare_four(state, side, cell):
    """Whether a stone of a side would make a four and nothing else, and stop no four of the enemy's."""
    return state.kinds[side, cell] == _FOUR_KIND and not makes_four(state, 1 - side, cell)


@inlined
def five_near(state, side, cell, other):
    """A cell on the lines through `cell` that makes a five of a side, not `other`; -1 if there is none."""
    for direction in range(4):
        step = (1, ROW, ROW + 1, 1 - ROW)[direction]
        for way in (-1, 1):
            near = cell
            for _ in range(FRAME):
                near = (near + way * step) & (CELLS - 1)
                if state.cells[near] == 3:
                    break
                if state.cells[near] == 0 and state.kinds[side, near] == _FIVE_KIND and near != other:
                    return np.int64(near)
    return np.int64(-1)


@inlined
def empty_in_row(state, y, bits):
    """What is left of the bits of a row's cells where only those of empty cells count."""
    return bits & ~(state.rows[y] << FRAME)


@inlined
def fours_in_row(state, side, y):
    """Which of a row's cells may make a four for a side, if they are empty: a bit for each.

    Every four is among them; what else is, `makes_four` tells.
    """
    return bits_of_greater(state.kinds, side * CELLS + (y + FRAME) * ROW, _FOUR_KIND - 1)


@inlined
def any_five(state, side, other):
    """A cell anywhere that makes a five of a side, not `other`; -1 if there is none."""
    for y in range(state.size):
        start = (y + FRAME) * ROW
        found = empty_in_row(state, y, bits_of_equal(state.kinds, side * CELLS + start, _FIVE_KIND))
        while found:
            cell = start + lowest_bit(found)
            if cell != other:
                return cell
            found &= found - 1
    return np.int64(-1)


@compiled
def winning_cell(state_ref, side):
    """A cell where a side makes a five; -1 if there is none."""
    return any_five(state_ref[0], side, -1)


@compiled
def may_play(state_ref, tables_ref, side, cell):
    """Whether a side may play on an empty cell."""
    return side == 1 or not is_forbidden(state_ref, tables_ref, cell)


@compiled
def other_move(state_ref, tables_ref, side, five, second):
    """A cell that a side may play on besides two where it may not or does not want to; -1 for none."""
    state = state_ref[0]
    for cell in range(CELLS):
        free = state.cells[cell] == 0 and cell != five and cell != second  # noqa: PLR1714 - compiled
        if free and may_play(state_ref, tables_ref, side, cell):
            return np.int64(cell)
    return np.int64(-1)


@compiled
def finish(state_ref, tables_ref, scratch_ref, length, five, second):
    """Add the last two plies to a line: a reply that does not help, and the five.

    Where the defender has only fouls left, its foul is the last ply, and loses; but where fouls are no
    moves, the game is a draw.

    Args:
        state_ref: the position after the last four; the defender is to move.
        tables_ref: the tables of its rules.
        scratch_ref: whose `line` it is.
        length: its length so far.
        five: where the attacker makes a five.
        second: where else, or -1.

    Returns:
        The length of the line then; 0 for a draw.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    defender = state.turn
    if may_play(state_ref, tables_ref, defender, five):
        reply, five = five, second
    elif second >= 0 and may_play(state_ref, tables_ref, defender, second):
        reply = second
    else:
        reply = other_move(state_ref, tables_ref, defender, five, second)
        if reply < 0:
            scratch.line[length] = five
            state.stuck |= tables.barred
            return np.int64(0) if tables.barred else length + 1
    scratch.line[length] = reply
    scratch.line[length + 1] = five
    return length + 2


# -- the steps, in the order of `fours`


@inlined
def complete_line(state, scratch, first):
    """Step 1: write the moves since the ply `first` and the five that ends them into `line`; its length."""
    depth = state.ply - first
    copy_moves(state, scratch, first, depth)
    scratch.line[depth] = any_five(state, state.turn, np.int64(-1))
    return depth + 1


@inlined
def copy_moves(state, scratch, first, count):
    """Write so many moves from the ply `first` on into `line`."""
    for place in range(count):
        scratch.line[place] = state.moves[(first + place) & (PLIES - 1)]


@inlined
def five_to_stop(state, tables, enemy):
    """Step 3: where the enemy's five is to be stopped; -1 if it has none, `SEVERAL` if it has more.

    Where the enemy at both ends spoils a five (caro), one stone may stop several: any of their points.
    """
    must = np.int64(-1)
    if state.counts[enemy, _FIVE_KIND] > 0:
        must = any_five(state, enemy, np.int64(-1))
        if not tables.closed and any_five(state, enemy, must) >= 0:
            must = SEVERAL
    return must


@inlined
def memory_key(state, scratch):
    """Step 4: the attacker's position as it is kept in `memory`, and its place there.

    What a brief search does not find, another may.
    """
    key = (state.hash ^ (state.keys[1, 0] if state.turn else np.int64(0))) & ~np.int64(255)
    key ^= scratch.brief << 62
    return key, (state.hash >> 8) & (MEMORY - 1)


@inlined
def next_four(state_ref, tables_ref, scratch_ref, side, must, cell):
    """Step 5: the next cell after `cell` where a side may make a four, -1 if there is none.

    Only what may stop a five on `must` comes into question, unless that is -1.
    """
    state, tables, brief = state_ref[0], tables_ref[0], scratch_ref[0].brief
    for y in range((cell >> 5) - FRAME, state.size):
        start = (y + FRAME) * ROW
        found = empty_in_row(state, y, fours_in_row(state, side, y))
        while found:
            other = start + lowest_bit(found)
            found &= found - 1
            if other <= cell:
                continue
            if must >= 0 and not (on_a_line(other, must) if tables.closed else other == must):
                continue
            if not makes_four(state, side, other):
                continue
            hopes = side == 1 and may_foul(state) and not tables.without & _FOULS
            if brief and must < 0 and not hopes and is_bare_four(state, side, other):
                continue
            if side == 1 or not is_forbidden(state_ref, tables_ref, other):
                return other
    return np.int64(-1)


@inlined
def cell_near(cell, number):
    """Step 7: the cell of a number below `NEAR` on the lines through a cell; it may be off the board."""
    step = (1, ROW, ROW + 1, 1 - ROW)[number & 3]
    return (cell + ((number >> 2) - FRAME) * step) & (CELLS - 1)


@kernel(_ARGUMENTS, seconds=6.5, large=True)
def fours(state_ref, tables_ref, scratch_ref, first, most):
    """Look for a win by fours of the side to move.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record: `memory` is read and written, and `line` receives the
            cells of the winning line, the five included.
        first: the ply at the root.
        most: how many fours may be played.

    Returns:
        The length of the line; 0 without a win. `ended` of the state says whether that is proven.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    side = state.turn
    enemy = 1 - side
    # Step 1. A five to be made.
    if state.counts[side, _FIVE_KIND] > 0:
        return complete_line(state, scratch, first)
    # Step 2. As many fours as may be played, or as there is room for.
    if most <= 0 or state.ply + 4 >= PLIES:
        return 0
    # Step 3. The enemy's five, which has to be stopped by a four.
    must = five_to_stop(state, tables, enemy)
    if must == SEVERAL:
        return 0
    # Step 4. What is known to lead to nothing, with as many fours.
    key, slot = memory_key(state, scratch)
    known = scratch.memory[slot]
    if (known & ~np.int64(255)) == key and (known & 255) >= most:
        return 0
    # Step 5. Every four there is.
    cell = next_four(state_ref, tables_ref, scratch_ref, side, must, np.int64(FRAME * ROW))
    while cell >= 0:
        # A four and its answer; a search that asks has a node left to go on with.
        if state.nodes + 2 >= state.most_nodes or state.stop:
            state.ended = 1
            return 0
        make(state_ref, tables_ref, cell)
        state.nodes += 1
        length = np.int64(0)
        if state.counts[enemy, _FIVE_KIND] > 0:
            pass  # The enemy would make a five first.
        elif not tables.closed:
            # Step 6. The five's own point is the one answer, if it may be played and there is no second.
            answer = five_near(state, side, cell, np.int64(-1))
            second = five_near(state, side, cell, answer)
            if second >= 0 or not may_play(state_ref, tables_ref, enemy, answer):
                depth = state.ply - first
                copy_moves(state, scratch, first, depth)
                length = finish(state_ref, tables_ref, scratch_ref, depth, answer, second)
            else:
                make(state_ref, tables_ref, answer)
                state.nodes += 1
                length = fours(state_ref, tables_ref, scratch_ref, first, np.int64(most - 1))
                unmake(state_ref, tables_ref)
        else:
            # Step 7. The enemy at both ends spoils a five, so there are more answers than the five's own
            # point. Each that leaves no five has to lose; the one that holds out longest is shown.
            five = five_near(state, side, cell, np.int64(-1))
            worst, length = five, np.int64(-1)
            if not may_play(state_ref, tables_ref, enemy, five):
                worst = other_move(state_ref, tables_ref, enemy, five, five)
            for number in range(NEAR):
                reply = cell_near(cell, number)
                if state.cells[reply] != 0 or length == 0 or state.ended:
                    continue
                if not may_play(state_ref, tables_ref, enemy, reply):
                    continue
                if state.nodes + 1 >= state.most_nodes:
                    state.ended = 1
                    length = np.int64(0)
                    continue
                make(state_ref, tables_ref, reply)
                state.nodes += 1
                if state.counts[side, _FIVE_KIND] == 0:
                    left = fours(state_ref, tables_ref, scratch_ref, first, np.int64(most - 1))
                    if left == 0:
                        length = np.int64(0)
                    elif left > length:
                        length, worst = left, reply
                unmake(state_ref, tables_ref)
            if worst < 0:
                depth = state.ply - first
                copy_moves(state, scratch, first, depth)
                length = finish(state_ref, tables_ref, scratch_ref, depth, five, five)
            elif length != 0 and not state.ended:
                make(state_ref, tables_ref, worst)
                length = fours(state_ref, tables_ref, scratch_ref, first, np.int64(most - 1))
                unmake(state_ref, tables_ref)
        unmake(state_ref, tables_ref)
        # Step 8. A win, or the end of the search.
        if length > 0 or state.ended:
            return length
        cell = next_four(state_ref, tables_ref, scratch_ref, side, must, cell)
    # Step 9. Nothing: that is remembered.
    scratch.memory[slot] = key | most
    return 0
