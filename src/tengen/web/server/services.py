"""What the parts of a running server share."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi.requests import HTTPConnection

from tengen.executors import Workers
from tengen.web.games.repository import GameRepository
from tengen.web.games.rooms import Rooms
from tengen.web.server.bus import Bus
from tengen.web.server.engine_warmup import Warmup
from tengen.web.server.settings import ServerSettings


@dataclass(frozen=True, slots=True)
class Services:
    """A server's parts, open as long as it runs.

    Attributes:
        settings: how it runs.
        repository: its games, in the database.
        bus: what server processes tell each other.
        engine_workers: threads, for the engine and the solver, which let others run meanwhile.
        player_workers: processes, or a cluster: for players of pure Python.
        warmup: makes the engine ready.
        rooms: the live games.
    """

    settings: ServerSettings
    repository: GameRepository
    bus: Bus
    engine_workers: Workers
    player_workers: Workers
    warmup: Warmup
    rooms: Rooms


def services_of(connection: HTTPConnection) -> Services:
    """The services behind a request or a WebSocket."""
    services: Services = connection.app.state.services
    return services
