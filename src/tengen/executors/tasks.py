"""A piece of work on its way: what is to be done, the future it fulfils, and how it is sent."""

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
"""Takes what a task reports on its way."""

_here = threading.local()


class Work(NamedTuple):
    """A call that is to be made."""

    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def do(self, stop: threading.Event, listener: Listener | None = None) -> Any:
        """Make the call in this thread; `stop` is its `stop_signal`, and `listener` hears its reports."""
        outer = getattr(_here, "stop", None), getattr(_here, "listener", None)
        _here.stop, _here.listener = stop, listener
        try:
            return self.fn(*self.args, **self.kwargs)
        finally:
            _here.stop, _here.listener = outer


def stop_signal() -> threading.Event:
    """The event that is set when the task running in this thread has been cancelled or hurried.

    A task need not know which: it returns the best answer it has, which nobody reads if it was cancelled.
    Outside a task it is a fresh event, which nobody sets. A task that starts threads of its own hands the
    event on to them.
    """
    stop: threading.Event | None = getattr(_here, "stop", None)
    return threading.Event() if stop is None else stop


def report(value: Any) -> None:
    """Tell whoever has submitted the task that runs in this thread what it has found on its way.

    Nothing happens if nobody listens, or outside a task. To another process the value goes by pickle.
    """
    listener: Listener | None = getattr(_here, "listener", None)
    if listener is not None:
        listener(value)


def unheard(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Make a call, in a task that reports things of its own, whose reports nobody hears."""
    result: T = Work(fn, args, kwargs).do(stop_signal())
    return result


class TaskFuture(Future[T]):
    """A future whose task can be cancelled or hurried at any time before it is done, while it runs too.

    Whoever waits is told at once that it is cancelled. The work ends as soon as it can be ended where it
    runs; nobody learns what came of it.

    Args:
        called_off: called once, when the future is cancelled.
        hurried: called whenever the task is to come to an end early.
    """

    def __init__(self, called_off: Callable[[], None], hurried: Callable[[], None]) -> None:
        super().__init__()
        # A future of the standard library cannot be cancelled once it is "running". So this one stays
        # "pending" until it is done, and says itself whether it runs.
        self.started = False
        self._called_off = [called_off]
        self._hurried = hurried

    def running(self) -> bool:
        """Return whether a worker has begun the task and not finished it."""
        return self.started and not self.done()

    def cancel(self) -> bool:
        """Cancel the task, even if it runs; false if it is done already."""
        if not super().cancel():
            return False
        try:
            called_off = self._called_off.pop()
        except IndexError:
            return True  # cancelled before
        self.set_running_or_notify_cancel()  # wakes those in wait() and as_completed()
        called_off()
        return True

    def hurry(self) -> bool:
        """Ask the task to come to an end early, with an answer all the same; false if it is done already.

        Its `stop_signal` is set where it runs; if it waits for a worker, it begins with the signal set.
        Returns at once, and may be called from any thread, and again.
        """
        if self.done():
            return False
        self._hurried()
        return True


class Elsewhere(Exception):
    """Stands as the cause of an exception that came from another process, and shows its traceback."""

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
        listener: called in that thread with what the task reports; None if nobody wants to know.
        fn: what to call.
        *args: with these arguments,
        **kwargs: and these.
    """
    stop = threading.Event()
    future: TaskFuture[T] = TaskFuture(stop.set, stop.set)
    future.started = True
    heard = None if listener is None else partial(pass_on, future, listener)

    def run() -> None:
        outcome: Callable[[], None]
        try:
            outcome = partial(future.set_result, Work(fn, args, kwargs).do(stop, heard))
        except BaseException as error:
            outcome = partial(future.set_exception, error)
        with suppress(InvalidStateError):  # called off meanwhile
            outcome()

    threading.Thread(target=run, name="tengen-task", daemon=True).start()
    return future


def pass_on(future: Future[Any], listener: Listener, value: Any) -> None:
    """Give a report to a listener, unless the task's future is done; what goes wrong there is logged."""
    if not future.done():
        try:
            listener(value)
        except Exception:
            logging.getLogger(__name__).exception("a report was not taken")


def answer(packed: bytes, stop: threading.Event, listener: Listener | None = None) -> bytes:
    """Do pickled work and pickle what came of it, for `unpack`; whatever it raises is packed too."""
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
