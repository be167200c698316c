"""The tables of a RenjuNet database, the headers of a game that refers to them, and its points."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from tengen.game.notation import point_name
from tengen.game.rules import Rules

Row: TypeAlias = Mapping[str, str]
"""The attributes of an element."""

TABLES = {
    "country": ("name", "abbr"),
    "city": ("country", "name"),
    "month": ("name",),
    "rule": ("name",),
    "opening": ("name", "abbr"),
    "player": ("name", "surname", "country", "city"),
    "tournament": ("name", "country", "city", "year", "month", "start", "end", "rule", "rated"),
}
"""The elements that are rows of tables, and the attributes used besides their ``id``."""

SIZE = 15
POINTS = {point_name(point, SIZE): point for point in range(SIZE * SIZE)}
NAMES = {point: name for name, point in POINTS.items()}
"""The names of the points of the board; the inverse of `POINTS`."""

SIDES = ("black", "white")
SCORES = {"black": "1", "draw": "0.5", "white": "0"}
"""Black's points, by result."""

PREFIX = "renjunet:"
RULE = f"{PREFIX}rule"
ABBR = f"{PREFIX}abbr"

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DATE = re.compile(r"([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12][0-9]|3[01]))?)?")

_DAY = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_MONTH = re.compile(r"0?[1-9]|1[0-2]")
_RESULTS = {
    **dict.fromkeys(("1", "1.0"), "black"),
    **dict.fromkeys(("0.5", "0,5", ".5"), "draw"),
    **dict.fromkeys(("0", "0.0"), "white"),
}
_REFERENCES = ("tournament", "rule", "black", "white", "opening")
_NO_ID = ("", "0")
_LONGEST = 200  # characters of a name: one row may serve all games, each with a copy of its own


@lru_cache(maxsize=100)
def rules_of(name: str) -> Rules:
    """Return the rules of this name in a database."""
    plain = name.casefold()
    known = next((rules for rules in ("freestyle", "caro") if rules in plain), None)
    return Rules.named(known or ("standard" if "gomoku" in plain else "renju"))


class Tables:
    """The rows of all tables by their ids; `late` once one comes after a game."""

    def __init__(self) -> None:
        self.late = False
        self.count = 0
        self._rows: dict[str, dict[str, Row]] = {table: {} for table in TABLES}

    def add(self, table: str, attributes: Row) -> None:
        """Add a row."""
        given = ((name, attributes.get(name, "").strip()[:_LONGEST]) for name in TABLES[table])
        row = {name: value for name, value in given if value}
        self._rows[table][attributes.get("id", "").strip()] = row
        self.count += 1

    def row(self, table: str, key: str) -> Row:
        """Return a row; empty if there is none."""
        return self._rows[table].get(key, {}) if key not in _NO_ID else {}

    def names(self, key: str) -> tuple[str, str]:
        """Return the given name and surname of a player."""
        row = self.row("player", key)
        return row.get("name", ""), row.get("surname", "")

    def headers(self, attributes: Row, info: str) -> dict[str, str]:
        """Return the headers of a game, references resolved.

        Args:
            attributes: the attributes of its element.
            info: its comment.
        """
        given = {name: value.strip() for name, value in attributes.items()}
        tournament = self.row("tournament", given.get("tournament", ""))
        rule = self.row("rule", given.get("rule", "")) or self.row("rule", tournament.get("rule", ""))
        opening = self.row("opening", given.get("opening", ""))
        headers = {
            "event": tournament.get("name", ""),
            "site": self._place(tournament),
            **self._dates(tournament),
            "round": given.pop("round", ""),
            "result": _RESULTS.get(given.get("bresult", ""), ""),
            "opening": opening.get("name", ""),
            "comment": info.strip(),
            RULE: rule.get("name", ""),
            ABBR: opening.get("abbr", ""),
            f"{PREFIX}rated": tournament.get("rated", ""),
            f"{PREFIX}end": tournament.get("end", ""),
        }
        for colour in SIDES:
            key = given.get(colour, "")
            headers[colour] = " ".join(filter(None, self.names(key)))
            for home in ("country", "city"):
                row = self.row(home, self.row("player", key).get(home, ""))
                headers[f"{PREFIX}{colour}-{home}"] = row.get("name", "")
        for name in _REFERENCES:
            table = "player" if name in SIDES else name
            key = given.pop(name, "")
            if key not in _NO_ID and key not in self._rows[table]:
                given[name] = key
        if headers["result"]:
            del given["bresult"]
        headers.update({f"{PREFIX}{name}": value for name, value in given.items()})
        return {name: value for name, value in headers.items() if value}

    def _place(self, tournament: Row) -> str:
        city = self.row("city", tournament.get("city", ""))
        country = self.row("country", tournament.get("country", "") or city.get("country", ""))
        return ", ".join(filter(None, (city.get("name"), country.get("name"))))

    def _dates(self, tournament: Row) -> dict[str, str]:
        year, start = tournament.get("year", ""), tournament.get("start", "")
        if _DAY.fullmatch(start):
            return {"date": start}
        known = {f"{PREFIX}start": start}
        month = self._month(tournament.get("month", ""))
        date = f"{year}-{month:02}" if month else year
        return {"date": date, **known} if DATE.fullmatch(date) else known

    def _month(self, key: str) -> int:
        """Return the number of a month; 0 if it is unknown."""
        name = self.row("month", key).get("name", "").capitalize()
        if name in MONTHS:
            return MONTHS.index(name) + 1
        return int(key) if _MONTH.fullmatch(key) else 0
