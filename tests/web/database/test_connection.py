"""The database of the games is opened, made, recognised and brought up to date."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict

import pytest
import sqlalchemy as sql
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from tengen.web.database import tables
from tengen.web.database.connection import _prepare_sqlite, alembic_config, open_engine
from tengen.web.games import game_rows
from tengen.web.transport.settings import ServerSettings, SettingsError
from tests.web.games.test_game_rows import a_game, settings

__all__ = ["settings"]

NEWEST = "0010"

FORMER = (
    "CREATE TABLE tengen_schema (version INTEGER NOT NULL)",
    """CREATE TABLE games (
        id VARCHAR(64) NOT NULL, version INTEGER NOT NULL, session TEXT NOT NULL, room TEXT NOT NULL,
        rules TEXT NOT NULL, size TEXT NOT NULL, opening TEXT NOT NULL, black TEXT NOT NULL,
        white TEXT NOT NULL, result TEXT NOT NULL, reason TEXT NOT NULL, plies INTEGER NOT NULL,
        created {double} NOT NULL, updated {double} NOT NULL,
        owner TEXT DEFAULT '' NOT NULL, owned_until {double} DEFAULT '0' NOT NULL,
        PRIMARY KEY (id))""",
    """CREATE TABLE visits (
        visitor VARCHAR(64) NOT NULL, game VARCHAR(64) NOT NULL, participant INTEGER,
        PRIMARY KEY (visitor, game), FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE)""",
    "CREATE INDEX visits_by_game ON visits (game)",
    "INSERT INTO tengen_schema (version) VALUES (1)",
)
"""The tables of Tengen before Alembic looked after them."""


def make_former(connection, saved):
    """The former tables, with a game in them."""
    double = "DOUBLE" if connection.dialect.name == "sqlite" else "DOUBLE PRECISION"
    for statement in FORMER:
        connection.exec_driver_sql(statement.format(double=double))
    values = {"id": saved.id, "version": saved.version, "session": saved.session, "room": saved.room}
    values |= asdict(saved.summary) | {"created": saved.created, "updated": saved.updated}
    later = ("black_name", "white_name", "black_participant")
    known = {name: value for name, value in values.items() if name not in later}
    connection.execute(sql.insert(sql.table("games", *map(sql.column, known))).values(known))


def step(connection):
    return MigrationContext.configure(connection).get_current_revision()


def bare(settings):
    """A connection to a database that nobody looks after."""
    settings.data.mkdir(parents=True, exist_ok=True)
    return sql.create_engine(settings.database_url)


@pytest.mark.long
def test_the_steps_lead_to_the_tables_of_the_code(settings):
    engine = open_engine(settings)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
        assert step(connection) == NEWEST
    engine.dispose()


def test_every_step_can_be_taken_back(settings):
    engine = open_engine(settings)
    with engine.begin() as connection:
        command.downgrade(alembic_config(connection), "base")
        assert sql.inspect(connection).get_table_names() == ["alembic_version"]
        command.upgrade(alembic_config(connection), "head")
        game_rows.create(connection, a_game())
    engine.dispose()


def test_opened_again_it_has_what_it_had(settings):
    saved = a_game()
    for _ in range(2):
        engine = open_engine(settings)
        with engine.begin() as connection:
            game_rows.create(connection, saved)
        engine.dispose()
    engine = open_engine(settings)
    with engine.connect() as connection:
        assert game_rows.load(connection, saved.id) == saved
    engine.dispose()


def test_a_database_from_before_is_recognised_and_brought_up_to_date(settings):
    saved, engine = a_game(), bare(settings)
    with engine.begin() as connection:
        make_former(connection, saved)
    engine.dispose()
    for _ in range(2):
        engine = open_engine(settings)
        with engine.connect() as connection:
            assert game_rows.load(connection, saved.id) == saved
            assert step(connection) == NEWEST
            assert not sql.inspect(connection).has_table("tengen_schema")
            assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
        engine.dispose()


def test_a_database_of_a_later_version_is_left_alone(settings):
    engine = open_engine(settings)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(SettingsError, match=r"later version of Tengen \(version 9999; .* knows 0010\)"):
        open_engine(settings)


def _open_and_write(settings, gate):
    gate.wait(120)
    engine = open_engine(settings)
    with engine.begin() as connection:
        game_rows.create(connection, a_game())
    engine.dispose()


@pytest.mark.parametrize("former", [False, True])
@pytest.mark.long
def test_several_processes_open_a_new_database_at_once(settings, former):
    if former:
        engine = bare(settings)
        with engine.begin() as connection:
            make_former(connection, a_game())
        engine.dispose()
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload([__name__])
    gate = forking.Barrier(4)
    processes = [forking.Process(target=_open_and_write, args=(settings, gate)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    engine = open_engine(settings)
    with engine.connect() as connection:
        assert step(connection) == NEWEST
        assert connection.execute(sql.select(sql.func.count()).select_from(tables.games)).scalar_one() == (
            5 if former else 4
        )
    engine.dispose()


def test_many_connections_change_the_mode_of_a_former_database_at_once(tmp_path):
    def connect():
        connection = sqlite3.connect(path, timeout=60)
        gate.wait(120)
        _prepare_sqlite(connection, None)
        connection.close()

    # Without waiting about one round in six fails.
    for number in range(40):
        path, gate = tmp_path / f"{number}.sqlite", threading.Barrier(6)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE games (id)")
        with ThreadPoolExecutor(6) as threads:
            for done in [threads.submit(connect) for _ in range(6)]:
                done.result()


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "games.sqlite").write_text("not a database, and long enough to be read as one" * 30)
    with pytest.raises(SettingsError, match="cannot be opened"):
        open_engine(ServerSettings(data=tmp_path))


def test_sqlite_survives_the_death_of_its_process(tmp_path):
    engine = open_engine(ServerSettings(data=tmp_path))
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
    engine.dispose()
