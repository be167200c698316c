"""A real server for a test: uvicorn in a thread, on a free port, with a data directory of its own.

with serve() as server:
    assert httpx.get(f"{server.url}/healthz").json()["status"] == "ok"
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fastapi import FastAPI

from tengen.web.process import Server as WebServer
from tengen.web.process import listen
from tengen.web.transport.settings import ServerSettings

_PATIENCE = 60.0


class Server:
    """A server that runs in a thread.

    Args:
        settings: how it runs; a port of 0 is a free one.

    Attributes:
        settings: those.
        url: its address, ``http://127.0.0.1:PORT``.
        ws: the same for WebSockets, ``ws://127.0.0.1:PORT``.
        app: the application; `app.state.services` has its parts by class.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._listener = listen(settings.host, settings.port)
        port = self._listener.getsockname()[1]
        self.url, self.ws = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
        self._server = WebServer(settings)
        self.app: FastAPI = self._server.app
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._listener]}, name="test-server"
        )
        self._thread.start()
        deadline = time.monotonic() + _PATIENCE
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > deadline:
                self.close()
                raise RuntimeError("the server did not start")
            time.sleep(0.01)

    def close(self) -> None:
        """End it as Ctrl-C does. May be called twice."""
        self._server.should_exit = True
        self._thread.join(_PATIENCE)
        assert not self._thread.is_alive(), "the server did not end"
        self._listener.close()


@contextmanager
def serve(data: Path | None = None, **settings: Any) -> Iterator[Server]:
    """A server for a `with` block.

    Args:
        data: where it keeps its games; a folder that goes with it if None.
        settings: fields of `ServerSettings`; if not said otherwise the engine is not compiled at the start,
            players think in one process, and any free port will do.
    """
    with TemporaryDirectory() as folder:
        given = {"port": 0, "warm_up": False, "processes": 1, "engine_threads": 1} | settings
        server = Server(ServerSettings(data=data or Path(folder), **given))
        try:
            yield server
        finally:
            server.close()
