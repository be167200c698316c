"""Connecting to the database, and migrating its tables with Alembic.

Every process does so when it starts. One process at a time migrates the tables while the others wait.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
import time
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from tengen.extras import importing
from tengen.web.database.tables import insert, server_keys
from tengen.web.transport.settings import ServerSettings, SettingsError

if TYPE_CHECKING:
    from alembic.config import Config

_VERSIONS = sql.Table("alembic_version", sql.MetaData(), sql.Column("version_num", sql.String))
"""Alembic's table of the revision."""

_FORMER = sql.Table("tengen_schema", sql.MetaData(), sql.Column("version", sql.Integer, nullable=False))
"""The table that held the schema's version, always 1, before Alembic's own table did."""

_FORMER_IS = "0001"
"""The migration that corresponds to the schema of databases with the former version table."""

_PATIENCE = 30.0
"""Seconds for which SQLite waits for locks of other processes."""

_COOKIES = "cookies"

_LOCK = 0x74656E67
"""The number of PostgreSQL's advisory lock that serialises migrations."""


def open_engine(settings: ServerSettings, pool: int = 4) -> Engine:
    """Connect to the database, and create or migrate its tables.

    Args:
        settings: the settings, including the database's URL.
        pool: the size of PostgreSQL's connection pool.

    Raises:
        MissingPackage: the driver for PostgreSQL is not installed.
        SettingsError: the database cannot be reached, or its schema is later than this program's.
    """
    url = settings.database_url
    if settings.is_sqlite:
        settings.data.mkdir(parents=True, exist_ok=True)
        engine = sql.create_engine(
            url,
            hide_parameters=True,
            connect_args={"timeout": _PATIENCE, "check_same_thread": False},
        )
        sql.event.listen(engine, "connect", _prepare_sqlite)
    else:
        with importing("postgres"):
            engine = sql.create_engine(
                url,
                pool_size=pool,
                max_overflow=1,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args={"connect_timeout": 5},
            )
    try:
        with engine.begin() as connection:
            _lock(connection)
            migrate(connection)
    except (sql.exc.SQLAlchemyError, OSError, ImportError) as error:
        engine.dispose()
        raise SettingsError("error.web.database", reason=reason(error)) from error
    except SettingsError:
        engine.dispose()
        raise
    return engine


def reason(error: BaseException) -> str:
    """Return a database error's message in one line, without the SQL statement."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines()
    return " ".join(line.strip() for line in lines[:2]) or type(error).__name__


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # In WAL mode a killed process loses nothing; with NORMAL, a power cut may lose the last transactions.
    _use_wal(connection)
    _set(connection, "synchronous", "NORMAL")
    _set(connection, "foreign_keys", "ON")


def _use_wal(connection: Any) -> None:
    """Enable SQLite's WAL mode, with retries, since SQLite does not wait while others change the mode."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            _set(connection, "journal_mode", "WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _set(connection: Any, name: str, value: str) -> None:
    connection.execute(f"PRAGMA {name}={value}")


def set_pragma(connection: Connection, name: str, value: str) -> None:
    """Change a setting of SQLite."""
    connection.exec_driver_sql(f"PRAGMA {name}={value}")


def _lock(connection: Connection) -> None:
    """Lock the schema against other processes until the end of the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_LOCK)))
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def migrate(connection: Connection) -> None:
    """Migrate the tables to the latest revision, from an empty database or any earlier revision.

    Args:
        connection: a connection inside a transaction, which makes the migration atomic.

    Raises:
        SettingsError: the database has a revision that this program does not know.
    """
    known = _revisions()
    found, newest = _revision(connection), known[-1]
    if found == newest:
        return
    if found is not None and found not in known:
        raise SettingsError("error.web.newer", found=found, known=newest)
    from alembic import command

    config = alembic_config(connection)
    if found is None and sql.inspect(connection).has_table(_FORMER.name):
        version = connection.execute(sql.select(_FORMER.c.version)).scalar_one()
        if version != 1:
            raise SettingsError("error.web.newer", found=version, known=newest)
        command.stamp(config, _FORMER_IS)
        _FORMER.drop(connection)
    command.upgrade(config, "head")


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """The version of a database's tables.

    Attributes:
        found: the version; None if there are no tables yet.
        newest: the version that this program migrates to.
    """

    found: str | None
    newest: str


def sqlite_file(settings: ServerSettings) -> Path:
    """Return the file of a SQLite database."""
    return Path(sql.make_url(settings.database_url).database or "")


def schema_version(settings: ServerSettings) -> SchemaVersion:
    """Return the version of a database's tables, without creating or migrating anything.

    Raises:
        MissingPackage: the driver for PostgreSQL is not installed.
        SettingsError: the database cannot be reached, or its schema is later than this program's.
    """
    known = _revisions()
    if settings.is_sqlite:
        file = sqlite_file(settings)
        if not file.exists():
            return SchemaVersion(None, known[-1])
        engine = sql.create_engine("sqlite://", creator=lambda: _read_only(file))
    else:
        with importing("postgres"):
            engine = sql.create_engine(
                settings.database_url, hide_parameters=True, connect_args={"connect_timeout": 5}
            )
    try:
        with engine.connect() as connection:
            found = _revision(connection)
            if found is None and sql.inspect(connection).has_table(_FORMER.name):
                found = _FORMER_IS
    except (sql.exc.SQLAlchemyError, OSError, ImportError) as error:
        raise SettingsError("error.web.database", reason=reason(error)) from error
    finally:
        engine.dispose()
    if found is not None and found not in known:
        raise SettingsError("error.web.newer", found=found, known=known[-1])
    return SchemaVersion(found, known[-1])


def _read_only(file: Path) -> sqlite3.Connection:
    """Connect to a SQLite file without writing anything beside it."""
    # Where there is no write-ahead log, no other process writes, and SQLite need not make one.
    mode = "mode=ro" if Path(f"{file}-wal").exists() else "mode=ro&immutable=1"
    return sqlite3.connect(f"{file.absolute().as_uri()}?{mode}", uri=True)


def is_current(connection: Connection) -> bool:
    """Return whether the tables need no migration."""
    return _revision(connection) == _revisions()[-1]


def _revisions() -> list[str]:
    """Return the revisions of the migrations in `tengen.web.database.migrations`, the latest last."""
    names = (file.name for file in files("tengen.web.database.migrations.versions").iterdir())
    return sorted(match[1] for name in names if (match := re.fullmatch(r"v(\d+)_\w+\.py", name)))


def _revision(connection: Connection) -> str | None:
    """Return the revision of the tables; None without a version table."""
    if not sql.inspect(connection).has_table(_VERSIONS.name):
        return None
    return connection.execute(sql.select(_VERSIONS.c.version_num)).scalar()


def alembic_config(connection: Connection) -> Config:
    """Return Alembic's configuration for the migrations in `tengen.web.database.migrations`."""
    from alembic.config import Config

    config = Config()
    folder = str(files("tengen.web.database.migrations")).replace("%", "%%")
    config.set_main_option("script_location", folder)
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


def cookie_key(connection: Connection) -> bytes:
    """Return the key with which all processes of this database sign cookies; create it if necessary."""
    values = {"name": _COOKIES, "value": secrets.token_hex(32)}
    connection.execute(insert(connection, server_keys).values(values).on_conflict_do_nothing())
    chosen = sql.select(server_keys.c.value).where(server_keys.c.name == _COOKIES)
    return bytes.fromhex(connection.execute(chosen).scalar_one())
