"""The log: one line for each event on stderr, as plain text or as a JSON object.

Events have names such as ``write_failed``, and values beside them (``extra={...}``); a line of JSON has all
of it in fields of its own, so that programs need not read sentences.
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
    """One JSON object a line: time (UTC), level, logger, event, what else belongs to it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
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
    """For people: the time, the level, the event and its values."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record, and its traceback below it."""
        values = "".join(f" {name}={value}" for name, value in _extras(record).items())
        # What a visitor sent may hold anything; it is not to look like a line of its own.
        event = f"{record.getMessage()}{values}".replace("\r", "\\r").replace("\n", "\\n")
        line = f"{_moment(record, '%H:%M:%S')} {record.levelname.lower():7} {event}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def room_mark(game: str) -> str:
    """What the log has of a room: its address is a secret, so a few letters of its hash."""
    return hashlib.sha256(game.encode()).hexdigest()[:8]


def configure(form: Literal["plain", "json"] = "plain", level: str = "warning") -> None:
    """Send the log of this process to stderr in one of the two forms.

    Args:
        form: how lines look.
        level: the least that is logged: ``"debug"``, ``"info"``, ``"warning"`` or ``"error"``.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    for name in ("tengen", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper())
    # Uvicorn would write every address as it is, WebSockets' too, and the address of a room is a secret.
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger("uvicorn").level))
