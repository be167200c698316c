"""Calibration: predicted probabilities against the results of games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_BINS, _IN_BIN = 10, 50
"""The most bins of predictions, and the least number of positions per bin."""


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of positions with similar predictions.

    Attributes:
        predicted: the mean predicted probability of winning.
        result: the mean result of their games.
        count: the number of positions.
    """

    predicted: float
    result: float
    count: int


def calibrated(chances: npt.NDArray[np.float64], results: npt.NDArray[np.float64]) -> list[Bin]:
    """Divide positions into bins of equal size by their predictions.

    Args:
        chances: the predicted probability of winning of each position, shape (n,).
        results: the results of their games; NaN where unknown, shape (n,).
    """
    known = ~np.isnan(results)
    chances, results = chances[known], results[known]
    order = np.argsort(chances, kind="stable")
    parts = np.array_split(order, min(max(len(order) // _IN_BIN, 1), _BINS)) if len(order) else []
    return [Bin(float(chances[part].mean()), float(results[part].mean()), len(part)) for part in parts]
