"""The tournaments of a server process: creating, entering, running and watching them.

Tournaments are in the database, shared by all server processes. A change is written as a tournament's next
version and announced to all processes, which send it to their watchers. When a game ends, the process that
has saved its end records the result and starts the next round. At intervals every process also checks all
running tournaments, to make up for processes that have died; this reloads their games into memory, where
clocks run out and computers think.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial

from tengen.game.opening_rules import FIRST, SECOND
from tengen.game.session_state import HUMAN
from tengen.schemas.base import Json
from tengen.schemas.rules import rules_fields
from tengen.schemas.tournament import (
    EntrantData,
    EntrantRowData,
    MeetingData,
    RoundData,
    TournamentData,
    TournamentMessage,
)
from tengen.web.computing.spec_policy import allowed_player, spec_player
from tengen.web.database import tables
from tengen.web.database.repository import Repository
from tengen.web.database.tables import Conflict
from tengen.web.games import storage
from tengen.web.games.events import Ended, GameEvent
from tengen.web.games.game import Game, Settings
from tengen.web.games.rooms import Rooms
from tengen.web.games.stored_game import StoredGame, Storer
from tengen.web.tournaments import tournament_rows
from tengen.web.tournaments.online_tournament import (
    VOID,
    Entrant,
    EntrantRow,
    Meeting,
    OnlineTournament,
    Round,
    TournamentOptions,
)
from tengen.web.transport.bus import MISSED, Bus
from tengen.web.transport.channel import Channel
from tengen.web.transport.errors import NoSuchGame, Refused
from tengen.words import TengenError

BEAT = 10.0
"""Seconds between two checks of all running tournaments."""

_ATTEMPTS = 8
"""The most attempts at a change while others keep saving first."""

_CHANGED = "tournament"
"""The key of bus messages that announce a change of a tournament."""

_log = logging.getLogger("tengen.web.tournaments")


class Tournaments:
    """All tournaments, in one server process.

    Args:
        repository: the storage of tournaments.
        bus: the message bus between server processes.
        rooms: the games of this process.
        beat: seconds between two checks of all running tournaments.
    """

    def __init__(self, repository: Repository, bus: Bus, rooms: Rooms, *, beat: float = BEAT) -> None:
        self._repository = repository
        self._bus = bus
        self._rooms = rooms
        self._beat = beat
        self._watchers: defaultdict[str, set[Channel]] = defaultdict(set)
        self._changed: asyncio.Queue[str] = asyncio.Queue()
        self._ended: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._unsubscribe = bus.subscribe(self._on_message)
        rooms.process.listeners.append(self._on_events)

    async def start(self) -> None:
        """Start the background tasks that run tournaments and send changes to watchers."""
        loops = (self._check_running(), self._advance_queued(), self._broadcast_changes())
        self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def close(self) -> None:
        """Stop the background tasks. May be called twice."""
        self._unsubscribe()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Requests

    async def create(
        self, visitor: str, options: TournamentOptions, storer: Storer | None = None, name: str = ""
    ) -> OnlineTournament:
        """Create a tournament, open for entries.

        Args:
            visitor: the creator.
            options: the tournament's options.
            storer: the account to charge; None for no charge.
            name: the name, already checked, under which the creator enters; empty if it does not enter.

        Raises:
            Refused: the account has reached its storage limit.
            RulesError: the opening or the clock is invalid.
            StoreError: the database does not answer.
        """
        options.terms.session()  # refuses invalid options before visitors can enter
        made = OnlineTournament(tables.new_id(), visitor, options, time.time())
        if name:
            made.enter(visitor, name)
        await self._repository.write(made.id, tournament_rows.create, made, storer)
        if name:
            await self._rooms.rename(visitor, name, storer)
        return made

    async def find(self, tournament: str) -> OnlineTournament:
        """Return the tournament with the given id.

        Raises:
            NoSuchGame: the tournament does not exist.
            StoreError: the database does not answer.
        """
        found = await self._repository.read(tournament_rows.load, tournament)
        if found is None:
            raise NoSuchGame("error.web.tournament.none")
        return found

    async def of_visitor(self, visitor: str) -> list[OnlineTournament]:
        """Return the tournaments that a visitor has created or entered, newest first.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._repository.read(tournament_rows.of_visitor, visitor)

    async def listed(self) -> list[OnlineTournament]:
        """Return the publicly listed tournaments, newest first.

        Raises:
            StoreError: the database does not answer.
        """
        return await self.of_visitor(tournament_rows.EVERYBODY)

    async def enter(
        self, tournament: str, visitor: str, name: str, storer: Storer | None = None
    ) -> OnlineTournament:
        """Enter a visitor in a tournament, under a name that becomes the visitor's name everywhere.

        Args:
            tournament: the tournament's id.
            visitor: the visitor's id.
            name: the name, already checked and not empty.
            storer: the account to charge for the name; None for no charge.

        Raises:
            NoSuchGame: the tournament does not exist.
            Refused: see `OnlineTournament.enter`.
            StoreError: the database does not answer.
        """
        changed = await self._change(tournament, lambda current: current.enter(visitor, name))
        await self._rooms.rename(visitor, name, storer)
        return changed

    async def add_computer(self, tournament: str, visitor: str, spec: str) -> OnlineTournament:
        """Enter a computer; only the tournament's creator may.

        Raises:
            WrongFields: the player is not allowed, or does not support the tournament's rules.
            NoSuchGame, NotYourSeat, Refused, StoreError: as in `OnlineTournament.add_computer`.
        """
        player = allowed_player(spec, (await self.find(tournament)).options.terms.rules).name
        return await self._change(tournament, lambda current: current.add_computer(visitor, player))

    async def begin(self, tournament: str, visitor: str, storer: Storer | None = None) -> OnlineTournament:
        """Start the first round; only the tournament's creator may.

        Args:
            tournament: the tournament's id.
            visitor: the visitor who asks for it.
            storer: the account to charge for the games of all rounds; None for no charge.

        Raises:
            NoSuchGame, NotYourSeat, Refused, StoreError: as in `OnlineTournament.start`.
            Refused: the account's storage limit does not allow so many games.
        """
        if storer is not None:
            found = await self.find(tournament)
            found.check_creator(visitor)
            now, games = time.time(), found.most_games
            await self._repository.write(tournament, storage.charge, storer, now, games)
        return await self._change(tournament, lambda current: current.start(visitor))

    async def withdraw(self, tournament: str, visitor: str, number: int | None) -> OnlineTournament:
        """Withdraw an entrant.

        Args:
            tournament: the tournament's id.
            visitor: the visitor who asks for it.
            number: the entrant's number; None for the visitor itself.

        Raises:
            NoSuchGame, NotYourSeat, Refused, StoreError: as in `OnlineTournament.withdraw`.
        """

        def withdraw(current: OnlineTournament) -> None:
            own = current.entrant_of(visitor)
            if number is None and own is None:
                raise Refused("error.web.tournament.not_in")
            current.withdraw(visitor, own.id if number is None and own is not None else number or 0)

        changed = await self._change(tournament, withdraw)
        if changed.status == "running":
            await self._advance(tournament)
            changed = await self.find(tournament)
        return changed

    async def forget_visitor(self, visitor: str) -> None:
        """Remove a visitor from all tournaments; it withdraws from the running ones.

        Raises:
            Refused: others saved a tournament first on every attempt.
            StoreError: the database does not answer.
        """
        for tournament in await self._repository.read(tournament_rows.ids_of_visitor, visitor):
            with suppress(NoSuchGame):
                changed = await self._change(tournament, lambda current: current.forget(visitor))
                if changed.status == "running":
                    await self._advance(tournament)

    async def _change(
        self, tournament: str, change: Callable[[OnlineTournament], object]
    ) -> OnlineTournament:
        """Change a tournament, save it, begin new games and announce the change; return the tournament.

        Raises:
            NoSuchGame: the tournament does not exist.
            Refused: others saved first on every attempt.
            TengenError: raised by `change`; then nothing is changed.
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
        """Save a change as the next version, begin new games, and announce the change to all processes.

        Raises:
            Conflict: another change was saved first; nothing is saved.
        """
        changed.version += 1
        waiting = [meeting for meeting in changed.going_on() if meeting.game is None]

        async def store(begun: list[StoredGame]) -> None:
            for meeting, game in zip(waiting, begun, strict=True):
                meeting.game = game.id
            write = self._repository.write
            await write(changed.id, tournament_rows.save, changed, time.time(), begun)

        await self._rooms.create_all([_game(changed, meeting) for meeting in waiting], store)
        with suppress(TengenError, OSError):
            await self._bus.publish(changed.id, {_CHANGED: "changed"})

    # Consequences of games

    async def _advance(self, tournament: str) -> None:
        """Record the results of finished games and start the next round; resume running games."""
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
        """Resign the running games of withdrawn entrants."""
        for meeting in tournament.going_on():
            for who, number in ((FIRST, meeting.first), (SECOND, meeting.second)):
                if meeting.game is not None and tournament.entrant(number).withdrawn:
                    with suppress(TengenError), self._rooms.room(meeting.game) as room:
                        await room.act(partial(_resign, who=who))

    async def _results(self, tournament: OnlineTournament) -> dict[str, tuple[float | None, str]]:
        """Return the results of finished games that are not yet recorded, by game id."""
        ids = [meeting.game for meeting in tournament.going_on() if meeting.game is not None]
        playing = await self._repository.read(tournament_rows.still_played, ids)
        found: dict[str, tuple[float | None, str]] = {}
        for game in set(ids) - playing:
            try:
                with self._rooms.room(game) as room:
                    result = await room.read(_result)
            except NoSuchGame:
                result = (None, VOID)  # the game was so old that it has been deleted
            if result is not None:
                found[game] = result
        return found

    async def _resume(self, tournament: OnlineTournament) -> None:
        """Load running games into memory, so that their clocks run out and computers think."""
        for meeting in tournament.going_on():
            if meeting.game is not None:
                with suppress(TengenError), self._rooms.room(meeting.game) as room:
                    await room.resume()

    async def _check_running(self) -> None:
        """Check all running tournaments at intervals, for ever."""
        while True:
            with suppress(TengenError):
                for tournament in await self._repository.read(tournament_rows.running):
                    self._ended.put_nowait(tournament)
            await asyncio.sleep(self._beat)

    async def _advance_queued(self) -> None:
        """Process the queue of tournaments to be checked, for ever."""
        while True:
            tournament = await self._ended.get()
            try:
                await self._advance(tournament)
            except TengenError as error:
                _log.warning("tournament_failed", extra={"reason": str(error)})
            except Exception:
                _log.exception("tournament_failed")

    # Watchers

    async def attach(self, tournament: str, watcher: Channel) -> None:
        """Add a watcher, and send it the tournament.

        Raises:
            NoSuchGame: the tournament does not exist.
            StoreError: the database does not answer.
        """
        found = await self.find(tournament)
        self._watchers[tournament].add(watcher)
        watcher.send(_text(found, watcher), "tournament")

    def detach(self, tournament: str, watcher: Channel) -> None:
        """Remove a watcher."""
        self._watchers[tournament].discard(watcher)
        if not self._watchers[tournament]:
            del self._watchers[tournament]

    def _on_message(self, game: str, message: Json) -> None:
        if message == MISSED:
            for tournament in self._watchers:
                self._changed.put_nowait(tournament)
        elif _CHANGED in message:
            self._changed.put_nowait(game)

    def _on_events(self, game: Game, events: Sequence[GameEvent]) -> None:
        tournament = game.settings.organiser
        if tournament is not None and any(isinstance(event, Ended) for event in events):
            self._ended.put_nowait(tournament)

    async def _broadcast_changes(self) -> None:
        """Send changed tournaments to their watchers, for ever."""
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
                watcher.send(_text(found, watcher), "tournament")


# Serialisation


def tournament_data(tournament: OnlineTournament, visitor: str | None) -> TournamentData:
    """Return a tournament as a visitor sees it.

    Args:
        tournament: the tournament.
        visitor: the id of the visitor who receives it; None for a client without a cookie.
    """
    options, own = tournament.options, tournament.entrant_of(visitor)
    return TournamentData(
        **rules_fields(options.terms.rules),
        id=tournament.id,
        version=tournament.version,
        name=options.name,
        kind=options.kind,
        rounds=options.rounds,
        opening=options.terms.opening,
        clock=options.terms.clock,
        listed=options.listed,
        status=tournament.status,
        last_entry=tournament.last_entry,
        created=tournament.created,
        entrants=tuple(map(_entrant_data, tournament.entrants)),
        played=tuple(map(_round_data, tournament.rounds)),
        table=tuple(map(_row_data, tournament.table())),
        you=None if own is None else own.id,
        made=visitor is not None and visitor == tournament.creator,
    )


def _entrant_data(entrant: Entrant) -> EntrantData:
    return EntrantData(
        id=entrant.id,
        name=entrant.name or None,
        occupant=entrant.player or HUMAN,
        withdrawn=entrant.withdrawn,
    )


def _round_data(played: Round) -> RoundData:
    meetings = (
        MeetingData(**{**asdict(meeting), "reason": meeting.reason or None}) for meeting in played.meetings
    )
    return RoundData(meetings=tuple(meetings), bye=played.bye)


def _row_data(row: EntrantRow) -> EntrantRowData:
    standing = row.standing
    return EntrantRowData(
        entrant=row.entrant,
        place=row.place,
        points=standing.points,
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
        buchholz=standing.buchholz,
        sonneborn_berger=standing.sonneborn_berger,
    )


def _text(tournament: OnlineTournament, watcher: Channel) -> str:
    return TournamentMessage(tournament=tournament_data(tournament, watcher.visitor)).to_json()


# Games


def _game(tournament: OnlineTournament, meeting: Meeting) -> Game:
    """Return the game of a meeting, before its first move."""
    entrants = {FIRST: tournament.entrant(meeting.first), SECOND: tournament.entrant(meeting.second)}
    first, second = (
        HUMAN if entrant.player is None else spec_player(entrant.player) for entrant in entrants.values()
    )
    session = tournament.options.terms.session(first, second)
    game = Game(tables.new_id(), session, Settings(organiser=tournament.id))
    for who, entrant in entrants.items():
        game.give(who, entrant.visitor)
    return game


def _resign(game: Game, who: int) -> None:
    game.session.resign(who)


def _result(game: Game) -> tuple[float | None, str] | None:
    """Return the first player's points and the reason of the result; None while the game is running."""
    result = game.session.result
    if result is None:
        return None
    if result.winner is None:
        return 0.5, result.reason
    return float(game.session.player_of(result.winner) == FIRST), result.reason
