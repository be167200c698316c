"""Maximum a posteriori ratings from games between any players, with draws and the advantage of Black.

For the model, its prior and unbounded ratings see `tengen.arena.rating_model`.

**Errors** are half-widths of 95 % intervals, from the inverse of the information at the maximum. Ratings
are differences by nature. Without an anchor a rating and its error are relative to the mean of all players;
with an anchor they are relative to that player, whose own error is 0. To compare two players use
`Ratings.difference`: their errors do not simply add up.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, TypeAlias

from tengen.arena.rating_model import SCALE, GamesByPair, map_estimate, reachability
from tengen.arena.statistics import Z95
from tengen.game.errors import TengenError
from tengen.game.notation import shorten

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

    from tengen.arena.rating_model import Array, Mask

Bounded: TypeAlias = Literal["both", "below", "above", "none"]
"""The sides from which results bound a rating: only from "below" if the player won all its games."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of one player.

    Attributes:
        name: of the player.
        elo: the rating; see `Ratings` for what 0 is.
        error: half the width of the 95 % interval of `elo`, relative to the zero of `elo`.
        games: games played (one against itself counts twice).
        points: points made in them.
        bounded: from which sides the results bound the rating, compared with the anchor, or else with the
            largest group of players that were all beaten or held by one another. "below": there is no upper
            bound, as for a player who won all games. "above": there is no lower bound. "none": the results
            do not tell. Unless "both", `elo` and `error` rest on the prior. The advantage of Black and the
            rate of draws are taken as known for this.
    """

    name: str
    elo: float
    error: float
    games: int
    points: float
    bounded: Bounded = "both"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its error.

    Attributes:
        value: the number.
        error: half the width of the 95 % interval; None where the results do not determine it.
    """

    value: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The strength of all players.

    Attributes:
        players: everybody, strongest first. The mean of all ratings is 0, unless there is an anchor.
        advantage: the advantage of Black, in Elo.
        draw_parameter: nu of the model.
        covariance: of the ratings, in Elo squared; rows and columns in the order of `players`.
    """

    players: tuple[Rating, ...]
    advantage: Estimate
    draw_parameter: float
    covariance: tuple[tuple[float, ...], ...] = field(repr=False)

    def elo(self, name: str) -> float:
        """The rating of a player.

        Raises:
            KeyError: no player has that name.
        """
        return self.players[self._place(name)].elo

    def difference(self, first: str, second: str) -> tuple[float, float]:
        """Return the first player's lead over the second, and half the width of the 95 % interval.

        Raises:
            KeyError: no player has such a name.
        """
        i, j = self._place(first), self._place(second)
        variance = self.covariance[i][i] + self.covariance[j][j] - 2 * self.covariance[i][j]
        return self.players[i].elo - self.players[j].elo, Z95 * math.sqrt(max(variance, 0.0))

    def los(self, first: str, second: str) -> float:
        """Return the probability, 0 to 1, that the first player is stronger than the second.

        Raises:
            KeyError: no player has such a name.
        """
        difference, error = self.difference(first, second)
        return NormalDist().cdf(Z95 * difference / error) if error else 0.5

    def expected(self, black: str, white: str) -> float:
        """The points, 0 to 1, that the model expects of Black in a game.

        Raises:
            KeyError: no player has such a name.
        """
        ahead = (self.advantage.value + self.elo(black) - self.elo(white)) / SCALE
        less = math.exp(-abs(ahead))
        drawn = self.draw_parameter * math.sqrt(less)
        points = (1 + drawn / 2) / (1 + drawn + less)
        return points if ahead >= 0 else 1 - points

    def _place(self, name: str) -> int:
        for place, rating in enumerate(self.players):
            if rating.name == name:
                return place
        raise KeyError(name)


def rate(results: Iterable[tuple[str, str, float]], *, anchor: tuple[str, float] | None = None) -> Ratings:
    """Rate players by their games.

    The order of the results does not matter. There may be none.

    Args:
        results: name of Black, name of White, points of Black (1, 0.5 or 0) of each game.
        anchor: a player and its rating; None makes the mean of all ratings 0.

    Raises:
        TengenError: the anchor is none of the players.
        ValueError: some other number of points.
    """
    counts = Counter(results)
    names = sorted({name for black, white, _ in counts for name in (black, white)})
    if anchor and anchor[0] not in names:
        known = tuple(shorten(name) for name in names[:10])
        raise TengenError("error.rating.anchor", name=shorten(anchor[0]), names=known)
    if not names:
        return Ratings((), Estimate(0.0, None), 0.0, ())
    games = GamesByPair.from_counts(names, counts)
    anchored = names.index(anchor[0]) if anchor else None
    with _blas().limit(limits=1, user_api="blas"):
        reached = reachability(games)
        theta, covariance = map_estimate(games, reached)
    sides = _bounded(reached, anchored)
    return _table(names, games, sides, theta, covariance, (anchored, anchor[1]) if anchor else None)


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    """The threads of NumPy's linear algebra.

    With several, each step waits for the slowest, which on a busy machine is far slower than one thread is
    alone: the matrices are small.
    """
    import numpy as np  # noqa: F401 - its libraries have to be there to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _bounded(reached: Mask, reference: int | None) -> list[Bounded]:
    """Return the sides from which the results bound each rating.

    Args:
        reached: from `tengen.arena.rating_model.reachability`.
        reference: the player that all others are compared with. None compares everybody with the largest
            group (the first of equal size), and with all players where no group has two.
    """
    import numpy as np

    mutual = reached & reached.T
    others = mutual[mutual.sum(axis=1).argmax()]
    if reference is not None:
        others = np.arange(len(reached)) == reference
    elif others.sum() == 1:
        others = np.ones_like(others)
    sides: dict[tuple[bool, bool], Bounded] = {
        (True, True): "both",
        (True, False): "below",
        (False, True): "above",
        (False, False): "none",
    }
    below, above = np.all(reached[:, others], axis=1).tolist(), np.all(reached[others], axis=0).tolist()
    return [sides[low, high] for low, high in zip(below, above, strict=True)]


def _table(
    names: Sequence[str],
    games: GamesByPair,
    bounds: Sequence[Bounded],
    theta: Array,
    covariance: Array,
    anchor: tuple[int | None, float] | None,
) -> Ratings:
    """Return the ratings that parameters and their covariance stand for."""
    import numpy as np

    n = games.players
    relative = np.eye(n)
    if anchor:
        relative[:, anchor[0]] -= 1
    else:
        relative -= 1 / n
    elos = SCALE * (relative @ theta[:n]) + (anchor[1] if anchor else 0.0)
    spread = SCALE**2 * (relative @ covariance[:n, :n] @ relative.T)
    played, points = games.totals()
    # Equal players are in the order of their names, whatever the last digits.
    order = sorted(range(n), key=lambda i: (-round(float(elos[i]), 6), names[i]))
    players = tuple(
        Rating(
            names[i],
            float(elos[i]),
            Z95 * math.sqrt(max(float(spread[i, i]), 0.0)),
            played[i],
            points[i],
            bounds[i],
        )
        for i in order
    )
    advantage = Estimate(SCALE * float(theta[n]), Z95 * SCALE * math.sqrt(float(covariance[n, n])))
    parameter = math.exp(float(theta[-1])) if games.has_draws else 0.0
    rows = tuple(tuple(map(float, row)) for row in spread[order][:, order])
    return Ratings(players, advantage, parameter, rows)
