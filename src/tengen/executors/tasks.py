"""A task: its call, its future, its signal and its reports, and its serialised form."""

from __future__ import annotations

import logging
import pickle
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Listener: TypeAlias = Callable[[Any], object]
"""A receiver of the reports of a task."""

_here = threading.local()


class Work(NamedTuple):
    """A call to be made."""

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def do(self, stop: threading.Event, listener: Listener | None = None) -> Any:
        """Make the call in this thread; `stop` is its `stop_signal`, `listener` receives its reports."""
        outer = getattr(_here, "stop", None), getattr(_here, "listener", None)
        _here.stop, _here.listener = stop, listener
        try:
            return self.fn(*self.args, **self.kwargs)
        finally:
            _here.stop, _here.listener = outer


def stop_signal() -> threading.Event:
    """Return the event that is set when the task running in this thread is cancelled or hurried.

    A task need not know which: it returns the best result that it has; that of a cancelled task is lost.
    Outside a task it is a new event, which is never set. A task that starts threads of its own passes the
    event on to them.
    """
    stop: threading.Event | None = getattr(_here, "stop", None)
    return threading.Event() if stop is None else stop


def report(value: Any) -> None:
    """Send an intermediate result of the task that runs in this thread to its listener.

    Without a listener, and outside a task, nothing happens. To another process the value goes by pickle.
    """
    listener: Listener | None = getattr(_here, "listener", None)
    if listener is not None:
        listener(value)


def without_reports(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Make a call whose reports are discarded, in a task that has reports of its own."""
    result: T = Work(fn, args, kwargs).do(stop_signal())
    return result


class TaskFuture(Future[T]):
    """A future whose task can be cancelled or hurried at any time before it is done, while it runs too.

    Those who wait learn at once that it is cancelled. The work ends as soon as it can be ended where it
    runs, and its result is discarded.

    Args:
        on_cancel: called once, when the future is cancelled.
        on_hurry: called whenever the task is hurried.
    """

    def __init__(self, on_cancel: Callable[[], None], on_hurry: Callable[[], None]) -> None:
        super().__init__()
        # A future of the standard library cannot be cancelled once it is "running". So this one stays
        # "pending" until it is done, and has an attribute for whether it runs.
        self.started = False
        self._on_cancel = [on_cancel]
        self._on_hurry = on_hurry

    def running(self) -> bool:
        """Return whether a worker has begun the task and not finished it."""
        return self.started and not self.done()

    def cancel(self) -> bool:
        """Cancel the task, even if it runs; false if it is done already."""
        if not super().cancel():
            return False
        try:
            on_cancel = self._on_cancel.pop()
        except IndexError:
            return True  # cancelled before
        self.set_running_or_notify_cancel()  # wakes those in wait() and as_completed()
        on_cancel()
        return True

    def hurry(self) -> bool:
        """Ask the task to end early, with a result all the same; false if it is done already.

        Its `stop_signal` is set where it runs; if it waits for a worker, it begins with the signal set.
        Returns at once, and may be called from any thread, and again.
        """
        if self.done():
            return False
        self._on_hurry()
        return True


class Elsewhere(Exception):
    """The cause of an exception from another process, which shows its traceback."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f"\n{self.text}"


def run_in_thread(
    listener: Listener | None, fn: Callable[..., T], /, *args: Any, **kwargs: Any
) -> TaskFuture[T]:
    """Run one task at once, in a thread of its own, which does not keep the program from ending.

    Args:
        listener: called in that thread with each report; None discards them.
        fn: the call.
        *args: its arguments.
        **kwargs: its arguments by name.
    """
    stop = threading.Event()
    future: TaskFuture[T] = TaskFuture(stop.set, stop.set)
    future.started = True
    receive = None if listener is None else partial(pass_on, future, listener)

    def run() -> None:
        outcome: Callable[[], None]
        try:
            outcome = partial(future.set_result, Work(fn, args, kwargs).do(stop, receive))
        except BaseException as error:
            outcome = partial(future.set_exception, error)
        with suppress(InvalidStateError):  # cancelled meanwhile
            outcome()

    threading.Thread(target=run, name="tengen-task", daemon=True).start()
    return future


def pass_on(future: Future[Any], listener: Listener, value: Any) -> None:
    """Pass a report to a listener, unless the task's future is done; an exception there is logged."""
    if not future.done():
        try:
            listener(value)
        except Exception:
            logging.getLogger(__name__).exception("a listener failed")


def answer(packed: bytes, stop: threading.Event, listener: Listener | None = None) -> bytes:
    """Do pickled work and pickle its result or its exception, for `unpack`."""
    try:
        return pickle.dumps((pickle.loads(packed).do(stop, listener), None))
    except BaseException as error:
        trace = "".join(traceback.format_exception(error))
        try:
            reply = pickle.dumps((error, trace))
            pickle.loads(reply)  # some exceptions can be written that cannot be read
        except Exception:
            line = traceback.format_exception_only(error)[-1].strip()
            reply = pickle.dumps((RuntimeError(line), trace))
        return reply


def unpack(reply: bytes) -> Any:
    """Unpack a reply of `answer`: return what the work returned, or raise what it raised."""
    value, trace = pickle.loads(reply)
    if trace is None:
        return value
    raise value from Elsewhere(trace)
