"""Work that is completed even if its caller is cancelled."""

from __future__ import annotations

import asyncio
import logging
from typing import TypeVar

from tengen.words import TengenError

T = TypeVar("T")

_log = logging.getLogger("tengen.web")


async def shielded(work: asyncio.Future[T]) -> T:
    """Return the result of some work, which continues if the caller is cancelled.

    After a cancellation, a `TengenError` of the work is ignored, and any other exception is logged; asyncio
    itself would print each with a traceback.

    Raises:
        Exception: the exception that the work raises.
    """
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        work.add_done_callback(_log_failure)
        raise


def _log_failure(work: asyncio.Future[T]) -> None:
    error = None if work.cancelled() else work.exception()
    if error is not None and not isinstance(error, TengenError):
        _log.error("task_failed", exc_info=error)
