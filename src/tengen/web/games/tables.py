"""Games in a database: what is kept of each, and the tables, in SQLAlchemy Core for SQLite and PostgreSQL.

A change of the tables needs a step in `tengen.web.games.migrations` too.

`tengen.web.games.repository` is the way in; the functions here run inside its transactions, in its threads.
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
from tengen.web.server.http_errors import Overloaded, Refused

Status = Literal["all", "running", "over"]


class StoreError(Overloaded):
    """The database cannot be reached, or is full."""


class Conflict(Refused):
    """A game has been changed by somebody else since it was loaded; nothing was written."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """What a list of games shows, and is searched by.

    Attributes:
        rules: their name, such as ``"renju"``.
        size: as text, ``"15x15"``.
        opening: the opening rule; empty for none.
        black: ``"human"`` or a player's spec.
        white: likewise.
        result: ``"black"``, ``"white"``, ``"draw"``, ``"aborted"``; empty while the game goes on.
        reason: how it ended, such as ``"five"``.
        plies: how many stones have been played.
        black_name: what the person who plays Black is called; empty for none.
        white_name: likewise.
        black_participant: who plays Black, 1 or 2; 0 where one person has both seats, and where that is
            not known.
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
    """How a rated game has ended.

    Attributes:
        pool: the ratings that it changes.
        black: the visitor who played Black.
        white: likewise.
        score: of Black, 1, 0.5 or 0.
    """

    pool: str
    black: str
    white: str
    score: float


@dataclass(frozen=True, slots=True)
class Storer:
    """Somebody who has something kept, where that has a bound; see `tengen.web.games.storage`.

    Attributes:
        visitor: its id.
        address: a keyed hash of the address it comes from.
        days: for which what is made from there counts.
    """

    visitor: str
    address: str
    days: int


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it is kept.

    Attributes:
        id: 128 random bits, fit for an address.
        version: grows by one with every change.
        session: `Session.to_json`.
        room: JSON that only the rooms read: hashes of tokens, open seats and the like.
        summary: what lists show.
        created: in Unix seconds.
        updated: likewise.
        rated: who is to be rated for it; None as long as it goes on, and where nobody is.
        visitors: whom its room names, as owners of seats or as its maker; None for those whom the table of
            visitors has already, and when it has been loaded.
        storer: on whose account a new game is kept; None for nobody's.
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
    """A game as a visitor's list shows it.

    Attributes:
        id: the game's.
        summary: what it shows.
        created: in Unix seconds.
        updated: likewise.
        participant: who the visitor is in it, 1 or 2; None for a spectator.
    """

    id: str
    summary: GameSummary
    created: float
    updated: float
    participant: int | None

    @property
    def colour(self) -> str | None:
        """The visitor's colour; None for a spectator, for both colours, and where it is not known."""
        summary = self.summary
        if self.participant is None:
            return None
        people = [name for name in ("black", "white") if getattr(summary, name) == HUMAN]
        if summary.black_participant:
            own = "black" if self.participant == summary.black_participant else "white"
            return own if own in people else None
        return people[0] if len(people) == 1 else None


def new_id() -> str:
    """An address for a game that nobody can guess: 128 random bits as 22 characters."""
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
    # When it last came into the memory of a process after a long rest; see `delete_unused`.
    sql.Column("opened", sql.Double, nullable=False, server_default="0"),
    # Which process lets the computer think here, and until when; see GameRepository.claim.
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

# Whose seats a game has, and who has made it: what its room says, for whoever looks by the visitor.
game_visitors = sql.Table(
    "game_visitors",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("game", sql.String(64), sql.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sql.Index("game_visitors_by_game", "game"),
)

# Visitors with an unsigned cookie, until when it is recognised; see `tengen.web.server.visitor_cookies`.
former_visitors = sql.Table(
    "former_visitors",
    metadata,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("until", sql.Double, nullable=False),
)

# How much was made from an address on a day, counted from 1970.
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
    """The game of that id."""
    row = connection.execute(_LOAD, {"game": game}).one_or_none()
    return None if row is None else _saved(row)


def create(connection: Connection, saved: StoredGame) -> None:
    """Keep a new game.

    Raises:
        Conflict: there is another game of that id.
    """
    statement = insert(connection, games).values(_columns(saved)).on_conflict_do_nothing()
    # Without the option SQLAlchemy does not say how many rows an insertion made.
    done = connection.execute(statement, execution_options={"preserve_rowcount": True})
    if done.rowcount == 0 and not _is_there(connection, saved):
        raise Conflict("error.web.version")
    _name_visitors(connection, saved)


def save(connection: Connection, saved: StoredGame, expected: int) -> None:
    """Write a game over its former version.

    Raises:
        Conflict: it is not that version that is there.
    """
    values = _columns(saved)
    values["game"] = values.pop("id")
    done = connection.execute(_SAVE, {**values, "expected": expected})
    if done.rowcount == 0 and not _is_there(connection, saved):
        raise Conflict("error.web.version")
    _name_visitors(connection, saved)


def _name_visitors(connection: Connection, saved: StoredGame) -> None:
    """Write down whom a game's room names, if that has changed."""
    if saved.visitors is None:
        return
    own = game_visitors.c.game == saved.id
    connection.execute(game_visitors.delete().where(own, game_visitors.c.visitor.not_in(saved.visitors)))
    values = [{"visitor": visitor, "game": saved.id} for visitor in sorted(saved.visitors)]
    if values:
        connection.execute(insert(connection, game_visitors).values(values).on_conflict_do_nothing())


def _is_there(connection: Connection, saved: StoredGame) -> bool:
    """Whether exactly this is there already: it was written, and the connection broke before we heard."""
    found = load(connection, saved.id)
    return found is not None and (found.version, found.session, found.room) == (
        saved.version,
        saved.session,
        saved.room,
    )


def claim(connection: Connection, game: str, owner: str, now: float, seconds: float) -> bool:
    """Let one process have a game for a while; whether it has it now."""
    free = sql.or_(games.c.owner.in_(("", owner)), games.c.owned_until < now)
    statement = games.update().where(games.c.id == game, free)
    return connection.execute(statement.values(owner=owner, owned_until=now + seconds)).rowcount > 0


def release(connection: Connection, game: str, owner: str) -> None:
    """Give a game back that `claim` has given."""
    statement = games.update().where(games.c.id == game, games.c.owner == owner)
    connection.execute(statement.values(owner="", owned_until=0.0))


def note_opened(connection: Connection, game: str, now: float) -> bool:
    """Note that somebody opens a game, which is then kept as after a change; whether it is there."""
    statement = games.update().where(games.c.id == game).values(opened=now)
    return connection.execute(statement).rowcount > 0


def delete_unused(connection: Connection, since: float, most: int) -> int:
    """Delete games that nobody has changed or opened since a time, from lists too; how many there were.

    Visitors go who have said something of themselves before that time and have no game any more, and
    ratings and tournaments that have not changed since.

    Args:
        connection: to the database.
        since: in Unix seconds.
        most: how many at once.
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
    """Put a game on a visitor's list; a spectator who takes a seat is a player from then on."""
    values = {"visitor": visitor, "game": game, "participant": participant}
    statement = insert(connection, visits).values(values)
    if participant is None:
        connection.execute(statement.on_conflict_do_nothing())
    else:
        keys = [visits.c.visitor, visits.c.game]
        changes = {"participant": participant}
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changes))


def forget(connection: Connection, game: str, visitor: str) -> None:
    """Take a game off a visitor's list."""
    connection.execute(visits.delete().where(visits.c.game == game, visits.c.visitor == visitor))


def games_of(
    connection: Connection,
    visitor: str,
    words: list[list[str]],
    status: Status,
    offset: int,
    limit: int,
) -> tuple[list[ListedGame], int]:
    """A visitor's games, those changed last first, and how many there are.

    Args:
        connection: to the database.
        visitor: whose.
        words: what is looked for: of each of these lists, one text at least has to be found.
        status: only those that go on, or that are over.
        offset: how many to leave out.
        limit: the most to return.
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
    """An insertion that can say what happens where the row is there already."""
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
