"""Events of the just-in-time compiler: functions being compiled.

Without a listener, as in a program that uses the library, the logger ``tengen`` gets one warning, which
Python shows on stderr by default.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from tengen.words import Message

Listener: TypeAlias = Callable[[str, Message], None]
"""Called before a function is compiled, with its name, module included, and a sentence for the user."""

_LOG = logging.getLogger("tengen")

_listeners: list[Listener] = []

_logged: list[Message] = []
"""The warning of this process, once it has been logged."""


def report_compilation(name: str, *, kept: bool) -> None:
    """Report a function that is about to be compiled.

    Args:
        name: the function's name, its module included.
        kept: whether what is compiled is kept for other processes.
    """
    notice = Message("compiling.once" if kept else "compiling.always")
    for listener in tuple(_listeners):
        listener(name, notice)
    if not _listeners and not _logged:
        _logged.append(notice)
        _LOG.warning("tengen: %s", notice)


@contextmanager
def listening(on_compile: Listener) -> Iterator[None]:
    """Report each function of Tengen that is compiled within the context, in any thread.

    A function that is loaded from the cache is not reported.
    """
    _listeners.append(on_compile)
    try:
        yield
    finally:
        _listeners.remove(on_compile)
