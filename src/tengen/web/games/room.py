"""A room: one running game with its session, its connected clients and its computer players.

A room's lock admits one writer at a time. A change is applied to the session, saved as the next version and
only then broadcast. If another process has saved first, the game is reloaded and the change is applied
again. Memory holds only a copy of the stored game: an idle game is dropped, but its sockets stay connected.
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
from tengen.web.computing.board_json import Json, fouls_json, fouls_take_long
from tengen.web.computing.search_pool import SearchPool
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
from tengen.web.transport.http_errors import NoSuchGame, Refused
from tengen.web.transport.limits import Limits
from tengen.web.transport.shielded import shielded

T = TypeVar("T")
Doing = Callable[[Session, RoomState], T]

_ATTEMPTS = 8
"""The most attempts at a change while other processes keep saving first."""

_RESTED = 3600.0
"""Seconds since a game's last change after which opening it is recorded, to protect it from deletion.

Longer than an idle game stays in memory, and shorter than a day, the earliest age of deletion."""

_LATE = 0.01
"""Delay in seconds between the expected fall of a flag and the check for it."""


class RoomHost(Protocol):
    """The server process's services for a room; implemented by `tengen.web.games.rooms.Rooms`.

    Attributes:
        repository: the storage of games.
        search_pool: the pool in which computer players think.
        name: the name of this server process.
        started: the start of this server process, in Unix seconds.
        phrases: the rate limit on phrases, by seat.
    """

    repository: GameRepository
    search_pool: SearchPool
    name: str
    started: float
    phrases: Limits

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a background task."""

    async def publish(self, game: str, message: Json) -> None:
        """Publish a message about a game to the other processes."""


class Room:
    """A game and its connected clients.

    Args:
        game: the game's id.
        rooms: the server process that hosts the room.

    Attributes:
        id: the game's id.
        subscribers: the connected clients.
        holders: the number of callers that use the room at the moment.
        beginning: a lock held while the next game is created, so that only one is.
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
        """The storage of games."""
        return self._rooms.repository

    @property
    def search_pool(self) -> SearchPool:
        """The pool in which computer players think."""
        return self._rooms.search_pool

    @property
    def process(self) -> str:
        """The name of this server process."""
        return self._rooms.name

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a background task."""
        return self._rooms.spawn(work)

    async def _publish(self, message: Json) -> None:
        """Publish a message to the other processes; ignore failures, which must not block a move."""
        with suppress(TengenError, OSError):
            await self._rooms.publish(self.id, message)

    # Reading the game

    @property
    def version(self) -> int:
        """The version of the game in memory; 0 if it is not in memory."""
        return 0 if self._snapshot is None else self._snapshot.version

    async def state(self, sender: Sender | None = None) -> Json:
        """Return the game's current state. The request counts as a view, which keeps computers playing.

        Args:
            sender: the sender of the request.

        Raises:
            NoSuchGame: the game does not exist.
        """
        self.subscribers.looked(sender)
        async with self._lock:
            snapshot = await self._fresh()
            self._follow(snapshot)
            return self._state(snapshot)

    async def look(self, see: Doing[T]) -> T:
        """Return the result of `see`, which must not change the game.

        Raises:
            NoSuchGame: the game does not exist.
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

    # Changing the game

    async def begin(self, snapshot: Snapshot, sender: Sender) -> Json:
        """Start a new game in this room, and return its state."""
        self.subscribers.looked(sender)
        async with self._lock:
            await _find_fouls(snapshot)
            self._snapshot = snapshot
            self._follow(snapshot)
            return self._state(snapshot)

    async def apply(self, message: GameMessage, sender: Sender) -> int:
        """Apply a client's message.

        Returns:
            The game's version after the change.

        Raises:
            TengenError: the action is not allowed, or not allowed now.
        """
        await self.act(
            lambda session, room_state: apply_message(
                message, session, room_state, self.version, sender, self.subscribers.away()
            ),
            lambda session: sender.pay(thinking_cost(message, session)),
        )
        return self.version

    async def act(self, change: Doing[T], pay: Callable[[Session], object] = lambda _: None) -> T:
        """Change the game, save it, and broadcast its new state.

        Args:
            change: applies the change; may be called more than once. If it raises before the session has
                recorded an event, nothing is changed.
            pay: called once before `change`; if it raises, nothing is changed.

        Returns:
            The result of `change`.

        Raises:
            NoSuchGame: the game does not exist.
            Refused: other processes saved first on every attempt.
            TengenError: raised by `change` or `pay`.
        """
        # A change that has begun is completed even if its caller is cancelled.
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
        """Apply a change and save the result; if it is refused, still save a flag that fell meanwhile."""
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
            room_state.notice = None  # the notice was about the previous state
        if happened or room_state.to_json() != seats:
            await self._save(snapshot, given=room_state.to_json() != seats)
        return answer

    async def _save(self, snapshot: Snapshot, *, given: bool) -> None:
        try:
            await snapshot.save_in(self.repository)
        except BaseException:
            # The game in memory differs from the stored game.
            self._snapshot = None
            raise
        await _find_fouls(snapshot)
        self._tell(snapshot, given=given)
        tournament = snapshot.room_state.tournament
        over = {} if tournament is None or snapshot.session.result is None else {"over": tournament}
        await self._publish({"version": snapshot.version, **over})
        self._follow(snapshot)

    async def _fresh(self) -> Snapshot:
        """Return the current game, loaded from the repository if necessary; the caller holds the lock."""
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

    # Consequences of the game's state

    def _follow(self, snapshot: Snapshot) -> None:
        """Set the clock's alarm, and start the computer player if it is to move."""
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
        """Check whether a flag has fallen; if not, a byo-yomi period has begun and the alarm is reset."""
        with suppress(TengenError):
            await self.act(lambda session, _: session.check_time())
            async with self._lock:
                if self._snapshot is not None and self._timer is None:
                    self._set_alarm(self._snapshot)

    # The computer

    async def resume(self) -> None:
        """Load the game, set its clock's alarm, and start the computer player if it is to move.

        Raises:
            NoSuchGame: the game does not exist.
        """
        async with self._lock:
            self._follow(await self._fresh())

    async def hurry(self, sender: Sender) -> None:
        """Make a thinking computer move at once, whichever process it runs in.

        Raises:
            NeedsToken, NotYourSeat: the sender is not a player and does not control the table.
            Refused: the game belongs to a tournament.
        """
        await self.look(sender.check_hurries)
        self._computer.hurry()
        await self._publish({"do": "hurry"})

    async def hint(self, sender: Sender, hold: Callable[[MoveSearch], object] = lambda _: None) -> Json:
        """Return a strong player's suggestion; see `Computer.hint`."""
        return await self._computer.hint(sender, hold)

    async def say(self, phrase: Phrase, sender: Sender) -> None:
        """Broadcast a player's phrase to the game's clients in all processes.

        Raises:
            NeedsToken, NotYourSeat: the sender is not a player.
            Refused: no person plays on the other seat.
            TooManyRequests: the seat has exceeded its rate of phrases.
        """
        by = await self.look(lambda session, room_state: speaker(session, room_state, sender))
        self._rooms.phrases.spend("phrase", f"{self.id} {by}")
        await self.subscribers.send_everywhere({"type": "phrase", "by": by, "phrase": phrase})

    # Coming and going

    async def attach(self, client: Subscriber) -> list[Json]:
        """Connect a client.

        Returns:
            The first messages to send to the client.

        Raises:
            NoSuchGame: the game does not exist.
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
        """Disconnect a client."""
        if client in self.subscribers.clients:
            self.subscribers.clients.discard(client)
            self.subscribers.looked(client.sender)
            await self.subscribers.announce_presence()

    def hear(self, origin: str, message: Json) -> None:
        """Handle another process's message about the game.

        Args:
            origin: the name of the process.
            message: the message.
        """
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
        """Reload a game that another process has saved, and send its state to this process's clients."""
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
        """Catch up after missed bus messages: reload the game and exchange presence with processes."""
        await self.refresh()
        self.subscribers.forget_process()
        await self.announce(ask=True)

    async def announce(self, *, ask: bool = False) -> None:
        """Publish this process's connected participants, if any; see `Subscribers`."""
        if self.subscribers.clients:
            await self.subscribers.announce_presence(ask=ask)

    # Leaving memory

    @property
    def exists(self) -> bool:
        """Whether the room holds any state besides its id."""
        return bool(self._snapshot or self.subscribers or self._timer or self._lock.locked())

    def is_idle(self, seconds: float) -> bool:
        """Return whether the room has been unused for `seconds` and no work is pending."""
        busy = self.holders or self._lock.locked() or self._computer.busy
        return not busy and time.monotonic() - self._used > seconds

    def drop(self) -> None:
        """Drop the game from memory; its alarm and its connected clients stay."""
        self._snapshot = None

    async def close(self) -> None:
        """Stop thinking, and save the time left on a running clock."""
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
    """Compute the fouls of the position in a thread if it may take long, to keep the event loop free."""
    board = snapshot.session.board
    if fouls_take_long(board.rules) and board.turn == BLACK:
        await asyncio.to_thread(fouls_json, board.copy())
