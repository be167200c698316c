"""Events of the compiler: functions being compiled, and tables being computed.

Without a listener, as in a program that uses the library, the logger ``tengen`` gets one warning, which
Python shows on stderr by default.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from numba.core import event

WORKED_OUT = "tengen:table"
"""The kind of Numba event for a table that is being computed; its data is the table's name."""

COMPILED_APART = "tengen:compile"
"""The kind of Numba event for a function that another process compiles for this one.

Its data are the arguments of `on_compile` in `listening`.
"""


_LOG = logging.getLogger("tengen")

_listeners: list[object] = []
"""The listeners of `listening`; while there are any, nothing is logged."""


_logs: list[CompileLog] = []
"""The log of this process, once something is about to be compiled."""


def announce(*, kept: bool) -> None:
    """Log from now on that the engine is being compiled.

    Args:
        kept: whether what is compiled is kept for other processes.
    """
    if _logs:
        _logs[0].kept = kept
        return
    _logs.append(CompileLog(kept))
    for kind in ("numba:compile", COMPILED_APART):
        event.register(kind, _logs[0])


def _is_ours(dispatcher: Any) -> bool:
    return bool(dispatcher.py_func.__module__.startswith("tengen."))


class _CompileListener(event.Listener):  # type: ignore[misc]
    """A listener to Numba's compiler (https://numba.readthedocs.io/en/stable/developer/event_api.html)."""

    def __init__(self, on_compile: Callable[[str, int], None]) -> None:
        self._on_compile = on_compile
        self._depth = 0

    def on_start(self, happening: Any) -> None:
        """Report a function that is about to be compiled."""
        dispatcher = happening.data["dispatcher"]
        if _is_ours(dispatcher):
            function = dispatcher.py_func
            self._on_compile(f"{function.__module__}.{function.__name__}", self._depth)
        self._depth += 1

    def on_end(self, happening: Any) -> None:
        """Leave a function that has been compiled, or could not be."""
        self._depth -= 1


class CompileLog(event.Listener):  # type: ignore[misc]
    """Logs once that the engine is being compiled, unless a listener reports it.

    Args:
        kept: whether what is compiled is kept for other processes.
        log: the logger.
    """

    def __init__(self, kept: bool, log: logging.Logger = _LOG) -> None:
        self.kept = kept
        self._log = log
        self._said = False

    def on_start(self, happening: Any) -> None:
        """Log a function that is about to be compiled, here or in another process for this one."""
        ours = happening.kind == COMPILED_APART or _is_ours(happening.data["dispatcher"])
        if ours and not self._said and not _listeners:
            from tengen.words import say

            self._said = True
            self._log.warning("%s", say("compiling.once" if self.kept else "compiling.always"))

    def on_end(self, happening: Any) -> None:
        """Ignore the end."""


class _NameListener(event.Listener):  # type: ignore[misc]
    """A listener to an event of Tengen's own, whose data is a name."""

    def __init__(self, on_name: Callable[[Any], None]) -> None:
        self._on_name = on_name

    def on_start(self, happening: Any) -> None:
        """Report the name."""
        self._on_name(happening.data)

    def on_end(self, happening: Any) -> None:
        """Ignore the end."""


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
    listeners = {
        "numba:compile": _CompileListener(on_compile),
        COMPILED_APART: _NameListener(lambda data: on_compile(*data)),
    }
    if on_table is not None:
        listeners[WORKED_OUT] = _NameListener(on_table)
    with ExitStack() as stack:
        _listeners.append(listeners)
        stack.callback(_listeners.remove, listeners)
        for kind, listener in listeners.items():
            stack.enter_context(event.install_listener(kind, listener))
        yield
