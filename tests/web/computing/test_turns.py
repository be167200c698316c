"""Places are given to queues in turn."""

from __future__ import annotations

import asyncio

import pytest

from tengen.web.computing.turns import Turns


def test_who_comes_alone_does_not_wait_for_a_long_queue() -> None:
    served: list[str] = []

    async def job(turns: Turns, queue: str) -> None:
        async with turns.place(queue, asyncio.get_running_loop().time() + 60):
            served.append(queue)
            await asyncio.sleep(0)

    async def all_of_them() -> None:
        turns = Turns(1)
        await asyncio.gather(*(job(turns, queue) for queue in ("a", "a", "a", "a", "b", "b", "c")))

    asyncio.run(all_of_them())
    assert "".join(served) == "aabcaba"


def test_as_many_as_there_are_places_work_at_a_time() -> None:
    async def all_of_them() -> int:
        turns, now, most = Turns(3), 0, 0

        async def job(queue: str) -> None:
            nonlocal now, most
            async with turns.place(queue, asyncio.get_running_loop().time() + 60):
                now += 1
                most = max(most, now)
                await asyncio.sleep(0.001)
                now -= 1

        await asyncio.gather(*(job("ab"[number % 2]) for number in range(20)))
        return most

    assert asyncio.run(all_of_them()) == 3


async def test_who_gives_up_leaves_its_place_to_others() -> None:
    turns, loop = Turns(1), asyncio.get_running_loop()
    async with turns.place("a", loop.time() + 60):
        with pytest.raises(TimeoutError):
            async with turns.place("b", loop.time() + 0.01):
                raise AssertionError
        waiting = asyncio.create_task(turns._acquire("c", loop.time() + 60))
        gone = asyncio.create_task(turns._acquire("a", loop.time() + 60))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
    await gone  # the turn of whom was cancelled has gone to the next one
    turns._release()
    async with turns.place("d", loop.time() + 1):
        pass


async def test_a_turn_that_comes_while_its_owner_gives_up_is_passed_on() -> None:
    turns, loop = Turns(1), asyncio.get_running_loop()
    await turns._acquire("a", loop.time() + 60)
    waiting = asyncio.create_task(turns._acquire("b", loop.time() + 60))
    await asyncio.sleep(0)
    turns._release()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    async with turns.place("c", loop.time() + 1):
        pass
