"""Ratings from games between any players: the most likely ones, with draws and the advantage of Black.

**The model.** A player of rating r has strength ``pi = 10^(r / 400)``. Black's strength counts ``gamma``
times (R. R. Davidson and R. J. Beaver, "On Extending the Bradley-Terry Model to Incorporate Within-Pair
Order Effects", Biometrics 1977), and a draw is as strong as the geometric mean of both sides, ``nu``
times (R. R. Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
Experiments", Journal of the American Statistical Association 1970):

    Black wins : draw : White wins  =  gamma pi_b : nu sqrt(gamma pi_b pi_w) : pi_w

Without draws that is the model of R. A. Bradley and M. E. Terry (1952), and Elo's. In the logarithms of
strengths, gamma and nu the log-likelihood of the results is concave; Newton's method finds its maximum.

**Errors** are half-widths of 95 % intervals, from the inverse of the information at the maximum. Ratings
are differences by nature. Without an anchor a rating and its error are relative to the mean of all players;
with an anchor they are relative to that player, whose own error is 0. To compare two players ask
`Ratings.difference`: their errors do not simply add up.

**When the results leave something open.** A player that won all games might be stronger by any amount, and
groups that never met cannot be compared. A rating can be raised without end, with no result less likely, if
the players can be split in two so that nobody of the rest ever beat or held anybody on its side (L. R.
Ford, American Mathematical Monthly, 1957). `Rating.bounded` tells. A weak prior makes all numbers finite:

- Players that are all bounded by one another form a group. Where there are several groups, each of them has
  drawn one game more, as a whole, against the average player: half won it and half lost. In a large field a
  player that won n games against average players, and played no other, gets about the rating at which
  (n + 1/2) of (n + 1) points are expected, as by Jeffreys' prior (D. Firth, "Bias reduction of maximum
  likelihood estimates", Biometrika 1993).
- The logarithms of gamma and nu are taken to be normally distributed about 0 and log 2 (T. Leonard, "An
  Alternative Bayesian Approach to the Bradley-Terry Model for Paired Comparisons", Biometrics 1977), with a
  standard deviation of 1,000 Elo, which a few games outweigh. Where no game tells strength from advantage,
  as when one player always had Black, the errors are as large as that, and say so.

Such a prior for all players, as other programs have it by virtual draws, would need no groups; but it pulls
players together, and where a field is wide its errors hold too seldom (`python -m benchmarks ratings`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, TypeAlias

from tengen.arena.statistics import Z95
from tengen.game.errors import TengenError
from tengen.game.notation import shorten

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from threadpoolctl import ThreadpoolController

    Array: TypeAlias = npt.NDArray[np.float64]
    Whole: TypeAlias = npt.NDArray[np.int64]
    Mask: TypeAlias = npt.NDArray[np.bool_]

Bounded: TypeAlias = Literal["both", "below", "above", "none"]
"""From which sides results bound a rating: "below" is that of a player who won all games."""

_SCALE = 400 / math.log(10)
"""Elo of a strength e times as large."""

_WEAK = (_SCALE / 1000) ** 2
"""The information that the prior holds about the logarithms of gamma and nu."""

_STEPS = 200
"""Steps of Newton's method, far more than it takes."""

_HALVINGS = 60
"""How often a step is halved that does not make the results more likely."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is.

    Attributes:
        name: who.
        elo: the rating; see `Ratings` for what 0 is.
        error: half the width of the 95 % interval, relative to what `elo` is relative to.
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
        error: half the width of the 95 % interval; None where the results tell nothing.
    """

    value: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The strength of all players.

    Attributes:
        players: everybody, strongest first. The mean of all ratings is 0, unless there is an anchor.
        advantage: what it is worth to have Black, in Elo.
        draw_rate: how often two equally strong players draw, 0 to 1. 0 if nobody ever drew.
        draw_parameter: nu of the model.
        covariance: of the ratings, in Elo squared; rows and columns in the order of `players`.
    """

    players: tuple[Rating, ...]
    advantage: Estimate
    draw_rate: Estimate
    draw_parameter: float
    covariance: tuple[tuple[float, ...], ...] = field(repr=False)

    def elo(self, name: str) -> float:
        """The rating of a player.

        Raises:
            KeyError: nobody has that name.
        """
        return self.players[self._place(name)].elo

    def difference(self, first: str, second: str) -> tuple[float, float]:
        """How much stronger the first player is than the second, and half the width of the 95 % interval.

        Raises:
            KeyError: nobody has such a name.
        """
        i, j = self._place(first), self._place(second)
        variance = self.covariance[i][i] + self.covariance[j][j] - 2 * self.covariance[i][j]
        return self.players[i].elo - self.players[j].elo, Z95 * math.sqrt(max(variance, 0.0))

    def los(self, first: str, second: str) -> float:
        """How likely it is, 0 to 1, that the first player is stronger than the second.

        Raises:
            KeyError: nobody has such a name.
        """
        difference, error = self.difference(first, second)
        return NormalDist().cdf(Z95 * difference / error) if error else 0.5

    def expected(self, black: str, white: str) -> float:
        """The points, 0 to 1, that the model expects of Black in a game.

        Raises:
            KeyError: nobody has such a name.
        """
        ahead = (self.advantage.value + self.elo(black) - self.elo(white)) / _SCALE
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
        nothing = Estimate(0.0, None)
        return Ratings((), nothing, nothing, 0.0, ())
    games = _Games.of(names, counts)
    anchored = names.index(anchor[0]) if anchor else None
    with _blas().limit(limits=1, user_api="blas"):
        reached = _reached(games)
        theta, covariance = _maximum(games, _groups(reached))
    bounds = _bounds(reached, anchored)
    return _table(names, games, bounds, theta, covariance, (anchored, anchor[1]) if anchor else None)


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    """The threads of NumPy's linear algebra.

    With several, each step waits for the slowest, which on a busy machine is far slower than one thread is
    alone: the matrices are small.
    """
    import numpy as np  # noqa: F401 - its libraries have to be there to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@dataclass(frozen=True, slots=True)
class _Games:
    """Games by the two players. Parameters stand in the order: players, advantage, draw parameter.

    Attributes:
        players: how many there are.
        black: for each of m pairings the number of the player that had Black.
        white: that of the other.
        results: m times 3, how often Black won, drew and lost.
    """

    players: int
    black: Whole
    white: Whole
    results: Array

    @classmethod
    def of(cls, names: Sequence[str], counts: Mapping[tuple[str, str, float], int]) -> _Games:
        import numpy as np

        places = {name: place for place, name in enumerate(names)}
        table: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
        for (black, white, points), count in counts.items():
            table[places[black], places[white]][(1, 0.5, 0).index(points)] += count
        rows = sorted(table)
        blacks, whites = (np.array([row[side] for row in rows], np.int64) for side in (0, 1))
        return cls(len(names), blacks, whites, np.array([table[row] for row in rows], np.float64))

    @property
    def draws(self) -> bool:
        """Whether there was any draw, and so a draw parameter."""
        return bool(self.results[:, 1].any())

    @property
    def width(self) -> int:
        """How many parameters there are."""
        return self.players + 1 + self.draws

    def ahead(self, theta: Array) -> Array:
        """By how much Black is ahead in each pairing."""
        found: Array = theta[self.black] - theta[self.white] + theta[self.players]
        return found

    def gathered(self, values: Array) -> Array:
        """Values of the pairings by parameter: added up for Black and the advantage, taken off for White.

        A player that plays against itself gets nothing.
        """
        import numpy as np

        black, white = (np.bincount(side, values, self.players) for side in (self.black, self.white))
        found: Array = np.concatenate([black - white, [values.sum()], [0.0] * self.draws])
        return found

    def crossed(self, values: Array) -> Array:
        """The same for two parameters at a time, the draw parameter left out."""
        import numpy as np

        n = self.players
        met = np.bincount(self.black * n + self.white, values, n * n).reshape(n, n)
        found = np.zeros((self.width, self.width))
        found[n] = found[:, n] = self.gathered(values)
        found[:n, :n] = np.diag(met.sum(axis=0) + met.sum(axis=1)) - met - met.T
        return found

    def totals(self) -> tuple[list[int], list[float]]:
        """Games and points of each player."""
        import numpy as np

        games, points = np.zeros(self.players), np.zeros(self.players)
        for side, worth in ((self.black, (1, 0.5, 0)), (self.white, (0, 0.5, 1))):
            np.add.at(games, side, self.results.sum(axis=1))
            np.add.at(points, side, self.results @ np.array(worth))
        return [int(count) for count in games], points.tolist()


def _reached(games: _Games) -> Mask:
    """Whether the player of the row bounds that of the column: beat or held it, or one that bounds it."""
    import numpy as np

    reached = np.eye(games.players, dtype=np.bool_)
    won, drawn, lost = games.results.T > 0
    for scored, one, other in (
        (won | drawn, games.black, games.white),
        (lost | drawn, games.white, games.black),
    ):
        reached[one[scored], other[scored]] = True
    while True:
        steps = reached.astype(np.float32)
        further: Mask = steps @ steps > 0  # paths of twice the length
        if (further == reached).all():
            return further
        reached = further


def _groups(reached: Mask) -> Array:
    """For each group of players that bound one another, how much of each player is in it: shares of 1."""
    import numpy as np

    groups = np.unique(reached & reached.T, axis=0).astype(np.float64)
    shares: Array = groups / groups.sum(axis=1, keepdims=True)
    return shares


def _bounds(reached: Mask, reference: int | None) -> list[Bounded]:
    """From which sides each rating is bounded.

    Args:
        reached: from `_reached`.
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


def _maximum(games: _Games, groups: Array) -> tuple[Array, Array]:
    """The most likely parameters, and the inverse of the information there.

    Args:
        games: the games.
        groups: from `_groups`.
    """
    import numpy as np

    theta = np.zeros(games.width)
    value, gradient, information = _posterior(games, groups, theta)
    for _ in range(_STEPS):
        step = _solved(information, gradient)
        gain = float(gradient @ step)
        # The root of the gain is the step in standard errors. Small steps need no check, which rounding
        # might fail, and the last one squares what is left of it.
        share = 1.0
        for _ in range(_HALVINGS):
            there, gradient, information = _posterior(games, groups, theta + share * step)
            if gain < 1e-6 or there >= value + 1e-4 * share * gain:
                break
            share /= 2
        theta, value = theta + share * step, there
        if gain < 1e-14:
            break
    return theta, _solved(information, np.eye(len(theta)))


def _posterior(games: _Games, groups: Array, theta: Array) -> tuple[float, Array, Array]:
    """The logarithm of the posterior, its gradient, and the information (minus the second derivatives).

    Args:
        games: the games.
        groups: each has drawn a game against the average player, if there are several.
        theta: the parameters.
    """
    import numpy as np

    n = games.players
    value, gradient, information = _likelihood(games, theta)
    if len(groups) > 1:
        about = groups - 1 / n
        odds = about @ theta[:n]
        up = 0.5 * (1 + np.tanh(odds / 2))
        value -= float((np.logaddexp(0, odds) - odds / 2).sum())
        gradient[:n] += about.T @ (0.5 - up)
        information[:n, :n] += about.T @ (about * (up * (1 - up))[:, None])
    away = theta[n:] - np.array([0, math.log(2)])[: games.width - n]
    value -= _WEAK / 2 * float(away @ away)
    gradient[n:] -= _WEAK * away
    information[n:, n:] += _WEAK * np.eye(len(away))
    # Nothing gets more or less likely if all players get better alike. This keeps their mean where it is.
    information[:n, :n] += max(information.diagonal().max(), 1) / n
    return value, gradient, information


def _likelihood(games: _Games, theta: Array) -> tuple[float, Array, Array]:
    """The logarithm of the likelihood of the results, its gradient, and the information."""
    import numpy as np

    ahead = games.ahead(theta)
    logs = np.stack([ahead, ahead / 2, np.zeros_like(ahead)], axis=1)
    logs[:, 1] += theta[-1] if games.draws else -np.inf
    logs -= logs.max(axis=1, keepdims=True)
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    chances, played = np.exp(logs), games.results.sum(axis=1)
    seen = games.results > 0
    value = float(games.results[seen] @ logs[seen])

    worth = np.array([1, 0.5, 0])
    mean = chances @ worth
    variance = (chances * (worth - mean[:, None]) ** 2).sum(axis=1)
    gradient = games.gathered(games.results @ worth - played * mean)
    information = games.crossed(played * variance)
    if games.draws:
        drawn = chances[:, 1]
        gradient[-1] = (games.results[:, 1] - played * drawn).sum()
        information[-1] = information[:, -1] = games.gathered(played * drawn * (0.5 - mean))
        information[-1, -1] = (played * drawn * (1 - drawn)).sum()
    return value, gradient, information


def _solved(matrix: Array, right: Array) -> Array:
    """What the symmetric, positive matrix must be multiplied with to give `right`.

    Rounding may leave a matrix that is not quite positive; then a little is added to its diagonal.
    """
    import numpy as np

    for power in range(-15, 1):
        ridge = 0.0 if power == -15 else 10.0**power * matrix.diagonal().max()
        kept = matrix + ridge * np.eye(len(matrix))
        try:
            np.linalg.cholesky(kept)
        except np.linalg.LinAlgError:
            continue
        break
    return np.linalg.solve(kept, right).astype(np.float64)


def _table(
    names: Sequence[str],
    games: _Games,
    bounds: Sequence[Bounded],
    theta: Array,
    covariance: Array,
    anchor: tuple[int | None, float] | None,
) -> Ratings:
    """Parameters and their covariance as ratings."""
    import numpy as np

    n = games.players
    relative = np.eye(n)
    if anchor:
        relative[:, anchor[0]] -= 1
    else:
        relative -= 1 / n
    elos = _SCALE * (relative @ theta[:n]) + (anchor[1] if anchor else 0.0)
    spread = _SCALE**2 * (relative @ covariance[:n, :n] @ relative.T)
    played, points = games.totals()
    # Equal players keep the order of their names, whatever the last digits say.
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
    advantage = Estimate(_SCALE * float(theta[n]), Z95 * _SCALE * math.sqrt(float(covariance[n, n])))
    drawn, parameter = Estimate(0.0, None), 0.0
    if games.draws:
        drawn = _draw_rate(float(theta[n]), float(theta[-1]), covariance[n:, n:])
        parameter = math.exp(float(theta[-1]))
    rows = tuple(tuple(map(float, row)) for row in spread[order][:, order])
    return Ratings(players, advantage, drawn, parameter, rows)


def _draw_rate(advantage: float, parameter: float, covariance: Array) -> Estimate:
    """The rate of draws between equals, from the logarithms of gamma and nu."""
    import numpy as np

    # nu : 2 cosh(log gamma / 2) are the odds of a draw.
    odds = parameter - np.logaddexp(advantage / 2, -advantage / 2)
    drawn = 0.5 * (1 + math.tanh(odds / 2))
    slopes = drawn * (1 - drawn) * np.array([-math.tanh(advantage / 2) / 2, 1])
    return Estimate(drawn, Z95 * math.sqrt(max(float(slopes @ covariance @ slopes), 0.0)))
