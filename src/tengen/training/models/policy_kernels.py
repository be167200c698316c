"""The compiled loops of `tengen.training.models.policy_fitting`."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, C901, PLR0912

from __future__ import annotations

import math

import numpy as np

from tengen.engine.kernels.jit import compiled, inlined

_LEAK = np.float32(0.125)


@inlined
def units_of(lines, lasts, befores, first, last, rows, numbers, bias, ceiling, units, mean, common):
    """Write the units of the moves of a position, not activated.

    Args:
        lines: the lines through each move, as places in `rows`, shape (moves, 4).
        lasts: where each lies from the last move, shape (moves,).
        befores: where each lies from the one before.
        first: where the moves of the position begin.
        last: where they end.
        rows: the row of each line, float32, shape (lines, width).
        numbers: the steps, shape (2, `STEPS_AWAY`, width), and what the mean goes through, (width, width).
        bias: of the side to move, shape (width,).
        ceiling: up to where a sum of rows counts in the mean.
        units: receives them, float32, shape (moves of a position, width).
        mean: receives the mean of the activated sums of rows, shape (width,).
        common: receives what all moves have in common, shape (width,).
    """
    steps, whole = numbers
    width = rows.shape[1]
    for index in range(width):
        mean[index] = 0
        common[index] = bias[index]
    for at in range(first, last):
        a, b, c, d = lines[at, 0], lines[at, 1], lines[at, 2], lines[at, 3]
        for index in range(width):
            total = rows[a, index] + rows[b, index] + rows[c, index] + rows[d, index]
            units[at - first, index] = total
            mean[index] += min(max(total, total * _LEAK), ceiling)
    share = np.float32(1) / np.float32(last - first)
    for other in range(width):
        mean[other] *= share
        for index in range(width):
            common[index] += mean[other] * whole[other, index]
    for at in range(first, last):
        near, far = np.int64(lasts[at]), np.int64(befores[at])
        for index in range(width):
            units[at - first, index] += common[index] + steps[0, near, index] + steps[1, far, index]


@inlined
def weighed(units, place, out):
    """What the activated units of a move weigh."""
    total = np.float32(0)
    for index in range(out.shape[0]):
        unit = units[place, index]
        total += max(unit, unit * _LEAK) * out[index]
    return total


@compiled(fastmath=True)
def policy_logits(
    starts, movers, base, lines, lasts, befores, rows, numbers, biases, out, ceiling, room, found
):
    """Write the logarithm of each move's chance, but for what all moves of a position have in common.

    Args:
        starts: see `tengen.training.games.policy_positions.PolicyPositions`, as all up to `befores`.
        movers: the same.
        base: the same.
        lines: the same.
        lasts: the same.
        befores: the same.
        rows: the row of each line, float32, shape (lines, width).
        numbers: see `units_of`.
        biases: of each side to move, or of both alike, shape (colours, width).
        out: what the units weigh, shape (width,).
        ceiling: see `units_of`.
        room: for the units of a position and two rows besides, shape (more than the moves, width).
        found: receives them, float32, shape (moves,).
    """
    for number in range(movers.shape[0]):
        first, last = starts[number], starts[number + 1]
        mover = np.int64(movers[number]) if biases.shape[0] > 1 else np.int64(0)
        units, mean, common = room[2:], room[0], room[1]
        units_of(
            lines, lasts, befores, first, last, rows, numbers, biases[mover], ceiling, units, mean, common
        )
        for at in range(first, last):
            found[at] = np.float32(base[at]) * np.float32(0.01) + weighed(units, at - first, out)


@compiled(fastmath=True)
def policy_slopes(
    starts, chosen, movers, base, lines, lasts, befores, rows, numbers, biases, out, ceiling, room, slopes
):
    """Add the slopes of the loss of some positions; see `policy_logits`.

    The loss is minus the logarithm of the chance of the chosen move, added up.

    Args:
        starts: see `policy_logits`, as all but the following.
        chosen: which of its moves was chosen, shape (n,).
        movers: the same as `starts`.
        base: the same.
        lines: the same.
        lasts: the same.
        befores: the same.
        rows: the same.
        numbers: the same.
        biases: the same.
        out: the same.
        ceiling: the same.
        room: as for `policy_logits`, with five rows besides.
        slopes: receive them: of the rows, the steps, what the mean goes through, the biases, and `out`.

    Returns:
        The loss.
    """
    row_slopes, step_slopes, whole_slopes, bias_slopes, out_slopes = slopes
    _, whole = numbers
    width = rows.shape[1]
    loss = 0.0
    mean, common, together, behind = room[0], room[1], room[2], room[3]
    units = room[5:]
    for number in range(movers.shape[0]):
        first, last = starts[number], starts[number + 1]
        mover = np.int64(movers[number]) if biases.shape[0] > 1 else np.int64(0)
        units_of(
            lines, lasts, befores, first, last, rows, numbers, biases[mover], ceiling, units, mean, common
        )
        largest = -math.inf
        for at in range(first, last):
            logit = np.float64(base[at]) * 0.01 + np.float64(weighed(units, at - first, out))
            largest = max(largest, logit)
        weight, right = 0.0, 0.0
        for at in range(first, last):
            logit = np.float64(base[at]) * 0.01 + np.float64(weighed(units, at - first, out)) - largest
            weight += math.exp(logit)
            if at - first == chosen[number]:
                right = logit
        loss += math.log(weight) - right
        for index in range(width):
            together[index] = 0
        for at in range(first, last):
            logit = np.float64(base[at]) * 0.01 + np.float64(weighed(units, at - first, out)) - largest
            chance = math.exp(logit) / weight
            wrong = np.float32(chance - (1.0 if at - first == chosen[number] else 0.0))
            near, far = np.int64(lasts[at]), np.int64(befores[at])
            for index in range(width):
                unit = units[at - first, index]
                out_slopes[index] += wrong * max(unit, unit * _LEAK)
                slope = wrong * out[index] * (np.float32(1) if unit > 0 else _LEAK)
                units[at - first, index] = slope
                together[index] += slope
                step_slopes[0, near, index] += slope
                step_slopes[1, far, index] += slope
        share = np.float32(1) / np.float32(last - first)
        for index in range(width):
            bias_slopes[mover, index] += together[index]
        for other in range(width):
            total = np.float32(0)
            for index in range(width):
                whole_slopes[other, index] += mean[other] * together[index]
                total += whole[other, index] * together[index]
            behind[other] = total * share
        for at in range(first, last):
            a, b, c, d = lines[at, 0], lines[at, 1], lines[at, 2], lines[at, 3]
            for index in range(width):
                total = rows[a, index] + rows[b, index] + rows[c, index] + rows[d, index]
                part = np.float32(0) if total >= ceiling else (np.float32(1) if total > 0 else _LEAK)
                slope = units[at - first, index] + part * behind[index]
                # The same line may go through a move twice: each counts.
                common[index] = slope
            for index in range(width):
                row_slopes[a, index] += common[index]
            for index in range(width):
                row_slopes[b, index] += common[index]
            for index in range(width):
                row_slopes[c, index] += common[index]
            for index in range(width):
                row_slopes[d, index] += common[index]
    return loss
