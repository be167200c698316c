"""Which games are kept apart, to see whether what is learned from the others holds there.

Neighbours in a game are alike, and end alike: whole games are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

_APART = 20
"""One in so many games is kept apart."""

Ints = npt.NDArray[np.int64]


def apart(games: Ints) -> npt.NDArray[np.bool_]:
    """Which positions are of games that are kept apart, by the number of each one's game, shape (n,)."""
    found: npt.NDArray[np.bool_] = games % _APART == 0
    return found


def numbered_on(sets: Iterable[Ints]) -> Iterator[Ints]:
    """The numbers of games of several sets, so that each game has one of its own.

    The same share of each set is kept apart.
    """
    shift = 0
    for games in sets:
        yield games + shift
        shift += int(games.max(initial=0)) + _APART
        shift -= shift % _APART
