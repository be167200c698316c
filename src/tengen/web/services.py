"""The services that the parts of a running server share."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi.requests import HTTPConnection

from tengen.web.computing.job_queue import JobQueue
from tengen.web.computing.search_pool import SearchPool
from tengen.web.games.repository import GameRepository
from tengen.web.games.rooms import Rooms
from tengen.web.lobby.lobby import Lobby
from tengen.web.tournaments.tournaments import Tournaments
from tengen.web.transport.bus import Bus
from tengen.web.transport.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class Services:
    """The services of a server, open as long as it runs.

    Attributes:
        settings: the settings of the server.
        repository: the games in the database.
        bus: the messages between server processes.
        search_pool: the workers in which players, the engine and the solver think.
        engine_jobs: jobs for pages that the engine does.
        player_jobs: jobs for pages that the other workers do.
        rooms: the live games.
        lobby: the open challenges.
        tournaments: the tournaments.
    """

    settings: ServerSettings
    repository: GameRepository
    bus: Bus
    search_pool: SearchPool
    engine_jobs: JobQueue
    player_jobs: JobQueue
    rooms: Rooms
    lobby: Lobby
    tournaments: Tournaments


def services_of(connection: HTTPConnection) -> Services:
    """Return the services for a request or a WebSocket."""
    services: Services = connection.app.state.services
    return services
