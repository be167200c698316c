"""Messages between clients and a game, both ways.

Those of clients arrive through the game's WebSocket, or as actions over HTTP. `id` comes back in the
answer. Most carry the version of the game that they refer to, and are refused if the game has moved on.

The server sends the whole state to a client that connects, and after that what changes. A client whose
state has not the version that a change is made from asks for the whole state (`QueryMessage`).
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr

from tengen.schemas.analysis import InfoData
from tengen.schemas.base import Json, Schema
from tengen.schemas.game import GameStateData, HintData, Pace, ParticipantNumber, SeatTokens
from tengen.schemas.position import PointText
from tengen.schemas.sentence import ErrorBody, Sentence

# -- from clients


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
    point: PointText
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
    seconds: Pace


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
    """A message that changes nothing: ask for a hint or the whole state, hurry the computer, or ping."""

    type: Literal["hint", "hurry", "ping", "state"]


# -- from the server


def _is_none(value: object) -> bool:
    return value is None


class GameUpdate(Schema):
    """The base of messages with the state of a game."""

    you: tuple[ParticipantNumber, ...] | None = Field(default=None, exclude_if=_is_none)
    """The seats of the client; left out if they have not changed."""


class StateMessage(GameUpdate):
    """The whole state of a game."""

    type: Literal["state"] = "state"
    state: GameStateData
    made: bool | None = Field(default=None, exclude_if=_is_none)
    """True if the client has made the game; only in the first message."""
    now: float | None = Field(default=None, exclude_if=_is_none)
    """The server's time in Unix seconds; only in the first message."""


class MovesChange(Schema):
    """A change of the list of moves: its first `keep` moves stay, and `add` follows."""

    keep: int
    add: tuple[str, ...]


class ChangeMessage(GameUpdate):
    """The changes of a state; stones follow from the moves, and presence has messages of its own."""

    type: Literal["change"] = "change"
    since: int
    """The version that has changed."""
    moves: MovesChange | None = Field(default=None, exclude_if=_is_none)
    """Left out if the moves are the same."""
    state: Json
    """The fields of `GameStateData`, except moves and stones, that have new values."""


class PresenceMessage(Schema):
    """The clients that are connected; it changes `watchers` and the seats' `connected` of the state."""

    type: Literal["presence"] = "presence"
    connected: tuple[ParticipantNumber, ...]
    watchers: int
    away: dict[str, float]
    """Seconds since the last client of each other participant left."""


class ThinkingMessage(Schema):
    """A computer is thinking; its results are left out where help is forbidden."""

    type: Literal["thinking"] = "thinking"
    by: ParticipantNumber | None


class FindingMessage(InfoData):
    """A computer is thinking, with its results so far."""

    type: Literal["thinking"] = "thinking"
    by: ParticipantNumber | None


class WaitingMessage(ThinkingMessage):
    """A computer waits until it can think."""

    message: Sentence


class PhraseMessage(Schema):
    """A phrase sent by a player."""

    type: Literal["phrase"] = "phrase"
    by: ParticipantNumber
    phrase: Phrase


class AnsweredMessage(Schema):
    """The answer to a message that has been carried out."""

    type: Literal["done"] = "done"
    id: str | int | None


class ChangedMessage(AnsweredMessage):
    """The answer to a message that changes the game."""

    version: int


class AgainAnswer(AnsweredMessage):
    """The answer to `AgainMessage`: the next game, or null if it is only offered."""

    game: str | None
    seats: SeatTokens | None = Field(default=None, exclude_if=_is_none)


class HintAnswer(AnsweredMessage, HintData):
    """The answer to the request for a hint."""


class StateAnswer(AnsweredMessage):
    """The answer to the request for the whole state."""

    state: GameStateData


class PongMessage(Schema):
    """The answer to a ping."""

    type: Literal["pong"] = "pong"
    id: str | int | None
    now: float


class RefusedMessage(ErrorBody):
    """The answer to a message that is refused, and the last message to a client that cannot be served."""

    type: Literal["refused"] = "refused"
    id: str | int | None = None
