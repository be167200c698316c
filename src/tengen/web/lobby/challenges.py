"""Challenges in a database: games that visitors offer to others in the lobby.

A visitor has at most one challenge. It stays open while its maker has been seen recently; once accepted, it
holds the id of the game until the maker has opened the game.

Call these functions through `Repository.read` and `write`, inside whose transactions and threads they run.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.schemas.lobby import ChosenColour
from tengen.web.database.tables import challenges, insert, is_id, visitors
from tengen.web.games import storage
from tengen.web.games.stored_game import StoredGame
from tengen.web.games.terms import GameTerms
from tengen.web.transport.errors import Refused

MOST = 100
"""The most challenges in the lobby's list."""


@dataclass(frozen=True, slots=True)
class ChallengeOptions:
    """The options of an offered game.

    Attributes:
        terms: the terms of the game.
        colour: the maker's colour, ``"black"``, ``"white"`` or ``"random"``.
        rated: the rating pool of the game; None for an unrated game.
    """

    terms: GameTerms
    colour: ChosenColour
    rated: str | None = None

    def to_json(self) -> str:
        """Return the options as JSON text."""
        return json.dumps({**self.terms.to_dict(), "colour": self.colour, "rated": self.rated})

    @classmethod
    def from_json(cls, text: str) -> ChallengeOptions:
        """Return the options that `to_json` wrote."""
        data = json.loads(text)
        return cls(GameTerms.from_dict(data), data["colour"], data.get("rated"))


@dataclass(frozen=True, slots=True)
class Challenge:
    """A stored challenge.

    Attributes:
        id: the public id by which it is accepted.
        visitor: the maker's visitor id, which must not be shown to others.
        options: the options of the game.
        name: the maker's name; empty for none.
        created: the time of creation, in Unix seconds.
        seen: the time at which the maker was last connected, in Unix seconds.
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
    """Store a challenge in place of the maker's previous challenge.

    Args:
        connection: a connection to the database.
        challenge: the challenge.
        since: Unix seconds; challenges whose makers were last seen earlier have expired.

    Raises:
        Refused: the previous challenge has just been accepted.
    """
    forget(connection, since)  # here too, since the lobby's own clean-up needs a watcher
    values = {
        "visitor": challenge.visitor,
        "id": challenge.id,
        "options": challenge.options.to_json(),
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
    # Without the option SQLAlchemy does not report how many rows were inserted.
    if connection.execute(statement, execution_options={"preserve_rowcount": True}).rowcount == 0:
        raise Refused("error.web.challenge.accepted")


def withdraw(connection: Connection, visitor: str) -> bool:
    """Delete a visitor's challenge, accepted or not; return whether there was one."""
    return connection.execute(challenges.delete().where(challenges.c.visitor == visitor)).rowcount > 0


def touch(connection: Connection, makers: Collection[str], now: float, since: float) -> None:
    """Record that the makers of open challenges are connected; expired challenges stay expired."""
    still = challenges.c.visitor.in_(makers), challenges.c.game == "", challenges.c.seen >= since
    connection.execute(challenges.update().where(*still).values(seen=now))


def forget(connection: Connection, since: float) -> int:
    """Delete the challenges whose makers were last seen before a time; return their number."""
    return connection.execute(challenges.delete().where(challenges.c.seen < since)).rowcount


def listed(connection: Connection, since: float) -> list[Challenge]:
    """Return the open challenges, oldest first, with a limit of `MOST`."""
    chosen = challenges.c.game == "", challenges.c.seen >= since
    statement = _CHALLENGES.where(*chosen).order_by(challenges.c.created, challenges.c.id).limit(MOST)
    return [_challenge(row) for row in connection.execute(statement)]


def accepted(connection: Connection, makers: Collection[str]) -> dict[str, str]:
    """Return the ids of the games that the makers' accepted challenges have become, by maker."""
    chosen = challenges.c.visitor.in_(makers), challenges.c.game != ""
    rows = connection.execute(sql.select(challenges.c.visitor, challenges.c.game).where(*chosen))
    return {row.visitor: row.game for row in rows}


def load(connection: Connection, challenge: str, since: float) -> Challenge | None:
    """Return the open challenge with the given id; None if it does not exist or is no longer open."""
    if not is_id(challenge):
        return None
    chosen = challenges.c.id == challenge, challenges.c.game == "", challenges.c.seen >= since
    row = connection.execute(_CHALLENGES.where(*chosen)).one_or_none()
    return None if row is None else _challenge(row)


def accept(connection: Connection, challenge: str, visitor: str, saved: StoredGame, since: float) -> None:
    """Turn a challenge into a game and store the game; the accepter's own open challenge is deleted.

    Raises:
        Refused: the challenge has been accepted or withdrawn meanwhile; nothing is written.
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
    options = ChallengeOptions.from_json(row.options)
    return Challenge(row.id, row.visitor, options, row.name, row.created, row.seen, row.game)
