"""All games of a server process: found, made, begun again, and forgotten when nothing happens in them."""

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
from tengen.web.server import thinking_costs
from tengen.web.server.board_json import COLOURS, Json
from tengen.web.server.bus import MISSED, Bus
from tengen.web.server.http_errors import NoSuchGame, Refused, WrongFields
from tengen.web.server.limits import Limits, Quota, Rate
from tengen.web.server.search_pool import SearchPool
from tengen.web.server.spec_policy import allowed_occupant
from tengen.words import Message, TengenError

HEARTBEAT = 10.0
"""Seconds between two signs of life to the other server processes."""

_BEATS = 3.5
"""Signs of life without which a process is taken for dead."""

IDLE = 60.0
"""Seconds without anything happening after which a game leaves the memory."""

_PHRASES = Quota(Rate(4, 0.2))
"""What somebody may say in a game: so many phrases at once, and then one in five seconds."""

_RENAMED = 20
"""The most games of a visitor, those changed last, that have its new name."""

Keep: TypeAlias = Callable[[StoredGame], Awaitable[None]]
KeepAll: TypeAlias = Callable[[list[StoredGame]], Awaitable[None]]

_log = logging.getLogger("tengen.web")


@dataclass(frozen=True, slots=True)
class GameOptions:
    """A game that somebody wants to begin.

    Attributes:
        start: the board to begin from.
        black: ``human`` or a player's spec.
        white: likewise.
        take_backs: how many each side has; None is no limit.
        opening: an opening rule, or None.
        clock: the time control as text, or None.
        open: the participant whose seat waits for whoever comes by the link, or None.
        pace: seconds from one computer's move to the next one's, at least.
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
    """A game that has been made: its id, and the tokens of the seats that are whoever made it."""

    id: str
    tokens: dict[int, str | None]
    state: Json

    def to_dict(self) -> Json:
        """As the browser gets it."""
        seats = {COLOURS[who]: self.tokens[who] for who in BOTH}
        return {"id": self.id, "seats": seats, "state": self.state}


class Rooms:
    """The games of one server process.

    Args:
        repository: where games are kept.
        bus: what other processes say.
        search_pool: where players think.
        idle: seconds after which an idle game leaves the memory.
        heartbeat: seconds between two signs of life to the other processes.

    Attributes:
        name: of this process, for leases and messages.
        started: when it was, in Unix seconds.
        phrases: how much may be said, by seat: on servers of one's own too.
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
        """Begin to tidy up, and to tell the other processes that this one is alive."""
        self._upkeep = [self.spawn(self._sweep()), self.spawn(self._beat())]

    async def close(self) -> None:
        """Stop all thinking and keep how far running clocks are. May be called twice."""
        self._unsubscribe()
        for task in self._upkeep:
            task.cancel()
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        self._rooms.clear()
        # What is being written is waited for; all else has been cancelled.
        while tasks := [task for task in self._tasks if not task.done()]:
            await asyncio.wait(tasks, timeout=5.0)
            for task in tasks:
                task.cancel()

    def __len__(self) -> int:
        return len(self._rooms)

    @contextmanager
    def room(self, game: str) -> Iterator[Room]:
        """The room of a game; whether there is such a game shows when it is looked at."""
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
        """Do something beside all else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("task_failed", exc_info=error)

    # Making games

    async def create(self, options: GameOptions, sender: Sender) -> CreatedGame:
        """Begin a game.

        Args:
            options: which.
            sender: who begins it, and owns the seats of people.

        Raises:
            WrongFields: a player who may not sit down, or an open seat that is a computer's.
            RulesError: an opening, a clock or a number of take-backs that cannot be.
            TooManyRequests: a computer begins, and has been let think much lately.
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
            session.pause()  # no clock runs before the other one has come
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
        """Begin a game between two people in two places.

        Args:
            game: its id, that nobody can guess.
            session: the game.
            owners: the visitors, by participant.
            sender: the one of them who asks for it.
            keep: keeps the game, or raises why there is none after all.
            rated: the pool of ratings that it changes; None for none.

        Raises:
            TengenError: what `keep` raises.
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
        """Keep a new game, put it on the lists of its players, and let it go on."""
        sender.pay(thinking_costs.next_turn(session) + thinking_costs.fouls(session.rules))
        snapshot = await self._prepared(session, room_state, game)
        await (keep or self.repository.create)(replace(snapshot.to_stored(), storer=sender.storer))
        if room_state.rated is not None:
            with suppress(TengenError):  # the game is there, even if this is not noted
                await self.repository.note_rated_meeting(_owners(room_state))
        return CreatedGame(snapshot.id, tokens, await self._entered(snapshot, sender))

    async def create_all(self, games: Sequence[tuple[Session, RoomState]], keep: KeepAll) -> None:
        """Begin several games at once, which cost nobody anything.

        Args:
            games: the games, and who owns their seats.
            keep: keeps all of them and puts them on the lists of their players, or raises why there are
                none after all.

        Raises:
            TengenError: what `keep` raises.
        """
        snapshots = [await self._prepared(session, room_state) for session, room_state in games]
        await keep([snapshot.to_stored() for snapshot in snapshots])
        for snapshot in snapshots:
            with self.room(snapshot.id) as room:
                await room.begin(snapshot, Sender())

    async def _prepared(self, session: Session, room_state: RoomState, game: str | None = None) -> Snapshot:
        """A new game before it is kept: with names at its seats, and clocks that run when all can play."""
        await self._introduce(session, room_state)
        if clocks_wait(session, self.search_pool.warmup):
            session.pause()
            room_state.preparing = True
        now = time.time()
        return Snapshot(game or tables.new_id(), session, room_state, 1, now, now)

    async def _entered(self, snapshot: Snapshot, sender: Sender) -> Json:
        """The state of a new game that is kept, once it is on the lists of its players and goes on."""
        game, room_state = snapshot.id, snapshot.room_state
        lists: dict[str, int | None] = {} if room_state.creator is None else {room_state.creator: None}
        for who in reversed(BOTH):
            if (owner := room_state.owners[who]) is not None:
                lists[owner] = who
        await asyncio.gather(*(self.repository.join(game, visitor, who) for visitor, who in lists.items()))
        with self.room(game) as room:
            return await room.begin(snapshot, sender)

    async def _introduce(self, session: Session, room_state: RoomState) -> None:
        """Write on the seats of a game what those are called who own one each, and how they are rated.

        A game that was to be rated is not if one of them does not want that any more, or if the two have
        begun as many within a day as count, which both are told.
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
        """Give a visitor a name, in those of its games too that go on.

        Args:
            visitor: whose.
            name: the new one, checked; empty for none.
            storer: see `visitor_rows.change_visitor`.

        Raises:
            Refused: as there.
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
        """Have no game say anything of a visitor any more, and delete what else is kept of it.

        Where another person waits for its move, it resigns, and is rated for that as the other one is.

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
        """Take the open seat; whoever has a seat already gets it again.

        Raises:
            NoSuchGame: there is no such game.
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
        """Begin another game like this one; if somebody has already, that one.

        Where two people play from two places, nobody begins it alone: the first one offers it, the second
        one accepts, and the seats are exchanged.

        Args:
            game: its id.
            sender: who asks; one of the players, or who made the game.
            swap: whether the seats are exchanged; as above for two people.

        Returns:
            The game; None where it is offered, and the other one has to answer.

        Raises:
            NoSuchGame: there is no such game.
            NeedsToken, NotYourSeat: only players may.
            Refused: another person plays, and the game is not over.
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
        """A game that has begun, as whoever has begun it gets it, for one who plays in it.

        Raises:
            NoSuchGame: there is no such game.
        """
        with self.room(game) as room:
            tokens = await room.act(lambda session, room_state: _tokens(session, room_state, sender))
            return CreatedGame(game, tokens, await room.state())

    # Between processes

    async def publish(self, game: str, message: Json) -> None:
        """Tell the other processes something about a game."""
        await self._bus.publish(game, {"from": self.name, **message})

    def _hear(self, game: str, message: Json) -> None:
        origin = message.get("from")
        if message == MISSED:
            for room in tuple(self._rooms.values()):
                self.spawn(room.catch_up())
        elif isinstance(origin, str) and origin != self.name:
            if self._others.heard(origin):
                # It was only slow, and those who are connected to it have been forgotten here.
                self.spawn(self.publish("", {"do": "announce", "to": origin}))
            if game:
                if (known := self._rooms.get(game)) is not None:
                    known.hear(origin, message)
            elif (message.get("do"), message.get("to")) == ("announce", self.name):
                for room in tuple(self._rooms.values()):
                    self.spawn(room.announce())

    async def _beat(self) -> None:
        """Tell the other processes now and then that this one is alive, and forget those that are not."""
        while True:
            with suppress(TengenError, OSError):
                await self.publish("", {"do": "live"})
            await asyncio.sleep(self._heartbeat)
            for name in self._others.expired():
                _log.warning("process_lost", extra={"server": name})
                for room in tuple(self._rooms.values()):
                    room.subscribers.forget_process(name)

    # Forgetting

    async def _sweep(self) -> None:
        """Now and then drop the games in which nothing happens."""
        while True:
            await asyncio.sleep(min(10.0, self._idle / 4))
            with suppress(RuntimeError):
                self.sweep()

    def sweep(self) -> None:
        """Drop the games in which nothing happens."""
        for room in tuple(self._rooms.values()):
            if room.is_idle(self._idle):
                room.drop()
                if not room.exists:
                    del self._rooms[room.id]


def resign_for(session: Session, room_state: RoomState, visitor: str) -> None:
    """Have a visitor resign where it plays a game that goes on against another person.

    Raises:
        NotAllowed, GameOver: not now.
    """
    who = alone(session, room_state, visitor)
    if who is not None and session.result is None and humans(session) - {room_state.open} == set(BOTH):
        session.resign(who)


def _first(room_state: RoomState, game: str) -> str:
    """The next game: this one, unless another process was first."""
    room_state.again, room_state.rematch = room_state.again or game, None
    return room_state.again


def _owners(room_state: RoomState) -> set[str]:
    return {owner for owner in room_state.owners.values() if owner is not None}


def _tokens(session: Session, room_state: RoomState, sender: Sender) -> dict[int, str | None]:
    """New tokens for the seats that somebody plays."""
    own = sender.seats(room_state)
    return {
        who: room_state.new_token(who) if who in own and session.seats[who].occupant == HUMAN else None
        for who in BOTH
    }
