"""The compiled loops of `tengen.training.models.network_fitting`."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np

from tengen.engine.board.records import POOLS, Kind
from tengen.engine.kernels.jit import compiled

_FIVE, _OPEN_FOUR = Kind.FIVE, Kind.OPEN_FOUR
_LEAK = np.float32(0.125)
_BLACK_OR_WHITE = 3


@compiled(fastmath=True)
def pooled(lines, rows, parts, ceiling, pools):
    """Add up the activated sums of the points of each part of the board.

    Args:
        lines: as from `lines_of`.
        rows: the row of each line, float32, shape (lines, width).
        parts: of the board, by point.
        ceiling: up to where sums count.
        pools: receives the sums, float32, shape (n, 2, `POOLS`, width).
    """
    width = rows.shape[1]
    for number in range(lines.shape[0]):
        for view in range(2):
            for part in range(POOLS):
                for index in range(width):
                    pools[number, view, part, index] = 0
        for point in range(lines.shape[1]):
            if lines[number, point, 0, 0] < 0:
                continue
            part = parts[point]
            for view in range(2):
                a, b = lines[number, point, view, 0], lines[number, point, view, 1]
                c, d = lines[number, point, view, 2], lines[number, point, view, 3]
                for index in range(width):
                    total = rows[a, index] + rows[b, index] + rows[c, index] + rows[d, index]
                    pools[number, view, part, index] += min(max(total, total * _LEAK), ceiling)


@compiled(fastmath=True)
def pooled_slopes(lines, rows, parts, ceiling, slopes, row_slopes, row):
    """Add what the rows have to do with the slopes of their pools.

    Args:
        lines: as for `pooled`.
        rows: as for `pooled`.
        parts: as for `pooled`.
        ceiling: as for `pooled`.
        slopes: of the pools, of their shape.
        row_slopes: receives them, of the shape of the rows.
        row: room for one row.
    """
    width = rows.shape[1]
    for number in range(lines.shape[0]):
        for point in range(lines.shape[1]):
            if lines[number, point, 0, 0] < 0:
                continue
            part = parts[point]
            for view in range(2):
                a, b = lines[number, point, view, 0], lines[number, point, view, 1]
                c, d = lines[number, point, view, 2], lines[number, point, view, 3]
                for index in range(width):
                    total = rows[a, index] + rows[b, index] + rows[c, index] + rows[d, index]
                    share = np.float32(0) if total >= ceiling else (np.float32(1) if total > 0 else _LEAK)
                    row[index] = share * slopes[number, view, part, index]
                for index in range(width):
                    row_slopes[a, index] += row[index]
                for index in range(width):
                    row_slopes[b, index] += row[index]
                for index in range(width):
                    row_slopes[c, index] += row[index]
                for index in range(width):
                    row_slopes[d, index] += row[index]
