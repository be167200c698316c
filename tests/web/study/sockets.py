"""Clients of the WebSockets that analyse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

from tengen.executors import Workers
from tengen.web.computing.search_pool import SearchPool
from tests.web.serving import Server


class SocketClient:
    """The other end of a WebSocket of JSON messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    @classmethod
    @contextmanager
    def opened(cls, site: Server, path: str, **headers: str) -> Iterator[Self]:
        with connect(f"{site.ws}{path}", close_timeout=2, additional_headers=headers) as socket:
            yield cls(socket)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, seconds: float = 60) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.socket.recv(seconds))
        return told


def workers(site: Server) -> Workers:
    """The workers that a server's analyses share."""
    found: Workers = site.app.state.services[SearchPool].analysis_workers
    return found
