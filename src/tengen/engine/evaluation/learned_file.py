"""Files of learned arrays: one for each kind of learned parameters and each family of rules.

A file is an archive that `numpy.load` reads, with an array for each field of a dataclass. Nothing in a file
is run as code, and arrays of other types, shapes or magnitudes are refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from io import BytesIO
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import Record, aligned, new_record
from tengen.game.errors import TengenError

FOLDER = Path(__file__).parent / "data"
"""The folder of the files that come with Tengen."""

COLOURS = 0
"""A length in a shape that is 1 or 2, the same in all shapes of a file."""

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
Shapes: TypeAlias = dict[str, tuple[str, tuple[int, ...]]]
"""The type and the shape of each array."""

L = TypeVar("L")

_LARGEST = 1e6
"""No floating-point number of a file is as large: larger ones could make a sum infinite."""

_LARGEST_FILE = 1 << 26
"""Bytes of arrays that a file may hold: far more than any that is written here."""


@dataclass(frozen=True)
class LearnedFile(Generic[L]):
    """The files of one kind of learned parameters.

    Attributes:
        kind: the dataclass of the parameters, whose fields are arrays.
        suffix: the end of a file's name, after the family.
        foreign: the key of the sentence that says that the ``file`` holds something else.
        shapes: the arrays of a file.
        from_file: what turns the arrays of a file into those of the dataclass, or refuses them by a
            ValueError.
        to_file: what turns the arrays of the dataclass into those of a file.
    """

    kind: Callable[..., L]
    suffix: str
    foreign: str
    shapes: Shapes
    from_file: Callable[[Arrays], Arrays] = dict
    to_file: Callable[[Arrays], Arrays] = dict

    def path(self, name: str, folder: Path = FOLDER) -> Path:
        """Return the path of a family's file, whether it exists or not."""
        return folder / f"{name}{self.suffix}.npz"

    def load(self, name: str, folder: Path = FOLDER) -> L:
        """Load the parameters of a family; by default those that come with Tengen.

        Raises:
            FileError: there is no such file, or it cannot be read.
            TengenError: it holds something else, or is damaged.
        """
        file = self.path(name, folder)
        arrays = read_arrays(file, self.foreign)
        try:
            arrays = self.from_file(arrays)
        except ValueError:
            arrays = {}
        if not have_shapes(arrays, self.shapes):
            raise TengenError(self.foreign, file=str(file))
        return self.kind(**arrays)

    def load_if_present(self, name: str, folder: Path = FOLDER) -> L | None:
        """Load the parameters of a family; None if there is no file.

        Raises:
            FileError: the file cannot be read.
            TengenError: it holds something else, or is damaged.
        """
        return self.load(name, folder) if self.path(name, folder).exists() else None

    def save(self, name: str, learned: L, folder: Path = FOLDER) -> None:
        """Write the parameters of a family; readers see the old file or the new one, never a part.

        Raises:
            FileError: the file cannot be written.
            OSError: the folder cannot be made.
        """
        write_arrays(self.path(name, folder), self.to_file(_arrays(learned)))

    def digest(self, learned: L) -> str:
        """Return a short name for the parameters: a hash of all arrays."""
        found = hashlib.sha256()
        for _, array in sorted(_arrays(learned).items()):
            found.update(np.ascontiguousarray(array).tobytes())
        return found.hexdigest()[:16]


def _arrays(learned: Any) -> Arrays:
    return {field.name: getattr(learned, field.name) for field in fields(learned)}


def have_shapes(arrays: Arrays, shapes: Shapes) -> bool:
    """Return whether arrays have the wanted types and shapes, and no number is too large."""
    found = {key: (str(array.dtype), array.shape) for key, array in arrays.items()}
    fit = any(found == _for_colours(shapes, colours) for colours in (1, 2))
    return fit and all(map(_is_sane, arrays.values()))


def _for_colours(shapes: Shapes, colours: int) -> Shapes:
    return {
        key: (kind, tuple(colours if length == COLOURS else length for length in shape))
        for key, (kind, shape) in shapes.items()
    }


def _is_sane(array: npt.NDArray[Any]) -> bool:
    return array.dtype.kind != "f" or bool((np.abs(array) < _LARGEST).all())


def record_type(shapes: Shapes) -> np.dtype[np.void]:
    """Return the type of a record of such arrays, of both colours where they are distinguished."""
    both = _for_colours(shapes, 2)
    return aligned([(name, np.dtype(kind), shape) for name, (kind, shape) in both.items()])


def record_of(learned: Any, kind: np.dtype[np.void]) -> Record:
    """Return the arrays of a dataclass as a record for kernels; what is for both colours is there twice.

    Integers that are too large for the record's fields are clipped.
    """
    record = new_record(kind)
    for name in kind.names or ():
        array, field = getattr(learned, name), record[0][name]
        if field.dtype.kind == "i":
            limits = np.iinfo(field.dtype)
            array = np.clip(array, limits.min, limits.max)
        field[...] = array
    return record


def write_arrays(file: Path, arrays: dict[str, Any]) -> None:
    """Write arrays into a file, at once for whoever reads it; its folder is made if there is none.

    Raises:
        FileError: the file cannot be written.
        OSError: the folder cannot be made.
    """
    from tengen.formats.files import write_whole

    file.parent.mkdir(parents=True, exist_ok=True)
    data = BytesIO()
    np.savez_compressed(data, **arrays)
    write_whole(file, data.getvalue())


def read_arrays(file: Path, foreign: str) -> Arrays:
    """Read the arrays of a file that `write_arrays` has written.

    Args:
        file: the file.
        foreign: the key of the sentence that says that the ``file`` holds something else.

    Raises:
        FileError: there is no such file, or it cannot be read.
        TengenError: it holds something else, or is damaged.
    """
    from tengen.formats.files import read_error, shown

    try:
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        raise read_error(file, error) from error
    try:
        return _arrays_in(data)
    # zipfile and NumPy report the faults of a foreign file in a dozen kinds of exceptions.
    except Exception as error:
        raise TengenError(foreign, file=shown(file)) from error


def _arrays_in(data: bytes) -> Arrays:
    with ZipFile(BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _LARGEST_FILE:
            raise ValueError(data)
        return {
            entry.removesuffix(".npy"): np.lib.format.read_array(BytesIO(archive.read(entry)))
            for entry in archive.namelist()
        }


def version(file: Path) -> tuple[int, ...]:
    """Return a tuple that differs once a file is written anew; () if there is none."""
    try:
        found = file.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino
