"""The server and the application of a page answer a recorded conversation by the same messages."""

from __future__ import annotations

import asyncio
import json
import re
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest
import websockets

from tests.web.clients import PATIENCE
from tests.web.serving import Server, serve
from tests.web.site.page import Page, Socket, opened_page

Json = dict[str, Any]

TIMES = {"created", "updated", "now", "left", "seconds", "nps", "used", "date"}
"""Fields that say when something was, or how long it took."""

SECRET = re.compile(r"(?<![\w-])[\w-]{22}(?![\w-])|(?<=tengen-)[\w-]{6}(?=\.)")
"""An id of a game, or a token of a seat; or the beginning of an id in the name of a file."""

USED = re.compile(r"(?<=TGT\[)[\d.e-]+")
"""The seconds of a move, in SGF."""

LIVE = {"rules": "freestyle", "size": 25, "black": "human", "white": "shapes", "take_backs": 2}
"""A game on a board that is too large for the engine: hints come from a textbook player."""


class Wire(Protocol):
    """A socket of a game, of a server or a page."""

    @abstractmethod
    async def tell(self, message: Json) -> None: ...

    @abstractmethod
    async def hear(self) -> Json: ...


class Here(Protocol):
    """The application, in a server or a page."""

    @abstractmethod
    async def request(
        self, method: str, path: str, headers: dict[str, str], content: bytes
    ) -> tuple[int, Json, bytes]: ...

    @abstractmethod
    async def open(self, path: str) -> Wire: ...


class ServerWire:
    """A socket of a server."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self._socket = socket

    async def tell(self, message: Json) -> None:
        await self._socket.send(json.dumps(message))

    async def hear(self) -> Json:
        heard: Json = json.loads(await asyncio.wait_for(self._socket.recv(), PATIENCE))
        return heard


class OnServer:
    """A real server, as one browser has it."""

    def __init__(self, server: Server, client: httpx.AsyncClient) -> None:
        self._server = server
        self._client = client

    async def request(
        self, method: str, path: str, headers: dict[str, str], content: bytes
    ) -> tuple[int, Json, bytes]:
        answer = await self._client.request(method, path, headers=headers, content=content)
        return answer.status_code, dict(answer.headers), answer.content

    async def open(self, path: str) -> ServerWire:
        cookie = "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())
        connection = websockets.connect(self._server.ws + path, additional_headers={"Cookie": cookie})
        return ServerWire(await connection)


class PageWire:
    """A socket of a page."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket

    async def tell(self, message: Json) -> None:
        self._socket.send(message)

    async def hear(self) -> Json:
        heard: Json = await self._socket.hear()
        return heard


class InPage:
    """The application of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def request(
        self, method: str, path: str, headers: dict[str, str], content: bytes
    ) -> tuple[int, Json, bytes]:
        heard = await self._page.request(method, path, headers, content)
        return heard["status"], heard["headers"], heard["body"]

    async def open(self, path: str) -> PageWire:
        return PageWire(await self._page.connect(path))


class Conversation:
    """A conversation with the application, and the record of it.

    Attributes:
        record: requests and messages with what was answered, in order.
        changes: the changes of a game that were told unasked, in order.
    """

    def __init__(self, here: Here) -> None:
        self.record: list[Any] = []
        self.changes: list[Any] = []
        self._here = here
        self._wire: Wire
        self._names: dict[str, str] = {}
        self._number = 0

    async def ask(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> Any:
        """Send a request, and return what is in the answer."""
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if not isinstance(body, bytes):
            headers["Content-Type"] = "application/json"
            body = b"" if body is None else json.dumps(body).encode()
        else:
            headers["Content-Type"] = headers.pop("kind")
        status, given, content = await self._here.request(method, path, headers, body)
        kinds = {name: given.get(name) for name in ("content-type", "content-disposition")}
        is_json = content and "json" in (kinds["content-type"] or "")
        found = json.loads(content) if is_json else content
        self._keep(method, path, status, kinds, found)
        return found

    async def sit(self, game: str, *tokens: str) -> None:
        """Open the socket of a game."""
        self._wire = await self._here.open(f"/api/games/{game}/live")
        await self._wire.tell({"type": "hello", "tokens": tokens})
        self._keep(await self.until(lambda message: message["type"] == "state"))

    async def until(self, wanted: Callable[[Json], bool]) -> Json:
        """Return the next message that is wanted."""
        while True:
            message = await self._wire.hear()
            if message["type"] == "change":
                self.changes.append(self._plain(message))
            if wanted(message):
                return message

    async def tell(self, kind: str, **fields: Any) -> Json:
        """Send a message, and return the message that answers it."""
        self._number += 1
        number = self._number
        await self._wire.tell({"type": kind, "id": number, **fields})
        answer = await self.until(lambda message: message.get("id") == number)
        self._keep(kind, fields, answer)
        return answer

    async def reach(self, **wanted: Any) -> Json:
        """Ask how the game stands until some fields are as wanted, and return that state."""
        while True:
            await self._wire.tell({"type": "state", "id": "reach"})
            state: Json = (await self.until(lambda message: message.get("id") == "reach"))["state"]
            if wanted.items() <= state.items():
                self._keep(state)
                return state
            await asyncio.sleep(0.02)

    def _keep(self, *values: Any) -> None:
        self.record.append([self._plain(value) for value in values])

    def _plain(self, value: Any) -> Any:
        """Return a value with ids, tokens and times replaced."""
        if isinstance(value, dict):
            return {
                key: type(inner).__name__ if key in TIMES and inner is not None else self._plain(inner)
                for key, inner in value.items()
            }
        if isinstance(value, list):
            return [self._plain(inner) for inner in value]
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if isinstance(value, str):
            return SECRET.sub(self._name, USED.sub("", value))
        return value

    def _name(self, found: re.Match[str]) -> str:
        return self._names.setdefault(found[0], f"<{len(self._names)}>")


Script = Callable[[Conversation], Coroutine[Any, Any, None]]


def both(script: Script, folder: Path) -> tuple[Conversation, Conversation]:
    """Hold a conversation with a server and with a page."""

    async def main() -> tuple[Conversation, Conversation]:
        with serve() as server:
            async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
                await client.get("/")  # the cookie of a visitor
                with_server = Conversation(OnServer(server, client))
                await script(with_server)
        async with opened_page(folder) as page:
            in_page = Conversation(InPage(page))
            await script(in_page)
        return with_server, in_page

    return asyncio.run(main())


async def game(us: Conversation) -> None:
    """A game, with all that becomes of it, and what is refused in it."""
    made = await us.ask("POST", "/api/games", LIVE)
    path, token = f"/api/games/{made['id']}", made["seats"]["black"]
    await us.ask("GET", path)
    await us.sit(made["id"], token)
    await us.tell("move", point="m13", ply=0)
    await us.reach(ply=2, thinking=False)
    await us.tell("move", point="m13", ply=2)
    await us.tell("move", point="z99", ply=2)
    await us.tell("move", ply=2)
    await us.tell("nothing")
    await us.tell("move", point="a1", ply=0)
    await us.tell("resign", version=1)
    await us.tell("hint")
    # In the answer to a move there may be the computer's reply, or not yet: another person plays.
    await us.tell("hand_over", participant=2, occupant="human")
    await us.ask("POST", f"{path}/moves", {"point": "a1", "ply": 2}, "of nobody")
    await us.ask("POST", f"{path}/moves", {"point": "a1", "ply": 2}, token)
    await us.tell("hand_over", participant=2, occupant="shapes")
    state = await us.reach(ply=4, thinking=False)
    await us.tell("take_back", version=state["version"])
    await us.reach(ply=2, thinking=False)
    await us.ask("POST", f"{path}/actions", {"type": "hint"}, token)
    await us.ask("GET", f"{path}/record?format=sgf")
    await us.ask("GET", f"{path}/record?format=tengen")
    await us.ask("GET", f"{path}/record?format=nothing")
    await us.tell("hand_over", participant=2, occupant="random,seed=1")
    state = await us.reach(ply=2, thinking=False)
    await us.tell("resign", version=state["version"])
    await us.reach(ply=2, actor=None)
    await us.tell("move", point="b1", ply=2)
    await us.tell("again")
    await us.ask("GET", "/api/games")
    await us.ask("GET", "/api/games?status=over")
    await us.ask("DELETE", path)
    await us.ask("GET", "/api/games")


async def refusals(us: Conversation) -> None:
    """Games that are not begun, and a socket of a game that is not there."""
    await us.ask("POST", "/api/games", {**LIVE, "rules": "checkers"})
    await us.ask("POST", "/api/games", {**LIVE, "white": "shapes,nothing=1"})
    await us.ask("POST", "/api/games", {**LIVE, "white": "external,command=ls"})
    await us.ask("POST", "/api/games", {**LIVE, "size": "x"})
    await us.ask("POST", "/api/games", [1])
    await us.ask("GET", "/api/games/" + 22 * "x")
    await us.ask("GET", "/api/games/nothing")
    await us.ask("PUT", "/api/catalogue")


async def study(us: Conversation) -> None:
    """Questions about positions, players and puzzles, and files in and out."""
    await us.ask("GET", "/api/catalogue")
    await us.ask("GET", "/api/catalogue?rules=tictactoe")
    await us.ask("GET", "/api/catalogue?rules=nothing")
    three_three = {"rules": "renju", "moves": "h8a1h9a3g10a5f10a7"}
    await us.ask("POST", "/api/position", three_three)
    await us.ask("POST", "/api/position", {"rules": "renju", "moves": "h8h8"})
    await us.ask("POST", "/api/explain", {"rules": "freestyle", "moves": "h8i9", "player": "shapes"})
    await us.ask("POST", "/api/explain", {"moves": "h8i9", "player": "minimax,depth=2,width=5"})
    await us.ask("POST", "/api/explain", {"moves": "h8i9", "player": "nobody"})
    listed = await us.ask("GET", "/api/puzzles")
    await us.ask("GET", f"/api/puzzles/{listed['puzzles'][0]['name']}")
    await us.ask("GET", "/api/puzzles/nothing")
    sgf = "(;FF[4]GM[4]SZ[15]PB[Ann];B[hh];W[ii](;B[gg])(;B[jj]C[or this]))"
    imported = await us.ask("POST", "/api/import", {"text": sgf})
    await us.ask("POST", "/api/import", {"text": "this is no game"})
    form = (
        b'--line\r\nContent-Disposition: form-data; name="file"; filename="a.sgf"\r\n'
        b"Content-Type: application/octet-stream\r\n\r\n" + sgf.encode() + b"\r\n--line--\r\n"
    )
    await us.ask("POST", "/api/import", form, kind="multipart/form-data; boundary=line")
    for extension in ("sgf", "psq", "lib", "txt", "nothing"):
        export = {"record": imported["records"][0], "format": extension}
        await us.ask("POST", "/api/export", export)
    await us.ask("POST", "/api/picture", {"moves": "h8i9", "format": "svg", "numbers": True})
    await us.ask("POST", "/api/animation", {"moves": "h8i9", "theme": "dark"})
    await us.ask("POST", "/api/picture", {"moves": "h8i9", "format": "bmp"})


def test_a_game(tmp_path: Path) -> None:
    with_server, in_page = both(game, tmp_path)
    assert in_page.record == with_server.record
    assert in_page.changes == with_server.changes
    said = json.dumps(with_server.record)
    for word in ('"refused"', '"done"', "<0>", "error.web.late", '"hint"', "TGT[]"):
        assert word in said
    assert len(with_server.changes) >= 9


def test_refusals(tmp_path: Path) -> None:
    with_server, in_page = both(refusals, tmp_path)
    assert in_page.record == with_server.record
    assert all(status >= 400 for _, _, status, *_ in with_server.record)


@pytest.mark.long
def test_study(tmp_path: Path) -> None:
    with_server, in_page = both(study, tmp_path)
    assert in_page.record == with_server.record
    assert {status for _, _, status, *_ in with_server.record} == {200, 404, 422}
