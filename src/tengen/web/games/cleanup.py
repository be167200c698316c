"""The background task that deletes games neither changed nor opened for long, where it is configured."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from sqlalchemy.engine import Connection

from tengen.web.database.repository import Repository
from tengen.web.database.tables import StoreError
from tengen.web.games import game_rows

_PAUSE = 3600.0
"""Seconds between two searches for old games."""

_DAY = 24 * 3600

_log = logging.getLogger("tengen.web.games")


async def delete_old_games(
    repository: Repository, days: int, *others: Callable[[Connection, float], None]
) -> None:
    """Delete old games at intervals, for ever.

    Several processes may run this at the same time.

    Args:
        repository: the storage of games.
        days: the age in days, since the last change and the last opening, from which games are deleted.
        others: functions that delete other things that have not changed since a time.
    """
    while True:
        deleted, since = 0, time.time() - days * _DAY
        try:
            while some := await repository.write("", game_rows.delete_unused, since):
                deleted += some
            for delete in others:
                await repository.write("", delete, since)
        except StoreError as error:
            _log.warning("cleanup_failed", extra={"reason": str(error)})
        if deleted:
            _log.info("games_deleted", extra={"count": deleted, "days": days})
        await asyncio.sleep(_PAUSE)
