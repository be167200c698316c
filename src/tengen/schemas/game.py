"""Games: their state, the requests that begin and join them, and the answers."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr, WithJsonSchema

from tengen.arena.glicko2 import Glicko2
from tengen.game.opening_rules import Decision, DecisionKind, option_message
from tengen.game.rules import Rules
from tengen.game.session_state import HUMAN, Request
from tengen.schemas.analysis import ScoreData
from tengen.schemas.base import Schema
from tengen.schemas.points import ColourName, named
from tengen.schemas.position import BoardData, PointText, PositionRequest
from tengen.schemas.sentence import Sentence

ParticipantNumber: TypeAlias = Annotated[int, WithJsonSchema({"enum": [1, 2], "type": "integer"})]
"""A participant: 1 begins as Black and 2 as White; an opening rule may exchange the colours."""

LONGEST_SPEC = 1000
"""The most characters of a player's spec: enough for `shapes` with every weight changed."""

SLOWEST = 60.0
"""The slowest pace of computers, in seconds per move."""

SpecText: TypeAlias = Annotated[StrictStr, Field(max_length=LONGEST_SPEC)]
OpeningText: TypeAlias = Annotated[StrictStr, Field(max_length=40)]
ClockText: TypeAlias = Annotated[StrictStr, Field(max_length=40)]
TakeBacks: TypeAlias = Annotated[StrictInt, Field(ge=0, le=1000)]
Pace: TypeAlias = Annotated[float, Field(ge=0, le=SLOWEST, allow_inf_nan=False)]

# -- the state of a game


class RatingData(Schema):
    """A rating, rounded for display."""

    rating: int
    deviation: int
    provisional: bool

    @classmethod
    def of(cls, rating: Glicko2) -> RatingData:
        """Return a rating as data."""
        return cls(
            rating=round(rating.rating), deviation=round(rating.deviation), provisional=rating.provisional
        )


class ClockData(Schema):
    """A clock at the moment of the message."""

    left: float
    """Seconds left in the main time or the running period."""
    periods: int
    running: bool


class SeatData(Schema):
    """One side of the table."""

    participant: ParticipantNumber
    colour: ColourName
    occupant: str
    """`human`, or the spec of a computer player."""
    name: str | None
    """The name of the person who sits there."""
    rating: RatingData | None
    """The rating before the game, where it is rated."""
    take_backs: int | None
    """The number left; null for no limit."""
    clock: ClockData | None
    open: bool
    """True if the seat is open to the first visitor who joins by the link."""
    connected: bool


class OptionData(Schema):
    """An option of a choice that an opening rule gives."""

    value: str
    message: Sentence


class DecisionData(Schema):
    """A decision that an opening rule asks for."""

    by: ParticipantNumber
    kind: DecisionKind
    message: Sentence
    points: tuple[str, ...]
    options: tuple[OptionData, ...]

    @classmethod
    def of(cls, rules: Rules, decision: Decision) -> DecisionData:
        """Return a decision in a game under these rules as data."""
        options = (
            OptionData(value=option, message=Sentence.of(option_message(option)))
            for option in decision.options
        )
        return cls(
            by=decision.player,
            kind=decision.kind,
            message=Sentence.of(decision.message),
            points=named(rules, decision.points),
            options=tuple(options),
        )


class OpeningData(Schema):
    """An opening in progress."""

    name: str
    decision: DecisionData


class RequestData(Schema):
    """A request to the other side that waits for an answer."""

    kind: Literal["draw", "take_back"]
    by: ParticipantNumber

    @classmethod
    def of(cls, request: Request) -> RequestData:
        """Return a request as data."""
        return cls(kind=request.kind, by=request.by)


class GameStateData(BoardData):
    """The whole state of a game."""

    id: str
    version: int
    """Grows by one with every change."""
    claimable: bool
    """True if White can claim a foul."""
    offered: tuple[str, ...]
    """The points that are offered in the opening."""
    opening: OpeningData | None
    opening_rule: str | None
    """The opening rule by which the game began."""
    seats: tuple[SeatData, SeatData]
    actor: ParticipantNumber | None
    """The participant to act; null after the end."""
    take_backs: dict[ColourName, int | None]
    take_backs_each: int | None
    """The number that each side began with; null for no limit."""
    control: str | None
    """The time control."""
    request: RequestData | None
    paused: bool
    preparing: bool
    """True if the clocks wait until the engine is ready."""
    pace: float
    """The minimum seconds between the moves of computers."""
    thinking: bool
    """True if a computer is to act."""
    events: int
    """The number of events so far."""
    created: float
    updated: float
    watchers: int
    """The number of spectators."""
    again: str | None
    """The id of the next game."""
    rematch: ParticipantNumber | None
    """The participant who offers a rematch."""
    rated: str | None
    """The rating pool of a rated game."""
    tournament: str | None
    """The id of the tournament that the game belongs to."""
    begun: bool
    """True if both sides have played a move or chosen an option."""
    unaided: bool
    """True if the game forbids help."""
    undoable: bool
    """True if a change of seats can be undone."""
    notice: Sentence | None
    """A notice for all clients of the game."""


class SeatTokens(Schema):
    """Tokens that give access to the seats of a game; null for a seat of somebody else."""

    black: str | None
    white: str | None


class StartedGame(Schema):
    """A game that has begun."""

    id: str
    seats: SeatTokens
    state: GameStateData


class OfferedGame(Schema):
    """The answer where the next game is only offered to the opponent."""

    id: None = None


class JoinedGame(Schema):
    """A seat in a game, and the token that gives access to it."""

    participant: ParticipantNumber
    token: str
    state: GameStateData


class HintData(Schema):
    """A strong player's suggestion: a point with its score, or an option of the opening."""

    point: str | None
    score: ScoreData | None
    option: str | None


# -- a visitor's games


class GameSummaryData(Schema):
    """A game's columns in a list of games; the result and its reason are empty while it is running."""

    rules: str
    size: str
    opening: str
    black: str
    white: str
    result: str
    reason: str
    plies: int
    black_name: str
    white_name: str
    black_participant: int
    """The participant who plays Black; 0 if one person has both seats."""


class ListedGameData(Schema):
    """A game on a visitor's list."""

    id: str
    summary: GameSummaryData
    created: float
    updated: float
    participant: ParticipantNumber | None
    """The visitor's seat; null for a spectator."""
    colour: ColourName | None


class GameList(Schema):
    """A page of a visitor's games."""

    games: tuple[ListedGameData, ...]
    total: int


# -- requests


class TermsRequest(Schema):
    """The terms besides rules and position: of a game, of a challenge, and of a tournament's games."""

    opening: OpeningText | None = None
    clock: ClockText | None = None


class GameRequest(PositionRequest, TermsRequest):
    """A new game: its initial position, its players and its terms."""

    black: SpecText = HUMAN
    white: SpecText = HUMAN
    take_backs: TakeBacks | None = 5
    open: Literal["black", "white", "random"] | None = None
    """The seat that waits for somebody by link."""
    pace: Pace = 0.0


class MoveRequest(Schema):
    """A point to play, offer or select."""

    point: PointText
    ply: Annotated[StrictInt, Field(ge=0)]
    """The number of moves before it."""


class AgainRequest(Schema):
    """Another game with the same settings; `swap` exchanges the seats."""

    model_config = ConfigDict(extra="ignore")

    swap: StrictBool = False
