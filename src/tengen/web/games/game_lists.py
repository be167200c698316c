"""Visitors' lists of games: the queries that search them, and adding and removing games.

Call these functions through `Repository.read` and `write`, inside whose transactions and threads they run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Literal, TypeAlias

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tengen.game.session_state import HUMAN
from tengen.schemas.points import COLOURS, ColourName
from tengen.web.database.tables import games, insert, is_id, visits
from tengen.web.games.game_rows import SUMMARY, summary_of
from tengen.web.games.stored_game import GameSummary
from tengen.words import LANGUAGES, catalogue

Status: TypeAlias = Literal["all", "running", "over"]

_LONGEST_QUERY = 100
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class ListedGame:
    """An entry of a visitor's list of games.

    Attributes:
        id: the game's id.
        summary: the columns to display.
        created: the time of creation, in Unix seconds.
        updated: the time of the last change, in Unix seconds.
        participant: the visitor's participant, 1 or 2; None for a spectator.
    """

    id: str
    summary: GameSummary
    created: float
    updated: float
    participant: int | None

    @property
    def colour(self) -> ColourName | None:
        """The visitor's colour; None for a spectator, for both colours, and if unknown."""
        summary = self.summary
        if self.participant is None:
            return None
        people = [name for name in COLOURS.values() if getattr(summary, name) == HUMAN]
        if summary.black_participant:
            own: ColourName = "black" if self.participant == summary.black_participant else "white"
            return own if own in people else None
        return people[0] if len(people) == 1 else None


def join(connection: Connection, game: str, visitor: str, participant: int | None) -> None:
    """Add a game to a visitor's list; a spectator who takes a seat becomes a player."""
    values = {"visitor": visitor, "game": game, "participant": participant}
    statement = insert(connection, visits).values(values)
    if participant is None:
        connection.execute(statement.on_conflict_do_nothing())
    else:
        keys = [visits.c.visitor, visits.c.game]
        changes = {"participant": participant}
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changes))


def forget(connection: Connection, game: str, visitor: str) -> None:
    """Remove a game from a visitor's list."""
    if is_id(game):
        connection.execute(visits.delete().where(visits.c.game == game, visits.c.visitor == visitor))


def games_of(
    connection: Connection,
    visitor: str,
    query: str = "",
    status: Status = "all",
    offset: int = 0,
    limit: int = 30,
) -> tuple[list[ListedGame], int]:
    """Return a page of a visitor's games, most recently changed first, and the total number of matches.

    Args:
        connection: a connection to the database.
        visitor: the visitor's id.
        query: words, all of which must occur in the names of the rules, the opening or the players (in
            either language), or in the result.
        status: restricts the games to running or finished ones.
        offset: the number of games to skip.
        limit: the most games to return.
    """
    words = [_search_texts(word) for word in query[:_LONGEST_QUERY].lower().split()]
    offset, limit = min(max(offset, 0), _MOST), min(max(limit, 0), _MOST)
    chosen = [visits.c.visitor == visitor]
    if status != "all":
        chosen.append(games.c.result == "" if status == "running" else games.c.result != "")
    chosen += [sql.or_(*(_SEARCHED.contains(text, autoescape=True) for text in texts)) for texts in words]
    joined = games.join(visits, visits.c.game == games.c.id)
    total = connection.execute(sql.select(sql.func.count()).select_from(joined).where(*chosen)).scalar_one()
    columns = [games.c[name] for name in ("id", *SUMMARY, "created", "updated")]
    rows = connection.execute(
        sql.select(*columns, visits.c.participant)
        .select_from(joined)
        .where(*chosen)
        .order_by(games.c.updated.desc(), games.c.id)
        .offset(offset)
        .limit(limit)
    )
    return [
        ListedGame(row.id, summary_of(row), row.created, row.updated, row.participant) for row in rows
    ], total


def _concatenated(*texts: sql.ColumnElement[str]) -> sql.ColumnElement[str]:
    return reduce(lambda left, right: left + " " + right, texts)


_TEXTS = (name for name in SUMMARY if name not in ("plies", "black_participant"))
_SEARCHED = sql.func.lower(_concatenated(*(games.c[name] for name in _TEXTS)))


def _search_texts(word: str) -> list[str]:
    """Return the texts that a word of a query may match: the word and the names that it translates."""
    # PostgreSQL accepts no NUL, and neither database accepts half a surrogate pair.
    clean = "".join(character if character.isprintable() else "\ufffd" for character in word)
    names = [name for text, name in _names() if clean in text]
    return list(dict.fromkeys((clean, *names)))


@lru_cache(maxsize=1)
def _names() -> tuple[tuple[str, str], ...]:
    """Return pairs of a catalogue text in lower case and the name that it translates."""
    found = []
    for lang in LANGUAGES:
        for key, text in catalogue(lang).items():
            prefix, _, name = key.partition(".")
            if prefix in {"rules", "level"} and "." not in name:
                found.append((text.lower(), f"level:{name}" if prefix == "level" else name))
    return tuple(found)
