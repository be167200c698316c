"""Games in the database: loading and saving, leases, and deleting unused games.

Call these functions through `Repository.read` and `write`, inside whose transactions and threads they run.
"""

from __future__ import annotations

import time
from dataclasses import asdict, fields
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.web.database.tables import (
    Conflict,
    former_visitors,
    game_visitors,
    games,
    insert,
    is_id,
    ratings,
    visitors,
    visits,
)
from tengen.web.games.stored_game import GameSummary, StoredGame

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
    result = connection.execute(statement, execution_options={"preserve_rowcount": True})
    if result.rowcount == 0 and not _is_stored(connection, saved):
        raise Conflict("error.web.version")
    _save_visitors(connection, saved)


def save(connection: Connection, saved: StoredGame, expected: int) -> None:
    """Replace the stored version `expected` of a game.

    Raises:
        Conflict: another version is stored, or none.
    """
    values = _columns(saved)
    values["game"] = values.pop("id")
    result = connection.execute(_SAVE, {**values, "expected": expected})
    if result.rowcount == 0 and not _is_stored(connection, saved):
        raise Conflict("error.web.version")
    _save_visitors(connection, saved)


def _save_visitors(connection: Connection, saved: StoredGame) -> None:
    """Update the visitors that a game's room refers to, if they have changed."""
    if saved.visitors is None:
        return
    own = game_visitors.c.game == saved.id
    connection.execute(game_visitors.delete().where(own, game_visitors.c.visitor.not_in(saved.visitors)))
    values = [{"visitor": visitor, "game": saved.id} for visitor in sorted(saved.visitors)]
    if values:
        connection.execute(insert(connection, game_visitors).values(values).on_conflict_do_nothing())


def _is_stored(connection: Connection, saved: StoredGame) -> bool:
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
    games left, ratings that have not changed since, and expired records of old cookies.

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
