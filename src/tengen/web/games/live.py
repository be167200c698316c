"""The WebSocket API of games: events are sent at once, and a client's messages are processed in order.

A client that reads too slowly is disconnected and reconnects to fetch the whole state, so that it does not
delay the others.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from tengen.schemas.base import Schema
from tengen.schemas.game_messages import (
    AnsweredMessage,
    ChangedMessage,
    ChooseMessage,
    HelloMessage,
    HintAnswer,
    MoveMessage,
    QueryMessage,
    RefusedMessage,
)
from tengen.schemas.sentence import ErrorBody
from tengen.web.games.client_messages import ClientMessage, perform, read_client_message
from tengen.web.games.game import hashed
from tengen.web.games.move_search import MoveSearch
from tengen.web.games.rooms import Rooms
from tengen.web.games.senders import charge, sender
from tengen.web.transport.channel import Channel
from tengen.web.transport.logs import room_mark
from tengen.web.transport.request_bodies import read, read_object
from tengen.web.transport.services import service_of
from tengen.web.transport.visitors import visitor_of
from tengen.words import Message, TengenError

router = APIRouter()

_HELLO = 15.0
"""Seconds within which a client must send its hello message."""

_REMEMBERED = 32
"""The number of a client's recent moves that are remembered, to recognise repeated messages."""

_MOST_TOKENS = 16
_NO_GAME, _NO_HELLO = 4004, 4000

_log = logging.getLogger("tengen.web")


class GameClient(Channel):
    """One client of one game.

    Args:
        socket: the client's WebSocket, already accepted.
        game: the game's id.
        hashes: hashes of the seat tokens that it has presented.

    Attributes:
        sender: the client's identity.
        you: the participants it may act for.
    """

    def __init__(self, socket: WebSocket, game: str, hashes: tuple[str, ...]) -> None:
        super().__init__(socket)
        self.sender = sender(socket, visitor_of(socket), hashes)
        self.you: frozenset[int] = frozenset()
        self._rooms = service_of(socket, Rooms)
        self._game = game
        self._done: OrderedDict[ClientMessage, None] = OrderedDict()
        self._hint: asyncio.Task[None] | None = None
        self._hint_search: MoveSearch | None = None
        self._hint_hurried = False

    async def run(self) -> None:
        """Serve the client from its hello message until it disconnects."""
        with self._rooms.room(self._game) as room:
            try:
                first = await room.attach(self)
            except TengenError as error:
                await room.detach(self)
                await self.close(_NO_GAME, _refusal(None, error))
                return
        for message in first:
            self.send(message.to_json())
        try:
            await self.serve(self._on_message)
        finally:
            if self._hint is not None:
                self._hint.cancel()
            await room.detach(self)

    async def _on_message(self, text: str) -> None:
        """Process a message and send its answer."""
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
            self.send(_refusal(number, error))
        except Exception:
            _log.exception("message_failed", extra={"room": room_mark(self._game)})
            self.send(_refusal(number, Message("error.web.bug")))
        else:
            self.send(answer.to_json())

    async def _answer(self, message: ClientMessage) -> Schema:
        if isinstance(message, QueryMessage) and message.type == "hurry" and self._hurry_hint():
            return AnsweredMessage(id=message.id)
        if message in self._done:
            with self._rooms.room(self._game) as room:
                return ChangedMessage(id=message.id, version=room.version)
        answer = await perform(message, self._rooms, self._game, self.sender)
        if isinstance(message, MoveMessage | ChooseMessage) and message.id is not None:
            self._done[message] = None
            if len(self._done) > _REMEMBERED:
                self._done.popitem(last=False)
        return answer

    # Hints

    def _ask_hint(self, message: QueryMessage) -> None:
        """Start the search for a hint in the background; it replaces an earlier one."""
        if self._hint is not None:
            self._hint.cancel()
        self._hint_search, self._hint_hurried = None, False
        self._hint = self._rooms.process.spawn(self._give_hint(message))

    async def _give_hint(self, message: QueryMessage) -> None:
        try:
            with self._rooms.room(self._game) as room:
                hint = await room.hint(self.sender, self._hold)
        except TengenError as error:
            self.send(_refusal(message.id, error))
        else:
            self.send(HintAnswer(id=message.id, **dict(hint)).to_json())

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


def _refusal(number: object, error: TengenError | Message) -> str:
    """Return the message that refuses a client's message; `number` is its id, of any type."""
    valid = number if isinstance(number, (str, int)) else None
    return RefusedMessage(id=valid, **dict(ErrorBody.of(error))).to_json()


@router.websocket("/api/games/{game}/live")
async def live(socket: WebSocket, game: str) -> None:
    """Serve one client of one game."""
    await socket.accept()
    channel = Channel(socket)
    try:
        hello = read(HelloMessage, await asyncio.wait_for(channel.receive(), _HELLO))
    except (TengenError, TimeoutError) as error:
        text = _refusal(None, error) if isinstance(error, TengenError) else ""
        await channel.close(_NO_HELLO, text)
        return
    except WebSocketDisconnect:
        return
    hashes = tuple(hashed(token) for token in hello.tokens[:_MOST_TOKENS])
    await GameClient(socket, game, hashes).run()
