"""A room's state besides the session: owners of the seats, tokens and permissions, stored as JSON."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.words import Message

BOTH = (FIRST, SECOND)

_TOKENS = 12
"""The most valid tokens per seat; the oldest expire first."""


@dataclass(frozen=True, slots=True)
class SeatsBefore:
    """The state of a game before a change of seats, from which the change can be undone.

    Attributes:
        session: the session's state, as made by `Session.moment`.
        swapped: whether the change exchanged the owners of the seats.
        open: the former `RoomState.open`.
        pace: the former `RoomState.pace`.
        preparing: the former `RoomState.preparing`.
    """

    session: str
    swapped: bool
    open: int | None
    pace: float
    preparing: bool


@dataclass(slots=True)
class RoomState:
    """The state of a game's room besides its session.

    Attributes:
        creator: the visitor who made the game and controls it where no human plays; None for no visitor.
        owners: the visitors who own the seats, by participant; None for no owner.
        tokens: hashes of the tokens that give access to each seat, by participant.
        open: the participant whose seat is open to the first visitor who joins by the link; None for none.
        pace: the minimum number of seconds between the moves of computers.
        stepping: whether a paused game between computers runs for one move.
        again: the id of the next game; None before there is one.
        notice: a notice for all clients of the game; None for none.
        preparing: whether the clocks wait until the engine is ready.
        names: the names of the human players, by participant; None for no name.
        rematch: the participant who offers a rematch after the end of the game; None for none.
        rated: the rating pool of the game; None for an unrated game.
        ratings: the players' ratings before the game as JSON data, by participant.
        tournament: the id of the game's tournament; None outside tournaments.
        before: the state before the last change of seats, while it can be undone; else None.
    """

    creator: str | None = None
    owners: dict[int, str | None] = field(default_factory=lambda: dict.fromkeys(BOTH))
    tokens: dict[int, list[str]] = field(default_factory=lambda: {who: [] for who in BOTH})
    open: int | None = None
    pace: float = 0.0
    stepping: bool = False
    again: str | None = None
    notice: Message | None = None
    preparing: bool = False
    names: dict[int, str | None] = field(default_factory=lambda: dict.fromkeys(BOTH))
    rematch: int | None = None
    rated: str | None = None
    ratings: dict[int, dict[str, Any] | None] = field(default_factory=lambda: dict.fromkeys(BOTH))
    tournament: str | None = None
    before: SeatsBefore | None = None

    def new_token(self, who: int) -> str:
        """Return a new token that gives access to a seat; only its hash is stored."""
        token = secrets.token_urlsafe(16)
        self.tokens[who] = [*self.tokens[who][1 - _TOKENS :], hashed(token)]
        return token

    def seats_of(self, visitor: str | None, hashes: Iterable[str] = ()) -> frozenset[int]:
        """Return the participants that a visitor, or a bearer of tokens with these hashes, may act for."""
        given = frozenset(hashes)
        return frozenset(
            who
            for who in BOTH
            if (visitor is not None and self.owners[who] == visitor) or given.intersection(self.tokens[who])
        )

    def visitors(self) -> frozenset[str]:
        """Return the visitors that the room refers to: its creator and the owners of its seats."""
        return frozenset(who for who in (self.creator, *self.owners.values()) if who is not None)

    def give(self, who: int, visitor: str | None, hashes: Iterable[str]) -> None:
        """Transfer a seat to a new owner; its former owner and tokens lose it."""
        self.owners[who] = visitor
        self.tokens[who] = list(hashes)[-_TOKENS:]
        self.names[who] = self.ratings[who] = None

    def swap(self) -> None:
        """Exchange the seats' owners, with their tokens, names and ratings."""
        first, second = BOTH
        self.owners = {first: self.owners[second], second: self.owners[first]}
        self.tokens = {first: self.tokens[second], second: self.tokens[first]}
        self.names = {first: self.names[second], second: self.names[first]}
        self.ratings = {first: self.ratings[second], second: self.ratings[first]}
        if self.open is not None:
            self.open = first + second - self.open

    def to_json(self) -> str:
        """Return the state as JSON text."""
        data = {
            "creator": self.creator,
            "owners": [self.owners[who] for who in BOTH],
            "tokens": [self.tokens[who] for who in BOTH],
            "open": self.open,
            "pace": self.pace,
            "stepping": self.stepping,
            "again": self.again,
            "notice": None if self.notice is None else self.notice.to_dict(),
            "preparing": self.preparing,
            "names": [self.names[who] for who in BOTH],
            "rematch": self.rematch,
            "rated": self.rated,
            "ratings": [self.ratings[who] for who in BOTH],
            "tournament": self.tournament,
            "before": None if self.before is None else asdict(self.before),
        }
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> RoomState:
        """Return the state that `to_json` wrote."""
        data: dict[str, Any] = json.loads(text)
        return cls(
            data["creator"],
            dict(zip(BOTH, data["owners"], strict=True)),
            dict(zip(BOTH, data["tokens"], strict=True)),
            data["open"],
            data["pace"],
            data["stepping"],
            data["again"],
            None if data["notice"] is None else _message(data["notice"]),
            # Games stored by earlier versions lack these fields.
            data.get("preparing", False),
            dict(zip(BOTH, data.get("names", (None, None)), strict=True)),
            data.get("rematch"),
            data.get("rated"),
            dict(zip(BOTH, data.get("ratings", (None, None)), strict=True)),
            data.get("tournament"),
            None if data.get("before") is None else SeatsBefore(**data["before"]),
        )


def hashed(token: str) -> str:
    """Return the hash by which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_unaided(session: Session, room_state: RoomState) -> bool:
    """Return whether a running game forbids help by hints, explanations or analysis.

    It does where two people play each other from different browsers, and where a person plays in a
    tournament. The ban includes spectators, as on Lichess, since players can watch their own games.
    """
    people = humans(session)
    if session.result is not None:
        return False
    if room_state.tournament is not None:
        return bool(people)
    first, second = (room_state.owners[who] for who in BOTH)
    return people == set(BOTH) and (room_state.open is not None or first is None or first != second)


def alone(session: Session, room_state: RoomState, visitor: str | None) -> int | None:
    """Return the only seat that a visitor plays; None if it plays both or none, or `visitor` is None."""
    own = [who for who in humans(session) - {room_state.open} if room_state.owners[who] == visitor]
    return own[0] if visitor is not None and len(own) == 1 else None


def detach(_: Session, room_state: RoomState, visitor: str) -> None:
    """Remove a visitor from a game: its seats lose their owner, tokens, names and ratings."""
    for who in BOTH:
        if room_state.owners[who] == visitor:
            room_state.give(who, None, ())
    if room_state.creator == visitor:
        room_state.creator = None


def seat_name(session: Session, room_state: RoomState, who: int) -> str | None:
    """Return the name of the person on a seat; None for a computer or a person without a name."""
    return room_state.names[who] if session.seats[who].occupant == HUMAN else None


def humans(session: Session) -> frozenset[int]:
    """Return the participants whose seats are taken by humans, or open to them."""
    return frozenset(who for who, seat in session.seats.items() if seat.occupant == HUMAN)


def _message(data: Any) -> Any:
    """Return the message that `Message.to_dict` wrote, including messages nested in its values."""
    if isinstance(data, dict):
        return Message(data["key"], {name: _message(value) for name, value in data["values"].items()})
    return tuple(map(_message, data)) if isinstance(data, list) else data
