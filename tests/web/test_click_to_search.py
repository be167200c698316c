"""From a socket's frame to a player's `choose`: the modules of the server that a move goes through."""

from __future__ import annotations

import asyncio
import contextvars
import importlib
import re
import sys
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tengen.executors.running_search import Search
from tengen.players.random import Random
from tengen.web.games.live import GameClient
from tengen.web.transport.channel import Channel
from tests.web.clients import visit
from tests.web.serving import serve

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "tengen"
PAGES = {"web.md": "From a click to a search", "web.zh-CN.md": "从点击到搜索"}

Modules = tuple[str, ...]

_behind: contextvars.ContextVar[Modules] = contextvars.ContextVar("behind", default=())


def stack() -> Iterator[str]:
    """The modules of `web/` and `schemas/` that are being run here, up to that which reads the message."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE / "web") or path.is_relative_to(PACKAGE / "schemas"):
            yield path.relative_to(PACKAGE).as_posix()
        frame = None if frame.f_code is Channel._read.__code__ else frame.f_back


def path() -> Modules:
    """The modules through which one has come here: of what began this task, and of this stack."""
    return tuple(dict.fromkeys((*_behind.get(), *reversed(list(stack())))))


def task_factory(loop: asyncio.AbstractEventLoop, work: Any, context: Any = None) -> asyncio.Task[Any]:
    """Begin a task that knows through which modules one has come to it."""
    context = context or contextvars.copy_context()
    context.run(_behind.set, path())
    return asyncio.Task(work, loop=loop, context=context)


async def played(monkeypatch: pytest.MonkeyPatch) -> Modules:
    """Play a move through a server's socket, and return the modules that lead to the computer's answer."""
    found: list[Modules] = []
    started: list[Modules] = []
    start, choose, run = Search.start, Random.choose, GameClient.run

    async def running(client: GameClient) -> None:
        asyncio.get_running_loop().set_task_factory(task_factory)
        await run(client)

    def starting(*args: Any, **named: Any) -> Any:
        started.append(path())
        return start(*args, **named)

    def choosing(player: Random, *args: Any) -> Any:
        found.append(tuple(dict.fromkeys((*started[-1], *reversed(list(stack()))))))
        return choose(player, *args)

    monkeypatch.setattr(GameClient, "run", running)
    monkeypatch.setattr(Search, "start", starting)
    monkeypatch.setattr(Random, "choose", choosing)
    with serve(workers="threads") as server:
        async with visit(server) as house:
            made = await house.create(white="random,seed=1")
            async with house.sit(made["id"], made["seats"]["black"]) as seat:
                await seat.play("h8")
                await seat.until_state(lambda state: state["ply"] == 2)
    return found[0]


async def test_a_move_goes_through_eight_modules_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    found = await played(monkeypatch)
    assert found[0] == Path(Channel._read.__code__.co_filename).relative_to(PACKAGE).as_posix()
    assert {"web/games/live.py", "web/games/room.py", "web/games/computer.py"} < set(found)
    assert len(found) <= 8, found
    for page in PAGES:
        assert steps(page) == found, page


def steps(page: str) -> Modules:
    """The modules that the numbered list of a document names, each of which has what is said of it."""
    section = (ROOT / "docs" / page).read_text("utf-8").partition(f"\n## {PAGES[page]}\n")[2]
    lines = re.findall(r"^\d\. `([\w/]+)\.py`[:：] ?`(\w+(?:\.\w+)*)`", section, re.MULTILINE)
    for module, name in lines:
        reduce(getattr, name.split("."), importlib.import_module("tengen." + module.replace("/", ".")))
    return tuple(f"{module}.py" for module, _ in lines)
