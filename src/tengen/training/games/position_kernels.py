"""Compiled kernels that describe positions: by their empty points, by their moves, as boards."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.position import line_number, make, sides_at, unmake
from tengen.engine.board.records import CELLS, FRAME, LINES, ROW, Kind
from tengen.engine.board.steps import steps_away
from tengen.engine.evaluation.static import situation, static_score
from tengen.engine.kernels.declarations import compiled
from tengen.engine.search.moves import (
    class_order,
    context_bonus,
    is_candidate,
    made_and_stopped,
    near_stones,
)

_FIVE, _OPEN_FOUR = Kind.FIVE, Kind.OPEN_FOUR
_BLACK_OR_WHITE = 3


@compiled(_nrt=True)
def describe(state_ref, tables_ref, moves, own, other, near, contexts, at, best):
    """Write the point classes of a position's empty points, except points that are worth nothing.

    Args:
        state_ref: an empty board; restored before this returns.
        tables_ref: the tables of its rules.
        moves: the cells played, shape (plies,).
        own: receives the classes for the side to move, from index `at` on.
        other: receives the classes for the other side.
        near: receives 1 for points that a search would consider, else 0.
        contexts: receives the steps from the last two moves, and the kinds of patterns that a move makes
            and stops.
        at: the first index to write.
        best: the chosen cell.

    Returns:
        The index after the last point; the chosen point, from 0, or -1 where there was no choice or fewer
        than two moves have been played; the threats (`tengen.engine.evaluation.static.situation`), or -1
        where a search never evaluates the static score.
    """
    state = state_ref[0]
    for place in range(moves.shape[0]):
        make(state_ref, tables_ref, moves[place])
    side = state.turn
    enemy = 1 - side
    first = at
    chosen = -1
    counts = state.counts
    fives = counts[side, _FIVE] + counts[enemy, _FIVE] > 0
    quiet = not fives and counts[side, _OPEN_FOUR] == 0
    threats = situation(state) if quiet else np.int64(-1)
    forced = counts[enemy, _OPEN_FOUR] > 0
    size = state.size
    plies = moves.shape[0]
    for y in range(size):
        around = near_stones(state, y)
        for x in range(size):
            cell = (y + FRAME) * ROW + x + FRAME
            if state.cells[cell] != 0:
                continue
            here = np.int64((around >> x) & 1)
            if here and not is_candidate(state_ref, tables_ref, side, forced, cell):
                here = np.int64(0)
            if state.patterns[cell] == 0 and not here:
                continue
            own[at] = state.classes[side, cell]
            other[at] = state.classes[enemy, cell]
            near[at] = here
            if plies > 1:
                contexts[at, 0] = steps_away(cell, moves[plies - 1])
                contexts[at, 1] = steps_away(cell, moves[plies - 2])
                contexts[at, 2] = made_and_stopped(state, side, cell)
            if cell == best and here and quiet and plies > 1:
                chosen = at - first
            at += 1
    for _ in range(moves.shape[0]):
        unmake(state_ref, tables_ref)
    return at, chosen, threats


@compiled(_nrt=True)
def choices(state_ref, tables_ref, moves, best, sides, pairs, lines, base, lasts, befores, at):
    """Write the moves that a search would consider, if it has a choice and one of them was chosen.

    Args:
        state_ref: an empty board; restored before this returns.
        tables_ref: the tables of its rules.
        moves: the cells played, shape (plies,).
        best: the chosen cell.
        sides: `tengen.training.games.lines.LineTable.by_code`.
        pairs: `tengen.training.games.lines.LineTable.pairs`.
        lines: receives the lines through each move, from the point of view of the side to move, from index
            `at` on, shape (n, 4).
        base: receives the logit of each move by the learned weights, in hundredths.
        lasts: receives the steps of each move from the last move.
        befores: receives the steps of each move from the last move but one.
        at: the first index to write.

    Returns:
        The index after the last move, and the chosen move, from 0; `at` and -1 where there was no choice or
        fewer than two moves have been played.
    """
    state, tables = state_ref[0], tables_ref[0]
    for place in range(moves.shape[0]):
        make(state_ref, tables_ref, moves[place])
    side = state.turn
    enemy = 1 - side
    first, chosen, plies, counts = at, -1, moves.shape[0], state.counts
    quiet = counts[side, _FIVE] + counts[enemy, _FIVE] + counts[side, _OPEN_FOUR] == 0
    if quiet and plies > 1:
        forced = counts[enemy, _OPEN_FOUR] > 0
        last, before = moves[plies - 1], moves[plies - 2]
        for y in range(state.size):
            around = near_stones(state, y)
            for x in range(state.size):
                cell = (y + FRAME) * ROW + x + FRAME
                if not (around >> x) & 1:
                    continue
                if not is_candidate(state_ref, tables_ref, side, forced, cell):
                    continue
                order = class_order(state, tables, side, cell)
                base[at] = order + context_bonus(state, tables, side, cell, last, before)
                lasts[at], befores[at] = steps_away(cell, last), steps_away(cell, before)
                for direction in range(4):
                    number = line_number(direction, x, y) & (LINES - 1)
                    behind, ahead = sides_at(state.lines[direction, number], y if direction == 1 else x)
                    lines[at, direction] = pairs[side, sides[0, side, ahead], sides[1, side, behind]]
                if cell == best:
                    chosen = at - first
                at += 1
    for _ in range(moves.shape[0]):
        unmake(state_ref, tables_ref)
    return (at, chosen) if chosen >= 0 and at - first > 1 else (first, -1)


@compiled
def read_position(state_ref, tables_ref, moves, board):
    """Write a position as a board: 0 empty, 1 the side to move, 2 the other side, shape (points,).

    Args:
        state_ref: an empty board; restored before this returns.
        tables_ref: the tables of its rules.
        moves: the cells played, shape (plies,).
        board: receives the position.

    Returns:
        The static score, and whether a search would ever evaluate it.
    """
    state = state_ref[0]
    for place in range(moves.shape[0]):
        make(state_ref, tables_ref, moves[place])
    side, size, counts = state.turn, state.size, state.counts
    evaluated = counts[side, _FIVE] + counts[1 - side, _FIVE] + counts[side, _OPEN_FOUR] == 0
    for y in range(size):
        for x in range(size):
            stone = np.int64(state.cells[((y + FRAME) * ROW + x + FRAME) & (CELLS - 1)])
            board[y * size + x] = stone if side == 0 or stone == 0 else _BLACK_OR_WHITE - stone
    score = static_score(state, tables_ref[0])
    for _ in range(moves.shape[0]):
        unmake(state_ref, tables_ref)
    return score, evaluated
