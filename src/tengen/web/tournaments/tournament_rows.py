"""Tournaments in a database: a row per tournament with a versioned document, and a row per listed visitor.

Tournaments are changed like games: read, changed, and written as the next version; on a conflict the change
is repeated. The games of a round are stored in the same transaction as the round.

Call these functions through `Repository.read` and `write`, in whose threads they run.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.game.opening_rules import FIRST, SECOND
from tengen.web.database import tables
from tengen.web.database.tables import (
    Conflict,
    games,
    insert,
    tournament_visitors,
    tournaments,
)
from tengen.web.games import game_lists, game_rows, storage
from tengen.web.games.stored_game import StoredGame, Storer
from tengen.web.tournaments.online_tournament import OnlineTournament

MOST = 50
"""The most tournaments in a visitor's list."""

EVERYBODY = "*"
"""The pseudo-visitor whose list has the publicly listed tournaments; no visitor has this id."""


def load(connection: Connection, tournament: str) -> OnlineTournament | None:
    """Return the tournament with the given id; None if it does not exist."""
    if not tables.is_id(tournament):
        return None
    chosen = sql.select(tournaments.c.document).where(tournaments.c.id == tournament)
    found = connection.execute(chosen).scalar_one_or_none()
    return None if found is None else OnlineTournament.from_json(found)


def create(connection: Connection, made: OnlineTournament, storer: Storer | None) -> None:
    """Store a new tournament and add it to its creator's list.

    Args:
        connection: a connection to the database.
        made: the tournament.
        storer: the account to charge; None for no charge.

    Raises:
        Refused: the account has reached its storage limit.
    """
    if storer is not None:
        storage.charge(connection, storer, made.created)
    values = {**_columns(made, made.created), "created": made.created}
    connection.execute(insert(connection, tournaments).values(values).on_conflict_do_nothing())
    _list(connection, made)


def save(
    connection: Connection, changed: OnlineTournament, now: float, begun: Sequence[StoredGame]
) -> None:
    """Replace a tournament's stored previous version, and store the games that begin with the change.

    The games are added to their players' lists.

    Raises:
        Conflict: another version is stored, or none; nothing is written.
    """
    chosen = tournaments.c.id == changed.id, tournaments.c.version == changed.version - 1
    done = connection.execute(tournaments.update().where(*chosen).values(_columns(changed, now)))
    if done.rowcount == 0:
        # The change is stored already if the reply to an earlier commit was lost.
        if load(connection, changed.id) == changed:
            return
        raise Conflict("error.web.version")
    _list(connection, changed)
    for game in begun:
        game_rows.create(connection, game)
    new = {game.id for game in begun}
    for meeting in changed.going_on():
        for who, number in ((FIRST, meeting.first), (SECOND, meeting.second)):
            visitor = changed.entrant(number).visitor
            if meeting.game in new and visitor is not None:
                game_lists.join(connection, meeting.game, visitor, who)


def running(connection: Connection) -> list[str]:
    """Return the ids of the running tournaments."""
    chosen = sql.select(tournaments.c.id).where(tournaments.c.status == "running")
    return list(connection.execute(chosen.order_by(tournaments.c.id)).scalars())


def of_visitor(connection: Connection, visitor: str) -> list[OnlineTournament]:
    """Return up to `MOST` tournaments that a visitor has created or entered, newest first."""
    chosen = (
        sql.select(tournaments.c.document)
        .join(tournament_visitors, tournament_visitors.c.tournament == tournaments.c.id)
        .where(tournament_visitors.c.visitor == visitor)
        .order_by(tournaments.c.created.desc(), tournaments.c.id)
        .limit(MOST)
    )
    return [OnlineTournament.from_json(text) for text in connection.execute(chosen).scalars()]


def ids_of_visitor(connection: Connection, visitor: str) -> list[str]:
    """Return the ids of all tournaments that a visitor has created or entered."""
    own = tournament_visitors.c.visitor == visitor
    chosen = sql.select(tournament_visitors.c.tournament).where(own)
    return list(connection.scalars(chosen.order_by(tournament_visitors.c.tournament)))


def still_played(connection: Connection, ids: Collection[str]) -> set[str]:
    """Return the ids of those games that are still running."""
    chosen = sql.select(games.c.id).where(games.c.id.in_(ids), games.c.result == "")
    return set(connection.execute(chosen).scalars())


def delete_unused(connection: Connection, since: float) -> None:
    """Delete tournaments that have not changed since a time, in Unix seconds."""
    connection.execute(tournaments.delete().where(tournaments.c.updated < since))


def _columns(tournament: OnlineTournament, now: float) -> dict[str, object]:
    return {
        "id": tournament.id,
        "version": tournament.version,
        "status": tournament.status,
        "document": tournament.to_json(),
        "updated": now,
    }


def _list(connection: Connection, tournament: OnlineTournament) -> None:
    """Update the lists that a tournament is on: its creator's, its entrants', and the public list."""
    known = {tournament.creator, *(entrant.visitor for entrant in tournament.entrants)}
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
