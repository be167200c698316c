"""The tournaments of a server process: made, entered, played to their end, and shown to those who look on.

All of them are in the database, for all server processes. A change is written as the next version of a
tournament, and told to all processes, which show it to those who look on. When a game ends, the process
that has kept its end takes the result in and begins the next round; now and then every process looks after
all tournaments that are being played, so that nothing is left undone where one has died meanwhile. That
also brings their games back into memory, where clocks run out and computers think.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from tengen.game.board import Board
from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.rules import Rules
from tengen.game.session import Session
from tengen.game.session_state import HUMAN, Occupant
from tengen.web.games import storage, tables
from tengen.web.games.repository import Conflict, GameRepository, StoredGame
from tengen.web.games.room_state import RoomState
from tengen.web.games.rooms import Rooms
from tengen.web.games.subscribers import packed
from tengen.web.games.tables import Storer
from tengen.web.server.board_json import Json, rules_json
from tengen.web.server.bus import MISSED, Bus
from tengen.web.server.http_errors import NoSuchGame, Refused
from tengen.web.server.spec_policy import allowed_player, spec_player
from tengen.web.tournaments import tournament_rows
from tengen.web.tournaments.online_tournament import (
    VOID,
    Entrant,
    Meeting,
    OnlineTournament,
    TournamentOptions,
)
from tengen.words import TengenError

BEAT = 10.0
"""Seconds between two looks at all tournaments that are being played."""

_ATTEMPTS = 8
"""How often a change is made anew because another one came first."""

_CHANGED = "tournament"
"""In messages of the bus: the tournament of that id has changed."""

_log = logging.getLogger("tengen.web.tournaments")


class TournamentWatcher(Protocol):
    """Somebody who looks at a tournament.

    Attributes:
        visitor: who; None for somebody without a cookie, who only looks.
    """

    visitor: str | None

    def show(self, text: str) -> None:
        """Give it the tournament as it is now; returns at once."""


class Tournaments:
    """All tournaments, as one server process sees them.

    Args:
        repository: where they are kept.
        bus: what other processes say.
        rooms: where their games are played.
        beat: seconds between two looks at all that are being played.
    """

    def __init__(self, repository: GameRepository, bus: Bus, rooms: Rooms, *, beat: float = BEAT) -> None:
        self._repository = repository
        self._bus = bus
        self._rooms = rooms
        self._beat = beat
        self._watchers: defaultdict[str, set[TournamentWatcher]] = defaultdict(set)
        self._changed: asyncio.Queue[str] = asyncio.Queue()
        self._ended: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._unsubscribe = bus.subscribe(self._hear)

    async def start(self) -> None:
        """Begin to look after those that are being played, and to show what changes."""
        work = (self._keep(), self._take_in(), self._follow())
        self._tasks = [asyncio.create_task(one) for one in work]

    async def close(self) -> None:
        """Stop. May be called twice."""
        self._unsubscribe()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What somebody asks for

    async def create(
        self, visitor: str, options: TournamentOptions, storer: Storer | None = None, name: str = ""
    ) -> OnlineTournament:
        """Make a tournament that can be entered.

        Args:
            visitor: who makes it.
            options: what is to be played.
            storer: on whose account it is kept; None for nobody's.
            name: checked, under which the visitor takes part; empty where it only looks on.

        Raises:
            Refused: as much as may be is kept on that account.
            RulesError: an opening or a clock that cannot be.
            StoreError: the database does not answer.
        """
        _session(options, HUMAN, HUMAN)  # what cannot be is refused before anybody comes
        made = OnlineTournament(tables.new_id(), visitor, options, time.time())
        if name:
            made.enter(visitor, name)
        await self._repository.write(made.id, partial(tournament_rows.create, made=made, storer=storer))
        if name:
            await self._rooms.rename(visitor, name, storer)
        return made

    async def find(self, tournament: str) -> OnlineTournament:
        """The tournament of an id.

        Raises:
            NoSuchGame: there is none.
            StoreError: the database does not answer.
        """
        found = None
        if tournament.isascii() and tournament.isprintable():
            found = await self._repository.read(partial(tournament_rows.load, tournament=tournament))
        if found is None:
            raise NoSuchGame("error.web.tournament.none")
        return found

    async def of_visitor(self, visitor: str) -> list[OnlineTournament]:
        """Those that a visitor has made or entered, the newest first.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._repository.read(partial(tournament_rows.of_visitor, visitor=visitor))

    async def listed(self) -> list[OnlineTournament]:
        """Those that everybody is shown, the newest first.

        Raises:
            StoreError: the database does not answer.
        """
        return await self.of_visitor(tournament_rows.EVERYBODY)

    async def enter(
        self, tournament: str, visitor: str, name: str, storer: Storer | None = None
    ) -> OnlineTournament:
        """Let a visitor take part, who is called so from now on, here and elsewhere.

        Args:
            tournament: its id.
            visitor: who.
            name: checked, and not empty.
            storer: on whose account the name is kept; None for nobody's.

        Raises:
            NoSuchGame: there is no such tournament.
            Refused: see `OnlineTournament.enter`.
            StoreError: the database does not answer.
        """
        changed = await self._change(tournament, lambda one: one.enter(visitor, name))
        await self._rooms.rename(visitor, name, storer)
        return changed

    async def add_computer(self, tournament: str, visitor: str, spec: str) -> OnlineTournament:
        """Let a computer take part; for whoever has made the tournament.

        Raises:
            WrongFields: no computer that plays by these rules.
            NoSuchGame, NotYourSeat, Refused, StoreError: as in `OnlineTournament.add_computer`.
        """
        rules = Rules.from_dict((await self.find(tournament)).options.rules)
        player = allowed_player(spec, rules).name
        return await self._change(tournament, lambda one: one.add_computer(visitor, player))

    async def begin(self, tournament: str, visitor: str, storer: Storer | None = None) -> OnlineTournament:
        """Begin the first round; for whoever has made the tournament.

        Args:
            tournament: its id.
            visitor: who asks for it.
            storer: on whose account its games are kept, those of later rounds too; None for nobody's.

        Raises:
            NoSuchGame, NotYourSeat, Refused, StoreError: as in `OnlineTournament.start`.
            Refused: the account has no room for so many games.
        """
        if storer is not None:
            found = await self.find(tournament)
            found.check_creator(visitor)
            charge = partial(storage.charge, storer=storer, now=time.time(), things=found.most_games)
            await self._repository.write(tournament, charge)
        return await self._change(tournament, lambda one: one.start(visitor))

    async def withdraw(self, tournament: str, visitor: str, number: int | None) -> OnlineTournament:
        """Let an entrant take part no more.

        Args:
            tournament: its id.
            visitor: who asks for it.
            number: the entrant's; None for the visitor itself.

        Raises:
            NoSuchGame, NotYourSeat, Refused, StoreError: as in `OnlineTournament.withdraw`.
        """

        def withdraw(one: OnlineTournament) -> None:
            own = one.entrant_of(visitor)
            if number is None and own is None:
                raise Refused("error.web.tournament.not_in")
            one.withdraw(visitor, own.id if number is None and own is not None else number or 0)

        changed = await self._change(tournament, withdraw)
        if changed.status == "running":
            await self._look_after(tournament)
            changed = await self.find(tournament)
        return changed

    async def forget_visitor(self, visitor: str) -> None:
        """Have no tournament say anything of a visitor any more, who withdraws from those that go on.

        Raises:
            Refused: one of them is changed by others all the time.
            StoreError: the database does not answer.
        """
        for tournament in await self._repository.read(
            partial(tournament_rows.ids_of_visitor, visitor=visitor)
        ):
            with suppress(NoSuchGame):
                changed = await self._change(tournament, lambda one: one.forget(visitor))
                if changed.status == "running":
                    await self._look_after(tournament)

    async def _change(
        self, tournament: str, change: Callable[[OnlineTournament], object]
    ) -> OnlineTournament:
        """A tournament after a change, which is kept and told; with the games that begin by it.

        Raises:
            NoSuchGame: there is no such tournament.
            Refused: it is changed by others all the time.
            TengenError: what the change raises; then nothing is changed.
        """
        for _ in range(_ATTEMPTS):
            found = await self.find(tournament)
            # Pairing many players takes a moment.
            await asyncio.to_thread(change, found)
            with suppress(Conflict):
                await self._save(found)
                return found
        raise Refused("error.web.busy")

    async def _save(self, changed: OnlineTournament) -> None:
        """Keep a change as the next version, with the games that begin by it, and tell everybody.

        Raises:
            Conflict: another change came first; nothing is kept.
        """
        changed.version += 1
        waiting = [meeting for meeting in changed.going_on() if meeting.game is None]

        async def keep(begun: list[StoredGame]) -> None:
            for meeting, game in zip(waiting, begun, strict=True):
                meeting.game = game.id
            now = time.time()
            write = partial(tournament_rows.save, changed=changed, now=now, begun=begun)
            await self._repository.write(changed.id, write)

        await self._rooms.create_all([_game(changed, meeting) for meeting in waiting], keep)
        with suppress(TengenError, OSError):
            await self._bus.publish(changed.id, {_CHANGED: "changed"})

    # What follows from games

    async def _look_after(self, tournament: str) -> None:
        """Take in how games have ended, and begin the next round; let those go on that have not."""
        for _ in range(_ATTEMPTS):
            found = await self.find(tournament)
            if found.status != "running":
                return
            await self._resign(found)
            results = await self._results(found)
            if not results:
                await self._resume(found)
                return
            found.settle(results)
            await asyncio.to_thread(found.advance)
            with suppress(Conflict):
                await self._save(found)
                return

    async def _resign(self, tournament: OnlineTournament) -> None:
        """Have those resign their games who take part no more."""
        for meeting in tournament.going_on():
            for who, number in ((FIRST, meeting.first), (SECOND, meeting.second)):
                if meeting.game is not None and tournament.entrant(number).withdrawn:
                    with suppress(TengenError), self._rooms.room(meeting.game) as room:
                        await room.act(partial(_give_up, who=who))

    async def _results(self, tournament: OnlineTournament) -> dict[str, tuple[float | None, str]]:
        """How those games have ended that have, of those that the tournament knows nothing of yet."""
        ids = [meeting.game for meeting in tournament.going_on() if meeting.game is not None]
        playing = await self._repository.read(partial(tournament_rows.still_played, ids=ids))
        found: dict[str, tuple[float | None, str]] = {}
        for game in set(ids) - playing:
            try:
                with self._rooms.room(game) as room:
                    result = await room.look(_result)
            except NoSuchGame:
                result = (None, VOID)  # it was so old that it has been deleted
            if result is not None:
                found[game] = result
        return found

    async def _resume(self, tournament: OnlineTournament) -> None:
        """Bring games that go on back into memory: their clocks run, and computers think."""
        for meeting in tournament.going_on():
            if meeting.game is not None:
                with suppress(TengenError), self._rooms.room(meeting.game) as room:
                    await room.resume()

    async def _keep(self) -> None:
        """Now and then look after all that are being played."""
        while True:
            with suppress(TengenError):
                for tournament in await self._repository.read(tournament_rows.running):
                    self._ended.put_nowait(tournament)
            await asyncio.sleep(self._beat)

    async def _take_in(self) -> None:
        """Look after tournaments of which games have ended here."""
        while True:
            tournament = await self._ended.get()
            try:
                await self._look_after(tournament)
            except TengenError as error:
                _log.warning("tournament_failed", extra={"reason": str(error)})
            except Exception:
                _log.exception("tournament_failed")

    # Those who look on

    async def attach(self, tournament: str, watcher: TournamentWatcher) -> None:
        """Somebody comes, and is shown the tournament.

        Raises:
            NoSuchGame: there is none.
            StoreError: the database does not answer.
        """
        found = await self.find(tournament)
        self._watchers[tournament].add(watcher)
        watcher.show(_text(found, watcher))

    def detach(self, tournament: str, watcher: TournamentWatcher) -> None:
        """Somebody goes."""
        self._watchers[tournament].discard(watcher)
        if not self._watchers[tournament]:
            del self._watchers[tournament]

    def _hear(self, game: str, message: Json) -> None:
        if message == MISSED:
            for tournament in self._watchers:
                self._changed.put_nowait(tournament)
        elif _CHANGED in message:
            self._changed.put_nowait(game)
        elif "over" in message and message.get("from") == self._rooms.name:
            self._ended.put_nowait(message["over"])

    async def _follow(self) -> None:
        """Show those who look on what has changed."""
        while True:
            tournament = await self._changed.get()
            if not self._watchers.get(tournament):
                continue
            try:
                found = await self.find(tournament)
            except TengenError as error:
                _log.warning("tournament_failed", extra={"reason": str(error)})
                await asyncio.sleep(1.0)
                self._changed.put_nowait(tournament)
                continue
            for watcher in tuple(self._watchers.get(tournament, ())):
                watcher.show(_text(found, watcher))


# What others see


def tournament_json(tournament: OnlineTournament, visitor: str | None) -> Json:
    """A tournament as somebody sees it.

    Args:
        tournament: the tournament.
        visitor: who looks.
    """
    options = tournament.options
    rules = Rules.from_dict(options.rules)
    own = tournament.entrant_of(visitor)
    return {
        "id": tournament.id,
        "version": tournament.version,
        "name": options.name,
        "kind": options.kind,
        "rounds": options.rounds,
        "rules": rules_json(rules),
        "fouls_mode": rules.fouls,
        "opening": options.opening,
        "clock": options.clock,
        "listed": options.listed,
        "status": tournament.status,
        "last_entry": tournament.last_entry,
        "created": tournament.created,
        "entrants": [_entrant_json(one) for one in tournament.entrants],
        "played": [
            {
                "meetings": [
                    {
                        "first": meeting.first,
                        "second": meeting.second,
                        "game": meeting.game,
                        "points": meeting.points,
                        "reason": meeting.reason or None,
                    }
                    for meeting in one.meetings
                ],
                "bye": one.bye,
            }
            for one in tournament.rounds
        ],
        "table": [
            {
                "entrant": row.entrant,
                "place": row.place,
                "points": row.standing.points,
                "wins": row.standing.wins,
                "draws": row.standing.draws,
                "losses": row.standing.losses,
                "buchholz": row.standing.buchholz,
                "sonneborn_berger": row.standing.sonneborn_berger,
            }
            for row in tournament.table()
        ],
        "you": None if own is None else own.id,
        "made": visitor is not None and visitor == tournament.creator,
    }


def _entrant_json(entrant: Entrant) -> Json:
    return {
        "id": entrant.id,
        "name": entrant.name or None,
        "occupant": entrant.player or HUMAN,
        "withdrawn": entrant.withdrawn,
    }


def _text(tournament: OnlineTournament, watcher: TournamentWatcher) -> str:
    told = tournament_json(tournament, watcher.visitor)
    return packed({"type": "tournament", "tournament": told})


# Games


def _session(options: TournamentOptions, first: Occupant, second: Occupant) -> Session:
    """A game of a tournament, before its first move.

    Raises:
        RulesError: there can be no such game.
    """
    start = Board(Rules.from_dict(options.rules))
    return Session(
        start.rules,
        first,
        second,
        options.opening,
        options.clock,
        0,
        take_back_unit=None,
        consent=True,
        start=start,
    )


def _game(tournament: OnlineTournament, meeting: Meeting) -> tuple[Session, RoomState]:
    """The game of a meeting, and who owns its seats."""
    entrants = {FIRST: tournament.entrant(meeting.first), SECOND: tournament.entrant(meeting.second)}
    first, second = (HUMAN if one.player is None else spec_player(one.player) for one in entrants.values())
    owners = {who: one.visitor for who, one in entrants.items()}
    return _session(tournament.options, first, second), RoomState(owners=owners, tournament=tournament.id)


def _give_up(session: Session, _: RoomState, who: int) -> None:
    session.resign(who)


def _result(session: Session, _: RoomState) -> tuple[float | None, str] | None:
    """The points of who was first, and how the game ended; None as long as it goes on."""
    result = session.result
    if result is None:
        return None
    if result.winner is None:
        return 0.5, result.reason
    return float(session.player_of(result.winner) == FIRST), result.reason
