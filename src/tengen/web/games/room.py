"""One game that is being played: its session, who looks on, and the computer that thinks.

A room has one writer at a time, by its lock. A change is made on the session, saved as the next version,
and only then told. Where another process has saved first, the game is loaded again and the change made on
that. What is in memory is never more than a copy: an idle game is dropped from it, though its sockets stay.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from tengen.game.errors import TengenError
from tengen.game.points import BLACK
from tengen.game.session import Session
from tengen.web.games.client_messages import (
    GameMessage,
    Phrase,
    Sender,
    apply_message,
    speaker,
    thinking_cost,
)
from tengen.web.games.computer import Computer
from tengen.web.games.move_search import MoveSearch
from tengen.web.games.repository import GameRepository
from tengen.web.games.room_state import RoomState, is_unaided
from tengen.web.games.snapshot import Snapshot
from tengen.web.games.state_json import RoomView, state_json
from tengen.web.games.subscribers import Subscriber, Subscribers
from tengen.web.games.tables import Conflict
from tengen.web.server.board_json import Json, fouls_json, fouls_take_long
from tengen.web.server.http_errors import NoSuchGame, Refused
from tengen.web.server.limits import Limits
from tengen.web.server.search_pool import SearchPool
from tengen.web.server.shielded import shielded

T = TypeVar("T")
Doing = Callable[[Session, RoomState], T]

_ATTEMPTS = 8
"""How often a change is made anew because another process was first."""

_RESTED = 3600.0
"""Seconds without a change after which it is noted that somebody opens a game, so that it is not deleted
meanwhile: more than an unused game stays in memory, and less than a day, after which it may be deleted."""

_LATE = 0.01
"""Seconds after a clock has run out when it is looked at."""


class RoomHost(Protocol):
    """What a room needs of its server process; see `tengen.web.games.rooms.Rooms`.

    Attributes:
        repository: where games are kept.
        search_pool: where players think.
        name: of this server process.
        started: when it began, in Unix seconds.
        phrases: how much may be said, by seat.
    """

    repository: GameRepository
    search_pool: SearchPool
    name: str
    started: float
    phrases: Limits

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside all else."""

    async def publish(self, game: str, message: Json) -> None:
        """Tell the other processes something about a game."""


class Room:
    """A game and those who are connected to it.

    Args:
        game: its id.
        rooms: all games of this server process.

    Attributes:
        id: the game's.
        subscribers: those who are connected.
        holders: how many use it just now.
        beginning: held by whoever begins the next game, so that there is one.
    """

    __slots__ = (
        "_computer",
        "_lock",
        "_rooms",
        "_snapshot",
        "_stale",
        "_timer",
        "_used",
        "beginning",
        "holders",
        "id",
        "subscribers",
    )

    def __init__(self, game: str, rooms: RoomHost) -> None:
        self.id = game
        self.subscribers = Subscribers(self._publish)
        self.holders = 0
        self.beginning = asyncio.Lock()
        self._rooms = rooms
        self._used = time.monotonic()
        self._lock = asyncio.Lock()
        self._snapshot: Snapshot | None = None
        self._stale = False
        self._computer = Computer(self)
        self._timer: asyncio.TimerHandle | None = None

    # The server process

    @property
    def repository(self) -> GameRepository:
        """Where games are kept."""
        return self._rooms.repository

    @property
    def search_pool(self) -> SearchPool:
        """Where players think."""
        return self._rooms.search_pool

    @property
    def process(self) -> str:
        """The name of this server process."""
        return self._rooms.name

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside all else."""
        return self._rooms.spawn(work)

    async def _publish(self, message: Json) -> None:
        """Tell the other processes; that they cannot be reached is no reason to refuse a move."""
        with suppress(TengenError, OSError):
            await self._rooms.publish(self.id, message)

    # What there is to see

    @property
    def version(self) -> int:
        """The version of the game that is in memory; 0 if none is."""
        return 0 if self._snapshot is None else self._snapshot.version

    async def state(self, sender: Sender | None = None) -> Json:
        """The state as it is now. Computers alone at the table go on, because somebody looks.

        Args:
            sender: who looks.

        Raises:
            NoSuchGame: there is no such game.
        """
        self.subscribers.looked(sender)
        async with self._lock:
            snapshot = await self._fresh()
            self._follow(snapshot)
            return self._state(snapshot)

    async def look(self, see: Doing[T]) -> T:
        """What `see` makes of the game, which it may not change.

        Raises:
            NoSuchGame: there is no such game.
        """
        async with self._lock:
            snapshot = await self._fresh()
            return see(snapshot.session, snapshot.room_state)

    def _state(self, snapshot: Snapshot) -> Json:
        room_state = snapshot.room_state
        connected, watchers = self.subscribers.present()
        view = RoomView(
            self.id,
            snapshot.version,
            snapshot.created,
            snapshot.updated,
            room_state.pace,
            room_state.open,
            room_state.stepping,
            room_state.preparing,
            room_state.again,
            room_state.notice,
            connected,
            watchers,
            room_state.names,
            room_state.rematch,
            room_state.rated,
            room_state.ratings,
            room_state.tournament,
            is_unaided(snapshot.session, room_state),
            room_state.before is not None,
        )
        return state_json(snapshot.session, view)

    # Changing it

    async def begin(self, snapshot: Snapshot, sender: Sender) -> Json:
        """The state of a game that somebody has just made, and goes on from here."""
        self.subscribers.looked(sender)
        async with self._lock:
            await _find_fouls(snapshot)
            self._snapshot = snapshot
            self._follow(snapshot)
            return self._state(snapshot)

    async def apply(self, message: GameMessage, sender: Sender) -> int:
        """Carry out what a client asks.

        Returns:
            The version that came of it.

        Raises:
            TengenError: it may not be done, or not now.
        """
        await self.act(
            lambda session, room_state: apply_message(
                message, session, room_state, self.version, sender, self.subscribers.away()
            ),
            lambda session: sender.pay(thinking_cost(message, session)),
        )
        return self.version

    async def act(self, change: Doing[T], pay: Callable[[Session], object] = lambda _: None) -> T:
        """Change the game, keep it, and tell everybody.

        Args:
            change: does it; it may be called more than once. If it raises, and nothing has happened in the
                session by then, nothing is changed.
            pay: called once, before; if it raises, nothing is changed.

        Raises:
            NoSuchGame: there is no such game.
            Refused: other processes change it all the time.
            TengenError: what the change raises.
        """
        # A change that has begun is brought to its end, whoever waits for it.
        return await shielded(asyncio.ensure_future(self._act(change, pay)))

    async def _act(self, change: Doing[T], pay: Callable[[Session], object]) -> T:
        async with self._lock:
            pay((await self._fresh()).session)
            for _ in range(_ATTEMPTS):
                snapshot = await self._fresh()
                with suppress(Conflict):
                    return await self._changed(snapshot, change)
        raise Refused("error.web.busy")

    async def _changed(self, snapshot: Snapshot, change: Doing[T]) -> T:
        """Make a change and save what came of it: a flag that fell meanwhile too, where it is refused."""
        session, room_state = snapshot.session, snapshot.room_state
        before, seats, notice = len(session.events), room_state.to_json(), room_state.notice
        try:
            answer = change(session, room_state)
        except TengenError:
            snapshot.room_state = RoomState.from_json(seats)
            if len(session.events) != before:
                await self._save(snapshot, given=False)
            raise
        except BaseException:
            self._snapshot = None
            raise
        happened = len(session.events) != before
        if happened and room_state.notice is notice:
            room_state.notice = None  # it was about what went before
        if happened or room_state.to_json() != seats:
            await self._save(snapshot, given=room_state.to_json() != seats)
        return answer

    async def _save(self, snapshot: Snapshot, *, given: bool) -> None:
        try:
            await snapshot.save_in(self.repository)
        except BaseException:
            # What is in memory is not what is kept.
            self._snapshot = None
            raise
        await _find_fouls(snapshot)
        self._tell(snapshot, given=given)
        tournament = snapshot.room_state.tournament
        over = {} if tournament is None or snapshot.session.result is None else {"over": tournament}
        await self._publish({"version": snapshot.version, **over})
        self._follow(snapshot)

    async def _fresh(self) -> Snapshot:
        """The game, snapshot if need be; the lock is held."""
        self._used = time.monotonic()
        known = self._snapshot
        if known is not None and not self._stale:
            return known
        self._stale = False
        kept = await self.repository.load(self.id)
        if kept is None:
            raise NoSuchGame("error.web.no_game")
        if known is not None and known.version == kept.version:
            return known
        if kept.updated < time.time() - _RESTED and not await self.repository.note_opened(self.id):
            raise NoSuchGame("error.web.no_game")
        snapshot = Snapshot.from_stored(kept, self._rooms.started)
        await _find_fouls(snapshot)
        self._snapshot = snapshot
        if known is not None:
            self._tell(snapshot, given=True)
        self._follow(snapshot)
        return snapshot

    def _tell(self, snapshot: Snapshot, *, given: bool) -> None:
        if self.subscribers.clients:
            self.subscribers.send_state(self._state(snapshot), snapshot.room_state, given=given)

    # What follows from how the game stands

    def _follow(self, snapshot: Snapshot) -> None:
        """Set the clock's alarm, and have a computer think whose turn it is."""
        self._set_alarm(snapshot)
        self._computer.follow(snapshot)

    def _set_alarm(self, snapshot: Snapshot) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        session, actor = snapshot.session, snapshot.session.actor
        if actor is None or session.paused or session.control is None:
            return
        left = session.time_left(actor) or 0.0
        self._timer = asyncio.get_running_loop().call_later(left + _LATE, self._alarm)

    def _alarm(self) -> None:
        self._timer = None
        self.spawn(self._flag())

    async def _flag(self) -> None:
        """See whether a flag has fallen; if not, a period of byo-yomi has begun."""
        with suppress(TengenError):
            await self.act(lambda session, _: session.check_time())
            async with self._lock:
                if self._snapshot is not None and self._timer is None:
                    self._set_alarm(self._snapshot)

    # The computer

    async def resume(self) -> None:
        """Let a computer think whose turn it is.

        Raises:
            NoSuchGame: there is no such game.
        """
        async with self._lock:
            self._follow(await self._fresh())

    async def hurry(self, sender: Sender) -> None:
        """Have a computer that thinks answer at once, in whichever process.

        Raises:
            NeedsToken, NotYourSeat: only players may.
            Refused: it is a game of a tournament.
        """
        await self.look(sender.check_hurries)
        self._computer.hurry()
        await self._publish({"do": "hurry"})

    async def hint(self, sender: Sender, hold: Callable[[MoveSearch], object] = lambda _: None) -> Json:
        """What somebody strong would do now; see `Computer.hint`."""
        return await self._computer.hint(sender, hold)

    async def say(self, phrase: Phrase, sender: Sender) -> None:
        """Tell everybody at the table, in whichever process, what one person says to the other.

        Raises:
            NeedsToken, NotYourSeat: only players may.
            Refused: there is nobody on the other seat.
            TooManyRequests: it has said much lately.
        """
        by = await self.look(lambda session, room_state: speaker(session, room_state, sender))
        self._rooms.phrases.spend("phrase", f"{self.id} {by}")
        await self.subscribers.send_everywhere({"type": "phrase", "by": by, "phrase": phrase})

    # Coming and going

    async def attach(self, client: Subscriber) -> list[Json]:
        """Connect somebody.

        Returns:
            What it is told first.

        Raises:
            NoSuchGame: there is no such game.
        """
        async with self._lock:
            snapshot = await self._fresh()
            first = not self.subscribers.clients
            client.you = client.sender.seats(snapshot.room_state)
            self.subscribers.clients.add(client)
            self._follow(snapshot)
            state = self._state(snapshot)
            waiting = self._computer.waiting(snapshot)
        hello = {
            "type": "state",
            "state": state,
            "you": sorted(client.you),
            "made": client.sender.made(snapshot.room_state),
            "now": time.time(),
        }
        self.spawn(self.subscribers.announce_presence(ask=first))
        return [hello] if waiting is None else [hello, waiting]

    async def detach(self, client: Subscriber) -> None:
        """Somebody has gone."""
        if client in self.subscribers.clients:
            self.subscribers.clients.discard(client)
            self.subscribers.looked(client.sender)
            await self.subscribers.announce_presence()

    def hear(self, origin: str, message: Json) -> None:
        """Something that another process says about the game."""
        if "version" in message:
            if self.version < message["version"]:
                self.spawn(self.refresh())
        elif "connected" in message:
            if self.subscribers.hear_presence(origin, message):
                self.spawn(self.subscribers.announce_presence())
        elif "say" in message:
            self.subscribers.send(message["say"])
        elif message.get("do") == "hurry":
            self._computer.hurry()

    async def refresh(self) -> None:
        """Load what another process has saved, and tell those who are connected here."""
        self._stale = True
        if not (self.subscribers.clients or self._computer.busy or self._timer):
            return
        with suppress(TengenError):
            async with self._lock:
                known = self._snapshot is not None
                snapshot = await self._fresh()
                if not known:
                    self._tell(snapshot, given=True)

    async def catch_up(self) -> None:
        """Find out what other processes have said while this one could not hear them."""
        await self.refresh()
        self.subscribers.forget_process()
        await self.announce(ask=True)

    async def announce(self, *, ask: bool = False) -> None:
        """Tell the other processes who is connected here, if anybody is; see `Subscribers`."""
        if self.subscribers.clients:
            await self.subscribers.announce_presence(ask=ask)

    # Leaving memory

    @property
    def exists(self) -> bool:
        """Whether there is more to the room than its id."""
        return bool(self._snapshot or self.subscribers or self._timer or self._lock.locked())

    def is_idle(self, seconds: float) -> bool:
        """Whether nothing has happened for some time, and nothing is about to."""
        busy = self.holders or self._lock.locked() or self._computer.busy
        return not busy and time.monotonic() - self._used > seconds

    def drop(self) -> None:
        """Forget the game; its alarm and those who are connected stay."""
        self._snapshot = None

    async def close(self) -> None:
        """Stop thinking, and keep how far a running clock is."""
        self._computer.stop()
        async with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                with suppress(TengenError):
                    await self._keep_clock()
            self._snapshot = self._timer = None

    async def _keep_clock(self) -> None:
        kept = None if self._snapshot is not None else await self.repository.load(self.id)
        snapshot = self._snapshot if kept is None else Snapshot.from_stored(kept, self._rooms.started)
        if snapshot is not None:
            await snapshot.save_in(self.repository)


async def _find_fouls(snapshot: Snapshot) -> None:
    """Find the fouls that the state tells of beside the event loop, where that may take long."""
    board = snapshot.session.board
    if fouls_take_long(board.rules) and board.turn == BLACK:
        await asyncio.to_thread(fouls_json, board.copy())
