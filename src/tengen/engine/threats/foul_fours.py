"""White's fours that Black could answer only by a foul.

The one answer to a four is the point of its five. Where that is a foul for Black, the four wins as an open
four does, and a stone of White's that prepares it threatens as an open three does.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.bits import lowest_bit
from tengen.engine.board.fouls import is_foul, kept_pattern, may_foul, pattern_on, toggle
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.records import CELLS, FRAME, ROW, STEPS, Kind
from tengen.engine.board.vectors import bits_of_greater
from tengen.engine.kernels.jit import compiled, inlined
from tengen.engine.threats.vcf_kernel import empty_in_row, is_four, makes_four, on_a_line

_THREE, _OPEN_FOUR, _FIVE = int(Pattern.THREE), int(Pattern.OPEN_FOUR), int(Pattern.FIVE)
_STRONGEST = Kind.FIVE
"""Kinds beyond it are fouls, or suspected to be."""

_FOUL = Kind.FOUL

WHITE = 1
REACH = 4
"""How far two points of one five lie apart at most."""


@inlined
def is_unanswered(state_ref, tables_ref, four):
    """Whether after White's stone Black may not stop the five; see `foul_four`."""
    state, tables = state_ref[0], tables_ref[0]
    cell, five, direction = four & (CELLS - 1), (four >> 10) & (CELLS - 1), four >> 20
    toggle(state, WHITE, cell)
    unanswered = pattern_on(state, tables, WHITE, five, direction) == _FIVE and is_foul(
        state_ref, tables_ref, five
    )
    toggle(state, WHITE, cell)
    return unanswered


@compiled
def foul_four(state_ref, tables_ref):
    """Where White makes a four that Black could answer only by a foul, Black having no five to make.

    Lines and cells are changed meanwhile, and are as before when this returns.

    Returns:
        The cell, from bit 10 on that of the five, and from bit 20 on the direction of their line; -1 if
        there is none.
    """
    state = state_ref[0]
    if not may_foul(state):
        return np.int64(-1)
    for y in range(state.size):
        start = (y + FRAME) * ROW
        found = empty_in_row(state, y, bits_of_greater(state.kinds, np.int64(start), np.int64(_STRONGEST)))
        while found:
            five = start + lowest_bit(found)
            found &= found - 1
            for direction in range(4):
                # Of two points that make a five together, each makes a four.
                if not is_four(kept_pattern(state, WHITE, five, direction)):
                    continue
                for away in range(-REACH, REACH + 1):
                    cell = (five + away * STEPS[direction]) & (CELLS - 1)
                    if away == 0 or state.cells[cell] != 0:
                        continue
                    if not is_four(kept_pattern(state, WHITE, cell, direction)):
                        continue
                    four = np.int64(cell | (five << 10) | (direction << 20))
                    if is_unanswered(state_ref, tables_ref, four):
                        return four
    return np.int64(-1)


@compiled
def stops_foul_four(state_ref, tables_ref, four, cell):
    """Whether a black stone on an empty cell may save Black from a four that a foul would answer.

    What it leaves out makes no four, and leaves White's as it is.

    Args:
        state_ref: the position; Black has no five to make or to stop.
        tables_ref: the tables of its rules.
        four: White's, as `foul_four` says it.
        cell: the stone.
    """
    state = state_ref[0]
    five = (four >> 10) & (CELLS - 1)
    if cell == four & (CELLS - 1) or makes_four(state, 0, cell) or on_a_line(cell, five):
        return True
    if state.kinds[0, five] == _FOUL:
        return False
    # A three may be none any more for what is far away.
    toggle(state, 0, cell)
    stopped = not is_unanswered(state_ref, tables_ref, four)
    toggle(state, 0, cell)
    return stopped


@compiled
def prepares_foul_four(state_ref, tables_ref, cell):
    """Whether a white stone on an empty cell would prepare a four whose answer is, or may be, a foul."""
    state, tables = state_ref[0], tables_ref[0]
    found = False
    if may_foul(state):
        toggle(state, WHITE, cell)
        for direction in range(4):
            if not _THREE <= kept_pattern(state, WHITE, cell, direction) <= _OPEN_FOUR:
                continue
            for away in range(-REACH, REACH + 1):
                five = (cell + away * STEPS[direction]) & (CELLS - 1)
                if (
                    state.cells[five] == 0
                    and state.kinds[0, five] > _STRONGEST
                    and is_four(pattern_on(state, tables, WHITE, five, direction))
                ):
                    found = True
        toggle(state, WHITE, cell)
    return found
