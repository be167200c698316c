"""Telling what is being compiled, and which tables are being worked out.

Where nobody listens, as in a program that uses the library, the logger ``tengen`` is told once, as a
warning: without any settings Python shows it on stderr.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from numba.core import event

WORKED_OUT = "tengen:table"
"""The kind of Numba event that tells of a table that is being worked out; its data is the table's name."""

COMPILED_APART = "tengen:compile"
"""The kind of Numba event that tells of a function that another process compiles for this one.

Its data are what `heard` passes on: the function's name, and how many others wait for it.
"""


_LOG = logging.getLogger("tengen")

_listeners: list[object] = []
"""Those who tell of what is compiled in their own way."""


_logs: list[CompileLog] = []
"""The log of this process, once something is about to be compiled."""


def announce(*, kept: bool) -> None:
    """Have it logged from now on when the engine is being compiled.

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


class _Ear(event.Listener):  # type: ignore[misc]
    """Hears Numba's compiler (https://numba.readthedocs.io/en/stable/developer/event_api.html)."""

    def __init__(self, on_compile: Callable[[str, int], None]) -> None:
        self._on_compile = on_compile
        self._depth = 0

    def on_start(self, happening: Any) -> None:
        """A function is about to be compiled."""
        dispatcher = happening.data["dispatcher"]
        if _is_ours(dispatcher):
            function = dispatcher.py_func
            self._on_compile(f"{function.__module__}.{function.__name__}", self._depth)
        self._depth += 1

    def on_end(self, happening: Any) -> None:
        """It has been, or could not be."""
        self._depth -= 1


class CompileLog(event.Listener):  # type: ignore[misc]
    """Logs that the engine is being compiled, once, where nobody else tells of it.

    Args:
        kept: whether what is compiled is kept for other processes.
        log: where to.
    """

    def __init__(self, kept: bool, log: logging.Logger = _LOG) -> None:
        self.kept = kept
        self._log = log
        self._said = False

    def on_start(self, happening: Any) -> None:
        """A function is about to be compiled, here or in another process for this one."""
        ours = happening.kind == COMPILED_APART or _is_ours(happening.data["dispatcher"])
        if ours and not self._said and not _listeners:
            from tengen.words import say  # not above: what is compiled does not depend on it

            self._said = True
            self._log.warning("%s", say("compiling.once" if self.kept else "compiling.always"))

    def on_end(self, happening: Any) -> None:
        """It has been, or could not be."""


class _NameEar(event.Listener):  # type: ignore[misc]
    """Hears an event of Tengen's own, which says what it is about."""

    def __init__(self, on_name: Callable[[Any], None]) -> None:
        self._on_name = on_name

    def on_start(self, happening: Any) -> None:
        """It begins."""
        self._on_name(happening.data)

    def on_end(self, happening: Any) -> None:
        """It is over."""


@contextmanager
def heard(
    on_compile: Callable[[str, int], None], on_table: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Tell of each function of Tengen's that is compiled meanwhile, and of each table.

    In whatever thread that is, or in a process that compiles for this one.

    Args:
        on_compile: called when it begins with the function's name, its module included, and with how many
            others wait for it, because they call it. What comes from the cache is not told of.
        on_table: called with the name of a table when it is about to be worked out: ``patterns-`` and
            ``network-`` with a digest. What comes from the cache is not told of.
    """
    listeners = {
        "numba:compile": _Ear(on_compile),
        COMPILED_APART: _NameEar(lambda data: on_compile(*data)),
    }
    if on_table is not None:
        listeners[WORKED_OUT] = _NameEar(on_table)
    with ExitStack() as stack:
        _listeners.append(listeners)
        stack.callback(_listeners.remove, listeners)
        for kind, listener in listeners.items():
            stack.enter_context(event.install_listener(kind, listener))
        yield
