"""A process that writes games as fast as it can: ``python -m tests.web.writing DATABASE``.

It prints a line ``ID VERSION`` after each change that the repository has acknowledged, until it is killed.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import replace
from pathlib import Path

from tengen.web.database.repository import Repository
from tengen.web.database.tables import new_id
from tengen.web.games import ratings, storage
from tengen.web.games.stored_game import GameSummary, StoredGame
from tengen.web.transport.settings import ServerSettings


async def _write(repository: Repository) -> None:
    now = time.time()
    summary = GameSummary("caro", "15x15", "", "human", "human", "", "", 0)
    saved = StoredGame(new_id(), 1, "1", "{}", summary, now, now)
    await repository.write("", storage.create, saved)
    while True:
        print(saved.id, saved.version, flush=True)
        version = saved.version + 1
        saved = replace(saved, version=version, session=str(version))
        await repository.write("", ratings.save, saved, expected=version - 1)


async def main(database: str) -> None:
    """Write eight games at once, for ever."""
    repository = Repository(ServerSettings(data=Path("/nowhere"), database=database))
    await asyncio.gather(*(_write(repository) for _ in range(8)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
