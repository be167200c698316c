"""The web application: its routes, and the services that open and close with the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from tengen import __version__, executors
from tengen.web import pages, server_api
from tengen.web.computing.engine_warmup import Warmup
from tengen.web.computing.job_queue import JobQueue
from tengen.web.computing.search_pool import NICENESS, SearchPool
from tengen.web.files import files_api
from tengen.web.games import games_api, live, visitors_api
from tengen.web.games.cleanup import delete_old_games
from tengen.web.games.repository import GameRepository
from tengen.web.games.rooms import Rooms
from tengen.web.lobby import lobby_api
from tengen.web.lobby.lobby import Lobby
from tengen.web.services import Services
from tengen.web.study import analysis_socket, puzzles_api, study_api
from tengen.web.tournaments import tournaments_api
from tengen.web.tournaments.tournaments import Tournaments
from tengen.web.transport import http_errors
from tengen.web.transport.blocklist import Blocklist
from tengen.web.transport.bus import open_bus
from tengen.web.transport.limits import QUOTAS, Kind, Limits
from tengen.web.transport.metrics import Metrics, open_metrics
from tengen.web.transport.security import OpenSockets, SecurityMiddleware
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitor_cookies import CookieJar
from tengen.web.transport.visitors import VisitorGate
from tengen.words import Message, say

_log = logging.getLogger("tengen.web")


def create_app(settings: ServerSettings) -> FastAPI:
    """Return the application for one server process.

    Its services (`app.state.services`) open at startup and close at shutdown, through ASGI's lifespan.

    Args:
        settings: the settings of the server.
    """
    app = FastAPI(
        title="Tengen",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        responses=http_errors.ERROR_RESPONSES,
    )
    app.state.settings = settings
    app.state.port = settings.port
    app.state.failure = None
    app.state.metrics = metrics = open_metrics(settings)
    off: set[Kind] = {"create"} if settings.closed else set()
    app.state.limits = Limits(
        QUOTAS if settings.public else None,
        off=frozenset(off | (set() if settings.phrases else {"phrase"})),
        on_refusal=metrics.refusal,
    )
    app.state.sockets = OpenSockets()
    # The middleware added last runs first.
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=4)
    app.add_middleware(
        SecurityMiddleware,
        settings=settings,
        limits=app.state.limits,
        sockets=app.state.sockets,
        metrics=metrics,
        blocklist=Blocklist(settings.blocklist),
    )
    http_errors.install(app)
    app.add_exception_handler(404, pages.missing)
    for part in (
        games_api,
        live,
        *([] if "lobby" in settings.off else [lobby_api]),
        tournaments_api,
        visitors_api,
        study_api,
        puzzles_api,
        analysis_socket,
        files_api,
        server_api,
    ):
        app.include_router(part.router)
    app.include_router(pages.router)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        try:
            app.state.services = services = await _open(app.state.settings, app.state.metrics, stack)
        except Exception as error:
            app.state.failure = error
            raise
        jar = CookieJar(services.repository.cookie_key, secure=app.state.settings.public)
        app.state.visitors = VisitorGate(jar, services.repository.knows_former)
        _log.info("started")
        yield
        _log.info("stopping")
        # `tengen.web.process` has closed the sockets already; other ASGI servers have not.
        await app.state.sockets.close()
    _log.info("stopped")


async def _open(settings: ServerSettings, metrics: Metrics, stack: AsyncExitStack) -> Services:
    """Open the services.

    The stack closes them in reverse order: games before the database that stores them.
    """
    repository = await asyncio.to_thread(GameRepository, settings)
    stack.push_async_callback(repository.close)
    bus = open_bus(settings)
    await bus.start()
    stack.push_async_callback(bus.close)
    engine_workers = executors.open_workers("threads", settings.engine_threads)
    stack.push_async_callback(_closed, engine_workers.close)
    player_workers = await asyncio.to_thread(
        executors.open_workers, settings.workers, settings.processes, notice=_tell
    )
    stack.push_async_callback(_closed, player_workers.close)
    analysis_workers = executors.open_workers("threads", settings.engine_threads, nice=NICENESS)
    stack.push_async_callback(_closed, analysis_workers.close)
    warmup = Warmup()
    stack.push_async_callback(warmup.close)
    pool = SearchPool(engine_workers, player_workers, analysis_workers, warmup, metrics=metrics)
    rooms = Rooms(repository, bus, pool)
    stack.push_async_callback(rooms.close)
    engine_jobs, player_jobs = JobQueue(engine_workers, metrics), JobQueue(player_workers, metrics)
    lobby = Lobby(repository, bus, rooms)
    stack.push_async_callback(lobby.close)
    tournaments = Tournaments(repository, bus, rooms)
    stack.push_async_callback(tournaments.close)
    services = Services(
        settings, repository, bus, pool, engine_jobs, player_jobs, rooms, lobby, tournaments
    )
    _let_read(metrics, services)
    if settings.warm_up:
        warmup.start()
    await rooms.start()
    if "lobby" not in settings.off:
        await lobby.start()
    await tournaments.start()
    if settings.days_kept:
        cleanup = asyncio.create_task(delete_old_games(repository, settings.days_kept))
        stack.callback(cleanup.cancel)
    return services


def _let_read(metrics: Metrics, services: Services) -> None:
    """Register the gauges of games and searches, which are read when a client requests the metrics."""
    pool, rooms = services.search_pool, services.rooms
    metrics.gauge("games", lambda: len(rooms))
    kinds = {
        "engine": pool.engine_workers,
        "players": pool.player_workers,
        "analysis": pool.analysis_workers,
    }
    for name, workers in kinds.items():
        metrics.gauge("searches_running", partial(getattr, workers, "running"), name)
        metrics.gauge("searches_waiting", partial(getattr, workers, "waiting"), name)


def _tell(message: Message) -> None:
    """Log a notice from the workers, such as a cluster's."""
    _log.warning("workers", extra={"text": say(message)})


async def _closed(close: Callable[[], None]) -> None:
    """Run a `close` that may take a while in a thread, so that the event loop stays free."""
    await asyncio.to_thread(close)
