"""Files of JSON lines that grow; an incomplete last line is ignored.

So nothing finished is lost: if the machine dies in the middle of a line, only that line is lost, and it is
cut off when the file is continued.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from tengen.formats.files import read_error, write_error
from tengen.formats.jsonformat import line_of

_BLOCK = 1 << 16


class JsonLinesFile:
    """A file open for writing; a context manager.

    Args:
        path: the file.
        first: the first line of a new file, which replaces an old one; None continues the old file.
        folders: create the folders of a new file.

    Raises:
        FileError: it cannot be written.
    """

    def __init__(self, path: str | Path, first: dict[str, Any] | None, *, folders: bool = False) -> None:
        self._path = Path(path).expanduser()
        try:
            if first is not None and folders:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = self._path.open("r+b" if first is None else "wb")
        except OSError as error:
            raise write_error(self._path, error) from error
        if first is None:
            self._file.truncate(_whole(self._file))
            self._file.seek(0, os.SEEK_END)
        else:
            self.write(first)

    def write(self, data: dict[str, Any]) -> None:
        """Write a line and flush it.

        Raises:
            FileError: the disk is full, say.
        """
        try:
            self._file.write(line_of(data))
            self._file.flush()
        except OSError as error:
            raise write_error(self._path, error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def json_lines(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Iterate over the lines of a file with their numbers, from 1, lazily and without empty ones.

    A line that is no JSON object counts as an empty object.

    Raises:
        FileError: the file cannot be read.
    """
    try:
        with Path(path).expanduser().open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.endswith(b"\n") and line.strip():
                    yield number, _object(line)
    except OSError as error:
        raise read_error(path, error) from error


def _object(line: bytes) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _whole(file: IO[bytes]) -> int:
    """Return the offset behind the last complete line."""
    end = file.seek(0, os.SEEK_END)
    while end > 0:
        start = max(end - _BLOCK, 0)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0
