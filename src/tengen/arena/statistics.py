"""The statistics of a match: score, Elo and their errors, for the first player.

**Pairs.** The two games of a colour-swapped pair begin with the same opening, so their results hang
together: where the opening favours Black, each player tends to win once. Counting such games one by one
overrates the noise. `Tally` therefore counts complete pairs too, by the points of the first player: 0,
1/2, 1, 3/2 or 2. Those five counts are called *pentanomial*, the counts of won, drawn and lost games
*trinomial*. Wherever a variance is needed it is that of the pairs where there are any, and that of the
games otherwise.

**Elo.** A score s (points by games, 0 to 1) is worth ``400 log10(s / (1 - s))``. Its error is half the
width of the interval that comes from ``s - 1.96 se`` to ``s + 1.96 se``, both turned into Elo, with the
standard error se = sigma / sqrt(games). That is how match runners report it.

**Normalized Elo.** ``800 / ln 10 * t`` with ``t = (s - 1/2) / sigma`` and sigma the standard deviation
of one game, which is sqrt(2) times that of a pair's mean score (M. Van den Bergh, "Normalized Elo",
2020, and "Comments on normalized Elo", 2021, hardy.uhasselt.be/Fishtest). It measures how many games a
difference takes to show: for small differences without draws it equals Elo, and with draws it is larger.
Its error is that of t by the delta method, whose variance is ``(1 - skewness t + (kurtosis - 1) t^2 / 4)
/ units`` for t of one unit, a pair or a game (for t near 0 just 1 / units, as match runners have it).

**Likelihood of superiority.** ``Phi((wins - losses) / sqrt(wins + losses))``: draws say nothing
(K. Laskos and R. Coulom, "Calculating the LOS (likelihood of superiority) from results", talkchess.com,
2014). With pairs likewise the points above one half, by the root of the sum of their squares.

Nothing here is ever NaN: what the results do not determine is None. All of it is meant for a match of
fixed length. A match that stopped by a test of `tengen.arena.sprt` tends to overstate the difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, TypeAlias

Z95 = NormalDist().inv_cdf(0.975)
"""Standard errors on either side that make a 95 % interval: 1.96."""

NORMALIZED = 800 / math.log(10)
"""Normalized Elo of a score one standard deviation of a game above one half."""

Pairs: TypeAlias = tuple[int, int, int, int, int]
"""Colour-swapped pairs in which the first player made 0, 1/2, 1, 3/2 and 2 points."""


def elo_of(score: float) -> float:
    """The Elo difference at which `score` (0 to 1) is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The score (0 to 1) expected of a player who is `elo` stronger."""
    small = 10 ** (-abs(elo) / 400)  # the other power might overflow
    return (1 if elo > 0 else small) / (1 + small)


@dataclass(frozen=True, slots=True)
class Tally:
    """Games of a match by result, seen from the first player. Tallies of the same two players add up.

    Attributes:
        wins: games won.
        draws: games drawn.
        losses: games lost.
        pairs: complete colour-swapped pairs by points: 0, 1/2, 1, 3/2, 2. Their games are counted in
            `wins`, `draws` and `losses` too; games without a partner only there.

    Raises:
        ValueError: a negative count, or pairs that the games cannot make up.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: Pairs = field(default=(0, 0, 0, 0, 0))

    def __post_init__(self) -> None:
        if not self._possible():
            raise ValueError(self)

    def _possible(self) -> bool:
        if min(self.wins, self.draws, self.losses, *self.pairs) < 0 or len(self.pairs) != 5:
            return False
        none, half, one, most, both = self.pairs
        # A pair of one point is two draws, or a win and a loss; so many of them are two draws:
        at_most = min((self.draws - half - most) // 2, one)
        at_least = max(one - (self.wins - 2 * both - most), one - (self.losses - 2 * none - half), 0)
        return at_least <= at_most

    @classmethod
    def from_points(cls, points: Sequence[float]) -> Tally:
        """The tally of games that are no pairs.

        Args:
            points: the first player's points in each game: 1, 0.5 or 0.

        Raises:
            ValueError: some other number of points.
        """
        wins, draws, losses = (points.count(result) for result in (1, 0.5, 0))
        if wins + draws + losses != len(points):
            raise ValueError(points)
        return cls(wins, draws, losses)

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[float | None, float | None]]) -> Tally:
        """The tally of colour-swapped pairs.

        Args:
            pairs: the first player's points in the two games of each pair: 1, 0.5 or 0, and None for a
                game that is not finished. A pair with a None counts as a game only.

        Raises:
            ValueError: some other number of points.
        """
        games: list[float] = []
        counts = [0] * 5
        for pair in pairs:
            finished = [points for points in pair if points is not None]
            games += finished
            if len(finished) == 2:
                counts[min(max(round(2 * sum(finished)), 0), 4)] += 1
        plain = cls.from_points(games)
        return cls(plain.wins, plain.draws, plain.losses, (*counts,))  # type: ignore[arg-type]

    def __add__(self, other: Tally) -> Tally:
        pairs = tuple(a + b for a, b in zip(self.pairs, other.pairs, strict=True))
        return Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            pairs,  # type: ignore[arg-type]
        )

    def swapped(self) -> Tally:
        """The same games seen from the second player."""
        none, half, one, most, both = self.pairs
        return Tally(self.losses, self.draws, self.wins, (both, most, one, half, none))

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win 1, a draw 1/2."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points by games, 0 to 1; 1/2 before the first game."""
        return self.points / self.games if self.games else 0.5

    @property
    def paired(self) -> bool:
        """True if there is a complete pair, so that pairs are the unit of all statistics."""
        return any(self.pairs)

    @property
    def outcomes(self) -> tuple[tuple[float, int], ...]:
        """The scores that a unit may have (0 to 1), lowest first, each with its count.

        The unit is a pair, with five outcomes, where there are complete pairs, and otherwise a game, with
        three. Beside complete pairs, games without a partner do not show up here.
        """
        counts = self.pairs if self.paired else (self.losses, self.draws, self.wins)
        return tuple((i / (len(counts) - 1), count) for i, count in enumerate(counts))

    @property
    def variance(self) -> float | None:
        """The variance of the score of one game, from pairs where there are any.

        None where all units ended the same, or there are none: that tells nothing.
        """
        return self._moment(2) * (2 if self.paired else 1) or None

    @property
    def elo(self) -> float:
        """The Elo difference: ``-math.inf`` where all games were lost, ``math.inf`` where all were won."""
        return elo_of(self.score)

    @property
    def elo_error(self) -> float | None:
        """Half the width of the 95 % interval of `elo`.

        None where the results set no such bound: the interval of the score reaches 0 or 1, or there is no
        `variance`.
        """
        variance = self.variance
        if variance is None:
            return None
        reach = Z95 * math.sqrt(variance / self.games)
        low, high = self.score - reach, self.score + reach
        return (elo_of(high) - elo_of(low)) / 2 if low > 0 and high < 1 else None

    @property
    def normalized_elo(self) -> float | None:
        """The difference in normalized Elo; None where there is no `variance`."""
        variance = self.variance
        return None if variance is None else NORMALIZED * (self.score - 0.5) / math.sqrt(variance)

    @property
    def normalized_elo_error(self) -> float | None:
        """Half the width of the 95 % interval of `normalized_elo`.

        None where there is no `variance`, or where results so one-sided set no such bound.
        """
        second = self._moment(2)
        if not second:
            return None
        t = (self._mean() - 0.5) / math.sqrt(second)
        skewness, kurtosis = self._moment(3) / second**1.5, self._moment(4) / second**2
        spread = 1 - skewness * t + (kurtosis - 1) * t * t / 4
        # Two outcomes on the same side of 1/2 may have the largest t there is: then the derivative is 0.
        return Z95 * NORMALIZED * math.sqrt(spread / self.games) if spread > 1e-6 else None

    @property
    def los(self) -> float:
        """The likelihood of superiority, 0 to 1, of the first player; 1/2 without data."""
        spread = sum(count * (value - 0.5) ** 2 for value, count in self.outcomes)
        if self.paired:  # of all games, at the rate of those in pairs
            spread *= 2 * self.games / sum(self.pairs)
        ahead = self.points - self.games / 2
        return NormalDist().cdf(ahead / math.sqrt(spread)) if spread else 0.5

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON-ready data; an infinite `elo` is None."""
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pairs": list(self.pairs),
            "score": self.score,
            "elo": self.elo if math.isfinite(self.elo) else None,
            "elo_error": self.elo_error,
            "normalized_elo": self.normalized_elo,
            "normalized_elo_error": self.normalized_elo_error,
            "los": self.los,
        }

    def _mean(self) -> float:
        """The mean score of a unit."""
        units = sum(count for _, count in self.outcomes)
        return sum(value * count for value, count in self.outcomes) / units if units else 0.5

    def _moment(self, power: int) -> float:
        """The central moment of the score of a unit; exactly 0 where all units ended the same."""
        seen = [(value, count) for value, count in self.outcomes if count]
        if len(seen) < 2:
            return 0.0
        mean, units = self._mean(), sum(count for _, count in seen)
        return sum(count * (value - mean) ** power for value, count in seen) / units
