"""What a fit has learned is taken in part: a network between the one it began with and the fitted one.

A fit to new games forgets some of what former games have taught, and its numbers bear the chance of these
games. On the straight way between the numbers of both, networks are better than at either end where neither
has learned: M. Wortsman et al., "Robust fine-tuning of zero-shot models" (2022). From one generation to the
next this makes a mean of all that there have been, in which the older count less.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.engine.network import Network


def blended(begun: Network, fitted: Network, share: float) -> Network:
    """A network some part of the way from one to another.

    Args:
        begun: where the way begins; it may be one that does not tell the colours apart.
        fitted: where it ends, and whose sizes of the board are kept.
        share: how much of the way, from 0 to 1.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    for field in fields(fitted):
        first, last = getattr(begun, field.name), getattr(fitted, field.name)
        between = (1 - share) * first.astype(np.float64) + share * last.astype(np.float64)
        arrays[field.name] = (between if last.dtype.kind == "f" else np.rint(between)).astype(last.dtype)
    return Network(**(arrays | {"sizes": fitted.sizes}))
