"""The compiled loops of `tengen.training.network_fitting`."""

from __future__ import annotations

import numpy as np
from numba import njit

from tengen.engine.board.patterns import REACH
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, FRAME, POOLS, ROW, Kind
from tengen.engine.evaluation.static import static_score
from tengen.engine.kernels.jit import OPTIONS

_FIVE, _OPEN_FOUR = Kind.FIVE, Kind.OPEN_FOUR
_LEAK = np.float32(0.125)
_BLACK_OR_WHITE = 3


@njit(**OPTIONS)
def look(state_ref, tables_ref, moves, board):
    """Write down a position: 0 empty, 1 the side to move's, 2 the other's, shape (points,).

    Args:
        state_ref: an empty board; as before when this returns.
        tables_ref: the tables of its rules.
        moves: the cells played, shape (plies,).
        board: receives the position.

    Returns:
        The static score, and whether a search would ever ask for it.
    """
    state = state_ref[0]
    for place in range(moves.shape[0]):
        make(state_ref, tables_ref, moves[place])
    side, size, counts = state.turn, state.size, state.counts
    asked = counts[side, _FIVE] + counts[1 - side, _FIVE] + counts[side, _OPEN_FOUR] == 0
    for y in range(size):
        for x in range(size):
            stone = np.int64(state.cells[((y + FRAME) * ROW + x + FRAME) & (CELLS - 1)])
            board[y * size + x] = stone if side == 0 or stone == 0 else _BLACK_OR_WHITE - stone
    score = static_score(state, tables_ref[0])
    for _ in range(moves.shape[0]):
        unmake(state_ref, tables_ref)
    return score, asked


@njit(**OPTIONS)
def side_code(board, size, x, y, right, up):
    """The five points on one side of another, two bits each, the nearest in the lowest."""
    code = 0
    for away in range(1, REACH + 1):
        u, v = x + away * right, y + away * up
        inside = 0 <= u < size and 0 <= v < size
        code |= (np.int64(board[v * size + u]) if inside else _BLACK_OR_WHITE) << (2 * (away - 1))
    return code


@njit(**OPTIONS)
def lines_of(boards, movers, size, own, other, pairs, lines):
    """Write the four lines through each empty point as each side sees them.

    Args:
        boards: positions, shape (n, points).
        movers: the side to move of each, 0 or 1; all 0 where the colours are not told apart.
        size: side of the board.
        own: the number of one side of a line by its code, shape (1024,).
        other: the same with colours swapped.
        pairs: the number of a line by whose it is, and by those of its two sides, shape (2, n, n).
        lines: receives them, shape (n, points, 2, 4); -1 where there is a stone.
    """
    for number in range(boards.shape[0]):
        board = boards[number]
        mover = np.int64(movers[number])
        for point in range(size * size):
            lines[number, point, 0, 0] = -1
            if board[point]:
                continue
            x, y = point % size, point // size
            for direction in range(4):
                right, up = (1, 0, 1, 1)[direction], (0, 1, 1, -1)[direction]
                ahead = side_code(board, size, x, y, right, up)
                behind = side_code(board, size, x, y, -right, -up)
                lines[number, point, 0, direction] = pairs[mover, own[ahead], own[behind]]
                lines[number, point, 1, direction] = pairs[1 - mover, other[ahead], other[behind]]


@njit(fastmath=True, **OPTIONS)
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


@njit(fastmath=True, **OPTIONS)
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
