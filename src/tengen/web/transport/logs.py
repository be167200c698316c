"""The log: one line for each event on stderr, as plain text or as a JSON object.

Events have names such as ``write_failed``, and values (``extra={...}``); a line of JSON has a field for
each value, so that programs need not parse sentences.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
import time
from typing import Any, Literal

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}


def _moment(record: logging.LogRecord, form: str) -> str:
    return time.strftime(form, time.gmtime(record.created))


class JsonLines(logging.Formatter):
    """A log format with one JSON object a line: time (UTC), level, logger, event and its values."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        data: dict[str, Any] = {
            "time": f"{_moment(record, '%Y-%m-%dT%H:%M:%S')}.{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            data["traceback"] = self.formatException(record.exc_info)
        return json.dumps(data, default=str)


class PlainLines(logging.Formatter):
    """A log format for people: the time, the level, the event and its values."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, with its traceback below it."""
        values = "".join(f" {name}={value}" for name, value in _extras(record).items())
        # Data from a visitor may contain line breaks, and must not look like a line of its own.
        event = f"{record.getMessage()}{values}".replace("\r", "\\r").replace("\n", "\\n")
        line = f"{_moment(record, '%H:%M:%S')} {record.levelname.lower():7} {event}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def room_mark(game: str) -> str:
    """Return the mark of a room in the log: the start of a hash, because the address is a secret."""
    return hashlib.sha256(game.encode()).hexdigest()[:8]


def configure(form: Literal["plain", "json"] = "plain", level: str = "warning") -> None:
    """Send the log of this process to stderr in one of the two formats.

    Args:
        form: the format.
        level: the lowest level that is logged: ``"debug"``, ``"info"``, ``"warning"`` or ``"error"``.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    for name in ("tengen", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper())
    # Uvicorn would log every path, WebSockets' too, but the path of a room is a secret.
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger("uvicorn").level))
