"""A server process: uvicorn with the application, and a clean shutdown."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI
from uvicorn.server import HANDLED_SIGNALS

from tengen.web.app import create_app
from tengen.web.transport.monitoring import OpenSockets
from tengen.web.transport.settings import ServerSettings

_BACKLOG = 2048


class Server(uvicorn.Server):
    """A uvicorn server that announces its shutdown to every WebSocket before it closes the connections.

    Args:
        settings: the settings of the server.
        on_start: called once the server answers requests.
    """

    def __init__(self, settings: ServerSettings, on_start: Callable[[], None] | None = None) -> None:
        self.app: FastAPI = create_app(settings)
        self._on_start = on_start
        super().__init__(
            uvicorn.Config(
                self.app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=settings.public,
                forwarded_allow_ips=settings.proxies,
                ws="websockets-sansio",
                ws_max_size=settings.max_message,
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=max(1, round(settings.grace)),
                h11_max_incomplete_event_size=64 * 1024,
                lifespan="on",
            )
        )

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """End at a signal, without raising the signal again afterwards, as uvicorn would."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the services, then answer requests."""
        if sockets:
            self.app.state.port = sockets[0].getsockname()[1]
        # `app.state.failure` has the reason for a failed start, to be printed without a traceback.
        logger = logging.getLogger("uvicorn.error")
        logger.disabled, before = True, logger.disabled
        try:
            await super().startup(sockets)
        except SystemExit:
            self.should_exit = True
        finally:
            logger.disabled = before
        if self.started and self._on_start is not None:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the WebSockets, let requests end, close the services."""
        for server in self.servers:
            server.close()
        await self.app.state.services[OpenSockets].close()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Args:
        host: an address or a host name.
        port: the port; 0 for a free one.

    Raises:
        OSError: the port is taken, or the host is not an address of this machine.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    family, kind, protocol, _, address = found[0]
    # With the protocol named, asyncio sends small responses at once (TCP_NODELAY), otherwise 40 ms later.
    listener = socket.socket(family, kind, protocol)
    try:
        # On Windows, the option would let two programs use the same port.
        if hasattr(socket, "SO_REUSEPORT"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener
