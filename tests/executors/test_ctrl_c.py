"""Ctrl-C as a call instead of an end."""

from __future__ import annotations

import signal
import threading

import pytest

from tengen.executors.ctrl_c import ctrl_c_at, first_ctrl_c


def test_the_first_is_a_call_and_the_second_an_end():
    calls: list[threading.Thread] = []
    with first_ctrl_c(lambda: calls.append(threading.current_thread())):
        signal.raise_signal(signal.SIGINT)
        assert calls == [threading.main_thread()]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert len(calls) == 1


def test_after_it_all_is_as_before():
    with first_ctrl_c(list):
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_where_it_is_ignored_it_stays_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    calls: list[None] = []
    try:
        with first_ctrl_c(lambda: calls.append(None)):
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == []


def test_in_other_threads_nothing_is_changed():
    seen: list[object] = []

    def elsewhere() -> None:
        with first_ctrl_c(list):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


def test_it_waits_for_the_next_tick_and_the_second_does_not():
    ticks: list[int] = []
    with ctrl_c_at(lambda: ticks.append(len(ticks))) as tick:
        tick()
        signal.raise_signal(signal.SIGINT)
        assert ticks == [0], "what was being done goes on"
        with pytest.raises(KeyboardInterrupt):
            tick()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert ticks == [0, 1]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
