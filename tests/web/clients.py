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
            self.made = message.get("made", self.made)
        elif message["type"] == "change" and message["state"]["version"] > self.state["version"]:
            assert message["since"] == self.state["version"], "a change was missed"
            self.state = changed(self.state, message)
        elif message["type"] == "presence":
            self.state = present(self.state, message)
        self.you = message.get("you", self.you)
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


def changed(state: Json, change: Json) -> Json:
    """A state after a change: the stones follow from those set up and the moves."""
    state = state | change["state"]
    if "moves" not in change:
        return state
    state["moves"] = state["moves"][: change["moves"]["keep"]] + change["moves"]["add"]
    first = "black" if state["setup"] is None else state["setup"]["turn"]
    colours = ["black", "white"] if first == "black" else ["white", "black"]
    played = [[point, colours[number % 2]] for number, point in enumerate(state["moves"]) if point != "--"]
    return state | {"stones": state["stones"][: state["numbered_from"]] + played}


def present(state: Json, presence: Json) -> Json:
    """A state with other people present."""
    seats = [
        seat | {"connected": seat["participant"] in presence["connected"]}
        for seat in state.get("seats", ())
    ]
    return state | {"watchers": presence["watchers"], "seats": seats}


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
