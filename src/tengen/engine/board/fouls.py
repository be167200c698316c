"""Renju's fouls, exactly, on the engine's board.

Patterns decide overlines and double fours. A double three they only suspect: by rule 9.3 each three has to
be able to become a straight four, which it is not if the stone that would make it is itself a foul, or
makes a five elsewhere. A recursive search decides this on the lines alone: a stone is set in four integers
and removed again.

The specification is `tengen.game.fouls`.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, C901

from __future__ import annotations

import numpy as np

from tengen.engine.board.patterns import Pattern
from tengen.engine.board.position import line_number, patterns_at
from tengen.engine.board.records import CELLS, FRAME, LINES, STATE_REF, STEPS, TABLES_REF, Kind
from tengen.engine.kernels.declarations import compiled, inlined, kernel
from tengen.engine.kernels.signatures import BOOL, INT64, INT64_ARRAY, signature
from tengen.game.fouls import FoulKind

_FIVE, _OVERLINE = int(Pattern.FIVE), int(Pattern.OVERLINE)
_FOUR, _DOUBLE_FOUR, _OPEN_FOUR = int(Pattern.FOUR), int(Pattern.DOUBLE_FOUR), int(Pattern.OPEN_FOUR)
_SLIM_OPEN_THREE, _OPEN_THREE = int(Pattern.SLIM_OPEN_THREE), int(Pattern.OPEN_THREE)
_SUSPECT, _FOUL = Kind.SUSPECT, Kind.FOUL

FOUL_KINDS: tuple[FoulKind, ...] = ("overline", "double-four", "double-three")
"""The kinds of fouls, numbered by `foul_kind`; a foul of several kinds is called by the first."""

_FEW = 6
"""Points left to Black below which a threat may not win."""


@inlined
def kept_pattern(state, side, cell, direction):
    """Return a side's pattern on one line of an empty cell, as `make` has left it."""
    return (np.int64(state.patterns[cell]) >> (16 * side + 4 * direction)) & 15


@inlined
def pattern_on(state, tables, side, cell, direction):
    """Return a side's pattern on one line of an empty cell, as the lines are now."""
    x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
    number = line_number(direction, x, y) & (LINES - 1)
    place = y if direction == 1 else x
    return (patterns_at(tables, state.lines[direction, number], place) >> (4 * side)) & 15


@inlined
def toggle(state, side, cell):
    """Set or remove a stone of a side on cell and lines, without updating patterns."""
    x, y = (cell & 31) - FRAME, (cell >> 5) - FRAME
    for direction in range(4):
        number = line_number(direction, x, y) & (LINES - 1)
        place = y if direction == 1 else x
        state.lines[direction, number] ^= np.int64(side + 1) << (2 * (place + FRAME))
    state.cells[cell] ^= side + 1


@inlined
def extension(state, tables, cell, direction, way):
    """Return the end of the row through a black `cell` that makes a straight four and no five; or -1."""
    step = STEPS[direction] * way
    end = (cell + step) & (CELLS - 1)
    while state.cells[end] == 1:
        end = (end + step) & (CELLS - 1)
    if state.cells[end] != 0 or pattern_on(state, tables, 0, end, direction) != _OPEN_FOUR:
        return np.int64(-1)
    for other in range(4):
        if pattern_on(state, tables, 0, end, other) == _FIVE:
            return np.int64(-1)
    return np.int64(end)


@kernel(signature(BOOL, STATE_REF, TABLES_REF, INT64))
def is_foul(state_ref, tables_ref, cell):
    """Return whether a black stone on an empty cell is a foul; see `tengen.game.fouls.find_foul`.

    Lines and cells change during the search, and are restored.
    """
    state, tables = state_ref[0], tables_ref[0]
    cell &= CELLS - 1
    fours = 0
    threes = 0
    overline = False
    for direction in range(4):
        pattern = pattern_on(state, tables, 0, cell, direction)
        if pattern == _FIVE:
            return False
        if pattern == _OVERLINE:
            overline = True
        elif pattern == _DOUBLE_FOUR:
            fours += 2
        elif pattern in (_FOUR, _OPEN_FOUR):
            fours += 1
        elif pattern in (_OPEN_THREE, _SLIM_OPEN_THREE):
            threes += 1
    if (overline and tables.overlines) or (fours >= 2 and tables.double_fours):
        return True
    if threes < 2 or not tables.double_threes:
        return False
    real = 0
    toggle(state, 0, cell)
    for direction in range(4):
        # The stone is there now: the three shows in what may stand at the ends of its row.
        for way in (-1, 1):
            end = extension(state, tables, cell, direction, way)
            if end >= 0 and not is_foul(state_ref, tables_ref, end):
                real += 1
                break
    toggle(state, 0, cell)
    return real >= 2


@kernel(signature(BOOL, STATE_REF, TABLES_REF, INT64))
def is_forbidden(state_ref, tables_ref, cell):
    """Return whether an empty cell is forbidden to Black: by its kind, and for a suspect by `is_foul`."""
    kind = state_ref[0].kinds[0, cell & (CELLS - 1)]
    if kind == _SUSPECT:
        return is_foul(state_ref, tables_ref, cell)
    return kind == _FOUL


@kernel(signature(INT64, STATE_REF, TABLES_REF, INT64))
def foul_kind(state_ref, tables_ref, cell):
    """Return the number in `FOUL_KINDS` of the foul of a black stone on an empty cell; -1 for none."""
    state, tables = state_ref[0], tables_ref[0]
    if not is_forbidden(state_ref, tables_ref, cell):
        return -1
    fours = 0
    for direction in range(4):
        pattern = kept_pattern(state, 0, cell & (CELLS - 1), direction)
        if pattern == _OVERLINE and tables.overlines:
            return 0
        fours += (pattern in (_FOUR, _OPEN_FOUR)) + 2 * (pattern == _DOUBLE_FOUR)
    return 1 if fours >= 2 and tables.double_fours else 2


@inlined
def may_foul(state):
    """Return whether there is a point on which a black stone is a foul, or may be one."""
    return state.counts[0, _SUSPECT] + state.counts[0, _FOUL] > 0


@inlined
def sure_points(state):
    """Return the number of empty points on which a black stone is certainly no foul."""
    count = np.int64(0)
    for kind in range(_SUSPECT):
        count += state.counts[0, kind]
    return count


@compiled
def is_stuck(state_ref, tables_ref):
    """Return whether Black, to move, has no legal point left where fouls are no moves: a draw."""
    state = state_ref[0]
    if not tables_ref[0].barred or state.turn or sure_points(state) > 0:
        return False
    for cell in range(CELLS):
        if state.cells[cell] == 0 and not is_forbidden(state_ref, tables_ref, cell):
            return False
    return True


@inlined
def may_get_stuck(state, tables):
    """Return whether Black has so few points left that soon there may be only fouls, which is a draw.

    Threats do not win for certain then: a side that cannot move does not lose.
    """
    return tables.barred and sure_points(state) < _FEW


@kernel(signature(INT64, STATE_REF, TABLES_REF, INT64_ARRAY))
def forbidden_cells(state_ref, tables_ref, out):
    """Write the cells that are forbidden to Black into an int64 array, and return their number."""
    count = 0
    if may_foul(state_ref[0]):
        for cell in range(CELLS):
            if state_ref[0].cells[cell] == 0 and is_forbidden(state_ref, tables_ref, cell):
                out[count] = cell
                count += 1
    return count
