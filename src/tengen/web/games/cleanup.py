"""The background task that deletes games neither changed nor opened for long, where it is configured."""

from __future__ import annotations

import asyncio
import logging
import time

from tengen.web.games import tables
from tengen.web.games.repository import GameRepository
from tengen.web.games.tables import StoreError

_PAUSE = 3600.0
"""Seconds between two searches for old games."""

_DAY = 24 * 3600

_log = logging.getLogger("tengen.web.games")


async def delete_old_games(repository: GameRepository, days: int) -> None:
    """Delete old games at intervals, for ever.

    Several processes may run this at the same time.

    Args:
        repository: the storage of games.
        days: the age in days, since the last change and the last opening, from which games are deleted.
    """
    while True:
        deleted = 0
        try:
            while some := await repository.write("", tables.delete_unused, time.time() - days * _DAY):
                deleted += some
        except StoreError as error:
            _log.warning("cleanup_failed", extra={"reason": str(error)})
        if deleted:
            _log.info("games_deleted", extra={"count": deleted, "days": days})
        await asyncio.sleep(_PAUSE)
