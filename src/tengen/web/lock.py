"""A lock on a data folder, for one server at a time; it ends with its process, even after a crash."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout


class AlreadyServed(Exception):
    """Another server uses the folder.

    Attributes:
        url: the address of that server; empty while it starts.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class DataFolderLock:
    """The lock of a data folder, acquired on construction.

    Args:
        data: the folder; created if it is missing.

    Raises:
        AlreadyServed: another process holds the lock.
        OSError: the folder or a file in it cannot be created.
    """

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._url = data / "server.url"
        self._lock = FileLock(data / "server.lock", timeout=0, mode=0o600)
        try:
            self._lock.acquire()
        except Timeout as error:
            raise AlreadyServed(self._read()) from error
        self.write_url("")

    def _read(self) -> str:
        try:
            return self._url.read_text("utf-8").strip()
        except OSError:  # the other server is just starting or stopping
            return ""

    def write_url(self, url: str) -> None:
        """Store the address of this server in the folder, for later processes that find it locked."""
        self._url.write_text(url, "utf-8")

    def release(self) -> None:
        """Release the lock. May be called twice."""
        if self._lock.is_locked:
            self._url.unlink(missing_ok=True)
            self._lock.release()
