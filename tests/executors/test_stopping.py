"""Work that is ended in time: by the clock, by a signal, or not at all."""

from __future__ import annotations

import threading
import time

import pytest

from tengen.executors import ended_in_time


@pytest.mark.parametrize("seconds", [0.0, 0.05, -1.0])
def test_the_time_is_up(seconds: float) -> None:
    ended = threading.Event()
    with ended_in_time(ended.set, seconds, threading.Event()):
        assert ended.wait(30)


def test_the_signal_is_set() -> None:
    ended, stop = threading.Event(), threading.Event()
    with ended_in_time(ended.set, None, stop):
        assert not ended.wait(0.1)
        stop.set()
        assert ended.wait(30)


@pytest.mark.parametrize("seconds", [None, 60.0, 1e300])
def test_what_is_over_before_is_left_alone(seconds: float | None) -> None:
    calls: list[None] = []
    began = time.monotonic()
    with ended_in_time(lambda: calls.append(None), seconds, threading.Event()):
        pass
    assert calls == []
    assert time.monotonic() - began < 30


def test_with_no_bound_no_thread_is_started() -> None:
    before = threading.active_count()
    with ended_in_time(lambda: None, None, None):
        assert threading.active_count() == before
