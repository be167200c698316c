"""The model behind ratings: strengths, draws and the advantage of Black, and the most likely values of all.

**The model.** A player of rating r has strength ``pi = 10^(r / 400)``. Black's strength counts ``gamma``
times (R. R. Davidson and R. J. Beaver, "On Extending the Bradley-Terry Model to Incorporate Within-Pair
Order Effects", Biometrics 1977), and a draw is as strong as the geometric mean of both sides, ``nu``
times (R. R. Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
Experiments", Journal of the American Statistical Association 1970):

    Black wins : draw : White wins  =  gamma pi_b : nu sqrt(gamma pi_b pi_w) : pi_w

Without draws that is the model of R. A. Bradley and M. E. Terry (1952), and Elo's. In the logarithms of
strengths, gamma and nu the log-likelihood of the results is concave; Newton's method finds its maximum.

**When the results leave something open.** A player that won all games might be stronger by any amount, and
groups that never met cannot be compared. A rating can be raised without end, with no result less likely, if
the players can be split in two so that no player of one part ever beat or drew with a player of the other
(L. R. Ford, American Mathematical Monthly, 1957). `bounding` finds such parts. A weak prior makes all
numbers finite:

- Players that are all bounded by one another form a group. Where there are several groups, each of them has
  drawn one game more, as a whole, against the average player: half won it and half lost. In a large field a
  player that won n games against average players, and played no other, gets about the rating at which
  (n + 1/2) of (n + 1) points are expected, as by Jeffreys' prior (D. Firth, "Bias reduction of maximum
  likelihood estimates", Biometrika 1993).
- The logarithms of gamma and nu are taken to be normally distributed about 0 and log 2 (T. Leonard, "An
  Alternative Bayesian Approach to the Bradley-Terry Model for Paired Comparisons", Biometrics 1977), with a
  standard deviation of 1,000 Elo, which a few games outweigh. Where no game separates strength from
  advantage, as when one player always had Black, the errors are as large as that.

Such a prior for all players, as other programs have it by virtual draws, would need no groups; but it pulls
players together, and where a field is wide its errors hold too seldom (`python -m benchmarks ratings`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.float64]
    Whole: TypeAlias = npt.NDArray[np.int64]
    Mask: TypeAlias = npt.NDArray[np.bool_]

SCALE = 400 / math.log(10)
"""Elo of a strength e times as large."""

_WEAK = (SCALE / 1000) ** 2
"""The information that the prior holds about the logarithms of gamma and nu."""

_STEPS = 200
"""Steps of Newton's method, far more than it takes."""

_HALVINGS = 60
"""The most times that a step is halved while the likelihood does not grow."""


@dataclass(frozen=True, slots=True)
class GamesByPair:
    """Games by the two players. Parameters stand in the order: players, advantage, draw parameter.

    Attributes:
        players: the number of players.
        black: for each of m pairings the number of the player that had Black.
        white: that of the other.
        results: m times 3, how often Black won, drew and lost.
    """

    players: int
    black: Whole
    white: Whole
    results: Array

    @classmethod
    def of(cls, names: Sequence[str], counts: Mapping[tuple[str, str, float], int]) -> GamesByPair:
        """The games of players with these names, counted by Black, White and the points of Black."""
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
        """True if there was any draw, and so a draw parameter."""
        return bool(self.results[:, 1].any())

    @property
    def width(self) -> int:
        """The number of parameters."""
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
        for side, score in ((self.black, (1, 0.5, 0)), (self.white, (0, 0.5, 1))):
            np.add.at(games, side, self.results.sum(axis=1))
            np.add.at(points, side, self.results @ np.array(score))
        return [int(count) for count in games], points.tolist()


def bounding(games: GamesByPair) -> Mask:
    """Return the transitive closure of "beat or drew with": row bounds column. Shape [n, n] bool."""
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


def most_likely(games: GamesByPair, bounds: Mask) -> tuple[Array, Array]:
    """The most likely parameters, and the inverse of the information there.

    Args:
        games: the games.
        bounds: from `bounding`.
    """
    import numpy as np

    groups = _groups(bounds)
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


def _posterior(games: GamesByPair, groups: Array, theta: Array) -> tuple[float, Array, Array]:
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


def _likelihood(games: GamesByPair, theta: Array) -> tuple[float, Array, Array]:
    """The logarithm of the likelihood of the results, its gradient, and the information."""
    import numpy as np

    ahead = games.ahead(theta)
    logs = np.stack([ahead, ahead / 2, np.zeros_like(ahead)], axis=1)
    logs[:, 1] += theta[-1] if games.draws else -np.inf
    logs -= logs.max(axis=1, keepdims=True)
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    probabilities, played = np.exp(logs), games.results.sum(axis=1)
    seen = games.results > 0
    value = float(games.results[seen] @ logs[seen])

    score = np.array([1, 0.5, 0])
    mean = probabilities @ score
    variance = (probabilities * (score - mean[:, None]) ** 2).sum(axis=1)
    gradient = games.gathered(games.results @ score - played * mean)
    information = games.crossed(played * variance)
    if games.draws:
        drawn = probabilities[:, 1]
        gradient[-1] = (games.results[:, 1] - played * drawn).sum()
        information[-1] = information[:, -1] = games.gathered(played * drawn * (0.5 - mean))
        information[-1, -1] = (played * drawn * (1 - drawn)).sum()
    return value, gradient, information


def _solved(matrix: Array, right: Array) -> Array:
    """Solve ``matrix @ x = right`` for a symmetric, positive matrix.

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
