"""Work that is ended in time: by the clock, by a signal, or not at all."""

from __future__ import annotations

import threading
import time

import pytest

from tengen.executors import ended_in_time, stopping


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


class Clock:
    """Work that calls out: the seconds after which it is asked to, as they were told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[float | None] = []
        monkeypatch.setattr(stopping, "_polls", [])
        assert stopping.has_threads()
        self.polls = stopping.poll_by(self.told.append)
        assert not stopping.has_threads()

    def work(self) -> None:
        """Work until nobody wants to be called."""
        while self.told[-1] is not None:
            time.sleep(self.told[-1])
            self.polls.poll()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_without_threads_the_work_ends_itself_in_time(clock: Clock) -> None:
    ends: list[float] = []
    before, began = threading.active_count(), time.perf_counter()
    with ended_in_time(lambda: ends.append(time.perf_counter()), 0.05, None):
        assert threading.active_count() == before
        assert clock.told[-1] == pytest.approx(0.05, abs=0.04)
        clock.work()
    assert len(ends) == 1
    assert ends[0] - began >= 0.05


def test_without_threads_a_signal_is_checked_again_and_again(clock: Clock) -> None:
    stop, ends = threading.Event(), list[str]()
    with ended_in_time(lambda: ends.append("ended"), 60, stop):
        for _ in range(3):
            clock.polls.poll()
            assert (ends, clock.told[-1]) == ([], 0.02)
        stop.set()
        clock.work()
        assert ends == ["ended"]
    assert clock.told[-1] is None


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_without_threads_what_is_late_ends_at_once(clock: Clock, seconds: float) -> None:
    ends: list[str] = []
    with ended_in_time(lambda: ends.append("ended"), seconds, None):
        assert ends == ["ended"]
    assert clock.told[-1] is None


def test_without_threads_the_end_of_outer_work_is_that_of_inner(clock: Clock) -> None:
    over, ends = threading.Event(), list[str]()
    with ended_in_time(over.set, 0.01, None), ended_in_time(lambda: ends.append("inner"), None, over):
        clock.work()
        assert ends == ["inner"]


def test_without_threads_work_may_end_in_any_order(clock: Clock) -> None:
    ends: list[str] = []
    first = ended_in_time(lambda: ends.append("first"), 60, None)
    second = ended_in_time(lambda: ends.append("second"), 0.01, None)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    clock.work()
    second.__exit__(None, None, None)
    assert (ends, clock.told[-1]) == (["second"], None)


def test_without_threads_progress_is_reported_again_and_again(clock: Clock) -> None:
    calls: list[float] = []
    with stopping.repeatedly(lambda: calls.append(time.perf_counter()), 0.01):
        for _ in range(3):
            assert clock.told[-1] is not None
            assert clock.told[-1] <= 0.01
            time.sleep(0.01)
            clock.polls.poll()
    assert len(calls) == 3
    assert clock.told[-1] is None
