"""Where searches run: who gets a place, who waits, and that other threads are preferred."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import pytest

from tengen.web.server.http_errors import Overloaded
from tengen.web.study.search_pool import NICENESS, Place, Places


def test_a_search_runs_behind_players_that_think():
    async def priority() -> int:
        one = Places(1)
        place = await one.take()
        return await one.run(place, lambda _: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    if sys.platform != "linux":
        pytest.skip("only Linux tells threads apart")
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    assert asyncio.run(priority()) == min(max(usual, NICENESS), 19)
    assert os.getpriority(os.PRIO_PROCESS, 0) == usual


def test_places_are_given_in_turn(monkeypatch):
    monkeypatch.setattr("tengen.web.study.search_pool.MOST_WAITING", 2)

    async def story() -> list[str]:
        two, order = Places(1), []

        async def visitor(name: str) -> None:
            place = await two.take()
            order.append(name)
            await asyncio.sleep(0.01)
            two.give(place)

        first = await two.take()
        assert two.full
        waiting = [asyncio.create_task(visitor(name)) for name in ("a", "b")]
        await asyncio.sleep(0)
        assert two.wanted
        with pytest.raises(Overloaded):
            await two.take()
        two.give(first)
        await asyncio.gather(*waiting)
        assert not two.full
        return order

    assert asyncio.run(story()) == ["a", "b"]


def test_who_gives_up_waiting_keeps_no_place():
    async def story() -> None:
        one = Places(1)
        first = await one.take()
        for give_before in (False, True):
            leaving = asyncio.create_task(one.take())
            await asyncio.sleep(0)
            if give_before:
                one.give(first)
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
        assert not one.full
        assert not one.wanted

    asyncio.run(story())


def test_a_search_that_fails_gives_its_place_back():
    def work(_: Place) -> None:
        raise ZeroDivisionError

    async def story() -> None:
        one = Places(1)
        place = await one.take()
        with pytest.raises(ZeroDivisionError):
            await one.run(place, work)
        assert not one.full

    asyncio.run(story())
