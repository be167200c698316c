"""Visitors in a database: what each has said of itself, whose games are whose, and how cookies are signed.

A visitor is its id, the hash of the secret in its cookie; see `tengen.web.server.visitor_cookies`.

`tengen.web.games.repository` is the way in; the functions here run inside its transactions, in its threads.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.web.games import storage
from tengen.web.games.tables import (
    Storer,
    challenges,
    former_visitors,
    game_visitors,
    insert,
    rated_meetings,
    ratings,
    server_keys,
    tournament_visitors,
    visitors,
    visits,
)

FORMER_DAY = 24 * 3600.0
"""Seconds for which a cookie of the former kind is recognised once it has been read: the answer with the
new one may be lost, and others may be on their way."""

_COOKIES = "cookies"


@dataclass(frozen=True, slots=True)
class VisitorData:
    """What a visitor has said of itself.

    Attributes:
        name: what others see at its seats; empty for none.
        rated: whether it plays rated games.
    """

    name: str = ""
    rated: bool = False


def visitors_data(connection: Connection, ids: Collection[str]) -> dict[str, VisitorData]:
    """What visitors have said of themselves; those who have said nothing are left out."""
    rows = connection.execute(sql.select(visitors).where(visitors.c.visitor.in_(ids)))
    return {row.visitor: VisitorData(row.name, row.rated) for row in rows}


def change_visitor(
    connection: Connection,
    visitor: str,
    now: float,
    name: str | None = None,
    rated: bool | None = None,
    storer: Storer | None = None,
) -> None:
    """Note what a visitor says of itself.

    Args:
        connection: to the database.
        visitor: who.
        now: Unix seconds.
        name: what it is called, empty for nothing; None for what it was called before.
        rated: whether it plays rated games; None for as before.
        storer: on whose account that is kept, where it is the first that it says; None for nobody's.

    Raises:
        Refused: as much as may be is kept on that account.
    """
    if storer is not None and not visitors_data(connection, [visitor]):
        storage.charge(connection, storer, now)
    said = {"name": name, "rated": rated}
    changes: dict[str, Any] = {key: value for key, value in said.items() if value is not None}
    changes["updated"] = now
    statement = insert(connection, visitors).values({"visitor": visitor, "name": ""} | changes)
    connection.execute(statement.on_conflict_do_update(index_elements=[visitors.c.visitor], set_=changes))


def games_naming(connection: Connection, visitor: str, after: str, limit: int) -> list[str]:
    """Games whose rooms say that a seat is a visitor's, or that it made the game, on its list or not.

    Args:
        connection: to the database.
        visitor: who.
        after: the id before the first one; empty for all.
        limit: the most ids to return, in their order.
    """
    chosen = game_visitors.c.visitor == visitor, game_visitors.c.game > after
    statement = sql.select(game_visitors.c.game).where(*chosen).order_by(game_visitors.c.game).limit(limit)
    return list(connection.scalars(statement))


def forget(connection: Connection, visitor: str) -> None:
    """Delete all that is kept under a visitor's id beside the games."""
    for table in (visits, visitors, ratings, challenges, tournament_visitors, former_visitors):
        connection.execute(table.delete().where(table.c.visitor == visitor))
    for column in (rated_meetings.c.one, rated_meetings.c.other):
        connection.execute(rated_meetings.delete().where(column == visitor))


# -- cookies


def cookie_key(connection: Connection) -> bytes:
    """The key with which all processes of this database sign cookies; the first one makes it."""
    values = {"name": _COOKIES, "value": secrets.token_hex(32)}
    connection.execute(insert(connection, server_keys).values(values).on_conflict_do_nothing())
    chosen = sql.select(server_keys.c.value).where(server_keys.c.name == _COOKIES)
    return bytes.fromhex(connection.execute(chosen).scalar_one())


def is_former(connection: Connection, visitor: str, now: float) -> bool:
    """Whether a visitor is to be recognised by a cookie of the former kind."""
    chosen = former_visitors.c.visitor == visitor, former_visitors.c.until > now
    return (
        connection.execute(sql.select(former_visitors.c.visitor).where(*chosen)).one_or_none() is not None
    )


def note_replaced(connection: Connection, visitor: str, now: float) -> None:
    """Note that a visitor's former cookie is replaced; it is recognised for a day more."""
    until = now + FORMER_DAY
    chosen = former_visitors.c.visitor == visitor, former_visitors.c.until > until
    connection.execute(former_visitors.update().where(*chosen).values(until=until))
