"""The database tables and the queries for games, in SQLAlchemy Core for SQLite and PostgreSQL.

A change of the tables also needs a migration in `tengen.web.games.migrations`.

Call these functions through `tengen.web.games.repository`, inside whose transactions and threads they run.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import asdict, dataclass, field, fields
from functools import reduce
from typing import Any, Literal

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from tengen.game.session_state import HUMAN
from tengen.web.transport.http_errors import Overloaded, Refused

Status = Literal["all", "running", "over"]


class StoreError(Overloaded):
    """An error of the database: it cannot be reached, or is full."""


class Conflict(Refused):
    """A write conflict: another writer has changed the row since it was loaded, and nothing was written."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The columns of a game that lists display and search.

    Attributes:
        rules: the name of the rules, such as ``"renju"``.
        size: the board's size as text, such as ``"15x15"``.
        opening: the opening rule; empty for none.
        black: Black's occupant, ``"human"`` or a player's spec.
        white: White's occupant, ``"human"`` or a player's spec.
        result: ``"black"``, ``"white"``, ``"draw"`` or ``"aborted"``; empty while the game is running.
        reason: the reason of the result, such as ``"five"``; empty while the game is running.
        plies: the number of stones played.
        black_name: the name of the person who plays Black; empty for none.
        white_name: the name of the person who plays White; empty for none.
        black_participant: the participant who plays Black, 1 or 2; 0 if one person has both seats or the
            participant is unknown.
    """

    rules: str
    size: str
    opening: str
    black: str
    white: str
    result: str
    reason: str
    plies: int
    black_name: str = ""
    white_name: str = ""
    black_participant: int = 0


@dataclass(frozen=True, slots=True)
class RatedResult:
    """The result of a rated game.

    Attributes:
        pool: the rating pool.
        black: the visitor who played Black.
        white: the visitor who played White.
        score: Black's score, 1, 0.5 or 0.
    """

    pool: str
    black: str
    white: str
    score: float


@dataclass(frozen=True, slots=True)
class Storer:
    """An account to which limited storage is charged; see `tengen.web.games.storage`.

    Attributes:
        visitor: the visitor's id.
        address: a keyed hash of the visitor's address.
        days: the number of days for which things created from the address count.
    """

    visitor: str
    address: str
    days: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game.

    Attributes:
        id: 128 random bits in URL-safe characters.
        version: a number that grows by one with every change.
        session: the session, as made by `Session.to_json`.
        room: the room's state as JSON, which only rooms read: hashes of tokens, open seats and so on.
        summary: the columns that lists display and search.
        created: the time of creation, in Unix seconds.
        updated: the time of the last change, in Unix seconds.
        rated: the result to be rated; None for a running or unrated game.
        visitors: the visitors that the room refers to, as owners of seats or as the creator; None if they
            are unchanged in the table `game_visitors`, and in a loaded game.
        storer: the account to which a new game is charged; None for no charge.
    """

    id: str
    version: int
    session: str
    room: str
    summary: GameSummary
    created: float
    updated: float
    rated: RatedResult | None = None
    visitors: frozenset[str] | None = field(default=None, compare=False)
    storer: Storer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ListedGame:
    """An entry of a visitor's list of games.

    Attributes:
        id: the game's id.
        summary: the columns to display.
        created: the time of creation, in Unix seconds.
        updated: the time of the last change, in Unix seconds.
        participant: the visitor's participant, 1 or 2; None for a spectator.
    """

    id: str
    summary: GameSummary
    created: float
    updated: float
    participant: int | None

    @property
    def colour(self) -> str | None:
        """The visitor's colour; None for a spectator, for both colours, and if unknown."""
        summary = self.summary
        if self.participant is None:
            return None
        people = [name for name in ("black", "white") if getattr(summary, name) == HUMAN]
        if summary.black_participant:
            own = "black" if self.participant == summary.black_participant else "white"
            return own if own in people else None
        return people[0] if len(people) == 1 else None


def new_id() -> str:
    """Return a new unguessable id for a game's URL: 128 random bits as 22 characters."""
    return secrets.token_urlsafe(16)


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
    # The process that holds the game's lease, and the end of the lease; see GameRepository.claim.
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

_SUMMARY = tuple(field.name for field in fields(GameSummary))


# -- one game


def load(connection: Connection, game: str) -> StoredGame | None:
    """Return the game with the given id; None if it does not exist."""
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


def delete_unused(connection: Connection, since: float, most: int) -> int:
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


# -- a visitor's games


def join(connection: Connection, game: str, visitor: str, participant: int | None) -> None:
    """Add a game to a visitor's list; a spectator who takes a seat becomes a player."""
    values = {"visitor": visitor, "game": game, "participant": participant}
    statement = insert(connection, visits).values(values)
    if participant is None:
        connection.execute(statement.on_conflict_do_nothing())
    else:
        keys = [visits.c.visitor, visits.c.game]
        changes = {"participant": participant}
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changes))


def forget(connection: Connection, game: str, visitor: str) -> None:
    """Remove a game from a visitor's list."""
    connection.execute(visits.delete().where(visits.c.game == game, visits.c.visitor == visitor))


def games_of(
    connection: Connection,
    visitor: str,
    words: list[list[str]],
    status: Status,
    offset: int,
    limit: int,
) -> tuple[list[ListedGame], int]:
    """Return a page of a visitor's games, most recently changed first, and the total number of matches.

    Args:
        connection: a connection to the database.
        visitor: the visitor's id.
        words: the search, as lists of texts; a game matches if it contains at least one text of every list.
        status: restricts the games to running or finished ones.
        offset: the number of games to skip.
        limit: the most games to return.
    """
    chosen = [visits.c.visitor == visitor]
    if status != "all":
        chosen.append(games.c.result == "" if status == "running" else games.c.result != "")
    chosen += [sql.or_(*(_SEARCHED.contains(text, autoescape=True) for text in texts)) for texts in words]
    joined = games.join(visits, visits.c.game == games.c.id)
    total = connection.execute(sql.select(sql.func.count()).select_from(joined).where(*chosen)).scalar_one()
    columns = [games.c[name] for name in ("id", *_SUMMARY, "created", "updated")]
    rows = connection.execute(
        sql.select(*columns, visits.c.participant)
        .select_from(joined)
        .where(*chosen)
        .order_by(games.c.updated.desc(), games.c.id)
        .offset(offset)
        .limit(limit)
    )
    return [
        ListedGame(row.id, _summary(row), row.created, row.updated, row.participant) for row in rows
    ], total


# -- rows


def _together(*texts: sql.ColumnElement[str]) -> sql.ColumnElement[str]:
    return reduce(lambda left, right: left + " " + right, texts)


_TEXTS = (name for name in _SUMMARY if name not in ("plies", "black_participant"))
_SEARCHED = sql.func.lower(_together(*(games.c[name] for name in _TEXTS)))
_LOAD = sql.select(*(c for c in games.c if c.name not in ("opened", "owner", "owned_until"))).where(
    games.c.id == sql.bindparam("game")
)
_SAVE = (
    games.update()
    .where(games.c.id == sql.bindparam("game"), games.c.version == sql.bindparam("expected"))
    .values({name: sql.bindparam(name) for name in ("version", "session", "room", *_SUMMARY)})
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


def _summary(row: Any) -> GameSummary:
    return GameSummary(**{name: getattr(row, name) for name in _SUMMARY})


def _saved(row: Any) -> StoredGame:
    return StoredGame(row.id, row.version, row.session, row.room, _summary(row), row.created, row.updated)
