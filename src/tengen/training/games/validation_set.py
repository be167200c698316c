"""The validation set: games held out, to measure how well models generalise.

Neighbouring positions of a game are similar and share its result, so whole games are held out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

_HELD_OUT_EVERY = 20
"""One in this many games is held out."""

Ints = npt.NDArray[np.int64]


def held_out_games(games: Ints) -> npt.NDArray[np.bool_]:
    """Return a mask of the positions of held-out games, by each position's game number, shape (n,)."""
    found: npt.NDArray[np.bool_] = games % _HELD_OUT_EVERY == 0
    return found


def numbered_on(sets: Iterable[Ints]) -> Iterator[Ints]:
    """Renumber the games of several sets so that all numbers differ.

    The share of held-out games stays the same in each set.
    """
    shift = 0
    for games in sets:
        yield games + shift
        shift += int(games.max(initial=0)) + _HELD_OUT_EVERY
        shift -= shift % _HELD_OUT_EVERY
