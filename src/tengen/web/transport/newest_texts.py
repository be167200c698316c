"""Text messages to a spectator's WebSocket, of which only the newest of each kind is sent."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

_PONG = '{"type":"pong"}'


class NewestTexts:
    """The unsent texts for one client: the newest of each kind, however slowly the client reads."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._due = asyncio.Event()

    def put(self, kind: str, text: str) -> None:
        """Queue a text, in place of an unsent one of its kind; returns at once."""
        self._texts[kind] = text
        self._due.set()

    async def serve(self, socket: WebSocket) -> None:
        """Send texts until the client disconnects; answer each of its messages with a pong."""
        writer = asyncio.create_task(self._write(socket))
        try:
            while (await socket.receive())["type"] != "websocket.disconnect":
                self.put("pong", _PONG)
        except (WebSocketDisconnect, RuntimeError):
            pass  # the client has disconnected
        finally:
            writer.cancel()

    async def _write(self, socket: WebSocket) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                await self._due.wait()
                self._due.clear()
                texts, self._texts = self._texts, {}
                for text in texts.values():
                    await socket.send_text(text)
