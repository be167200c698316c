"""The rules and the geometry of a board as one record, for kernels that play any m,n,k game.

Points are those of `tengen.game`, ``y * width + x``. A *line* is a row, a column or a diagonal, and a
*place* is where a point lies on it: x + 1, and y + 1 on a column. The stones of one colour on a line are
the bits of an int64, by place; bit 0 and the bit after the last place are off the board and never set.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from tengen.arrays import action_count, longest_game
from tengen.engine.board.records import Record, aligned, new_record
from tengen.engine.kernels.signatures import Ref
from tengen.game.points import BLACK, DIRECTIONS, WHITE
from tengen.game.rules import MAX_SIDE, Rules

_LONGEST = MAX_SIDE + 14
"""More in a row than any line has."""

_POINTS = 1 << 12
"""Capacity for points: a power of two, so that ``_POINTS - 1`` masks them."""

_LINES = 1 << 9
"""Capacity for lines."""

FORBIDDEN, LOSES, CLAIMED = range(3)
"""The enforcement of fouls, as the record numbers it."""

_ENFORCEMENT = {"forbidden": FORBIDDEN, "loses": LOSES, "claimed": CLAIMED}

RULE_RECORD = aligned(
    [
        ("points", np.int64),
        ("actions", np.int64),  # points; then a claim, where the rules have claims; then the pass, likewise
        ("plies", np.int64),  # of the longest game
        ("lines", np.int64),  # number of lines
        ("k", np.int64),
        ("long_wins", np.int64, 2),  # by side: whether more than k in a row win
        ("closed", np.int64),  # whether the enemy at both ends spoils k in a row
        ("has_fouls", np.int64),
        ("overlines", np.int64),  # which fouls Black has
        ("double_fours", np.int64),
        ("double_threes", np.int64),
        ("enforcement", np.int64),
        ("passing", np.int64),
        ("reach", np.int64),  # how far along a line a stone changes shapes
        ("window", np.int64),  # a bit for each place less than k away from place k - 1
        ("steps", np.int64, 4),  # by direction: from a point to the next one
        ("on_board", np.int64, _LINES),  # the places of each line
        ("line", np.int16, (_POINTS, 4)),  # of each point, by direction
        ("place", np.int16, (_POINTS, 4)),  # on that line
    ]
)
"""The rules of a batch of boards: numbers and flags of 1 or 0."""

RULES_REF = Ref(RULE_RECORD)


@lru_cache(maxsize=16)
def rule_record(rules: Rules) -> Record:
    """Return the record of some rules: an array of one `RULE_RECORD`, not to be changed."""
    made = new_record(RULE_RECORD)
    record = made[0]
    record["points"] = rules.points
    record["actions"] = action_count(rules)
    record["plies"] = longest_game(rules)
    record["k"] = k = min(rules.k, _LONGEST)
    record["long_wins"] = [rules.overline_wins(BLACK), rules.overline_wins(WHITE)]
    record["closed"] = rules.blocked_five != "wins"
    record["has_fouls"] = rules.has_fouls
    record["overlines"] = rules.overline == "foul"
    record["double_fours"], record["double_threes"] = rules.double_four, rules.double_three
    record["enforcement"] = _ENFORCEMENT[rules.fouls]
    record["passing"] = rules.passing
    # What lies beyond k points makes no difference, unless rows of any length win.
    record["reach"] = MAX_SIDE if rules.overline_wins(BLACK) else min(k, MAX_SIDE)
    record["window"] = (1 << (2 * k - 1)) - 1 if k < 32 else -1
    record["steps"] = [dy * rules.width + dx for dx, dy in DIRECTIONS]
    _fill_lines(record, rules.width, rules.height)
    return made


def _fill_lines(record: Record, width: int, height: int) -> None:
    """Number the lines of a board: rows, columns, rising and falling diagonals."""
    y, x = np.divmod(np.arange(width * height), width)
    diagonals = width + height - 1
    starts = 0, height, height + width, height + width + diagonals
    numbers = y, x, x - y + height - 1, x + y
    for direction, (start, number) in enumerate(zip(starts, numbers, strict=True)):
        place = (y if direction == 1 else x) + 1
        record["line"][: len(x), direction] = start + number
        record["place"][: len(x), direction] = place
        np.bitwise_or.at(record["on_board"], start + number, np.int64(1) << place)
    record["lines"] = starts[-1] + diagonals
