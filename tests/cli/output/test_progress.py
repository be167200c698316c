"""The line that tells how far a long task is."""

from __future__ import annotations

import io
import time

import pytest

from tengen.cli.output.progress import Pace, ProgressLine, duration


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that tests put forward; it begins at 1,000 seconds."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_a_terminal_has_one_line_that_is_written_over_and_taken_away(clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "8")
    stream, lines = Terminal(), iter(["one", "天元天元天元", "never"])
    line = ProgressLine(lambda: next(lines), stream)
    line()
    line()  # too early
    clock[0] += 1
    line()
    line.clear()
    line.clear()
    assert stream.getvalue() == "\rone\x1b[K\r天元天 \x1b[K\r\x1b[K"


def test_a_file_gets_a_line_now_and_then(clock):
    stream = io.StringIO()
    line = ProgressLine(lambda: "so far", stream)
    line()
    clock[0] += 29
    line()
    assert stream.getvalue() == ""
    clock[0] += 2
    line()
    line.clear()
    assert stream.getvalue() == "so far\n"


def test_how_long_it_may_take_yet(clock):
    pace = Pace("en", before=10)
    clock[0] += 60
    assert pace.time == "1:00"
    assert pace.left(10, 40) == []
    assert pace.left(20, None) == []
    assert pace.left(20, 40) == ["about 2:00 left"]
    assert pace.left(20, 40, most=90) == ["about 0:30 left"]
    assert pace.left(10, None, most=30) == ["about 0:00 left"]


def test_durations():
    assert [duration(seconds) for seconds in (0, 59.9, 61, 3723)] == ["0:00", "0:59", "1:01", "1:02:03"]
