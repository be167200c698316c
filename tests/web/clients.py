"""Clients for tests: a game made over HTTP, and somebody connected to it through a WebSocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import websockets

from tests.web.serving import Server

Json = dict[str, Any]

PATIENCE = 60.0


class Player:
    """Somebody connected to a game.

    Attributes:
        state: the newest state heard of.
        you: the participants it may act for.
        heard: all messages, in order.
    """

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self.state: Json = {}
        self.you: list[int] = []
        self.made = False
        self.heard: list[Json] = []

    async def hello(self, *tokens: str) -> None:
        """Say who it is, and hear how the game stands."""
        await self.tell({"type": "hello", "tokens": list(tokens)})
        await self.until(lambda message: message["type"] == "state")

    async def tell(self, message: Json) -> None:
        """Send a message as it is."""
        await self._socket.send(json.dumps(message))

    async def hear(self) -> Json:
        """The next message."""
        message: Json = json.loads(await asyncio.wait_for(self._socket.recv(), PATIENCE))
        self.heard.append(message)
        if message["type"] == "state":
            if message["state"]["version"] >= self.state.get("version", 0):
                self.state = message["state"]
            self.you = message.get("you", self.you)
            self.made = message.get("made", self.made)
        return message

    async def until(self, wanted: Callable[[Json], bool]) -> Json:
        """The next message that is wanted."""
        while not wanted(message := await self.hear()):
            pass
        return message

    async def until_state(self, wanted: Callable[[Json], bool]) -> Json:
        """The state, once it is as wanted."""
        while not wanted(self.state):
            await self.hear()
        return self.state

    async def ask(self, kind: str, **fields: Any) -> Json:
        """Send a message, made for the state as it is known, and hear what becomes of it."""
        self._number += 1
        message: Json = {"type": kind, "id": self._number}
        if kind in ("move", "choose"):
            message["ply"] = self.state["ply"]
        elif kind not in ("hint", "hurry", "hand_over", "pace", "step", "ping"):
            message["version"] = self.state["version"]
        await self.tell(message | fields)
        number = self._number
        return await self.until(
            lambda m: m.get("id") == number and m["type"] in ("done", "refused", "pong")
        )

    async def play(self, *points: str) -> None:
        """Play points, one after the other; none may be refused."""
        for point in points:
            answer = await self.ask("move", point=point)
            assert answer["type"] == "done", answer


class House:
    """A server as a browser sees it.

    Args:
        server: the server.
        http: the browser, with its cookies.
    """

    def __init__(self, server: Server, http: httpx.AsyncClient) -> None:
        self.server = server
        self.http = http

    async def create(self, **wanted: Any) -> Json:
        """Begin a game, which may not be refused."""
        answer = await self.http.post("/api/games", json=wanted)
        assert answer.status_code == 201, answer.text
        made: Json = answer.json()
        return made

    @asynccontextmanager
    async def sit(self, game: str, *tokens: str | None, cookie: bool = False) -> AsyncIterator[Player]:
        """Be connected to a game, with these tokens or by the browser's cookie."""
        headers = {}
        if cookie:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        url = f"{self.server.ws}/api/games/{game}/live"
        async with websockets.connect(url, additional_headers=headers) as socket:
            player = Player(socket)
            await player.hello(*(token for token in tokens if token))
            yield player


def new_cookie(url: str) -> str:
    """A cookie that the server at an address gives to a visitor, as ``NAME=VALUE``."""
    answer = httpx.get(f"{url}/", timeout=PATIENCE)
    return answer.headers["set-cookie"].partition(";")[0]


@asynccontextmanager
async def visit(server: Server) -> AsyncIterator[House]:
    """A browser that nobody has seen before."""
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
        yield House(server, http)
