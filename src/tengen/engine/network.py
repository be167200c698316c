"""A small network that corrects the sum of learned numbers, and the file that it is kept in.

What it sees of a line through an empty point are the five points on either side: own, the other's, off the
board, or empty. A *line network* of three layers turns that into a row of 32 numbers, the same from either
end. The rows of the four lines through a point are added up and activated; the points of each ninth of the
board are added up; and the *head*, three layers again, makes of the nine sums of either colour what is to
be added to the static score (`tengen.engine.evaluate`). Activations are leaky rectifiers.

Where a colour has fouls of its own, the line network is told whose line it sees, and the head who is to
move: a bias of either is there for each colour.

There are 132,496 lines, so the line network is asked about all of them once, and its rows become a table;
that is done in whole numbers, and gives the same rows on every machine. In the search only the head is left
to be computed (`tengen.engine.network_kernel`).

A network over lines instead of a table of free numbers: J. Jin, "Rapfi: Distilling Efficient Neural Network
for the Game of Gomoku" (2025).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.engine.compiled import kept_array
from tengen.engine.patterns import REACH
from tengen.engine.search_state import POOLS, SIDES, UNITS, WIDTH, Record, cell_of
from tengen.engine.weights import FOLDER, read_arrays, write_arrays
from tengen.game.errors import TengenError

HIDDEN = 64
"""Units of the line network's two hidden layers."""

INPUTS = 2 * 3 * REACH
"""Its inputs: for each point, from the middle outwards, whether it is own, the other's, off the board."""

LINE_BITS = 10
"""Its weights are counted in parts of this power of two; so are the inputs of each layer."""

ROW_BITS = 7
"""So are the numbers of a row."""

_LEAK_BITS = 3
_LARGEST = 1e6
_FAR_TOO_LARGE = 1 << 29
"""Of a row as the line network says it: more is cut off long before, and two of them must fit 32 bits."""

SWAPPED = np.array([0, 2, 1, 3])
"""What the other side sees of a point: its own where the first sees the other's."""

_SIDE_OF_POOLS = 3
_COLOURS = 0
"""In a shape: one or two."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Network:
    """The numbers of a network, whole ones but for the last layers.

    Attributes:
        sizes: the smallest and the largest board for which it has been trained, int64, shape (2,).
        line_first: of the line network, int16, shape (`INPUTS`, `HIDDEN`).
        line_first_bias: int32, shape (colours, `HIDDEN`): for Black's lines, then for White's; one is for
            both where neither has fouls of its own.
        line_second: int16, shape (`HIDDEN`, `HIDDEN`).
        line_second_bias: int32, shape (`HIDDEN`,).
        line_last: int16, shape (`HIDDEN`, `WIDTH`).
        line_last_bias: int32, shape (`WIDTH`,).
        first: of the head, int16, shape (2 * `POOLS` * `WIDTH`, `UNITS`).
        first_bias: int32, shape (colours, `UNITS`), by side to move.
        second: float32, shape (`UNITS`, `UNITS`).
        second_bias: float32, shape (`UNITS`,).
        last: float32, shape (`UNITS`,).
        last_bias: float32, shape (1,).
    """

    sizes: npt.NDArray[np.int64]
    line_first: npt.NDArray[np.int16]
    line_first_bias: npt.NDArray[np.int32]
    line_second: npt.NDArray[np.int16]
    line_second_bias: npt.NDArray[np.int32]
    line_last: npt.NDArray[np.int16]
    line_last_bias: npt.NDArray[np.int32]
    first: npt.NDArray[np.int16]
    first_bias: npt.NDArray[np.int32]
    second: npt.NDArray[np.float32]
    second_bias: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    last_bias: npt.NDArray[np.float32]

    @property
    def colours(self) -> int:
        """2 where it tells the colours apart, else 1."""
        return len(self.first_bias)


_SHAPES: dict[str, tuple[str, tuple[int, ...]]] = {
    "sizes": ("int64", (2,)),
    "line_first": ("int16", (INPUTS, HIDDEN)),
    "line_first_bias": ("int32", (_COLOURS, HIDDEN)),
    "line_second": ("int16", (HIDDEN, HIDDEN)),
    "line_second_bias": ("int32", (HIDDEN,)),
    "line_last": ("int16", (HIDDEN, WIDTH)),
    "line_last_bias": ("int32", (WIDTH,)),
    "first": ("int16", (2 * POOLS * WIDTH, UNITS)),
    "first_bias": ("int32", (_COLOURS, UNITS)),
    "second": ("float32", (UNITS, UNITS)),
    "second_bias": ("float32", (UNITS,)),
    "last": ("float32", (UNITS,)),
    "last_bias": ("float32", (1,)),
}


def file_of(name: str, folder: Path = FOLDER) -> Path:
    """Where the network of a family of rules is kept."""
    return folder / f"{name}-network.npz"


def load(name: str, folder: Path = FOLDER) -> Network | None:
    """The network of a family of rules; None where there is none.

    Raises:
        FileError: the file cannot be read.
        TengenError: it holds something else, or is damaged.
    """
    file = file_of(name, folder)
    if not file.exists():
        return None
    arrays = read_arrays(file, "error.engine.network")
    shapes_fit = any(_shapes(arrays) == _wanted(colours) for colours in (1, 2))
    if not shapes_fit or not all(map(_sane, arrays.values())):
        raise TengenError("error.engine.network", file=str(file))
    return Network(**arrays)


def _sane(array: npt.NDArray[Any]) -> bool:
    """Whether numbers are those of a network: none that is infinite, or makes a sum so."""
    return array.dtype.kind != "f" or bool((np.abs(array) < _LARGEST).all())


def _shapes(arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {key: (str(array.dtype), array.shape) for key, array in arrays.items()}


def _wanted(colours: int) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {
        key: (kind, tuple(colours if length == _COLOURS else length for length in shape))
        for key, (kind, shape) in _SHAPES.items()
    }


def save(name: str, network: Network, folder: Path = FOLDER) -> None:
    """Write the network of a family of rules, all at once for whoever reads it.

    Raises:
        FileError: the file cannot be written.
        OSError: the folder cannot be made.
    """
    write_arrays(
        file_of(name, folder), {field.name: getattr(network, field.name) for field in fields(network)}
    )


@lru_cache(maxsize=1)
def sides() -> Ints:
    """All that five points on one side of another can be, from the nearest on: shape (`SIDES`, 5).

    0 is empty, 1 own, 2 the other's, 3 off the board, where everything beyond is off the board as well.
    """
    found = [
        seen + (3,) * (REACH - length)
        for length in range(REACH + 1)
        for seen in product((0, 1, 2), repeat=length)
    ]
    return np.array(found, np.int64)


def side_inputs() -> npt.NDArray[np.bool_]:
    """What the line network sees of each of `sides`: shape (`SIDES`, `INPUTS` / 2)."""
    states = sides()
    seen: npt.NDArray[np.bool_] = np.stack([states == kind for kind in (1, 2, 3)], axis=2)
    return seen.reshape(SIDES, -1)


def line_rows(network: Network) -> npt.NDArray[np.int16]:
    """The row of each line, by whose it is and what is on either side.

    Whole numbers below 2**53 are added exactly as floats, in whatever order.

    Returns:
        int16, shape (colours, `SIDES`, `SIDES`, `WIDTH`).
    """
    from threadpoolctl import threadpool_limits

    # On a busy machine the threads of linear algebra wait for each other, twenty times as long.
    with threadpool_limits(limits=1, user_api="blas"):
        return np.stack([_rows(network, bias.astype(np.int64)) for bias in network.line_first_bias])


def _rows(network: Network, first_bias: Ints) -> npt.NDArray[np.int16]:
    one_side = side_inputs().astype(np.float64)
    half = INPUTS // 2
    near = network.line_first[:half].astype(np.float64)
    far = network.line_first[half:].astype(np.float64)
    # The first layer is a sum over both sides.
    firsts = one_side @ near, one_side @ far
    layers = [
        (network.line_second.astype(np.float64), network.line_second_bias),
        (network.line_last.astype(np.float64), network.line_last_bias),
    ]
    rows = np.zeros((SIDES, SIDES, WIDTH), np.int32)
    for side in range(SIDES):
        units = (firsts[0][side] + firsts[1] + first_bias).astype(np.int64)
        for weights, bias in layers:
            active = np.maximum(units, units >> _LEAK_BITS).astype(np.float64)
            units = (active @ weights).astype(np.int64) + (bias.astype(np.int64) << LINE_BITS)
            units = (units + (1 << (LINE_BITS - 1))) >> LINE_BITS
        rows[side] = np.clip(units, -_FAR_TOO_LARGE, _FAR_TOO_LARGE)
    bits = LINE_BITS + 1 - ROW_BITS
    table = np.zeros((SIDES, SIDES, WIDTH), np.int16)
    # Side by side: all at once would take a hundred megabytes.
    for side in range(SIDES):
        both = rows[side] + rows[:, side]  # from either end the same
        found = (both + (1 << (bits - 1))) >> bits
        table[side] = np.clip(found, -(1 << 13), (1 << 13) - 1)
    return table


def digest(network: Network) -> str:
    """A short name for a network."""
    found = hashlib.sha256()
    for name in sorted(_SHAPES):
        found.update(np.ascontiguousarray(getattr(network, name)).tobytes())
    return found.hexdigest()[:16]


def _kept_rows(network: Network) -> npt.NDArray[np.int16]:
    """The rows of a network, kept beside the compiled functions once they have been worked out."""
    shape = (network.colours, SIDES, SIDES, WIDTH)
    return kept_array(f"network-{digest(network)}", shape, np.int16, lambda: line_rows(network))


def parts_of(size: int) -> Ints:
    """The part of the board that each point is in, shape (size * size,): its sides are cut in thirds."""
    thirds = np.arange(size) * _SIDE_OF_POOLS // size
    parts: Ints = (_SIDE_OF_POOLS * thirds[:, None] + thirds).reshape(-1)
    return parts


def fits(network: Network, size: int) -> bool:
    """Whether a network is good for boards of a size: the smallest it has learned from, or a larger one.

    It knows short lines and parts of the board, of which a larger board has no others (`docs/strength.md`).
    """
    return bool(size >= network.sizes[0])


def fill(tables: Record, network: Network, size: int) -> None:
    """Put a network into the tables of some rules, for a board of some size."""
    rows = _kept_rows(network).reshape(-1)
    tables["net_rows"][0, : len(rows)] = rows
    states = sides()
    numbers = np.zeros((4,) * REACH, np.int64)
    numbers[tuple(states.T)] = np.arange(SIDES)
    swapped = numbers[tuple(SWAPPED[states].T)]
    places = (np.arange(SIDES) + (swapped << 32)) * WIDTH
    white = (network.colours - 1) * SIDES * SIDES * WIDTH << 32
    # In a code the points ahead stand from the nearest on, those behind from the farthest.
    ahead = (states << (2 * np.arange(REACH))).sum(axis=1)
    behind = (states << (2 * np.arange(REACH)[::-1])).sum(axis=1)
    tables["rows_ahead"][0, ahead] = places
    tables["rows_behind"][0, behind] = places * SIDES + white
    for point, part in enumerate(parts_of(size)):
        tables["pools"][0, cell_of(point % size, point // size)] = part
    pairs = network.first.reshape(POOLS * WIDTH, 2, UNITS).transpose(0, 2, 1)
    tables["net_first"][0] = pairs.reshape(-1)
    tables["net_first_bias"][0] = np.broadcast_to(network.first_bias, (2, UNITS)).reshape(-1)
    tables["net_second"][0] = network.second.reshape(-1)
    tables["net_second_bias"][0] = network.second_bias
    tables["net_last"][0] = network.last
    tables["net_last_bias"][0] = network.last_bias[0]
    tables["network"] = 1
