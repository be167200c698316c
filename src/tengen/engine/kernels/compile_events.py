"""Events of the compiler: functions being compiled.

Without a listener, as in a program that uses the library, the logger ``tengen`` gets one warning, which
Python shows on stderr by default.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOG = logging.getLogger("tengen")


_listeners: list[Callable[[str, int], None]] = []

_logged: list[str] = []
"""The warning of this process, once it has been logged."""


def report_compilation(name: str, waiting: int, *, kept: bool) -> None:
    """Report a function that is about to be compiled.

    Args:
        name: the function's name, its module included.
        waiting: the number of functions that wait for it because they call it.
        kept: whether what is compiled is kept for other processes.
    """
    for listener in tuple(_listeners):
        listener(name, waiting)
    if not _listeners and not _logged:
        from tengen.words import say

        _logged.append(say("compiling.once" if kept else "compiling.always"))
        _LOG.warning("%s", _logged[0])


@contextmanager
def listening(on_compile: Callable[[str, int], None]) -> Iterator[None]:
    """Report each function of Tengen that is compiled within the context.

    Functions are reported from all threads; not if they are loaded from the cache.

    Args:
        on_compile: called at the beginning with the function's name, its module included, and with the
            number of functions that wait for it because they call it.
    """
    _listeners.append(on_compile)
    try:
        yield
    finally:
        _listeners.remove(on_compile)
