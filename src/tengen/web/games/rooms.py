"""The games of a server process: creating and finding rooms, rematches, and dropping idle games."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from tengen.arena.glicko2 import Glicko2
from tengen.game.board import Board
from tengen.game.errors import GameOver, NotAllowed
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.web.computing import thinking_costs
from tengen.web.computing.board_json import COLOURS, Json
from tengen.web.computing.search_pool import SearchPool
from tengen.web.computing.spec_policy import allowed_occupant
from tengen.web.games import tables
from tengen.web.games.client_messages import Sender, offer_rematch
from tengen.web.games.computer import clocks_wait
from tengen.web.games.processes import OtherProcesses
from tengen.web.games.ratings import MOST_A_DAY, rating_json
from tengen.web.games.repository import GameRepository
from tengen.web.games.room import Room
from tengen.web.games.room_state import BOTH, RoomState, alone, detach, humans
from tengen.web.games.seat_changes import close_seat
from tengen.web.games.snapshot import Snapshot
from tengen.web.games.tables import StoredGame, Storer
from tengen.web.games.visitor_rows import VisitorData
from tengen.web.transport.bus import MISSED, Bus
from tengen.web.transport.http_errors import NoSuchGame, Refused, WrongFields
from tengen.web.transport.limits import Limits, Quota, Rate
from tengen.words import Message, TengenError

HEARTBEAT = 10.0
"""Seconds between two heartbeats to the other server processes."""

_BEATS = 3.5
"""The number of missed heartbeats after which a process is considered dead."""

IDLE = 60.0
"""Seconds without activity after which a game is dropped from memory."""

_PHRASES = Quota(Rate(4, 0.2))
"""The rate limit on a seat's phrases: a burst of four, then one every five seconds."""

_RENAMED = 20
"""The most running games of a visitor, most recently changed first, in which a new name is shown."""

Keep: TypeAlias = Callable[[StoredGame], Awaitable[None]]
KeepAll: TypeAlias = Callable[[list[StoredGame]], Awaitable[None]]

_log = logging.getLogger("tengen.web")


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options of a new game.

    Attributes:
        start: the initial board.
        black: Black's occupant, ``human`` or a player's spec.
        white: White's occupant, ``human`` or a player's spec.
        take_backs: the number of take-backs per side; None for no limit.
        opening: an opening rule, or None.
        clock: the time control as text, or None.
        open: the participant whose seat is open to the first visitor who joins by the link, or None.
        pace: the minimum number of seconds between the moves of computers.
    """

    start: Board
    black: str = HUMAN
    white: str = HUMAN
    take_backs: int | None = 5
    opening: str | None = None
    clock: str | None = None
    open: int | None = None
    pace: float = 0.0


@dataclass(frozen=True, slots=True)
class CreatedGame:
    """A new game: its id, its state, and the tokens of its creator's seats by participant."""

    id: str
    tokens: dict[int, str | None]
    state: Json

    def to_dict(self) -> Json:
        """Return the game as JSON for the browser."""
        seats = {COLOURS[who]: self.tokens[who] for who in BOTH}
        return {"id": self.id, "seats": seats, "state": self.state}


class Rooms:
    """The games of one server process.

    Args:
        repository: the storage of games.
        bus: the message bus between server processes.
        search_pool: the pool in which computer players think.
        idle: seconds after which an idle game is dropped from memory.
        heartbeat: seconds between two heartbeats to the other processes.

    Attributes:
        name: the name of this process in leases and messages.
        started: the start of this process, in Unix seconds.
        phrases: the rate limit on phrases, by seat; it applies on private servers too.
    """

    def __init__(
        self,
        repository: GameRepository,
        bus: Bus,
        search_pool: SearchPool,
        *,
        idle: float = IDLE,
        heartbeat: float = HEARTBEAT,
    ) -> None:
        self.repository = repository
        self.search_pool = search_pool
        self.name = secrets.token_hex(8)
        self.started = time.time()
        self.phrases = Limits({"phrase": _PHRASES})
        self._bus = bus
        self._idle = idle
        self._rooms: dict[str, Room] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._heartbeat = heartbeat
        self._others = OtherProcesses(_BEATS * heartbeat)
        self._upkeep: list[asyncio.Task[None]] = []
        self._unsubscribe = bus.subscribe(self._hear)

    async def start(self) -> None:
        """Start the background tasks: dropping idle games, and sending heartbeats."""
        self._upkeep = [self.spawn(self._sweep()), self.spawn(self._beat())]

    async def close(self) -> None:
        """Stop all thinking and save the time left on running clocks. May be called twice."""
        self._unsubscribe()
        for task in self._upkeep:
            task.cancel()
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        self._rooms.clear()
        # Wait for pending writes; all other tasks have been cancelled.
        while tasks := [task for task in self._tasks if not task.done()]:
            await asyncio.wait(tasks, timeout=5.0)
            for task in tasks:
                task.cancel()

    def __len__(self) -> int:
        return len(self._rooms)

    @contextmanager
    def room(self, game: str) -> Iterator[Room]:
        """Yield a game's room; whether the game exists is checked only when the room loads it."""
        if (room := self._rooms.get(game)) is None:
            room = self._rooms[game] = Room(game, self)
        room.holders += 1
        try:
            yield room
        finally:
            room.holders -= 1
            if not room.exists and not room.holders and self._rooms.get(game) is room:
                del self._rooms[game]

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a background task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("task_failed", exc_info=error)

    # Creating games

    async def create(self, options: GameOptions, sender: Sender) -> CreatedGame:
        """Begin a game.

        Args:
            options: the game's options.
            sender: the creator, who owns the human seats except the open seat.

        Raises:
            WrongFields: a player is not allowed, or the open seat is a computer's.
            RulesError: the opening, the clock or the number of take-backs is invalid.
            TooManyRequests: the sender's quota does not cover the thinking.
        """
        rules = options.start.rules
        specs = {FIRST: options.black, SECOND: options.white}
        if options.open is not None and specs[options.open] != HUMAN:
            raise WrongFields("error.web.open")
        session = Session(
            rules,
            allowed_occupant(options.black, rules),
            allowed_occupant(options.white, rules),
            options.opening,
            options.clock,
            options.take_backs,
            take_back_unit=None,
            consent=options.open is not None,
            start=options.start,
        )
        room_state = RoomState(creator=sender.visitor, pace=options.pace, open=options.open)
        tokens: dict[int, str | None] = dict.fromkeys(BOTH)
        for who in BOTH:
            if specs[who] == HUMAN and who != options.open:
                room_state.owners[who] = sender.visitor
                tokens[who] = room_state.new_token(who)
        if session.control is not None and options.open is not None and session.result is None:
            session.pause()  # no clock runs before the opponent has joined
        return await self._begin(session, room_state, tokens, sender)

    async def create_between(
        self,
        game: str,
        session: Session,
        owners: dict[int, str],
        sender: Sender,
        keep: Keep,
        rated: str | None,
    ) -> CreatedGame:
        """Begin a game between two visitors.

        Args:
            game: the game's unguessable id.
            session: the game.
            owners: the visitors' ids, by participant.
            sender: the visitor who requests the game.
            keep: stores the game, or raises if it cannot begin.
            rated: the rating pool of the game; None for an unrated game.

        Raises:
            TengenError: raised by `keep`.
        """
        room_state = RoomState(owners=dict(owners), rated=rated)
        tokens = _tokens(session, room_state, sender)
        return await self._begin(session, room_state, tokens, sender, keep, game)

    async def _begin(
        self,
        session: Session,
        room_state: RoomState,
        tokens: dict[int, str | None],
        sender: Sender,
        keep: Keep | None = None,
        game: str | None = None,
    ) -> CreatedGame:
        """Store a new game, add it to its players' lists, and start it."""
        sender.pay(thinking_costs.next_turn(session) + thinking_costs.fouls(session.rules))
        snapshot = await self._prepared(session, room_state, game)
        await (keep or self.repository.create)(replace(snapshot.to_stored(), storer=sender.storer))
        if room_state.rated is not None:
            with suppress(TengenError):  # the game is stored, even if this record fails
                await self.repository.note_rated_meeting(_owners(room_state))
        return CreatedGame(snapshot.id, tokens, await self._entered(snapshot, sender))

    async def create_all(self, games: Sequence[tuple[Session, RoomState]], keep: KeepAll) -> None:
        """Begin several games at once without charging any quota.

        Args:
            games: the sessions, each with its room state.
            keep: stores all games and adds them to their players' lists, or raises if they cannot begin.

        Raises:
            TengenError: raised by `keep`.
        """
        snapshots = [await self._prepared(session, room_state) for session, room_state in games]
        await keep([snapshot.to_stored() for snapshot in snapshots])
        for snapshot in snapshots:
            with self.room(snapshot.id) as room:
                await room.begin(snapshot, Sender())

    async def _prepared(self, session: Session, room_state: RoomState, game: str | None = None) -> Snapshot:
        """Return a new game ready to be stored, with names, and paused if the engine is not ready."""
        await self._introduce(session, room_state)
        if clocks_wait(session, self.search_pool.warmup):
            session.pause()
            room_state.preparing = True
        now = time.time()
        return Snapshot(game or tables.new_id(), session, room_state, 1, now, now)

    async def _entered(self, snapshot: Snapshot, sender: Sender) -> Json:
        """Add a stored new game to its players' lists, start it, and return its state."""
        game, room_state = snapshot.id, snapshot.room_state
        lists: dict[str, int | None] = {} if room_state.creator is None else {room_state.creator: None}
        for who in reversed(BOTH):
            if (owner := room_state.owners[who]) is not None:
                lists[owner] = who
        await asyncio.gather(*(self.repository.join(game, visitor, who) for visitor, who in lists.items()))
        with self.room(game) as room:
            return await room.begin(snapshot, sender)

    async def _introduce(self, session: Session, room_state: RoomState) -> None:
        """Set the names and ratings of the visitors who own one seat each.

        A rated game becomes unrated if one of the players has turned ratings off, or if the two have
        reached the daily limit of rated games against each other; then a notice is shown to both.
        """
        owners = _owners(room_state)
        known = await self.repository.visitors(owners)
        room_state.names = dict.fromkeys(BOTH)
        for owner in owners & known.keys():
            if (who := alone(session, room_state, owner)) is not None:
                room_state.names[who] = known[owner].name or None
        willing = [owner for owner in owners if known.get(owner, VisitorData()).rated]
        if room_state.rated is None or len(willing) < len(BOTH):
            room_state.rated, room_state.ratings = None, dict.fromkeys(BOTH)
            return
        if await self.repository.rated_meetings(owners) >= MOST_A_DAY:
            room_state.rated, room_state.ratings = None, dict.fromkeys(BOTH)
            room_state.notice = Message("web.play.rated_enough", {"most": MOST_A_DAY})
            return
        ratings = await self.repository.ratings(owners)
        for who in BOTH:
            known_ratings = ratings.get(room_state.owners[who] or "", {})
            room_state.ratings[who] = rating_json(known_ratings.get(room_state.rated, Glicko2()))

    async def rename(self, visitor: str, name: str, storer: Storer | None = None) -> None:
        """Change a visitor's name, in its running games too.

        Args:
            visitor: the visitor's id.
            name: the new name, already checked; empty for none.
            storer: the account to charge; see `visitor_rows.change_visitor`.

        Raises:
            Refused: the account has reached its storage limit.
            StoreError: the database does not answer.
        """

        def change(session: Session, room_state: RoomState) -> None:
            who = alone(session, room_state, visitor)
            if who is not None and session.result is None:
                room_state.names[who] = name or None

        await self.repository.change_visitor(visitor, name=name, storer=storer)
        games, _ = await self.repository.games_of(visitor, status="running", limit=_RENAMED)
        for game in games:
            with suppress(TengenError), self.room(game.id) as room:
                await room.act(change)

    async def forget_visitor(self, visitor: str) -> None:
        """Remove a visitor from all games, and delete all other data stored about it.

        It first resigns its running games against other people; the loss counts for both players' ratings.

        Raises:
            StoreError: the database does not answer.
        """
        after = ""
        while games := await self.repository.games_naming(visitor, after):
            after = games[-1]
            for game in games:
                with suppress(NoSuchGame), self.room(game) as room:
                    with suppress(NotAllowed, GameOver):
                        await room.act(partial(resign_for, visitor=visitor))
                    await room.act(partial(detach, visitor=visitor))
        await self.repository.forget_visitor(visitor)

    async def join(self, game: str, sender: Sender) -> Json:
        """Take the open seat; a sender that already has a seat receives a new token for it.

        Raises:
            NoSuchGame: the game does not exist.
            Refused: no seat is open.
        """

        def change(session: Session, room_state: RoomState) -> tuple[int, str]:
            own = sender.seats(room_state)
            if own:
                return min(own), room_state.new_token(min(own))
            if room_state.open is None:
                raise Refused("error.web.full")
            who = room_state.open
            room_state.give(who, sender.visitor, ())
            room_state.names[who] = name
            close_seat(session, room_state)
            return who, room_state.new_token(who)

        def pay(session: Session) -> None:
            sender.pay(thinking_costs.turn(session) if session.paused else 0.0)

        name = None
        if sender.visitor is not None:
            name = (await self.repository.visitor(sender.visitor)).name or None
        with self.room(game) as room:
            who, token = await room.act(change, pay)
            if sender.visitor is not None:
                await self.repository.join(game, sender.visitor, who)
            return {"participant": who, "token": token, "state": await room.state()}

    async def again(self, game: str, sender: Sender, *, swap: bool) -> CreatedGame | None:
        """Begin another game with the same settings, or return the next game if it exists already.

        Where two people play from different browsers, the first request offers a rematch, the second
        accepts it, and the seats are exchanged.

        Args:
            game: the id of the present game.
            sender: a player, or the game's creator.
            swap: whether to exchange the seats; between two people they are always exchanged.

        Returns:
            The next game; None if it has only been offered and the opponent has to answer.

        Raises:
            NoSuchGame: the game does not exist.
            NeedsToken, NotYourSeat: the sender is not a player.
            Refused: another person plays and the game is not over.
        """

        def prepare(session: Session, room_state: RoomState) -> tuple[Session, RoomState, str | None]:
            new, seats = session.again(), RoomState.from_json(room_state.to_json())
            seats.again = seats.notice = seats.rematch = seats.before = None
            seats.stepping = seats.preparing = False
            if swap or not sender.controls(session, room_state):
                new.swap_sides()
                seats.swap()
            return new, seats, room_state.again

        with self.room(game) as room:
            async with room.beginning:
                if not await room.act(
                    lambda session, room_state: offer_rematch(session, room_state, sender)
                ):
                    return None
                session, seats, known = await room.look(prepare)
                if known is None:
                    tokens = _tokens(session, seats, sender)
                    made = await self._begin(session, seats, tokens, sender)
                    known = await room.act(lambda _, room_state: _first(room_state, made.id))
                    if known == made.id:
                        return made
        return await self.come_back(known, sender)

    async def come_back(self, game: str, sender: Sender) -> CreatedGame:
        """Return an existing game as `create` does, with new tokens for the sender's seats.

        Raises:
            NoSuchGame: the game does not exist.
        """
        with self.room(game) as room:
            tokens = await room.act(lambda session, room_state: _tokens(session, room_state, sender))
            return CreatedGame(game, tokens, await room.state())

    # Between processes

    async def publish(self, game: str, message: Json) -> None:
        """Publish a message about a game to the other processes."""
        await self._bus.publish(game, {"from": self.name, **message})

    def _hear(self, game: str, message: Json) -> None:
        origin = message.get("from")
        if message == MISSED:
            for room in tuple(self._rooms.values()):
                self.spawn(room.catch_up())
        elif isinstance(origin, str) and origin != self.name:
            if self._others.heard(origin):
                # The process was only slow, and its clients have been forgotten here.
                self.spawn(self.publish("", {"do": "announce", "to": origin}))
            if game:
                if (known := self._rooms.get(game)) is not None:
                    known.hear(origin, message)
            elif (message.get("do"), message.get("to")) == ("announce", self.name):
                for room in tuple(self._rooms.values()):
                    self.spawn(room.announce())

    async def _beat(self) -> None:
        """Send heartbeats to the other processes for ever, and forget the clients of dead processes."""
        while True:
            with suppress(TengenError, OSError):
                await self.publish("", {"do": "live"})
            await asyncio.sleep(self._heartbeat)
            for name in self._others.expired():
                _log.warning("process_lost", extra={"server": name})
                for room in tuple(self._rooms.values()):
                    room.subscribers.forget_process(name)

    # Dropping idle games

    async def _sweep(self) -> None:
        """Drop idle games from memory at intervals, for ever."""
        while True:
            await asyncio.sleep(min(10.0, self._idle / 4))
            with suppress(RuntimeError):
                self.sweep()

    def sweep(self) -> None:
        """Drop idle games from memory."""
        for room in tuple(self._rooms.values()):
            if room.is_idle(self._idle):
                room.drop()
                if not room.exists:
                    del self._rooms[room.id]


def resign_for(session: Session, room_state: RoomState, visitor: str) -> None:
    """Resign on behalf of a visitor, if it plays a running game against another person.

    Raises:
        NotAllowed, GameOver: the session does not allow it now.
    """
    who = alone(session, room_state, visitor)
    if who is not None and session.result is None and humans(session) - {room_state.open} == set(BOTH):
        session.resign(who)


def _first(room_state: RoomState, game: str) -> str:
    """Set `game` as the next game unless another process was first; return the next game's id."""
    room_state.again, room_state.rematch = room_state.again or game, None
    return room_state.again


def _owners(room_state: RoomState) -> set[str]:
    return {owner for owner in room_state.owners.values() if owner is not None}


def _tokens(session: Session, room_state: RoomState, sender: Sender) -> dict[int, str | None]:
    """Return new tokens for the sender's human seats; None for the other seats."""
    own = sender.seats(room_state)
    return {
        who: room_state.new_token(who) if who in own and session.seats[who].occupant == HUMAN else None
        for who in BOTH
    }
