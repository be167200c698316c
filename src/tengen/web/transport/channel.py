"""One client's WebSocket: texts to the client in order, and the client's messages one by one."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from tengen.executors.running_search import set_within
from tengen.web.transport.visitors import visitor_of

TOO_SLOW = 4008
"""The close code for a client that does not read; it connects again and receives everything anew."""

_RATE, _BURST = 20.0, 100.0
"""The rate of a client's messages per second that are read without delay, and the size of a burst."""

_PONG = '{"type":"pong"}'

_GONE = (OSError, RuntimeError, WebSocketDisconnect)
"""Exceptions raised by reading from, or writing to, a client that has disconnected."""

_log = logging.getLogger("tengen.web")


class Channel:
    """Both directions of one WebSocket.

    Texts wait in a queue, so that a client that reads slowly does not delay the others. Of several waiting
    texts about the same subject, only the newest is sent. A client that lets too many texts wait is
    disconnected.

    Args:
        socket: the WebSocket, already accepted.
        most: the most texts that may wait.
        pause: seconds between two deliveries while all waiting texts have a subject.

    Attributes:
        visitor: the id of the visitor; None for a client without a cookie.
    """

    def __init__(self, socket: WebSocket, *, most: int = 64, pause: float = 0.0) -> None:
        self.visitor = visitor_of(socket)
        self._socket = socket
        self._most = most
        self._pause = pause
        self._waiting: dict[Hashable, str] = {}
        self._pending = asyncio.Event()
        self._urgent = asyncio.Event()
        self._slow = False

    def send(self, text: str, about: Hashable = None) -> None:
        """Queue a text; return at once.

        Args:
            text: the message.
            about: the subject, of which a newer text replaces a waiting one; None for a text that is always
                sent, without a pause.
        """
        if about is None:
            about = object()
            self._urgent.set()
        self._slow = self._slow or (len(self._waiting) >= self._most and about not in self._waiting)
        if not self._slow:
            self._waiting[about] = text
        self._pending.set()

    async def receive(self) -> str:
        """Return the next message's text; empty for a binary message.

        Raises:
            WebSocketDisconnect: the client has disconnected.
        """
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        return message.get("text") or ""

    async def serve(
        self,
        on_message: Callable[[str], Awaitable[None]] | None = None,
        background: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Send and receive until the client disconnects or is too slow.

        Args:
            on_message: processes one message; None to answer every message with a sign of life.
            background: work for the client beside the messages; the connection ends with it.
        """
        work = [self._write, *([] if background is None else [background])]
        tasks = [asyncio.create_task(self._run_then_close(run)) for run in work]
        try:
            with suppress(*_GONE):
                await self._read(on_message or self._pong)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.close(1000)

    async def _run_then_close(self, work: Callable[[], Awaitable[None]]) -> None:
        """Work for the client, then close the WebSocket, so that reading from it ends too."""
        try:
            await work()
        except _GONE:
            pass  # the client has disconnected
        except Exception:
            _log.exception("socket_failed")
        await self.close(TOO_SLOW if self._slow else 1000)

    async def close(self, code: int, text: str = "") -> None:
        """Close the WebSocket, after a last text if one is given; a closed one is left alone."""
        with suppress(*_GONE):
            if text:
                await self._socket.send_text(text)
            await self._socket.close(code)

    async def _pong(self, _: str) -> None:
        self.send(_PONG, "pong")

    async def _read(self, on_message: Callable[[str], Awaitable[None]]) -> None:
        left, since = _BURST, time.monotonic()
        while True:
            text = await self.receive()
            now = time.monotonic()
            left, since = min(_BURST, left + (now - since) * _RATE) - 1, now
            if left < 0:
                await asyncio.sleep(1 / _RATE)
            await on_message(text)

    async def _write(self) -> None:
        """Send the queued texts until the client is too slow."""
        while not self._slow:
            await self._pending.wait()
            self._pending.clear()
            self._urgent.clear()
            while self._waiting and not self._slow:
                await self._socket.send_text(self._waiting.pop(next(iter(self._waiting))))
            if self._pause:
                await set_within(self._urgent, self._pause)


def compact_json(message: dict[str, Any]) -> str:
    """Return a message as compact JSON text."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)
