"""Channels: texts on their way to a client that reads slowly, and messages from one that writes fast."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from starlette.websockets import WebSocket

from tengen.web.transport import channel as module
from tengen.web.transport.channel import TOO_SLOW, Channel


class SlowClient:
    """A client that takes one message at a time, when it is let; and the server's side of its WebSocket."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.closed: int | None = None
        self.asked = asyncio.Event()
        self.ready = asyncio.Event()
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.socket = WebSocket({"type": "websocket"}, self.said.get, self._take)
        self.said.put_nowait({"type": "websocket.connect"})

    async def _take(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.asked.set()
            await self.ready.wait()
            self.taken.append(message["text"])
        elif message["type"] == "websocket.close":
            self.closed = message["code"]
            self.leave()

    def say(self, text: str) -> None:
        self.said.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        self.said.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def channel(self, **settings: Any) -> Channel:
        await self.socket.accept()
        return Channel(self.socket, **settings)


async def test_of_texts_about_a_subject_only_the_newest_is_sent():
    client = SlowClient()
    channel = await client.channel(pause=0.01)
    serving = asyncio.create_task(channel.serve())
    channel.send("0", "depth")
    await client.asked.wait()
    for number in range(1, 5):
        channel.send(f"{number}", "depth")
        channel.send(f"ply {number}", ("ply", number))
    channel.send("last")
    client.ready.set()
    while "last" not in client.taken:
        await asyncio.sleep(0)
    client.leave()
    await serving
    assert client.taken == ["0", "4", *(f"ply {n}" for n in range(1, 5)), "last"]


async def test_a_text_without_a_subject_does_not_wait_for_the_pause():
    client = SlowClient()
    client.ready.set()
    channel = await client.channel(pause=60)
    serving = asyncio.create_task(channel.serve())
    channel.send("progress", "depth")
    await client.asked.wait()
    channel.send("more", "depth")
    channel.send("done")
    async with asyncio.timeout(5):
        while "done" not in client.taken:
            await asyncio.sleep(0)
    client.leave()
    await serving
    assert client.taken == ["progress", "more", "done"]


async def test_a_client_that_does_not_read_is_disconnected():
    client = SlowClient()
    channel = await client.channel(most=3)
    for number in range(4):
        channel.send(f"{number}")
    client.ready.set()
    await channel.serve()
    assert client.closed == TOO_SLOW
    assert not client.taken


async def test_newer_texts_about_a_subject_never_make_a_client_too_slow():
    client = SlowClient()
    channel = await client.channel(most=1)
    for number in range(5):
        channel.send(f"{number}", "list")
    client.ready.set()
    serving = asyncio.create_task(channel.serve())
    await client.asked.wait()
    client.leave()
    await serving
    assert client.taken == ["4"]


async def test_messages_are_answered_with_a_sign_of_life_unless_they_are_processed():
    client = SlowClient()
    client.ready.set()
    heard = []

    async def hear(text: str) -> None:
        heard.append(text)

    channel = await client.channel()
    client.say("anything")
    client.leave()
    await channel.serve(hear)
    assert heard == ["anything"]
    assert not client.taken
    client = SlowClient()
    client.ready.set()
    channel = await client.channel()
    client.say("anything")
    serving = asyncio.create_task(channel.serve())
    await client.asked.wait()
    client.leave()
    await serving
    assert client.taken == ['{"type":"pong"}']


async def test_a_binary_message_is_an_empty_text():
    client = SlowClient()
    heard = []

    async def hear(text: str) -> None:
        heard.append(text)

    channel = await client.channel()
    client.said.put_nowait({"type": "websocket.receive", "bytes": b"x"})
    client.leave()
    await channel.serve(hear)
    assert heard == [""]


async def test_messages_that_come_too_fast_wait(monkeypatch):
    monkeypatch.setattr(module, "_BURST", 2.0)
    monkeypatch.setattr(module, "_RATE", 50.0)
    client = SlowClient()

    async def hear(_: str) -> None:
        pass

    channel = await client.channel()
    for _ in range(7):
        client.say("again")
    client.leave()
    began = asyncio.get_running_loop().time()
    await channel.serve(hear)
    assert asyncio.get_running_loop().time() - began > 4 / 50


async def test_the_connection_ends_with_the_work_beside_it_whose_error_is_logged(caplog):
    client = SlowClient()

    async def broken() -> None:
        raise KeyError("broken")

    channel = await client.channel()
    with caplog.at_level(logging.ERROR, "tengen.web"):
        await channel.serve(background=broken)
    assert client.closed == 1000
    assert [record.message for record in caplog.records] == ["socket_failed"]


async def test_the_work_beside_it_ends_when_the_client_leaves():
    client = SlowClient()
    ended = False

    async def forever() -> None:
        nonlocal ended
        client.leave()
        try:
            await asyncio.Event().wait()
        finally:
            ended = True

    channel = await client.channel()
    await channel.serve(background=forever)
    assert ended


async def test_a_last_text_precedes_the_close_and_closing_twice_is_harmless():
    client = SlowClient()
    client.ready.set()
    channel = await client.channel()
    await channel.close(4004, "no such game")
    await channel.close(1000)
    assert client.taken == ["no such game"]
    assert client.closed == 4004


@pytest.mark.parametrize("steps", range(6))
def test_it_ends_when_it_is_cancelled_just_as_there_is_something_to_send(steps):
    async def story() -> bool:
        client = SlowClient()
        client.ready.set()
        channel = await client.channel(pause=60)
        channel.send("0", "depth")
        serving = asyncio.create_task(channel.serve())
        await client.asked.wait()
        await asyncio.sleep(0.01)
        channel.send("1")
        for _ in range(steps):
            await asyncio.sleep(0)
        serving.cancel()
        await asyncio.wait({serving}, timeout=5)
        return serving.cancelled()

    assert asyncio.run(story())
