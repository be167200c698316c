"""The learned numbers: what a class of points is worth, and how likely a move there is the best one.

For each class of points (`tengen.engine.board.point_classes`) there are two numbers of centi-units: what it
is worth to the side to move, and what it takes from it when it is the other side's. The sum is squashed by
the logistic curve of `tengen.game.player.Score`, and the numbers are such that this comes closest to how
games ended and to what deeper searches said (`tengen.training`). Each family of rules has its own;
where a colour has no fouls of its own, both colours share theirs.

Which moves are looked at first is learned in the same way: for each class how likely a move there is the
best one, for what it makes and for what it stops; and for its *context*, which is where it lies from the
last two moves, and the two kinds of what it makes and stops.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt

from tengen.engine.board.point_classes import CLASSES
from tengen.engine.board.records import CONTEXTS, SITUATIONS, Record
from tengen.engine.board.worths import LOW_BITS
from tengen.game.errors import TengenError
from tengen.game.rules import Rules

FAMILIES = ("freestyle", "standard", "renju", "caro")
FOLDER = Path(__file__).parent / "data"

LARGEST_WORTH = 32_000
LARGEST_ORDER = 4000

_SHAPES = {
    "worths": (2, 2, CLASSES),
    "orders": (2, 2, CLASSES),
    "situations": (2, SITUATIONS),
    "contexts": (2, CONTEXTS),
}

_LARGEST_FILE = 1 << 26
"""Bytes of arrays that a file may hold: far more than any that is written here."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Weights:
    """The learned numbers of one family of rules.

    Attributes:
        worths: in sixteenths of a centi-unit (`UNIT`), shape (2, 2, `CLASSES`): by colour, to move or not,
            and class. Those of a side not to move are what it has, not what that takes from the other.
        orders: logarithms of chances times 100, shape (2, 2, `CLASSES`): by colour, the move made there by
            this colour or against it, and class.
        situations: centi-units, shape (2, `SITUATIONS`): what a combination of threats adds, by the side to
            move (`tengen.engine.evaluation.static.situation`).
        contexts: as `orders`, shape (2, `CONTEXTS`): what is added for where a move lies from the last one,
            and from the one before (`tengen.engine.search.moves.steps_away`), and for the kinds of what it
            makes and stops, 16 times the first and the second; by the side to move.
    """

    worths: Ints
    orders: Ints
    situations: Ints
    contexts: Ints


def family(rules: Rules) -> str:
    """The rules whose numbers fit best."""
    if rules.double_three or rules.double_four or rules.overline == "foul":
        return "renju"
    if rules.blocked_five != "wins":
        return "caro"
    return "freestyle" if rules.overline == "wins" else "standard"


def load(name: str, folder: Path = FOLDER) -> Weights:
    """The numbers of one family of rules; by default those that come with Tengen.

    Raises:
        FileError: there is no such file, or it cannot be read.
        TengenError: there are no such numbers in it.
    """
    file = file_of(name, folder)
    # Numbers that were learned before there were contexts go without.
    none = {"contexts": np.zeros(_SHAPES["contexts"], np.int16)}
    arrays = none | read_arrays(file, "error.engine.weights")
    if {key: array.shape for key, array in arrays.items()} != _SHAPES or not all(
        map(_small, arrays.values())
    ):
        raise TengenError("error.engine.weights", file=str(file))
    return Weights(**{key: array.astype(np.int64) for key, array in arrays.items()})


def _small(array: npt.NDArray[Any]) -> bool:
    """Whether these are whole numbers as `save` has written them."""
    return array.dtype.kind == "i" and bool((abs(array.astype(np.int64)) <= 1 << 15).all())


def save(name: str, weights: Weights, folder: Path = FOLDER) -> None:
    """Write the numbers of one family of rules, all at once for whoever reads them.

    Raises:
        FileError: the file cannot be written.
        OSError: the folder cannot be made.
    """
    write_arrays(
        file_of(name, folder),
        {
            "worths": weights.worths.astype(np.int16),
            "orders": weights.orders.astype(np.int16),
            "situations": weights.situations.astype(np.int16),
            "contexts": weights.contexts.astype(np.int16),
        },
    )


def write_arrays(file: Path, arrays: dict[str, Any]) -> None:
    """Write arrays into a file that `numpy.load` reads, all at once; its folder is made if there is none.

    Raises:
        FileError: the file cannot be written.
        OSError: the folder cannot be made.
    """
    # Not at the top: a change of what is imported there compiles the kernels anew.
    from tengen.formats.files import write_whole

    file.parent.mkdir(parents=True, exist_ok=True)
    data = BytesIO()
    np.savez_compressed(data, **arrays)
    write_whole(file, data.getvalue())


def read_arrays(file: Path, foreign: str) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file that `write_arrays` has written; nothing in it is run as code.

    Args:
        file: the file.
        foreign: the key of the sentence that says that the ``file`` holds something else.

    Raises:
        FileError: there is no such file, or it cannot be read.
        TengenError: it holds something else, or is damaged.
    """
    from tengen.formats.files import FileError, reason, shown

    try:
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        raise FileError("error.file.read", file=shown(file), reason=reason(error)) from error
    try:
        return _arrays_in(data)
    # Of what may be wrong with a foreign file, zipfile and NumPy tell in a dozen kinds of exceptions.
    except Exception as error:
        raise TengenError(foreign, file=shown(file)) from error


def _arrays_in(data: bytes) -> dict[str, npt.NDArray[Any]]:
    with ZipFile(BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _LARGEST_FILE:
            raise ValueError(data)
        return {
            entry.removesuffix(".npy"): np.lib.format.read_array(BytesIO(archive.read(entry)))
            for entry in archive.namelist()
        }


def file_of(name: str, folder: Path = FOLDER) -> Path:
    """Where the numbers of a family of rules are kept."""
    return folder / f"{name}.npz"


def version(file: Path) -> tuple[int, ...]:
    """Another tuple once a file is written anew; () where there is none."""
    try:
        found = file.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def fill(tables: Record, weights: Weights) -> None:
    """Put the numbers into the tables of some rules."""
    worths = np.clip(weights.worths, -LARGEST_WORTH, LARGEST_WORTH)
    low, high = 1, 1 << LOW_BITS
    # Black's points count for Black when it is to move, and against White when White is; and vice versa.
    tables["worths"][0, 0, :CLASSES] = worths[0, 0] * high - worths[0, 1] * low
    tables["worths"][0, 1, :CLASSES] = worths[1, 0] * low - worths[1, 1] * high
    tables["orders"][0, :, :, :CLASSES] = np.clip(weights.orders, -LARGEST_ORDER, LARGEST_ORDER)
    tables["situations"][0] = weights.situations
    tables["contexts"][0] = np.clip(weights.contexts, -LARGEST_ORDER, LARGEST_ORDER)
    depths = np.log(np.maximum(np.arange(64), 1))
    tables["reductions"][0] = (1 + np.outer(depths, depths)).astype(np.uint8)
