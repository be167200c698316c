"""Writing a RenjuNet database, which `tengen.formats.renjunet` describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tengen.formats.common import WriteError
from tengen.formats.renjunet_tables import (
    ABBR,
    DATE,
    MONTHS,
    NAMES,
    PREFIX,
    RULE,
    SCORES,
    SIDES,
    SIZE,
    TABLES,
    rules_of,
)
from tengen.formats.text import for_xml
from tengen.game.points import BLACK, PASS, WHITE
from tengen.game.record import Record

_GAME = (
    "id", "publisher", "tournament", "round", "rule", "black", "white", "bresult", "btime", "wtime",
    "opening", "alt", "swap",
)  # fmt: skip
_LISTS = {
    "country": "countries",
    "city": "cities",
    "month": "months",
    "rule": "rules",
    "opening": "openings",
    "player": "players",
    "tournament": "tournaments",
}
_RULE_NAMES = {
    "renju": "Renju",
    "freestyle": "Gomoku, freestyle",
    "caro": "Gomoku, caro",
    "standard": "Gomoku",
}
_ESCAPES = str.maketrans({
    "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
})  # fmt: skip


class _NumberedRows:
    """Rows that are numbered on first use."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows: dict[tuple[str, ...], str] = {}

    def id(self, *row: str) -> str:
        """Return the number of a row; none for an empty one."""
        return self.rows.setdefault(row, str(len(self.rows) + 1)) if any(row) else ""


class DatabaseWriter:
    """A writer of games, and of the rows of tables that they refer to."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._tables = {name: _NumberedRows(name) for name in TABLES}
        for name in MONTHS:
            self._tables["month"].id(name)
        self._games = [
            line for number, record in enumerate(records, 1) for line in self._game(number, record)
        ]

    def write(self) -> bytes:
        """Return the whole file."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<database>"]
        for name, table in self._tables.items():
            lines.append(f"<{_LISTS[name]}>")
            for row, key in table.rows.items():
                lines.append(_tag(name, {"id": key, **dict(zip(TABLES[name], row, strict=True))}, "/"))
            lines.append(f"</{_LISTS[name]}>")
        lines += ["<games>", *self._games, "</games>", "</database>", ""]
        return "\n".join(lines).encode()

    def _game(self, number: int, record: Record) -> list[str]:
        moves = _moves(record)
        headers = record.headers
        rule = self._tables["rule"].id(_rule_name(record))
        known = {
            "id": str(number),
            "tournament": self._tournament(headers, rule),
            "round": headers.get("round", ""),
            "rule": rule,
            **{colour: self._player(headers, colour) for colour in SIDES},
            "bresult": SCORES.get(headers.get("result", ""), ""),
            "opening": self._tables["opening"].id(headers.get("opening", ""), headers.get(ABBR, "")),
        }
        attributes = {name: known.get(name, headers.get(f"{PREFIX}{name}", "")) for name in _GAME}
        info = _escaped(headers.get("comment", ""))
        return [
            _tag("game", attributes),
            f"<move>{moves}</move>" if moves else "<move/>",
            f"<info>{info}</info>" if info else "<info/>",
            "</game>",
        ]

    def _tournament(self, headers: Mapping[str, str], rule: str) -> str:
        city, _, country = headers.get("site", "").rpartition(", ")
        if not city:
            city, country = headers.get("site", ""), ""
        country_id, city_id = self._home(country, city)
        date = DATE.fullmatch(headers.get("date", ""))
        year, month, day = date.groups(default="") if date else ("", "", "")
        start = f"{year}-{month}-{day}" if day else headers.get(f"{PREFIX}start", "")
        end, rated = (headers.get(f"{PREFIX}{name}", "") for name in ("end", "rated"))
        row = (headers.get("event", ""), country_id, city_id, year, month.lstrip("0"), start, end, rated)
        return self._tables["tournament"].id(*row[:-1], rule, rated) if any(row) else ""

    def _player(self, headers: Mapping[str, str], colour: str) -> str:
        name, _, surname = headers.get(colour, "").strip().rpartition(" ")
        if not surname:
            return ""
        country, city = (headers.get(f"{PREFIX}{colour}-{home}", "") for home in ("country", "city"))
        return self._tables["player"].id(name, surname, *self._home(country, city))

    def _home(self, country: str, city: str) -> tuple[str, str]:
        country_id = self._tables["country"].id(country, "")
        return country_id, self._tables["city"].id(country_id, city) if city else ""


def _moves(record: Record) -> str:
    """Return the main line in the notation of the file."""
    setup = record.setup
    if (setup.width, setup.height) != (SIZE, SIZE):
        raise WriteError("error.renjunet.size", size=record.rules.size_text)
    if setup.turn != BLACK or setup.stones(BLACK) or setup.stones(WHITE):
        raise WriteError("error.renjunet.setup")
    names = []
    for number, node in enumerate(record.main_line(), 1):
        if node.point == PASS:
            raise WriteError("error.renjunet.pass", number=number)
        if node.point not in NAMES:
            raise WriteError("error.renjunet.move", number=number, text=str(node.point))
        names.append(NAMES[node.point])
    return " ".join(names)


def _rule_name(record: Record) -> str:
    """Return the record's own name of its rule, if it means the record's rules, else one that does."""
    name = record.rules.name
    if name not in _RULE_NAMES:
        raise WriteError("error.renjunet.rules", rules=name)
    given = record.headers.get(RULE, "")
    return given if given and rules_of(given).name == name else _RULE_NAMES[name]


def _tag(name: str, attributes: Mapping[str, str], end: str = "") -> str:
    text = "".join(f' {key}="{_escaped(value)}"' for key, value in attributes.items())
    return f"<{name}{text}{end}>"


def _escaped(text: str) -> str:
    return for_xml(text).translate(_ESCAPES)
