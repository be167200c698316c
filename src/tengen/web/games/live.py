"""A game through a WebSocket: what happens is told at once, and what a client asks is done in turn.

Every client has a queue of its own. One that takes its messages too slowly is disconnected and comes back
for the whole state, so that nobody else waits for it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tengen.web.games.client_messages import (
    AgainMessage,
    ChooseMessage,
    ClientMessage,
    HelloMessage,
    MoveMessage,
    QueryMessage,
    SayMessage,
    Sender,
    read_client_message,
)
from tengen.web.games.move_search import MoveSearch
from tengen.web.games.room_state import hashed
from tengen.web.games.rooms import Rooms
from tengen.web.games.senders import sender
from tengen.web.games.subscribers import packed
from tengen.web.server.board_json import Json
from tengen.web.server.http_errors import error_body
from tengen.web.server.logs import room_mark
from tengen.web.server.request_bodies import read, read_object
from tengen.web.server.request_costs import GAME_LIVE, charge_message
from tengen.web.server.services import services_of
from tengen.web.server.visitors import visitor_of
from tengen.words import Message, TengenError

router = APIRouter()

_QUEUE = 64
"""Messages that may wait for a client."""

_RATE, _BURST = 20.0, 100.0
"""Messages a second that are obeyed at once, and how many of them may come together."""

_HELLO = 15.0
"""Seconds that a client has to say who it is."""

_REMEMBERED = 32
"""Moves of a client that are known again when they come twice."""

_MOST_TOKENS = 16
_TOO_SLOW, _NO_GAME, _NO_HELLO = 4008, 4004, 4000

_log = logging.getLogger("tengen.web")


class Connection:
    """One client of one game.

    Args:
        socket: its WebSocket, accepted.
        rooms: the games of this process.
        game: its id.
        sender: who it is.

    Attributes:
        you: the participants it may act for.
    """

    __slots__ = (
        "_done",
        "_game",
        "_hint",
        "_hint_hurried",
        "_hint_search",
        "_queue",
        "_rooms",
        "_slow",
        "_socket",
        "sender",
        "you",
    )

    def __init__(self, socket: WebSocket, rooms: Rooms, game: str, sender: Sender) -> None:
        self.sender = sender
        self.you: frozenset[int] = frozenset()
        self._socket = socket
        self._rooms = rooms
        self._game = game
        self._queue: asyncio.Queue[str] = asyncio.Queue(_QUEUE)
        self._slow = False
        self._done: OrderedDict[ClientMessage, None] = OrderedDict()
        self._hint: asyncio.Task[None] | None = None
        self._hint_search: MoveSearch | None = None
        self._hint_hurried = False

    def send(self, text: str) -> None:
        """Give the client a message; returns at once."""
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self._slow = True

    async def write(self, first: list[Json]) -> None:
        """Send what a client is told first, then what is in the queue, as long as the client takes it."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            for message in first:
                await self._socket.send_text(packed(message))
            while not self._slow:
                await self._socket.send_text(await self._queue.get())
            await self._socket.close(_TOO_SLOW)

    async def read(self) -> None:
        """Do what the client asks, one thing after the other."""
        try:
            left, since = _BURST, time.monotonic()
            while True:
                text = await _received(self._socket)
                now = time.monotonic()
                left, since = min(_BURST, left + (now - since) * _RATE) - 1, now
                if left < 0:
                    await asyncio.sleep(1 / _RATE)
                await self._obey(text)
        finally:
            if self._hint is not None:
                self._hint.cancel()

    async def _obey(self, text: str) -> None:
        number: object = None
        try:
            data = read_object(text)
            number = data.get("id")
            charge_message(self._socket, GAME_LIVE, data.get("type"))
            message = read_client_message(data)
            if isinstance(message, QueryMessage) and message.type == "hint":
                self._ask_hint(message)
                return
            answer = await self._answer(message)
        except TengenError as error:
            self._refuse(number, error)
        except Exception:
            _log.exception("message_failed", extra={"room": room_mark(self._game)})
            self._say({"type": "refused", "id": _id(number), **error_body(Message("error.web.bug"))})
        else:
            self._say({"type": "done", "id": message.id, **answer})

    async def _answer(self, message: ClientMessage) -> Json:
        with self._rooms.room(self._game) as room:
            if isinstance(message, QueryMessage):
                if message.type == "hurry":
                    if not self._hurry_hint():
                        await room.hurry(self.sender)
                    return {}
                return {"type": "pong", "now": time.time()}
            if isinstance(message, AgainMessage):
                made = await self._rooms.again(self._game, self.sender, swap=message.swap)
                if made is None:
                    return {"game": None}
                answer = made.to_dict()
                return {"game": answer["id"], "seats": answer["seats"]}
            if isinstance(message, SayMessage):
                await room.say(message.phrase, self.sender)
                return {}
            if message in self._done:
                return {"version": room.version}
            version = await room.apply(message, self.sender)
        if isinstance(message, MoveMessage | ChooseMessage) and message.id is not None:
            self._done[message] = None
            if len(self._done) > _REMEMBERED:
                self._done.popitem(last=False)
        return {"version": version}

    def _ask_hint(self, message: QueryMessage) -> None:
        """Have a hint looked for beside what else the client asks; it takes the place of the last one."""
        if self._hint is not None:
            self._hint.cancel()
        self._hint_search, self._hint_hurried = None, False
        self._hint = self._rooms.spawn(self._give_hint(message))

    async def _give_hint(self, message: QueryMessage) -> None:
        try:
            with self._rooms.room(self._game) as room:
                hint = await room.hint(self.sender, self._hold)
        except TengenError as error:
            self._refuse(message.id, error)
        else:
            self._say({"type": "done", "id": message.id, **hint})

    def _hold(self, search: MoveSearch) -> None:
        self._hint_search = search
        if self._hint_hurried:
            search.hurry()

    def _hurry_hint(self) -> bool:
        """Have the hint that is looked for given at once, or as soon as it is; false if there is none."""
        if self._hint is None or self._hint.done():
            return False
        self._hint_hurried = True
        if self._hint_search is not None:
            self._hint_search.hurry()
        return True

    def _refuse(self, number: object, error: TengenError) -> None:
        self._say({"type": "refused", "id": _id(number), **error_body(error)})

    def _say(self, message: Json) -> None:
        self.send(packed(message))


@router.websocket(GAME_LIVE)
async def live(socket: WebSocket, game: str) -> None:
    """One client of one game, from its hello to its end."""
    await socket.accept()
    try:
        hello = read(HelloMessage, await asyncio.wait_for(_received(socket), _HELLO))
        hashes = tuple(hashed(token) for token in hello.tokens[:_MOST_TOKENS])
        who = sender(socket, visitor_of(socket), hashes)
    except (TengenError, TimeoutError) as error:
        await _close(socket, _NO_HELLO, error if isinstance(error, TengenError) else None)
        return
    except WebSocketDisconnect:
        return
    connection = Connection(socket, services_of(socket).rooms, game, who)
    await _serve(connection, socket, services_of(socket).rooms, game)


async def _serve(connection: Connection, socket: WebSocket, rooms: Rooms, game: str) -> None:
    with rooms.room(game) as room:
        try:
            first = await room.attach(connection)
        except TengenError as error:
            await room.detach(connection)
            await _close(socket, _NO_GAME, error)
            return
    writer = asyncio.create_task(connection.write(first))
    try:
        await connection.read()
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client has gone, or was too slow
    finally:
        writer.cancel()
        await room.detach(connection)


async def _received(socket: WebSocket) -> str:
    """The next message.

    Raises:
        WebSocketDisconnect: the client has gone.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | None = message.get("text")
    return text if text is not None else ""


def _id(number: object) -> object:
    """The number that a client has given its message, if it is one that it may have."""
    return number if isinstance(number, (str, int)) else None


async def _close(socket: WebSocket, code: int, error: TengenError | None) -> None:
    with suppress(RuntimeError, OSError, WebSocketDisconnect):
        if error is not None:
            await socket.send_text(json.dumps({"type": "refused", "id": None, **error_body(error)}))
        await socket.close(code)
