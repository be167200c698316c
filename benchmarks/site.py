"""The sizes and times of a written site in Chromium, on three lines: first visits, and visits after that.

Times are seconds, medians of some rounds: until the board is drawn, from a click on it to the stone and to
the computer's reply, and from the beginning until Python answers. The line of a phone has 1.6 Mbit/s and
150 ms to each answer, and its page a quarter of the processor's speed; Chromium does not slow the
processor of a page's workers. The server keeps to the rate of a line.
"""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, BrowserContext
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from tests.web.browser.pages import browsing

from benchmarks.command_line import parser
from tengen.web.site.preview import preview_app
from tengen.web.site.writer import SiteReport, write_site
from tengen.web.start import listener

ROUNDS = 3
PATIENCE = 180_000
PIECE = 8192
"""Bytes that pass before another answer has its turn."""

LATE = 0.05
"""Seconds by which the server may be late, as long as it catches up."""

QUIET = 25.0
"""Seconds after which everything has been kept for the next visit."""

_ANSWER = """import("./static/shared/connection.js")
  .then(({ send }) => send("/api/catalogue?rules=freestyle", { method: "GET" }))
  .then((answer) => answer.status)"""
_STONE = "() => document.body.innerText.includes('Black: h8')"
_REPLY = "() => /White: [a-o]\\d/.test(document.body.innerText)"


@dataclass(frozen=True, slots=True)
class Line:
    """A line between a host and a browser.

    Attributes:
        name: what it is called.
        mbits: megabits a second; None for no limit.
        latency: milliseconds to each answer.
        slower: the factor by which the page's processor is slower.
    """

    name: str
    mbits: float | None = None
    latency: float = 0.0
    slower: float = 1.0


LINES = (Line("this machine"), Line("20 Mbit/s", 20, 40), Line("phone", 1.6, 150, 4))


class Precompressed:
    """ASGI middleware that serves a file's copy by Brotli, as hosts do that know of them."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self._app = app
        self._folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request for a file on, or one for its copy."""
        copy = f"{scope['path']}.br"
        if not (self._folder / copy.lstrip("/")).is_file():
            await self._app(scope, receive, send)
            return

        async def answering(event: Message) -> None:
            if event["type"] == "http.response.start":
                kind = mimetypes.guess_type(scope["path"])[0] or "application/octet-stream"
                headers = [(name, value) for name, value in event["headers"] if name != b"content-type"]
                event["headers"] = [
                    *headers,
                    (b"content-encoding", b"br"),
                    (b"content-type", kind.encode()),
                ]
            await send(event)

        await self._app({**scope, "path": copy, "raw_path": copy.encode()}, receive, answering)


class SlowLine:
    """ASGI middleware that answers as over a line, whichever worker of a page asks.

    Chromium itself slows the line of some workers only.

    Attributes:
        line: the line, which may change.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.line = LINES[0]
        self._app = app
        self._free = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; answers share the line."""

        async def answering(event: Message) -> None:
            body = event.get("body", b"")
            while len(body) > PIECE:
                await self._pass(PIECE)
                await send({**event, "body": body[:PIECE], "more_body": True})
                body = body[PIECE:]
            await self._pass(len(body))
            await send({**event, "body": body} if "body" in event else event)

        await asyncio.sleep(self.line.latency / 1000)
        await self._app(scope, receive, answering)

    async def _pass(self, size: int) -> None:
        """Wait until so many bytes have passed."""
        if self.line.mbits is None:
            return
        now = time.monotonic()
        # What came late by the server's own fault does not slow the line.
        self._free = max(self._free, now - LATE) + 8 * size / (self.line.mbits * 1e6)
        await asyncio.sleep(max(self._free - now, 0))


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[str, SlowLine]]:
    """Serve a site, and yield its address and the line to it."""
    socket = listener("127.0.0.1", 0)
    app = SlowLine(Precompressed(preview_app(folder, isolated=True), folder))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}/index.html", app
    finally:
        server.should_exit = True
        thread.join()


def visit(context: BrowserContext, url: str, slower: float) -> tuple[float, float, float, float]:
    """Return the seconds to the board, from a click to stone and reply, and to Python's answer."""
    page = context.new_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    board = page.locator(".tengen-board svg").first
    board.wait_for(timeout=PATIENCE)
    drawn = time.perf_counter() - began
    clicked = time.perf_counter()
    board.click()
    page.wait_for_function(_STONE, timeout=PATIENCE)
    stone = time.perf_counter() - clicked
    page.wait_for_function(_REPLY, timeout=PATIENCE)
    reply = time.perf_counter() - clicked
    page.set_default_timeout(PATIENCE)
    assert page.evaluate(_ANSWER.replace("./static", url.replace("/index.html", "/static"))) == 200
    everything = time.perf_counter() - began
    page.wait_for_timeout(QUIET * 1000)
    page.close()
    return drawn, stone, reply, everything


def measure(browser: Browser, url: str, slower: float, rounds: int) -> list[list[float]]:
    """Return the medians of a first visit, and of the next."""
    first, next_ = [], []
    for _ in range(rounds):
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en")
        first.append(visit(context, url, slower))
        next_.append(visit(context, url, slower))
        context.close()
    return [[statistics.median(column) for column in zip(*found, strict=True)] for found in (first, next_)]


def main(words: Sequence[str] = ()) -> None:
    """Write a site, and measure it."""
    options = parser("benchmarks.site", __doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--site", type=Path, help="a site that has been written")
    chosen = options.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        site = chosen.site
        if site is None:
            site = Path(folder, "site")
            print(_sizes(write_site(site, None, lambda _: None)))
        with served(site) as (url, wire), browsing() as browser:
            print("line          visit   board   stone   reply   Python")
            for line in LINES:
                wire.line = line
                medians = measure(browser, url, line.slower, chosen.rounds)
                for name, figures in zip(("first", "next"), medians, strict=True):
                    print(f"{line.name:13} {name:5}", *(f"{figure:7.2f}" for figure in figures), flush=True)


def _sizes(report: SiteReport) -> str:
    megabytes = (size / 1e6 for size in (report.size, report.compressed, report.python))
    return "{} files, {:.1f} MB, {:.2f} MB compressed, {:.2f} MB of it Python".format(
        report.files, *megabytes
    )


if __name__ == "__main__":
    main(sys.argv[1:])
