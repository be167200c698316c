"""The compiled loops that describe positions by their moves, and those of `tengen.training.fitting`.

What two of them share stands in the same file, or in the engine: Numba would not notice that a helper
elsewhere has changed.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from tengen.engine.board.position import line_number, make, sides_at, unmake
from tengen.engine.board.records import CELLS, FRAME, LINES, ROW, STEPS_AWAY, Kind
from tengen.engine.board.steps import steps_away
from tengen.engine.evaluation.static import situation
from tengen.engine.kernels.jit import OPTIONS, inlined
from tengen.engine.search.moves import (
    by_class,
    in_context,
    is_looked_at,
    made_and_stopped,
    near_stones,
)

_FIVE, _OPEN_FOUR = Kind.FIVE, Kind.OPEN_FOUR

_OPTIONS = OPTIONS | {"_nrt": True}
"""These functions make arrays of their own."""


@njit(**_OPTIONS)
def describe(state_ref, tables_ref, moves, own, other, near, contexts, at, best):
    """Write down the classes of a position's empty points, those that are worth nothing left out.

    Args:
        state_ref: an empty board; as before when this returns.
        tables_ref: the tables of its rules.
        moves: the cells played, shape (plies,).
        own: receives the classes for the side to move, from `at` on.
        other: receives those of the other side.
        near: receives whether a search would look at the point.
        contexts: receives where it lies from the last two moves, and the kinds of what it makes and stops.
        at: where to begin.
        best: the cell that was chosen.

    Returns:
        Where the points end; which of them was chosen, from 0, or -1 where there was no choice, or are not
        two moves to lie from; the threats
        (`tengen.engine.evaluation.static.situation`), or -1 where the static score is never asked.
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
            if here and not is_looked_at(state_ref, tables_ref, side, forced, cell):
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


@njit(**_OPTIONS)
def choices(state_ref, tables_ref, moves, best, sides, pairs, lines, base, lasts, befores, at):
    """Write down the moves that a search would look at, if it has a choice and one of them was chosen.

    Args:
        state_ref: an empty board; as before when this returns.
        tables_ref: the tables of its rules.
        moves: the cells played, shape (plies,).
        best: the cell that was chosen.
        sides: `tengen.training.network_layers.LineTable.by_code`.
        pairs: `tengen.training.network_layers.LineTable.pairs`.
        lines: receives the lines through each, as the side to move sees them, from `at` on, shape (n, 4).
        base: receives what the learned numbers say of each, in hundredths.
        lasts: receives where it lies from the last move.
        befores: receives where it lies from the one before.
        at: where to begin.

    Returns:
        Where the moves end, and which of them was chosen, from 0; `at` and -1 where there was no choice, or
        are not two moves to lie from.
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
                if not is_looked_at(state_ref, tables_ref, side, forced, cell):
                    continue
                order = by_class(state, tables, side, cell)
                base[at] = order + in_context(state, tables, side, cell, last, before)
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


@njit(**_OPTIONS)
def worth_logits(starts, own, other, turns, threats, numbers, extra, batch, logits, shared):
    """The sums of the worths, one for each position of a batch."""
    for place in range(batch.shape[0]):
        number = batch[place]
        side = 0 if shared else turns[number]
        enemy = 0 if shared else 1 - side
        logit = extra[side, threats[number]]
        for at in range(starts[number], starts[number + 1]):
            logit += numbers[side, 0, own[at]] - numbers[enemy, 1, other[at]]
        logits[place] = logit


@njit(**_OPTIONS)
def worth_slopes(
    starts, own, other, turns, threats, targets, numbers, extra, batch, slope, extra_slope, shared
):
    """Add the gradient of the loss of a batch to the slopes.

    The loss is the cross-entropy between the targets and the squashed sums, added up over the batch.

    Args:
        starts: see `tengen.training.fitting.Positions`, as all up to `targets`.
        own: the same.
        other: the same.
        turns: the same.
        threats: the same.
        targets: the same.
        numbers: the worths in logits, shape (2, 2, classes); the first colour's alone count where `shared`.
        extra: those of the combinations of threats, shape (2, combinations).
        batch: which positions, shape (n,).
        slope: receives the gradient by `numbers`.
        extra_slope: receives the gradient by `extra`.
        shared: whether both colours have the same numbers.

    Returns:
        The loss.
    """
    total = 0.0
    for number in batch:
        side = 0 if shared else turns[number]
        enemy = 0 if shared else 1 - side
        logit = extra[side, threats[number]]
        for at in range(starts[number], starts[number + 1]):
            logit += numbers[side, 0, own[at]] - numbers[enemy, 1, other[at]]
        target = targets[number]
        # log(1 + e^logit) - target * logit, written so that nothing overflows.
        total += max(logit, 0.0) + math.log1p(math.exp(-abs(logit))) - target * logit
        wrong = 1 / (1 + math.exp(-logit)) - target
        extra_slope[side, threats[number]] += wrong
        for at in range(starts[number], starts[number + 1]):
            slope[side, 0, own[at]] += wrong
            slope[enemy, 1, other[at]] -= wrong
    if shared:
        slope[1] = slope[0]
        extra_slope[1] = extra_slope[0]
    return total


@inlined
def order_logit(own, other, contexts, at, side, enemy, numbers, extra):
    """The logarithm of the chance of the move at a point, but for what all of them have in common."""
    return (
        numbers[side, 0, own[at]]
        + numbers[enemy, 1, other[at]]
        + extra[side, contexts[at, 0]]
        + extra[side, STEPS_AWAY + contexts[at, 1]]
        + extra[side, 2 * STEPS_AWAY + contexts[at, 2]]
    )


@njit(**_OPTIONS)
def order_slopes(
    starts, own, other, near, turns, contexts, chosen, numbers, extra, batch, slope, extra_slope, shared
):
    """The same for the chances of moves: the loss is minus the logarithm of the chosen move's chance.

    `extra` are the numbers of the contexts, shape (2, contexts).
    """
    total = 0.0
    logits = np.empty(CELLS)
    for number in batch:
        side = 0 if shared else turns[number]
        enemy = 0 if shared else 1 - side
        first, last = starts[number], starts[number + 1]
        largest = -math.inf
        for at in range(first, last):
            if near[at]:
                logits[at - first] = order_logit(own, other, contexts, at, side, enemy, numbers, extra)
                largest = max(largest, logits[at - first])
        weight = 0.0
        right = logits[chosen[number]] - largest
        for at in range(first, last):
            if near[at]:
                logits[at - first] = math.exp(logits[at - first] - largest)
                weight += logits[at - first]
        total += math.log(weight) - right
        for at in range(first, last):
            if near[at]:
                wrong = logits[at - first] / weight - (1.0 if at - first == chosen[number] else 0.0)
                slope[side, 0, own[at]] += wrong
                slope[enemy, 1, other[at]] += wrong
                extra_slope[side, contexts[at, 0]] += wrong
                extra_slope[side, STEPS_AWAY + contexts[at, 1]] += wrong
                extra_slope[side, 2 * STEPS_AWAY + contexts[at, 2]] += wrong
    if shared:
        slope[1] = slope[0]
        extra_slope[1] = extra_slope[0]
    return total


@njit(**_OPTIONS)
def order_ranks(starts, own, other, near, turns, contexts, chosen, numbers, extra, batch, ranks, shared):
    """Which place the chosen move has in the order, from 0, for each position of a batch.

    Moves of the same chance share their places: the chosen one gets the middle of them.
    """
    for place in range(batch.shape[0]):
        number = batch[place]
        side = 0 if shared else turns[number]
        enemy = 0 if shared else 1 - side
        first, last = starts[number], starts[number + 1]
        right = first + chosen[number]
        mark = order_logit(own, other, contexts, right, side, enemy, numbers, extra)
        before, level = 0, 0
        for at in range(first, last):
            if near[at] and at != right:
                order = order_logit(own, other, contexts, at, side, enemy, numbers, extra)
                before += 1 if order > mark else 0
                level += 1 if order == mark else 0
        ranks[place] = before + level // 2
