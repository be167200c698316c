"""The tables of the database, in SQLAlchemy Core for SQLite and PostgreSQL.

A change of the tables also needs a migration in `tengen.web.database.migrations`.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import sqlalchemy as sql
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection

from tengen.web.transport.errors import Overloaded, Refused

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


class StoreError(Overloaded):
    """An error of the database: it cannot be reached, or is full."""


class Conflict(Refused):
    """A write conflict: another writer has changed the row since it was loaded, and nothing was written."""


def new_id() -> str:
    """Return a new unguessable id for a game's URL: 128 random bits as 22 characters."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    """Return whether a text can be an id; this excludes text that a database cannot compare."""
    return text.isascii() and text.isprintable() and len(text) <= 64


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
    # The time at which a process last loaded the game after a long rest; see `game_rows.delete_unused`.
    sql.Column("opened", sql.Double, nullable=False, server_default="0"),
    # The process that holds the game's lease, and the end of the lease; see `game_rows.claim`.
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


def insert(connection: Connection, table: sql.Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insert statement of the connection's dialect that supports ``ON CONFLICT``."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects.postgresql import insert as postgresql_insert

    return postgresql_insert(table)
