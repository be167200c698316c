"""The compiled loops of `tengen.training.models.fitting`."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import math

import numpy as np

from tengen.engine.board.records import CELLS, STEPS_AWAY, Kind
from tengen.engine.kernels.jit import compiled, inlined

_FIVE, _OPEN_FOUR = Kind.FIVE, Kind.OPEN_FOUR


@compiled(_nrt=True)
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


@compiled(_nrt=True)
def worth_slopes(
    starts, own, other, turns, threats, targets, numbers, extra, batch, slope, extra_slope, shared
):
    """Add the gradient of the loss of a batch to the slopes.

    The loss is the cross-entropy between the targets and the squashed sums, added up over the batch.

    Args:
        starts: see `tengen.training.models.fitting.Positions`, as all up to `targets`.
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


@compiled(_nrt=True)
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


@compiled(_nrt=True)
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
