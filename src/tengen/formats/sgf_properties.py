"""The meaning of SGF's properties for a record: texts, points, marks, headers, rules, evaluations.

A property's value stays raw, escapes included, until it is known to be text. Content without a standard
property is written in properties of our own: ``TGR`` the rules, if ``RU`` and ``SZ`` do not state them
all; ``TGH`` a header, as ``key:value``; ``TGS`` a score, as ``value`` or ``value:mate``, for the side that
moved; ``TGT`` the seconds used for a move.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from tengen.formats.common import MAX_TEXT, FormatError
from tengen.formats.rules_text import format_rules, parse_rules, preset_of
from tengen.formats.text import well_formed
from tengen.game import notation
from tengen.game.notation import shorten
from tengen.game.player import Score
from tengen.game.points import BLACK, PASS, Colour, Point
from tengen.game.record import Mark, MarkKind
from tengen.game.rule_numbers import rules_of as rules_of_number
from tengen.game.rules import Rules

Properties: TypeAlias = dict[str, list[tuple[str, int]]]
"""The properties of a node: for each the raw values, with their places in the text."""

GAMES = ("1", "4", "5")
"""Values of GM accepted as five in a row: Gomoku+Renju, and Go and another that some programs write."""

MARKS: dict[str, MarkKind] = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross", "M": "cross"}
MARK_NAMES: dict[MarkKind, str] = {kind: name for name, kind in reversed(MARKS.items())}

MARK_PROPERTIES = frozenset((*MARKS, "LB", "L"))

HEADERS = {
    "EV": "event",
    "PC": "site",
    "DT": "date",
    "RO": "round",
    "PB": "black",
    "PW": "white",
    "ON": "opening",
    "TM": "time",
    "AN": "annotator",
    "SO": "source",
    "GN": "name",
    "GC": "comment",
}
"""Properties of the whole game, and the record's headers for them."""

_MANY_LINES = ("GC",)
_WRITTEN_ANEW = frozenset(
    (
        *("FF", "GM", "CA", "SZ", "AP", "ST", "RU", "RE", "KM", "HA"),
        *("AB", "AW", "AE", "PL", "B", "W", "KO", "MN", "BL", "WL", "OB", "OW"),
        *("C", "N", "V", "TGR", "TGH", "TGS", "TGT"),
    )
)
_FOREIGN = "sgf:"
_FOREIGN_NAME = re.compile(r"[A-Z0-9]{1,8}")

_ESCAPE = re.compile(r"\\(\r\n|\n\r|\n|\r|.)", re.DOTALL)
_COMPOSED = re.compile(r"([^\\:]*+(?:\\.[^\\:]*+)*+):(.*)", re.DOTALL)
_BREAK = re.compile(r"\r\n|\n\r|\r")
_REAL = re.compile(r"\s*([-+]?[0-9]{1,15}(?:\.[0-9]{0,20})?(?:[eE][-+]?[0-9]{1,3})?)\s*")
_SCORE = re.compile(r"(-?[0-9]{1,9})(?::(-?[0-9]{1,9}))?")
_SIZE = re.compile(r"\s*([0-9]{1,4})(?:\s*[:xX×]\s*([0-9]{1,4}))?\s*")
_NUMBER = re.compile(r"[0-9]{1,3}")
_NAMED = re.compile(r"[A-Za-z][0-9]{1,2}")
_LARGEST_VALUE = 30_000

# In this order: "no forbidden moves" must not be read as "forbidden moves".
_RULE_NAMES = (
    ("freestyle", re.compile(r"free|无禁|無禁|no (?:forbidden|restriction)|gomoku$")),
    ("caro", re.compile(r"caro")),
    ("standard", re.compile(r"standard|exact|恰好")),
    (
        "renju",
        re.compile(r"renju|\brif\b|连珠|連珠|禁手|forbidden|yamagu|tarag|soos[yoõ]rv|sakata|tarann|joosep"),
    ),
    ("tictactoe", re.compile(r"tic.?tac.?toe|井字")),
)
_FIVE = re.compile(r"go-?moku|renju|gobang|caro|omok|five.in.a.row|五子|连珠|連珠|五目", re.IGNORECASE)
_USUAL_SIDES = range(13, 21)
"""Sides of boards for five in a row and hardly any other game but go."""

_EXPORTER_OF_RENJU = ("5A", "SW")
_IN_A_NAME = re.compile(r"\brif\b|\brenju\b", re.IGNORECASE)

_RESULT = re.compile(r"([BW])\s*\+\s*(.*)", re.IGNORECASE)
_RESULT_WORDS = {
    "0": "draw",
    "draw": "draw",
    "jigo": "draw",
    "=": "draw",
    "1/2-1/2": "draw",
    "½-½": "draw",
    "0.5-0.5": "draw",
    "和": "draw",
    "和棋": "draw",
    "平局": "draw",
    "1-0": "black",
    "0-1": "white",
    "black": "black",
    "white": "white",
    "黑胜": "black",
    "黑勝": "black",
    "白胜": "white",
    "白勝": "white",
}
_REASONS = {"r": "resigned", "resign": "resigned", "t": "time", "time": "time"}
_REASON_LETTERS = {"resigned": "R", "time": "T"}
_LETTERS = {"black": "B", "white": "W"}


# Texts


def text_of(raw: str) -> str:
    """Decode a value as text of any number of lines: resolve escapes and soft line breaks."""
    if len(raw) > MAX_TEXT:
        raise FormatError("error.format.text", most=MAX_TEXT)
    if "\\" in raw:
        raw = _ESCAPE.sub(lambda match: "" if match.group(1)[0] in "\r\n" else match.group(1), raw)
    if "\r" in raw:
        raw = _BREAK.sub("\n", raw)
    return well_formed(raw)


def line_of(raw: str) -> str:
    """Decode a value as text of one line."""
    return text_of(raw).replace("\n", " ")


def escaped(text: str, composed: bool = False) -> str:
    """Escape text for a file; in a composed value its colons too."""
    text = text.replace("\\", "\\\\").replace("]", "\\]")
    return text.replace(":", "\\:") if composed else text


def split_composed(raw: str) -> tuple[str, str] | None:
    """Split a value ``left:right`` into raw halves; None if it has no unescaped colon."""
    match = _COMPOSED.fullmatch(raw)
    return None if match is None else (match.group(1), match.group(2))


# Points


def parse_point(raw: str, width: int, height: int) -> Point:
    """Parse a point of two letters, x and then y from the *top*; or, as some programs write, ``h8``.

    Empty is a pass, and so is ``tt`` on boards up to 19x19.

    Raises:
        FormatError: text that is neither.
        OffBoard: a point that is not on this board.
    """
    point = _all_points(width, height).get(raw)
    if point is not None:
        return point
    text = raw.strip()
    if not text:
        return PASS
    if len(text) == 2 and text.isascii() and text.isalpha():
        if text == "tt" and width <= 19 and height <= 19:
            return PASS
        point = _all_points(width, height).get(text)
        if point is None:
            raise notation.off_board(text, width, height)
        return point
    if _NAMED.fullmatch(text):
        return notation.parse_point(text, width, height)
    raise FormatError("error.format.sgf.point", text=shorten(text))


def point_text(point: Point, width: int, height: int) -> str:
    """Write a point as two letters, a to z and then A to Z; a pass is empty."""
    if point == PASS:
        return ""
    x, y = notation.to_gomocup(point, width, height)
    return _letter(x) + _letter(y)


def parse_points(raw: str, width: int, height: int) -> list[Point]:
    """Parse the points of a value: one, or a rectangle ``aa:cc`` given by two corners.

    Raises:
        FormatError: text that is neither, or a pass.
        OffBoard: a point that is not on this board.
    """
    corners = [parse_point(corner, width, height) for corner in raw.split(":")]
    if PASS in corners or len(corners) > 2:
        raise FormatError("error.format.sgf.point", text=shorten(raw))
    (ay, ax), (by, bx) = divmod(corners[0], width), divmod(corners[-1], width)
    columns = range(min(ax, bx), max(ax, bx) + 1)
    return [y * width + x for y in range(max(ay, by), min(ay, by) - 1, -1) for x in columns]


@lru_cache(maxsize=64)
def _all_points(width: int, height: int) -> dict[str, Point]:
    """The points of a board by their letters."""
    return {point_text(point, width, height): point for point in range(width * height)}


def _letter(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else chr(ord("A") + number - 26)


# Marks


def marked(properties: Properties) -> Iterator[tuple[MarkKind, str, str, int]]:
    """Yield the marks of a node: kind, raw value with the points, raw label, and the value's place."""
    for name, kind in MARKS.items():
        for raw, place in properties.get(name, ()):
            if raw.strip():
                yield kind, raw, "", place
    for raw, place in properties.get("LB", ()):
        composed = split_composed(raw)
        if composed is not None:
            yield "label", composed[0], composed[1], place
    # FF[3] had labels without text: the first point is a, the second b, ...
    for number, (raw, place) in enumerate(properties.get("L", ())):
        if raw.strip():
            yield "label", raw, notation.column_name(number), place


def mark_values(marks: Iterable[Mark], width: int, height: int) -> dict[str, list[str]]:
    """Return the properties, with their raw values, for these marks."""
    values: dict[str, list[str]] = {}
    for mark in marks:
        text = point_text(mark.point, width, height)
        if mark.kind == "label":
            label = mark.label.replace("\n", " ")
            values.setdefault("LB", []).append(f"{text}:{escaped(label, composed=True)}")
        else:
            values.setdefault(MARK_NAMES[mark.kind], []).append(text)
    return values


# Headers


def headers_of(properties: Properties) -> dict[str, str]:
    """Return the headers of the whole game in a node's properties."""
    headers: dict[str, str] = {}
    for name, values in properties.items():
        if name in HEADERS:
            read = text_of if name in _MANY_LINES else line_of
            text = "\n".join(read(raw) for raw, _ in values)
            if text:
                headers[HEADERS[name]] = text
        elif _is_foreign(name):
            headers[_FOREIGN + name] = "][".join(text_of(raw) for raw, _ in values)
    result = first(properties, "RE")
    if result is not None:
        headers |= _result(line_of(result))
    rules = first(properties, "RU")
    if rules is not None and line_of(rules) not in ("", preset_in(line_of(rules))):
        headers[_FOREIGN + "RU"] = line_of(rules)
    for raw, _ in properties.get("TGH", ()):
        composed = split_composed(raw)
        if composed is not None:
            headers[text_of(composed[0])] = text_of(composed[1])
    return headers


def header_values(headers: Mapping[str, str], rules: Rules) -> Iterator[tuple[str, list[str]]]:
    """Yield properties, with raw values, from which `headers_of` and `rules_of` read these back."""
    written: dict[str, list[str]] = {}
    for name, key in HEADERS.items():
        value = headers.get(key, "")
        if value:
            written[name] = [escaped(value if name in _MANY_LINES else " ".join(value.split("\n")))]
    result = headers.get("result")
    kept = headers.get(_FOREIGN + "RE", "")
    if kept and _result(kept).get("result") == result:
        written["RE"] = [escaped(kept)]
    elif result == "draw":
        written["RE"] = ["0"]
    elif result in _LETTERS:
        written["RE"] = [f"{_LETTERS[result]}+{_REASON_LETTERS.get(headers.get('reason', ''), '')}"]
    name = preset_of(rules)
    kept = headers.get(_FOREIGN + "RU", "")
    written["RU"] = [escaped(kept) if kept and preset_in(kept) == name else name]
    if Rules.named(name, (rules.width, rules.height)) != rules:
        written["TGR"] = [escaped(format_rules(rules, size=False))]
    for key, value in headers.items():
        name = key.removeprefix(_FOREIGN)
        if key.startswith(_FOREIGN) and _is_foreign(name) and value:
            written[name] = [escaped(part) for part in value.split("][")]
    # A header that would not come back unchanged gets a property that keeps it exactly.
    back = headers_of({name: [(raw, 0) for raw in values] for name, values in written.items()})
    exact = [
        f"{escaped(key, composed=True)}:{escaped(value)}"
        for key, value in headers.items()
        if back.get(key) != value
    ]
    yield from written.items()
    if exact:
        yield "TGH", exact


def _is_foreign(name: str) -> bool:
    return (
        _FOREIGN_NAME.fullmatch(name) is not None
        and name not in _WRITTEN_ANEW
        and name not in HEADERS
        and name not in MARK_PROPERTIES
    )


def _result(text: str) -> dict[str, str]:
    """Return the headers for ``RE``, and its own text too if they do not cover it all."""
    plain = text.strip()
    match = _RESULT.fullmatch(plain)
    if match is None:
        word = _RESULT_WORDS.get(plain.lower().removesuffix(" wins").removesuffix(" win"))
        headers = {} if word is None else {"result": word}
        return headers if plain == "0" or not plain else headers | {_FOREIGN + "RE": text}
    headers = {"result": "black" if match.group(1) in "Bb" else "white"}
    detail = match.group(2).lower()
    if detail in _REASONS:
        headers["reason"] = _REASONS[detail]
    elif detail:
        headers[_FOREIGN + "RE"] = text
    return headers


# Rules


def rules_of(properties: Properties) -> Rules:
    """Return the rules in the first node of a game.

    Without a size the board is 15x15, or 19x19 if GM claims Go.

    Raises:
        FormatError: another game, or text that is no size.
        RulesError: a size or a field out of range.
    """
    game = (first(properties, "GM") or "4").strip()
    width, height = _size(properties) or ((19, 19) if game == "1" else (15, 15))
    if game not in GAMES and not _plainly_five(properties):
        raise FormatError("error.format.sgf.game", game=shorten(game))
    ours = first(properties, "TGR")
    if ours is not None:
        return parse_rules(line_of(ours), (width, height))
    text = line_of(first(properties, "RU") or "")
    numbered = _by_number(text, width, height)
    if numbered is not None:
        return numbered
    name = preset_in(text)
    if not name:
        titled = _IN_A_NAME.search(first(properties, "GN") or "") is not None
        renju = titled or any(extra in properties for extra in _EXPORTER_OF_RENJU)
        name = "renju" if renju else "freestyle"
    return _named(name, width, height)


def _size(properties: Properties) -> tuple[int, int] | None:
    """Return the size of the board; None if the node does not state it."""
    size = first(properties, "SZ")
    if size is None or not size.strip():
        return None
    match = _SIZE.fullmatch(size)
    if match is None:
        raise FormatError("error.format.sgf.size", text=shorten(size))
    width = int(match.group(1))
    return width, int(match.group(2) or width)


def _plainly_five(properties: Properties) -> bool:
    """Return whether a game is five in a row, whatever GM claims: by its board, or another name of it."""
    texts = [line_of(raw) for name in ("GM", "RU", "GN", "EV", "GC") for raw, _ in properties.get(name, ())]
    if "TGR" in properties or any(_FIVE.search(text) for text in texts):
        return True
    size = _size(properties)
    return size is not None and size[0] == size[1] and size[0] in _USUAL_SIDES


def foreign_game(properties: Properties) -> tuple[str, int] | None:
    """Return the number of another game in GM, with its place; None if it is one of `GAMES`."""
    values = properties.get("GM", ())
    for raw, place in values[:1]:
        game = raw.strip()
        if game and game not in GAMES and not _FIVE.search(line_of(raw)):
            return game, place
    return None


def unknown_rules(properties: Properties) -> tuple[str, int] | None:
    """Return an unknown name of rules in RU, with its place; None if `rules_of` need not guess."""
    if "TGR" in properties or not properties.get("RU"):
        return None
    raw, place = properties["RU"][0]
    text = line_of(raw).strip()
    return (text, place) if text and not preset_in(text) else None


@lru_cache(maxsize=64)
def _by_number(text: str, width: int, height: int) -> Rules | None:
    """Return the rules of a Gomocup number, which match runners write; one object for all games."""
    return rules_of_number(int(text), (width, height)) if _NUMBER.fullmatch(text.strip()) else None


@lru_cache(maxsize=64)
def _named(name: str, width: int, height: int) -> Rules:
    """Return named rules; one object for all games of a file."""
    return Rules.named(name, (width, height))


def names_game(properties: Properties) -> bool:
    """Return whether a node states the game or its rules."""
    return any(name in properties for name in ("SZ", "GM", "RU", "TGR"))


def preset_in(text: str) -> str:
    """Return the preset for a name or number of rules as people and programs write it; empty if none."""
    numbered = _by_number(text, 15, 15)
    if numbered is not None:
        return preset_of(numbered)
    plain = text.strip().lower()
    return next((name for name, words in _RULE_NAMES if words.search(plain)), "")


def first(properties: Properties, name: str) -> str | None:
    """Return the first value of a property, raw; None if the node does not have it."""
    values = properties.get(name)
    return values[0][0] if values else None


# Evaluations and times


def score_of(properties: Properties, mover: Colour) -> Score | None:
    """Return the score of a move for `mover`: our own property, or V, the value for Black in points."""
    ours = _SCORE.fullmatch((first(properties, "TGS") or "").strip()) if "TGS" in properties else None
    if ours is not None:
        return Score(int(ours.group(1)), None if ours.group(2) is None else int(ours.group(2)))
    value = number_of(properties, "V")
    if value is None:
        return None
    centi = round(100 * max(min(value, _LARGEST_VALUE / 100), -_LARGEST_VALUE / 100))
    return Score(centi if mover == BLACK else -centi)


def score_text(score: Score) -> str:
    """Write a score in our own form."""
    return str(score.value) if score.mate is None else f"{score.value}:{score.mate}"


def number_of(properties: Properties, name: str) -> float | None:
    """Return the value of a numeric property; None if there is none, or none that makes sense."""
    if name not in properties:
        return None
    match = _REAL.fullmatch(properties[name][0][0])
    if match is None:
        return None
    number = float(match.group(1))
    return number if math.isfinite(number) else None


def seconds_of(properties: Properties) -> float | None:
    """Return the seconds used for a move, from our own property."""
    seconds = number_of(properties, "TGT")
    return None if seconds is None or seconds < 0 else seconds
