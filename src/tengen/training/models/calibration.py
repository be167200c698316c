"""Calibration: what was predicted, against how games ended."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_BINS, _IN_BIN = 10, 50
"""Parts into which predictions are divided, at most, and how many a part holds at least."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions whose predictions are about the same.

    Attributes:
        predicted: the mean chance of winning that the numbers saw.
        result: the mean of how their games ended.
        count: how many they are.
    """

    predicted: float
    result: float
    count: int


def calibrated(chances: npt.NDArray[np.float64], results: npt.NDArray[np.float64]) -> list[Bin]:
    """Divide positions into equal parts by their predictions.

    Args:
        chances: what was predicted of each, shape (n,).
        results: how their games ended; NaN where that is not known, shape (n,).
    """
    known = ~np.isnan(results)
    chances, results = chances[known], results[known]
    order = np.argsort(chances, kind="stable")
    parts = np.array_split(order, min(max(len(order) // _IN_BIN, 1), _BINS)) if len(order) else []
    return [Bin(float(chances[part].mean()), float(results[part].mean()), len(part)) for part in parts]
