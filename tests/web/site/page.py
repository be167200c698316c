"""The application of a page, run here: its workers are threads, which speak as web workers do."""

from __future__ import annotations

import asyncio
import itertools
import json
import pickle
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from tengen.executors.tasks import answer
from tengen.web.browser.app import create_page_app, open_page, page_settings
from tengen.web.browser.storage import PageRepository
from tengen.web.browser.workers import Answer, WebWorkers


class ThreadAsWebWorker:
    """A web worker that is a thread.

    Args:
        tell: receives what it says.
        shared: whether it hears signals while it works.
    """

    def __init__(self, tell: Answer, *, shared: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._tell = tell
        self._shared = shared
        self._stop = threading.Event()
        self.ended = False

    def run(self, number: int, packed: bytes, reporting: bool, hurried: bool) -> None:
        self._stop = threading.Event()
        if hurried:
            self._stop.set()
        given = number, packed, reporting, self._stop
        threading.Thread(target=self._work, args=given, daemon=True).start()

    def _work(self, number: int, packed: bytes, reporting: bool, stop: threading.Event) -> None:
        def report(value: Any) -> None:
            self._say("report", number, pickle.dumps(value))

        self._say("answer", number, answer(packed, stop, report if reporting else None))

    def _say(self, kind: Any, number: int, data: bytes) -> None:
        if not self.ended:
            self._loop.call_soon_threadsafe(self._tell, kind, number, data)

    def lose(self) -> None:
        self._tell("lost", 0, b"out of memory")

    def hurry(self, number: int) -> bool:
        if self._shared:
            self._stop.set()
        return self._shared

    def end(self) -> None:
        self.ended = True
        self._stop.set()


class Page:
    """The other end of an application in a page."""

    def __init__(self) -> None:
        self.kept = 0
        self.started: list[ThreadAsWebWorker] = []
        self._numbers = itertools.count(1)
        self._heard: dict[int, asyncio.Queue[dict[str, Any]]] = {}
        self.gateway: Any = None

    def post(self, message: dict[str, Any]) -> None:
        self._heard[message["id"]].put_nowait(message)

    async def keep(self) -> None:
        self.kept += 1

    def starter(self, *, shared: bool) -> Callable[[Answer], ThreadAsWebWorker]:
        def start(tell: Answer) -> ThreadAsWebWorker:
            self.started.append(ThreadAsWebWorker(tell, shared=shared))
            return self.started[-1]

        return start

    async def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """Send a request, and return the status and what is in the answer."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        content = b"" if body is None else json.dumps(body).encode()
        heard = await self.request(method, path, headers, content)
        return heard["status"], json.loads(heard["body"]) if heard["body"] else None

    async def request(
        self, method: str, path: str, headers: dict[str, str], content: bytes
    ) -> dict[str, Any]:
        """Send a request, and return the message that answers it."""
        number = next(self._numbers)
        self._heard[number] = asyncio.Queue()
        self.gateway.request(number, method, path, headers, content)
        heard = await asyncio.wait_for(self._heard[number].get(), 60)
        assert heard["kind"] == "response"
        return heard

    async def connect(self, path: str, hello: Any = None) -> Socket:
        """Open a socket."""
        number = next(self._numbers)
        self._heard[number] = asyncio.Queue()
        self.gateway.open(number, path)
        socket = Socket(self, number)
        assert (await socket.next())["kind"] == "opened"
        if hello is not None:
            socket.send(hello)
        return socket


class Socket:
    """A socket of a page."""

    def __init__(self, page: Page, number: int) -> None:
        self._page = page
        self._number = number

    def send(self, message: Any) -> None:
        self._page.gateway.message(self._number, json.dumps(message))

    async def next(self) -> dict[str, Any]:
        return await asyncio.wait_for(self._page._heard[self._number].get(), 60)

    async def hear(self, wanted: Callable[[Any], bool] = lambda _: True) -> Any:
        """Return the next message that is wanted."""
        while True:
            told = await self.next()
            assert told["kind"] == "message", told
            message = json.loads(told["text"])
            if wanted(message):
                return message

    def close(self) -> None:
        self._page.gateway.close(self._number)


@asynccontextmanager
async def opened_page(folder: Path, *, shared: bool = True) -> AsyncIterator[Page]:
    """Open the application of a page, whose database lies in a folder."""
    page = Page()
    async with AsyncExitStack() as stack:
        repository = PageRepository(page_settings(folder), page.keep)
        movers, analysts = (WebWorkers(page.starter(shared=shared)) for _ in range(2))
        stack.callback(movers.close)
        stack.callback(analysts.close)
        page.gateway = await open_page(create_page_app(), stack, repository, movers, analysts, page.post)
        yield page


def in_page(test: Callable[[Page], Awaitable[None]]) -> Callable[[Path], None]:
    """Run a test with a page of its own."""

    @wraps(test)
    def run(tmp_path: Path) -> None:
        async def main() -> None:
            async with opened_page(tmp_path) as page:
                await test(page)

        asyncio.run(main())

    del run.__wrapped__
    return run
