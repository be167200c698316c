"""Events of the compiler: functions being compiled, and tables being computed.

Without a listener, as in a program that uses the library, the logger ``tengen`` gets one warning, which
Python shows on stderr by default.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_LOG = logging.getLogger("tengen")


@dataclass(frozen=True, slots=True, eq=False)
class _Listener:
    """The functions that `listening` was given."""

    on_compile: Callable[[str, int], None]
    on_table: Callable[[str], None] | None


_listeners: list[_Listener] = []

_logged: list[str] = []
"""The warning of this process, once it has been logged."""


def report_compilation(name: str, waiting: int, *, kept: bool) -> None:
    """Report a function that is about to be compiled, here or in another process for this one.

    Args:
        name: the function's name, its module included.
        waiting: the number of functions that wait for it because they call it.
        kept: whether what is compiled is kept for other processes.
    """
    for listener in tuple(_listeners):
        listener.on_compile(name, waiting)
    if not _listeners and not _logged:
        from tengen.words import say

        _logged.append(say("compiling.once" if kept else "compiling.always"))
        _LOG.warning("%s", _logged[0])


def report_table(name: str) -> None:
    """Report a table that is about to be computed."""
    for listener in tuple(_listeners):
        if listener.on_table is not None:
            listener.on_table(name)


@contextmanager
def listening(
    on_compile: Callable[[str, int], None], on_table: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Report each function of Tengen that is compiled, and each table that is computed, within the context.

    Functions are reported from all threads, and from processes that compile for this one; not if they are
    loaded from the cache.

    Args:
        on_compile: called at the beginning with the function's name, its module included, and with the
            number of functions that wait for it because they call it.
        on_table: called with the name of a table before it is computed: ``patterns-``, ``network-`` or
            ``policy-`` with a digest.
    """
    listener = _Listener(on_compile, on_table)
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
