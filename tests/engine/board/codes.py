"""The codes of lines (`tengen.engine.board.patterns`) that occur, and their patterns."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from tengen import BLACK, Rules
from tengen.engine.board.patterns import CODES, REACH, SIDE_CODES
from tengen.engine.board.rule_tables import new_tables
from tengen.game.points import Colour


@cache
def possible_codes() -> npt.NDArray[np.int64]:
    """Return the codes whose edges have no gap, in ascending order."""
    sides = [
        [*contents, *[3] * (REACH - length)]
        for length in range(REACH + 1)
        for contents in product((0, 1, 2), repeat=length)
    ]
    codes = [code_of([*reversed(behind), *ahead]) for behind in sides for ahead in sides]
    return np.array(sorted(codes))


def code_of(points: list[int]) -> int:
    """Return the code of ten points around one, from the farthest backwards on."""
    return sum(point << (2 * place) for place, point in enumerate(points))


def patterns_of(rules: Rules, colour: Colour) -> npt.NDArray[np.uint8]:
    """Return the pattern of a colour for each code, shape (`CODES`,); 0 where a code cannot occur."""
    tables, codes = new_tables(rules)[0], possible_codes()
    place = tables["behind"][codes & (SIDE_CODES - 1)] + tables["ahead"][codes // SIDE_CODES]
    both, found = tables["patterns"][place], np.zeros(CODES, np.uint8)
    found[codes] = both & 15 if colour == BLACK else both >> 4
    return found
