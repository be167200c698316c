"""Messages from clients to a game: their validation, permissions and effect on the session.

Messages arrive through a WebSocket or as actions of the REST interface. A late or repeated message changes
nothing: a move carries the number of stones before it, and most other messages carry the version of the
game that they refer to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    TypeAdapter,
)

from tengen.game.errors import GameOver, NotAllowed
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.web.computing import thinking_costs
from tengen.web.computing.spec_policy import allowed_occupant
from tengen.web.games import left_alone, seat_changes
from tengen.web.games.room_state import RoomState, humans
from tengen.web.games.tables import Storer
from tengen.web.transport.http_errors import NeedsToken, NotYourSeat, Refused
from tengen.web.transport.request_bodies import read_message

SLOWEST = 60.0
"""The slowest pace of computers, in seconds per move."""


class HelloMessage(BaseModel):
    """A client's first message, with its seat tokens."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["hello"]
    tokens: list[StrictStr] = []


class _ClientMessage(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    id: StrictStr | StrictInt | None = None


class MoveMessage(_ClientMessage):
    """A point to play, offer or select; `ply` is the number of moves before it."""

    type: Literal["move"]
    point: Annotated[StrictStr, Field(max_length=12)]
    ply: Annotated[StrictInt, Field(ge=0)]


class ChooseMessage(_ClientMessage):
    """The choice of an option of the opening rule; `ply` is the number of moves before it."""

    type: Literal["choose"]
    option: Annotated[StrictStr, Field(max_length=20)]
    ply: Annotated[StrictInt, Field(ge=0)]


class VersionedMessage(_ClientMessage):
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


class AnswerMessage(_ClientMessage):
    """The answer to the opponent's request; answering no to one's own rematch offer withdraws it."""

    type: Literal["answer"]
    accept: StrictBool
    version: StrictInt


class AgainMessage(_ClientMessage):
    """A request for another game with the same settings; `swap` exchanges the seats.

    Where two people play from different browsers, the first request offers a rematch and the second accepts
    it. The seats are then always exchanged.
    """

    type: Literal["again"]
    version: StrictInt | None = None
    swap: StrictBool = False


class HandOverMessage(_ClientMessage):
    """A request to give a seat to a new occupant: ``human``, or a player's spec."""

    type: Literal["hand_over"]
    participant: Literal[1, 2]
    occupant: Annotated[StrictStr, Field(max_length=400)]


class PaceMessage(_ClientMessage):
    """A request to set the minimum number of seconds per computer move."""

    type: Literal["pace"]
    seconds: Annotated[float, Field(ge=0, le=SLOWEST, allow_inf_nan=False)]


class StepMessage(_ClientMessage):
    """A request to play one move of a paused game between computers."""

    type: Literal["step"]


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


class SayMessage(_ClientMessage):
    """A ready-made phrase for all clients of the game; it is broadcast but not stored."""

    type: Literal["say"]
    phrase: Phrase


class QueryMessage(_ClientMessage):
    """A message that does not change the game: ask for a hint, hurry the computer, or ping."""

    type: Literal["hint", "hurry", "ping"]


GameMessage: TypeAlias = (
    MoveMessage
    | ChooseMessage
    | VersionedMessage
    | AnswerMessage
    | HandOverMessage
    | PaceMessage
    | StepMessage
)
ClientMessage: TypeAlias = Annotated[
    GameMessage | AgainMessage | SayMessage | QueryMessage, Field(discriminator="type")
]
"""Any message of a client, discriminated by ``type``."""

_LETS_THINK = frozenset({"move", "choose", "resume", "swap_sides", "undo_seats", "hand_over", "step"})
"""Types of messages after which it may be a computer's turn."""

_ENDING = frozenset({"resign", "draw", "answer", "claim", "abort", "claim_draw"})
"""Types of messages that end a game or may end it."""

_EVENTS_A_POINT, _MORE_EVENTS = 4, 1000
"""The limit on a game's events (moves, take-backs and others): a number per point, plus a constant."""

_BY_HAND = frozenset({"move", "choose", "take_back", "answer", "resign", "draw", "claim"})
"""Types of messages sent by a human who plays; after them an earlier change of seats cannot be undone."""

_ADAPTER: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


def read_client_message(data: object) -> ClientMessage:
    """Parse and validate a client's message.

    Raises:
        WrongFields: `data` is not a valid message; the error names the field.
    """
    return read_message(_ADAPTER, data)


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a message.

    Attributes:
        visitor: the browser's visitor id; None without a cookie.
        hashes: hashes of the seat tokens that it has presented.
        pay: charges a cost of thinking to the sender's quota; raises if the quota is exceeded.
        storer: the account to which stored games are charged; None where storage is not limited.
    """

    visitor: str | None = None
    hashes: tuple[str, ...] = ()
    pay: Callable[[float], object] = field(default=lambda _: None, compare=False)
    storer: Storer | None = field(default=None, compare=False)

    def seats(self, room_state: RoomState) -> frozenset[int]:
        """Return the participants that the sender may act for."""
        return room_state.seats_of(self.visitor, self.hashes)

    def own(self, room_state: RoomState) -> frozenset[int]:
        """Return the participants that the sender may act for; refuse a sender without a seat.

        Raises:
            NeedsToken: the sender has no seat and presented no token.
            NotYourSeat: the sender presented tokens, but none of a seat of this game.
        """
        seats = self.seats(room_state)
        if not seats:
            self._refuse()
        return seats

    def check_hurries(self, session: Session, room_state: RoomState) -> None:
        """Check that the sender may hurry a computer: it has a seat or controls the table.

        Raises:
            NeedsToken, NotYourSeat: the sender neither has a seat nor controls the table.
            Refused: the game belongs to a tournament.
        """
        if not self.seats(room_state) or room_state.tournament is not None:
            self.check_controls(session, room_state)

    def controls(self, session: Session, room_state: RoomState) -> bool:
        """Return whether the sender controls the table.

        It does if it owns every seat taken by a human; in a game between computers, if it made the game or
        has a seat. No client controls a tournament game.
        """
        if room_state.tournament is not None:
            return False
        people = humans(session) - {room_state.open}
        if people:
            return people <= self.seats(room_state)
        return self.made(room_state) or bool(self.seats(room_state))

    def made(self, room_state: RoomState) -> bool:
        """Return whether the sender made the game."""
        return self.visitor is not None and self.visitor == room_state.creator

    def check_controls(self, session: Session, room_state: RoomState) -> None:
        """Check that the sender controls the table.

        Raises:
            NeedsToken, NotYourSeat: the sender has no seat in this game.
            Refused: another person plays too, or the game belongs to a tournament.
        """
        if self.controls(session, room_state):
            return
        if room_state.tournament is not None:
            raise Refused("error.web.tournament.game")
        if self.seats(room_state):
            raise Refused("error.web.opponent")
        self._refuse()

    def _refuse(self) -> None:
        if not self.hashes:
            raise NeedsToken("error.web.token")
        raise NotYourSeat("error.web.seat")


def thinking_cost(message: GameMessage, session: Session) -> float:
    """Return the most that thinking may cost as a consequence of a message; see `thinking_costs`.

    Raises:
        WrongFields: the new occupant of a seat is not allowed.
    """
    cost = thinking_costs.turn(session) if message.type in _LETS_THINK else 0.0
    if isinstance(message, HandOverMessage):
        occupant = allowed_occupant(message.occupant, session.rules)
        cost = max(cost, 0.0 if occupant == HUMAN else thinking_costs.move_seconds(occupant.name))
    return cost + (thinking_costs.fouls(session.rules) if isinstance(message, MoveMessage) else 0.0)


def apply_message(
    message: GameMessage,
    session: Session,
    room_state: RoomState,
    version: int,
    sender: Sender,
    away: Mapping[int, float],
) -> None:
    """Apply a message to a game.

    Args:
        message: the message.
        session: the game; modified.
        room_state: the owners of the seats and other state of the room; modified.
        version: the game's current version.
        sender: the sender of the message.
        away: seconds since each disconnected participant's last client left; connected participants are
            omitted.

    Raises:
        TengenError: the action is not allowed, or not allowed now.
    """
    _check_length(message, session)
    if isinstance(message, MoveMessage):
        _move(message, session, room_state, sender)
    elif isinstance(message, ChooseMessage):
        _choose(message, session, room_state, sender)
    elif isinstance(message, AnswerMessage):
        _in_time(message.version, version)
        _answer(message, session, room_state, sender)
    elif isinstance(message, VersionedMessage):
        _in_time(message.version, version)
        _plain(message, session, room_state, sender, away)
    elif isinstance(message, HandOverMessage):
        _hand_over(message, session, room_state, sender)
    elif isinstance(message, PaceMessage):
        sender.check_controls(session, room_state)
        room_state.pace = message.seconds
    else:
        _step(session, room_state, sender)
    if message.type in _BY_HAND:
        room_state.before = None
    if session.result is None:
        room_state.rematch = None  # a take-back has reopened the game


def _check_length(message: GameMessage, session: Session) -> None:
    """Check the limit on a game's number of events; messages that end the game are exempt.

    Raises:
        Refused: the game has reached the limit.
    """
    most = _MORE_EVENTS + _EVENTS_A_POINT * session.rules.points
    if len(session.events) >= most and message.type not in _ENDING:
        raise Refused("error.web.long_game", most=most)


def _in_time(given: int, version: int) -> None:
    if given != version:
        raise Refused("error.web.late")


def _speaker(session: Session, seats: frozenset[int]) -> int | None:
    """Return the single human participant among the sender's seats; None if both seats are human.

    With None, the session determines the participant.

    Raises:
        NotYourSeat: computers occupy all of these seats.
    """
    people = humans(session) & seats
    if not people:
        raise NotYourSeat("error.web.handed_over")
    return next(iter(people)) if len(people) == 1 else None


def _player(session: Session, seats: frozenset[int]) -> int:
    """Return the participant to act for: the only human among the seats, else the session's actor."""
    speaker = _speaker(session, seats)
    return speaker or session.actor or FIRST


def _move(message: MoveMessage, session: Session, room_state: RoomState, sender: Sender) -> None:
    seats = sender.own(room_state)
    board = session.board
    point = board.point(message.point)
    if message.ply != board.ply:
        if _played(session, message.ply, seats) != point:
            raise Refused("error.web.late")
        return
    opening = session.opening
    if opening is not None and point in opening.offered and opening.decision is not None:
        decision = opening.decision
        if decision.kind == "offer" and decision.player in seats:
            return
    session.play(point, _player(session, seats))


def _played(session: Session, ply: int, seats: frozenset[int]) -> int | None:
    """Return the move at `ply`, if it was played in this session from one of these seats; else None."""
    placed = [action for action in session.actions if action.placed]
    number = ply - (session.board.ply - len(placed))
    if not 0 <= number < len(placed) or placed[number].by not in seats:
        return None
    return session.board.moves[ply]


def _answer(message: AnswerMessage, session: Session, room_state: RoomState, sender: Sender) -> None:
    by = _speaker(session, sender.own(room_state))
    if session.request is not None or room_state.rematch is None:
        session.answer(message.accept, by)
    elif message.accept:
        raise NotAllowed("error.web.rematch")
    else:
        room_state.rematch = None


def offer_rematch(session: Session, room_state: RoomState, sender: Sender) -> bool:
    """Offer a rematch to the person on the other seat.

    Returns:
        True if the rematch begins: the opponent has offered one too, or the sender controls the table.

    Raises:
        NeedsToken, NotYourSeat: the sender is not a player.
        Refused: another person plays and the game is not over, or the game belongs to a tournament.
    """
    if sender.controls(session, room_state):
        return True
    if session.result is None or room_state.tournament is not None:
        sender.check_controls(session, room_state)
    by = _speaker(session, sender.own(room_state))
    if room_state.rematch in (None, by) and room_state.again is None:
        room_state.rematch = by
        return False
    return True


def speaker(session: Session, room_state: RoomState, sender: Sender) -> int:
    """Return the participant who sends a phrase to the person on the other seat.

    Raises:
        NeedsToken, NotYourSeat: the sender is not a player.
        Refused: no other person plays.
    """
    by = _speaker(session, sender.own(room_state))
    if by is None or humans(session) - {room_state.open} <= sender.seats(room_state):
        raise Refused("error.web.phrase")
    return by


def _choose(message: ChooseMessage, session: Session, room_state: RoomState, sender: Sender) -> None:
    seats = sender.own(room_state)
    if message.ply != session.board.ply:
        raise Refused("error.web.late")
    last = session.actions[-1] if session.actions else None
    if last is not None and (last.kind, last.value) == ("choose", message.option) and last.by in seats:
        return
    session.choose(message.option, _player(session, seats))


def _plain(
    message: VersionedMessage,
    session: Session,
    room_state: RoomState,
    sender: Sender,
    away: Mapping[int, float],
) -> None:
    if message.type in _CONTROLS:
        sender.check_controls(session, room_state)
        _CONTROLS[message.type](session, room_state)
        return
    by = _speaker(session, sender.own(room_state))
    if message.type == "take_back":
        session.take_back(by)
    elif message.type == "resign":
        session.resign(by)
    elif message.type == "draw":
        session.offer_draw(by)
    elif message.type == "claim":
        session.claim(by)
    else:
        _end_alone(message.type, session, room_state, by, away)


def _end_alone(
    kind: str, session: Session, room_state: RoomState, by: int | None, away: Mapping[int, float]
) -> None:
    """Abort a game that one side has not begun, or end a game whose opponent has left.

    Raises:
        GameOver: the game is over.
        Refused: the conditions of `left_alone` are not met, or the sender plays both sides.
    """
    if session.result is not None:
        raise GameOver("error.session.over")
    if by is None:
        raise Refused("error.web.left.nobody")
    gone = away.get(FIRST + SECOND - by)
    if kind == "abort":
        left_alone.check_abort(session, room_state, by, gone)
        session.abort(by)
    else:
        left_alone.check_draw_claim(session, room_state, by, gone)
        session.end_abandoned(by)
    room_state.open = None


def _pause(session: Session, room_state: RoomState) -> None:
    session.pause()
    room_state.stepping = False


def _resume(session: Session, room_state: RoomState) -> None:
    if room_state.open is not None:
        raise NotAllowed("error.web.waiting")
    _check_prepared(room_state)
    if not room_state.stepping:
        session.resume()
    room_state.stepping = False


def _check_prepared(room_state: RoomState) -> None:
    """Refuse to resume while the clocks wait for the engine."""
    if room_state.preparing:
        raise NotAllowed("error.web.preparing")


_CONTROLS = {
    "pause": _pause,
    "resume": _resume,
    "swap_sides": seat_changes.swap_sides,
    "undo_seats": seat_changes.undo,
}


def _step(session: Session, room_state: RoomState, sender: Sender) -> None:
    sender.check_controls(session, room_state)
    if room_state.stepping:
        return
    _check_prepared(room_state)
    actor = session.actor
    if not session.paused or actor is None or session.seats[actor].occupant == HUMAN:
        raise NotAllowed("error.web.step")
    session.resume()
    room_state.stepping = True


def _hand_over(message: HandOverMessage, session: Session, room_state: RoomState, sender: Sender) -> None:
    sender.check_controls(session, room_state)
    who, owner = message.participant, None
    occupant = allowed_occupant(message.occupant, session.rules)
    if occupant == HUMAN and not (seats := sender.seats(room_state)) >= {who}:
        owner = sender.visitor, next((room_state.tokens[seat] for seat in seats), ())
    seat_changes.hand_over(session, room_state, who, occupant, owner)
