"""A plain server of a written site on this machine, to look at it."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from tengen.formats.files import shown
from tengen.web.site.errors import SiteError
from tengen.web.site.writer import is_site
from tengen.web.start import listener
from tengen.web.transport.addresses import url
from tengen.words import Message

_HOST = "127.0.0.1"
_HEADERS = [(b"cache-control", b"no-cache")]
_ISOLATION = [
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-embedder-policy", b"require-corp"),
]


class AddedHeaders:
    """ASGI middleware that adds headers to every response.

    Args:
        app: the application.
        headers: the headers.
    """

    def __init__(self, app: ASGIApp, *, headers: list[tuple[bytes, bytes]]) -> None:
        self._app = app
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its response."""

        async def answering(event: Event) -> None:
            if event["type"] == "http.response.start":
                event["headers"] = [*event["headers"], *self._headers]
            await send(event)

        await self._app(scope, receive, answering)


def preview_app(folder: Path, *, isolated: bool, path: str = "") -> Starlette:
    """Return the application that serves a site.

    Args:
        folder: the site.
        isolated: whether responses have the headers that isolate pages from other origins.
        path: the path below which it is served, such as ``"/five"``; empty for the root.
    """
    for suffix, media_type in ((".wasm", "application/wasm"), (".mjs", "text/javascript")):
        mimetypes.add_type(media_type, suffix)
    headers = _HEADERS + (_ISOLATION if isolated else [])
    return Starlette(
        routes=[Mount(path or "/", StaticFiles(directory=folder, html=True))],
        middleware=[Middleware(AddedHeaders, headers=headers)],
    )


def preview(
    folder: Path, port: int | None, *, isolated: bool, print_out: Callable[[Message], None]
) -> None:
    """Serve a site until Ctrl-C.

    Args:
        folder: the site.
        port: the port; None for the default of servers, or the next that is free.
        isolated: see `preview_app`.
        print_out: prints a line for the user.

    Raises:
        SiteError: the folder is no site.
        SettingsError: the port is taken.
    """
    if not is_site(folder):
        raise SiteError("error.site.no_site", folder=shown(folder))
    listening = listener(_HOST, port)
    app = preview_app(folder, isolated=isolated)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    print_out(Message("cli.site.at", {"url": url(_HOST, listening.getsockname()[1])}))
    print_out(Message("cli.serve.end"))
    server.run(sockets=[listening])
