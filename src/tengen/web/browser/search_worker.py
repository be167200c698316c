"""The Python side of `web/static/browser/search_worker.js`: tasks of the page's workers."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from typing import Any

from tengen.executors.tasks import answer


class SharedSignal(threading.Event):
    """The stop signal of a task, set in memory that workers share.

    Args:
        number: of the task.
        newest: returns the number of the newest task that is to end early; None if no memory is shared.
    """

    def __init__(self, number: int, newest: Callable[[], int] | None) -> None:
        super().__init__()
        self._number = number
        self._newest = newest

    def is_set(self) -> bool:
        """Return whether the task is to end early."""
        return super().is_set() or (self._newest is not None and self._newest() >= self._number)


def prepare(newest: Callable[[], int] | None) -> Callable[[int, Any, bool, Any], bytes]:
    """Prepare this worker, and return what runs a pickled task and pickles its answer.

    Args:
        newest: see `SharedSignal`.
    """

    def run(number: int, packed: Any, hurried: bool, send: Any) -> bytes:
        signal = SharedSignal(number, newest)
        if hurried:
            signal.set()
        listener = None if send is None else lambda report: send(pickle.dumps(report))
        return answer(packed.to_bytes(), signal, listener)

    return run
