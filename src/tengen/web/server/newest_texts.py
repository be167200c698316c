"""What somebody who looks on is told through a WebSocket: the newest text of each kind, no older one."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

_PONG = '{"type":"pong"}'


class NewestTexts:
    """What one client is told. It gets the newest of each kind, however slowly it reads."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._due = asyncio.Event()

    def put(self, kind: str, text: str) -> None:
        """Tell it something, in the place of what it has not read of that kind; returns at once."""
        self._texts[kind] = text
        self._due.set()

    async def serve(self, socket: WebSocket) -> None:
        """Send what there is until the client has gone; any message of its gets a sign of life."""
        writer = asyncio.create_task(self._write(socket))
        try:
            while (await socket.receive())["type"] != "websocket.disconnect":
                self.put("pong", _PONG)
        except (WebSocketDisconnect, RuntimeError):
            pass  # the client has gone
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
