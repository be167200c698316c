"""A game: its session, the people on its seats, and its settings, without any server around it.

Commands (`tengen.web.games.commands`) change a game; what they have done leaves it as events
(`tengen.web.games.events`). Who may do what is decided here.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tengen.game.errors import NotAllowed, TengenError
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session import Session
from tengen.game.session_state import HUMAN, Event
from tengen.web.games.events import Ended, GameEvent, MovePlayed, SeatsChanged, TableChanged
from tengen.web.games.stored_game import Storer
from tengen.web.transport.errors import NeedsToken, NotYourSeat, Refused
from tengen.words import Message

BOTH = (FIRST, SECOND)

_TOKENS = 12
"""The most valid tokens per seat; the oldest expire first."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a command.

    Attributes:
        visitor: the browser's visitor id; None without a cookie.
        hashes: hashes of the seat tokens that it has presented.
        charge: charges a cost of thinking to the sender's quota; raises if the quota is exceeded.
        storer: the account to which stored games are charged; None where storage is not limited.
    """

    visitor: str | None = None
    hashes: tuple[str, ...] = ()
    charge: Callable[[float], object] = field(default=lambda _: None, compare=False)
    storer: Storer | None = field(default=None, compare=False)


@dataclass(slots=True)
class Holder:
    """The person who holds a seat, and the tokens that give access to it.

    Attributes:
        visitor: the visitor's id; None for no visitor.
        tokens: hashes of the tokens.
        name: the name that others see; None for no name.
        rating: the rating before the game as JSON data; None in an unrated game.
    """

    visitor: str | None = None
    tokens: list[str] = field(default_factory=list)
    name: str | None = None
    rating: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SeatsBefore:
    """The state of a game before a change of seats, from which the change can be undone.

    Attributes:
        session: the session's state, as made by `Session.moment`.
        swapped: whether the change exchanged the holders of the seats.
        open: the former `Game.open`.
        pace: the former `Game.pace`.
        preparing: the former `Game.preparing`.
    """

    session: str
    swapped: bool
    open: int | None
    pace: float
    preparing: bool


@dataclass(frozen=True, slots=True)
class Presence:
    """The connected clients of a game at a moment.

    Attributes:
        connected: the participants with a connected client.
        watchers: the number of connected spectators.
        away: seconds since each disconnected participant's last client left.
    """

    connected: frozenset[int] = frozenset()
    watchers: int = 0
    away: Mapping[int, float] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Settings:
    """The state of a game besides its session: its people and its settings.

    Attributes:
        creator: the visitor who made the game and controls it where no human plays; None for no visitor.
        holders: the people who hold the seats, by participant.
        open: the participant whose seat is open to the first visitor who joins by the link; None for none.
        pace: the minimum number of seconds between the moves of computers.
        stepping: whether a paused game between computers runs for one move.
        again: the id of the next game; None if there is none yet.
        notice: a notice for all clients of the game; None for none.
        preparing: whether the clocks wait until the engine is ready.
        rematch: the participant who offers a rematch after the end of the game; None for none.
        rated: the rating pool of the game; None for an unrated game.
        organiser: the id of the event that the game is part of, whose games no client controls; None for
            none.
        before: the state before the last change of seats, while it can be undone; else None.
    """

    creator: str | None = None
    holders: dict[int, Holder] = field(default_factory=lambda: {who: Holder() for who in BOTH})
    open: int | None = None
    pace: float = 0.0
    stepping: bool = False
    again: str | None = None
    notice: Message | None = None
    preparing: bool = False
    rematch: int | None = None
    rated: str | None = None
    organiser: str | None = None
    before: SeatsBefore | None = None

    def copy(self) -> Settings:
        """Return an independent copy."""
        holders = {who: replace(holder, tokens=list(holder.tokens)) for who, holder in self.holders.items()}
        return replace(self, holders=holders)


@dataclass(slots=True)
class Game:
    """A game.

    Attributes:
        id: the unguessable id.
        session: the game itself, with its players.
        settings: its people and its settings.
        version: a number that grows by one with every stored change.
        created: the time of creation, in Unix seconds.
        updated: the time of the last change, in Unix seconds.
        presence: the connected clients, as the server has last counted them.
        events: what has happened since the game was last stored.
    """

    id: str
    session: Session
    settings: Settings = field(default_factory=Settings)
    version: int = 1
    created: float = 0.0
    updated: float = 0.0
    presence: Presence = field(default_factory=Presence)
    events: list[GameEvent] = field(default_factory=list)

    # Changes

    def change(self, change: Callable[[Game], T]) -> T:
        """Apply a change, and record what it has done in `events`.

        Raises:
            TengenError: raised by `change`; then nothing has changed except that a flag may have fallen.
        """
        number, before, notice = len(self.session.events), self.settings.copy(), self.settings.notice
        try:
            answer = change(self)
        except TengenError:
            self.settings = before
            self._record(self.session.events[number:], before)
            raise
        happened = self.session.events[number:]
        if happened and self.settings.notice is notice:
            self.settings.notice = None  # the notice was about the previous state
        self._record(happened, before)
        return answer

    def _record(self, happened: tuple[Event, ...], before: Settings) -> None:
        for event in happened:
            if event.kind == "end" and self.session.result is not None:
                self.events.append(Ended(self.session.result))
            elif event.kind == "seat":
                self.events.append(SeatsChanged())
            else:
                moved = event.kind in ("move", "choice", "claim")
                self.events.append(MovePlayed(event.by) if moved else TableChanged())
        people = self.settings.holders, self.settings.creator
        if people != (before.holders, before.creator):
            self.events.append(SeatsChanged())
        elif self.settings != before:
            self.events.append(TableChanged())

    # Seats

    @property
    def humans(self) -> frozenset[int]:
        """The participants whose seats are taken by humans, or open to them."""
        return frozenset(who for who, seat in self.session.seats.items() if seat.occupant == HUMAN)

    @property
    def people(self) -> frozenset[int]:
        """The participants whose seats are taken by humans."""
        return self.humans - {self.settings.open}

    @property
    def visitors(self) -> frozenset[str]:
        """The visitors that the game refers to: its creator and the holders of its seats."""
        found = (self.settings.creator, *(holder.visitor for holder in self.settings.holders.values()))
        return frozenset(visitor for visitor in found if visitor is not None)

    @property
    def owners(self) -> frozenset[str]:
        """The visitors who hold its seats."""
        found = (holder.visitor for holder in self.settings.holders.values())
        return frozenset(visitor for visitor in found if visitor is not None)

    @property
    def has_begun(self) -> bool:
        """Return whether both sides have played a move or chosen an option."""
        return {action.by for action in self.session.actions} == set(BOTH)

    @property
    def is_unaided(self) -> bool:
        """Return whether a running game forbids help by hints, explanations or analysis.

        It does where two people play each other from different browsers, and where a person plays in an
        organised event. The ban includes spectators, as on Lichess, since players can watch their games.
        """
        if self.session.result is not None:
            return False
        if self.settings.organiser is not None:
            return bool(self.humans)
        first, second = (self.settings.holders[who].visitor for who in BOTH)
        apart = self.settings.open is not None or first is None or first != second
        return self.humans == set(BOTH) and apart

    def name(self, who: int) -> str | None:
        """Return the name of the person on a seat; None for a computer or a person without a name."""
        human = self.session.seats[who].occupant == HUMAN
        return self.settings.holders[who].name if human else None

    def new_token(self, who: int) -> str:
        """Return a new token that gives access to a seat; only its hash is stored."""
        token, holder = secrets.token_urlsafe(16), self.settings.holders[who]
        holder.tokens = [*holder.tokens[1 - _TOKENS :], hashed(token)]
        return token

    def new_tokens(self, sender: Sender) -> dict[int, str | None]:
        """Return new tokens for the sender's human seats; None for the other seats."""
        own = self.seats_of(sender) & self.humans
        return {who: self.new_token(who) if who in own else None for who in BOTH}

    def give(self, who: int, visitor: str | None, hashes: Iterable[str] = ()) -> None:
        """Transfer a seat to a new holder; its former holder and tokens lose it."""
        self.settings.holders[who] = Holder(visitor, list(hashes)[-_TOKENS:])

    def swap_holders(self) -> None:
        """Exchange the people on the seats, with their tokens, names and ratings."""
        settings = self.settings
        settings.holders = {FIRST: settings.holders[SECOND], SECOND: settings.holders[FIRST]}
        if settings.open is not None:
            settings.open = FIRST + SECOND - settings.open

    def close_seat(self) -> None:
        """Close the open seat, and resume a game that was paused until it was taken."""
        self.settings.open = None
        if self.session.paused:
            self.session.resume()

    def take_open_seat(self, sender: Sender, name: str | None) -> tuple[int, str]:
        """Seat the sender on the open seat; a sender that already has a seat receives a new token for it.

        Returns:
            The participant, and a token that gives access to its seat.

        Raises:
            Refused: no seat is open.
        """
        own = self.seats_of(sender)
        if own:
            return min(own), self.new_token(min(own))
        who = self.settings.open
        if who is None:
            raise Refused("error.web.full")
        self.give(who, sender.visitor)
        self.settings.holders[who].name = name
        self.close_seat()
        return who, self.new_token(who)

    # Permissions

    def seats_of(self, sender: Sender) -> frozenset[int]:
        """Return the participants that a sender may act for."""
        given, visitor = frozenset(sender.hashes), sender.visitor
        return frozenset(
            who
            for who, holder in self.settings.holders.items()
            if (visitor is not None and holder.visitor == visitor) or given.intersection(holder.tokens)
        )

    def own_seats(self, sender: Sender) -> frozenset[int]:
        """Return the participants that a sender may act for; refuse a sender without a seat.

        Raises:
            NeedsToken: the sender has no seat and presented no token.
            NotYourSeat: the sender presented tokens, but none of a seat of this game.
        """
        seats = self.seats_of(sender)
        if not seats:
            _refuse(sender)
        return seats

    def human_seat(self, sender: Sender) -> int | None:
        """Return the single human participant among the sender's seats; None if both seats are human.

        With None, the session determines the participant.

        Raises:
            NeedsToken, NotYourSeat: the sender is not a player, or computers occupy all of its seats.
        """
        people = self.humans & self.own_seats(sender)
        if not people:
            raise NotYourSeat("error.web.handed_over")
        return next(iter(people)) if len(people) == 1 else None

    def player(self, sender: Sender) -> int:
        """Return the participant for whom a sender plays: its only human seat, else the one to move.

        Raises:
            NeedsToken, NotYourSeat: as `human_seat`.
        """
        return self.human_seat(sender) or self.session.actor or FIRST

    def phrase_sender(self, sender: Sender) -> int:
        """Return the participant who sends a phrase to the person on the other seat.

        Raises:
            NeedsToken, NotYourSeat: the sender is not a player.
            Refused: no other person plays.
        """
        by = self.human_seat(sender)
        if by is None or self.people <= self.seats_of(sender):
            raise Refused("error.web.phrase")
        return by

    def seat_of(self, visitor: str | None) -> int | None:
        """Return the only seat that a visitor plays; None if it plays both or none, or for no visitor."""
        own = [who for who in self.people if self.settings.holders[who].visitor == visitor]
        return own[0] if visitor is not None and len(own) == 1 else None

    def is_made_by(self, sender: Sender) -> bool:
        """Return whether a sender made the game."""
        return sender.visitor is not None and sender.visitor == self.settings.creator

    def controls(self, sender: Sender) -> bool:
        """Return whether a sender controls the table.

        It does if it holds every seat taken by a human; in a game between computers, if it made the game or
        has a seat. No client controls a game of an organised event.
        """
        if self.settings.organiser is not None:
            return False
        if self.people:
            return self.people <= self.seats_of(sender)
        return self.is_made_by(sender) or bool(self.seats_of(sender))

    def check_controls(self, sender: Sender) -> None:
        """Check that a sender controls the table.

        Raises:
            NeedsToken, NotYourSeat: the sender has no seat in this game.
            Refused: another person plays too, or the game belongs to an organised event.
        """
        if self.controls(sender):
            return
        if self.settings.organiser is not None:
            raise Refused("error.web.tournament.game")
        if self.seats_of(sender):
            raise Refused("error.web.opponent")
        _refuse(sender)

    def check_hurries(self, sender: Sender) -> None:
        """Check that a sender may hurry a computer: it has a seat or controls the table.

        Raises:
            NeedsToken, NotYourSeat, Refused: as `check_controls`.
        """
        if not self.seats_of(sender) or self.settings.organiser is not None:
            self.check_controls(sender)

    def check_prepared(self) -> None:
        """Refuse to resume while the clocks wait for the engine.

        Raises:
            NotAllowed: the clocks wait.
        """
        if self.settings.preparing:
            raise NotAllowed("error.web.preparing")

    # The next game

    def offer_rematch(self, sender: Sender) -> bool:
        """Offer a rematch to the person on the other seat.

        Returns:
            True if the rematch begins: the opponent has offered one too, or the sender controls the table.

        Raises:
            NeedsToken, NotYourSeat: the sender is not a player.
            Refused: another person plays and the game is not over, or the game belongs to an event.
        """
        if self.controls(sender):
            return True
        if self.session.result is None or self.settings.organiser is not None:
            self.check_controls(sender)
        by = self.human_seat(sender)
        if self.settings.rematch in (None, by) and self.settings.again is None:
            self.settings.rematch = by
            return False
        return True

    def following(self, game: str, sender: Sender, *, swap: bool) -> Game:
        """Return the next game with the same settings, before its first move.

        Args:
            game: the id of the next game.
            sender: the sender who asks for it.
            swap: whether to exchange the seats; between two people they are always exchanged.
        """
        settings = replace(
            self.settings.copy(),
            again=None,
            notice=None,
            rematch=None,
            before=None,
            stepping=False,
            preparing=False,
        )
        following = Game(game, self.session.again(), settings)
        if swap or not self.controls(sender):
            following.session.swap_sides()
            following.swap_holders()
        return following

    def set_following(self, game: str) -> str:
        """Set the id of the next game unless there is one already; return the id of the next game."""
        self.settings.again, self.settings.rematch = self.settings.again or game, None
        return self.settings.again

    # Visitors who leave

    def rename(self, visitor: str, name: str | None) -> None:
        """Change the name of a visitor who plays one seat of a running game."""
        who = self.seat_of(visitor)
        if who is not None and self.session.result is None:
            self.settings.holders[who].name = name

    def resign_for(self, visitor: str) -> None:
        """Resign on behalf of a visitor, if it plays a running game against another person.

        Raises:
            NotAllowed, GameOver: the session does not allow it now.
        """
        who = self.seat_of(visitor)
        if who is not None and self.session.result is None and self.people == set(BOTH):
            self.session.resign(who)

    def detach(self, visitor: str) -> None:
        """Remove a visitor: its seats lose their holder, tokens, names and ratings."""
        for who, holder in self.settings.holders.items():
            if holder.visitor == visitor:
                self.give(who, None)
        if self.settings.creator == visitor:
            self.settings.creator = None


def hashed(token: str) -> str:
    """Return the hash by which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _refuse(sender: Sender) -> None:
    if not sender.hashes:
        raise NeedsToken("error.web.token")
    raise NotYourSeat("error.web.seat")
