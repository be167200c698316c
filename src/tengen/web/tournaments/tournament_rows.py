"""Tournaments in a database: one row each, a document with a version, and a row for each one's visitors.

Changes are made as those of games are: read, change, write as the next version; whoever comes second begins
anew. The games of a round are kept in the same transaction as the round.

`GameRepository.read` and `write` are the way in; the functions here run in its threads.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.game.opening_rules import FIRST, SECOND
from tengen.web.games import storage, tables
from tengen.web.games.tables import (
    Conflict,
    StoredGame,
    Storer,
    games,
    insert,
    tournament_visitors,
    tournaments,
)
from tengen.web.tournaments.online_tournament import OnlineTournament

MOST = 50
"""The most tournaments that a visitor's list has."""

EVERYBODY = "*"
"""Whose list those are on that everybody is shown: no visitor is called so."""


def load(connection: Connection, tournament: str) -> OnlineTournament | None:
    """The tournament of that id."""
    chosen = sql.select(tournaments.c.document).where(tournaments.c.id == tournament)
    found = connection.execute(chosen).scalar_one_or_none()
    return None if found is None else OnlineTournament.from_json(found)


def create(connection: Connection, made: OnlineTournament, storer: Storer | None) -> None:
    """Keep a new tournament, on its maker's list.

    Raises:
        Refused: as much as may be is kept on the storer's account; None is nobody's.
    """
    if storer is not None:
        storage.charge(connection, storer, made.created)
    values = {**_columns(made, made.created), "created": made.created}
    connection.execute(insert(connection, tournaments).values(values).on_conflict_do_nothing())
    _list(connection, made)


def save(
    connection: Connection, changed: OnlineTournament, now: float, begun: Sequence[StoredGame]
) -> None:
    """Write a tournament over the version before its own, and keep the games that have begun with it.

    The games are put on the lists of those who play them.

    Raises:
        Conflict: another version is there, or none; nothing is written.
    """
    chosen = tournaments.c.id == changed.id, tournaments.c.version == changed.version - 1
    done = connection.execute(tournaments.update().where(*chosen).values(_columns(changed, now)))
    if done.rowcount == 0:
        # Exactly this is there if it was written, and the connection broke before we heard.
        if load(connection, changed.id) == changed:
            return
        raise Conflict("error.web.version")
    _list(connection, changed)
    for game in begun:
        tables.create(connection, game)
    new = {game.id for game in begun}
    for meeting in changed.going_on():
        for who, number in ((FIRST, meeting.first), (SECOND, meeting.second)):
            visitor = changed.entrant(number).visitor
            if meeting.game in new and visitor is not None:
                tables.join(connection, meeting.game, visitor, who)


def running(connection: Connection) -> list[str]:
    """The tournaments that are being played."""
    chosen = sql.select(tournaments.c.id).where(tournaments.c.status == "running")
    return list(connection.execute(chosen.order_by(tournaments.c.id)).scalars())


def of_visitor(connection: Connection, visitor: str) -> list[OnlineTournament]:
    """Those that a visitor has made or entered, the newest first."""
    chosen = (
        sql.select(tournaments.c.document)
        .join(tournament_visitors, tournament_visitors.c.tournament == tournaments.c.id)
        .where(tournament_visitors.c.visitor == visitor)
        .order_by(tournaments.c.created.desc(), tournaments.c.id)
        .limit(MOST)
    )
    return [OnlineTournament.from_json(text) for text in connection.execute(chosen).scalars()]


def ids_of_visitor(connection: Connection, visitor: str) -> list[str]:
    """All that a visitor has made or entered."""
    own = tournament_visitors.c.visitor == visitor
    chosen = sql.select(tournament_visitors.c.tournament).where(own)
    return list(connection.scalars(chosen.order_by(tournament_visitors.c.tournament)))


def still_played(connection: Connection, ids: Collection[str]) -> set[str]:
    """Of these games those that go on."""
    chosen = sql.select(games.c.id).where(games.c.id.in_(ids), games.c.result == "")
    return set(connection.execute(chosen).scalars())


def _columns(tournament: OnlineTournament, now: float) -> dict[str, object]:
    return {
        "id": tournament.id,
        "version": tournament.version,
        "status": tournament.status,
        "document": tournament.to_json(),
        "updated": now,
    }


def _list(connection: Connection, tournament: OnlineTournament) -> None:
    """Put a tournament on the lists of its maker, of those who take part, and perhaps on everybody's."""
    known = {tournament.creator, *(one.visitor for one in tournament.entrants)}
    if tournament.options.listed:
        known.add(EVERYBODY)
    visitors = sorted(visitor for visitor in known if visitor is not None)
    own = tournament_visitors.c.tournament == tournament.id
    connection.execute(
        tournament_visitors.delete().where(own, tournament_visitors.c.visitor.not_in(visitors))
    )
    values = [{"visitor": visitor, "tournament": tournament.id} for visitor in visitors]
    if values:
        connection.execute(insert(connection, tournament_visitors).values(values).on_conflict_do_nothing())
