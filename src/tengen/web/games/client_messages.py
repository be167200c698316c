"""Clients' messages to a game: commands, which change it, and requests to its room."""

from __future__ import annotations

import time
from typing import Annotated, TypeAlias

from pydantic import Field, TypeAdapter

from tengen.schemas.base import Schema
from tengen.schemas.game_messages import (
    AgainAnswer,
    AgainMessage,
    AnsweredMessage,
    ChangedMessage,
    PongMessage,
    QueryMessage,
    SayMessage,
    StateAnswer,
)
from tengen.web.games.commands import GameCommand, PlayerCommand
from tengen.web.games.game import Sender
from tengen.web.games.rooms import Rooms
from tengen.web.transport.request_bodies import read_message


async def perform(message: ClientMessage, rooms: Rooms, game: str, sender: Sender) -> Schema:
    """Carry out a message, except a request for a hint, and return the answer.

    Raises:
        TengenError: it is not allowed, or not allowed now.
    """
    with rooms.room(game) as room:
        match message:
            case PlayerCommand():
                return ChangedMessage(id=message.id, version=await room.apply(message, sender))
            case AgainMessage():
                made = await rooms.again(game, sender, swap=message.swap)
                if made is None:
                    return AgainAnswer(id=message.id, game=None)
                return AgainAnswer(id=message.id, game=made.id, seats=made.seats)
            case SayMessage():
                await room.send_phrase(message.phrase, sender)
            case QueryMessage(type="hurry"):
                await room.hurry(sender)
            case QueryMessage(type="state"):
                return StateAnswer(id=message.id, state=await room.state(sender))
            case QueryMessage():
                return PongMessage(id=message.id, now=time.time())
    return AnsweredMessage(id=message.id)


ClientMessage: TypeAlias = Annotated[
    GameCommand | AgainMessage | SayMessage | QueryMessage, Field(discriminator="type")
]
"""Any message of a client, discriminated by ``type``."""

_ADAPTER: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


def read_client_message(data: object) -> ClientMessage:
    """Parse and validate a client's message.

    Raises:
        WrongFields: `data` is not a valid message; the error names the field.
    """
    return read_message(_ADAPTER, data)
