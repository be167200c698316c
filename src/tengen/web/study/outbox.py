"""Messages on their way to a client that may read slowly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Hashable
from typing import Any

from fastapi import WebSocket

from tengen.executors.running_search import set_within
from tengen.web.server.http_errors import Overloaded

PAUSE = 0.1
"""Seconds between two deliveries, while there is only progress to tell."""

MOST = 10_000
"""Messages that wait; a client that lets more of them wait is not listening."""


class Outbox:
    """Sends messages in order. Of several about the same thing that wait, only the newest is sent.

    Args:
        websocket: the way to the client.
    """

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._waiting: dict[Hashable, dict[str, Any]] = {}
        self._some = asyncio.Event()
        self._urgent = asyncio.Event()
        self._count = 0

    def put(self, message: dict[str, Any], about: Hashable = None) -> None:
        """Send a message as soon as the client takes it.

        Args:
            message: data for JSON.
            about: what it is progress of; None for a message that is sent at once, whatever follows.
        """
        if about is None:
            self._count += 1
            about = self._count
            self._urgent.set()
        if len(self._waiting) < MOST:
            self._waiting[about] = message
        self._some.set()

    async def run(self) -> None:
        """Send for ever.

        Raises:
            Overloaded: the client does not take its messages.
            OSError, RuntimeError: it has gone.
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
