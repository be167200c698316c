"""Ratings from games between any players: maximum likelihood, with draws and the advantage of Black.

**The model.** A player of rating r has strength ``pi = 10^(r / 400)``. Black's strength counts ``gamma``
times (R. R. Davidson and R. J. Beaver, "On Extending the Bradley-Terry Model to Incorporate Within-Pair
Order Effects", Biometrics 1977), and a draw is as strong as the geometric mean of both sides, ``nu``
times (R. R. Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
Experiments", Journal of the American Statistical Association 1970):

    Black wins : draw : White wins  =  gamma pi_b : nu sqrt(gamma pi_b pi_w) : pi_w

Without draws that is the model of R. A. Bradley and M. E. Terry (1952), and Elo's. In the logarithms of
strengths, gamma and nu the log-likelihood of the results is concave; Newton's method finds its maximum.

**Errors** are half-widths of 95 % intervals, from the inverse of the observed information. Ratings are
differences by nature. Without an anchor a rating and its error are relative to the mean of all players;
with an anchor they are relative to that player, whose own error is 0. To compare two players ask
`Ratings.difference`: their errors do not simply add up.

**When the results leave something open.** A player that won all games might be stronger by any amount;
groups that never met cannot be compared; if one player always had Black, nobody can tell its strength
from the advantage. Then the likelihood has no single maximum (see `tengen.arena.bounds`). A weak prior
makes all numbers finite. It is used only then, and only where it is needed:

- Each group of players that is rated well within itself has drawn one game more, as a whole, against the
  average player.
- If the advantage or the rate of draws is open too, every player has drawn such a game; one more game
  between equals was drawn for the advantage, and for the rate of draws one more game was half a draw.

"Drawn" here is half won and half lost. In a large field a player that won n games against average
players, and played no other, gets about the rating at which (n + 1/2) of (n + 1) points are expected, as by
Jeffreys' prior (D. Firth, "Bias reduction of maximum likelihood estimates", Biometrika 1993).
`Rating.bounded` and `Estimate.bounded` tell which numbers the results bound.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

from tengen.arena.bounds import Bounded, Bounds, bounds
from tengen.arena.statistics import Z95
from tengen.game.errors import TengenError
from tengen.game.notation import shorten

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from threadpoolctl import ThreadpoolController

    Array: TypeAlias = npt.NDArray[np.float64]
    Whole: TypeAlias = npt.NDArray[np.int64]

_SCALE = 400 / math.log(10)
"""Elo of a strength e times as large."""

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
            do not tell. Unless "both", `elo` and `error` rest on the prior.
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
        bounded: from which sides the results bound the number, as in `Rating`.
    """

    value: float
    error: float | None
    bounded: Bounded = "both"


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
        nothing = Estimate(0.0, None, "none")
        return Ratings((), nothing, nothing, 0.0, ())
    games = _Games.of(names, counts)
    anchored = names.index(anchor[0]) if anchor else None
    with _blas().limit(limits=1, user_api="blas"):
        open_ = games.bounds(anchored)
        theta, covariance = _maximum(games, _prior(games, open_))
    return _table(names, games, open_, theta, covariance, (anchored, anchor[1]) if anchor else None)


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

    def bounds(self, reference: int | None) -> Bounds:
        import numpy as np

        masks = np.zeros((3, self.players, self.players), np.bool_)
        masks[:, self.black, self.white] = self.results.T > 0
        won, drawn, lost = masks
        return bounds(won, drawn, lost, reference)

    def totals(self) -> tuple[list[int], list[float]]:
        """Games and points of each player."""
        import numpy as np

        games, points = np.zeros(self.players), np.zeros(self.players)
        for side, worth in ((self.black, (1, 0.5, 0)), (self.white, (0, 0.5, 1))):
            np.add.at(games, side, self.results.sum(axis=1))
            np.add.at(points, side, self.results @ np.array(worth))
        return [int(count) for count in games], points.tolist()


def _prior(games: _Games, open_: Bounds) -> tuple[Array, Array]:
    """The half-won games of the prior: what of the parameters they are about, and what is added to it."""
    import numpy as np

    n, width = games.players, games.width
    shares = np.zeros((0, n))  # a row for each game: how much of each player takes part in it
    if not open_.alone:
        shares = np.eye(n)
    elif max(open_.groups) > 0:
        groups = np.array(open_.groups)
        shares = np.array([groups == number for number in range(max(groups) + 1)], np.float64)
        shares /= shares.sum(axis=1, keepdims=True)
    about = np.zeros((len(shares), width))
    about[:, :n] = shares - 1 / n
    added = np.zeros(len(shares))
    if not open_.alone:
        about = np.vstack([about, np.eye(width)[n:]])
        # Between equals nu : 2 are the odds of a draw.
        added = np.append(added, [0, -math.log(2)][: width - n])
    return about, added


def _maximum(games: _Games, prior: tuple[Array, Array]) -> tuple[Array, Array]:
    """The most likely parameters, and the inverse of the information there."""
    import numpy as np

    theta = np.zeros(games.width)
    value, gradient, information = _likelihood(games, prior, theta)
    for _ in range(_STEPS):
        step = _solved(information, gradient)
        gain = float(gradient @ step)
        # The root of the gain is the step in standard errors. Small steps need no check, which rounding
        # might fail, and the last one squares what is left of it.
        share = 1.0
        for _ in range(_HALVINGS):
            there, gradient, information = _likelihood(games, prior, theta + share * step)
            if gain < 1e-6 or there >= value + 1e-4 * share * gain:
                break
            share /= 2
        theta, value = theta + share * step, there
        if gain < 1e-14:
            break
    return theta, _solved(information, np.eye(len(theta)))


def _likelihood(games: _Games, prior: tuple[Array, Array], theta: Array) -> tuple[float, Array, Array]:
    """The logarithm of the likelihood, its gradient, and the information (minus the second derivatives)."""
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

    about, added = prior
    odds = about @ theta + added
    up = 0.5 * (1 + np.tanh(odds / 2))
    value -= float((np.logaddexp(0, odds) - odds / 2).sum())
    gradient += about.T @ (0.5 - up)
    information += about.T @ (about * (up * (1 - up))[:, None])
    # Nothing gets more or less likely if all players get better alike. This keeps their mean where it is.
    information[: games.players, : games.players] += max(information.diagonal().max(), 1) / games.players
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
    open_: Bounds,
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
            open_.players[i],
        )
        for i in order
    )
    advantage = Estimate(
        _SCALE * float(theta[n]), Z95 * _SCALE * math.sqrt(float(covariance[n, n])), open_.advantage
    )
    drawn, parameter = Estimate(0.0, None, "above"), 0.0
    if games.draws:
        drawn = _draw_rate(float(theta[n]), float(theta[-1]), covariance[n:, n:], open_.draws)
        parameter = math.exp(float(theta[-1]))
    rows = tuple(tuple(map(float, row)) for row in spread[order][:, order])
    return Ratings(players, advantage, drawn, parameter, rows)


def _draw_rate(advantage: float, parameter: float, covariance: Array, bounded: Bounded) -> Estimate:
    """The rate of draws between equals, from the logarithms of gamma and nu."""
    import numpy as np

    # nu : 2 cosh(log gamma / 2) are the odds of a draw.
    odds = parameter - np.logaddexp(advantage / 2, -advantage / 2)
    drawn = 0.5 * (1 + math.tanh(odds / 2))
    slopes = drawn * (1 - drawn) * np.array([-math.tanh(advantage / 2) / 2, 1])
    return Estimate(drawn, Z95 * math.sqrt(max(float(slopes @ covariance @ slopes), 0.0)), bounded)
