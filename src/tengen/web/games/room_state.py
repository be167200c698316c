"""Who owns the seats of a game and may do what with it: kept as JSON beside the session."""

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
"""The most tokens a seat has; the oldest go first."""


@dataclass(frozen=True, slots=True)
class SeatsBefore:
    """How a game stood before its seats changed hands, for whoever takes that back.

    Attributes:
        session: `Session.moment`.
        swapped: whether the owners of the seats have exchanged them.
        open: see `RoomState`; likewise the others.
        pace: likewise.
        preparing: likewise.
    """

    session: str
    swapped: bool
    open: int | None
    pace: float
    preparing: bool


@dataclass(slots=True)
class RoomState:
    """What a game's room knows besides its session.

    Attributes:
        creator: the visitor who made the game; controls it where no human plays.
        owners: the visitors who own the seats, by participant; None for nobody.
        tokens: hashes of the tokens that each seat may be played by.
        open: the participant whose seat waits for whoever comes by the link.
        pace: seconds from one computer's move to the next one's, at least.
        stepping: whether a paused game of computers runs for one move.
        again: the next game.
        notice: what everybody at the table should be told.
        preparing: whether the clocks wait until the engine can think.
        names: what the people on the seats are called, by participant; None for nothing.
        rematch: the participant who offers the other one another game, once this one is over.
        rated: the pool of ratings that the game changes; None for none.
        ratings: as they are shown at the seats, by participant: those before the game.
        tournament: the id of the tournament that the game belongs to.
        before: how it stood before a change of seats that can be taken back; None where there is none.
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
        """A token that plays a seat; only its hash is kept."""
        token = secrets.token_urlsafe(16)
        self.tokens[who] = [*self.tokens[who][1 - _TOKENS :], hashed(token)]
        return token

    def seats_of(self, visitor: str | None, hashes: Iterable[str] = ()) -> frozenset[int]:
        """The participants that somebody may act for: a visitor, or the bearer of tokens."""
        given = frozenset(hashes)
        return frozenset(
            who
            for who in BOTH
            if (visitor is not None and self.owners[who] == visitor) or given.intersection(self.tokens[who])
        )

    def visitors(self) -> frozenset[str]:
        """The visitors of whom the game says something."""
        return frozenset(who for who in (self.creator, *self.owners.values()) if who is not None)

    def give(self, who: int, visitor: str | None, hashes: Iterable[str]) -> None:
        """Let somebody own a seat beside those they own."""
        self.owners[who] = visitor
        self.tokens[who] = list(hashes)[-_TOKENS:]
        self.names[who] = self.ratings[who] = None

    def swap(self) -> None:
        """Let the owners of the seats exchange them."""
        first, second = BOTH
        self.owners = {first: self.owners[second], second: self.owners[first]}
        self.tokens = {first: self.tokens[second], second: self.tokens[first]}
        self.names = {first: self.names[second], second: self.names[first]}
        self.ratings = {first: self.ratings[second], second: self.ratings[first]}
        if self.open is not None:
            self.open = first + second - self.open

    def to_json(self) -> str:
        """The room_state as JSON text."""
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
        """The room_state that `to_json` wrote."""
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
            # Games that were kept before have none of these.
            data.get("preparing", False),
            dict(zip(BOTH, data.get("names", (None, None)), strict=True)),
            data.get("rematch"),
            data.get("rated"),
            dict(zip(BOTH, data.get("ratings", (None, None)), strict=True)),
            data.get("tournament"),
            None if data.get("before") is None else SeatsBefore(**data["before"]),
        )


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def is_unaided(session: Session, room_state: RoomState) -> bool:
    """Whether a game goes on in which nobody may be helped, by hints, explanations or analysis.

    That is where people in two places play each other, or one in a tournament. It holds for those who look
    on as well, as on Lichess: anybody can look on at his own game.
    """
    people = humans(session)
    if session.result is not None:
        return False
    if room_state.tournament is not None:
        return bool(people)
    first, second = (room_state.owners[who] for who in BOTH)
    return people == set(BOTH) and (room_state.open is not None or first is None or first != second)


def alone(session: Session, room_state: RoomState, visitor: str | None) -> int | None:
    """The seat of a visitor who plays one; None for one who plays both, or none, or for nobody."""
    own = [who for who in humans(session) - {room_state.open} if room_state.owners[who] == visitor]
    return own[0] if visitor is not None and len(own) == 1 else None


def detach(_: Session, room_state: RoomState, visitor: str) -> None:
    """Have a game say nothing of a visitor: its seats are nobody's, and no token plays them."""
    for who in BOTH:
        if room_state.owners[who] == visitor:
            room_state.give(who, None, ())
    if room_state.creator == visitor:
        room_state.creator = None


def seat_name(session: Session, room_state: RoomState, who: int) -> str | None:
    """What the person on a seat is called; None for a computer, or somebody without a name."""
    return room_state.names[who] if session.seats[who].occupant == HUMAN else None


def humans(session: Session) -> frozenset[int]:
    """The participants whose seats are played by people."""
    return frozenset(who for who, seat in session.seats.items() if seat.occupant == HUMAN)


def _message(data: Any) -> Any:
    """A message that `Message.to_dict` wrote, messages among its values included."""
    if isinstance(data, dict):
        return Message(data["key"], {name: _message(value) for name, value in data["values"].items()})
    return tuple(map(_message, data)) if isinstance(data, list) else data
