"""The file of an exact search's table, from which another search continues.

The file is a line of JSON that names the game, the entries of the table (`tengen.solver.exact.table`)
compressed by zlib, and the SHA-256 digest of all that. The proven value of a position holds wherever it
occurs, so a file serves every position of its game. Damaged files are refused; forged ones are not
detected.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from tengen.formats.files import FileError, read_error, shown, write_error
from tengen.game.rules import Rules
from tengen.solver.exact.table import ENTRY, keep_entries

FORMAT = "tengen exact"
VERSION = 1

_ROWS = 1 << 15
"""Entries that are read or written at a time, so that the file takes little memory."""

_LONGEST_HEADER = 1000
"""Most bytes of the first line."""

_DIGEST_SIZE = hashlib.sha256().digest_size


def load_table(path: Path, rules: Rules, table: npt.NDArray[np.int64]) -> None:
    """Add the entries of a file to a table; a missing or empty file has none.

    Raises:
        FileError: the file cannot be read, is damaged, or belongs to another game.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return
        _check(path, rules)
        with path.open("rb") as file:
            file.readline(_LONGEST_HEADER)
            for entries in _entries(file, path.stat().st_size - _DIGEST_SIZE - file.tell()):
                keep_entries(table, entries)
    except OSError as error:
        raise read_error(path, error) from error
    except (ValueError, zlib.error) as error:
        if isinstance(error, FileError):
            raise
        raise FileError("error.solve.file", file=shown(path)) from error


def save_table(path: Path, rules: Rules, table: npt.NDArray[np.int64]) -> None:
    """Write a table to a file, and replace its former contents.

    Raises:
        FileError: the file cannot be written.
    """
    part = _beside(path)
    try:
        with part.open("wb") as file:
            digest, packer = hashlib.sha256(), zlib.compressobj(1)

            def write(data: bytes) -> None:
                digest.update(data)
                file.write(data)

            write(json.dumps(_header(rules)).encode() + b"\n")
            for first in range(0, len(table), _ROWS):
                rows = table[first : first + _ROWS]
                write(packer.compress(np.ascontiguousarray(rows[rows[:, 2] != 0], "<i8").tobytes()))
            write(packer.flush())
            file.write(digest.digest())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise write_error(path, error) from error


def _beside(path: Path) -> Path:
    """Return the name of a file while it is written."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def _header(rules: Rules) -> dict[str, Any]:
    """Return the contents of the first line."""
    game = {"width": rules.width, "height": rules.height, "k": rules.k}
    return {"format": FORMAT, "version": VERSION, **game}


def _check(path: Path, rules: Rules) -> None:
    """Check the digest and the game of a file before any entry is read.

    Raises:
        FileError: the file is damaged, or belongs to another game.
    """
    digest, left = hashlib.sha256(), path.stat().st_size - _DIGEST_SIZE
    with path.open("rb") as file:
        while left > 0 and (data := file.read(min(left, 1 << 20))):
            digest.update(data)
            left -= len(data)
        if left != 0 or file.read() != digest.digest():
            raise FileError("error.solve.file", file=shown(path))
        file.seek(0)
        header = json.loads(file.readline(_LONGEST_HEADER))
    if header != _header(rules):
        raise FileError("error.solve.file_game", file=shown(path))


def _entries(file: IO[bytes], left: int) -> Iterator[npt.NDArray[np.int64]]:
    """Read the entries that are compressed in the next `left` bytes of a file."""
    unpacker, rest, most = zlib.decompressobj(), b"", _ROWS * ENTRY
    while left > 0 and (packed := file.read(min(left, most))):
        left -= len(packed)
        while packed or unpacker.unconsumed_tail:
            data = rest + unpacker.decompress(unpacker.unconsumed_tail or packed, most)
            packed = b""
            whole = len(data) - len(data) % ENTRY
            rest = data[whole:]
            if whole:
                yield np.frombuffer(data[:whole], "<i8").astype(np.int64).reshape(-1, ENTRY // 8)
