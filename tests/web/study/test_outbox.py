"""Messages on their way to a client that reads slowly."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tengen.web.study import outbox
from tengen.web.study.outbox import Outbox
from tengen.web.transport.http_errors import Overloaded


class SlowSocket:
    """A client that takes one message at a time, when it is let."""

    def __init__(self) -> None:
        self.taken: list[dict[str, Any]] = []
        self.asked = asyncio.Event()
        self.ready = asyncio.Event()

    async def send_text(self, text: str) -> None:
        self.asked.set()
        await self.ready.wait()
        self.taken.append(json.loads(text))


def test_of_progress_that_waits_only_the_newest_is_sent():
    async def story() -> list[dict[str, Any]]:
        socket = SlowSocket()
        box = Outbox(socket)  # type: ignore[arg-type]
        sending = asyncio.create_task(box.run())
        box.put({"n": 0}, "depth")
        await socket.asked.wait()
        for number in range(1, 5):
            box.put({"n": number}, "depth")
            box.put({"ply": number}, ("ply", number))
        box.put({"last": True})
        socket.ready.set()
        while {"last": True} not in socket.taken:
            await asyncio.sleep(0)
        sending.cancel()
        return socket.taken

    told = asyncio.run(story())
    assert told == [{"n": 0}, {"n": 4}, *({"ply": n} for n in range(1, 5)), {"last": True}]


async def test_a_client_that_takes_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(outbox, "MOST", 3)
    box = Outbox(SlowSocket())  # type: ignore[arg-type]
    for number in range(5):
        box.put({"n": number})
    with pytest.raises(Overloaded):
        await box.run()


@pytest.mark.parametrize("steps", range(6))
def test_it_ends_when_it_is_cancelled_just_as_there_is_something_to_send(steps):
    async def story() -> bool:
        socket = SlowSocket()
        socket.ready.set()
        box = Outbox(socket)  # type: ignore[arg-type]
        box.put({"n": 0})
        sending = asyncio.create_task(box.run())
        await socket.asked.wait()
        await asyncio.sleep(0.01)
        box.put({"n": 1})
        for _ in range(steps):
            await asyncio.sleep(0)
        sending.cancel()
        await asyncio.wait({sending}, timeout=5)
        return sending.cancelled()

    assert asyncio.run(story())
