"""What libraries do in threads, done at once: the page's Python has none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

T = TypeVar("T")


def replace_interpreters() -> None:
    """Put a module in the place of one of `anyio`, before that is imported.

    It imports a part of the standard library that is missing there.
    """
    interpreters = ModuleType("anyio.to_interpreter")
    interpreters.__dict__.update(run_sync=None, current_default_interpreter_limiter=None)
    sys.modules[interpreters.__name__] = interpreters


def install() -> None:
    """Prepare the libraries of the application, before they are imported."""
    replace_interpreters()
    from anyio import to_thread

    to_thread.run_sync = _run_at_once  # type: ignore[assignment]


async def _run_at_once(func: Callable[..., T], *args: Any, **_: object) -> T:
    """Call a function; the arguments of `anyio.to_thread.run_sync` that concern threads have no effect."""
    return func(*args)
