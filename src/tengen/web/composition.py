"""The composition of services that every form of the web application has."""

from __future__ import annotations

from contextlib import AsyncExitStack

from tengen.web.computing.search_pool import SearchPool
from tengen.web.database.repository import Repository
from tengen.web.games.rooms import Rooms
from tengen.web.transport.bus import Bus
from tengen.web.transport.services import Services
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.visitor_cookies import CookieJar


async def open_games(
    services: Services, stack: AsyncExitStack, repository: Repository, bus: Bus, pool: SearchPool
) -> Rooms:
    """Open the games, with what stores them and thinks in them.

    Args:
        services: receives the services; has the settings.
        stack: closes them in reverse order.
        repository: the storage, closed by the caller, after the games.
        bus: the messages between server processes.
        pool: where computer players think.
    """
    services[Repository] = repository
    services[CookieJar] = CookieJar(repository.cookie_key, secure=services[ServerSettings].public)
    await bus.start()
    stack.push_async_callback(bus.close)
    services[SearchPool] = pool
    services[Rooms] = rooms = Rooms(repository, bus, pool)
    stack.push_async_callback(rooms.close)
    return rooms
