"""Visitors' ratings in a database: one per pool, changed once by each rated game.

A game is rated in the transaction that stores its end, so that neither a crash nor another process can
intervene, and is recorded as rated, so that it counts once however often its end is written.

A rating belongs to a cookie, and a player could use a second cookie to win against. Two rules make that
hardly worthwhile, without comparing addresses: an established rating is not changed by games against a
provisional one, which every new cookie has; and two visitors begin at most `MOST_A_DAY` rated games with
each other within a day. Visitors are informed where these rules could surprise them.

Call these functions through `Repository.read` and `write`, inside whose transactions and threads they run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.arena.glicko2 import MEAN, UNKNOWN, VOLATILITY, Glicko2, updated
from tengen.game.rules import Rules
from tengen.web.database.tables import insert, rated_games, rated_meetings, ratings
from tengen.web.games import game_rows
from tengen.web.games.stored_game import RatedResult, StoredGame

POOLS = ("freestyle", "standard", "renju", "caro")
"""The names of the rules with a rating pool."""

LEAST = 13
"""The smallest side of a board for rated games."""

PERIOD = 5 * 24 * 3600.0
"""A rating period in seconds: a deviation of 60 grows to 110 in about a year and a quarter."""

MOST_A_DAY = 3
"""The most rated games that two visitors may begin with each other within a day."""

DAY = 24 * 3600.0
"""A day in seconds."""


def pool_of(rules: Rules) -> str | None:
    """Return the rating pool for games with these rules; None if they are not rated."""
    return rules.name if rules.name in POOLS and min(rules.width, rules.height) >= LEAST else None


def of_visitors(connection: Connection, visitors: Collection[str]) -> dict[str, dict[str, Glicko2]]:
    """Return the ratings of visitors, by visitor and pool; missing ratings are omitted."""
    found: dict[str, dict[str, Glicko2]] = defaultdict(dict)
    for row in connection.execute(sql.select(ratings).where(ratings.c.visitor.in_(visitors))):
        found[row.visitor][row.pool] = _rating(row)
    return dict(found)


def save(connection: Connection, saved: StoredGame, expected: int) -> None:
    """Replace the stored version `expected` of a game, and rate the game if it has a result to be rated.

    Raises:
        Conflict: another version is stored, or none; nothing is written.
    """
    game_rows.save(connection, saved, expected)
    if saved.rated is not None:
        _rate(connection, saved.id, saved.rated, saved.updated)


def _rate(connection: Connection, game: str, result: RatedResult, now: float) -> None:
    """Update the ratings of both players, unless this game has been rated already.

    An established rating is not changed by a game against a provisional one.
    """
    statement = insert(connection, rated_games).values(game=game, rated=now).on_conflict_do_nothing()
    # Without the option SQLAlchemy does not report how many rows were inserted.
    inserted = connection.execute(statement, execution_options={"preserve_rowcount": True})
    if inserted.rowcount == 0:
        return
    # Lock rows in a fixed order, so that two processes that rate the same players do not deadlock.
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
    """Return the number of rated games that two visitors have begun with each other within the last day."""
    one, other = sorted(players)
    chosen = (
        rated_meetings.c.one == one,
        rated_meetings.c.other == other,
        rated_meetings.c.begun > now - DAY,
    )
    counted = sql.select(sql.func.count()).select_from(rated_meetings).where(*chosen)
    return int(connection.execute(counted).scalar_one())


def note_meeting(connection: Connection, players: Collection[str], now: float) -> None:
    """Record that two visitors begin a rated game; delete records older than a day."""
    connection.execute(rated_meetings.delete().where(rated_meetings.c.begun <= now - DAY))
    one, other = sorted(players)
    statement = insert(connection, rated_meetings).values(one=one, other=other, begun=now)
    connection.execute(statement.on_conflict_do_nothing())


def _rating(row: Any) -> Glicko2:
    return Glicko2(row.rating, row.deviation, row.volatility)
