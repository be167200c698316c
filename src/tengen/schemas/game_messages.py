"""Messages of clients to a game.

They arrive through the game's WebSocket, or as actions over HTTP. `id` comes back in the answer. Most
messages carry the version of the game that they refer to, and are refused if the game has moved on.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr

from tengen.schemas.base import Schema

SLOWEST = 60.0
"""The slowest pace of computers, in seconds per move."""


class HelloMessage(Schema):
    """A client's first message, with its seat tokens."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["hello"]
    tokens: tuple[StrictStr, ...] = ()


class GameMessage(Schema):
    """A message to a game; fields that it does not know are ignored."""

    model_config = ConfigDict(extra="ignore")

    id: StrictStr | StrictInt | None = None


class MoveMessage(GameMessage):
    """A point to play, offer or select."""

    type: Literal["move"]
    point: Annotated[StrictStr, Field(max_length=12)]
    ply: Annotated[StrictInt, Field(ge=0)]
    """The number of moves before it."""


class ChooseMessage(GameMessage):
    """The choice of an option of the opening rule."""

    type: Literal["choose"]
    option: Annotated[StrictStr, Field(max_length=20)]
    ply: Annotated[StrictInt, Field(ge=0)]
    """The number of moves before it."""


class VersionedMessage(GameMessage):
    """A message whose only argument is the version of the game that it refers to."""

    type: Literal[
        "take_back",
        "resign",
        "draw",
        "claim",
        "pause",
        "resume",
        "swap_sides",
        "undo_seats",
        "abort",
        "claim_draw",
    ]
    version: StrictInt


class AnswerMessage(GameMessage):
    """The answer to the opponent's request; answering no to one's own rematch offer withdraws it."""

    type: Literal["answer"]
    accept: StrictBool
    version: StrictInt


class HandOverMessage(GameMessage):
    """A new occupant for a seat: ``human``, or a player's spec."""

    type: Literal["hand_over"]
    participant: Literal[1, 2]
    occupant: Annotated[StrictStr, Field(max_length=400)]


class PaceMessage(GameMessage):
    """The minimum number of seconds per computer move."""

    type: Literal["pace"]
    seconds: Annotated[float, Field(ge=0, le=SLOWEST, allow_inf_nan=False)]


class StepMessage(GameMessage):
    """One move of a paused game between computers."""

    type: Literal["step"]


class AgainMessage(GameMessage):
    """A request for another game with the same settings; `swap` exchanges the seats.

    Where two people play from different browsers, the first request offers a rematch and the second accepts
    it. The seats are then always exchanged.
    """

    type: Literal["again"]
    version: StrictInt | None = None
    swap: StrictBool = False


Phrase: TypeAlias = Literal[
    "hello",
    "good_luck",
    "nice_move",
    "one_moment",
    "no_rush",
    "sorry",
    "thanks",
    "well_played",
    "good_game",
    "bye",
]
"""The ready-made phrases of the chat; each client shows them in its own language."""


class SayMessage(GameMessage):
    """A ready-made phrase for all clients of the game; it is broadcast but not stored."""

    type: Literal["say"]
    phrase: Phrase


class QueryMessage(GameMessage):
    """A message that does not change the game: ask for a hint, hurry the computer, or ping."""

    type: Literal["hint", "hurry", "ping"]
