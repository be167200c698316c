"""Visitors in a database: their data, the games that refer to them, and old cookies.

A visitor is identified by the hash of the secret in its cookie; see `tengen.web.transport.visitor_cookies`.

Call these functions through `Repository.read` and `write`, inside whose transactions and threads they run.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.web.database.tables import (
    former_visitors,
    game_visitors,
    insert,
    metadata,
    rated_meetings,
    visitors,
)
from tengen.web.games import storage
from tengen.web.games.stored_game import Storer

FORMER_DAY = 24 * 3600.0
"""Seconds for which an old unsigned cookie is still recognised after it has been replaced.

The response with the new cookie may be lost, and other requests may be on their way."""


@dataclass(frozen=True, slots=True)
class VisitorData:
    """A visitor's data.

    Attributes:
        name: the name that others see at its seats; empty for none.
        rated: whether the visitor has turned ratings on.
    """

    name: str = ""
    rated: bool = False


def visitors_data(
    connection: Connection, ids: Collection[str], *, names: bool = True
) -> dict[str, VisitorData]:
    """Return the data of visitors by id; visitors without stored data are omitted.

    Args:
        connection: a connection to the database.
        ids: the visitors' ids.
        names: whether to return their names; without, they are empty.
    """
    rows = connection.execute(sql.select(visitors).where(visitors.c.visitor.in_(ids)))
    return {row.visitor: VisitorData(row.name if names else "", row.rated) for row in rows}


def change_visitor(
    connection: Connection,
    visitor: str,
    now: float,
    name: str | None = None,
    rated: bool | None = None,
    storer: Storer | None = None,
) -> None:
    """Change a visitor's data.

    Args:
        connection: a connection to the database.
        visitor: the visitor's id.
        now: the time, in Unix seconds.
        name: the new name, empty for none; None to leave it unchanged.
        rated: whether the visitor plays rated games; None to leave it unchanged.
        storer: the account to charge if the visitor has no stored data yet; None for no charge.

    Raises:
        Refused: the account has reached its storage limit.
    """
    if storer is not None and not visitors_data(connection, [visitor]):
        storage.charge(connection, storer, now)
    given = {"name": name, "rated": rated}
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    changes["updated"] = now
    statement = insert(connection, visitors).values({"visitor": visitor, "name": ""} | changes)
    connection.execute(statement.on_conflict_do_update(index_elements=[visitors.c.visitor], set_=changes))


def games_naming(connection: Connection, visitor: str, after: str = "", limit: int = 100) -> list[str]:
    """Return the ids of games that a visitor made or owns a seat of, whether or not they are on its list.

    Args:
        connection: a connection to the database.
        visitor: the visitor's id.
        after: return only ids greater than this one; empty for all.
        limit: the most ids to return, in ascending order.
    """
    chosen = game_visitors.c.visitor == visitor, game_visitors.c.game > after
    statement = sql.select(game_visitors.c.game).where(*chosen).order_by(game_visitors.c.game).limit(limit)
    return list(connection.scalars(statement))


def forget(connection: Connection, visitor: str) -> None:
    """Delete all rows stored under a visitor's id, except the games."""
    for table in metadata.sorted_tables:
        if "visitor" in table.c and table is not game_visitors:
            connection.execute(table.delete().where(table.c.visitor == visitor))
    for column in (rated_meetings.c.one, rated_meetings.c.other):
        connection.execute(rated_meetings.delete().where(column == visitor))


# -- cookies


def is_former(connection: Connection, visitor: str, now: float) -> bool:
    """Return whether a visitor is still recognised by an old unsigned cookie."""
    chosen = former_visitors.c.visitor == visitor, former_visitors.c.until > now
    return (
        connection.execute(sql.select(former_visitors.c.visitor).where(*chosen)).one_or_none() is not None
    )


def note_replaced(connection: Connection, visitor: str, now: float) -> None:
    """Record that a visitor's old cookie has been replaced; it is recognised for one more day."""
    until = now + FORMER_DAY
    chosen = former_visitors.c.visitor == visitor, former_visitors.c.until > until
    connection.execute(former_visitors.update().where(*chosen).values(until=until))
