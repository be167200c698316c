"""A room: one running game with its connected clients and its computer players.

A room's lock admits one writer at a time. A change is applied to the game, saved as the next version and
only then broadcast. If another process has saved first, the game is reloaded and the change is applied
again. Memory holds only a copy of the stored game: an idle game is dropped, but its sockets stay connected.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from tengen.game.errors import TengenError
from tengen.game.points import BLACK
from tengen.game.session_state import HUMAN
from tengen.players.levels import needs_engine
from tengen.schemas.base import Json, Schema
from tengen.schemas.board import fouls_of
from tengen.schemas.game import GameStateData, HintData
from tengen.schemas.game_messages import Phrase, PhraseMessage
from tengen.web.computing import thinking_costs
from tengen.web.computing.spec_policy import allowed_occupant, spec_player
from tengen.web.database.tables import Conflict
from tengen.web.games import game_rows, hints, ratings
from tengen.web.games.commands import HandOver, Move, PlayerCommand
from tengen.web.games.computer import Computer
from tengen.web.games.events import SeatsChanged
from tengen.web.games.game import Game, Sender
from tengen.web.games.game_state import game_state
from tengen.web.games.game_storage import from_stored, to_stored
from tengen.web.games.move_search import MoveSearch
from tengen.web.games.processes import LocalProcess
from tengen.web.games.subscribers import Subscriber, Subscribers
from tengen.web.transport.channel import compact_json
from tengen.web.transport.errors import NoSuchGame, Refused
from tengen.web.transport.shielded import shielded

T = TypeVar("T")

_ATTEMPTS = 8
"""The most attempts at a change while other processes keep saving first."""

_RESTED = 3600.0
"""Seconds since a game's last change after which opening it is recorded, to protect it from deletion.

Longer than an idle game stays in memory, and shorter than a day, the earliest age of deletion."""

_LATE = 0.01
"""Delay in seconds between the expected fall of a flag and the check for it."""


class Room:
    """A game and its connected clients.

    Args:
        game: the game's id.
        process: the server process that hosts the room.

    Attributes:
        id: the game's id.
        subscribers: the connected clients.
        holders: the number of callers that use the room at the moment.
        beginning: a lock held while the next game is created, so that only one is.
    """

    __slots__ = (
        "_computer",
        "_game",
        "_lock",
        "_process",
        "_stale",
        "_timer",
        "_used",
        "beginning",
        "holders",
        "id",
        "subscribers",
    )

    def __init__(self, game: str, process: LocalProcess) -> None:
        self.id = game
        self.subscribers = Subscribers(self._publish)
        self.holders = 0
        self.beginning = asyncio.Lock()
        self._process = process
        self._used = time.monotonic()
        self._lock = asyncio.Lock()
        self._game: Game | None = None
        self._stale = False
        self._computer = Computer(game, process, self.subscribers, self.act, self.resume)
        self._timer: asyncio.TimerHandle | None = None

    async def _publish(self, message: Json) -> None:
        """Publish a message to the other processes; ignore failures, which must not block a move."""
        with suppress(TengenError, OSError):
            await self._process.publish(self.id, message)

    # Reading the game

    @property
    def version(self) -> int:
        """The version of the game in memory; 0 if it is not in memory."""
        return 0 if self._game is None else self._game.version

    async def state(self, sender: Sender | None = None) -> GameStateData:
        """Return the game's current state. The request counts as a view, which keeps computers playing.

        Args:
            sender: the sender of the request.

        Raises:
            NoSuchGame: the game does not exist.
        """
        self.subscribers.record_view(sender)
        async with self._lock:
            game = await self._current()
            self._follow(game)
            return self._state(game)

    async def read(self, query: Callable[[Game], T]) -> T:
        """Return the result of `query`, which must not change the game.

        Raises:
            NoSuchGame: the game does not exist.
        """
        async with self._lock:
            return query(await self._current())

    def _state(self, game: Game) -> GameStateData:
        game.presence = self.subscribers.presence()
        return game_state(game)

    # Changing the game

    async def begin(self, game: Game, sender: Sender) -> GameStateData:
        """Start a new game in this room, and return its state."""
        self.subscribers.record_view(sender)
        async with self._lock:
            await _find_fouls(game)
            self._game = game
            self._follow(game)
            return self._state(game)

    async def apply(self, command: PlayerCommand, sender: Sender) -> int:
        """Execute a client's command.

        Returns:
            The game's version after the change.

        Raises:
            TengenError: the action is not allowed, or not allowed now.
        """
        await self.act(
            lambda game: command.execute(game, sender),
            lambda game: sender.charge(_thinking_cost(command, game)),
        )
        return self.version

    async def act(
        self, change: Callable[[Game], T], charge: Callable[[Game], object] = lambda _: None
    ) -> T:
        """Change the game, save it, and broadcast its new state.

        Args:
            change: applies the change; may be called more than once. If it raises, nothing is changed.
            charge: called once before `change`; if it raises, nothing is changed.

        Returns:
            The result of `change`.

        Raises:
            NoSuchGame: the game does not exist.
            Refused: other processes saved first on every attempt.
            TengenError: raised by `change` or `charge`.
        """
        # A change that has begun is completed even if its caller is cancelled.
        return await shielded(asyncio.ensure_future(self._act(change, charge)))

    async def _act(self, change: Callable[[Game], T], charge: Callable[[Game], object]) -> T:
        async with self._lock:
            charge(await self._current())
            for _ in range(_ATTEMPTS):
                game = await self._current()
                with suppress(Conflict):
                    return await self._changed(game, change)
        raise Refused("error.web.busy")

    async def _changed(self, game: Game, change: Callable[[Game], T]) -> T:
        """Apply a change and save the result; if it is refused, still save a flag that fell meanwhile."""
        game.presence = self.subscribers.presence()
        try:
            answer = game.change(change)
        except TengenError:
            await self._save(game)
            raise
        except BaseException:
            self._game = None
            raise
        await self._save(game)
        return answer

    async def _save(self, game: Game) -> None:
        """Store a game whose events tell of a change, then pass the events on."""
        if not game.events:
            return
        await self._store(game)
        events, game.events = game.events, []
        await _find_fouls(game)
        self._send_state(game, seats=any(isinstance(event, SeatsChanged) for event in events))
        await self._publish({"version": game.version})
        self._process.report(game, events)
        self._follow(game)

    async def _store(self, game: Game) -> None:
        """Store a game as its next version; the game's version changes only after that succeeds."""
        stored = replace(to_stored(game), version=game.version + 1, updated=time.time())
        try:
            await self._process.repository.write(game.id, ratings.save, stored, game.version)
        except BaseException:
            self._game = None  # the game in memory differs from the stored game
            raise
        game.version, game.updated = stored.version, stored.updated

    async def _load(self) -> Game | None:
        """Return the stored game; time before the start of this process is not charged to clocks."""
        stored = await self._process.repository.read(game_rows.load, self.id)
        if stored is None:
            return None
        away = max(0.0, time.time() - max(stored.updated, self._process.started))
        return from_stored(stored, spec_player, away)

    async def _current(self) -> Game:
        """Return the current game, loaded from the repository if necessary; the caller holds the lock."""
        self._used = time.monotonic()
        known = self._game
        if known is not None and not self._stale:
            return known
        self._stale = False
        game = await self._load()
        if game is None:
            raise NoSuchGame("error.web.no_game")
        if known is not None and known.version == game.version:
            return known
        if game.updated < time.time() - _RESTED:
            write = self._process.repository.write
            if not await write(self.id, game_rows.note_opened, self.id, time.time()):
                raise NoSuchGame("error.web.no_game")
        await _find_fouls(game)
        self._game = game
        if known is not None:
            self._send_state(game, seats=True)
        self._follow(game)
        return game

    def _send_state(self, game: Game, *, seats: bool) -> None:
        """Send the game's state to its clients; `seats` tells whether their seats may have changed."""
        if self.subscribers.clients:
            self.subscribers.send_state(self._state(game), game.seats_of if seats else None)

    # Consequences of the game's state

    def _follow(self, game: Game) -> None:
        """Set the clock's alarm, and start the computer player if it is to move."""
        self._set_alarm(game)
        self._computer.follow(game)

    def _set_alarm(self, game: Game) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        session, actor = game.session, game.session.actor
        if actor is None or session.paused or session.control is None:
            return
        left = session.time_left(actor) or 0.0
        self._timer = asyncio.get_running_loop().call_later(left + _LATE, self._alarm)

    def _alarm(self) -> None:
        self._timer = None
        self._process.spawn(self._check_flag())

    async def _check_flag(self) -> None:
        """Check whether a flag has fallen; if not, a byo-yomi period has begun and the alarm is reset."""
        with suppress(TengenError):
            await self.act(lambda game: game.session.check_time())
            async with self._lock:
                if self._game is not None and self._timer is None:
                    self._set_alarm(self._game)

    # The computer

    async def resume(self) -> None:
        """Load the game, set its clock's alarm, and start the computer player if it is to move.

        Raises:
            NoSuchGame: the game does not exist.
        """
        async with self._lock:
            self._follow(await self._current())

    async def hurry(self, sender: Sender) -> None:
        """Make a thinking computer move at once, whichever process it runs in.

        Raises:
            NeedsToken, NotYourSeat: the sender is not a player and does not control the table.
            Refused: no client controls this game.
        """
        await self.read(lambda game: game.check_hurries(sender))
        self._computer.hurry()
        await self._publish({"do": "hurry"})

    async def hint(self, sender: Sender, hold: Callable[[MoveSearch], object] = lambda _: None) -> HintData:
        """Return a strong player's suggestion for the present turn.

        Args:
            sender: the player to move.
            hold: receives the search, which can be hurried.

        Raises:
            NeedsToken, NotYourSeat, GameOver, NotAllowed, Refused: as `hints.question`; or the game has
                changed meanwhile.
            Overloaded: the engine is needed, and is being compiled.
            TooManyRequests: the sender has exceeded its quota of hints.
        """
        pool = self._process.search_pool
        question, version = await self.read(lambda game: (hints.question(game, sender), game.version))
        if needs_engine(question.spec):
            pool.warmup.check()
        sender.charge(thinking_costs.HINT)
        search = MoveSearch(pool, f"hint {self.id}", question, kind="hint")
        hold(search)
        answer = await search.answer()
        if await self.read(lambda game: game.version) != version:
            raise Refused("error.web.late")
        return hints.hint_data(question, answer)

    async def send_phrase(self, phrase: Phrase, sender: Sender) -> None:
        """Broadcast a player's phrase to the game's clients in all processes.

        Raises:
            NeedsToken, NotYourSeat: the sender is not a player.
            Refused: no person plays on the other seat.
            TooManyRequests: the seat has exceeded its rate of phrases.
        """
        by = await self.read(lambda game: game.phrase_sender(sender))
        self._process.phrases.spend("phrase", f"{self.id} {by}")
        await self.subscribers.send_everywhere(PhraseMessage(by=by, phrase=phrase))

    # Coming and going

    async def attach(self, client: Subscriber) -> list[Schema]:
        """Connect a client.

        Returns:
            The first messages to send to the client.

        Raises:
            NoSuchGame: the game does not exist.
        """
        async with self._lock:
            game = await self._current()
            first = not self.subscribers.clients
            client.you = game.seats_of(client.sender)
            self.subscribers.clients.add(client)
            self._follow(game)
            hello = self.subscribers.initial_state(
                client, self._state(game), made=game.is_made_by(client.sender)
            )
            waiting = self._computer.waiting(game)
        self._process.spawn(self.subscribers.announce_presence(ask=first))
        return [hello] if waiting is None else [hello, waiting]

    async def detach(self, client: Subscriber) -> None:
        """Disconnect a client."""
        if client in self.subscribers.clients:
            self.subscribers.clients.discard(client)
            self.subscribers.record_view(client.sender)
            await self.subscribers.announce_presence()

    def on_message(self, origin: str, message: Json) -> None:
        """Handle another process's message about the game.

        Args:
            origin: the name of the process.
            message: the message.
        """
        if "version" in message:
            if self.version < message["version"]:
                self._process.spawn(self.refresh())
        elif "connected" in message:
            if self.subscribers.receive_presence(origin, message):
                self._process.spawn(self.subscribers.announce_presence())
        elif "say" in message:
            self.subscribers.send(compact_json(message["say"]))
        elif message.get("do") == "hurry":
            self._computer.hurry()

    async def refresh(self) -> None:
        """Reload a game that another process has saved, and send its state to this process's clients."""
        self._stale = True
        if not (self.subscribers.clients or self._computer.busy or self._timer):
            return
        with suppress(TengenError):
            async with self._lock:
                known = self._game is not None
                game = await self._current()
                if not known:
                    self._send_state(game, seats=True)

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
        """Return whether the room holds any state besides its id."""
        return bool(self._game or self.subscribers or self._timer or self._lock.locked())

    def is_idle(self, seconds: float) -> bool:
        """Return whether the room has been unused for `seconds` and no work is pending."""
        busy = self.holders or self._lock.locked() or self._computer.busy
        return not busy and time.monotonic() - self._used > seconds

    def drop(self) -> None:
        """Drop the game from memory; its alarm and its connected clients stay."""
        self._game = None
        self.subscribers.forget_state()

    async def close(self) -> None:
        """Stop thinking, and save the time left on a running clock."""
        self._computer.stop()
        async with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                with suppress(TengenError):
                    game = self._game or await self._load()
                    if game is not None:
                        await self._store(game)
            self._game = self._timer = None


def _thinking_cost(command: PlayerCommand, game: Game) -> float:
    """Return the most that thinking may cost as a consequence of a command; see `thinking_costs`.

    Raises:
        WrongFields: the new occupant of a seat is not allowed.
    """
    cost = thinking_costs.turn(game.session) if command.wakes else 0.0
    if isinstance(command, HandOver):
        occupant = allowed_occupant(command.occupant, game.session.rules)
        cost = max(cost, 0.0 if occupant == HUMAN else thinking_costs.move_seconds(occupant.name))
    return cost + (thinking_costs.fouls(game.session.rules) if isinstance(command, Move) else 0.0)


async def _find_fouls(game: Game) -> None:
    """Compute the fouls of the position in a thread if it may take long, to keep the event loop free."""
    board = game.session.board
    if thinking_costs.fouls_take_long(board.rules) and board.turn == BLACK:
        await asyncio.to_thread(fouls_of, board.copy())
