"""Challenges in a database: games that somebody offers to whoever comes to the lobby.

One visitor has one challenge at most. It is open as long as its maker is seen now and then; once it is
accepted it holds the id of the game, until the maker has gone there.

`tengen.web.games.repository` is the way in; the functions here run inside its transactions, in its threads.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.web.games import storage
from tengen.web.games.tables import StoredGame, challenges, insert, visitors
from tengen.web.server.http_errors import Refused

MOST = 100
"""The most challenges that a list has."""


@dataclass(frozen=True, slots=True)
class ChallengeOptions:
    """The game that is offered.

    Attributes:
        rules: `Rules.to_dict`.
        opening: an opening rule, or None.
        clock: the time control as text, or None.
        take_backs: how many each side has; None is no limit.
        colour: what the maker plays, ``"black"``, ``"white"`` or ``"random"``.
        rated: the pool of ratings that the game changes; None for none.
    """

    rules: dict[str, Any]
    opening: str | None
    clock: str | None
    take_backs: int | None
    colour: str
    rated: str | None = None


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge as it is kept.

    Attributes:
        id: for whoever accepts it.
        visitor: who has made it; nobody else's business.
        options: the game.
        name: what the maker is called; empty for nothing.
        created: in Unix seconds.
        seen: when the maker was last there, in Unix seconds.
        game: the id of the game that it has become; empty while it is open.
    """

    id: str
    visitor: str
    options: ChallengeOptions
    name: str
    created: float
    seen: float
    game: str = ""


def open_challenge(connection: Connection, challenge: Challenge, since: float) -> None:
    """Keep a challenge, in the place of the maker's last one.

    Args:
        connection: to the database.
        challenge: the challenge.
        since: Unix seconds; whose maker was last seen before is open no more.

    Raises:
        Refused: the last one has just been accepted.
    """
    forget(connection, since)  # as well where nobody looks at the lobby
    values = {
        "visitor": challenge.visitor,
        "id": challenge.id,
        "options": json.dumps(asdict(challenge.options)),
        "created": challenge.created,
        "seen": challenge.seen,
        "game": "",
    }
    statement = (
        insert(connection, challenges)
        .values(values)
        .on_conflict_do_update(
            index_elements=[challenges.c.visitor],
            set_=values,
            where=sql.or_(challenges.c.game == "", challenges.c.seen < since),
        )
    )
    # Without the option SQLAlchemy does not say how many rows an insertion made.
    if connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount == 0:
        raise Refused("error.web.challenge.accepted")


def withdraw(connection: Connection, visitor: str) -> bool:
    """Forget a visitor's challenge, accepted or not; whether there was one."""
    return connection.execute(challenges.delete().where(challenges.c.visitor == visitor)).rowcount > 0


def see(connection: Connection, makers: Collection[str], now: float, since: float) -> None:
    """Note that makers are there whose challenges are still open."""
    still = challenges.c.visitor.in_(makers), challenges.c.game == "", challenges.c.seen >= since
    connection.execute(challenges.update().where(*still).values(seen=now))


def forget(connection: Connection, since: float) -> int:
    """Forget those whose makers were last seen before a time; how many there were."""
    return connection.execute(challenges.delete().where(challenges.c.seen < since)).rowcount


def listed(connection: Connection, since: float) -> list[Challenge]:
    """The open challenges, the oldest first."""
    chosen = challenges.c.game == "", challenges.c.seen >= since
    statement = _CHALLENGES.where(*chosen).order_by(challenges.c.created, challenges.c.id).limit(MOST)
    return [_challenge(row) for row in connection.execute(statement)]


def accepted(connection: Connection, makers: Collection[str]) -> dict[str, str]:
    """The games that these makers' challenges have become."""
    chosen = challenges.c.visitor.in_(makers), challenges.c.game != ""
    rows = connection.execute(sql.select(challenges.c.visitor, challenges.c.game).where(*chosen))
    return {row.visitor: row.game for row in rows}


def load(connection: Connection, challenge: str, since: float) -> Challenge | None:
    """The open challenge of that id; None where there is none, or none any more."""
    chosen = challenges.c.id == challenge, challenges.c.game == "", challenges.c.seen >= since
    row = connection.execute(_CHALLENGES.where(*chosen)).one_or_none()
    return None if row is None else _challenge(row)


def accept(connection: Connection, challenge: str, visitor: str, saved: StoredGame, since: float) -> None:
    """Let a challenge become a game, and keep that; the accepter's own one goes.

    Raises:
        Refused: it has been accepted, or withdrawn, meanwhile; nothing is written.
    """
    still = challenges.c.id == challenge, challenges.c.game == "", challenges.c.seen >= since
    done = connection.execute(challenges.update().where(*still).values(game=saved.id))
    if done.rowcount == 0:
        raise Refused("error.web.challenge.gone")
    storage.create(connection, saved)
    own = challenges.c.visitor == visitor, challenges.c.game == ""
    connection.execute(challenges.delete().where(*own))


_CHALLENGES = sql.select(challenges, sql.func.coalesce(visitors.c.name, "").label("name")).select_from(
    challenges.outerjoin(visitors, visitors.c.visitor == challenges.c.visitor)
)


def _challenge(row: Any) -> Challenge:
    options = ChallengeOptions(**json.loads(row.options))
    return Challenge(row.id, row.visitor, options, row.name, row.created, row.seen, row.game)
