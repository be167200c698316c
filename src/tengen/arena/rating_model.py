"""The statistical model of ratings: strengths, draws and the advantage of Black, and how it is fitted.

**The model.** A player of rating r has strength ``pi = 10^(r / 400)``. Black's strength is multiplied by
``gamma`` (R. R. Davidson and R. J. Beaver, "On Extending the Bradley-Terry Model to Incorporate Within-Pair
Order Effects", Biometrics 1977), and a draw has ``nu`` times the geometric mean of both strengths (R. R.
Davidson, "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison Experiments",
Journal of the American Statistical Association 1970):

    Black wins : draw : White wins  =  gamma pi_b : nu sqrt(gamma pi_b pi_w) : pi_w

Without draws this is the model of R. A. Bradley and M. E. Terry (1952), and Elo's. The log-likelihood of
the results is concave in the logarithms of the strengths, of gamma and of nu; Newton's method finds its
maximum.

**Unbounded ratings.** A player that won all its games might be stronger by any amount, and groups that
never met cannot be compared. The likelihood has no finite maximum if the players can be split in two so
that no player of one part ever beat or drew with a player of the other (L. R. Ford, American Mathematical
Monthly, 1957). In the directed graph with an edge from each player to those it beat or drew with, such
parts are unions of strongly connected components; `reachability` finds them. A weak prior makes all
estimates finite:

- If there are several components, each of them, as a whole, is given one more game against the average
  player: half a win and half a loss. In a large field a player that won n games against average players,
  and played no others, gets about the rating at which its expected points are (n + 1/2) of (n + 1), as by
  Jeffreys' prior (D. Firth, "Bias reduction of maximum likelihood estimates", Biometrika 1993).
- The logarithms of gamma and nu have normal priors with means 0 and log 2 (T. Leonard, "An Alternative
  Bayesian Approach to the Bradley-Terry Model for Paired Comparisons", Biometrics 1977) and a standard
  deviation of 1,000 Elo, which a few games outweigh. Where the games cannot separate strength from the
  advantage of Black, as when one player always had Black, the errors are as large as this deviation.

Other programs give such a prior, in the form of virtual draws, to every player. It would make the
components unnecessary; but it pulls players together, and in a wide field its error bars contain the truth
too seldom (`python -m benchmarks ratings`).
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
    IntArray: TypeAlias = npt.NDArray[np.int64]
    Mask: TypeAlias = npt.NDArray[np.bool_]

SCALE = 400 / math.log(10)
"""Elo per unit of log-strength."""

_PRIOR_PRECISION = (SCALE / 1000) ** 2
"""Precision (1 / variance) of the normal priors of log gamma and log nu: a deviation of 1,000 Elo."""

_LOG_NU_MEAN = math.log(2)

_MAX_STEPS = 200
"""The most steps of Newton's method, far more than it takes."""

_MAX_HALVINGS = 60
"""The most times that the line search halves a step."""

_ARMIJO = 1e-4
"""The least gain of a step in the line search, as a share of the gain that the gradient predicts."""

_SKIP_LINE_SEARCH = 1e-6
"""The Newton decrement, squared, below which a full step is taken: rounding might fail the line search."""

_CONVERGED = 1e-14
"""The Newton decrement, squared, at which the last step is taken."""


@dataclass(frozen=True, slots=True)
class GamesByPair:
    """Counted results of m pairings (a player with Black, a player with White) of n players.

    The parameters theta are, in this order, the log-strengths of the players, log gamma, and log nu if
    there were draws. The design matrix X, shape [m, parameters], is never built: its row for a pairing
    holds 1 for Black, -1 for White, 1 for gamma and 0 for nu (for a player against itself, 0 for the
    player).

    Attributes:
        players: n.
        black: [m] the number of the player with Black.
        white: [m] the number of the player with White.
        results: [m, 3] Black's wins, draws and losses.
    """

    players: int
    black: IntArray
    white: IntArray
    results: Array

    @classmethod
    def from_counts(cls, names: Sequence[str], counts: Mapping[tuple[str, str, float], int]) -> GamesByPair:
        """Return the games of players with these names, counted by Black, White and Black's points."""
        import numpy as np

        index = {name: number for number, name in enumerate(names)}
        table: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
        for (black, white, points), count in counts.items():
            table[index[black], index[white]][(1, 0.5, 0).index(points)] += count
        pairs = sorted(table)
        blacks, whites = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
        return cls(len(names), blacks, whites, np.array([table[pair] for pair in pairs], np.float64))

    @property
    def has_draws(self) -> bool:
        """True if any game was drawn; only then is nu a parameter."""
        return bool(self.results[:, 1].any())

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return self.players + 1 + self.has_draws

    def log_odds(self, theta: Array) -> Array:
        """Return ``X @ theta``: the log-odds of a win of Black against a loss, shape [m]."""
        odds: Array = theta[self.black] - theta[self.white] + theta[self.players]
        return odds

    def sum_by_parameter(self, values: Array) -> Array:
        """Return ``X.T @ values`` for values of the pairings, shape [parameters]."""
        import numpy as np

        black, white = (np.bincount(side, values, self.players) for side in (self.black, self.white))
        sums: Array = np.concatenate([black - white, [values.sum()], [0.0] * self.has_draws])
        return sums

    def weighted_gram(self, weights: Array) -> Array:
        """Return ``X.T @ diag(weights) @ X``, shape [parameters, parameters]."""
        import numpy as np

        n = self.players
        by_pair = np.bincount(self.black * n + self.white, weights, n * n).reshape(n, n)
        gram = np.zeros((self.parameters, self.parameters))
        gram[n] = gram[:, n] = self.sum_by_parameter(weights)
        gram[:n, :n] = np.diag(by_pair.sum(axis=0) + by_pair.sum(axis=1)) - by_pair - by_pair.T
        return gram

    def totals(self) -> tuple[list[int], list[float]]:
        """Return the number of games and the points of each player."""
        import numpy as np

        games, points = np.zeros(self.players), np.zeros(self.players)
        for side, score in ((self.black, (1, 0.5, 0)), (self.white, (0, 0.5, 1))):
            np.add.at(games, side, self.results.sum(axis=1))
            np.add.at(points, side, self.results @ np.array(score))
        return [int(count) for count in games], points.tolist()


def reachability(games: GamesByPair) -> Mask:
    """Return the transitive closure of "beat or drew with": [n, n] bool, True on the diagonal.

    If j can be reached from i, the results bound i's rating from below compared with j's.
    """
    import numpy as np

    reached = np.eye(games.players, dtype=np.bool_)
    won, drawn, lost = games.results.T > 0
    for scored, player, against in (
        (won | drawn, games.black, games.white),
        (lost | drawn, games.white, games.black),
    ):
        reached[player[scored], against[scored]] = True
    while True:
        steps = reached.astype(np.float32)
        further: Mask = steps @ steps > 0  # paths of twice the length
        if (further == reached).all():
            return further
        reached = further


def _component_means(reached: Mask) -> Array:
    """Return for each strongly connected component the weights, [n], of the mean of its players."""
    import numpy as np

    members = np.unique(reached & reached.T, axis=0).astype(np.float64)
    means: Array = members / members.sum(axis=1, keepdims=True)
    return means


def map_estimate(games: GamesByPair, reached: Mask) -> tuple[Array, Array]:
    """Return the maximum a posteriori parameters, and their covariance (the inverse of the information).

    Args:
        games: the games.
        reached: from `reachability`.
    """
    import numpy as np

    components = _component_means(reached)
    theta = np.zeros(games.parameters)
    value, gradient, information = _log_posterior(games, components, theta)
    for _ in range(_MAX_STEPS):
        step = _solve(information, gradient)
        decrement = float(gradient @ step)
        size = 1.0
        for _ in range(_MAX_HALVINGS):
            new_value, gradient, information = _log_posterior(games, components, theta + size * step)
            if decrement < _SKIP_LINE_SEARCH or new_value >= value + _ARMIJO * size * decrement:
                break
            size /= 2
        theta, value = theta + size * step, new_value
        if decrement < _CONVERGED:
            break
    return theta, _solve(information, np.eye(len(theta)))


def _log_posterior(games: GamesByPair, components: Array, theta: Array) -> tuple[float, Array, Array]:
    """Return the log-posterior, its gradient, and the information (minus its Hessian).

    Args:
        games: the games.
        components: from `_component_means`.
        theta: the parameters.
    """
    import numpy as np

    n = games.players
    value, gradient, information = _log_likelihood(games, theta)
    if len(components) > 1:
        contrasts = components - 1 / n  # each component against the average player
        log_odds = contrasts @ theta[:n]
        expected = 0.5 * (1 + np.tanh(log_odds / 2))
        value -= float((np.logaddexp(0, log_odds) - log_odds / 2).sum())
        gradient[:n] += contrasts.T @ (0.5 - expected)
        information[:n, :n] += contrasts.T @ (contrasts * (expected * (1 - expected))[:, None])
    deviation = theta[n:] - np.array([0, _LOG_NU_MEAN])[: games.parameters - n]
    value -= _PRIOR_PRECISION / 2 * float(deviation @ deviation)
    gradient[n:] -= _PRIOR_PRECISION * deviation
    information[n:, n:] += _PRIOR_PRECISION * np.eye(len(deviation))
    # The posterior does not change when all players gain alike. This keeps their mean where it is.
    information[:n, :n] += max(information.diagonal().max(), 1) / n
    return value, gradient, information


def _log_likelihood(games: GamesByPair, theta: Array) -> tuple[float, Array, Array]:
    """Return the log-likelihood of the results, its gradient, and the information (minus its Hessian)."""
    import numpy as np

    log_odds = games.log_odds(theta)
    logits = np.stack([log_odds, log_odds / 2, np.zeros_like(log_odds)], axis=1)
    logits[:, 1] += theta[-1] if games.has_draws else -np.inf
    logits -= logits.max(axis=1, keepdims=True)
    log_probabilities = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    probabilities, played = np.exp(log_probabilities), games.results.sum(axis=1)
    occurred = games.results > 0  # a result with no games may have log-probability -inf
    value = float(games.results[occurred] @ log_probabilities[occurred])

    points = np.array([1, 0.5, 0])
    mean = probabilities @ points
    variance = (probabilities * (points - mean[:, None]) ** 2).sum(axis=1)
    gradient = games.sum_by_parameter(games.results @ points - played * mean)
    information = games.weighted_gram(played * variance)
    if games.has_draws:
        drawn = probabilities[:, 1]
        gradient[-1] = (games.results[:, 1] - played * drawn).sum()
        information[-1] = information[:, -1] = games.sum_by_parameter(played * drawn * (0.5 - mean))
        information[-1, -1] = (played * drawn * (1 - drawn)).sum()
    return value, gradient, information


def _solve(matrix: Array, right: Array) -> Array:
    """Solve ``matrix @ x = right`` for a symmetric, positive definite matrix.

    Rounding may leave a matrix that is not quite positive definite; the smallest of growing ridges on its
    diagonal repairs it.
    """
    import numpy as np

    for power in range(-15, 1):
        ridge = 0.0 if power == -15 else 10.0**power * matrix.diagonal().max()
        regularised = matrix + ridge * np.eye(len(matrix))
        try:
            np.linalg.cholesky(regularised)
        except np.linalg.LinAlgError:
            continue
        break
    return np.linalg.solve(regularised, right).astype(np.float64)
