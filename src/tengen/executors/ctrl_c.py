"""Handlers for Ctrl-C that call a function, or interrupt at a safe point."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def first_ctrl_c(call: Callable[[], object]) -> Iterator[None]:
    """Let the first Ctrl-C call a function; the second one has its former effect, usually an interrupt.

    A `KeyboardInterrupt` may be raised between any two steps of the main thread, and if it is raised while
    a lock is being acquired, the lock is never released. A function call does not disturb the interrupted
    code. It must not wait for anything that the main thread itself may hold.

    The context manager has no effect in other threads, which receive no signals, and where Ctrl-C is
    ignored.

    Args:
        call: called in the main thread, between two of its steps.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def first(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        call()

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def ctrl_c_at(tick: Callable[[], object]) -> Iterator[Callable[[], None]]:
    """Let the first Ctrl-C interrupt at the next tick; the second one interrupts at once.

    For loops that wait for tasks: an interrupt in the middle of a wait could leave a lock held, see
    `first_ctrl_c`.

    Args:
        tick: called at each tick.

    Yields:
        A function that calls `tick`, and raises `KeyboardInterrupt` if Ctrl-C has been pressed.
    """
    pressed: list[bool] = []

    def ticked() -> None:
        tick()
        if pressed:
            raise KeyboardInterrupt

    with first_ctrl_c(lambda: pressed.append(True)):
        yield ticked
