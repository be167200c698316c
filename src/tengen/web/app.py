"""The web application: its routes, and the services that open and close with the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from tengen import __version__, executors
from tengen.web import pages, server_api, visitors_api
from tengen.web.composition import open_games
from tengen.web.computing.engine_warmup import Warmup
from tengen.web.computing.job_queue import JobQueue, JobQueues
from tengen.web.computing.search_pool import NICENESS, SearchPool
from tengen.web.database.repository import Repository
from tengen.web.files import files_api
from tengen.web.games import games_api, live
from tengen.web.games.cleanup import delete_old_games
from tengen.web.lobby import lobby_api
from tengen.web.lobby.lobby import Lobby
from tengen.web.study import analysis_socket, puzzles_api, query_socket, study_api
from tengen.web.tournaments import tournament_rows, tournaments_api
from tengen.web.tournaments.tournaments import Tournaments
from tengen.web.transport import http_errors
from tengen.web.transport.blocklist import Blocklist
from tengen.web.transport.bus import open_bus
from tengen.web.transport.limits import QUOTAS, Kind, Limits
from tengen.web.transport.metrics import Metrics, open_metrics
from tengen.web.transport.monitoring import MonitoringMiddleware, OpenSockets
from tengen.web.transport.security.admission import AdmissionMiddleware
from tengen.web.transport.security.headers import HeadersMiddleware
from tengen.web.transport.security.limiting import LimitingMiddleware
from tengen.web.transport.services import Services
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitors import FormerVisitorMiddleware, FormerVisitors, VisitorMiddleware
from tengen.words import Message, say

_log = logging.getLogger("tengen.web")


def create_app(settings: ServerSettings) -> FastAPI:
    """Return the application for one server process.

    Its services (`app.state.services`) open at startup and close at shutdown, through ASGI's lifespan.

    Args:
        settings: the settings of the server.
    """
    services = Services()
    services[ServerSettings] = settings
    services[Metrics] = metrics = open_metrics(settings)
    services[OpenSockets] = sockets = OpenSockets()
    services[Limits] = limits = _limits(settings, metrics)
    app = FastAPI(
        title="Tengen",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        responses=http_errors.ERROR_RESPONSES,
        middleware=[
            Middleware(HeadersMiddleware, secure=settings.public),
            Middleware(MonitoringMiddleware, metrics=metrics, sockets=sockets),
            Middleware(AdmissionMiddleware, settings=settings, blocklist=Blocklist(settings.blocklist)),
            Middleware(VisitorMiddleware),
            Middleware(LimitingMiddleware, limits=limits, max_body=settings.max_body),
            Middleware(FormerVisitorMiddleware),
            Middleware(GZipMiddleware, minimum_size=2000, compresslevel=4),
        ],
    )
    app.state.services = services
    app.state.port = settings.port
    app.state.failure = None
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
        query_socket,
        files_api,
        server_api,
    ):
        app.include_router(part.router)
    app.include_router(pages.router)
    return app


def _limits(settings: ServerSettings, metrics: Metrics) -> Limits:
    off: set[Kind] = {"create"} if settings.closed else set()
    return Limits(
        QUOTAS if settings.public else None,
        off=frozenset(off | (set() if settings.phrases else {"phrase"})),
        on_refusal=metrics.refusal,
    )


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    async with AsyncExitStack() as stack:
        try:
            await _open(services, stack)
        except Exception as error:
            app.state.failure = error
            raise
        _log.info("started")
        yield
        _log.info("stopping")
        # `tengen.web.process` has closed the sockets already; other ASGI servers have not.
        await services[OpenSockets].close()
    _log.info("stopped")


async def _open(services: Services, stack: AsyncExitStack) -> None:
    """Open the services that run.

    The stack closes them in reverse order: games before the database that stores them.
    """
    settings, metrics = services[ServerSettings], services[Metrics]
    repository = await asyncio.to_thread(Repository, settings)
    stack.push_async_callback(repository.close)
    services[FormerVisitors] = FormerVisitors(partial(visitors_api.is_former_visitor, repository))
    bus = open_bus(settings)
    pool = await _open_workers(services, stack)
    rooms = await open_games(services, stack, repository, bus, pool)
    services[Lobby] = lobby = Lobby(repository, bus, rooms)
    stack.push_async_callback(lobby.close)
    services[Tournaments] = tournaments = Tournaments(repository, bus, rooms)
    stack.push_async_callback(tournaments.close)
    metrics.gauge("games", lambda: len(rooms))
    if settings.warm_up:
        pool.warmup.start()
    await rooms.start()
    if "lobby" not in settings.off:
        await lobby.start()
    await tournaments.start()
    if settings.days_kept:
        cleanup = asyncio.create_task(
            delete_old_games(repository, settings.days_kept, tournament_rows.delete_unused)
        )
        stack.callback(cleanup.cancel)


async def _open_workers(services: Services, stack: AsyncExitStack) -> SearchPool:
    """Open the workers in which players, the engine and the solver think, and the queues of pages' jobs."""
    settings, metrics = services[ServerSettings], services[Metrics]
    engine = executors.open_workers("threads", settings.engine_threads)
    stack.push_async_callback(_close_in_thread, engine.close)
    players = await asyncio.to_thread(
        executors.open_workers, settings.workers, settings.processes, notice=_log_notice
    )
    stack.push_async_callback(_close_in_thread, players.close)
    analysis = executors.open_workers("threads", settings.engine_threads, nice=NICENESS)
    stack.push_async_callback(_close_in_thread, analysis.close)
    services[Warmup] = warmup = Warmup()
    stack.push_async_callback(warmup.close)
    services[JobQueues] = JobQueues(JobQueue(engine, metrics), JobQueue(players, metrics))
    for name, workers in (("engine", engine), ("players", players), ("analysis", analysis)):
        metrics.gauge("searches_running", partial(getattr, workers, "running"), name)
        metrics.gauge("searches_waiting", partial(getattr, workers, "waiting"), name)
    return SearchPool(engine, players, analysis, warmup, metrics=metrics)


def _log_notice(message: Message) -> None:
    """Log a notice from the workers, such as a cluster's."""
    _log.warning("workers", extra={"text": say(message)})


async def _close_in_thread(close: Callable[[], None]) -> None:
    """Run a `close` that may take a while in a thread, so that the event loop stays free."""
    await asyncio.to_thread(close)
