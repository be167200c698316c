"""The sequential probability ratio test: play until it is clear which of two hypotheses holds.

H0 says that the first player is `elo0` stronger, H1 that it is `elo1` stronger. After each pair or game
the log-likelihood ratio of H1 to H0 is compared with two bounds (A. Wald, "Sequential Tests of
Statistical Hypotheses", 1945):

    log(beta / (1 - alpha))  accept H0        log((1 - beta) / alpha)  accept H1

With H0 true the test accepts H1 in about `alpha` of all matches, with H1 true it accepts H0 in about
`beta` of them. Where each hypothesis is a single distribution, no other test with these risks needs fewer
games on average (A. Wald and J. Wolfowitz, 1948); the generalised test below comes close to that.

**The ratio.** An Elo difference does not say how often games are drawn or how the two games of a pair
hang together. The *generalised* test takes for each hypothesis the most likely distribution that obeys
it (M. Van den Bergh, "A Practical Introduction to the GSPRT",
hardy.uhasselt.be/Fishtest/GSPRT_approximation.pdf). A unit (a pair of games, or a game where there are
no pairs) has a few outcomes a_i, seen with frequencies f_i. Where the hypothesis says ``sum p_i g_i =
0``, the most likely distribution is, by Lagrange's multipliers,

    p_i = f_i / (1 + theta g_i),   with theta the one root of   sum f_i g_i / (1 + theta g_i) = 0

that keeps all p_i positive (also A. Owen's "Empirical likelihood ratio confidence intervals", 1988).

- ``logistic``: the expected score is that of the Elo difference, so ``g_i = a_i - s``.
- ``normalized``: elo0 and elo1 are normalized Elo (see `tengen.arena.statistics`). The mean is to stand
  ``t = elo ln 10 / 800`` standard deviations of a game above 1/2 (sqrt(2) as many, where the unit is a
  pair), which is no linear condition ("Comments on normalized Elo", same place). With u_i = a_i - 1/2 it
  reads ``E u = t sqrt(E u^2 / (1 + t^2))``, a curve that for each d is touched by the line of
  ``g_i = (1 + t^2) (u_i - t d / 2) - t u_i^2 / (2 d)``, in ``d = sqrt(E u^2 / (1 + t^2))``. The d whose
  most likely distribution has just that d is found by iteration, kept between bounds.

**Empty cells.** An outcome that has not been seen counts as 1/1000 of a unit. Without that a hypothesis
might demand an outcome that f gives no room for, and a match of wins only would have no ratio. Outcomes
that have been seen keep their exact counts.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from tengen.arena.statistics import NORMALIZED, Tally, score_of
from tengen.game.errors import TengenError
from tengen.game.notation import shorten

Model: TypeAlias = Literal["logistic", "normalized"]
Hypothesis: TypeAlias = Literal["H0", "H1"]

MODELS: tuple[str, ...] = get_args(Model)
MOST_ELO = 2000
"""The largest `elo0` and `elo1`, either way."""

_EMPTY = 1e-3
"""The count of an outcome that has not been seen."""

_ROUNDS = 100
"""Steps of an iteration, far more than it takes."""

_TRIES = 12
"""The steps of the grid on which the most likely distribution is searched for."""

_WIDE = 1.0
"""With a deviation of so many t there is only one; several have been found up to 0.26."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of two hypotheses about the strength of the first player of a match.

    Attributes:
        elo0: the difference under H0.
        elo1: the difference under H1, more than `elo0`.
        alpha: the probability of accepting H1 where H0 holds.
        beta: the probability of accepting H0 where H1 holds.
        model: the kind of Elo.

    Raises:
        TengenError: values that make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:  # false for NaN too
            raise TengenError(
                "error.sprt.elo", elo0=_number(self.elo0), elo1=_number(self.elo1), most=MOST_ELO
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise TengenError("error.sprt.risk", name=name, value=_number(value))
        if self.model not in MODELS:
            raise TengenError("error.sprt.model", model=shorten(str(self.model)), models=MODELS)

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """The test that ``elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized`` describes.

        Only elo0 and elo1 must be there.

        Raises:
            TengenError: it describes none.
        """
        given: dict[str, Any] = {}
        for item in text.split(","):
            name, equals, value = (part.strip() for part in item.partition("="))
            if name not in cls.__slots__ or not equals or name in given:
                raise TengenError("error.sprt.text", text=shorten(text, 60))
            given[name] = value if name == "model" else _parsed(name, value)
        if not {"elo0", "elo1"} <= given.keys():
            raise TengenError("error.sprt.text", text=shorten(text, 60))
        return cls(**given)

    def __str__(self) -> str:
        """The text that `parse` reads."""
        numbers = (f"{name}={_number(getattr(self, name))}" for name in ("elo0", "elo1", "alpha", "beta"))
        return ",".join([*numbers, *([] if self.model == "logistic" else [f"model={self.model}"])])

    @property
    def bounds(self) -> tuple[float, float]:
        """H0 is accepted at the first or below, H1 at the second or above."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, tally: Tally) -> float:
        """The log-likelihood ratio of H1 to H0; 0 before the first game.

        Complete pairs count where there are any, and then they alone; otherwise games.
        """
        if not tally.games:
            return 0.0
        values, seen = zip(*tally.outcomes, strict=True)
        counts = [count or _EMPTY for count in seen]
        units = sum(counts)
        shares = [count / units for count in counts]
        if self.model == "normalized":
            per_unit = math.sqrt(2 if tally.paired else 1) / NORMALIZED
            h0, h1 = (_at_t(values, shares, elo * per_unit) for elo in (self.elo0, self.elo1))
        else:
            h0, h1 = (_at_score(values, shares, score_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(n * math.log(p1 / p0) for n, p0, p1 in zip(counts, h0, h1, strict=True))

    def decision(self, tally: Tally) -> Hypothesis | None:
        """The hypothesis that is accepted; None: play on."""
        llr, (lower, upper) = self.llr(tally), self.bounds
        return "H0" if llr <= lower else "H1" if llr >= upper else None


def _at_score(values: Sequence[float], shares: Sequence[float], score: float) -> list[float]:
    """The most likely distribution over `values`, seen in `shares`, whose mean is `score`."""
    return _tilted(shares, [value - score for value in values])


def _at_t(values: Sequence[float], shares: Sequence[float], t: float) -> list[float]:
    """The most likely distribution whose mean is `t` of its standard deviations above 1/2."""
    if t < 0:  # the values lie evenly about 1/2
        return _at_t(values, shares[::-1], -t)[::-1]
    if t == 0:
        return _at_score(values, shares, 0.5)
    above = [value - 0.5 for value in values]
    stretch = 1 + t * t

    def at(d: float) -> tuple[list[float], float]:
        """The most likely distribution on the line that touches at `d`, and the d of its own."""
        found = _tilted(shares, [stretch * (u - t * d / 2) - t * u * u / (2 * d) for u in above])
        return found, math.sqrt(_expected(found, [u * u for u in above]) / stretch)

    def settled(low: float, d: float, high: float) -> list[float]:
        """The distribution that lies where the line touches, with d between the bounds."""
        for _ in range(_ROUNDS):
            found, its = at(d)
            if abs(its - d) <= 1e-9 * d:  # the likelihood differs by the square of that
                break
            low, high = (d, high) if its > d else (low, d)
            d = its if low < its < high else math.sqrt(low * high)
        return found

    def likelihood(found: Sequence[float]) -> float:
        return _expected(shares, map(math.log, found))

    mean, square = _expected(shares, above), _expected(shares, [u * u for u in above])
    root = stretch * (stretch * mean * mean - t * t * square)
    if mean > 0 and root > 0:
        # What was seen is beyond t. All that lies short of t is convex, so that there is just one solution.
        high = (stretch * mean + math.sqrt(root)) / (stretch * t)
        return settled(square / stretch / high, math.sqrt(square / stretch), high)
    # What lies beyond t is not convex, so there may be several.
    ds = _tries(above, math.sqrt(square / stretch), t)
    heights = [-math.inf, *(likelihood(at(d)[0]) for d in ds[1:-1]), -math.inf]
    tops = [i for i in range(1, len(ds) - 1) if heights[i - 1] < heights[i] >= heights[i + 1]]
    return max((settled(*ds[i - 1 : i + 2]) for i in tops), key=likelihood)


def _tries(above: Sequence[float], own: float, t: float) -> list[float]:
    """Values for the d of `_at_t`: a lower bound, starting points, and an upper bound."""
    side = math.sqrt(1 + t * t)
    less, most = t / (side * (side + 1)), (side + 1) / (side * t)
    # Beyond these some outcome is no longer on the right side of the line.
    low, high = above[-1] * less, min(above[-1] * most, above[-1] / side)
    if len(above) > 3 and above[-2] * most > low:
        low = above[-2] * less
    if own > _WIDE * t and low < own < high:
        return [low, own, high]
    return [low * (high / low) ** (i / _TRIES) for i in range(_TRIES + 1)]


def _tilted(shares: Sequence[float], bends: Sequence[float]) -> list[float]:
    """The most likely distribution p with ``sum p_i bends_i = 0``; bends of both signs are needed."""
    # p_i = shares_i / (1 + theta bends_i). No p_i is more than 1, which bounds theta.
    sign = 1 if _expected(shares, bends) > 0 else -1
    edge, nearest = min(
        (sign * (share - 1) / bend, i)
        for i, (share, bend) in enumerate(zip(shares, bends, strict=True))
        if sign * bend < 0
    )
    # Counted from that bound, theta is exact even where it leaves next to nothing of 1 + theta bend.
    base = [1 + sign * edge * bend for bend in bends]
    base[nearest] = shares[nearest]
    phi = -sign * edge
    low, high = min(phi, 0.0), max(phi, 0.0)
    for _ in range(_ROUNDS):
        terms = [bend / (start + phi * bend) for start, bend in zip(base, bends, strict=True)]
        value = _expected(shares, terms)
        derivative = _expected(shares, [term * term for term in terms])
        low, high = (phi, high) if value > 0 else (low, phi)
        step = phi + value / derivative
        if not low < step < high:
            step = (low + high) / 2
        change, phi = abs(step - phi), step
        if change <= 1e-10 * abs(phi):  # the last step has squared that
            break
    return [share / (start + phi * bend) for share, start, bend in zip(shares, base, bends, strict=True)]


def _expected(weights: Iterable[float], values: Iterable[float]) -> float:
    return sum(map(operator.mul, weights, values), 0.0)


def _parsed(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise TengenError("error.sprt.number", name=name, text=shorten(text)) from None


def _number(value: float) -> str:
    """A number as it is typed: ``10``, not ``10.0``; `float` reads the same value again."""
    return repr(value).removesuffix(".0")
