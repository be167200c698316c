"""The repository of all stored data: one thread writes in groups, a few others read.

The queries and changes are functions of a connection, in `game_rows`, `visitor_rows` and other modules.

A commit costs about as much for one game as for a hundred, so all changes that arrive during one
transaction are grouped into the next. Each call returns only when its own change has been committed, so
everything shown to a player survives a crash of the server.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.web.database import connection as database
from tengen.web.database.tables import StoreError
from tengen.web.transport.settings import ServerSettings
from tengen.web.transport.shielded import shielded
from tengen.words import TengenError

P = ParamSpec("P")
T = TypeVar("T")

_GROUP = 500
"""The most changes in one transaction."""

_READERS = 3
"""The number of reading threads."""

_PATIENCE = 15.0
"""Seconds for which a change is retried while the database does not answer."""

_PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Pauses in seconds between the attempts at a write, growing with the time waited."""

_log = logging.getLogger("tengen.web.database.repository")


@dataclass(slots=True)
class Change:
    """A change waiting to be written.

    Attributes:
        row: the id of the row that it changes.
        write: executes the change inside a transaction.
        done: the caller's future.
        since: the time of arrival, by the monotonic clock.
        result: the result of `write`, or an exception for the caller.
    """

    row: str
    write: Callable[[Connection], Any]
    done: asyncio.Future[Any]
    since: float
    result: Any = None


class Repository:
    """The stored data of a server, in its database. The methods must be called from one event loop.

    Args:
        settings: the settings, including the database's URL.

    Attributes:
        cookie_key: the key with which all processes of this database sign cookies.
        names: whether visitors' names are shown on this server.

    Raises:
        SettingsError: the database cannot be reached, or belongs to a later version of Tengen.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._engine = database.open_engine(settings, _READERS + 1)
        with self._engine.begin() as connection:
            self.cookie_key = database.cookie_key(connection)
        self.names = settings.names
        self._waiting: list[Change] = []
        self._wake = threading.Condition()
        self._closing = False
        self._start()

    def _start(self) -> None:
        """Start the threads."""
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

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Call a reading function with a connection, in a thread, and return its result.

        Raises:
            StoreError: the database does not answer.
        """
        self._refuse_if_closed()
        return await asyncio.get_running_loop().run_in_executor(
            self._readers, self._reading, lambda connection: query(connection, *args, **named)
        )

    async def write(
        self, row: str, change: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Call a writing function in a thread, in a transaction shared with others, and return its result.

        Args:
            row: the id of the row that it writes; empty for several rows.
            change: the function; it must change nothing if it raises, and may be called again.
            args: the function's arguments after the connection.
            named: its keyword arguments.

        Raises:
            StoreError: the database does not answer.
            TengenError: raised by the function.
        """
        self._refuse_if_closed()
        done = asyncio.get_running_loop().create_future()
        waiting = Change(row, lambda connection: change(connection, *args, **named), done, time.monotonic())
        with self._wake:
            self._waiting.append(waiting)
            self._wake.notify()
        # A caller that is cancelled does not cancel its change, which is already on its way to the disk.
        return cast("T", await shielded(done))

    async def ping(self) -> bool:
        """Return whether the database answers."""
        try:
            await self.read(lambda connection: connection.execute(sql.select(1)).scalar_one())
        except StoreError:
            return False
        return True

    def _reading(self, read: Callable[[Connection], T]) -> T:
        try:
            with self._engine.connect() as connection:
                return read(connection)
        except sql.exc.SQLAlchemyError as error:
            _log.warning("read_failed", extra={"reason": database.reason(error)})
            raise StoreError("error.web.store") from error

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
            group.sort(key=lambda change: change.row)
            self._write_group(group)

    def _write_group(self, group: list[Change]) -> None:
        """Commit a group; if one change makes it fail, commit each change separately."""
        error = self._try(group)
        while error is not None and _is_temporary(error) and _pause_before_retry(group[0]):
            error = self._try(group)
        if error is not None and len(group) > 1 and not _is_temporary(error):
            for change in group:
                self._write_group([change])
            return
        if error is not None:
            _log.error("write_failed", extra={"reason": database.reason(error), "changes": len(group)})
            for change in group:
                change.result = StoreError("error.web.store")
        _complete(group)

    def _try(self, group: list[Change]) -> Exception | None:
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


def _is_temporary(error: Exception) -> bool:
    """Return whether a database error may be temporary: the database is busy or restarting."""
    return isinstance(error, (sql.exc.OperationalError, sql.exc.InterfaceError, sql.exc.TimeoutError))


def _pause_before_retry(change: Change) -> bool:
    """Pause before another attempt at a change; return False if its time for retries is over."""
    waited = time.monotonic() - change.since
    if waited > _PATIENCE:
        return False
    time.sleep(next((pause for pause in _PAUSES if pause > waited), _PAUSES[-1]))
    return True


def _complete(group: list[Change]) -> None:
    """Complete the futures of a group, with one call per event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Change]] = {}
    for change in group:
        by_loop.setdefault(change.done.get_loop(), []).append(change)
    for loop, changes in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_set_results, changes)


def _set_results(changes: list[Change]) -> None:
    for change in changes:
        if change.done.done():
            continue
        if isinstance(change.result, Exception):
            change.done.set_exception(change.result)
        else:
            change.done.set_result(change.result)
