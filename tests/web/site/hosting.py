"""A written site on a plain host, for a `with` block."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from tengen.web.process import listen
from tengen.web.site.preview import preview_app


@contextmanager
def hosted(site: Path, path: str, *, isolated: bool = False) -> Iterator[str]:
    """Serve a site below a path, and yield the address of its root, without a slash at its end.

    Args:
        site: the folder.
        path: the path, beginning with a slash.
        isolated: whether the host isolates pages from other origins.
    """
    listening = listen("127.0.0.1", 0)
    app = preview_app(site, isolated=isolated, path=path)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}{path}"
    finally:
        server.should_exit = True
        thread.join()
