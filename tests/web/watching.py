"""A server process with a spectator of a game: ``python -m tests.web.watching DATABASE GAME``.

It prints a line when the spectator is connected, and then does nothing until it is killed.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tengen.web.transport.settings import ServerSettings
from tests.web.world import Listener, process_of


async def main(database: str, game: str) -> None:
    """Watch a game for ever."""
    settings = ServerSettings(data=Path("/nowhere"), database=database)
    async with process_of(settings, heartbeat=0.2) as rooms:
        with rooms.room(game) as room:
            await room.attach(Listener())
            print("watching", flush=True)
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
