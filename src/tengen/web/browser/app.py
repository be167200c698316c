"""The application of a page: what the server answers, without what needs other people.

There is one visitor, no limit, and one process.
"""

from __future__ import annotations

import base64
import hashlib
from contextlib import AsyncExitStack
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.middleware import Middleware

from tengen import __version__
from tengen.executors import Workers
from tengen.web.browser import early_game, user_data
from tengen.web.browser.asgi import Gateway, Post
from tengen.web.composition import open_games
from tengen.web.computing.engine_warmup import Warmup
from tengen.web.computing.job_queue import JobQueue, JobQueues
from tengen.web.computing.search_pool import SearchPool
from tengen.web.database.repository import Repository
from tengen.web.files import files_api
from tengen.web.games import games_api, live
from tengen.web.study import analysis_socket, puzzles_api, study_api
from tengen.web.transport import http_errors
from tengen.web.transport.bus import LocalBus
from tengen.web.transport.limits import Limits
from tengen.web.transport.metrics import Metrics
from tengen.web.transport.services import Services
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitor_cookies import CookieJar
from tengen.web.transport.visitors import VisitorMiddleware

ROUTERS = tuple(
    part.router
    for part in (games_api, early_game, user_data, live, study_api, puzzles_api, analysis_socket, files_api)
)
"""The routes of a page: those of the server that it answers by itself, and its own."""


def create_page_app() -> FastAPI:
    """Return the application of a page; its services (`app.state.services`) are opened by `open_page`."""
    app = FastAPI(
        title="Tengen",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        middleware=[Middleware(VisitorMiddleware)],
    )
    http_errors.install(app)
    app.add_exception_handler(Exception, _unexpected)
    for router in ROUTERS:
        app.include_router(router)
    return app


async def _unexpected(_request: Request, error: Exception) -> Response:
    return http_errors.unexpected(error)


async def open_page(
    app: FastAPI,
    stack: AsyncExitStack,
    repository: Repository,
    movers: Workers,
    analysts: Workers,
    post: Post,
) -> Gateway:
    """Open the services of a page's application.

    Args:
        app: the application, whose services, if it had others before, are closed.
        stack: closes them.
        repository: the storage.
        movers: the workers in which players think, and the engine among them.
        analysts: the workers for analysis.
        post: sends a message to the page.

    Returns:
        What the page's requests and sockets go to.
    """
    app.state.services = services = Services()
    services[ServerSettings] = page_settings(Path())
    services[Metrics] = metrics = Metrics()
    services[Limits] = Limits(None)
    stack.push_async_callback(repository.close)
    services[JobQueues] = JobQueues(JobQueue(movers, metrics), JobQueue(movers, metrics))
    pool = SearchPool(movers, movers, analysts, Warmup(ready=True), metrics=metrics)
    rooms = await open_games(services, stack, repository, LocalBus(), pool)
    await rooms.start()
    return Gateway(app, post, {"cookie": _cookie(services[CookieJar], repository.cookie_key)})


def page_settings(data: Path) -> ServerSettings:
    """Return the settings of a page.

    Args:
        data: the folder of the database's file, in the memory of the page.
    """
    return ServerSettings(data=data, lobby=False, names=False, phrases=False)


def _cookie(jar: CookieJar, key: bytes) -> str:
    """Return the cookie of the visitor to whom the stored games belong."""
    secret = base64.urlsafe_b64encode(hashlib.sha256(key + b"page").digest()[:16]).decode().rstrip("=")
    return f"{jar.name}={jar.value(secret)}"
