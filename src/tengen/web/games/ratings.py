"""Ratings of visitors in a database: one for each pool of games, changed once by each rated game.

A game is rated in the transaction that keeps its end, so that neither a crash nor another process comes
between, and remembered as rated, so that it counts once however often its end is written.

A rating goes with a cookie, and anybody can have a second one to win against. Two rules make that hardly
worth the while, without looking at addresses: a rating that is established is not changed by games against
one that is provisional, as that of every new cookie is; and two visitors begin at most `MOST_A_DAY` rated
games within a day. They are told where they would be surprised.

`tengen.web.games.repository` is the way in; the functions here run inside its transactions, in its threads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.arena.glicko2 import MEAN, UNKNOWN, VOLATILITY, Glicko2, updated
from tengen.game.rules import Rules
from tengen.web.games import tables
from tengen.web.games.tables import (
    RatedResult,
    StoredGame,
    insert,
    rated_games,
    rated_meetings,
    ratings,
)
from tengen.web.server.board_json import Json

POOLS = ("freestyle", "standard", "renju", "caro")
"""The rules that have ratings, each their own."""

LEAST = 13
"""The smallest side of a board on which games are rated."""

PERIOD = 5 * 24 * 3600.0
"""Seconds of a rating period: a deviation of 60 grows to 110 in about a year and a quarter."""

MOST_A_DAY = 3
"""Rated games that the same two visitors begin within a day."""

DAY = 24 * 3600.0
"""In seconds."""


def pool_of(rules: Rules) -> str | None:
    """The pool that games by these rules are rated in; None where they are not."""
    return rules.name if rules.name in POOLS and min(rules.width, rules.height) >= LEAST else None


def rating_json(rating: Glicko2) -> Json:
    """A rating as it is shown."""
    return {
        "rating": round(rating.rating),
        "deviation": round(rating.deviation),
        "provisional": rating.provisional,
    }


def of_visitors(connection: Connection, visitors: Collection[str]) -> dict[str, dict[str, Glicko2]]:
    """The ratings of visitors by pool; who has none in a pool is left out there."""
    found: dict[str, dict[str, Glicko2]] = defaultdict(dict)
    for row in connection.execute(sql.select(ratings).where(ratings.c.visitor.in_(visitors))):
        found[row.visitor][row.pool] = _rating(row)
    return dict(found)


def save(connection: Connection, saved: StoredGame, expected: int) -> None:
    """Write a game over its former version, and rate it if it is over.

    Raises:
        Conflict: it is not that version that is there; nothing is written.
    """
    tables.save(connection, saved, expected)
    if saved.rated is not None:
        _rate(connection, saved.id, saved.rated, saved.updated)


def _rate(connection: Connection, game: str, result: RatedResult, now: float) -> None:
    """Change the ratings of both players, unless this game has changed them already.

    One that is established stays as it is where the other one is provisional.
    """
    statement = insert(connection, rated_games).values(game=game, rated=now).on_conflict_do_nothing()
    # Without the option SQLAlchemy does not say how many rows an insertion made.
    done = connection.execute(statement, execution_options={"preserve_rowcount": True})
    if done.rowcount == 0:
        return
    # Always in the same order: two processes that rate the same two players wait, and not for each other.
    players = sorted((result.black, result.white))
    for visitor in players:
        new = {"rating": MEAN, "deviation": UNKNOWN, "volatility": VOLATILITY, "games": 0, "updated": now}
        statement = insert(connection, ratings).values(visitor=visitor, pool=result.pool, **new)
        connection.execute(statement.on_conflict_do_nothing())
    chosen = ratings.c.visitor.in_(players), ratings.c.pool == result.pool
    locked = sql.select(ratings).where(*chosen).order_by(ratings.c.visitor).with_for_update()
    rows = {row.visitor: row for row in connection.execute(locked)}
    scores = {result.black: result.score, result.white: 1 - result.score}
    for visitor, other in (players, reversed(players)):
        row, periods = rows[visitor], max(0.0, now - rows[visitor].updated) / PERIOD
        before, opponent = _rating(row), _rating(rows[other])
        if opponent.provisional and not before.provisional:
            continue
        after = updated(before, [(opponent, scores[visitor])], periods)
        connection.execute(
            ratings.update()
            .where(ratings.c.visitor == visitor, ratings.c.pool == result.pool)
            .values(
                rating=after.rating,
                deviation=after.deviation,
                volatility=after.volatility,
                games=row.games + 1,
                updated=now,
            )
        )


def meetings(connection: Connection, players: Collection[str], now: float) -> int:
    """How many rated games two visitors have begun with each other within the last day."""
    one, other = sorted(players)
    chosen = (
        rated_meetings.c.one == one,
        rated_meetings.c.other == other,
        rated_meetings.c.begun > now - DAY,
    )
    counted = sql.select(sql.func.count()).select_from(rated_meetings).where(*chosen)
    return int(connection.execute(counted).scalar_one())


def note_meeting(connection: Connection, players: Collection[str], now: float) -> None:
    """Note that two visitors begin a rated game; what is older than a day is forgotten."""
    connection.execute(rated_meetings.delete().where(rated_meetings.c.begun <= now - DAY))
    one, other = sorted(players)
    statement = insert(connection, rated_meetings).values(one=one, other=other, begun=now)
    connection.execute(statement.on_conflict_do_nothing())


def _rating(row: Any) -> Glicko2:
    return Glicko2(row.rating, row.deviation, row.volatility)
