"""Glicko-2: ratings of people who play now and then, with how sure they are; updated from game to game.

After Mark E. Glickman, *Example of the Glicko-2 system* (Boston University, 2012, revised 2022), whose
steps the code follows by number and whose example is a test; the theory is in his *Dynamic paired
comparison models with stochastic variances* (Journal of Applied Statistics 28, 2001).

Players of the arena play as many games as one likes and do not change: theirs are ratings of maximum
likelihood, see `tengen.arena.rating`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 173.7178
"""Points of Elo in one unit of Glicko-2's own scale, 400 / ln 10."""

MEAN, UNKNOWN, VOLATILITY = 1500.0, 350.0, 0.06
"""Of who has not played yet."""

TAU = 0.5
"""The rate at which volatilities change (tau); Glickman recommends 0.3 to 1.2."""

PROVISIONAL = 110.0
"""The deviation above which a rating is provisional."""

_PRECISION = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko2:
    """A player's rating, with its uncertainty.

    Attributes:
        rating: in points of Elo.
        deviation: its standard deviation, in the same units; the strength is within twice that with 95 %.
        volatility: the expected change of the strength in a rating period.
    """

    rating: float = MEAN
    deviation: float = UNKNOWN
    volatility: float = VOLATILITY

    @property
    def provisional(self) -> bool:
        """True while the deviation is large."""
        return self.deviation > PROVISIONAL


def updated(
    player: Glicko2, results: Sequence[tuple[Glicko2, float]], periods: float = 1.0, tau: float = TAU
) -> Glicko2:
    """A player's rating after some games.

    Args:
        player: as it was before them.
        results: of each game the opponent, as it was before, and the score: 1, 0.5 or 0.
        periods: rating periods that have passed since the player's last games. Glickman rates all games of
            a period together, which is 1; to rate each game at once, give the part of a period that has
            passed.
        tau: the rate at which volatilities change.

    Returns:
        The rating, whose deviation is never above `UNKNOWN`.
    """
    deviation = player.deviation / SCALE  # step 2
    if not results:
        return _known(player.rating, _grown(deviation, player.volatility, periods), player.volatility)
    mean = (player.rating - MEAN) / SCALE
    information = gain = 0.0
    for opponent, score in results:
        weight = _weight(opponent.deviation / SCALE)
        expected = 1 / (1 + math.exp(-weight * (mean - (opponent.rating - MEAN) / SCALE)))
        information += weight**2 * expected * (1 - expected)
        gain += weight * (score - expected)
    variance = 1 / information  # step 3
    improvement = variance * gain  # step 4
    volatility = _volatility(player.volatility, deviation, variance, improvement, tau)  # step 5
    grown = _grown(deviation, volatility, periods)  # step 6
    smaller = 1 / math.sqrt(1 / grown**2 + information)  # step 7
    return _known(MEAN + SCALE * (mean + smaller**2 * gain), smaller, volatility)  # step 8


def _known(rating: float, deviation: float, volatility: float) -> Glicko2:
    return Glicko2(rating, min(SCALE * deviation, UNKNOWN), volatility)


def _grown(deviation: float, volatility: float, periods: float) -> float:
    return math.sqrt(deviation**2 + periods * volatility**2)


def _weight(deviation: float) -> float:
    """The weight of a game against an opponent of that deviation: Glickman's g."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _volatility(before: float, deviation: float, variance: float, improvement: float, tau: float) -> float:
    """The new volatility: the root of Glickman's f, by the Illinois variant of regula falsi."""
    start = math.log(before**2)

    def f(x: float) -> float:
        grown = math.exp(x)
        total = deviation**2 + variance + grown
        return grown * (improvement**2 - total) / (2 * total**2) - (x - start) / tau**2

    low = start
    if improvement**2 > deviation**2 + variance:
        high = math.log(improvement**2 - deviation**2 - variance)
    else:
        high = start - tau
        while f(high) < 0:
            high -= tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = f(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return math.exp(low / 2)
