"""Threads, memory and limits from what INFO has said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tengen.game.player import Limit
from tengen.gomocup.info_values import UNLIMITED
from tengen.protocol.game_settings import QUICK, GameSettings, at_once, reserve, seconds_of

TIMES = st.integers(0, UNLIMITED)
SETTINGS = st.builds(
    GameSettings,
    timeout_turn=st.none() | TIMES,
    timeout_match=TIMES,
    time_left=st.none() | st.integers(-10_000, UNLIMITED),
    time_increment=st.integers(0, 60_000),
    max_node=st.integers(0, 10**9),
    max_depth=st.integers(0, 500),
)


def test_five_seconds_where_nothing_was_said():
    assert GameSettings().limit(0.0) == Limit(seconds=5 - reserve(5))


def test_what_is_said_stays_what_it_is():
    settings = GameSettings().updated("max_node 7")
    assert isinstance(settings, GameSettings)
    assert settings.limit(0.0) == Limit(nodes=7)


@given(SETTINGS, st.floats(0, 100), st.floats(0, 1000))
@example(GameSettings(timeout_match=1), 0.0, 0.0)
@example(GameSettings(timeout_turn=1_000, time_left=19), 0.0, 0.0)
def test_no_move_takes_longer_than_is_left(settings, elapsed, used):
    limit = settings.limit(elapsed, used)
    left = [
        seconds
        for seconds in (
            None if settings.timeout_turn is None else settings.timeout_turn / 1000,
            settings.time_left / 1000 if settings.time_left not in (None, UNLIMITED) else None,
            settings.timeout_match / 1000 - used
            if settings.timeout_match and settings.time_left is None
            else None,
        )
        if seconds is not None
    ]
    seconds = seconds_of(limit)
    if limit.nodes is not None and limit.nodes <= QUICK and seconds is None:
        return  # a few nodes are over in no time
    if not left:
        assert seconds is None or seconds <= 5
        return
    assert seconds is not None
    assert 0 < seconds <= min(left) - elapsed + 1e-6


@given(SETTINGS, st.floats(0, 100))
def test_bounds_on_nodes_and_depth_are_kept(settings, elapsed):
    limit = settings.limit(elapsed)
    if settings.max_node:
        assert limit.nodes is not None
        assert limit.nodes <= settings.max_node
    assert limit.depth == (settings.max_depth or None)


@pytest.mark.parametrize("left", [-5, 0, 1, 19, 20])
def test_hardly_any_time_left_is_a_move_at_once(left):
    assert GameSettings(time_left=left).limit(0.0) == at_once()
    assert GameSettings(timeout_turn=1_000, time_left=left, max_depth=4).limit(0.0) == at_once(depth=4)


def test_a_move_that_has_to_come_at_once():
    assert GameSettings(timeout_turn=0).limit(0.0) == at_once() == Limit(nodes=QUICK)
    assert GameSettings(timeout_turn=5_000, time_left=-3, max_node=9).limit(0.0) == Limit(nodes=9)
    assert at_once(QUICK + 1, 3) == Limit(nodes=QUICK, depth=3)


@pytest.mark.parametrize(("told", "threads"), [(None, 3), (0, 1), (1, 1), (8, 8), (10**6, 64)])
def test_threads(told, threads):
    assert GameSettings(thread_num=told).threads(3) == threads


def test_memory():
    settings = GameSettings(max_memory=350 << 20)
    table = settings.memory(64)
    assert GameSettings().memory(64) == 64
    assert 0 < table < 350
    assert settings.memory(64, compiled=True) < table
    assert settings.memory(64, threads=4) < table
    assert replace(settings, max_memory=1).memory(64) == 1
    assert replace(settings, max_memory=1 << 60).memory(64) == 1 << 14
