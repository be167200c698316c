"""Wins by continuous fours (VCF), searched to the end.

Each move of the attacker makes a four, so the defender has one answer or none: the tree is so narrow that
it can be searched completely. At each node

- a five of the attacker's wins, and so does a four that becomes a five in two ways, or whose only answer is
  a foul (under caro, a four that no answer near it stops: the enemy at both ends of a five spoils it);
- a five that the defender threatens has to be stopped by a move that makes a four, too (under caro, on the
  five's point or at an end of its row);
- otherwise every point that makes a four is tried, except, in a brief search, fours that make nothing else
  and stop nothing (unless Black's answer might be a foul).

A position without a win is stored with the number of fours that were searched, because different orders of
the same moves lead to it. To find the shortest win, the number of fours is raised one at a time (iterative
deepening, R. E. Korf 1985).

Called at the leaves too, it costs more than it finds: without it there the engine is some 80 Elo stronger
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

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.fouls import is_forbidden, may_foul
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import (
    CELLS,
    FRAME,
    MEMORY,
    PLIES,
    ROW,
    SCRATCH_REF,
    STATE_REF,
    TABLES_REF,
    Kind,
)
from tengen.engine.board.stop_flag import stopped
from tengen.engine.board.techniques import Technique
from tengen.engine.board.vectors import bits_of_equal, bits_of_greater
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import BOOL, INT64, signature

UNLIMITED = 255
"""A number of fours that no board has room for."""

_FOUR, _OPEN_FOUR = int(Pattern.FOUR), int(Pattern.OPEN_FOUR)
SEVERAL = np.int64(-2)
"""Returned instead of a cell: there are more fives than one stone stops."""

NEAR = 4 * (2 * FRAME + 1)
"""Cells on the four lines through a cell within its reach, the cell itself once a line."""

_FIVE_KIND = Kind.FIVE
_FOUR_KIND = Kind.FOUR
_FOULS = int(Technique.FOULS)


@inlined
def is_four(pattern):
    """Return whether a pattern of one line is a four, open or not, or two fours."""
    return _FOUR <= pattern <= _OPEN_FOUR


@inlined
def holds_four(patterns):
    """Return whether one of four patterns is a four."""
    for direction in range(4):  # noqa: SIM110 - compiled
        if is_four((patterns >> (4 * direction)) & 15):
            return True
    return False


@inlined
def makes_four(state, side, cell):
    """Return whether a stone of a side on an empty cell makes a four on any line."""
    return holds_four(np.int64(state.patterns[cell]) >> (16 * side))


@inlined
def on_a_line(cell, other):
    """Return whether two cells are on a line and near enough to change each other's patterns."""
    up, right = abs((other >> 5) - (cell >> 5)), abs((other & 31) - (cell & 31))
    return max(up, right) <= FRAME and (up == right or min(up, right) == 0)


@inlined
def is_bare_four(state, side, cell):
    """Return whether a stone of a side makes a four and nothing else, and stops no four of the enemy's."""
    return state.kinds[side, cell] == _FOUR_KIND and not makes_four(state, 1 - side, cell)


@inlined
def five_near(state, side, cell, other):
    """Return a cell on a line with `cell` that makes a five of a side, not `other`; -1 for none."""
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
    """Return the bits of a row's cells, those of its empty cells only."""
    return bits & ~(state.rows[y] << FRAME)


@inlined
def fours_in_row(state, side, y):
    """Return the cells of a row that may make a four for a side, if they are empty, one bit each.

    Every four is among them; `makes_four` tells which of them are fours.
    """
    return bits_of_greater(state.kinds, side * CELLS + (y + FRAME) * ROW, _FOUR_KIND - 1)


@inlined
def any_five(state, side, other):
    """Return a cell that makes a five of a side, not `other`; -1 for none."""
    for y in range(state.size):
        start = (y + FRAME) * ROW
        bits = empty_in_row(state, y, bits_of_equal(state.kinds, side * CELLS + start, _FIVE_KIND))
        while bits:
            cell = start + lowest_bit(bits)
            if cell != other:
                return cell
            bits &= bits - 1
    return np.int64(-1)


@kernel(signature(INT64, STATE_REF, INT64))
def winning_cell(state_ref, side):
    """Return a cell where a side makes a five; -1 for none."""
    return any_five(state_ref[0], side, -1)


@kernel(signature(BOOL, STATE_REF, TABLES_REF, INT64, INT64))
def may_play(state_ref, tables_ref, side, cell):
    """Return whether a side may play on an empty cell."""
    return side == 1 or not is_forbidden(state_ref, tables_ref, cell)


@compiled
def other_move(state_ref, tables_ref, side, five, other_five):
    """Return an empty cell, except two, that a side may play on; -1 for none."""
    state = state_ref[0]
    for cell in range(CELLS):
        free = state.cells[cell] == 0 and cell != five and cell != other_five  # noqa: PLR1714 - compiled
        if free and may_play(state_ref, tables_ref, side, cell):
            return np.int64(cell)
    return np.int64(-1)


@inlined
def any_move(state_ref, tables_ref):
    """Return an empty cell that the side to move may play on; -1 for none."""
    return other_move(state_ref, tables_ref, state_ref[0].turn, np.int64(-1), np.int64(-1))


@compiled
def finish_line(state_ref, tables_ref, scratch_ref, length, five, other_five):
    """Add the last two plies to a line: a reply that does not help, and the five.

    If the defender has only fouls left, its foul is the last ply, and loses; where fouls are not legal, the
    game is a draw.

    Args:
        state_ref: the position after the last four; the defender is to move.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record with the `line`.
        length: the length of the line so far.
        five: the cell of the attacker's five.
        other_five: the cell of a second five; -1 for none.

    Returns:
        The length of the line then; 0 for a draw.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    defender = state.turn
    if may_play(state_ref, tables_ref, defender, five):
        reply, five = five, other_five
    elif other_five >= 0 and may_play(state_ref, tables_ref, defender, other_five):
        reply = other_five
    else:
        reply = other_move(state_ref, tables_ref, defender, five, other_five)
        if reply < 0:
            scratch.line[length] = five
            state.stuck |= tables.barred
            return np.int64(0) if tables.barred else length + 1
    scratch.line[length] = reply
    scratch.line[length + 1] = five
    return length + 2


# -- the steps, in the order of `find_vcf`


@inlined
def complete_line(state, scratch, root_ply):
    """Step 1: write the moves since the root and the five into `line`; return its length."""
    depth = state.ply - root_ply
    copy_line(state, scratch, root_ply, depth)
    scratch.line[depth] = any_five(state, state.turn, np.int64(-1))
    return depth + 1


@inlined
def copy_line(state, scratch, root_ply, count):
    """Write the first `count` moves since the root into `line`."""
    for place in range(count):
        scratch.line[place] = state.moves[(root_ply + place) & (PLIES - 1)]


@inlined
def five_to_stop(state, tables, enemy):
    """Step 3: return the cell of the enemy's five; -1 if it has none, `SEVERAL` if it has more than one.

    Under caro one stone may stop several fives: then it is the cell of any of them.
    """
    forced_reply = np.int64(-1)
    if state.counts[enemy, _FIVE_KIND] > 0:
        forced_reply = any_five(state, enemy, np.int64(-1))
        if not tables.closed and any_five(state, enemy, forced_reply) >= 0:
            forced_reply = SEVERAL
    return forced_reply


@inlined
def memory_entry(state, scratch):
    """Step 4: return the hash key of the attacker's position, and its slot in `memory`.

    Brief searches have entries of their own.
    """
    key = (state.hash ^ (state.keys[1, 0] if state.turn else np.int64(0))) & ~np.int64(255)
    key ^= scratch.brief << 62
    return key, (state.hash >> 8) & (MEMORY - 1)


@inlined
def next_four(state_ref, tables_ref, scratch_ref, side, forced_reply, cell):
    """Step 5: return the next cell after `cell` where a side may make a four; -1 if there is none.

    Unless `forced_reply` is -1, it has to stop the enemy's five on that cell.
    """
    state, tables, brief = state_ref[0], tables_ref[0], scratch_ref[0].brief
    for y in range((cell >> 5) - FRAME, state.size):
        start = (y + FRAME) * ROW
        bits = empty_in_row(state, y, fours_in_row(state, side, y))
        while bits:
            other = start + lowest_bit(bits)
            bits &= bits - 1
            if other <= cell:
                continue
            if forced_reply >= 0 and not (
                on_a_line(other, forced_reply) if tables.closed else other == forced_reply
            ):
                continue
            if not makes_four(state, side, other):
                continue
            may_be_foul_four = side == 1 and may_foul(state) and not tables.without & _FOULS
            if brief and forced_reply < 0 and not may_be_foul_four and is_bare_four(state, side, other):
                continue
            if side == 1 or not is_forbidden(state_ref, tables_ref, other):
                return other
    return np.int64(-1)


@inlined
def cell_near(cell, number):
    """Step 7: return a cell, by a number below `NEAR`, on the lines through a cell, maybe off the board."""
    step = (1, ROW, ROW + 1, 1 - ROW)[number & 3]
    return (cell + ((number >> 2) - FRAME) * step) & (CELLS - 1)


@kernel(signature(INT64, STATE_REF, TABLES_REF, SCRATCH_REF, INT64, INT64))
def find_vcf(state_ref, tables_ref, scratch_ref, root_ply, most_fours):
    """Search for a win by fours (VCF) of the side to move.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record: `memory` is the transposition table, and `line` receives
            the cells of the winning line, the five included.
        root_ply: the ply at the root.
        most_fours: fours that may be played.

    Returns:
        The length of the line; 0 for no win, which is proven unless `ended` of the state is set.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    side = state.turn
    enemy = 1 - side
    # Step 1. A five to be made.
    if state.counts[side, _FIVE_KIND] > 0:
        return complete_line(state, scratch, root_ply)
    # Step 2. No more fours may be played, or there is no room for them.
    if most_fours <= 0 or state.ply + 4 >= PLIES:
        return 0
    # Step 3. The enemy's five, which a four has to stop.
    forced_reply = five_to_stop(state, tables, enemy)
    if forced_reply == SEVERAL:
        return 0
    # Step 4. Transposition table: no win with as many fours.
    key, slot = memory_entry(state, scratch)
    entry = scratch.memory[slot]
    if (entry & ~np.int64(255)) == key and (entry & 255) >= most_fours:
        return 0
    # Step 5. Every four.
    cell = next_four(state_ref, tables_ref, scratch_ref, side, forced_reply, np.int64(FRAME * ROW))
    while cell >= 0:
        # A four and its answer; one node is left for the search that calls this one.
        if state.nodes + 2 >= state.most_nodes or stopped(state):
            state.ended = 1
            return 0
        make(state_ref, tables_ref, cell)
        state.nodes += 1
        length = np.int64(0)
        if state.counts[enemy, _FIVE_KIND] > 0:
            pass  # The enemy would make a five first.
        elif not tables.closed:
            # Step 6. The only answer is the five's own cell, if it is legal and there is no other five.
            answer = five_near(state, side, cell, np.int64(-1))
            other_five = five_near(state, side, cell, answer)
            if other_five >= 0 or not may_play(state_ref, tables_ref, enemy, answer):
                depth = state.ply - root_ply
                copy_line(state, scratch, root_ply, depth)
                length = finish_line(state_ref, tables_ref, scratch_ref, depth, answer, other_five)
            else:
                make(state_ref, tables_ref, answer)
                state.nodes += 1
                length = find_vcf(state_ref, tables_ref, scratch_ref, root_ply, np.int64(most_fours - 1))
                unmake(state_ref, tables_ref)
        else:
            # Step 7. Caro: the enemy at both ends spoils a five, so there are more answers than the five's
            # own cell. Each that leaves no five has to lose; the line has the one that holds out longest.
            five = five_near(state, side, cell, np.int64(-1))
            longest_reply, length = five, np.int64(-1)
            if not may_play(state_ref, tables_ref, enemy, five):
                longest_reply = other_move(state_ref, tables_ref, enemy, five, five)
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
                    left = find_vcf(state_ref, tables_ref, scratch_ref, root_ply, np.int64(most_fours - 1))
                    if left == 0:
                        length = np.int64(0)
                    elif left > length:
                        length, longest_reply = left, reply
                unmake(state_ref, tables_ref)
            if longest_reply < 0:
                depth = state.ply - root_ply
                copy_line(state, scratch, root_ply, depth)
                length = finish_line(state_ref, tables_ref, scratch_ref, depth, five, five)
            elif length != 0 and not state.ended:
                make(state_ref, tables_ref, longest_reply)
                length = find_vcf(state_ref, tables_ref, scratch_ref, root_ply, np.int64(most_fours - 1))
                unmake(state_ref, tables_ref)
        unmake(state_ref, tables_ref)
        # Step 8. A win, or the end of the search.
        if length > 0 or state.ended:
            return length
        cell = next_four(state_ref, tables_ref, scratch_ref, side, forced_reply, cell)
    # Step 9. No win: store that.
    scratch.memory[slot] = key | most_fours
    return 0


@compiled
def shortest_vcf(state_ref, tables_ref, scratch_ref, most_fours):
    """Search for the shortest win by fours of the side to move, one four more each iteration.

    Args:
        state_ref: the position; as before when this returns.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record; see `find_vcf`.
        most_fours: fours that may be played.

    Returns:
        The length of the line; 0 for no win, or if `ended` of the state is set.
    """
    state = state_ref[0]
    for fours in range(most_fours + 1):
        length = find_vcf(state_ref, tables_ref, scratch_ref, state.ply, np.int64(fours))
        if length > 0 or state.ended:
            return length
    return np.int64(0)
