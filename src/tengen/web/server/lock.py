"""One server for a data folder: a lock that goes with its process, however that ends."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout


class AlreadyServed(Exception):
    """Another server has the folder.

    Attributes:
        url: its address; empty while it starts.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class DataFolderLock:
    """The lock of a data folder, held.

    Args:
        data: the folder; made if it is not there.

    Raises:
        AlreadyServed: another process has it.
        OSError: there can be no file.
    """

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._url = data / "server.url"
        self._lock = FileLock(data / "server.lock", timeout=0, mode=0o600)
        try:
            self._lock.acquire()
        except Timeout as error:
            raise AlreadyServed(self._read()) from error
        self.tell("")

    def _read(self) -> str:
        try:
            return self._url.read_text("utf-8").strip()
        except OSError:  # the other one has just come, or is about to go
            return ""

    def tell(self, url: str) -> None:
        """Leave the server's address for whoever comes next."""
        self._url.write_text(url, "utf-8")

    def release(self) -> None:
        """Let the folder go. May be called twice."""
        if self._lock.is_locked:
            self._url.unlink(missing_ok=True)
            self._lock.release()
