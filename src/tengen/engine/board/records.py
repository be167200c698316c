"""The memory of a search: one record for the position, one for the tables of its rules.

Everything that the compiled functions touch stands in these two records, so that a call hands over two
pointers and nothing is counted or copied. A board of up to 22x22 lies in a frame of five points that are
off the board, in rows of 32: a *cell* is ``(y + 5) * 32 + (x + 5)``, x and y as in `tengen.game.points`.
Arrays are as long as a power of two, so that an index masked with its length needs no further check.

A *line* holds all points in a row in one integer, two bits each from bit 0: the point at place i of the
line has bits ``2 * (i + 5)`` and the next; off the board both are set. The code of a point
(`tengen.engine.board.patterns`) is then a shift and a mask away.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen.engine.board.patterns import CODES, SIDE_CODES, Pattern, pattern_table, possible_sides
from tengen.engine.board.playable import LARGEST, check_rules
from tengen.engine.board.point_classes import CLASSES, class_patterns, class_table
from tengen.engine.kernels.jit import kept_array
from tengen.game.points import EMPTY
from tengen.game.rules import Rules

FRAME = 5
ROW = 32
CELLS = 1024
LINES = 64
PLIES = 512
CHANGES = 1 << 15
"""Pattern changes that can be undone: 40 a stone, a full board, and room."""

STEPS = (1, ROW, ROW + 1, 1 - ROW)
"""From a cell to the next one in each direction: along a row, a column, and both diagonals."""

KINDS = 16
"""How many kinds of points there are; see `Kind`."""

SITUATIONS = 1 << 10
"""How many combinations of threats there are."""

WIDTH, POOLS, UNITS = 32, 9, 32
"""The network's measures: numbers in a row of its table, parts of the board, units of its layers."""

SIDES = 364
"""How many ways five points on one side of another can look, the edge of the board included."""

LINE_PATTERNS = 1 << 18
"""Room for the patterns of all lines that there are, `SIDES` times `SIDES`."""

CLASS_NUMBERS = 1 << 12
"""Room for all classes (`tengen.engine.board.point_classes`)."""

CEILING = 511
"""Sums of the network count up to here; 128 are 1. A ninth of a board then fits into 16 bits."""

UNIT_BITS = 18
"""The units of the first layer are counted in parts of a power of two."""

STEPS_AWAY = 100
"""How many ways a cell can lie from another are told apart; see `tengen.engine.search.moves.steps_away`."""

CONTEXTS = 2 * STEPS_AWAY + KINDS * KINDS
"""How many numbers say what surrounds a move: where the last two moves lie, and what it makes and stops."""

CACHE_LINE = 64
"""Bytes that a processor has from memory at once."""

_LARGEST_NUMBER = 8
"""Bytes of the largest single number."""


def _aligned(fields: list[tuple[Any, ...]]) -> np.dtype[np.void]:
    """A record whose arrays of a cache line or more begin with one, if the record does.

    A vector that lies across two cache lines is twice the work to fetch.
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


STATE = _aligned(
    [
        ("size", np.int64),
        ("reach", np.int64),  # how far along a line a stone changes patterns
        ("ply", np.int64),
        ("turn", np.int64),  # 0 Black, 1 White
        ("hash", np.int64),
        ("changed", np.int64),  # entries of `changes` in use
        ("lines", np.int64, (4, LINES)),
        ("cells", np.uint8, CELLS),  # 0 empty, 1 black, 2 white, 3 off the board
        ("patterns", np.uint32, CELLS),  # of an empty cell: four bits a direction, Black's 16 bits first
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
        (
            "worth",
            np.int64,
        ),  # of all empty cells, for either side to move; see `tengen.engine.evaluation.static`
        ("common", np.int64),  # plies that have not been taken off since the network looked
        ("nodes", np.int64),  # stones put down so far
        ("most_nodes", np.int64),  # where a search has to end
        ("stop", np.int64),  # set from outside to end it at once
        ("ended", np.int64),  # whether one of these has ended it
        ("stuck", np.int64),  # whether an attack has come to where Black has only fouls left, a draw
    ]
)

TABLES = _aligned(
    [
        ("patterns", np.uint8, LINE_PATTERNS),  # where each is, `behind` and `ahead` say, added up
        ("behind", np.int32, SIDE_CODES),
        ("ahead", np.int32, SIDE_CODES),
        ("classes", np.uint16, 1 << 16),  # by patterns of one colour
        ("kinds", np.uint8, (2, CLASS_NUMBERS)),  # by colour and class
        (
            "worths",
            np.int64,
            (2, CLASS_NUMBERS),
        ),  # by colour and class; see `tengen.engine.evaluation.static`
        ("situations", np.int16, (2, SITUATIONS)),  # by side to move; see `tengen.engine.evaluation.static`
        ("orders", np.int16, (2, 2, CLASS_NUMBERS)),  # how likely a move is: by a colour, or against it
        ("contexts", np.int16, (2, CONTEXTS)),  # what that changes for what surrounds it, by side to move
        ("reductions", np.uint8, (64, 64)),  # of the depth, by depth and number of the move
        ("network", np.int64),  # whether there is one, 1 or 0; see `tengen.engine.evaluation.network`
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
        ("policy", np.int64),  # whether there is one, 1 or 0; see `tengen.engine.evaluation.policy`
        ("policy_rows", np.int16, 2 * SIDES * SIDES * WIDTH),  # where each row is, `rows_ahead` says
        ("policy_steps", np.int16, 2 * STEPS_AWAY * WIDTH),
        ("policy_bias", np.int16, 2 * WIDTH),  # by side to move
        ("policy_whole", np.float32, WIDTH * WIDTH),
        ("policy_out", np.int16, WIDTH),
        ("without", np.int64),  # techniques to be left out; see `tengen.engine.board.techniques`
        ("overlines", np.int64),  # which fouls Black has, 1 or 0 each
        ("double_fours", np.int64),
        ("double_threes", np.int64),
        ("closed", np.int64),  # whether the enemy at both ends spoils a five, 1 or 0
        ("barred", np.int64),  # whether fouls are no moves: with only fouls left, the game is a draw
    ]
)

MEMORY = 1 << 16
"""Positions that a search for fours remembers."""

PLACE_BITS = 9
MOST_MOVES = 1 << PLACE_BITS
MOST_THREATS = 16
"""Open fours of the enemy's that replies are compared with."""

DEEPEST = 120
"""Plies from the root that a search goes at most."""

_STACK = DEEPEST + 8

KEPT_PLIES = 128
"""Plies from the root whose changes to the network's sums can be taken back, ..."""

KEPT_ROWS = 1 << 14
"""... and the changes: 80 a stone, and room."""

CORRECTIONS = 1 << 17
"""Positions of which a search remembers what the network adds."""

SAMPLES = 256
"""Positions of a search that are kept to learn from, at most; see `tengen.engine.search.sampling`."""

SCRATCH = _aligned(
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
        ("skip", np.int64),  # how many root moves to leave out ...
        ("skipped", np.int16, MOST_MOVES),  # ... and which
        ("deepest", np.int64),  # plies reached
    ]
)
"""What a thread needs besides the position."""

Record: TypeAlias = npt.NDArray[Any]
"""An array of one `STATE` or `TABLES`."""


class Kind:
    """What a stone of one colour would make on an empty point, all four lines together.

    The order is that of strength, but for the last two: a foul is no move at all, and of a suspect it has
    to be found out (`tengen.engine.board.fouls`).
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
    """An array of one `STATE`, `TABLES` or `SCRATCH`, all zeros, that begins with a cache line."""
    memory = np.zeros(kind.itemsize + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + kind.itemsize].view(kind)


def copy_of(record: Record) -> Record:
    """Another record that is the same, and begins with a cache line, too."""
    copy = new_record(record.dtype)
    copy[0] = record[0]
    return copy


def new_tables(rules: Rules) -> Record:
    """The tables of some rules, the same for every size: an array of one `TABLES`, not to be changed."""
    check_rules(rules)
    return _tables(replace(rules, width=LARGEST, height=LARGEST))


@lru_cache(maxsize=8)
def _tables(rules: Rules) -> Record:
    tables = new_record(TABLES)
    behind, ahead = possible_sides()
    tables["behind"][0, behind] = np.arange(SIDES) * SIDES
    tables["ahead"][0, ahead] = np.arange(SIDES)
    patterns = _kept_patterns(rules)[behind[:, None] + ahead * SIDE_CODES]
    tables["patterns"][0, : SIDES * SIDES] = patterns.reshape(-1)
    tables["classes"][0] = class_table()
    tables["overlines"] = rules.overline == "foul"
    tables["double_fours"] = rules.double_four
    tables["double_threes"] = rules.double_three
    tables["closed"] = rules.blocked_five != "wins"
    tables["barred"] = rules.has_fouls and rules.fouls == "forbidden"
    for side, fouls in enumerate((rules, None)):
        tables["kinds"][0, side, :CLASSES] = kinds_of_classes(fouls)
    return tables


def _kept_patterns(rules: Rules) -> npt.NDArray[np.uint8]:
    """The patterns of some rules, kept beside the compiled functions once they have been worked out."""
    name = hashlib.sha256(repr(sorted(rules.to_dict().items())).encode()).hexdigest()[:16]
    return kept_array(f"patterns-{name}", (CODES,), np.uint8, pattern_table, rules)


def kinds_of_classes(fouls: Rules | None) -> npt.NDArray[np.uint8]:
    """The kind of a point by its class: uint8, shape (`CLASSES`,).

    Args:
        fouls: the rules, where this colour has fouls.
    """
    patterns = class_patterns().T

    def count(*kinds: Pattern) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = np.isin(patterns, kinds).sum(axis=0)
        return found

    fours = count(Pattern.FOUR, Pattern.OPEN_FOUR) + 2 * count(Pattern.DOUBLE_FOUR)
    open_threes = count(Pattern.OPEN_THREE, Pattern.SLIM_OPEN_THREE)
    threes = count(Pattern.THREE, Pattern.WIDE_THREE)
    open_twos = count(Pattern.OPEN_TWO, Pattern.SLIM_TWO)
    more = (threes + open_twos) > 0
    nothing = np.zeros(CLASSES, bool)
    overline = count(Pattern.OVERLINE) > 0 if fouls and fouls.overline == "foul" else nothing
    double_four = fours >= 2 if fouls and fouls.double_four else nothing
    double_three = open_threes >= 2 if fouls and fouls.double_three else nothing
    cases = (
        (count(Pattern.FIVE) > 0, Kind.FIVE),
        (overline | double_four, Kind.FOUL),
        (double_three, Kind.SUSPECT),
        ((count(Pattern.OPEN_FOUR) > 0) | (fours >= 2), Kind.OPEN_FOUR),
        ((fours == 1) & (open_threes > 0), Kind.FOUR_THREE),
        ((fours == 1) & more, Kind.FOUR_AND_MORE),
        (fours == 1, Kind.FOUR),
        (open_threes >= 2, Kind.DOUBLE_THREE),
        ((open_threes == 1) & more, Kind.THREE_AND_MORE),
        (open_threes == 1, Kind.OPEN_THREE),
        (threes > 0, Kind.THREE),
        (open_twos >= 2, Kind.TWO_OPEN_TWOS),
        (open_twos == 1, Kind.OPEN_TWO),
    )
    conditions, kinds = zip(*cases, strict=True)
    table: npt.NDArray[np.uint8] = np.select(conditions, [np.uint8(kind) for kind in kinds], np.uint8(0))
    return table


def empty_state(rules: Rules, seed: int = 2026) -> Record:
    """An empty board whose patterns have not been looked up yet: an array of one `STATE`.

    Args:
        rules: the rules.
        seed: of the hash keys, the same in every process unless told otherwise.
    """
    check_rules(rules)
    size = rules.width
    state = new_record(STATE)
    record = state[0]
    record["size"] = size
    # Where overlines win and nothing can be closed, the fifth point does not matter.
    plain = rules.overline == "wins" and rules.blocked_five == "wins"
    record["reach"] = FRAME - 1 if plain else FRAME
    record["cells"][:] = 3
    lines = [[(1 << 64) - 1] * LINES for _ in STEPS]
    for y in range(size):
        for x in range(size):
            record["cells"][cell_of(x, y)] = EMPTY
            for direction, (line, place) in enumerate(places(x, y)):
                lines[direction][line] &= ~(3 << (2 * (place + FRAME)))
    record["lines"] = np.array(lines, np.uint64).astype(np.int64)
    generator = np.random.default_rng(seed)
    record["keys"] = generator.integers(-(2**63), 2**63 - 1, (2, CELLS), dtype=np.int64)
    return state


def cell_of(x: int, y: int) -> int:
    """The cell of a point."""
    return (y + FRAME) * ROW + x + FRAME


def places(x: int, y: int) -> tuple[tuple[int, int], ...]:
    """The line through a point in each direction, and the point's place on it."""
    return (y, x), (x, y), (x - y + LINES // 2, x), (x + y, x)
