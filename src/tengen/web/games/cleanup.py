"""Games that nobody has changed or opened for long are deleted, where the server is told so."""

from __future__ import annotations

import asyncio
import logging
import time

from tengen.web.games.repository import GameRepository, StoreError

_PAUSE = 3600.0
"""Seconds between two looks for games that are old enough."""

_DAY = 24 * 3600

_log = logging.getLogger("tengen.web.games")


async def delete_old_games(repository: GameRepository, days: int) -> None:
    """Look for ever for games that are old enough, and delete them.

    Several processes may do so at a time.

    Args:
        repository: where games are kept.
        days: without a change, and without being opened.
    """
    while True:
        deleted = 0
        try:
            while some := await repository.delete_unused(time.time() - days * _DAY):
                deleted += some
        except StoreError as error:
            _log.warning("cleanup_failed", extra={"reason": str(error)})
        if deleted:
            _log.info("games_deleted", extra={"count": deleted, "days": days})
        await asyncio.sleep(_PAUSE)
