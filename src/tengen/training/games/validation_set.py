"""The validation set: games held out, to see whether what is learned from the others holds there.

Neighbours in a game are alike, and end alike: whole games are held out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

_HELD_OUT_EVERY = 20
"""One in so many games is held out."""

Ints = npt.NDArray[np.int64]


def held_out_games(games: Ints) -> npt.NDArray[np.bool_]:
    """Mark the positions of games that are held out, by the number of each one's game, shape (n,)."""
    found: npt.NDArray[np.bool_] = games % _HELD_OUT_EVERY == 0
    return found


def numbered_on(sets: Iterable[Ints]) -> Iterator[Ints]:
    """Renumber the games of several sets, so that each has a number of its own.

    The same share of each set is held out.
    """
    shift = 0
    for games in sets:
        yield games + shift
        shift += int(games.max(initial=0)) + _HELD_OUT_EVERY
        shift -= shift % _HELD_OUT_EVERY
