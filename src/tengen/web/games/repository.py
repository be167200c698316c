"""The games of a server, kept: written in groups by one thread, read by a few others.

A commit costs much the same for one game as for a hundred, so all changes that wait while one transaction
is committed go into the next one. Each call returns when its own change is committed, not before: what a
player is shown survives the server.
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
from tengen.web.games import challenges, database, ratings, storage, tables, visitor_rows
from tengen.web.games.challenges import Challenge
from tengen.web.games.tables import Conflict, ListedGame, Status, StoredGame, StoreError, Storer
from tengen.web.games.visitor_rows import VisitorData
from tengen.web.server.settings import ServerSettings
from tengen.web.server.shielded import shielded
from tengen.words import LANGUAGES, TengenError, catalogue

__all__ = ["Conflict", "GameRepository", "ListedGame", "StoreError", "StoredGame", "VisitorData"]

T = TypeVar("T")

_GROUP = 500
"""The most changes in one transaction."""

_READERS = 3
_PATIENCE = 15.0
"""Seconds that a change is tried again for while the database does not answer."""

_PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)
_LONGEST_QUERY = 100
_MOST_LISTED = 1_000_000

_log = logging.getLogger("tengen.web.games.repository")


@dataclass(slots=True)
class _Change:
    """Something to be written.

    Attributes:
        game: the row it is about.
        write: does it inside a transaction.
        done: the future of whoever waits.
        since: when it came, by the monotonic clock.
        result: what `write` returned, or an error for the caller.
    """

    game: str
    write: Callable[[Connection], Any]
    done: asyncio.Future[Any]
    since: float
    result: Any = None


class GameRepository:
    """A server's games in its database. Called from one event loop.

    Args:
        settings: where the database is.

    Attributes:
        cookie_key: with which the processes of this database sign cookies.

    Raises:
        SettingsError: it cannot be reached, or belongs to a later version of Tengen.
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
        """Write what waits, and let go of the database. May be called twice."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writer.join()
        self._readers.shutdown()
        self._engine.dispose()

    # -- what rooms call

    async def load(self, game: str) -> StoredGame | None:
        """The game of that id; None where there is none.

        Raises:
            StoreError: the database does not answer.
        """
        if not _is_id(game):
            return None
        return await self._read(partial(tables.load, game=game))

    async def create(self, saved: StoredGame) -> None:
        """Keep a new game.

        Raises:
            Refused: whoever begins it has as much kept as it may; see `storage.create`.
            Conflict: there is another one of that id.
            StoreError: the database does not answer.
        """
        await self._write(saved.id, partial(storage.create, saved=saved))

    async def save(self, saved: StoredGame, expected: int) -> None:
        """Write a game over its version `expected`; one that is over is rated with it, if it is to be.

        Raises:
            Conflict: another version is there, or none; nothing is written.
            StoreError: the database does not answer.
        """
        await self._write(saved.id, partial(ratings.save, saved=saved, expected=expected))

    async def claim(self, game: str, owner: str, seconds: float) -> bool:
        """Have a game for a while, so that only one process lets the computer think there.

        Args:
            game: its id.
            owner: which process; the one that has it may have it for longer.
            seconds: from now, by the clock of this machine.

        Returns:
            Whether the game is this owner's now.

        Raises:
            StoreError: the database does not answer.
        """
        now = time.time()
        change = partial(tables.claim, game=game, owner=owner, now=now, seconds=seconds)
        return await self._write(game, change)

    async def release(self, game: str, owner: str) -> None:
        """Give back what `claim` has given; nothing happens where that is over.

        Raises:
            StoreError: the database does not answer.
        """
        await self._write(game, partial(tables.release, game=game, owner=owner))

    async def note_opened(self, game: str) -> bool:
        """Note that somebody opens a game; whether it is there. See `tables.note_opened`.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._write(game, partial(tables.note_opened, game=game, now=time.time()))

    async def delete_unused(self, since: float) -> int:
        """Delete games that nobody has changed or opened since a time, some hundred at once.

        Args:
            since: in Unix seconds.

        Returns:
            How many there were; 0 once none is left.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._write("", partial(tables.delete_unused, since=since, most=_GROUP))

    # -- what visitors ask for

    async def join(self, game: str, visitor: str, participant: int | None) -> None:
        """Put a game on a visitor's list.

        Args:
            game: its id.
            visitor: the browser's name.
            participant: 1 or 2; None for a spectator, which does not unseat a player.

        Raises:
            StoreError: the database does not answer, or there is no such game.
        """
        change = partial(tables.join, game=game, visitor=visitor, participant=participant)
        await self._write(game, change)

    async def forget(self, game: str, visitor: str) -> None:
        """Take a game off a visitor's list.

        Raises:
            StoreError: the database does not answer.
        """
        if _is_id(game):
            await self._write(game, partial(tables.forget, game=game, visitor=visitor))

    async def games_of(
        self, visitor: str, query: str = "", status: Status = "all", offset: int = 0, limit: int = 30
    ) -> tuple[list[ListedGame], int]:
        """A visitor's games, those changed last first, and how many there are in all.

        Args:
            visitor: the browser's name.
            query: words that all have to be found in the names of rules, opening or players, in either
                language, or in the result.
            status: ``"all"``, ``"running"`` or ``"over"``.
            offset: how many to leave out.
            limit: the most to return.

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
        """What a visitor has said of itself; on a server without names it has none.

        Raises:
            StoreError: the database does not answer.
        """
        return (await self.visitors([visitor])).get(visitor, VisitorData())

    async def visitors(self, visitors: Collection[str]) -> dict[str, VisitorData]:
        """The same of several; those who have said nothing are left out.

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
        """Note what a visitor says of itself; see `visitor_rows.change_visitor`.

        Raises:
            Refused: it has said nothing before, and as much as may be is kept from its address.
            StoreError: the database does not answer.
        """
        now = time.time()
        change = partial(
            visitor_rows.change_visitor, visitor=visitor, now=now, name=name, rated=rated, storer=storer
        )
        await self._write("", change)

    async def games_naming(self, visitor: str, after: str = "", limit: int = 100) -> list[str]:
        """The ids of games that say something of a visitor; see `visitor_rows.games_naming`.

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
        """Whether a visitor is to be recognised by a cookie of the former kind.

        Args:
            visitor: who.
            replaced: whether it gets one of today's now; see `visitor_rows.note_replaced`.

        Raises:
            StoreError: the database does not answer.
        """
        now = time.time()
        known = await self._read(partial(visitor_rows.is_former, visitor=visitor, now=now))
        if known and replaced:
            await self._write("", partial(visitor_rows.note_replaced, visitor=visitor, now=now))
        return known

    async def ratings(self, visitors: Collection[str]) -> dict[str, dict[str, Glicko2]]:
        """The ratings of visitors by pool; who has none is left out.

        Raises:
            StoreError: the database does not answer.
        """
        if not visitors:
            return {}
        return await self._read(partial(ratings.of_visitors, visitors=visitors))

    async def rated_meetings(self, visitors: Collection[str]) -> int:
        """How many rated games two visitors have begun with each other within the last day.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._read(partial(ratings.meetings, players=visitors, now=time.time()))

    async def note_rated_meeting(self, visitors: Collection[str]) -> None:
        """Note that two visitors begin a rated game.

        Raises:
            StoreError: the database does not answer.
        """
        await self._write("", partial(ratings.note_meeting, players=visitors, now=time.time()))

    # -- what the lobby calls

    async def open_challenge(self, challenge: Challenge, since: float) -> None:
        """Keep a challenge, in the place of the maker's last one.

        Args:
            challenge: the challenge.
            since: Unix seconds; whose maker was last seen before is open no more.

        Raises:
            Refused: the last one has just been accepted.
            StoreError: the database does not answer.
        """
        change = partial(challenges.open_challenge, challenge=challenge, since=since)
        await self._write("", change)

    async def withdraw_challenge(self, visitor: str) -> bool:
        """Forget a visitor's challenge, accepted or not; whether there was one.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._write("", partial(challenges.withdraw, visitor=visitor))

    async def see_makers(self, makers: Collection[str], since: float) -> None:
        """Note that makers are there whose challenges are still open.

        Raises:
            StoreError: the database does not answer.
        """
        await self._write("", partial(challenges.see, makers=makers, now=time.time(), since=since))

    async def forget_challenges(self, since: float) -> int:
        """Forget those whose makers were last seen before a time; how many there were.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._write("", partial(challenges.forget, since=since))

    async def challenges(self, since: float) -> list[Challenge]:
        """The open challenges, the oldest first.

        Raises:
            StoreError: the database does not answer.
        """
        found = await self._read(partial(challenges.listed, since=since))
        return found if self._names else [replace(one, name="") for one in found]

    async def challenge(self, challenge: str, since: float) -> Challenge | None:
        """The open challenge of that id; None where there is none, or none any more.

        Raises:
            StoreError: the database does not answer.
        """
        if not _is_id(challenge):
            return None
        return await self._read(partial(challenges.load, challenge=challenge, since=since))

    async def accepted_challenges(self, makers: Collection[str]) -> dict[str, str]:
        """The games that these makers' challenges have become.

        Raises:
            StoreError: the database does not answer.
        """
        if not makers:
            return {}
        return await self._read(partial(challenges.accepted, makers=makers))

    async def accept_challenge(
        self, saved: StoredGame, *, challenge: str, visitor: str, since: float
    ) -> None:
        """Let a challenge become a game, and keep that; the accepter's own one goes.

        Args:
            saved: the game.
            challenge: its id.
            visitor: who accepts it.
            since: as above.

        Raises:
            Refused: it has been accepted, or withdrawn, meanwhile; nothing is written.
            StoreError: the database does not answer.
        """
        change = partial(challenges.accept, challenge=challenge, visitor=visitor, saved=saved, since=since)
        await self._write(saved.id, change)

    # -- what other parts keep in the same database, by functions of their own

    async def read(self, read: Callable[[Connection], T]) -> T:
        """What a function reads, called with a connection in a thread.

        Raises:
            StoreError: the database does not answer.
        """
        return await self._read(read)

    async def write(self, row: str, write: Callable[[Connection], T]) -> T:
        """What a function answers that writes, called in a thread, inside a transaction with others.

        Args:
            row: the id of what it writes.
            write: changes nothing where it raises, and may be called again.

        Raises:
            StoreError: the database does not answer.
            TengenError: what the function raises.
        """
        return await self._write(row, write)

    async def ping(self) -> bool:
        """Whether the database answers."""
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
        # Who stops waiting does not stop the change: it is on its way to the disk.
        return cast("T", await shielded(change.done))

    def _refuse_if_closed(self) -> None:
        if self._closing:
            raise StoreError("error.web.stopping")

    def _write_until_closed(self) -> None:
        """What the writer's thread does."""
        while True:
            with self._wake:
                while not self._waiting and not self._closing:
                    self._wake.wait()
                if not self._waiting:
                    return
                group, self._waiting = self._waiting[:_GROUP], self._waiting[_GROUP:]
            # Processes that write the same rows in the same order do not wait for each other in a circle.
            group.sort(key=lambda change: change.game)
            self._write_group(group)

    def _write_group(self, group: list[_Change]) -> None:
        """Commit a group; where one change spoils it, each by itself: a bad one costs only itself."""
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
                        # The caller's own: the statement has changed nothing, the others go on.
                        change.result = error
        except Exception as error:
            return error
        return None


def _passes(error: Exception) -> bool:
    """Whether a database may get over it: it is busy, or starting again."""
    return isinstance(error, (sql.exc.OperationalError, sql.exc.InterfaceError, sql.exc.TimeoutError))


def _has_patience(change: _Change) -> bool:
    """Wait a moment, if it may be tried again."""
    waited = time.monotonic() - change.since
    if waited > _PATIENCE:
        return False
    time.sleep(next((pause for pause in _PAUSES if pause > waited), _PAUSES[-1]))
    return True


def _tell(group: list[_Change]) -> None:
    """Wake those who wait, in one call of each loop."""
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
    """Whether a text may be an id; what a database cannot even compare with is none."""
    return game.isascii() and game.isprintable() and len(game) <= 64


def _meant(word: str) -> list[str]:
    """What a word of a query may stand for in the tables: itself, and names that it is a translation of."""
    # PostgreSQL takes no NUL, and neither database half a surrogate pair.
    clean = "".join(character if character.isprintable() else "\ufffd" for character in word)
    names = [name for text, name in _names() if clean in text]
    return list(dict.fromkeys((clean, *names)))


@lru_cache(maxsize=1)
def _names() -> tuple[tuple[str, str], ...]:
    """Texts of the catalogue in small letters, each with the name that it says."""
    found = []
    for lang in LANGUAGES:
        for key, text in catalogue(lang).items():
            prefix, _, name = key.partition(".")
            if prefix in {"rules", "level"} and "." not in name:
                found.append((text.lower(), f"level:{name}" if prefix == "level" else name))
    return tuple(found)
