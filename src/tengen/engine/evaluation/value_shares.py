"""The shares of the empty points in the static value of a position.

The value (`tengen.engine.evaluation.static`, `tengen.engine.evaluation.network_kernel`) has three parts:

- the weights of the empty points, a sum, so that the share of each point is exact;
- the combination of threats on the board, one number that belongs to no point;
- the network's correction. It is no sum over points, so a point's share is measured by occlusion: the
  difference that leaving the point's activated sums out of its pool makes, for both colours. These shares
  do not add up to the correction.

Occlusion is the method of M. D. Zeiler and R. Fergus,
"Visualizing and Understanding Convolutional Networks" (2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import SCRATCH, Record, new_record
from tengen.engine.board.worths import LOW_BITS, UNIT
from tengen.engine.evaluation.static import situation_of
from tengen.engine.evaluation.value_shares_kernel import NETWORK_SHARES, network_shares
from tengen.game.points import EMPTY

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ValueShares:
    """The static value for the side to move, in centi-units, and the shares of the empty points.

    Attributes:
        cells: the empty cells, shape (n,).
        classes: the point class of each, for the side to move and for the other, shape (n, 2).
        worths: the weights of these, in sixteenths exactly, shape (n, 2).
        threats: the weight of the combination of threats.
        network: the measured share of each point in the correction, shape (n,); None without a network.
        correction: the network's correction; 0 without a network.
    """

    cells: Ints
    classes: Ints
    worths: Floats
    threats: int
    network: Floats | None
    correction: float

    @property
    def value(self) -> float:
        """The static value: the sum of the worths, the threats and the correction."""
        return float(self.worths.sum()) + self.threats + self.correction


def value_shares(state: Record, tables: Record, networks: Record) -> ValueShares:
    """Return the shares of a position's empty points.

    Args:
        state: the position.
        tables: the tables of its rules, with learned parameters.
        networks: the networks of its rules.
    """
    side = int(state[0]["turn"]) & 1
    cells = [cell for cell, content in enumerate(state[0]["cells"].tolist()) if content == EMPTY]
    classes = point_classes_of(state, cells, side)
    packed = tables[0]["worths"].tolist()
    worths = [
        (_half(packed[side][own], side) / UNIT, _half(packed[1 - side][other], side) / UNIT)
        for own, other in classes
    ]
    threats = int(tables[0]["situations"][side, int(situation_of(state))])
    network, correction = None, 0.0
    if networks[0]["network"]:
        shares = new_record(NETWORK_SHARES)
        network_shares(state, networks, new_record(SCRATCH), shares)
        measured = shares[0]["shares"].tolist()
        network = np.array([measured[cell] for cell in cells], np.float64)
        correction = float(shares[0]["correction"])
    return ValueShares(
        np.array(cells, np.int64),
        np.array(classes, np.int64).reshape(-1, 2),
        np.array(worths, np.float64).reshape(-1, 2),
        threats,
        network,
        correction,
    )


def point_classes_of(state: Record, cells: Sequence[int], side: int) -> list[tuple[int, int]]:
    """Return the point classes of empty cells, for a side and for the other one."""
    both = state[0]["classes"].tolist()
    return [(both[side][cell], both[1 - side][cell]) for cell in cells]


def _half(worth: int, side: int) -> int:
    """Return a packed worth with Black to move, 0, or with White to move, 1."""
    half = 1 << (LOW_BITS - 1)
    low = ((worth & ((1 << LOW_BITS) - 1)) ^ half) - half
    return low if side else (worth - low) >> LOW_BITS
