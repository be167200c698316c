"""Storage limits of public servers: one per visitor, and one per address.

A visitor's limit counts the games on its list, which it can shorten. Since new cookies are free, addresses
have a limit too: it counts everything created from an address within a year, or within the number of days
after which unused games are deleted. An address is stored as a keyed hash with a count per day, and is not
linked to any game or name.

The functions here run inside the transactions of a `Repository`, before anything is written.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.web.database.tables import address_storage, insert, visits
from tengen.web.games import game_rows
from tengen.web.games.stored_game import StoredGame, Storer
from tengen.web.transport.errors import Refused

MOST_VISITOR = 2_000
"""The most games on one visitor's list."""

MOST_ADDRESS = 10_000
"""The most games, tournaments and names created from one address."""

_DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Usage:
    """An account's use of storage.

    Attributes:
        games: the number of games on the visitor's list.
        made: the number of things created from its address within the counted days.
    """

    games: int
    made: int


def create(connection: Connection, saved: StoredGame) -> None:
    """Store a new game and charge it to its creator's account.

    Raises:
        Refused: the visitor or its address has reached its storage limit.
        Conflict: another game has this id.
    """
    if saved.storer is not None:
        charge(connection, saved.storer, saved.created)
    game_rows.create(connection, saved)


def charge(connection: Connection, storer: Storer, now: float, things: int = 1) -> None:
    """Charge new things to an account.

    Args:
        connection: a connection to the database.
        storer: the account.
        now: the time, in Unix seconds.
        things: the number of games, tournaments and names to be stored.

    Raises:
        Refused: a limit would be exceeded; nothing is charged.
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
    """Return an account's current use of storage; games are counted up to the limit only."""
    own = sql.select(visits.c.game).where(visits.c.visitor == storer.visitor).limit(MOST_VISITOR)
    games = connection.execute(sql.select(sql.func.count()).select_from(own.subquery())).scalar_one()
    since = int(now // _DAY) - storer.days
    made = sql.select(sql.func.coalesce(sql.func.sum(address_storage.c.things), 0)).where(
        address_storage.c.address == storer.address, address_storage.c.day > since
    )
    return Usage(games, int(connection.execute(made).scalar_one()))
