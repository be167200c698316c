"""Visitors by the hash of their cookie's secret, and the games that name them in a table of their own.

What was kept under a cookie is kept under its hash from here on, in rows and in documents. Whose cookies
the database has known is written down, so that those browsers can be recognised; see
`tengen.web.transport.visitor_cookies`.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_YEAR = 365 * 24 * 3600.0
"""Seconds that a cookie lasts."""

_ROWS = 500
"""Documents that are in memory at a time."""

_TABLES = ("visits", "visitors", "ratings", "challenges", "tournament_visitors")
"""Those with a column ``visitor``."""

_Known = set[str]


def upgrade() -> None:
    """Make the tables, and put hashes in the place of cookies."""
    op.create_table(
        "game_visitors",
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    )
    op.create_table(
        "former_visitors",
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column("until", sa.Double, nullable=False),
    )
    op.create_table(
        "address_storage",
        sa.Column("address", sa.String(64), primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("things", sa.Integer, nullable=False),
    )
    op.create_index("address_storage_by_day", "address_storage", ["day"])
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    known: _Known = set()
    _hash_rows(known)
    _hash_meetings(known)
    _hash_rooms(known)
    _hash_tournaments(known)
    former = sa.table("former_visitors", sa.column("visitor"), sa.column("until"))
    until = time.time() + _YEAR
    _insert(former, [{"visitor": _hashed(cookie), "until": until} for cookie in sorted(known)])
    op.create_index("game_visitors_by_game", "game_visitors", ["game"])
    op.create_index("rated_meetings_by_other", "rated_meetings", ["other"])
    op.create_index("rated_meetings_by_time", "rated_meetings", ["begun"])
    op.create_index("tournaments_by_status", "tournaments", ["status"])
    op.create_index("tournament_visitors_by_tournament", "tournament_visitors", ["tournament"])


def downgrade() -> None:
    """Drop the tables. Hashes stay: nothing leads back from them, and every browser is a stranger."""
    op.drop_index("tournament_visitors_by_tournament", "tournament_visitors")
    op.drop_index("tournaments_by_status", "tournaments")
    op.drop_index("rated_meetings_by_time", "rated_meetings")
    op.drop_index("rated_meetings_by_other", "rated_meetings")
    op.drop_table("server_keys")
    op.drop_table("address_storage")
    op.drop_table("former_visitors")
    op.drop_table("game_visitors")


def _hash_rows(known: _Known) -> None:
    """Those of the tables with a column ``visitor``."""
    connection = op.get_bind()
    for name in _TABLES:
        table = sa.table(name, sa.column("visitor"))
        cookies = list(connection.scalars(sa.select(table.c.visitor).distinct()))
        known.update(cookies)
        changed = (
            table.update().where(table.c.visitor == sa.bindparam("old")).values(visitor=sa.bindparam("new"))
        )
        _run(changed, [{"old": cookie, "new": _hashed(cookie)} for cookie in cookies])


def _hash_meetings(known: _Known) -> None:
    """Those of the table of two visitors, the smaller id first."""
    table = sa.table("rated_meetings", sa.column("one"), sa.column("other"), sa.column("begun"))
    rows = op.get_bind().execute(sa.select(table)).all()
    op.get_bind().execute(table.delete())
    known.update(cookie for row in rows for cookie in (row.one, row.other))
    pairs = [(*sorted((_hashed(row.one), _hashed(row.other))), row.begun) for row in rows]
    _insert(table, [{"one": one, "other": other, "begun": begun} for one, other, begun in pairs])


def _hash_rooms(known: _Known) -> None:
    """Those in the rooms of games, which are noted in the table of visitors by game."""
    named = sa.table("game_visitors", sa.column("visitor"), sa.column("game"))
    for rows in _documents("games", "room", _changed_room, known):
        _insert(
            named, [{"visitor": visitor, "game": game} for game, found in rows for visitor in sorted(found)]
        )


def _hash_tournaments(known: _Known) -> None:
    for _ in _documents("tournaments", "document", _changed_tournament, known):
        pass


def _documents(
    name: str, column: str, change: Callable[[dict[str, Any], _Known], None], known: _Known
) -> Iterator[list[tuple[str, set[str]]]]:
    """Change the documents of a table; yields, some at a time, their ids and the hashes now in them."""
    table = sa.table(name, sa.column("id"), sa.column(column))
    changed = table.update().where(table.c.id == sa.bindparam("old")).values({column: sa.bindparam("new")})
    after = ""
    while True:
        chosen = sa.select(table.c.id, table.c[column]).where(table.c.id > after)
        rows = op.get_bind().execute(chosen.order_by(table.c.id).limit(_ROWS)).all()
        if not rows:
            return
        after = rows[-1][0]
        values, found = [], []
        for id_, text in rows:
            cookies: set[str] = set()
            document = json.loads(text)
            change(document, cookies)
            if cookies:
                values.append({"old": id_, "new": json.dumps(document, separators=(",", ":"))})
                known |= cookies
            found.append((id_, {_hashed(cookie) for cookie in cookies}))
        _run(changed, values)
        yield found


def _changed_room(room: dict[str, Any], cookies: set[str]) -> None:
    if room.get("creator") is not None:
        room["creator"] = _noted(room["creator"], cookies)
    if "owners" in room:
        room["owners"] = [owner and _noted(owner, cookies) for owner in room["owners"]]


def _changed_tournament(tournament: dict[str, Any], cookies: set[str]) -> None:
    if tournament.get("creator") is not None:
        tournament["creator"] = _noted(tournament["creator"], cookies)
    for entrant in tournament.get("entrants", ()):
        if entrant.get("visitor") is not None:
            entrant["visitor"] = _noted(entrant["visitor"], cookies)


def _noted(cookie: str, cookies: set[str]) -> str:
    cookies.add(cookie)
    return _hashed(cookie)


def _hashed(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()[:32]


def _insert(table: sa.TableClause, values: list[dict[str, Any]]) -> None:
    _run(table.insert(), values)


def _run(statement: sa.Executable, values: list[dict[str, Any]]) -> None:
    if values:
        op.get_bind().execute(statement, values)
