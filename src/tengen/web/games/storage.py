"""How much strangers may have a server keep: a bound for each visitor, and one for each address.

Of a visitor the games on its list count, which it can shorten. Cookies are free, so addresses have a bound
as well: whatever is made from one within a year, or within the days after which unused games are deleted,
counts there. An address is kept as a keyed hash with a number for each day, beside no game and no name.

The functions here run inside the transactions of `tengen.web.games.repository`, before anything is written.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.web.games import tables
from tengen.web.games.tables import StoredGame, Storer, address_storage, insert, visits
from tengen.web.server.http_errors import Refused

MOST_VISITOR = 2_000
"""Games on the list of one visitor."""

MOST_ADDRESS = 10_000
"""Games, tournaments and names made from one address."""

_DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Usage:
    """What counts for whoever stores something.

    Attributes:
        games: on the visitor's list.
        made: from its address within the days that count.
    """

    games: int
    made: int


def create(connection: Connection, saved: StoredGame) -> None:
    """Keep a new game, on the account of whoever begins it.

    Raises:
        Refused: that is one too many for the visitor, or for its address.
        Conflict: there is another game of that id.
    """
    if saved.storer is not None:
        charge(connection, saved.storer, saved.created)
    tables.create(connection, saved)


def charge(connection: Connection, storer: Storer, now: float, things: int = 1) -> None:
    """Count what is to be kept.

    Args:
        connection: to the database.
        storer: for whom.
        now: in Unix seconds.
        things: how many games, tournaments and names.

    Raises:
        Refused: there would be too many; nothing is counted.
    """
    day = int(now // _DAY)
    connection.execute(address_storage.delete().where(address_storage.c.day <= day - storer.days))
    found = usage(connection, storer, now)
    if found.games >= MOST_VISITOR:
        raise Refused("error.web.storage.visitor", most=MOST_VISITOR)
    if found.made + things > MOST_ADDRESS:
        raise Refused("error.web.storage.address", most=MOST_ADDRESS, days=storer.days)
    values = {"address": storer.address, "day": day, "things": things}
    statement = insert(connection, address_storage).values(values)
    keys = [address_storage.c.address, address_storage.c.day]
    more = {"things": address_storage.c.things + things}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=more))


def usage(connection: Connection, storer: Storer, now: float) -> Usage:
    """What counts for somebody now; never more than is needed to refuse it."""
    own = sql.select(visits.c.game).where(visits.c.visitor == storer.visitor).limit(MOST_VISITOR)
    games = connection.execute(sql.select(sql.func.count()).select_from(own.subquery())).scalar_one()
    since = int(now // _DAY) - storer.days
    made = sql.select(sql.func.coalesce(sql.func.sum(address_storage.c.things), 0)).where(
        address_storage.c.address == storer.address, address_storage.c.day > since
    )
    return Usage(games, int(connection.execute(made).scalar_one()))
