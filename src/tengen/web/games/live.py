"""The WebSocket API of games: events are sent at once, and a client's messages are processed in order.

Every client has its own queue. A client that reads too slowly is disconnected and reconnects to fetch the
whole state, so that it does not delay the others.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tengen.web.computing.board_json import Json
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
from tengen.web.games.senders import charge, sender
from tengen.web.transport.channel import packed
from tengen.web.transport.http_errors import error_body
from tengen.web.transport.logs import room_mark
from tengen.web.transport.request_bodies import read, read_object
from tengen.web.transport.services import service_of
from tengen.web.transport.visitors import visitor_of
from tengen.words import Message, TengenError

router = APIRouter()

_QUEUE = 64
"""The most messages in a client's queue."""

_RATE, _BURST = 20.0, 100.0
"""The rate of a client's messages per second that are processed without delay, and the size of a burst."""

_HELLO = 15.0
"""Seconds within which a client must send its hello message."""

_REMEMBERED = 32
"""The number of a client's recent moves that are remembered, to recognise repeated messages."""

_MOST_TOKENS = 16
_TOO_SLOW, _NO_GAME, _NO_HELLO = 4008, 4004, 4000

_log = logging.getLogger("tengen.web")


class Connection:
    """One client of one game.

    Args:
        socket: the client's WebSocket, already accepted.
        rooms: the games of this process.
        game: the game's id.
        sender: the client's identity.

    Attributes:
        sender: the client's identity.
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
        """Queue a message for the client; return at once."""
        try:
            self._queue.put_nowait(text)
        except asyncio.QueueFull:
            self._slow = True

    async def write(self, first: list[Json]) -> None:
        """Send the first messages, then the queued ones, until the client disconnects or is too slow."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            for message in first:
                await self._socket.send_text(packed(message))
            while not self._slow:
                await self._socket.send_text(await self._queue.get())
            await self._socket.close(_TOO_SLOW)

    async def read(self) -> None:
        """Process the client's messages one by one, until it disconnects."""
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
            charge(self._socket, data.get("type"))
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
        """Start the search for a hint in the background; it replaces an earlier one."""
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
        """Hurry the search for a hint, even before it starts; return False if there is none."""
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


@router.websocket("/api/games/{game}/live")
async def live(socket: WebSocket, game: str) -> None:
    """Serve one client of one game, from its hello message until it disconnects."""
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
    connection = Connection(socket, service_of(socket, Rooms), game, who)
    await _serve(connection, socket, service_of(socket, Rooms), game)


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
        pass  # the client has disconnected, or was too slow
    finally:
        writer.cancel()
        await room.detach(connection)


async def _received(socket: WebSocket) -> str:
    """Return the next message's text; empty for a binary message.

    Raises:
        WebSocketDisconnect: the client has disconnected.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | None = message.get("text")
    return text if text is not None else ""


def _id(number: object) -> object:
    """Return a message's id if it has a valid type; None otherwise."""
    return number if isinstance(number, (str, int)) else None


async def _close(socket: WebSocket, code: int, error: TengenError | None) -> None:
    with suppress(RuntimeError, OSError, WebSocketDisconnect):
        if error is not None:
            await socket.send_text(json.dumps({"type": "refused", "id": None, **error_body(error)}))
        await socket.close(code)
