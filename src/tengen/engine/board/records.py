"""The records that kernels work on: position, tables of its rules, networks, and a thread's scratch memory.

Each is a structured array of one element, so that a call passes a pointer, and no references are counted.
The board, up to 22x22, lies in a frame of five points that are off the board, in rows of 32: a *cell* is
``(y + 5) * 32 + (x + 5)``, x and y as in `tengen.game.points`. The lengths of arrays are powers of two, so
that an index masked with the length needs no further check.

A *line* holds all points in a row in one integer, two bits each from bit 0: the point at place i of the
line has bits ``2 * (i + 5)`` and the next; off the board both are set. The code of a point
(`tengen.engine.board.patterns`) is read by a shift and a mask.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import SIDE_CODES, SIDES
from tengen.engine.kernels.signatures import Ref

FRAME = 5
ROW = 32
CELLS = 1024
LINES = 64
PLIES = 512
CHANGES = 1 << 15
"""Pattern changes that can be undone: 40 for each stone of a full board, and some more."""

STEPS = (1, ROW, ROW + 1, 1 - ROW)
"""The difference of neighbouring cells in each direction: row, column, both diagonals."""

KINDS = 16
"""The number of kinds of points; see `Kind`."""

SITUATIONS = 1 << 10
"""The number of combinations of threats."""

WIDTH, POOLS, UNITS = 32, 9, 32
"""The network's sizes: numbers in a row of its table, pools of the board, units of its layers."""

LINE_PATTERNS = 1 << 18
"""The length of the table of patterns by line: at least `SIDES` times `SIDES`."""

CLASS_NUMBERS = 1 << 12
"""The length of tables by point class (`tengen.engine.board.point_classes`)."""

CEILING = 511
"""The largest activation of a point's sum; 128 stand for 1. A ninth of a board then adds up in 16 bits."""

UNIT_BITS = 18
"""The units of the first layer are fixed-point numbers with so many bits after the point."""

STEPS_AWAY = 100
"""The number of relative positions of two cells, up to symmetry; see `steps_away`."""

CONTEXTS = 2 * STEPS_AWAY + KINDS * KINDS
"""The number of context features: where the last two moves lie, and the kinds of what a move makes."""

CACHE_LINE = 64
"""Bytes that a processor reads from memory at once."""

_LARGEST_NUMBER = 8
"""Bytes of the largest single number."""


def aligned(fields: Sequence[tuple[Any, ...]]) -> np.dtype[np.void]:
    """Return a record type whose arrays of a cache line or more are aligned to cache lines.

    Reading a vector that lies across two cache lines takes twice as long.
    """
    kinds = [np.dtype((kind, shape[0] if shape else ())) for _, kind, *shape in fields]
    offsets, end = [], 0
    for length in (kind.itemsize for kind in kinds):
        step = CACHE_LINE if length >= CACHE_LINE else min(length, _LARGEST_NUMBER)
        offsets.append(-(-end // step) * step)
        end = offsets[-1] + length
    return np.dtype(
        {
            "names": [name for name, *_ in fields],
            "formats": kinds,
            "offsets": offsets,
            "itemsize": -(-end // CACHE_LINE) * CACHE_LINE,
        }
    )


STATE = aligned(
    [
        ("size", np.int64),
        ("reach", np.int64),  # how far along a line a stone changes patterns
        ("ply", np.int64),
        ("turn", np.int64),  # 0 Black, 1 White
        ("hash", np.int64),
        ("changed", np.int64),  # entries of `changes` in use
        ("lines", np.int64, (4, LINES)),
        ("cells", np.uint8, CELLS),  # 0 empty, 1 black, 2 white, 3 off the board
        ("patterns", np.uint32, CELLS),  # of an empty cell: 4 bits a direction, Black's in the low half
        ("classes", np.uint16, (2, CELLS)),  # of an empty cell, by colour
        ("kinds", np.uint8, (2, CELLS)),
        ("counts", np.int16, (2, KINDS)),  # empty cells of each kind, by colour
        ("moves", np.int16, PLIES),
        ("firsts", np.int32, PLIES),  # `changed` before each move
        ("kept", np.int16, (PLIES, 2, KINDS)),  # `counts` before each move
        ("kept_worth", np.int64, PLIES),  # and `worth`
        ("changes", np.int64, CHANGES),  # cell, and its old patterns from bit 10 on
        ("changed_classes", np.uint16, (CHANGES, 2)),  # its old classes, Black's and White's
        ("keys", np.int64, (2, CELLS)),  # of the hash
        ("rows", np.int64, 32),  # a bit for each stone of a row
        ("worth", np.int64),  # of all empty cells, for either side to move; see `evaluation.static`
        ("common", np.int64),  # plies not undone since the network's sums were updated
        ("nodes", np.int64),  # stones put down so far
        ("most_nodes", np.int64),  # where a search has to end
        ("stop", np.int64),  # set from outside to end it at once; see `board.stop_flag`
        ("polled", np.int64),
        ("ended", np.int64),  # whether one of these has ended it
        ("stuck", np.int64),  # whether an attack has reached a draw: Black has only fouls left
    ]
)

TABLES = aligned(
    [
        ("patterns", np.uint8, LINE_PATTERNS),  # where each is, `behind` and `ahead` say, added up
        ("behind", np.int32, SIDE_CODES),
        ("ahead", np.int32, SIDE_CODES),
        ("classes", np.uint16, 1 << 16),  # by patterns of one colour
        ("kinds", np.uint8, (2, CLASS_NUMBERS)),  # by colour and point class
        ("worths", np.int64, (2, CLASS_NUMBERS)),  # by colour and point class; see `evaluation.static`
        ("situations", np.int16, (2, SITUATIONS)),  # by side to move; see `evaluation.static`
        ("orders", np.int16, (2, 2, CLASS_NUMBERS)),  # the order of a move: by a colour, or against it
        ("contexts", np.int16, (2, CONTEXTS)),  # corrections of it by context, by side to move
        ("reductions", np.uint8, (64, 64)),  # of the depth, by depth and number of the move
        ("without", np.int64),  # techniques to be left out; see `tengen.engine.board.techniques`
        ("overline_wins", np.int64),  # whether six and more in a row win for both colours, 1 or 0
        ("overlines", np.int64),  # which fouls Black has, 1 or 0 each
        ("double_fours", np.int64),
        ("double_threes", np.int64),
        ("closed", np.int64),  # whether the enemy at both ends spoils a five, 1 or 0
        ("barred", np.int64),  # whether fouls are no moves: with only fouls left, the game is a draw
    ]
)

NETWORKS = aligned(
    [
        ("network", np.int64),  # 1 if there is one, else 0; see `evaluation.network`
        ("net_rows", np.int16, 2 * SIDES * SIDES * WIDTH),  # for Black, then, where that differs, for White
        ("rows_behind", np.int64, 1024),  # where in it: White's place in the high half, Black's in the low
        ("rows_ahead", np.int64, 1024),
        ("pools", np.int64, CELLS),  # the part of the board that a cell is in
        ("net_first", np.int16, 2 * POOLS * WIDTH * UNITS),
        ("net_first_bias", np.int32, 2 * UNITS),  # by side to move
        ("net_second", np.float32, UNITS * UNITS),
        ("net_second_bias", np.float32, UNITS),
        ("net_last", np.float32, UNITS),
        ("net_last_bias", np.float32),
        ("policy", np.int64),  # 1 if there is one, else 0; see `evaluation.policy`
        ("policy_rows", np.int16, 2 * SIDES * SIDES * WIDTH),  # where each row is, `rows_ahead` says
        ("policy_steps", np.int16, 2 * STEPS_AWAY * WIDTH),
        ("policy_bias", np.int16, 2 * WIDTH),  # by side to move
        ("policy_whole", np.float32, WIDTH * WIDTH),
        ("policy_out", np.int16, WIDTH),
    ]
)
"""The value network and the policy. They are not in `TABLES`, of which each playing strength has a copy."""

MEMORY = 1 << 16
"""Entries of the table of a search for wins by fours."""

PLACE_BITS = 9
MOST_MOVES = 1 << PLACE_BITS
MOST_THREATS = 16
"""The most open fours of the enemy with which replies are compared."""

DEEPEST = 120
"""The largest ply of a search, from the root."""

_STACK = DEEPEST + 8

KEPT_PLIES = 128
"""The most plies whose changes to the network's sums can be undone, ..."""

KEPT_ROWS = 1 << 14
"""... and the most changes: 80 for each stone, and some more."""

CORRECTIONS = 1 << 17
"""Entries of the table of the network's corrections."""

SAMPLES = 256
"""The most positions of a search that are kept to learn from; see `tengen.engine.search.sampling`."""

SCRATCH = aligned(
    [
        ("memory", np.int64, MEMORY),  # positions without a win by fours: key, and fours in the low 8 bits
        ("line", np.int64, PLIES),  # the win by fours found last
        ("brief", np.int64),  # 1 while the search for it leaves out fours that make nothing else
        ("history", np.int32, (2, CELLS)),  # how often a quiet move was the best, by colour
        ("errors", np.int32, (2, SITUATIONS)),  # see `tengen.engine.search.correction_history`
        ("counters", np.int16, (2, CELLS)),  # the quiet move that answered a move best, by colour
        ("cells", np.int16, (_STACK, MOST_MOVES)),  # the moves of each ply
        ("order", np.int32, (_STACK, MOST_MOVES)),  # of each move; see `tengen.engine.search.moves.placed`
        ("threats", np.int16, MOST_THREATS),  # where the enemy makes an open four
        ("killers", np.int16, (_STACK, 2)),
        ("statics", np.int64, _STACK),  # the static score at each ply
        ("corrections", np.int64, _STACK),  # what the network adds there, or may be expected to
        ("excluded", np.int64, _STACK),  # a move left out while it is found out whether it is the only one
        ("net_memory", np.int64, CORRECTIONS),  # what the network adds in the low 17 bits, and the key
        ("net_sums", np.int16, 2 * CELLS * WIDTH),  # of each cell, as Black sees it, then as White does
        ("net_pools", np.int16, 2 * POOLS * WIDTH),
        ("net_lines", np.int64, (4, LINES)),  # the lines as the sums know them
        ("net_root", np.int64),  # plies at the root
        ("net_ply", np.int64),  # plies that the sums know
        ("net_moves", np.int16, KEPT_PLIES),
        ("net_firsts", np.int32, KEPT_PLIES),  # `net_saved` before each
        ("net_kept", np.int16, KEPT_PLIES * 2 * POOLS * WIDTH),  # `net_pools` before each
        ("net_saved", np.int64),  # rows saved, ...
        ("net_places", np.int32, KEPT_ROWS),  # ... from where in `net_sums`, ...
        ("net_rows", np.int16, KEPT_ROWS * WIDTH),  # ... and what they were
        ("net_units", np.int32, UNITS),
        ("policy_places", np.int32, 4 * MOST_MOVES),  # of each move, where the rows of its lines are, ...
        ("policy_sums", np.int16, MOST_MOVES * WIDTH),  # ... their sums, ...
        ("policy_total", np.int32, WIDTH),  # ... these activated, added up, ...
        ("policy_units", np.int16, WIDTH),  # ... and what all moves have in common
        ("sampling", np.int64),  # one in so many positions is kept, a power of two; 0 for none
        ("sampled", np.int64),  # how many have been ...
        ("samples", np.int16, (SAMPLES, PLIES)),  # ... and which: the moves of each, ...
        ("sample_plies", np.int16, SAMPLES),  # ... and how many these are
        ("best", np.int64),  # the root's move
        ("root", np.int64),  # the ply at the root
        ("root_count", np.int64),  # how many root moves alone may be searched, 0 for all ...
        ("root_cells", np.int16, MOST_MOVES),  # ... and which
        ("skip", np.int64),  # how many root moves to leave out ...
        ("skipped", np.int16, MOST_MOVES),  # ... and which
        ("deepest", np.int64),  # plies reached
    ]
)
"""The memory of a thread besides the position."""

STATE_REF, TABLES_REF, NETWORKS_REF, SCRATCH_REF = Ref(STATE), Ref(TABLES), Ref(NETWORKS), Ref(SCRATCH)
"""The types of arguments of kernels: an array of one record each."""

Record: TypeAlias = npt.NDArray[Any]
"""An array of one `STATE`, `TABLES`, `NETWORKS` or `SCRATCH`."""


class Kind:
    """The strongest threat that a stone of one colour would make on an empty point, over all four lines.

    The order is that of strength, but for the last two: a foul is no move at all, and whether a suspect is
    one takes a search (`tengen.engine.board.fouls`).
    """

    NOTHING = 0
    OPEN_TWO = 1
    TWO_OPEN_TWOS = 2
    THREE = 3
    OPEN_THREE = 4
    THREE_AND_MORE = 5
    DOUBLE_THREE = 6
    FOUR = 7
    FOUR_AND_MORE = 8
    FOUR_THREE = 9
    OPEN_FOUR = 10
    FIVE = 11
    SUSPECT = 12
    FOUL = 13


def new_record(kind: np.dtype[Any]) -> Record:
    """Return an array of one record of a type, all zeros, aligned to a cache line."""
    memory = np.zeros(kind.itemsize + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + kind.itemsize].view(kind)


_MOST_SPARE = 4
_spare: defaultdict[np.dtype[Any], deque[Record]] = defaultdict(lambda: deque(maxlen=_MOST_SPARE))


@contextmanager
def borrowed_record(kind: np.dtype[Any]) -> Iterator[Record]:
    """Lend an array of one record of a type, all zeros, until the context ends.

    Clearing memory that has been used takes a tenth of the time of new memory, which the system provides
    page by page: for the records of a search, as long as a thousand of its nodes.
    """
    try:
        record = _spare[kind].pop()
        record.view(np.uint8).fill(0)
    except IndexError:
        record = new_record(kind)
    try:
        yield record
    finally:
        _spare[kind].append(record)


def copy_of(record: Record) -> Record:
    """Return a copy of a record, aligned to a cache line."""
    copy = new_record(record.dtype)
    copy[0] = record[0]
    return copy


def cell_of(x: int, y: int) -> int:
    """The cell of a point."""
    return (y + FRAME) * ROW + x + FRAME


def places(x: int, y: int) -> tuple[tuple[int, int], ...]:
    """The line through a point in each direction, and the point's place on it."""
    return (y, x), (x, y), (x - y + LINES // 2, x), (x + y, x)
