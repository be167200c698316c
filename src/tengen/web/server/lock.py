"""One server for a data directory: a lock that goes with its process, however that ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO

_NAME = "server.lock"
_FAR = 1 << 20
"""Windows lets nobody read what is locked, so a byte is locked that holds nothing."""


class AlreadyServed(Exception):
    """Another server has the directory.

    Attributes:
        url: its address; empty while it starts.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class DataFolderLock:
    """The lock of a data directory, held.

    Args:
        data: the directory; made if it is not there.

    Raises:
        AlreadyServed: another process has it.
        OSError: there can be no file.
    """

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        path = data / _NAME
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._file: BinaryIO = os.fdopen(descriptor, "r+b", buffering=0)
        try:
            _lock(self._file)
        except OSError as error:
            url = self._file.read(500).decode("utf-8", "replace").strip()
            self._file.close()
            raise AlreadyServed(url) from error
        self._file.truncate(0)

    def tell(self, url: str) -> None:
        """Leave the server's address for whoever comes next."""
        self._file.seek(0)
        self._file.truncate(0)
        self._file.write(url.encode())

    def release(self) -> None:
        """Let the directory go. May be called twice."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> None:
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
