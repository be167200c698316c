"""A queue of outgoing messages for a client that may read slowly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Hashable
from typing import Any

from fastapi import WebSocket

from tengen.executors.running_search import set_within
from tengen.web.transport.http_errors import Overloaded

PAUSE = 0.1
"""Seconds between two deliveries while only progress messages are waiting."""

MOST = 10_000
"""The number of waiting messages from which a client is considered not to read."""


class Outbox:
    """An ordered queue of messages. Of several waiting messages on one subject, only the newest is sent.

    Args:
        websocket: the client's WebSocket.
    """

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._waiting: dict[Hashable, dict[str, Any]] = {}
        self._some = asyncio.Event()
        self._urgent = asyncio.Event()
        self._count = 0

    def put(self, message: dict[str, Any], about: Hashable = None) -> None:
        """Queue a message.

        Args:
            message: JSON data.
            about: the subject of a progress message, which a newer one replaces; None for a message that
                must be sent at once.
        """
        if about is None:
            self._count += 1
            about = self._count
            self._urgent.set()
        if len(self._waiting) < MOST:
            self._waiting[about] = message
        self._some.set()

    async def run(self) -> None:
        """Send queued messages for ever.

        Raises:
            Overloaded: the client does not read its messages.
            OSError, RuntimeError: the client has disconnected.
        """
        while True:
            await self._some.wait()
            self._some.clear()
            self._urgent.clear()
            if len(self._waiting) >= MOST:
                raise Overloaded("error.web.analysis.busy")
            waiting, self._waiting = self._waiting, {}
            for message in waiting.values():
                await self._websocket.send_text(json.dumps(message, separators=(",", ":")))
            await set_within(self._urgent, PAUSE)
