"""The addresses that the operator blocks: a file, read again when it changes.

Each line has one address or network, ``203.0.113.7`` or ``2001:db8::/32``; text after a ``#`` is a comment.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from collections.abc import Callable
from pathlib import Path

from tengen.formats.files import reason
from tengen.game.notation import shorten
from tengen.web.transport.settings import Network, SettingsError, is_among

POLL = 1.0
"""Seconds between two checks whether the file has changed."""

_log = logging.getLogger("tengen.web")


class Blocklist:
    """The blocked addresses of a file.

    Args:
        path: the file; None to block no address.
        clock: returns the time in seconds.

    Raises:
        SettingsError: the file cannot be read, or a line is neither an address nor a network.
    """

    def __init__(self, path: Path | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._checked = clock()
        self._file_state = _state(path)
        self._networks = _read(path) if path is not None else ()

    def __contains__(self, address: str) -> bool:
        """Return whether an address is blocked."""
        if self._path is None:
            return False
        self._reload()
        return is_among(address, self._networks)

    def _reload(self) -> None:
        """Read the file again if it has changed; after an error, log it and keep the old addresses."""
        now = self._clock()
        if now - self._checked < POLL or self._path is None:
            return
        self._checked = now
        state = _state(self._path)
        if state == self._file_state:
            return
        self._file_state = state
        try:
            self._networks = _read(self._path)
        except SettingsError as error:
            _log.warning("blocklist_kept", extra={"reason": str(error)})
        else:
            _log.info("blocklist_read", extra={"count": len(self._networks)})


def _state(path: Path | None) -> tuple[int, int] | None:
    """Return the modification time and size of a file, which reveal changes; None without a file."""
    try:
        stat = None if path is None else path.stat()
    except OSError:
        return None
    return None if stat is None else (stat.st_mtime_ns, stat.st_size)


def _read(path: Path) -> tuple[Network, ...]:
    """Return the networks in a file.

    Raises:
        SettingsError: the file cannot be read, or a line is neither an address nor a network.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError("error.web.blocklist.file", file=str(path), reason=reason(error)) from error
    found = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            found.append(ipaddress.ip_network(text, strict=False))
        except ValueError as error:
            values = {"file": str(path), "line": number, "text": shorten(text)}
            raise SettingsError("error.web.blocklist.line", **values) from error
    return tuple(found)
