"""The Python side of `web/static/browser/app_worker.js`: the application of a page."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tengen.web.browser import without_threads

if TYPE_CHECKING:
    from fastapi import FastAPI

    from tengen.web.browser.workers import Answer, WebWorker

EMPTY = Path(__file__).with_name("empty.sqlite")
"""The file of a database without content, which the writer of the site puts here."""

_SEARCHING = ("tengen.executors.running_search", "tengen.players.registry")
"""What a worker for searches imports."""

_REHEARSED = ("/api/games", "/api/catalogue?rules=freestyle")
"""Requests that every page begins with."""


class PageApp:
    """The application, for JavaScript.

    Args:
        gateway: what requests and sockets go to.
    """

    def __init__(self, gateway: Any) -> None:
        self._gateway = gateway
        self.abort, self.open = gateway.abort, gateway.open
        self.message, self.close = gateway.message, gateway.close

    def request(self, number: int, method: str, path: str, headers: Any, body: Any) -> None:
        """Answer a request; see `tengen.web.browser.asgi.Gateway.request`."""
        content = b"" if body is None else body.to_bytes()
        self._gateway.request(number, method, path, headers.to_py(), content)


async def start_app(host: Any, file: str) -> PageApp:
    """Start the application of a page.

    Args:
        host: what the worker's JavaScript does for it: ``post``, ``keep``, ``loadMigrating``,
            ``startWorker``, ``analysts``.
        file: the database, whether it is there or not.
    """
    without_threads.install()
    from tengen.web.browser.app import open_page, page_settings
    from tengen.web.browser.storage import PageRepository, is_current
    from tengen.web.browser.workers import WebWorkers

    path = Path(file)
    if not path.exists() and EMPTY.exists():
        path.write_bytes(EMPTY.read_bytes())
    if not is_current(path):
        await host.loadMigrating()
    stack = AsyncExitStack()  # closed by the end of the worker
    repository = PageRepository(page_settings(path.parent), host.keep)

    def starter(*, analyses: bool) -> Callable[[Answer], WebWorker]:
        def start(tell: Answer) -> WebWorker:
            def told(kind: Any, number: int, data: Any) -> None:
                tell(kind, number, data.to_bytes())

            worker: WebWorker = host.startWorker(analyses, told)
            return worker

        return start

    movers = WebWorkers(starter(analyses=False))
    analysts = WebWorkers(starter(analyses=True)) if host.analysts else movers
    movers.open()
    return PageApp(await open_page(_application(), stack, repository, movers, analysts, host.post))


async def rehearse() -> None:
    """Do once what every visit does, with an empty database: libraries work things out at their first use.

    The browser keeps the memory afterwards, and the next visit begins with it.
    """
    without_threads.install()
    from tengen.web.browser.app import open_page, page_settings
    from tengen.web.browser.storage import PageRepository, is_current
    from tengen.web.browser.workers import WebWorkers
    from tengen.web.transport.settings import DATABASE_FILE

    for name in _SEARCHING:
        importlib.import_module(name)
    answers: asyncio.Queue[Any] = asyncio.Queue()
    with TemporaryDirectory() as folder:
        file = Path(folder, DATABASE_FILE)
        file.write_bytes(EMPTY.read_bytes())
        is_current(file)
        async with AsyncExitStack() as stack:
            repository = PageRepository(page_settings(file.parent), _keep_nothing)
            workers = WebWorkers(_refuse_worker)
            gateway = await open_page(
                _application(), stack, repository, workers, workers, answers.put_nowait
            )
            for number, path in enumerate(_REHEARSED):
                gateway.request(number, "GET", path, {}, b"")
                await answers.get()


@cache
def _application() -> FastAPI:
    """Return the one application of this worker, whose first answers take long."""
    from tengen.web.browser.app import create_page_app

    return create_page_app()


async def _keep_nothing() -> None:
    """Keep no change of the database."""


def _refuse_worker(_tell: Answer) -> WebWorker:
    """Raise `NotImplementedError`: nothing is searched in a rehearsal."""
    raise NotImplementedError
