"""What an exact search has proven, kept in a file, so that another search goes on from it.

A line of JSON that says which game it is of, then the entries of the table (`tengen.solver.exact.table`)
compressed by zlib, then the SHA-256 digest of all that. What is proven of a position holds wherever it
comes up, so a file serves every position of its game. A damaged file is refused; one that somebody has made
up is not found out.
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

from tengen.formats.files import FileError, reason, shown
from tengen.game.rules import Rules
from tengen.solver.exact.table import ENTRY, keep_entries

FORMAT = "tengen exact"
VERSION = 1

_ROWS = 1 << 15
"""Entries that are read or written at a time: the file takes no memory worth speaking of."""

_LONGEST = 1000
"""Bytes of the first line."""

_SIZE = hashlib.sha256().digest_size


def load_table(path: Path, rules: Rules, table: npt.NDArray[np.int64]) -> None:
    """Add what is in a file to a table; a file that is not there, or is empty, holds nothing.

    Raises:
        FileError: it cannot be read, is damaged, or is of another game.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return
        _check(path, rules)
        with path.open("rb") as file:
            file.readline(_LONGEST)
            for entries in _entries(file, path.stat().st_size - _SIZE - file.tell()):
                keep_entries(table, entries)
    except OSError as error:
        raise FileError("error.file.read", file=shown(path), reason=reason(error)) from error
    except (ValueError, zlib.error) as error:
        if isinstance(error, FileError):
            raise
        raise FileError("error.solve.file", file=shown(path)) from error


def save_table(path: Path, rules: Rules, table: npt.NDArray[np.int64]) -> None:
    """Write a table to a file, in place of what was there.

    Raises:
        FileError: it cannot be written.
    """
    part = _beside(path)
    try:
        with part.open("wb") as file:
            digest, packer = hashlib.sha256(), zlib.compressobj(1)

            def write(data: bytes) -> None:
                digest.update(data)
                file.write(data)

            write(json.dumps(_head(rules)).encode() + b"\n")
            for first in range(0, len(table), _ROWS):
                rows = table[first : first + _ROWS]
                write(packer.compress(np.ascontiguousarray(rows[rows[:, 2] != 0], "<i8").tobytes()))
            write(packer.flush())
            file.write(digest.digest())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise FileError("error.file.write", file=shown(path), reason=reason(error)) from error


def _beside(path: Path) -> Path:
    """What a file is called while it is written."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def _head(rules: Rules) -> dict[str, Any]:
    """What the first line says."""
    game = {"width": rules.width, "height": rules.height, "k": rules.k}
    return {"format": FORMAT, "version": VERSION, **game}


def _check(path: Path, rules: Rules) -> None:
    """Refuse a file that is damaged, or of another game, before anything is taken from it."""
    digest, left = hashlib.sha256(), path.stat().st_size - _SIZE
    with path.open("rb") as file:
        while left > 0 and (data := file.read(min(left, 1 << 20))):
            digest.update(data)
            left -= len(data)
        if left != 0 or file.read() != digest.digest():
            raise FileError("error.solve.file", file=shown(path))
        file.seek(0)
        head = json.loads(file.readline(_LONGEST))
    if head != _head(rules):
        raise FileError("error.solve.file_game", file=shown(path))


def _entries(file: IO[bytes], left: int) -> Iterator[npt.NDArray[np.int64]]:
    """The entries that are packed in the next bytes of a file."""
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
