"""Optimisation under noise: CMA-ES with uncertainty handling, by the package cma.

The *covariance matrix adaptation evolution strategy* keeps a normal distribution over the numbers that it
searches: a mean, and a width for each direction. In every generation it draws some candidates, receives
their scores, moves the mean towards the better ones and adapts the widths. It uses nothing but the order
of the candidates, so it does not matter on what scale "good" is measured (N. Hansen, "The CMA Evolution
Strategy: A Tutorial", arXiv:1604.00772).

A score from a few games is noisy, and if noise decides the order the search walks at random. N. Hansen,
A. Niederberger, L. Guzzella and P. Koumoutsakos ("A Method for Handling Uncertainty in Evolutionary
Optimization with an Application to Feedback Control of Combustion", IEEE Transactions on Evolutionary
Computation 13, 2009) therefore evaluate some candidates twice and compare their ranks. Here
every candidate's games come in two halves from different openings, so that each generation is evaluated
twice at no extra cost; the search itself uses the two together, and is a little more certain than the
measure. Where ranks change too much, more games are played in the next generation, and the distribution is
widened, so that there is more difference to see, though not beyond its first width; where they change
little, games become fewer. `cma.NoiseHandler` measures and decides; its documentation says where it departs
from the paper.

What has been learnt is the mean of the distribution. The best candidate was, above all, the luckiest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeAlias

from tengen.arena.tuning_parameters import Parameter
from tengen.extras import importing

Point: TypeAlias = tuple[float, ...]
"""A candidate: one coordinate for each parameter."""

Halves: TypeAlias = tuple[float, float]
"""The scores of a candidate in the first and in the second half of its games, 0 to 1, more is better."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The candidates that the search proposes for one generation.

    Attributes:
        points: the candidates.
        pairs: in how many pairs of games each half is to be played.
    """

    points: tuple[Point, ...]
    pairs: int


def import_cma() -> Any:
    """Import the package cma.

    Raises:
        MissingPackage: it is not installed.
    """
    with importing("arena"):
        import matplotlib  # noqa: F401, I001 - first: cma warns where it is missing
        import cma  # type: ignore[import-untyped]
    return cma


class Optimiser:
    """A search with an ask-and-tell interface.

    Its candidates are determined by its arguments and the scores; so a search is resumed by asking and
    telling again from the beginning.

    Args:
        parameters: the dimensions of the search.
        population: candidates in a generation.
        sigma: standard deviation of each coordinate at the beginning.
        pairs: the fewest and the most pairs of games in each half of a candidate's games; it begins with
            the fewest.
        seed: of the candidates.
    """

    def __init__(
        self,
        parameters: Sequence[Parameter],
        population: int,
        sigma: float,
        pairs: tuple[int, int],
        seed: int,
    ) -> None:
        import numpy as np

        cma = import_cma()
        self._sigma = sigma
        self._random = np.random.default_rng(seed)
        # cma wants two coordinates at least; one more that changes nothing does no harm.
        self._size = len(parameters)
        dimensions = max(self._size, 2)
        spare = [(-1.0, 1.0)] * (dimensions - self._size)
        bounds = [*((p.coordinate(p.low), p.coordinate(p.high)) for p in parameters), *spare]
        self._strategy: Any = cma.CMAEvolutionStrategy(
            [0.0] * dimensions,
            sigma,
            {
                "popsize": population,
                "bounds": [list(side) for side in zip(*bounds, strict=True)],
                # Its own source of random numbers leaves everybody else's alone.
                "randn": lambda *shape: self._random.standard_normal(shape),
                "seed": float("nan"),
                "verbose": -9,
                "verb_log": 0,
                "verb_disp": 0,
            },
        )
        fewest, most = pairs
        self._handler: Any = cma.NoiseHandler(dimensions, [fewest, fewest, max(most, fewest)])
        self._asked: list[Any] = []

    @property
    def mean(self) -> Point:
        """The mean of the distribution: the answer, as far as it is known."""
        return self._point(self._strategy.result.xfavorite)

    @property
    def deviations(self) -> Point:
        """The standard deviation of each coordinate."""
        return self._point(self._strategy.result.stds)

    @property
    def noise(self) -> float:
        """The change of ranks between the halves, smoothed over generations; above 0 is too much."""
        return float(self._handler.noiseS)

    def ask(self) -> Proposal:
        """The candidates of the next generation."""
        self._asked = self._strategy.ask()
        return Proposal(tuple(self._point(x) for x in self._asked), int(self._handler.evaluations))

    def tell(self, scores: Sequence[Halves]) -> None:
        """Receive the scores of the proposed candidates, in their order."""
        import numpy as np

        self._strategy.tell(self._asked, [-(first + second) / 2 for first, second in scores])
        handler = self._handler
        handler.fit = [-first for first, _ in scores]
        handler.fitre = [-second for _, second in scores]
        handler.idx = np.arange(len(scores))
        handler.update_measure()
        wider = handler.treat()
        # What hardly matters would be widened without end.
        if fmean(self.deviations) < self._sigma:
            self._strategy.sigma *= wider

    def replay(self, generations: Iterable[tuple[Sequence[Point], Sequence[Halves]]]) -> None:
        """Go through generations that have been played before: their candidates and scores."""
        import numpy as np

        for points, scores in generations:
            if self.ask().points != tuple(points):
                # Another version of cma or numpy draws others. Those that were played count.
                spare = [x[self._size :] for x in self._asked]
                self._asked = [np.array([*one, *rest]) for one, rest in zip(points, spare, strict=True)]
            self.tell(scores)

    def _point(self, x: Any) -> Point:
        return tuple(float(coordinate) for coordinate in x[: self._size])
