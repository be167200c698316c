"""The games of a server process: creating and finding rooms, rematches, and dropping idle games."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TypeAlias

from tengen.arena.glicko2 import Glicko2
from tengen.game.errors import GameOver, NotAllowed
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session_state import HUMAN
from tengen.schemas.base import Json
from tengen.schemas.game import GameStateData, JoinedGame, RatingData, SeatTokens, StartedGame
from tengen.web.computing import thinking_costs
from tengen.web.computing.search_pool import SearchPool
from tengen.web.computing.spec_policy import allowed_occupant
from tengen.web.database import tables
from tengen.web.database.repository import Repository
from tengen.web.games import game_lists, ratings, storage, visitor_rows
from tengen.web.games.computer import clocks_wait
from tengen.web.games.game import BOTH, Game, Sender, Settings
from tengen.web.games.game_storage import to_stored
from tengen.web.games.processes import LocalProcess, OtherProcesses
from tengen.web.games.ratings import MOST_A_DAY
from tengen.web.games.room import Room
from tengen.web.games.stored_game import StoredGame, Storer
from tengen.web.games.terms import GameTerms
from tengen.web.games.visitor_rows import VisitorData
from tengen.web.transport.bus import MISSED, Bus
from tengen.web.transport.errors import NoSuchGame, WrongFields
from tengen.words import Message, TengenError

HEARTBEAT = 10.0
"""Seconds between two heartbeats to the other server processes."""

_BEATS = 3.5
"""The number of missed heartbeats after which a process is considered dead."""

IDLE = 60.0
"""Seconds without activity after which a game is dropped from memory."""

_RENAMED = 20
"""The most running games of a visitor, most recently changed first, in which a new name is shown."""

Store: TypeAlias = Callable[[StoredGame], Awaitable[None]]
StoreAll: TypeAlias = Callable[[list[StoredGame]], Awaitable[None]]

_log = logging.getLogger("tengen.web")


class Rooms:
    """The games of one server process.

    Args:
        repository: the storage of games.
        bus: the message bus between server processes.
        search_pool: the pool in which computer players think.
        idle: seconds after which an idle game is dropped from memory.
        heartbeat: seconds between two heartbeats to the other processes.

    Attributes:
        repository: the storage of games.
        process: this server process.
    """

    def __init__(
        self,
        repository: Repository,
        bus: Bus,
        search_pool: SearchPool,
        *,
        idle: float = IDLE,
        heartbeat: float = HEARTBEAT,
    ) -> None:
        self.process = LocalProcess(repository, bus, search_pool)
        self.repository = repository
        self._idle = idle
        self._rooms: dict[str, Room] = {}
        self._heartbeat = heartbeat
        self._others = OtherProcesses(_BEATS * heartbeat)
        self._upkeep: list[asyncio.Task[None]] = []
        self._unsubscribe = bus.subscribe(self._on_message)

    async def start(self) -> None:
        """Start the background tasks: dropping idle games, and sending heartbeats."""
        self._upkeep = [self.process.spawn(self._sweep()), self.process.spawn(self._send_heartbeats())]

    async def close(self) -> None:
        """Stop all thinking and save the time left on running clocks. May be called twice."""
        self._unsubscribe()
        for task in self._upkeep:
            task.cancel()
        await asyncio.gather(*(room.close() for room in self._rooms.values()))
        self._rooms.clear()
        await self.process.finish()

    def __len__(self) -> int:
        return len(self._rooms)

    @contextmanager
    def room(self, game: str) -> Iterator[Room]:
        """Yield a game's room; whether the game exists is checked only when the room loads it."""
        if (room := self._rooms.get(game)) is None:
            room = self._rooms[game] = Room(game, self.process)
        room.holders += 1
        try:
            yield room
        finally:
            room.holders -= 1
            if not room.exists and not room.holders and self._rooms.get(game) is room:
                del self._rooms[game]

    # Creating games

    async def create(
        self,
        terms: GameTerms,
        sender: Sender,
        *,
        black: str = HUMAN,
        white: str = HUMAN,
        open_seat: int | None = None,
        pace: float = 0.0,
    ) -> StartedGame:
        """Begin a game.

        Args:
            terms: the game's terms.
            sender: the creator, who owns the human seats except the open seat.
            black: Black's occupant, ``human`` or a player's spec.
            white: White's occupant, likewise.
            open_seat: the participant whose seat is for the first visitor to join; None for none.
            pace: the minimum number of seconds between the moves of computers.

        Raises:
            WrongFields: a player is not allowed, or the open seat is a computer's.
            RulesError: the opening, the clock or the number of take-backs is invalid.
            TooManyRequests: the sender's quota does not cover the thinking.
        """
        first, second = (allowed_occupant(spec, terms.rules) for spec in (black, white))
        session = terms.session(first, second, consent=open_seat is not None)
        game = Game(tables.new_id(), session, Settings(creator=sender.visitor, pace=pace, open=open_seat))
        if open_seat is not None and open_seat not in game.humans:
            raise WrongFields("error.web.open")
        for who in game.people:
            game.settings.holders[who].visitor = sender.visitor
        tokens = {who: game.new_token(who) if who in game.people else None for who in BOTH}
        if session.control is not None and open_seat is not None and session.result is None:
            session.pause()  # no clock runs before the opponent has joined
        return await self.begin(game, tokens, sender)

    async def create_between(self, game: Game, sender: Sender, store: Store) -> StartedGame:
        """Begin a game between two visitors.

        Args:
            game: the game, whose seats they hold.
            sender: the visitor who requests the game.
            store: stores the game, or raises if it cannot begin.

        Raises:
            TengenError: raised by `store`.
        """
        return await self.begin(game, game.new_tokens(sender), sender, store)

    async def begin(
        self, game: Game, tokens: dict[int, str | None], sender: Sender, store: Store | None = None
    ) -> StartedGame:
        """Store a new game, add it to its players' lists, and start it.

        Args:
            game: the game, whose seats are taken; it may have moves already.
            tokens: what gives the sender access to its seats, by participant; None for the other seats.
            sender: the visitor who requests the game.
            store: stores the game, or raises if it cannot begin; None for a game of the sender's.

        Raises:
            TengenError: raised by `store`; or the game cannot be stored.
            TooManyRequests: the sender's quota does not cover the thinking.
        """
        sender.charge(thinking_costs.next_turn(game.session) + thinking_costs.fouls(game.session.rules))
        await self._prepare(game)
        stored = replace(to_stored(game), storer=sender.storer)
        if store is None:
            await self.repository.write(game.id, storage.create, stored)
        else:
            await store(stored)
        if game.settings.rated is not None:
            with suppress(TengenError):  # the game is stored, even if this record fails
                await self.repository.write("", ratings.note_meeting, game.owners, time.time())
        return _started(game.id, tokens, await self._list_and_start(game, sender))

    async def create_all(self, games: Sequence[Game], store: StoreAll) -> None:
        """Begin several games at once without charging any quota.

        Args:
            games: the games.
            store: stores all games and adds them to their players' lists, or raises if they cannot begin.

        Raises:
            TengenError: raised by `store`.
        """
        for game in games:
            await self._prepare(game)
        await store([to_stored(game) for game in games])
        for game in games:
            with self.room(game.id) as room:
                await room.begin(game, Sender())

    async def _prepare(self, game: Game) -> None:
        """Set the names and the time of a new game, and pause it if the engine is not ready."""
        if clocks_wait(game.session, self.process.search_pool.warmup):
            game.session.pause()  # at once: looking up names takes time
            game.settings.preparing = True
        await self._set_names_and_ratings(game)
        game.created = game.updated = time.time()

    async def _list_and_start(self, game: Game, sender: Sender) -> GameStateData:
        """Add a stored new game to its players' lists, start it, and return its state."""
        creator = game.settings.creator
        lists: dict[str, int | None] = {} if creator is None else {creator: None}
        for who in reversed(BOTH):
            if (owner := game.settings.holders[who].visitor) is not None:
                lists[owner] = who
        await asyncio.gather(*(self._list(game.id, visitor, who) for visitor, who in lists.items()))
        with self.room(game.id) as room:
            return await room.begin(game, sender)

    async def _list(self, game: str, visitor: str, who: int | None) -> None:
        await self.repository.write(game, game_lists.join, game, visitor, who)

    async def _set_names_and_ratings(self, game: Game) -> None:
        """Set the names and ratings of the visitors who hold one seat each.

        A rated game becomes unrated if one of the players has turned ratings off, or if the two have
        reached the daily limit of rated games against each other; then a notice is shown to both.
        """
        settings, owners, read = game.settings, game.owners, self.repository.read
        known = await read(visitor_rows.visitors_data, owners, names=self.repository.names)
        for holder in settings.holders.values():
            alone = game.seat_of(holder.visitor) is not None
            holder.name = known[holder.visitor].name or None if alone and holder.visitor in known else None
            holder.rating = None
        willing = [owner for owner in owners if known.get(owner, VisitorData()).rated]
        if settings.rated is None or len(willing) < len(BOTH):
            settings.rated = None
            return
        if await read(ratings.meetings, owners, time.time()) >= MOST_A_DAY:
            settings.rated = None
            settings.notice = Message("web.play.rated_enough", {"most": MOST_A_DAY})
            return
        rated = await read(ratings.of_visitors, owners)
        for holder in settings.holders.values():
            pools = rated.get(holder.visitor or "", {})
            holder.rating = RatingData.of(pools.get(settings.rated, Glicko2())).to_dict()

    # Visitors

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
        change = visitor_rows.change_visitor
        await self.repository.write("", change, visitor, time.time(), name=name, storer=storer)
        games, _ = await self.repository.read(
            game_lists.games_of, visitor, status="running", limit=_RENAMED
        )
        for game in games:
            with suppress(TengenError), self.room(game.id) as room:
                await room.act(lambda current: current.rename(visitor, name or None))

    async def forget_visitor(self, visitor: str) -> None:
        """Remove a visitor from all games, and delete all other data stored about it.

        It first resigns its running games against other people; the loss counts for both players' ratings.

        Raises:
            StoreError: the database does not answer.
        """
        after = ""
        while games := await self.repository.read(visitor_rows.games_naming, visitor, after):
            after = games[-1]
            for game in games:
                with suppress(NoSuchGame), self.room(game) as room:
                    with suppress(NotAllowed, GameOver):
                        await room.act(lambda current: current.resign_for(visitor))
                    await room.act(lambda current: current.detach(visitor))
        await self.repository.write("", visitor_rows.forget, visitor)

    async def join(self, game: str, sender: Sender) -> JoinedGame:
        """Take the open seat; a sender that already has a seat receives a new token for it.

        Raises:
            NoSuchGame: the game does not exist.
            Refused: no seat is open.
        """
        name, visitor = None, sender.visitor
        if visitor is not None:
            known = await self.repository.read(
                visitor_rows.visitors_data, [visitor], names=self.repository.names
            )
            name = known.get(visitor, VisitorData()).name or None
        with self.room(game) as room:
            who, token = await room.act(
                lambda current: current.take_open_seat(sender, name),
                lambda current: sender.charge(_joining_cost(current)),
            )
            if visitor is not None:
                await self._list(game, visitor, who)
            return JoinedGame(participant=who, token=token, state=await room.state())

    # The next game

    async def again(self, game: str, sender: Sender, *, swap: bool) -> StartedGame | None:
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
        with self.room(game) as room:
            async with room.beginning:
                if not await room.act(lambda current: current.offer_rematch(sender)):
                    return None
                next_id = await room.read(lambda current: current.settings.again)
                if next_id is None:
                    new = await room.read(
                        lambda current: current.following(tables.new_id(), sender, swap=swap)
                    )
                    made = await self.begin(new, new.new_tokens(sender), sender)
                    next_id = await room.act(lambda current: current.set_following(made.id))
                    if next_id == made.id:
                        return made
        return await self.rejoin(next_id, sender)

    async def rejoin(self, game: str, sender: Sender) -> StartedGame:
        """Return an existing game as `create` does, with new tokens for the sender's seats.

        Raises:
            NoSuchGame: the game does not exist.
        """
        with self.room(game) as room:
            tokens = await room.act(lambda current: current.new_tokens(sender))
            return _started(game, tokens, await room.state())

    # Between processes

    def _on_message(self, game: str, message: Json) -> None:
        origin, spawn = message.get("from"), self.process.spawn
        if message == MISSED:
            for room in tuple(self._rooms.values()):
                spawn(room.catch_up())
        elif isinstance(origin, str) and origin != self.process.name:
            if self._others.record(origin):
                # The process was only slow, and its clients have been forgotten here.
                spawn(self.process.publish("", {"do": "announce", "to": origin}))
            if game:
                if (known := self._rooms.get(game)) is not None:
                    known.on_message(origin, message)
            elif (message.get("do"), message.get("to")) == ("announce", self.process.name):
                for room in tuple(self._rooms.values()):
                    spawn(room.announce())

    async def _send_heartbeats(self) -> None:
        """Send heartbeats to the other processes for ever, and forget the clients of dead processes."""
        while True:
            with suppress(TengenError, OSError):
                await self.process.publish("", {"do": "live"})
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


def _joining_cost(game: Game) -> float:
    """Return the cost of the thinking that begins when an opponent joins a paused game."""
    return thinking_costs.turn(game.session) if game.session.paused else 0.0


def _started(game: str, tokens: Mapping[int, str | None], state: GameStateData) -> StartedGame:
    """Return a game that has begun; tokens are by participant."""
    return StartedGame(id=game, seats=SeatTokens(black=tokens[FIRST], white=tokens[SECOND]), state=state)
