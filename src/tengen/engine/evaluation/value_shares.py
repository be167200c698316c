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

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import (
    CELLS,
    POOLS,
    SCRATCH,
    UNITS,
    WIDTH,
    Record,
    new_record,
)
from tengen.engine.board.worths import LOW_BITS, UNIT
from tengen.engine.evaluation.network import activated, head
from tengen.engine.evaluation.network_kernel import begin
from tengen.engine.evaluation.static import situation_of

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
    record, side = state[0], int(state[0]["turn"]) & 1
    cells = np.flatnonzero(record["cells"] == 0)
    sides = [side, 1 - side]
    classes = point_classes_of(state, cells)[:, sides]
    worths = _halves(tables[0]["worths"][sides, classes])[side]
    threats = int(tables[0]["situations"][side, int(situation_of(state))])
    network, correction = None, 0.0
    if networks[0]["network"]:
        network, correction = _network_shares(state, networks, cells)
    return ValueShares(cells, classes, worths / UNIT, threats, network, correction)


def point_classes_of(state: Record, cells: Ints) -> Ints:
    """Return the point classes of empty cells for Black and for White: shape (n, 2)."""
    found: Ints = state[0]["classes"][:, cells].T.astype(np.int64)
    return found


def _halves(worths: Ints) -> Ints:
    """Unpack each worth: with Black to move, and with White to move."""
    half = 1 << (LOW_BITS - 1)
    low = ((worths & ((1 << LOW_BITS) - 1)) ^ half) - half
    return np.stack([(worths - low) >> LOW_BITS, low])


def _network_shares(state: Record, networks: Record, cells: Ints) -> tuple[Floats, float]:
    """Return the measured share of each cell, and the correction of the whole position."""
    scratch = new_record(SCRATCH)
    begin(state, networks, scratch)
    side = int(state[0]["turn"]) & 1
    sides = [side, 1 - side]
    sums = scratch[0]["net_sums"].reshape(2, CELLS, WIDTH)[sides][:, cells].astype(np.int64)
    rows = activated(sums)
    pools = scratch[0]["net_pools"].reshape(2, POOLS, WIDTH)[sides].astype(np.int64)
    parts = networks[0]["pools"][cells]
    # The first layer is linear: the contribution of a point is subtracted from its units.
    first = networks[0]["net_first"].reshape(2, POOLS, WIDTH // 2, UNITS, 2).astype(np.int64)
    first = first.transpose(0, 1, 2, 4, 3).reshape(2, POOLS, WIDTH, UNITS)
    bias = networks[0]["net_first_bias"].reshape(2, UNITS)[side].astype(np.int64)
    units = bias + np.einsum("vpw,vpwu->u", pools, first)
    left_out = units - np.einsum("vnw,vnwu->nu", rows, first[:, parts])
    with_all = head(networks, units[None])[0]
    shares: Floats = with_all - head(networks, left_out)
    return shares, float(with_all)
