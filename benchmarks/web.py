"""The web app under load, and how soon its page can be played on.

``python -m benchmarks.web`` starts a server process of its own on this machine and plays by its public
interface. The page needs Playwright and a Chromium; without them a
line says so, and the rest is measured.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.command_line import parser

WIDTH = 15
RULES = "freestyle"
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")

DELAY = 100
"""Milliseconds that each request takes longer over a line such as a phone's."""

PATIENCE = 60.0
"""Seconds within which a move has to be shown, on however slow a machine."""


@dataclass(frozen=True, slots=True)
class Load:
    """How much is asked of the server.

    Attributes:
        games: games at once, with two clients each.
        rate: moves a second in all.
        seconds: for how long.
    """

    games: int = 500
    rate: float = 100.0
    seconds: float = 30.0


@dataclass(slots=True)
class Table:
    """A game with its two clients.

    Attributes:
        id: the room.
        tokens: the seats', Black's first.
        sockets: the clients, likewise.
        seen: the moves that each client has been shown.
        sent: when each move was sent, in seconds.
        shown: when each client was shown each move.
    """

    id: str
    tokens: list[str]
    sockets: list[ClientConnection] = field(default_factory=list)
    seen: list[list[str]] = field(default_factory=lambda: [[], []])
    sent: list[float] = field(default_factory=list)
    shown: list[list[float]] = field(default_factory=lambda: [[], []])

    def listen(self, client: int, text: str) -> None:
        """Take in what the server tells a client."""
        message = json.loads(text)
        if message["type"] == "refused":
            raise RuntimeError(message["text"])
        if message["type"] == "state":
            self.seen[client] = message["state"]["moves"]
        elif message["type"] == "change" and "moves" in message:
            change = message["moves"]
            self.seen[client] = [*self.seen[client][: change["keep"]], *change["add"]]
        else:
            return
        while len(self.shown[client]) < len(self.seen[client]):
            self.shown[client].append(time.perf_counter())

    async def play(self) -> None:
        """Let whoever is to move play the next point, once it has been shown the one before.

        Raises:
            RuntimeError: it has not been shown that in time.
        """
        ply = len(self.sent)
        deadline = time.monotonic() + PATIENCE
        while len(self.seen[ply % 2]) < ply:
            if time.monotonic() > deadline:
                raise RuntimeError(f"a move was not shown within {PATIENCE:.0f} s")
            await asyncio.sleep(0.005)
        self.sent.append(time.perf_counter())
        move = {"id": str(ply), "type": "move", "point": point(ply), "ply": ply}
        await self.sockets[ply % 2].send(json.dumps(move))

    def delays(self) -> list[float]:
        """Seconds from a move sent to both clients shown."""
        both = zip(self.sent, *self.shown, strict=True)
        return [max(first, second) - sent for sent, first, second in both]


def point(ply: int) -> str:
    """A point for every ply, so spread that no row of five comes about."""
    place = ply * 67 % (WIDTH * WIDTH)
    return f"{chr(ord('a') + place % WIDTH)}{place // WIDTH + 1}"


@contextmanager
def server(*options: str) -> Iterator[tuple[str, int]]:
    """A server in a process of its own, with these options: its address, and the number of the process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "tengen", "serve", "--no-browser"]
        process = subprocess.Popen(
            [*command, "--port", str(port), "--data", data, *options], stdout=subprocess.DEVNULL, cwd=data
        )
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for_engine(address)
            yield address, process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def wait_for_engine(address: str, patience: float = 120.0) -> None:
    """Until the server has started and compiled the engine."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            if get(f"{address}/healthz")["engine"] == "ready":
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise RuntimeError(address)


def get(address: str, body: Any = None) -> Any:
    """What the server answers to GET, or to POST with a body."""
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return json.load(answer)


def resident(pid: int) -> int:
    """Bytes of memory that a process has in use."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def sit_down(address: str, table: Table) -> None:
    """Connect both clients of a game."""
    for token in table.tokens:
        await connect_client(address, table, token)


async def connect_client(address: str, table: Table, token: str) -> None:
    """Connect one client of a game, who has a token."""
    socket = await connect(f"{address.replace('http', 'ws', 1)}/api/games/{table.id}/live", max_queue=64)
    await socket.send(json.dumps({"type": "hello", "tokens": [token]}))
    table.sockets.append(socket)


async def hear(table: Table, client: int) -> None:
    async for text in table.sockets[client]:
        table.listen(client, str(text))


async def under_load(address: str, pid: int, load: Load) -> None:
    asked = {"rules": RULES, "black": "human", "white": "human"}
    made = [await asyncio.to_thread(get, f"{address}/api/games", asked) for _ in range(load.games)]
    tables = [Table(game["id"], [game["seats"]["black"], game["seats"]["white"]]) for game in made]
    before = resident(pid)
    for table in tables:
        await sit_down(address, table)
    ears = [asyncio.create_task(hear(table, client)) for table in tables for client in (0, 1)]
    moves = round(load.rate * load.seconds)
    start = time.perf_counter()
    for number in range(moves):
        await asyncio.sleep(max(0.0, start + number / load.rate - time.perf_counter()))
        await tables[number % load.games].play()
        for ear in ears[: 2 * load.games]:
            if ear.done():
                ear.result()
    await asyncio.sleep(3)
    whole = time.perf_counter() - start - 3
    wrong = 0
    for table in tables:
        expected = [point(ply) for ply in range(len(table.sent))]
        kept = (await asyncio.to_thread(get, f"{address}/api/games/{table.id}"))["moves"]
        wrong += any(moves != expected for moves in (*table.seen, kept))
    if wrong:
        print(f"  games with moves lost or doubled: {wrong}")
        return
    delays = sorted(delay for table in tables for delay in table.delays())
    at = {part: delays[int(part * (len(delays) - 1))] * 1000 for part in (0.5, 0.95, 0.99)}
    print(
        f"  {load.games} games, {2 * load.games} clients, {moves / whole:.0f} moves a second, {moves} moves"
    )
    print("  games with moves lost or doubled                          0")
    print(
        f"  from a move to both clients, ms: median {at[0.5]:.1f}, p95 {at[0.95]:.1f}, p99 {at[0.99]:.1f}"
        "   goal: p95 below 100"
    )
    used = (resident(pid) - before) / load.games / 1000
    print(f"  server's memory a game with both sockets, kB              {used:.0f}")
    for table in tables:
        for one in table.sockets:
            await one.close()
    await asyncio.gather(*ears, return_exceptions=True)


def memory_of_games(address: str, pid: int, games: int, plies: int = 40) -> None:
    """What an idle game costs that nobody is connected to."""
    before = resident(pid)
    for _ in range(games):
        moves = [point(ply) for ply in range(plies)]
        get(f"{address}/api/games", {"rules": RULES, "black": "human", "white": "human", "moves": moves})
    used = (resident(pid) - before) / games / 1000
    print(f"  server's memory a game of {plies} moves without sockets, kB    {used:.0f}   goal: 50")


def page(address: str) -> None:
    """Until the board of the start page can be played on, in a browser."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("  no Chromium here: the page is not measured")
        return
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("  Playwright is not installed (pip install playwright): the page is not measured")
        return
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        opened = [_opened(chromium, address) for _ in range(7)]
        far = [_opened(chromium, address, delay=DELAY) for _ in range(3)]
        chromium.close()
    for trouble in {trouble for view in (*opened, *far) for trouble in view.troubles}:
        print(f"  console or request: {trouble}")
    times = statistics.median(view.seconds for view in opened)
    again = statistics.median(view.seconds_again for view in opened)
    size = opened[0].size / 1000
    print(f"  start page can be played on, s: median                    {times:.2f}   goal: 0.5")
    print(f"  when it is opened again                                   {again:.2f}")
    for name, title in (("seconds", "first"), ("seconds_again", "again")):
        seconds = statistics.median(getattr(view, name) for view in far)
        print(f"  {title}, over a line with {DELAY} ms of delay                 {seconds:.2f}")
    print(f"  requests                                                  {opened[0].asked}")
    print(f"  requests when it is opened again                          {opened[0].asked_again}")
    print(f"  first load, kB as sent                                    {size:.0f}   goal: 300")
    for name, goal in (("javascript", "   goal: 80"), ("written", "")):
        print(f"  {_SIZES[name]:57} {getattr(opened[0], name) / 1000:.0f}{goal}")


@dataclass(frozen=True, slots=True)
class Opened:
    """The start page as a new browser has loaded it.

    Attributes:
        seconds: until the board could be played on.
        seconds_again: the same when the same browser opens it once more.
        asked: how much was asked for over the line; requests, up to then and beside it.
        asked_again: likewise when it is opened once more.
        size: bytes sent.
        javascript: bytes of them that are Tengen's own modules, those of the game included that are loaded
            beside the board.
        written: bytes of these modules before they were compressed.
        troubles: errors on the console, and requests that failed.
    """

    seconds: float
    seconds_again: float
    asked: int
    asked_again: int
    size: int
    javascript: int
    written: int
    troubles: list[str]


def _opened(chromium: Any, address: str, delay: int = 0) -> Opened:
    """Open the start page in a new browser, and open it again.

    Args:
        chromium: Playwright's browser.
        address: of the server.
        delay: milliseconds that each request takes longer.
    """
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    said: list[Any] = []
    failed: list[Any] = []

    def loaded() -> tuple[float, list[Any]]:
        view = context.new_page()
        # Not the methods themselves: Playwright marks its handlers, which a built-in one does not allow.
        view.on("console", lambda message: said.append(message))  # noqa: PLW0108
        view.on("requestfailed", lambda request: failed.append(request))  # noqa: PLW0108
        line = {"offline": False, "latency": delay, "downloadThroughput": -1, "uploadThroughput": -1}
        context.new_cdp_session(view).send("Network.emulateNetworkConditions", line)
        start = time.perf_counter()
        view.goto(address)
        view.wait_for_selector(".tengen-board[role=application] svg")
        seconds = time.perf_counter() - start
        view.wait_for_load_state("networkidle")
        return seconds, view.evaluate(_ENTRIES)

    seconds, entries = loaded()
    seconds_again, entries_again = loaded()
    troubles = [message.text for message in said if message.type == "error"]
    troubles += [request.url for request in failed]
    context.close()
    modules = [
        entry
        for entry in entries
        if entry["name"].partition("?")[0].endswith(".js") and "/vendor/" not in entry["name"]
    ]
    return Opened(
        seconds,
        seconds_again,
        sum(entry["transferSize"] > 0 for entry in entries),
        sum(entry["transferSize"] > 0 for entry in entries_again),
        sum(entry["encodedBodySize"] for entry in entries),
        sum(entry["encodedBodySize"] for entry in modules),
        sum(entry["decodedBodySize"] for entry in modules),
        troubles,
    )


_SIZES = {
    "javascript": "own JavaScript of the start page, kB as sent",
    "written": "the same as written, with its comments",
}

_ENTRIES = """[...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
    .map((entry) => entry.toJSON())"""


def main(load: Load | None = None) -> None:
    load = load or Load()
    with server() as (address, pid):
        page(address)
        memory_of_games(address, pid, load.games)
        asyncio.run(under_load(address, pid, load))


if __name__ == "__main__":
    options = parser("benchmarks.web", __doc__)
    options.add_argument("--quick", action="store_true", help="a tenth of the games")
    main(Load(games=50, rate=10.0) if options.parse_args().quick else None)
