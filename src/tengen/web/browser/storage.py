"""The storage of a page: the server's database, kept by the browser after each change."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Concatenate, ParamSpec, TypeVar, cast

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.web.database import connection as database
from tengen.web.database.repository import Change, Repository
from tengen.web.transport.settings import DATABASE_FILE, ServerSettings

P = ParamSpec("P")
T = TypeVar("T")


class PageRepository(Repository):
    """The stored data of a page. It reads and writes at once, because there are no threads.

    Args:
        settings: the settings, with the folder of the database's file.
        keep: has the browser keep the file as it is now; a change is complete when it returns.
    """

    def __init__(self, settings: ServerSettings, keep: Callable[[], Awaitable[None]]) -> None:
        self._keep = keep
        super().__init__(settings)

    def _start(self) -> None:
        """Start nothing, and keep no journal besides the file."""
        with self._engine.connect() as connection:
            database.set_pragma(connection, "journal_mode", "MEMORY")

    def _close(self) -> None:
        self._engine.dispose()

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """See `Repository.read`."""
        self._refuse_if_closed()
        return self._reading(lambda connection: query(connection, *args, **named))

    async def write(
        self, row: str, change: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """See `Repository.write`."""
        self._refuse_if_closed()
        done = asyncio.get_running_loop().create_future()
        waiting = Change(row, lambda connection: change(connection, *args, **named), done, time.monotonic())
        self._write_group([waiting])
        await self._keep()
        return cast("T", await done)


def is_current(file: Path) -> bool:
    """Return whether the tables of a database's file need no migration."""
    engine = sql.create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        current = database.is_current(connection)
    engine.dispose()
    return current


def empty_database() -> bytes:
    """Return the file of a database without content, so that a page need not create its tables."""
    with TemporaryDirectory() as folder:
        engine = database.open_engine(ServerSettings(data=Path(folder)))
        with engine.connect() as connection:
            database.set_pragma(connection, "journal_mode", "DELETE")
            connection.exec_driver_sql("VACUUM")
        engine.dispose()
        return Path(folder, DATABASE_FILE).read_bytes()
