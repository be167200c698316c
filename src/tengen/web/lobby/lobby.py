"""The lobby: open challenges, and the clients that watch them.

The challenges are in the database, shared by all server processes. A process that changes them notifies the
others, and then every process reads the list and sends it to its watchers. A challenge stays open as long
as its maker is connected, and for a while after.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tengen.arena.glicko2 import Glicko2
from tengen.game.opening_rules import FIRST, SECOND
from tengen.schemas.base import Json
from tengen.schemas.game import RatingData, StartedGame
from tengen.schemas.lobby import CalledMessage, ChallengeData, ChallengesMessage
from tengen.schemas.rules import rules_fields
from tengen.web.database import tables
from tengen.web.database.repository import Repository
from tengen.web.games import ratings, visitor_rows
from tengen.web.games.game import Game, Sender, Settings
from tengen.web.games.ratings import MOST_A_DAY
from tengen.web.games.rooms import Rooms
from tengen.web.games.stored_game import StoredGame
from tengen.web.games.visitor_rows import VisitorData
from tengen.web.lobby import challenges
from tengen.web.lobby.challenges import Challenge, ChallengeOptions
from tengen.web.transport.bus import MISSED, Bus
from tengen.web.transport.channel import Channel
from tengen.web.transport.errors import NoSuchGame, Refused
from tengen.words import TengenError

GRACE = 60.0
"""Seconds for which a challenge outlives its maker's connection, since pages reload and phones sleep."""

BEAT = 10.0
"""Seconds between two updates of the makers' times of last connection."""

_CHANNEL = "lobby"
"""The lobby's channel on the bus; it is shorter than any game's id."""

_CHANGED: Mapping[str, Any] = {"lobby": "changed"}

_log = logging.getLogger("tengen.web.lobby.lobby")


class Lobby:
    """The lobby in one server process.

    Args:
        repository: the storage of challenges.
        bus: the message bus between server processes.
        rooms: the games of this process.
        grace: seconds for which a challenge stays open after its maker was last seen.
        beat: seconds between two updates of the makers' times of last connection.
    """

    def __init__(
        self,
        repository: Repository,
        bus: Bus,
        rooms: Rooms,
        *,
        grace: float = GRACE,
        beat: float = BEAT,
    ) -> None:
        self._repository = repository
        self._bus = bus
        self._rooms = rooms
        self._grace = grace
        self._beat = beat
        self._watchers: set[Channel] = set()
        self._due = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._unsubscribe = bus.subscribe(self._on_message)

    async def start(self) -> None:
        """Start the background tasks that record connected makers and send changes to watchers."""
        self._tasks = [
            asyncio.create_task(self._maintain()),
            asyncio.create_task(self._broadcast_changes()),
        ]

    async def close(self) -> None:
        """Stop the background tasks. May be called twice."""
        self._unsubscribe()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Challenges

    async def challenges(self) -> list[Challenge]:
        """Return the open challenges, oldest first.

        Raises:
            StoreError: the database does not answer.
        """
        found = await self._repository.read(challenges.listed, self._since())
        return found if self._repository.names else [replace(challenge, name="") for challenge in found]

    async def described(self, found: list[Challenge]) -> tuple[ChallengeData, ...]:
        """Return challenges as other visitors see them.

        Raises:
            StoreError: the database does not answer.
        """
        makers = {challenge.visitor for challenge in found if challenge.options.rated is not None}
        rated = await self._repository.read(ratings.of_visitors, makers)
        return tuple(_challenge_data(challenge, rated.get(challenge.visitor, {})) for challenge in found)

    async def open(self, visitor: str, options: ChallengeOptions) -> Challenge:
        """Open a challenge in place of the visitor's previous challenge.

        Args:
            visitor: the maker.
            options: the options of the game.

        Raises:
            RulesError: the opening, the clock or the number of take-backs is invalid.
            Refused: the previous challenge has just been accepted, or the game is rated and the visitor has
                not turned ratings on.
            StoreError: the database does not answer.
        """
        options.terms.session()  # refuses invalid options before the challenge is shown
        name = await self._checked_name(visitor, options)
        now = time.time()
        challenge = Challenge(tables.new_id(), visitor, options, name, now, now)
        await self._repository.write("", challenges.open_challenge, challenge, self._since())
        await self.announce()
        return challenge

    async def withdraw(self, visitor: str) -> None:
        """Withdraw a visitor's challenge, if there is one.

        Raises:
            StoreError: the database does not answer.
        """
        if await self._repository.write("", challenges.withdraw, visitor):
            await self.announce()

    async def accept(self, challenge: str, visitor: str, sender: Sender) -> StartedGame:
        """Accept a challenge and begin its game, to which both clients are directed.

        A client that has not received the answer, because the connection broke or the server stopped, may
        repeat the request, and receives the same game as long as it has not played there.

        Args:
            challenge: the challenge's id.
            visitor: the visitor who accepts it.
            sender: the same visitor as a sender, whose quota is charged.

        Raises:
            Refused: the challenge is the visitor's own, or has been accepted or withdrawn; or it is rated
                and the visitor has not turned ratings on, or the two have reached the daily limit of rated
                games.
            StoreError: the database does not answer.
        """
        game = _game_id(challenge, visitor)
        with suppress(NoSuchGame), self._rooms.room(game) as room:
            if not await room.read(lambda current: _has_played(current, sender)):
                return await self._rooms.rejoin(game, sender)
        found = await self._repository.read(challenges.load, challenge, self._since())
        if found is None:
            raise Refused("error.web.challenge.gone")
        if found.visitor == visitor:
            raise Refused("error.web.challenge.own")
        await self._checked_name(visitor, found.options)
        if found.options.rated is not None:
            players = found.visitor, visitor
            met = await self._repository.read(ratings.meetings, players, time.time())
            if met >= MOST_A_DAY:
                raise Refused("error.web.rated.enough", most=MOST_A_DAY)
        maker = {"black": FIRST, "white": SECOND}.get(found.options.colour) or secrets.choice(
            (FIRST, SECOND)
        )
        new = Game(game, found.options.terms.session(), Settings(rated=found.options.rated))
        new.give(maker, found.visitor)
        new.give(FIRST + SECOND - maker, visitor)

        async def store(saved: StoredGame) -> None:
            write, since = self._repository.write, self._since()
            await write(game, challenges.accept, challenge, visitor, saved, since)

        made = await self._rooms.create_between(new, sender, store)
        await self.announce()
        return made

    async def _checked_name(self, visitor: str, options: ChallengeOptions) -> str:
        """Return a visitor's name; refuse a rated game to a visitor who has not turned ratings on."""
        read, names = self._repository.read, self._repository.names
        found = await read(visitor_rows.visitors_data, [visitor], names=names)
        known = found.get(visitor, VisitorData())
        if options.rated is not None and not known.rated:
            raise Refused("error.web.rated.off")
        return known.name

    # Watchers

    async def attach(self, watcher: Channel) -> None:
        """Add a watcher, to which the list is sent soon."""
        self._watchers.add(watcher)
        with suppress(TengenError):  # else at the next beat
            await self._touch_challenges()
        self._due.set()

    def detach(self, watcher: Channel) -> None:
        """Remove a watcher; its challenge stays open for a while."""
        self._watchers.discard(watcher)

    def _since(self) -> float:
        """Return the earliest time of a maker's last connection at which a challenge is still open."""
        return time.time() - self._grace

    async def _touch_challenges(self) -> None:
        if makers := _visitors(self._watchers):
            await self._repository.write("", challenges.touch, makers, time.time(), self._since())

    async def announce(self) -> None:
        """Notify all processes, including this one, that the list has changed."""
        with suppress(TengenError, OSError):
            await self._bus.publish(_CHANNEL, dict(_CHANGED))

    def _on_message(self, game: str, message: Json) -> None:
        if game == _CHANNEL or message == MISSED:
            self._due.set()

    async def _maintain(self) -> None:
        """Record connected makers at intervals, and delete expired challenges, for ever."""
        while True:
            await asyncio.sleep(self._beat)
            if not self._watchers:
                continue
            try:
                await self._touch_challenges()
                if await self._repository.write("", challenges.forget, self._since()):
                    await self.announce()
            except TengenError as error:
                _log.warning("lobby_failed", extra={"reason": str(error)})

    async def _broadcast_changes(self) -> None:
        """Send the list to all watchers whenever it has changed, for ever."""
        while True:
            await self._due.wait()
            self._due.clear()
            # Clients that attach while the list is read may need a newer list: the next round sends it.
            watchers = set(self._watchers)
            if not watchers:
                continue
            try:
                found = await self.challenges()
                data = await self.described(found)
                games = await self._repository.read(challenges.accepted, _visitors(watchers))
            except TengenError as error:
                _log.warning("lobby_failed", extra={"reason": str(error)})
                await asyncio.sleep(1.0)
                self._due.set()
                continue
            own = {challenge.visitor: challenge.id for challenge in found}
            _send_list(watchers & self._watchers, data, own, games)


def _visitors(watchers: set[Channel]) -> set[str]:
    return {watcher.visitor for watcher in watchers if watcher.visitor is not None}


def _send_list(
    watchers: set[Channel],
    data: tuple[ChallengeData, ...],
    own: Mapping[str, str],
    games: Mapping[str, str],
) -> None:
    """Send watchers the list, with their own challenge marked, and the game of an accepted challenge."""
    others = ChallengesMessage(challenges=data, own=None).to_json()
    for watcher in watchers:
        visitor = watcher.visitor or ""
        mine = visitor in own
        text = ChallengesMessage(challenges=data, own=own[visitor]).to_json() if mine else others
        watcher.send(text, "list")
        if visitor in games:
            watcher.send(CalledMessage(id=games[visitor]).to_json(), "game")


def _challenge_data(challenge: Challenge, rated: Mapping[str, Glicko2]) -> ChallengeData:
    """Return a challenge as other visitors see it; of its maker it has only the name and rating."""
    options, terms = challenge.options, challenge.options.terms
    rating = None if options.rated is None else RatingData.of(rated.get(options.rated, Glicko2()))
    return ChallengeData(
        **rules_fields(terms.rules),
        id=challenge.id,
        name=challenge.name or None,
        opening=terms.opening,
        clock=terms.clock,
        take_backs=terms.take_backs,
        colour=options.colour,
        rated=options.rated,
        rating=rating,
        created=challenge.created,
    )


def _game_id(challenge: str, visitor: str) -> str:
    """Return the id of the game that results when a visitor accepts a challenge.

    The id is unguessable because the visitor's id is secret.
    """
    digest = hashlib.sha256(f"{challenge} {visitor}".encode()).digest()
    return base64.urlsafe_b64encode(digest)[: len(tables.new_id())].decode()


def _has_played(game: Game, sender: Sender) -> bool:
    return any(action.by in game.seats_of(sender) for action in game.session.actions)
