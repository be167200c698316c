"""The database tables and the queries for games, in SQLAlchemy Core for SQLite and PostgreSQL.

A change of the tables also needs a migration in `tengen.web.games.migrations`.

Call these functions through `tengen.web.games.repository`, inside whose transactions and threads they run.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import asdict, fields
from typing import Any

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from tengen.web.games.stored_game import GameSummary, StoredGame
from tengen.web.transport.errors import Overloaded, Refused


class StoreError(Overloaded):
    """An error of the database: it cannot be reached, or is full."""


class Conflict(Refused):
    """A write conflict: another writer has changed the row since it was loaded, and nothing was written."""


def new_id() -> str:
    """Return a new unguessable id for a game's URL: 128 random bits as 22 characters."""
    return secrets.token_urlsafe(16)


def is_id(game: str) -> bool:
    """Return whether a text can be an id; this excludes text that a database cannot compare."""
    return game.isascii() and game.isprintable() and len(game) <= 64


metadata = sql.MetaData()

games = sql.Table(
    "games",
    metadata,
    sql.Column("id", sql.String(64), primary_key=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("session", sql.Text, nullable=False),
    sql.Column("room", sql.Text, nullable=False),
    sql.Column("rules", sql.Text, nullable=False),
    sql.Column("size", sql.Text, nullable=False),
    sql.Column("opening", sql.Text, nullable=False),
    sql.Column("black", sql.Text, nullable=False),
    sql.Column("white", sql.Text, nullable=False),
    sql.Column("result", sql.Text, nullable=False),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("plies", sql.Integer, nullable=False),
    sql.Column("black_name", sql.Text, nullable=False, server_default=""),
    sql.Column("white_name", sql.Text, nullable=False, server_default=""),
    sql.Column("black_participant", sql.Integer, nullable=False, server_default="0"),
    sql.Column("created", sql.Double, nullable=False),
    sql.Column("updated", sql.Double, nullable=False),
    # The time at which a process last loaded the game after a long rest; see `delete_unused`.
    sql.Column("opened", sql.Double, nullable=False, server_default="0"),
    # The process that holds the game's lease, and the end of the lease; see `claim`.
    sql.Column("owner", sql.Text, nullable=False, server_default=""),
    sql.Column("owned_until", sql.Double, nullable=False, server_default="0"),
    sql.Index("games_by_change", "updated"),
)

visits = sql.Table(
    "visits",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("game", sql.String(64), sql.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("participant", sql.Integer),
    sql.Index("visits_by_game", "game"),
)

visitors = sql.Table(
    "visitors",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("updated", sql.Double, nullable=False),
    sql.Column("rated", sql.Boolean, nullable=False, server_default=sql.false()),
)

ratings = sql.Table(
    "ratings",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("pool", sql.String(20), primary_key=True),
    sql.Column("rating", sql.Double, nullable=False),
    sql.Column("deviation", sql.Double, nullable=False),
    sql.Column("volatility", sql.Double, nullable=False),
    sql.Column("games", sql.Integer, nullable=False),
    sql.Column("updated", sql.Double, nullable=False),
)

rated_games = sql.Table(
    "rated_games",
    metadata,
    sql.Column("game", sql.String(64), sql.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("rated", sql.Double, nullable=False),
)

rated_meetings = sql.Table(
    "rated_meetings",
    metadata,
    # The two visitors, the smaller id first.
    sql.Column("one", sql.String(64), primary_key=True),
    sql.Column("other", sql.String(64), primary_key=True),
    sql.Column("begun", sql.Double, primary_key=True),
    sql.Index("rated_meetings_by_other", "other"),
    sql.Index("rated_meetings_by_time", "begun"),
)

challenges = sql.Table(
    "challenges",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("id", sql.String(64), nullable=False, unique=True),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("created", sql.Double, nullable=False),
    sql.Column("seen", sql.Double, nullable=False),
    sql.Column("game", sql.String(64), nullable=False, server_default=""),
)

tournaments = sql.Table(
    "tournaments",
    metadata,
    sql.Column("id", sql.String(64), primary_key=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("status", sql.String(20), nullable=False),
    sql.Column("document", sql.Text, nullable=False),
    sql.Column("created", sql.Double, nullable=False),
    sql.Column("updated", sql.Double, nullable=False),
    sql.Index("tournaments_by_change", "updated"),
    sql.Index("tournaments_by_status", "status"),
)

tournament_visitors = sql.Table(
    "tournament_visitors",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column(
        "tournament", sql.String(64), sql.ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True
    ),
    sql.Index("tournament_visitors_by_tournament", "tournament"),
)

# The owners of a game's seats and its creator, copied from its room for look-up by visitor.
game_visitors = sql.Table(
    "game_visitors",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("game", sql.String(64), sql.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sql.Index("game_visitors_by_game", "game"),
)

# Visitors with an old unsigned cookie, and the time until which it is recognised; see
# `tengen.web.transport.visitor_cookies`.
former_visitors = sql.Table(
    "former_visitors",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("until", sql.Double, nullable=False),
)

# The number of things created from an address on each day; days are counted from 1970.
address_storage = sql.Table(
    "address_storage",
    metadata,
    sql.Column("address", sql.String(64), primary_key=True),
    sql.Column("day", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("things", sql.Integer, nullable=False),
    sql.Index("address_storage_by_day", "day"),
)

server_keys = sql.Table(
    "server_keys",
    metadata,
    sql.Column("name", sql.String(20), primary_key=True),
    sql.Column("value", sql.Text, nullable=False),
)

SUMMARY = tuple(field.name for field in fields(GameSummary))


# -- one game


def load(connection: Connection, game: str) -> StoredGame | None:
    """Return the game with the given id; None if it does not exist."""
    if not is_id(game):
        return None
    row = connection.execute(_LOAD, {"game": game}).one_or_none()
    return None if row is None else _saved(row)


def create(connection: Connection, saved: StoredGame) -> None:
    """Store a new game.

    Raises:
        Conflict: another game has this id.
    """
    statement = insert(connection, games).values(_columns(saved)).on_conflict_do_nothing()
    # Without the option SQLAlchemy does not report how many rows were inserted.
    done = connection.execute(statement, execution_options={"preserve_rowcount": True})
    if done.rowcount == 0 and not _is_there(connection, saved):
        raise Conflict("error.web.version")
    _name_visitors(connection, saved)


def save(connection: Connection, saved: StoredGame, expected: int) -> None:
    """Replace the stored version `expected` of a game.

    Raises:
        Conflict: another version is stored, or none.
    """
    values = _columns(saved)
    values["game"] = values.pop("id")
    done = connection.execute(_SAVE, {**values, "expected": expected})
    if done.rowcount == 0 and not _is_there(connection, saved):
        raise Conflict("error.web.version")
    _name_visitors(connection, saved)


def _name_visitors(connection: Connection, saved: StoredGame) -> None:
    """Update the visitors that a game's room refers to, if they have changed."""
    if saved.visitors is None:
        return
    own = game_visitors.c.game == saved.id
    connection.execute(game_visitors.delete().where(own, game_visitors.c.visitor.not_in(saved.visitors)))
    values = [{"visitor": visitor, "game": saved.id} for visitor in sorted(saved.visitors)]
    if values:
        connection.execute(insert(connection, game_visitors).values(values).on_conflict_do_nothing())


def _is_there(connection: Connection, saved: StoredGame) -> bool:
    """Return whether exactly this game is stored already, because the reply to its commit was lost."""
    found = load(connection, saved.id)
    return found is not None and (found.version, found.session, found.room) == (
        saved.version,
        saved.session,
        saved.room,
    )


def claim(connection: Connection, game: str, owner: str, now: float, seconds: float) -> bool:
    """Acquire or renew a process's lease of a game; return whether it holds the lease now."""
    free = sql.or_(games.c.owner.in_(("", owner)), games.c.owned_until < now)
    statement = games.update().where(games.c.id == game, free)
    return connection.execute(statement.values(owner=owner, owned_until=now + seconds)).rowcount > 0


def release(connection: Connection, game: str, owner: str) -> None:
    """Release a lease acquired by `claim`."""
    statement = games.update().where(games.c.id == game, games.c.owner == owner)
    connection.execute(statement.values(owner="", owned_until=0.0))


def note_opened(connection: Connection, game: str, now: float) -> bool:
    """Record that a game is opened, which postpones its deletion; return whether it exists."""
    statement = games.update().where(games.c.id == game).values(opened=now)
    return connection.execute(statement).rowcount > 0


def delete_unused(connection: Connection, since: float, most: int = 500) -> int:
    """Delete games that have been neither changed nor opened since a time; return their number.

    They disappear from lists too. Also delete visitors whose data is older than that time and who have no
    games left, ratings and tournaments that have not changed since, and expired records of old cookies.

    Args:
        connection: a connection to the database.
        since: the time, in Unix seconds.
        most: the most games to delete at once.
    """
    unused = games.c.updated < since, games.c.opened < since
    old = sql.select(games.c.id).where(*unused).order_by(games.c.updated).limit(most)
    statement = games.delete().where(games.c.id.in_(old.scalar_subquery()))
    deleted = connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount
    plays = sql.exists().where(visits.c.visitor == visitors.c.visitor)
    connection.execute(visitors.delete().where(visitors.c.updated < since, ~plays))
    connection.execute(ratings.delete().where(ratings.c.updated < since))
    connection.execute(tournaments.delete().where(tournaments.c.updated < since))
    connection.execute(former_visitors.delete().where(former_visitors.c.until < time.time()))
    return deleted


# -- rows


_LOAD = sql.select(*(c for c in games.c if c.name not in ("opened", "owner", "owned_until"))).where(
    games.c.id == sql.bindparam("game")
)
_SAVE = (
    games.update()
    .where(games.c.id == sql.bindparam("game"), games.c.version == sql.bindparam("expected"))
    .values({name: sql.bindparam(name) for name in ("version", "session", "room", *SUMMARY)})
    .values(created=sql.bindparam("created"), updated=sql.bindparam("updated"))
)


def insert(connection: Connection, table: sql.Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insert statement of the connection's dialect that supports ``ON CONFLICT``."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def _columns(saved: StoredGame) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": saved.id,
        "version": saved.version,
        "session": saved.session,
        "room": saved.room,
        "created": saved.created,
        "updated": saved.updated,
    }
    return values | asdict(saved.summary)


def summary_of(row: Any) -> GameSummary:
    """Return the columns of a row that lists show."""
    return GameSummary(**{name: getattr(row, name) for name in SUMMARY})


def _saved(row: Any) -> StoredGame:
    return StoredGame(row.id, row.version, row.session, row.room, summary_of(row), row.created, row.updated)
