"""Tasks submitted a few ahead of the workers that do them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import takewhile
from typing import TypeVar

K = TypeVar("K")
R = TypeVar("R")

_HELD_BACK = 8
"""Tasks for each slot that may be finished or under way while the oldest is not finished."""


def submit_ahead(
    next_task: Callable[[], K | None],
    submit: Callable[[K], Future[R]],
    slots: Callable[[], int],
    *,
    ordered: bool = False,
    over: Callable[[], bool] = lambda: False,
    tick: Callable[[], object] = lambda: None,
    pause: float = 0.5,
) -> Generator[tuple[K, Future[R]]]:
    """Keep the workers busy, and yield each task with its finished future.

    It ends when no task is under way and there is no next one. Closing it cancels the tasks that are under
    way.

    Args:
        next_task: returns the next task; None if there is none, for now or for good. Called while fewer
            tasks than `slots` are under way, and again after each task that finishes.
        submit: submits a task.
        slots: returns how many tasks may be under way; called again and again, for workers come and go.
        ordered: yield the tasks in the order in which they were submitted, not as they finish.
        over: returns whether to end before all tasks have finished.
        tick: called after each wait.
        pause: seconds that a wait takes at most.
    """
    tasks: dict[Future[R], K] = {}

    def finished() -> list[Future[R]]:
        if ordered:
            return list(takewhile(Future.done, tasks))
        return [future for future in tasks if future.done()]

    try:
        while True:
            for future in finished():
                yield tasks.pop(future), future
            if over():
                return
            room = slots()
            most = _HELD_BACK * room if ordered else len(tasks) + room
            busy = sum(not future.done() for future in tasks)
            while busy < room and len(tasks) < most and (task := next_task()) is not None:
                future = submit(task)
                tasks[future] = task
                busy += not future.done()
            if not tasks:
                return
            if not finished():
                wait([future for future in tasks if not future.done()], pause, FIRST_COMPLETED)
            tick()
    finally:
        for future in tasks:
            future.cancel()
