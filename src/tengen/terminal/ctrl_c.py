"""Ctrl-C as a call, or as an end at a place where nothing is half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def first_ctrl_c(call: Callable[[], object]) -> Iterator[None]:
    """Let the first Ctrl-C make a call; the next does what it did before: it ends the command, mostly.

    A `KeyboardInterrupt` may come between any two steps of the main thread, and where it comes while a lock
    is being taken, the lock is held for ever. A call leaves what it interrupts as it was. It must not wait
    for anything that the main thread may hold itself.

    Nothing is changed in other threads, which no signal reaches, and where Ctrl-C is ignored.

    Args:
        call: made in the main thread, between two of its steps.
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
    """Let the first Ctrl-C wait for the next tick; the next ends at once.

    For loops that wait for tasks: an end in the midst of that could leave a lock held, see `first_ctrl_c`.

    Args:
        tick: what is done at each tick anyway.

    Yields:
        What does it, and raises `KeyboardInterrupt` if Ctrl-C has been pressed.
    """
    pressed: list[bool] = []

    def ticked() -> None:
        tick()
        if pressed:
            raise KeyboardInterrupt

    with first_ctrl_c(lambda: pressed.append(True)):
        yield ticked
