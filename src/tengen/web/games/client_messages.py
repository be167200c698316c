"""What a client may ask of a game: messages, who may send them, and what they do to the session.

The same messages come through a WebSocket and as actions of the REST interface. One that comes late or
twice changes nothing: a move says how many stones stand before it, most others the version of the game that
they were made for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    TypeAdapter,
    ValidationError,
)

from tengen.game.errors import NotAllowed
from tengen.game.notation import shorten
from tengen.game.opening_rules import FIRST
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.web.games.ownership import Seating, humans
from tengen.web.server.http_errors import NeedsToken, NotYourSeat, Refused, WrongFields
from tengen.web.server.spec_policy import seated

SLOWEST = 60.0
"""The slowest pace, in seconds a move."""


class _Order(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    id: StrictStr | StrictInt | None = None


class Move(_Order):
    """A point to play, offer or select; `ply` is the number of moves before it."""

    type: Literal["move"]
    point: Annotated[StrictStr, Field(max_length=12)]
    ply: Annotated[StrictInt, Field(ge=0)]


class Choose(_Order):
    """An option of the opening rule."""

    type: Literal["choose"]
    option: Annotated[StrictStr, Field(max_length=20)]
    ply: Annotated[StrictInt, Field(ge=0)]


class Plain(_Order):
    """What needs no more than the version it is meant for."""

    type: Literal["take_back", "resign", "draw", "claim", "pause", "resume", "swap_sides"]
    version: StrictInt


class Answer(_Order):
    """The answer to what the other side asked."""

    type: Literal["answer"]
    accept: StrictBool
    version: StrictInt


class Again(_Order):
    """Another game like this one, with the seats exchanged or not."""

    type: Literal["again"]
    version: StrictInt | None = None
    swap: StrictBool = False


class HandOver(_Order):
    """Let somebody else sit on a seat: ``human``, or a player's spec."""

    type: Literal["hand_over"]
    participant: Literal[1, 2]
    occupant: Annotated[StrictStr, Field(max_length=400)]


class Pace(_Order):
    """How slowly computers move."""

    type: Literal["pace"]
    seconds: Annotated[float, Field(ge=0, le=SLOWEST, allow_inf_nan=False)]


class Step(_Order):
    """One move of a paused game of computers."""

    type: Literal["step"]


class Ask(_Order):
    """What changes nothing: a hint, an answer now, a sign of life."""

    type: Literal["hint", "hurry", "ping"]


Change: TypeAlias = Move | Choose | Plain | Answer | HandOver | Pace | Step
Order: TypeAlias = Change | Again | Ask

_ORDERS: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="type")])


def read_order(data: object) -> Order:
    """The order that a client's message is.

    Raises:
        WrongFields: it is none; the sentence names the field.
    """
    try:
        return _ORDERS.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        steps = [str(step) for step in first["loc"][1:]]
        if first["type"] == "missing" and steps:
            raise WrongFields("error.web.field_missing", field=steps[0]) from error
        raise WrongFields("error.web.field", field=shorten(".".join(steps) or "type")) from error


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends an order.

    Attributes:
        visitor: the browser's name, if it has one.
        hashes: of the tokens it has shown.
    """

    visitor: str | None = None
    hashes: tuple[str, ...] = ()

    def seats(self, seating: Seating) -> frozenset[int]:
        """The participants it may act for."""
        return seating.seats_of(self.visitor, self.hashes)

    def own(self, seating: Seating) -> frozenset[int]:
        """The same, for what only players may do.

        Raises:
            NeedsToken: it says nothing of who it is.
            NotYourSeat: it has no seat here.
        """
        seats = self.seats(seating)
        if not seats:
            self._refuse()
        return seats

    def check_plays(self, session: Session, seating: Seating) -> None:
        """Refuse whoever neither has a seat nor decides for the whole table.

        Raises:
            NeedsToken, NotYourSeat: that.
        """
        if not self.seats(seating):
            self.check_controls(session, seating)

    def controls(self, session: Session, seating: Seating) -> bool:
        """Whether it decides for the whole table: all people who play are its own, or it made the game."""
        people = humans(session) - {seating.open}
        if people:
            return people <= self.seats(seating)
        return self.made(seating) or bool(self.seats(seating))

    def made(self, seating: Seating) -> bool:
        """Whether it made the game."""
        return self.visitor is not None and self.visitor == seating.creator

    def check_controls(self, session: Session, seating: Seating) -> None:
        """Refuse whoever does not decide for the whole table.

        Raises:
            NeedsToken, NotYourSeat: it does not play here.
            Refused: another person plays too.
        """
        if self.controls(session, seating):
            return
        if self.seats(seating):
            raise Refused("error.web.opponent")
        self._refuse()

    def _refuse(self) -> None:
        if not self.hashes:
            raise NeedsToken("error.web.token")
        raise NotYourSeat("error.web.seat")


def carry_out(order: Change, session: Session, seating: Seating, version: int, sender: Sender) -> None:
    """Do what an order says.

    Args:
        order: what to do.
        session: the game; changed.
        seating: who owns its seats; changed.
        version: of the game as it stands.
        sender: who asks.

    Raises:
        TengenError: it may not be done, or not now.
    """
    if isinstance(order, Move):
        _move(order, session, seating, sender)
    elif isinstance(order, Choose):
        _choose(order, session, seating, sender)
    elif isinstance(order, Answer):
        _in_time(order.version, version)
        session.answer(order.accept, _speaker(session, sender.own(seating)))
    elif isinstance(order, Plain):
        _in_time(order.version, version)
        _plain(order, session, seating, sender)
    elif isinstance(order, HandOver):
        _hand_over(order, session, seating, sender)
    elif isinstance(order, Pace):
        sender.check_controls(session, seating)
        seating.pace = order.seconds
    else:
        _step(session, seating, sender)


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


def _move(order: Move, session: Session, seating: Seating, sender: Sender) -> None:
    seats = sender.own(seating)
    board = session.board
    point = board.point(order.point)
    if order.ply != board.ply:
        if _played(session, order.ply, seats) != point:
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


def _choose(order: Choose, session: Session, seating: Seating, sender: Sender) -> None:
    seats = sender.own(seating)
    if order.ply != session.board.ply:
        raise Refused("error.web.late")
    last = session.actions[-1] if session.actions else None
    if last is not None and (last.kind, last.value) == ("choose", order.option) and last.by in seats:
        return
    session.choose(order.option, _player(session, seats))


def _plain(order: Plain, session: Session, seating: Seating, sender: Sender) -> None:
    if order.type in ("pause", "resume", "swap_sides"):
        sender.check_controls(session, seating)
        _CONTROLS[order.type](session, seating)
        return
    by = _speaker(session, sender.own(seating))
    if order.type == "take_back":
        session.take_back(by)
    elif order.type == "resign":
        session.resign(by)
    elif order.type == "draw":
        session.offer_draw(by)
    else:
        session.claim(by)


def _pause(session: Session, seating: Seating) -> None:
    session.pause()
    seating.stepping = False


def _resume(session: Session, seating: Seating) -> None:
    if seating.open is not None:
        raise NotAllowed("error.web.waiting")
    if not seating.stepping:
        session.resume()
    seating.stepping = False


def _swap_sides(session: Session, seating: Seating) -> None:
    session.swap_sides()
    seating.swap()


_CONTROLS = {"pause": _pause, "resume": _resume, "swap_sides": _swap_sides}


def _step(session: Session, seating: Seating, sender: Sender) -> None:
    sender.check_controls(session, seating)
    if seating.stepping:
        return
    actor = session.actor
    if not session.paused or actor is None or session.seats[actor].occupant == HUMAN:
        raise NotAllowed("error.web.step")
    session.resume()
    seating.stepping = True


def _hand_over(order: HandOver, session: Session, seating: Seating, sender: Sender) -> None:
    sender.check_controls(session, seating)
    who = order.participant
    occupant = seated(order.occupant, session.rules)
    if occupant == HUMAN and not (seats := sender.seats(seating)) >= {who}:
        hashes = next((seating.tokens[seat] for seat in seats), ())
        seating.give(who, sender.visitor, hashes)
    if seating.open == who:
        close_seat(session, seating)
    if session.seats[who].occupant != occupant:
        session.hand_over(who, occupant)


def close_seat(session: Session, seating: Seating) -> None:
    """Nobody is waited for any more; a game that stood still until then goes on."""
    seating.open = None
    if session.paused:
        session.resume()
