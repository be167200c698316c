"""Work that is brought to its end, whoever waits for it."""

from __future__ import annotations

import asyncio
import logging
from typing import TypeVar

from tengen.words import TengenError

T = TypeVar("T")

_log = logging.getLogger("tengen.web")


async def shielded(work: asyncio.Future[T]) -> T:
    """What some work brings, which goes on when the one who waits for it is cancelled.

    What it refuses then is nobody's business. asyncio itself would print it with a traceback.

    Raises:
        Exception: what the work raises.
    """
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        work.add_done_callback(_hear)
        raise


def _hear(work: asyncio.Future[T]) -> None:
    error = None if work.cancelled() else work.exception()
    if error is not None and not isinstance(error, TengenError):
        _log.error("task_failed", exc_info=error)
