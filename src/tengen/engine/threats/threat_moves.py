"""Move generation of the proof-number search: the attacker's threats, and all answers to them.

`tengen.solver.threats.vct` defines which threats count. The defender's moves that are left out are refuted
at once:

- against a four, all moves but the points of the five;
- against an open four (or two fours at once) to come, moves that make no four and leave one of those fours
  as it is: all that are not on a line with it where the attacker would make a four;
- against a four to come that only a foul would answer, moves that make no four and leave the four and the
  foul as they are;
- against a win by fours to come, moves that make no four and are on no line with any move of the win, near
  enough to matter: the same fours win after them, as soon as before.

Under caro one stone may stop an open four. So only open fours that no stone stops count there, and every
point on a line with them may be an answer.

Nothing is left out if that would not be certain: if the open four might become a foul, if a stone far away
may spoil one of the fours, or make a foul of one or of the answer to it, and if Black, the defender, has so
few points left that there might soon be none, which is a draw.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, C901, PLR0912

from __future__ import annotations

import numpy as np

from tengen.engine.board.fouls import is_forbidden, kept_pattern, sure_points
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.position import line_number, patterns_at
from tengen.engine.board.records import CELLS, FRAME, LINES, ROW, STATE_REF, STEPS, TABLES_REF, Kind
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import INT16_ARRAY, INT64, signature
from tengen.engine.threats.foul_changes import list_foul_changes, makes_two_fives
from tengen.engine.threats.foul_fours import find_foul_four, prepares_foul_four, stops_foul_four
from tengen.engine.threats.open_fours import is_reply, open_fours
from tengen.engine.threats.vcf_kernel import (
    UNLIMITED,
    any_five,
    find_vcf,
    holds_four,
    is_four,
    makes_four,
    may_play,
    on_a_line,
)

_FIVE, _OPEN_FOUR, _FOUR = Kind.FIVE, Kind.OPEN_FOUR, Kind.FOUR
_THREE, _SUSPECT = Kind.THREE, Kind.SUSPECT
_FIVE_PATTERN = int(Pattern.FIVE)
_FOUR_PATTERN, _DOUBLE_FOUR = int(Pattern.FOUR), int(Pattern.DOUBLE_FOUR)
_THREE_PATTERN, _WIDE_THREE = int(Pattern.THREE), int(Pattern.WIDE_THREE)

THREES, FOURS, ANY = 0, 1, 2
"""The attacker's moves: fours and threes, fours alone, or all that prepare a win by fours."""

NO_THREAT, OF_FIVE, OF_OPEN_FOUR, UNCERTAIN, OF_FOURS, OF_FOUL_FOUR = 0, 1, 2, 3, 4, 5
"""Threats of the attacker.

None, a five, an open four, one that may be a foul, a win by fours, or a four that only a foul answers.
"""

_SCARCE = 48
"""Legal points of Black, below which it might have none in three plies: a stone changes forty points."""


@inlined
def is_scarce(state, tables, defender):
    """Return whether a defender may soon be left without a move, which is a draw."""
    return tables.barred and defender == 0 and sure_points(state) < _SCARCE


@inlined
def has_uncertain_four(state_ref, tables_ref):
    """Return whether Black may make an open four, or two fours, on a point suspected to be a foul."""
    state = state_ref[0]
    if state.counts[0, _SUSPECT] > 0:
        for cell in range(CELLS):
            if state.cells[cell] != 0 or state.kinds[0, cell] != _SUSPECT:
                continue
            if makes_two_fives(np.int64(state.patterns[cell])) and not is_forbidden(
                state_ref, tables_ref, cell
            ):
                return True
    return False


@inlined
def threat_of(state_ref, tables_ref, attacker):
    """Return the attacker's threat, the defender being to move; none if the defender is quicker."""
    state, tables = state_ref[0], tables_ref[0]
    defender = 1 - attacker
    if state.counts[defender, _FIVE] > 0:
        return np.int64(NO_THREAT)
    if state.counts[attacker, _FIVE] > 0:
        return np.int64(OF_FIVE)
    if state.counts[defender, _OPEN_FOUR] > 0 and not tables.closed:
        return np.int64(NO_THREAT)
    if state.counts[attacker, _OPEN_FOUR] > 0:
        return np.int64(OF_OPEN_FOUR)
    if attacker == 0 and has_uncertain_four(state_ref, tables_ref):
        return np.int64(UNCERTAIN)
    if attacker == 1 and find_foul_four(state_ref, tables_ref) >= 0:
        return np.int64(OF_FOUL_FOUR)
    return np.int64(NO_THREAT)


@inlined
def threat_in_set(state_ref, tables_ref, scratch_ref, attacker, threats):
    """Return the attacker's threat with the moves of a set: `THREES`, `FOURS` or `ANY`."""
    state = state_ref[0]
    threat = threat_of(state_ref, tables_ref, attacker)
    if threats == FOURS and threat > OF_FIVE:
        threat = np.int64(NO_THREAT)
    quiet = threats == ANY and threat == NO_THREAT and state.counts[1 - attacker, _FIVE] == 0
    if quiet and fours_to_come(state_ref, tables_ref, scratch_ref, attacker, np.int64(UNLIMITED)) > 0:
        threat = np.int64(OF_FOURS)
    return threat


@compiled
def fours_to_come(state_ref, tables_ref, scratch_ref, attacker, most_fours):
    """Search for a win by fours of the attacker after a pass of the defender, who is to move.

    Args:
        state_ref: the position.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record: `line` receives the win.
        attacker: 0 Black, 1 White.
        most_fours: fours that may be played.

    Returns:
        The plies of the win; 0 for none, which is proven unless `ended` of the state is set.
    """
    state = state_ref[0]
    state.turn = attacker
    length = find_vcf(state_ref, tables_ref, scratch_ref, state.ply, most_fours)
    state.turn = 1 - attacker
    return length


@inlined
def line_with(state, side, cell, direction):
    """Return the line through an empty cell with a stone of a side on it, and the cell's place."""
    x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
    number = line_number(direction, x, y) & (LINES - 1)
    place = y if direction == 1 else x
    return state.lines[direction, number] | ((side + 1) << (2 * (place + FRAME))), place


@inlined
def opens_two_fours(state, tables, side, cell):
    """Return whether a stone prepares two fours at once by the next one, one of them through it."""
    if state.counts[side, _FOUR] + state.counts[side, _FOUR + 1] + state.counts[side, _FOUR + 2] == 0:
        return False
    if side == 0 and tables.double_fours:
        return False
    for direction in range(4):
        pattern = kept_pattern(state, side, cell, direction)
        if pattern not in (_THREE_PATTERN, _WIDE_THREE):
            continue
        line, place = line_with(state, side, cell, direction)
        for offset in range(-FRAME + 1, FRAME):
            near = (cell + offset * STEPS[direction]) & (CELLS - 1)
            if offset == 0 or state.cells[near] != 0:
                continue
            next_pattern = (patterns_at(tables, line, (place + offset) & 31) >> (4 * side)) & 15
            others = np.int64(state.patterns[near]) & ~(np.int64(15) << (16 * side + 4 * direction))
            if next_pattern == _DOUBLE_FOUR or (
                next_pattern == _FOUR_PATTERN and holds_four(others >> (16 * side))
            ):
                return True
    return False


@inlined
def may_threaten(state_ref, tables_ref, side, cell, forced_reply):
    """Return whether a stone of the attacker's may be a threat, by the patterns that it makes."""
    state, tables = state_ref[0], tables_ref[0]
    enemy = 1 - side
    kind = state.kinds[side, cell]
    if forced_reply >= 0:
        return on_a_line(cell, forced_reply) if tables.closed else cell == forced_reply
    if kind < _THREE:
        return False
    if kind < _FOUR or kind == _SUSPECT:
        threatened = state.counts[enemy, _OPEN_FOUR] > 0 and not tables.closed
        if threatened and not makes_four(state, enemy, cell) and not makes_four(state, side, cell):
            return False
    return (
        kind > _THREE
        or opens_two_fours(state, tables, side, cell)
        or (side == 1 and prepares_foul_four(state_ref, tables_ref, cell))
    )


@compiled
def list_attacks(state_ref, tables_ref, forced_reply, out):
    """Write the cells where the side to move may make a threat by fours and threes into an array.

    Args:
        state_ref: the position; the side to move has no five to make.
        tables_ref: the tables of its rules.
        forced_reply: the cell of the enemy's five; -1 for none.
        out: int16, room for the board: receives the cells.

    Returns:
        The number of cells.
    """
    state, tables = state_ref[0], tables_ref[0]
    side = state.turn
    count = 0
    for y in range(FRAME, FRAME + state.size):
        for x in range(FRAME, FRAME + state.size):
            cell = y * ROW + x
            if state.cells[cell] != 0 or not may_threaten(
                state_ref, tables_ref, side, np.int64(cell), forced_reply
            ):
                continue
            if may_play(state_ref, tables_ref, side, cell):
                out[count] = cell
                count += 1
    if forced_reply < 0:
        threatened = state.counts[1 - side, _OPEN_FOUR] > 0 and not tables.closed
        count = list_foul_changes(state_ref, tables_ref, threatened, out, count)
    return count


@kernel(signature(INT64, STATE_REF, TABLES_REF, INT64, INT64, INT16_ARRAY))
def list_threats(state_ref, tables_ref, threats, forced_reply, out):
    """Write the cells where the side to move may make a threat into an array.

    Args:
        state_ref: the position; the side to move has no five to make.
        tables_ref: the tables of its rules.
        threats: the set of moves: `THREES`, `FOURS` or `ANY`.
        forced_reply: the cell of the enemy's five; -1 for none.
        out: int16, room for the board: receives the cells.

    Returns:
        The number of cells.
    """
    state, tables = state_ref[0], tables_ref[0]
    side = state.turn
    if threats == THREES:
        return list_attacks(state_ref, tables_ref, forced_reply, out)
    weakest = _FOUR if threats == FOURS else 0
    count = 0
    for y in range(FRAME, FRAME + state.size):
        for x in range(FRAME, FRAME + state.size):
            cell = y * ROW + x
            if state.cells[cell] != 0 or state.kinds[side, cell] < weakest:
                continue
            if forced_reply >= 0 and not (
                on_a_line(cell, forced_reply) if tables.closed else cell == forced_reply
            ):
                continue
            if threats == FOURS and not makes_four(state, side, cell):
                continue
            if may_play(state_ref, tables_ref, side, cell):
                out[count] = cell
                count += 1
    return count


@inlined
def touches_line(state, scratch, length, side, cell):
    """Return whether a stone of a side may change a VCF line of its enemy."""
    if makes_four(state, side, cell):
        return True
    for place in range(length):  # noqa: SIM110 - compiled
        if on_a_line(cell, np.int64(scratch.line[place])):
            return True
    return False


@compiled
def list_answers_to_fours(state_ref, tables_ref, scratch_ref, plies_left, out):
    """Write the cells where the side to move may answer a win by fours to come into an array.

    Args:
        state_ref: the position; the side to move has no five to make.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        plies_left: plies within which the enemy has to win.
        out: int16, room for the board: receives the cells.

    Returns:
        The number of cells, from bit 10; below it the plies to the loss after any other move.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    side = state.turn
    length = np.int64(0)
    uncertain = tables.closed or tables.double_fours or tables.double_threes
    if not uncertain and not is_scarce(state, tables, side):
        most_fours = min((plies_left - 2) >> 1, np.int64(UNLIMITED))
        length = fours_to_come(state_ref, tables_ref, scratch_ref, 1 - side, most_fours)
    count = np.int64(0)
    for y in range(FRAME, FRAME + state.size):
        for x in range(FRAME, FRAME + state.size):
            cell = y * ROW + x
            if state.cells[cell] != 0:
                continue
            if length > 0 and not touches_line(state, scratch, length, side, cell):
                continue
            if may_play(state_ref, tables_ref, side, cell):
                out[count] = cell
                count += 1
    return (count << 10) | (length + 1 if length > 0 else 0)


@inlined
def can_be_closed(tables, line, place, side):
    """Return whether one stone of the enemy's stops all fours of a side through a place of a line (caro).

    That stone need not be where a five would be completed, for the enemy at both ends spoils it.

    Args:
        tables: the tables of the rules.
        line: the stones of a line, with one of the side's own on the place.
        place: of the stone that the fours contain.
        side: the side with the fours.
    """
    for near in range(-FRAME, FRAME + 1):
        if (line >> (2 * (place + near + FRAME))) & 3:
            continue
        closed = line | ((2 - side) << (2 * (place + near + FRAME)))
        five_left = False
        for offset in range(-FRAME + 1, FRAME):
            if (closed >> (2 * (place + offset + FRAME))) & 3:
                continue
            if (patterns_at(tables, closed, place + offset) >> (4 * side)) & 15 == _FIVE_PATTERN:
                five_left = True
                break
        if not five_left:
            return True
    return False


@inlined
def is_unstoppable(state, tables, side, cell):
    """Return whether a stone on a cell makes a four that no stone stops, or two that no one stone stops."""
    lines = 0
    for direction in range(4):
        if not is_four(kept_pattern(state, side, cell, direction)):
            continue
        lines += 1
        line, place = line_with(state, side, cell, direction)
        if lines > 1 or not can_be_closed(tables, line, place, side):
            return True
    return False


@inlined
def unstoppable_fours(state, tables, scratch, side):
    """Write the cells of a side's unstoppable open fours into `threats`; return their number."""
    count = np.int64(0)
    for number in range(open_fours(state, scratch, side)):
        cell = np.int64(scratch.threats[number])
        if is_unstoppable(state, tables, side, cell):
            scratch.threats[count] = cell
            count += 1
    return count


@compiled
def list_answers(state_ref, tables_ref, scratch_ref, threat, out):
    """Write the cells where the side to move may answer a threat into an array.

    Args:
        state_ref: the position; the side to move has no five to make.
        tables_ref: the tables of its rules.
        scratch_ref: the thread's scratch record.
        threat: the enemy's threat, as `threat_of` returns it.
        out: int16, room for the board: receives the cells.

    Returns:
        The number of cells.
    """
    state, tables, scratch = state_ref[0], tables_ref[0], scratch_ref[0]
    side = state.turn
    enemy = 1 - side
    all_cells = threat == UNCERTAIN or is_scarce(state, tables, side)
    five, open_four_count, foul_four = np.int64(-1), np.int64(0), np.int64(-1)
    if threat == OF_FIVE:
        five = any_five(state, enemy, np.int64(-1))
    elif tables.closed:
        open_four_count = unstoppable_fours(state, tables, scratch, enemy)
        fouls = tables.overlines or tables.double_fours or tables.double_threes
        all_cells = all_cells or fouls or open_four_count == 0
    elif threat == OF_FOUL_FOUR:
        foul_four = find_foul_four(state_ref, tables_ref)
    else:
        open_four_count = open_fours(state, scratch, enemy)
    count = 0
    for y in range(FRAME, FRAME + state.size):
        for x in range(FRAME, FRAME + state.size):
            cell = y * ROW + x
            if state.cells[cell] != 0:
                continue
            if not all_cells:
                if threat == OF_FIVE:
                    if tables.closed:
                        if not on_a_line(cell, five):
                            continue
                    elif state.kinds[enemy, cell] != _FIVE:
                        continue
                elif foul_four >= 0:
                    if not stops_foul_four(state_ref, tables_ref, foul_four, np.int64(cell)):
                        continue
                elif not is_reply(state, tables, scratch, open_four_count, side, cell):
                    continue
            if may_play(state_ref, tables_ref, side, cell):
                out[count] = cell
                count += 1
    return count
