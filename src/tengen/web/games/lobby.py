"""The lobby: challenges that wait for somebody, and those who look at them.

What is waiting is in the database, for all server processes. Each tells the others when that has changed,
and then every process reads the list and sends it to those who look on. A challenge stays as long as its
maker is connected, and for a while after.
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
from functools import partial
from typing import Any, Protocol

from tengen.arena.glicko2 import Glicko2
from tengen.game.board import Board
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN
from tengen.web.games import tables
from tengen.web.games.challenges import Challenge, ChallengeOptions
from tengen.web.games.client_messages import Sender
from tengen.web.games.ratings import MOST_A_DAY, rating_json
from tengen.web.games.repository import GameRepository
from tengen.web.games.room_state import RoomState
from tengen.web.games.rooms import CreatedGame, Rooms
from tengen.web.games.subscribers import packed
from tengen.web.server.board_json import Json, rules_json
from tengen.web.server.bus import MISSED, Bus
from tengen.web.server.http_errors import NoSuchGame, Refused
from tengen.words import TengenError

GRACE = 60.0
"""Seconds for which a challenge stays when its maker has gone: pages are loaded anew, and phones sleep."""

BEAT = 10.0
"""Seconds between two notes that makers are there."""

_CHANNEL = "lobby"
"""Under what the bus tells of the lobby: no game has an id so short."""

_CHANGED: Mapping[str, Any] = {"lobby": "changed"}

_log = logging.getLogger("tengen.web.games.lobby")


class LobbyWatcher(Protocol):
    """Somebody who looks at the lobby.

    Attributes:
        visitor: who; None for somebody without a cookie, who only looks.
    """

    visitor: str | None

    def show(self, text: str) -> None:
        """Give it the list as it is now; returns at once."""

    def call(self, game: str) -> None:
        """Take it to the game that its challenge has become; returns at once."""


class Lobby:
    """The lobby as one server process sees it.

    Args:
        repository: where challenges are kept.
        bus: what other processes say.
        rooms: where they become games.
        grace: seconds for which a challenge stays after its maker was last seen.
        beat: seconds between two notes that makers are there.
    """

    def __init__(
        self,
        repository: GameRepository,
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
        self._watchers: set[LobbyWatcher] = set()
        self._due = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._unsubscribe = bus.subscribe(self._hear)

    async def start(self) -> None:
        """Begin to note who is there, and to tell them what has changed."""
        self._tasks = [asyncio.create_task(self._keep()), asyncio.create_task(self._follow())]

    async def close(self) -> None:
        """Stop. May be called twice."""
        self._unsubscribe()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What is waiting

    async def challenges(self) -> list[Challenge]:
        """The open challenges, the oldest first.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._repository.challenges(self._since())

    async def described(self, challenges: list[Challenge]) -> list[Json]:
        """Challenges as others see them.

        Raises:
            StoreError: the database does not answer.
        """
        makers = {one.visitor for one in challenges if one.options.rated is not None}
        ratings = await self._repository.ratings(makers)
        return [challenge_json(one, ratings.get(one.visitor, {})) for one in challenges]

    async def open(self, visitor: str, options: ChallengeOptions) -> Challenge:
        """Offer a game to whoever comes, in the place of what the visitor has offered before.

        Args:
            visitor: who offers it.
            options: the game.

        Raises:
            RulesError: an opening, a clock or a number of take-backs that cannot be.
            Refused: what was offered before has just been accepted, or a rated game is offered by
                somebody who has not turned ratings on.
            StoreError: the database does not answer.
        """
        _session(options)  # what cannot be is refused before anybody sees it
        name = await self._checked_name(visitor, options)
        now = time.time()
        challenge = Challenge(tables.new_id(), visitor, options, name, now, now)
        await self._repository.open_challenge(challenge, self._since())
        await self.announce()
        return challenge

    async def withdraw(self, visitor: str) -> None:
        """Take back what a visitor has offered; nothing happens where that is nothing.

        Raises:
            StoreError: the database does not answer.
        """
        if await self._repository.withdraw_challenge(visitor):
            await self.announce()

    async def accept(self, challenge: str, visitor: str, sender: Sender) -> CreatedGame:
        """Play a game that somebody offers; both are taken there.

        Whoever has not heard the answer, because the connection broke or the server ended, may ask again,
        and gets the same game as long as it has not played there.

        Args:
            challenge: its id.
            visitor: who accepts it.
            sender: the same, for what it costs.

        Raises:
            Refused: it is one's own, or has been accepted or withdrawn, or is rated and the visitor has not
                turned ratings on, or both have begun as many rated games within a day as count.
            StoreError: the database does not answer.
        """
        game = _game_id(challenge, visitor)
        with suppress(NoSuchGame), self._rooms.room(game) as room:
            if not await room.look(partial(_has_played, sender=sender)):
                return await self._rooms.come_back(game, sender)
        found = await self._repository.challenge(challenge, self._since())
        if found is None:
            raise Refused("error.web.challenge.gone")
        if found.visitor == visitor:
            raise Refused("error.web.challenge.own")
        await self._checked_name(visitor, found.options)
        if found.options.rated is not None:
            met = await self._repository.rated_meetings((found.visitor, visitor))
            if met >= MOST_A_DAY:
                raise Refused("error.web.rated.enough", most=MOST_A_DAY)
        maker = {"black": FIRST, "white": SECOND}.get(found.options.colour) or secrets.choice(
            (FIRST, SECOND)
        )
        owners = {maker: found.visitor, FIRST + SECOND - maker: visitor}
        keep = partial(
            self._repository.accept_challenge, challenge=challenge, visitor=visitor, since=self._since()
        )
        made = await self._rooms.create_between(
            game, _session(found.options), owners, sender, keep, found.options.rated
        )
        await self.announce()
        return made

    async def _checked_name(self, visitor: str, options: ChallengeOptions) -> str:
        """What a visitor is called who is to play a game; a rated one is for those who play such."""
        known = await self._repository.visitor(visitor)
        if options.rated is not None and not known.rated:
            raise Refused("error.web.rated.off")
        return known.name

    # Those who look on

    async def attach(self, watcher: LobbyWatcher) -> None:
        """Somebody comes; it is shown the list soon."""
        self._watchers.add(watcher)
        with suppress(TengenError):  # else at the next beat
            await self._see()
        self._due.set()

    def detach(self, watcher: LobbyWatcher) -> None:
        """Somebody goes; what it offers stays for a while."""
        self._watchers.discard(watcher)

    def _since(self) -> float:
        """Since when a maker has to have been seen."""
        return time.time() - self._grace

    async def _see(self) -> None:
        if makers := _visitors(self._watchers):
            await self._repository.see_makers(makers, self._since())

    async def announce(self) -> None:
        """Tell all processes, this one too, that the list has changed."""
        with suppress(TengenError, OSError):
            await self._bus.publish(_CHANNEL, dict(_CHANGED))

    def _hear(self, game: str, message: Json) -> None:
        if game == _CHANNEL or message == MISSED:
            self._due.set()

    async def _keep(self) -> None:
        """Note now and then that makers are there, and forget the challenges of those who are not."""
        while True:
            await asyncio.sleep(self._beat)
            if not self._watchers:
                continue
            try:
                await self._see()
                if await self._repository.forget_challenges(self._since()):
                    await self.announce()
            except TengenError as error:
                _log.warning("lobby_failed", extra={"reason": str(error)})

    async def _follow(self) -> None:
        """Show those who look on what there is, whenever that has changed."""
        while True:
            await self._due.wait()
            self._due.clear()
            # Who comes while the list is read may have changed it before: theirs is the next round.
            watchers = set(self._watchers)
            if not watchers:
                continue
            try:
                found = await self.challenges()
                told = await self.described(found)
                games = await self._repository.accepted_challenges(_visitors(watchers))
            except TengenError as error:
                _log.warning("lobby_failed", extra={"reason": str(error)})
                await asyncio.sleep(1.0)
                self._due.set()
                continue
            own = {challenge.visitor: challenge.id for challenge in found}
            _show(watchers & self._watchers, told, own, games)


def _visitors(watchers: set[LobbyWatcher]) -> set[str]:
    return {watcher.visitor for watcher in watchers if watcher.visitor is not None}


def _show(
    watchers: set[LobbyWatcher], told: list[Json], own: Mapping[str, str], games: Mapping[str, str]
) -> None:
    """Show the list, in it what is their own, and take those to their games who have one."""
    others = _list_text(told, None)
    for watcher in watchers:
        visitor = watcher.visitor or ""
        watcher.show(_list_text(told, own[visitor]) if visitor in own else others)
        if visitor in games:
            watcher.call(games[visitor])


def challenge_json(challenge: Challenge, ratings: Mapping[str, Glicko2]) -> Json:
    """A challenge as others see it: of who has made it, only the name and the rating in its pool."""
    options = challenge.options
    rating = None if options.rated is None else rating_json(ratings.get(options.rated, Glicko2()))
    rules = Rules.from_dict(options.rules)
    return {
        "id": challenge.id,
        "name": challenge.name or None,
        "rules": rules_json(rules),
        "fouls_mode": rules.fouls,
        "opening": options.opening,
        "clock": options.clock,
        "take_backs": options.take_backs,
        "colour": options.colour,
        "rated": options.rated,
        "rating": rating,
        "created": challenge.created,
    }


def _list_text(told: list[Json], own: str | None) -> str:
    return packed({"type": "challenges", "challenges": told, "own": own})


def _game_id(challenge: str, visitor: str) -> str:
    """The id of the game that a challenge becomes by a visitor, whose id nobody else knows."""
    digest = hashlib.sha256(f"{challenge} {visitor}".encode()).digest()
    return base64.urlsafe_b64encode(digest)[: len(tables.new_id())].decode()


def _has_played(session: Session, room_state: RoomState, sender: Sender) -> bool:
    return any(action.by in sender.seats(room_state) for action in session.actions)


def _session(options: ChallengeOptions) -> Session:
    """The game of a challenge, before its first move.

    Raises:
        RulesError: there can be no such game.
    """
    start = Board(Rules.from_dict(options.rules))
    return Session(
        start.rules,
        HUMAN,
        HUMAN,
        options.opening,
        options.clock,
        options.take_backs,
        take_back_unit=None,
        consent=True,
        start=start,
    )
