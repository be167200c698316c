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
from tengen.game.session import Session
from tengen.web.games.client_messages import Change, Sender, carry_out
from tengen.web.games.computer import Computer
from tengen.web.games.ownership import Seating
from tengen.web.games.repository import Keeper
from tengen.web.games.snapshot import Loaded
from tengen.web.games.state_json import Around, Json, state_json
from tengen.web.games.subscribers import Audience, Client
from tengen.web.games.tables import Conflict
from tengen.web.games.thinking import Asked, Brains
from tengen.web.server.http_errors import NoSuchGame, Refused

T = TypeVar("T")
Doing = Callable[[Session, Seating], T]

_ATTEMPTS = 8
"""How often a change is made anew because another process was first."""

_LATE = 0.01
"""Seconds after a clock has run out when it is looked at."""


class House(Protocol):
    """What a room needs of the house that it is in; see `tengen.web.games.rooms.Rooms`.

    Attributes:
        keeper: where games are kept.
        brains: where players think.
        name: of this server process.
        started: when it began, in Unix seconds.
    """

    keeper: Keeper
    brains: Brains
    name: str
    started: float

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside all else."""

    async def publish(self, game: str, message: Json) -> None:
        """Tell the other processes something about a game."""


class Room:
    """A game and those who are connected to it.

    Args:
        game: its id.
        rooms: the house it is in.

    Attributes:
        id: the game's.
        audience: those who are connected.
        holders: how many use it just now.
    """

    __slots__ = (
        "_computer",
        "_loaded",
        "_lock",
        "_rooms",
        "_stale",
        "_timer",
        "_used",
        "audience",
        "holders",
        "id",
    )

    def __init__(self, game: str, rooms: House) -> None:
        self.id = game
        self.audience = Audience(self._publish)
        self.holders = 0
        self._rooms = rooms
        self._used = time.monotonic()
        self._lock = asyncio.Lock()
        self._loaded: Loaded | None = None
        self._stale = False
        self._computer = Computer(self)
        self._timer: asyncio.TimerHandle | None = None

    # The house

    @property
    def keeper(self) -> Keeper:
        """Where games are kept."""
        return self._rooms.keeper

    @property
    def brains(self) -> Brains:
        """Where players think."""
        return self._rooms.brains

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
        return 0 if self._loaded is None else self._loaded.version

    async def state(self) -> Json:
        """The state as it is now. Computers alone at the table go on, because somebody looks.

        Raises:
            NoSuchGame: there is no such game.
        """
        self.audience.seen = time.monotonic()
        async with self._lock:
            loaded = await self._fresh()
            self._follow(loaded)
            return self._state(loaded)

    async def look(self, see: Doing[T]) -> T:
        """What `see` makes of the game, which it may not change.

        Raises:
            NoSuchGame: there is no such game.
        """
        async with self._lock:
            loaded = await self._fresh()
            return see(loaded.session, loaded.seating)

    def _state(self, loaded: Loaded) -> Json:
        seating = loaded.seating
        connected, watchers = self.audience.present()
        around = Around(
            self.id,
            loaded.version,
            loaded.created,
            loaded.updated,
            seating.pace,
            seating.open,
            seating.stepping,
            seating.again,
            seating.notice,
            connected,
            watchers,
        )
        return state_json(loaded.session, around)

    # Changing it

    async def begin(self, loaded: Loaded) -> Json:
        """The state of a game that has just been made, and goes on from here."""
        async with self._lock:
            self._loaded = loaded
            self._follow(loaded)
            return self._state(loaded)

    async def order(self, order: Change, sender: Sender) -> int:
        """Carry out what a client asks.

        Returns:
            The version that came of it.

        Raises:
            TengenError: it may not be done, or not now.
        """

        def change(session: Session, seating: Seating) -> None:
            carry_out(order, session, seating, self.version, sender)

        await self.act(change)
        return self.version

    async def act(self, change: Doing[T]) -> T:
        """Change the game, keep it, and tell everybody.

        Args:
            change: does it; it may be called more than once. If it raises, and nothing has happened in the
                session by then, nothing is changed.

        Raises:
            NoSuchGame: there is no such game.
            Refused: other processes change it all the time.
            TengenError: what the change raises.
        """
        # A change that has begun is brought to its end, whoever waits for it.
        return await asyncio.shield(asyncio.ensure_future(self._act(change)))

    async def _act(self, change: Doing[T]) -> T:
        async with self._lock:
            for _ in range(_ATTEMPTS):
                loaded = await self._fresh()
                with suppress(Conflict):
                    return await self._changed(loaded, change)
        raise Refused("error.web.busy")

    async def _changed(self, loaded: Loaded, change: Doing[T]) -> T:
        """Make a change and save what came of it: a flag that fell meanwhile too, where it is refused."""
        session, seating = loaded.session, loaded.seating
        before, seats, notice = len(session.events), seating.to_json(), seating.notice
        try:
            answer = change(session, seating)
        except TengenError:
            loaded.seating = Seating.from_json(seats)
            if len(session.events) != before:
                await self._save(loaded, given=False)
            raise
        except BaseException:
            self._loaded = None
            raise
        happened = len(session.events) != before
        if happened and seating.notice is notice:
            seating.notice = None  # it was about what went before
        if happened or seating.to_json() != seats:
            await self._save(loaded, given=seating.to_json() != seats)
        return answer

    async def _save(self, loaded: Loaded, *, given: bool) -> None:
        expected, loaded.version, loaded.updated = loaded.version, loaded.version + 1, time.time()
        try:
            await self.keeper.save(loaded.pack(), expected)
        except BaseException:
            # What is in memory is not what is kept.
            self._loaded = None
            raise
        self._tell(loaded, given=given)
        await self._publish({"version": loaded.version})
        self._follow(loaded)

    async def _fresh(self) -> Loaded:
        """The game, loaded if need be; the lock is held."""
        self._used = time.monotonic()
        known = self._loaded
        if known is not None and not self._stale:
            return known
        self._stale = False
        kept = await self.keeper.load(self.id)
        if kept is None:
            raise NoSuchGame("error.web.no_game")
        if known is not None and known.version == kept.version:
            return known
        self._loaded = loaded = Loaded.unpack(kept, self._rooms.started)
        if known is not None:
            self._tell(loaded, given=True)
        self._follow(loaded)
        return loaded

    def _tell(self, loaded: Loaded, *, given: bool) -> None:
        if self.audience.clients:
            self.audience.tell(self._state(loaded), loaded.seating, given=given)

    # What follows from how the game stands

    def _follow(self, loaded: Loaded) -> None:
        """Set the clock's alarm, and have a computer think whose turn it is."""
        self._set_alarm(loaded)
        self._computer.follow(loaded)

    def _set_alarm(self, loaded: Loaded) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        session, actor = loaded.session, loaded.session.actor
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
                if self._loaded is not None and self._timer is None:
                    self._set_alarm(self._loaded)

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
        """
        await self.look(sender.check_plays)
        if not self._computer.hurry():
            await self._publish({"do": "hurry"})

    async def hint(self, sender: Sender, hold: Callable[[Asked], object] = lambda _: None) -> Json:
        """What somebody strong would do now; see `Computer.hint`."""
        return await self._computer.hint(sender, hold)

    # Coming and going

    async def attach(self, client: Client) -> list[Json]:
        """Connect somebody.

        Returns:
            What it is told first.

        Raises:
            NoSuchGame: there is no such game.
        """
        async with self._lock:
            loaded = await self._fresh()
            first = not self.audience.clients
            client.you = client.sender.seats(loaded.seating)
            self.audience.clients.add(client)
            self._follow(loaded)
            state = self._state(loaded)
            waiting = self._computer.waiting(loaded)
        hello = {
            "type": "state",
            "state": state,
            "you": sorted(client.you),
            "made": client.sender.made(loaded.seating),
            "now": time.time(),
        }
        self.spawn(self.audience.announce(ask=first))
        return [hello] if waiting is None else [hello, waiting]

    async def detach(self, client: Client) -> None:
        """Somebody has gone."""
        if client in self.audience.clients:
            self.audience.clients.discard(client)
            self.audience.seen = time.monotonic()
            await self.audience.announce()

    def hear(self, origin: str, message: Json) -> None:
        """Something that another process says about the game."""
        if "version" in message:
            if self.version < message["version"]:
                self.spawn(self.refresh())
        elif "connected" in message:
            if self.audience.hear(origin, message):
                self.spawn(self.audience.announce())
        elif "say" in message:
            self.audience.say(message["say"])
        elif message.get("do") == "hurry":
            self._computer.hurry()

    async def refresh(self) -> None:
        """Load what another process has saved, and tell those who are connected here."""
        self._stale = True
        if not (self.audience.clients or self._computer.busy or self._timer):
            return
        with suppress(TengenError):
            async with self._lock:
                known = self._loaded is not None
                loaded = await self._fresh()
                if not known:
                    self._tell(loaded, given=True)

    # Leaving memory

    @property
    def exists(self) -> bool:
        """Whether there is more to the room than its id."""
        return bool(self._loaded or self.audience or self._timer or self._lock.locked())

    def is_idle(self, seconds: float) -> bool:
        """Whether nothing has happened for some time, and nothing is about to."""
        busy = self.holders or self._lock.locked() or self._computer.busy
        return not busy and time.monotonic() - self._used > seconds

    def drop(self) -> None:
        """Forget the game; its alarm and those who are connected stay."""
        self._loaded = None

    async def close(self) -> None:
        """Stop thinking, and keep how far a running clock is."""
        self._computer.stop()
        async with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                with suppress(TengenError):
                    await self._keep_clock()
            self._loaded = self._timer = None

    async def _keep_clock(self) -> None:
        kept = None if self._loaded is not None else await self.keeper.load(self.id)
        loaded = self._loaded if kept is None else Loaded.unpack(kept, self._rooms.started)
        if loaded is not None:
            expected, loaded.version, loaded.updated = loaded.version, loaded.version + 1, time.time()
            await self.keeper.save(loaded.pack(), expected)
