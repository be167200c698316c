"""What a client may ask of a game: messages, who may send them, and what they do to the session.

The same messages come through a WebSocket and as actions of the REST interface. One that comes late or
twice changes nothing: a move says how many stones stand before it, most others the version of the game that
they were made for.
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
from tengen.web.games import left_alone, seat_changes
from tengen.web.games.room_state import RoomState, humans
from tengen.web.games.tables import Storer
from tengen.web.server import thinking_costs
from tengen.web.server.http_errors import NeedsToken, NotYourSeat, Refused
from tengen.web.server.request_bodies import read_message
from tengen.web.server.spec_policy import allowed_occupant

SLOWEST = 60.0
"""The slowest pace, in seconds a move."""


class HelloMessage(BaseModel):
    """A client's first message: the tokens that it has."""

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
    """An option of the opening rule."""

    type: Literal["choose"]
    option: Annotated[StrictStr, Field(max_length=20)]
    ply: Annotated[StrictInt, Field(ge=0)]


class VersionedMessage(_ClientMessage):
    """What needs no more than the version it is meant for."""

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
    """The answer to what the other side asked; no to one's own offer of another game withdraws it."""

    type: Literal["answer"]
    accept: StrictBool
    version: StrictInt


class AgainMessage(_ClientMessage):
    """Another game like this one, with the seats exchanged or not.

    Where two people play from two places, the first one offers it, and the second one accepts. Then the
    seats are exchanged.
    """

    type: Literal["again"]
    version: StrictInt | None = None
    swap: StrictBool = False


class HandOverMessage(_ClientMessage):
    """Let somebody else sit on a seat: ``human``, or a player's spec."""

    type: Literal["hand_over"]
    participant: Literal[1, 2]
    occupant: Annotated[StrictStr, Field(max_length=400)]


class PaceMessage(_ClientMessage):
    """How slowly computers move."""

    type: Literal["pace"]
    seconds: Annotated[float, Field(ge=0, le=SLOWEST, allow_inf_nan=False)]


class StepMessage(_ClientMessage):
    """One move of a paused game of computers."""

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
"""What two people may say to each other; each reads it in a language of their own."""


class SayMessage(_ClientMessage):
    """A ready-made phrase for everybody at the table; it is told, and not kept."""

    type: Literal["say"]
    phrase: Phrase


class QueryMessage(_ClientMessage):
    """What changes nothing: a hint, an answer now, a sign of life."""

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
"""All that a client may say; ``type`` tells which of them it is."""

_LETS_THINK = frozenset({"move", "choose", "resume", "swap_sides", "undo_seats", "hand_over", "step"})
"""Messages after which it may be a computer's turn."""

_ENDING = frozenset({"resign", "draw", "answer", "claim", "abort", "claim_draw"})
"""Messages that end a game, or may."""

_EVENTS_A_POINT, _MORE_EVENTS = 4, 1000
"""Moves, take-backs and whatever else happens: as many as are kept of a game."""

_BY_HAND = frozenset({"move", "choose", "take_back", "answer", "resign", "draw", "claim"})
"""Messages of somebody who plays, after whom no change of seats before is taken back."""

_ADAPTER: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


def read_client_message(data: object) -> ClientMessage:
    """What a client has sent, as a message.

    Raises:
        WrongFields: it is none; the sentence names the field.
    """
    return read_message(_ADAPTER, data)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends a message.

    Attributes:
        visitor: the browser's name, if it has one.
        hashes: of the tokens it has shown.
        pay: takes what thinking costs from its quota, or raises that there is not so much in it.
        storer: on whose account it has games kept; None where that has no bound.
    """

    visitor: str | None = None
    hashes: tuple[str, ...] = ()
    pay: Callable[[float], object] = field(default=lambda _: None, compare=False)
    storer: Storer | None = field(default=None, compare=False)

    def seats(self, room_state: RoomState) -> frozenset[int]:
        """The participants it may act for."""
        return room_state.seats_of(self.visitor, self.hashes)

    def own(self, room_state: RoomState) -> frozenset[int]:
        """The same, for what only players may do.

        Raises:
            NeedsToken: it says nothing of who it is.
            NotYourSeat: it has no seat here.
        """
        seats = self.seats(room_state)
        if not seats:
            self._refuse()
        return seats

    def check_hurries(self, session: Session, room_state: RoomState) -> None:
        """Refuse whoever neither has a seat nor decides for the whole table, and all in a tournament.

        Raises:
            NeedsToken, NotYourSeat: that.
            Refused: it is a game of a tournament.
        """
        if not self.seats(room_state) or room_state.tournament is not None:
            self.check_controls(session, room_state)

    def controls(self, session: Session, room_state: RoomState) -> bool:
        """Whether it decides for the whole table: all people who play are its own, or it made the game.

        In a tournament nobody does.
        """
        if room_state.tournament is not None:
            return False
        people = humans(session) - {room_state.open}
        if people:
            return people <= self.seats(room_state)
        return self.made(room_state) or bool(self.seats(room_state))

    def made(self, room_state: RoomState) -> bool:
        """Whether it made the game."""
        return self.visitor is not None and self.visitor == room_state.creator

    def check_controls(self, session: Session, room_state: RoomState) -> None:
        """Refuse whoever does not decide for the whole table.

        Raises:
            NeedsToken, NotYourSeat: it does not play here.
            Refused: another person plays too, or it is a game of a tournament.
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
    """What it may cost to let a computer think about what follows from a message; see `thinking_costs`.

    Raises:
        WrongFields: whoever is to sit down may not.
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
    """Do what a message says.

    Args:
        message: what to do.
        session: the game; changed.
        room_state: who owns its seats; changed.
        version: of the game as it stands.
        sender: who asks.
        away: seconds for which nobody of a participant has been connected; without those who are.

    Raises:
        TengenError: it may not be done, or not now.
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
        room_state.rematch = None  # a stone was taken back, and the game goes on


def _check_length(message: GameMessage, session: Session) -> None:
    """Refuse what would make a game longer than is kept; it can still be ended.

    Raises:
        Refused: that.
    """
    most = _MORE_EVENTS + _EVENTS_A_POINT * session.rules.points
    if len(session.events) >= most and message.type not in _ENDING:
        raise Refused("error.web.long_game", most=most)


def _in_time(given: int, version: int) -> None:
    if given != version:
        raise Refused("error.web.late")


def _speaker(session: Session, seats: frozenset[int]) -> int | None:
    """Who speaks: the one human among these seats; None where both are, and the session decides.

    Raises:
        NotYourSeat: computers play for them.
    """
    people = humans(session) & seats
    if not people:
        raise NotYourSeat("error.web.handed_over")
    return next(iter(people)) if len(people) == 1 else None


def _player(session: Session, seats: frozenset[int]) -> int:
    """Who acts: whoever is to, if that is a human among these seats."""
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
    """The move of that number, if it was played here from one of these seats."""
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
    """Offer another game to the person on the other seat.

    Returns:
        Whether it begins: the other one offers it too, or whoever asks decides alone.

    Raises:
        NeedsToken, NotYourSeat: only players may.
        Refused: another person plays, and the game is not over; or it is a game of a tournament.
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
    """Who speaks to the person on the other seat.

    Raises:
        NeedsToken, NotYourSeat: only players may.
        Refused: there is nobody.
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
    """End a game that one side has not begun, or has left.

    Raises:
        GameOver: the game is over.
        Refused: see `left_alone`.
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
    """Refuse to go on while the clocks wait for the engine."""
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
