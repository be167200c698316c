"""The repository of a server's games: one thread writes in groups, a few others read.

A commit costs about as much for one game as for a hundred, so all changes that arrive during one
transaction are grouped into the next. Each call returns only when its own change has been committed, so
everything shown to a player survives a crash of the server.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, TypeVar, cast

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.arena.glicko2 import Glicko2
from tengen.web.games import database, ratings, storage, tables, visitor_rows
from tengen.web.games.tables import Conflict, ListedGame, Status, StoredGame, StoreError, Storer
from tengen.web.games.visitor_rows import VisitorData
from tengen.web.lobby import challenges
from tengen.web.lobby.challenges import Challenge
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.shielded import shielded
from tengen.words import LANGUAGES, TengenError, catalogue

__all__ = ["Conflict", "GameRepository", "ListedGame", "StoreError", "StoredGame", "VisitorData"]

T = TypeVar("T")

_GROUP = 500
"""The most changes in one transaction."""

_READERS = 3
"""The number of reading threads."""

_PATIENCE = 15.0
"""Seconds for which a change is retried while the database does not answer."""

_PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Pauses in seconds between the attempts at a write, growing with the time waited."""

_LONGEST_QUERY = 100
_MOST_LISTED = 1_000_000

_log = logging.getLogger("tengen.web.games.repository")


@dataclass(slots=True)
class _Change:
    """A change waiting to be written.

    Attributes:
        game: the id of the row that it changes.
        write: executes the change inside a transaction.
        done: the caller's future.
        since: the time of arrival, by the monotonic clock.
        result: the result of `write`, or an exception for the caller.
    """

    game: str
    write: Callable[[Connection], Any]
    done: asyncio.Future[Any]
    since: float
    result: Any = None


class GameRepository:
    """A server's games in its database. Its methods must be called from one event loop.

    Args:
        settings: the settings, including the database's URL.

    Attributes:
        cookie_key: the key with which all processes of this database sign cookies.

    Raises:
        SettingsError: the database cannot be reached, or belongs to a later version of Tengen.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._engine = database.open_engine(settings, _READERS + 1)
        with self._engine.begin() as connection:
            self.cookie_key = visitor_rows.cookie_key(connection)
        self._names = settings.names
        self._waiting: list[_Change] = []
        self._wake = threading.Condition()
        self._closing = False
        self._readers = ThreadPoolExecutor(_READERS, "tengen-reader")
        self._writer = threading.Thread(target=self._write_until_closed, name="tengen-writer", daemon=True)
        self._writer.start()

    async def close(self) -> None:
        """Write the waiting changes and close the database. May be called twice."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writer.join()
        self._readers.shutdown()
        self._engine.dispose()

    # -- for rooms

    async def load(self, game: str) -> StoredGame | None:
        """Return the game with the given id; None if it does not exist.

        Raises:
            StoreError: the database does not answer.
        """
        if not _is_id(game):
            return None
        return await self._read(partial(tables.load, game=game))

    async def create(self, saved: StoredGame) -> None:
        """Store a new game.

        Raises:
            Refused: the account has reached its storage limit; see `storage.create`.
            Conflict: another game has this id.
            StoreError: the database does not answer.
        """
        await self._write(saved.id, partial(storage.create, saved=saved))

    async def save(self, saved: StoredGame, expected: int) -> None:
        """Replace the stored version `expected` of a game; a finished rated game also updates the ratings.

        Raises:
            Conflict: another version is stored, or none; nothing is written.
            StoreError: the database does not answer.
        """
        await self._write(saved.id, partial(ratings.save, saved=saved, expected=expected))

    async def claim(self, game: str, owner: str, seconds: float) -> bool:
        """Acquire or renew a game's lease, so that only one process runs its computer players.

        Args:
            game: the game's id.
            owner: the name of the process.
            seconds: the duration of the lease from now, by this machine's clock.

        Returns:
            True if the owner holds the lease now.

        Raises:
            StoreError: the database does not answer.
        """
        now = time.time()
        change = partial(tables.claim, game=game, owner=owner, now=now, seconds=seconds)
        return await self._write(game, change)

    async def release(self, game: str, owner: str) -> None:
        """Release a lease acquired by `claim`; a lease now held by another process is left alone.

        Raises:
            StoreError: the database does not answer.
        """
        await self._write(game, partial(tables.release, game=game, owner=owner))

    async def note_opened(self, game: str) -> bool:
        """Record that a game is opened; return whether it exists. See `tables.note_opened`.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._write(game, partial(tables.note_opened, game=game, now=time.time()))

    async def delete_unused(self, since: float) -> int:
        """Delete a batch of some hundred games that have been neither changed nor opened since a time.

        Args:
            since: the time, in Unix seconds.

        Returns:
            The number of deleted games; 0 once none remains.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._write("", partial(tables.delete_unused, since=since, most=_GROUP))

    # -- for visitors

    async def join(self, game: str, visitor: str, participant: int | None) -> None:
        """Add a game to a visitor's list.

        Args:
            game: the game's id.
            visitor: the visitor's id.
            participant: 1 or 2; None for a spectator, which leaves a player's entry unchanged.

        Raises:
            StoreError: the database does not answer, or the game does not exist.
        """
        change = partial(tables.join, game=game, visitor=visitor, participant=participant)
        await self._write(game, change)

    async def forget(self, game: str, visitor: str) -> None:
        """Remove a game from a visitor's list.

        Raises:
            StoreError: the database does not answer.
        """
        if _is_id(game):
            await self._write(game, partial(tables.forget, game=game, visitor=visitor))

    async def games_of(
        self, visitor: str, query: str = "", status: Status = "all", offset: int = 0, limit: int = 30
    ) -> tuple[list[ListedGame], int]:
        """Return a page of a visitor's games, most recently changed first, and the total number of matches.

        Args:
            visitor: the visitor's id.
            query: words, all of which must occur in the names of the rules, the opening or the players (in
                either language), or in the result.
            status: ``"all"``, ``"running"`` or ``"over"``.
            offset: the number of games to skip.
            limit: the most games to return.

        Raises:
            StoreError: the database does not answer.
        """
        words = [_meant(word) for word in query[:_LONGEST_QUERY].lower().split()]
        offset, limit = min(max(offset, 0), _MOST_LISTED), min(max(limit, 0), _MOST_LISTED)
        return await self._read(
            partial(
                tables.games_of, visitor=visitor, words=words, status=status, offset=offset, limit=limit
            )
        )

    async def visitor(self, visitor: str) -> VisitorData:
        """Return a visitor's data; on a server without names, the name is empty.

        Raises:
            StoreError: the database does not answer.
        """
        return (await self.visitors([visitor])).get(visitor, VisitorData())

    async def visitors(self, visitors: Collection[str]) -> dict[str, VisitorData]:
        """Return the data of several visitors by id; visitors without stored data are omitted.

        Raises:
            StoreError: the database does not answer.
        """
        if not visitors:
            return {}
        known = await self._read(partial(visitor_rows.visitors_data, ids=visitors))
        return known if self._names else {who: replace(data, name="") for who, data in known.items()}

    async def change_visitor(
        self,
        visitor: str,
        *,
        name: str | None = None,
        rated: bool | None = None,
        storer: Storer | None = None,
    ) -> None:
        """Change a visitor's data; see `visitor_rows.change_visitor`.

        Raises:
            Refused: the visitor is new, and its account has reached its storage limit.
            StoreError: the database does not answer.
        """
        now = time.time()
        change = partial(
            visitor_rows.change_visitor, visitor=visitor, now=now, name=name, rated=rated, storer=storer
        )
        await self._write("", change)

    async def games_naming(self, visitor: str, after: str = "", limit: int = 100) -> list[str]:
        """Return the ids of games that refer to a visitor; see `visitor_rows.games_naming`.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._read(
            partial(visitor_rows.games_naming, visitor=visitor, after=after, limit=limit)
        )

    async def forget_visitor(self, visitor: str) -> None:
        """Delete a visitor's name, ratings, challenge and list of games.

        Raises:
            StoreError: the database does not answer.
        """
        await self._write("", partial(visitor_rows.forget, visitor=visitor))

    async def knows_former(self, visitor: str, replaced: bool) -> bool:
        """Return whether a visitor is still recognised by an old unsigned cookie.

        Args:
            visitor: the visitor's id.
            replaced: whether the visitor receives a signed cookie now; see `visitor_rows.note_replaced`.

        Raises:
            StoreError: the database does not answer.
        """
        now = time.time()
        known = await self._read(partial(visitor_rows.is_former, visitor=visitor, now=now))
        if known and replaced:
            await self._write("", partial(visitor_rows.note_replaced, visitor=visitor, now=now))
        return known

    async def ratings(self, visitors: Collection[str]) -> dict[str, dict[str, Glicko2]]:
        """Return the ratings of visitors, by visitor and pool; unrated visitors are omitted.

        Raises:
            StoreError: the database does not answer.
        """
        if not visitors:
            return {}
        return await self._read(partial(ratings.of_visitors, visitors=visitors))

    async def rated_meetings(self, visitors: Collection[str]) -> int:
        """Return the number of rated games that two visitors have begun together within the last day.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._read(partial(ratings.meetings, players=visitors, now=time.time()))

    async def note_rated_meeting(self, visitors: Collection[str]) -> None:
        """Record that two visitors begin a rated game.

        Raises:
            StoreError: the database does not answer.
        """
        await self._write("", partial(ratings.note_meeting, players=visitors, now=time.time()))

    # -- for the lobby

    async def open_challenge(self, challenge: Challenge, since: float) -> None:
        """Store a challenge in place of the maker's previous challenge.

        Args:
            challenge: the challenge.
            since: Unix seconds; challenges whose makers were last seen earlier have expired.

        Raises:
            Refused: the previous challenge has just been accepted.
            StoreError: the database does not answer.
        """
        change = partial(challenges.open_challenge, challenge=challenge, since=since)
        await self._write("", change)

    async def withdraw_challenge(self, visitor: str) -> bool:
        """Delete a visitor's challenge, accepted or not; return whether there was one.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._write("", partial(challenges.withdraw, visitor=visitor))

    async def see_makers(self, makers: Collection[str], since: float) -> None:
        """Record that the makers of open challenges are connected; expired challenges stay expired.

        Raises:
            StoreError: the database does not answer.
        """
        await self._write("", partial(challenges.see, makers=makers, now=time.time(), since=since))

    async def forget_challenges(self, since: float) -> int:
        """Delete the challenges whose makers were last seen before a time; return their number.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._write("", partial(challenges.forget, since=since))

    async def challenges(self, since: float) -> list[Challenge]:
        """Return the open challenges, oldest first.

        Raises:
            StoreError: the database does not answer.
        """
        found = await self._read(partial(challenges.listed, since=since))
        return found if self._names else [replace(one, name="") for one in found]

    async def challenge(self, challenge: str, since: float) -> Challenge | None:
        """Return the open challenge with the given id; None if it does not exist or is no longer open.

        Raises:
            StoreError: the database does not answer.
        """
        if not _is_id(challenge):
            return None
        return await self._read(partial(challenges.load, challenge=challenge, since=since))

    async def accepted_challenges(self, makers: Collection[str]) -> dict[str, str]:
        """Return the ids of the games that the makers' accepted challenges have become, by maker.

        Raises:
            StoreError: the database does not answer.
        """
        if not makers:
            return {}
        return await self._read(partial(challenges.accepted, makers=makers))

    async def accept_challenge(
        self, saved: StoredGame, *, challenge: str, visitor: str, since: float
    ) -> None:
        """Turn a challenge into a game and store the game; the accepter's own open challenge is deleted.

        Args:
            saved: the game.
            challenge: the challenge's id.
            visitor: the visitor who accepts it.
            since: Unix seconds; challenges whose makers were last seen earlier have expired.

        Raises:
            Refused: the challenge has been accepted or withdrawn meanwhile; nothing is written.
            StoreError: the database does not answer.
        """
        change = partial(challenges.accept, challenge=challenge, visitor=visitor, saved=saved, since=since)
        await self._write(saved.id, change)

    # -- for other packages that store data in the same database, through their own functions

    async def read(self, read: Callable[[Connection], T]) -> T:
        """Call a reading function with a connection in a thread, and return its result.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._read(read)

    async def write(self, row: str, write: Callable[[Connection], T]) -> T:
        """Call a writing function in a thread, in a transaction shared with others; return its result.

        Args:
            row: the id of the row that it writes.
            write: the function; it must change nothing if it raises, and may be called again.

        Raises:
            StoreError: the database does not answer.
            TengenError: raised by the function.
        """
        return await self._write(row, write)

    async def ping(self) -> bool:
        """Return whether the database answers."""
        try:
            await self._read(lambda connection: connection.execute(sql.select(1)).scalar_one())
        except StoreError:
            return False
        return True

    # -- reading

    async def _read(self, read: Callable[[Connection], T]) -> T:
        self._refuse_if_closed()
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._reading, read)

    def _reading(self, read: Callable[[Connection], T]) -> T:
        try:
            with self._engine.connect() as connection:
                return read(connection)
        except sql.exc.SQLAlchemyError as error:
            _log.warning("read_failed", extra={"reason": database.reason(error)})
            raise StoreError("error.web.store") from error

    # -- writing

    async def _write(self, game: str, write: Callable[[Connection], T]) -> T:
        self._refuse_if_closed()
        change = _Change(game, write, asyncio.get_running_loop().create_future(), time.monotonic())
        with self._wake:
            self._waiting.append(change)
            self._wake.notify()
        # A caller that is cancelled does not cancel its change, which is already on its way to the disk.
        return cast("T", await shielded(change.done))

    def _refuse_if_closed(self) -> None:
        if self._closing:
            raise StoreError("error.web.stopping")

    def _write_until_closed(self) -> None:
        """Run the writer thread's loop."""
        while True:
            with self._wake:
                while not self._waiting and not self._closing:
                    self._wake.wait()
                if not self._waiting:
                    return
                group, self._waiting = self._waiting[:_GROUP], self._waiting[_GROUP:]
            # Processes that lock rows in the same order do not deadlock.
            group.sort(key=lambda change: change.game)
            self._write_group(group)

    def _write_group(self, group: list[_Change]) -> None:
        """Commit a group; if one change makes it fail, commit each change separately."""
        error = self._try(group)
        while error is not None and _passes(error) and _has_patience(group[0]):
            error = self._try(group)
        if error is not None and len(group) > 1 and not _passes(error):
            for change in group:
                self._write_group([change])
            return
        if error is not None:
            _log.error("write_failed", extra={"reason": database.reason(error), "changes": len(group)})
            for change in group:
                change.result = StoreError("error.web.store")
        _tell(group)

    def _try(self, group: list[_Change]) -> Exception | None:
        try:
            with self._engine.begin() as connection:
                for change in group:
                    try:
                        change.result = change.write(connection)
                    except TengenError as error:
                        # This caller's error: its statement has changed nothing, and the others continue.
                        change.result = error
        except Exception as error:
            return error
        return None


def _passes(error: Exception) -> bool:
    """Return whether a database error may be temporary: the database is busy or restarting."""
    return isinstance(error, (sql.exc.OperationalError, sql.exc.InterfaceError, sql.exc.TimeoutError))


def _has_patience(change: _Change) -> bool:
    """Pause before another attempt at a change; return False if its time for retries is over."""
    waited = time.monotonic() - change.since
    if waited > _PATIENCE:
        return False
    time.sleep(next((pause for pause in _PAUSES if pause > waited), _PAUSES[-1]))
    return True


def _tell(group: list[_Change]) -> None:
    """Complete the futures of a group, with one call per event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Change]] = {}
    for change in group:
        by_loop.setdefault(change.done.get_loop(), []).append(change)
    for loop, changes in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_finish, changes)


def _finish(changes: list[_Change]) -> None:
    for change in changes:
        if change.done.done():
            continue
        if isinstance(change.result, Exception):
            change.done.set_exception(change.result)
        else:
            change.done.set_result(change.result)


def _is_id(game: str) -> bool:
    """Return whether a text can be an id; this excludes text that a database cannot compare."""
    return game.isascii() and game.isprintable() and len(game) <= 64


def _meant(word: str) -> list[str]:
    """Return the texts that a word of a query may match: the word and the names that it translates."""
    # PostgreSQL accepts no NUL, and neither database accepts half a surrogate pair.
    clean = "".join(character if character.isprintable() else "\ufffd" for character in word)
    names = [name for text, name in _names() if clean in text]
    return list(dict.fromkeys((clean, *names)))


@lru_cache(maxsize=1)
def _names() -> tuple[tuple[str, str], ...]:
    """Return pairs of a catalogue text in lower case and the name that it translates."""
    found = []
    for lang in LANGUAGES:
        for key, text in catalogue(lang).items():
            prefix, _, name = key.partition(".")
            if prefix in {"rules", "level"} and "." not in name:
                found.append((text.lower(), f"level:{name}" if prefix == "level" else name))
    return tuple(found)
