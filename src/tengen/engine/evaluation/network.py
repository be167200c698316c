"""The value network, a small network whose output corrects the linear evaluation.

A *line network* (`tengen.engine.evaluation.line_network`) maps each line through an empty point to a row of
32 numbers. The rows of the four lines through a point are added up and activated, and pooled by sums over
each ninth of the board. The *head*, three layers, maps the nine sums of either colour to the correction of
the static score (`tengen.engine.evaluation.static`). Activations are leaky rectifiers. If a colour has
fouls of its own, the head has a bias for each side to move.

A lower loss is not a stronger network: with threats and the static score as inputs of the head the loss
fell, and the engine lost 60 Elo (`benchmarks/log/2026-11-26-lower-loss.md`). Wider layers hardly lower the
loss (`2026-11-24-networks-third-generation.md` there).

The search updates the sums incrementally and computes only the head
(`tengen.engine.evaluation.network_kernel`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import POOLS, UNITS, WIDTH
from tengen.engine.evaluation.learned_file import COLOURS, LearnedFile, Shapes, record_type
from tengen.engine.evaluation.line_network import LINE_SHAPES, LineNetwork

SIDE_OF_POOLS = 3

MOST_ADDED = 4000
"""The largest correction of the static score, either way, in centi-units."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Network(LineNetwork):
    """The parameters of a network, quantised but for the last layers.

    Attributes:
        sizes: the smallest and the largest board for which it has been trained, int64, shape (2,).
        first: of the head, int16, shape (2 * `POOLS` * `WIDTH`, `UNITS`).
        first_bias: int32, shape (colours, `UNITS`), by side to move.
        second: float32, shape (`UNITS`, `UNITS`).
        second_bias: float32, shape (`UNITS`,).
        last: float32, shape (`UNITS`,).
        last_bias: float32, shape (1,).
    """

    sizes: npt.NDArray[np.int64]
    first: npt.NDArray[np.int16]
    first_bias: npt.NDArray[np.int32]
    second: npt.NDArray[np.float32]
    second_bias: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    last_bias: npt.NDArray[np.float32]


_SHAPES: Shapes = {
    "sizes": ("int64", (2,)),
    **LINE_SHAPES,
    "first": ("int16", (2 * POOLS * WIDTH, UNITS)),
    "first_bias": ("int32", (COLOURS, UNITS)),
    "second": ("float32", (UNITS, UNITS)),
    "second_bias": ("float32", (UNITS,)),
    "last": ("float32", (UNITS,)),
    "last_bias": ("float32", (1,)),
}

NETWORK_RECORD = record_type(_SHAPES)
"""A network as a record for kernels."""

NETWORK_FILE = LearnedFile(Network, "-network", "error.engine.network", _SHAPES)
load, save, file_of, digest = (
    NETWORK_FILE.load_if_present,
    NETWORK_FILE.save,
    NETWORK_FILE.path,
    NETWORK_FILE.digest,
)


def parts_of(size: int) -> Ints:
    """Return the pool of each point, shape (size * size,): the sides of the board are cut in thirds."""
    thirds = np.arange(size) * SIDE_OF_POOLS // size
    parts: Ints = (SIDE_OF_POOLS * thirds[:, None] + thirds).reshape(-1)
    return parts


def fits(network: Network, size: int) -> bool:
    """Return whether a network is good for boards of a size: the smallest of its training, or a larger one.

    It reads short lines and pools of the board, which are no different on a larger board
    (`benchmarks/log/2026-11-23-first-networks.md`).
    """
    return bool(size >= network.sizes[0])
