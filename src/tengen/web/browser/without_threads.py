"""What libraries do in threads, done at once: the page's Python has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from anyio import to_thread

T = TypeVar("T")


def install() -> None:
    """Prepare the libraries of the application."""
    to_thread.run_sync = _run_at_once  # type: ignore[assignment]


async def _run_at_once(func: Callable[..., T], *args: Any, **_: object) -> T:
    """Call a function; the arguments of `anyio.to_thread.run_sync` that concern threads have no effect."""
    return func(*args)
