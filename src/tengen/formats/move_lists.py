"""The moves of one game, or the stones of one position, in any common notation.

They are letters and numbers (``h8i9``, ``1. h8 i9``, ``h-8``, ``8h``, ``Black: h8 White: i9``), with
the letter i or without it; pairs of letters from the top (``hhig``); column and row numbers from the top
left, from 0 or from 1 (``7,7``, ``8-8``, ``(8, 8)``, ``x=7 y=7``, tables with a line of names); steps from
the centre (``0,0, 1,-1``); Chinese numerals (``8八``); and the moves in an address. `MovesRead.notes` lists
the assumptions about what a text leaves open; text in none of these notations is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote

from tengen.formats import written_points as written
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.written_numbers import NumberedStones, crossed_stones, numbered_stones
from tengen.formats.written_points import NotThisWayError, Stone, Token
from tengen.game import notation
from tengen.game.errors import NotationError, Occupied, TengenError
from tengen.game.notation import shorten
from tengen.game.points import PASS, Colour, Point, opponent
from tengen.game.record import Record
from tengen.game.rules import MAX_SIDE, Rules
from tengen.plaintext.characters import plain
from tengen.words import Message

_SIDES = (15, 20)
_LETTER_I = 8
_ENOUGH = 3
_MANY = 10
"""Numbers of moves that are some, and strong, evidence of the notation of a list."""

_STRICT = re.compile(r"\s*(?:[A-Za-z][0-9]{1,2}[\s,;]*+)++")
_POINT = re.compile(r"([A-Za-z])([0-9]{1,2})")
_AXES = frozenset("xyrc")
_SIZE = re.compile(r"\s*[0-9]+\s*x\s*[0-9]+\s*", re.IGNORECASE)
_LONGEST_POINT = 40
_LETTER_AND_ROW = re.compile(r"[A-Za-z].*[0-9]|[0-9].*[A-Za-z]|[一二三四五六七八九十]")
_NOTHING = re.compile(r"[\s;]*")
_ADDRESS = re.compile(r"://|^\s*www\.|^\s*\?\w+=|^\s*#\S*\s*$", re.IGNORECASE)
_MOST_PARTS = 50
"""The most parts of an address to examine."""

_RESULT = re.compile(r"\s(1-0|0-1|1/2-1/2)\s*$")
_RESULTS = {"1-0": "black", "0-1": "white", "1/2-1/2": "draw"}
_MOVE_KEYS = frozenset(
    (
        *(
            "moves",
            "move",
            "pos",
            "position",
            "init_steps",
            "steps",
            "step",
            "board",
            "game",
            "seq",
            "sequence",
        ),
        *(
            "stones",
            "m",
            "p",
            "s",
            "g",
            "init",
            "record",
            "line",
            "play",
            "start",
            "opening",
            "kifu",
            "qipu",
        ),
    )
)
_SIZE_KEYS = frozenset(("size", "sz", "boardsize", "board_size", "n"))


@dataclass(slots=True)
class MovesRead:
    """A parsed list of moves.

    Attributes:
        record: the game, or the position.
        notes: assumptions, in sentences.
    """

    record: Record
    notes: list[Message] = field(default_factory=list)


def read_moves(text: str, rules: Rules | None = None) -> MovesRead:
    """Read a list of moves.

    Args:
        text: the list.
        rules: the rules of the game; if None freestyle on 15x15, or 20x20 or as large as needed.

    Raises:
        NotationError: text that is no such list; the sentence names the place.
        IllegalMove: a point off the board, or occupied.
    """
    if _ADDRESS.search(plain(text)):
        return read_address(text, rules)
    try:
        return _read_list(text, rules)
    except NotationError:
        if _is_like_address(plain(text).strip()):
            return read_address(text, rules)
        raise


def single_point(text: str, rules: Rules) -> Point | None:
    """Return the point of a short text that names a single one by letter and number; None for any other.

    Raises:
        OffBoard: the point is not on the board.
    """
    if len(text) > _LONGEST_POINT or not _LETTER_AND_ROW.search(text):
        return None
    try:
        points = [node.point for node in _read_list(text, rules).record.main_line()]
    except NotationError:
        return None
    return points[0] if len(points) == 1 else None


def read_address(text: str, rules: Rules | None = None) -> MovesRead:
    """Read the moves in an address, such as ``https://gomocalc.com/#/h8i9`` or ``?moves=h8_i9``.

    They are the last list of moves among the parts after the ``#``, the ``?`` or the host; an address with
    an empty fragment is a game without moves.

    Raises:
        NotationError: it holds no moves.
        IllegalMove: a point off the board, or occupied.
    """
    address = plain(text).strip()
    before, mark, fragment = address.partition("#")
    host_and_path, _, query = before.partition("?")
    _, _, path = (
        host_and_path.partition("://")[2].partition("/")
        if "://" in before
        else host_and_path.partition("/")
    )
    parts = [*_parts(path), *_parts(query), *_parts(fragment)]
    sides = {key: value for key, value in parts if key in ("black", "white")}
    size = next(
        (int(value) for key, value in parts if key in _SIZE_KEYS and value.isdigit() and len(value) < 3), 0
    )
    if rules is None and 5 <= size <= MAX_SIDE:
        rules = Rules.named("freestyle", size)
    if len(sides) > 1:
        return _read_list(f"black: {sides['black']} white: {sides['white']}", rules)
    trusted = [value for key, value in _parts(fragment) + _parts(query) if key in _MOVE_KEYS]
    trusted += [value for key, value in reversed(_parts(fragment)) if not key]
    for value in trusted:
        try:
            return _read_list(value, rules)
        except NotationError:
            continue
    for _, value in reversed(parts):
        try:
            moves = _read_list(value, rules)
        except TengenError:
            continue
        if re.search("[A-Za-z]", value) and len(moves.record.main_line()) > 1:
            moves.notes.insert(0, Message("assumed.address", {"part": shorten(value)}))
            return moves
    if mark and before and not parts:
        return MovesRead(Record(rules or Rules.named("freestyle")))
    raise NotationError("error.notation.address", text=shorten(text))


def _is_like_address(text: str) -> bool:
    """Return whether a text without a scheme may still be an address: ``gomocalc.com/#/h8i9``."""
    mark = re.search("[#?]", text)
    return (
        mark is not None
        and len(text.split(maxsplit=1)) == 1
        and not {".", "/"}.isdisjoint(text[: mark.start()])
    )


def _parts(text: str) -> list[tuple[str, str]]:
    """The parts of a path, a query or a fragment that may be moves, each with its key in small letters."""
    parts = []
    for part in re.split(r"[/?&!]", text)[-_MOST_PARTS:]:
        key, equals, value = part.partition("=")
        value = unquote((value if equals else key).replace("+", " ")).strip()
        if value:
            parts.append((key.lower() if equals else "", value))
    return parts


def _read_list(text: str, rules: Rules | None) -> MovesRead:
    if _STRICT.fullmatch(text):
        points = _POINT.findall(text.lower())
        if not _AXES.issuperset(letter for letter, _ in points):
            stones = [Stone(ord(letter) - ord("a"), int(row) - 1, letter + row) for letter, row in points]
            return _recorded(*_on_letters(stones, rules))
    ready = written.prepared(text)
    if _NOTHING.fullmatch(ready):
        return MovesRead(Record(rules or Rules.named("freestyle")))
    headers: dict[str, str] = {}
    result = _RESULT.search(ready)
    if result is not None and re.search("[A-Za-z]", ready):
        headers["result"] = _RESULTS[result.group(1)]
        ready = ready[: result.start()]
    try:
        tokens = written.tokens_of(ready)
    except NotThisWayError as error:
        raise _refused(ready, error.place, bool(re.search(r"[^\W\d_]", ready))) from None
    if any(token.kind in ("word", "numeral") for token in tokens):
        moves = _by_words(tokens, ready, rules)
    else:
        moves = _by_numbers(tokens, ready, rules)
    moves.record.headers |= headers
    return moves


_Way = Callable[[Sequence[Token], str], list[Stone]]
_Placed = tuple[Rules, list[tuple[Point, Colour | None]], list[Message]]


def _by_words(tokens: Sequence[Token], text: str, rules: Rules | None) -> MovesRead:
    """Read a list with letters or Chinese numerals."""
    if _SIZE.fullmatch(text):
        raise _refused(text, 0, words=True)  # of a board, not a point
    with suppress(NotThisWayError):
        return _from_numbers(NumberedStones(written.named_numbers(tokens, text), named=True), rules)
    with suppress(NotThisWayError):
        return _from_numbers(crossed_stones(text), rules)
    ways: tuple[tuple[_Way, Callable[[Sequence[Stone], Rules | None], _Placed]], ...] = (
        (written.letters_and_numbers, _on_letters),
        (written.numbers_and_letters, _on_letters),
        (written.numerals, _on_numerals),
        (lambda tokens, _: written.pairs_of_letters(tokens), _on_pairs),
    )
    place = None
    for way, put in ways:
        try:
            stones = way(tokens, text)
        except NotThisWayError as error:
            place = error.place if place is None else place
            continue
        return _recorded(*put(stones, rules))
    try:
        return _from_numbers(numbered_stones(text), rules)
    except NotThisWayError:
        raise _refused(text, place or 0, words=True) from None


def _by_numbers(tokens: Sequence[Token], text: str, rules: Rules | None) -> MovesRead:
    """Read a list of numbers, perhaps with colours or passes among them."""
    labels = [token for token in tokens if token.kind == "colour"]
    passes = [token for token in tokens if token.kind == "passed"]
    # A line of dashes is moves only where passes are.
    expected = len(passes) == 1 or (rules is not None and rules.passing)
    if passes and expected and len(labels) + len(passes) == len(tokens):
        return _recorded(*_on_letters(written.letters_and_numbers(tokens, text), rules))
    if passes:
        raise _refused(text, passes[0].start, words=False)
    try:
        if not labels:
            return _from_numbers(numbered_stones(text), rules)
        stones: list[Stone] = []
        ends = [label.start for label in labels[1:]] + [len(text)]
        for label, end in zip(labels, ends, strict=True):
            part = numbered_stones(text[label.end : end])
            colour = written.colour_of(label.text)
            stones += [Stone(stone.x, stone.y, stone.text, colour) for stone in part.stones]
        return _from_numbers(NumberedStones(stones, any(min(s.x or 0, s.y) < 0 for s in stones)), rules)
    except NotThisWayError as error:
        raise _refused(text, error.place, words=False) from None


def _refused(text: str, place: int, words: bool) -> NotationError:
    """Return the error for a text that stops being a list of moves at `place`."""
    rest = shorten((text[place:].strip() or text.strip()).split("\n")[0])
    key = "error.notation.moves" if words else "error.notation.numbers"
    return NotationError(key, place=place + 1, found=rest)


# Placing stones


def _on_letters(stones: Sequence[Stone], rules: Rules | None) -> _Placed:
    """Place stones whose rows count from the bottom."""
    named = [stone for stone in stones if stone.x is not None]
    columns = [stone.x for stone in named if stone.x is not None]
    most = max(columns, default=0), max((stone.y for stone in named), default=0)
    notes: list[Message] = []
    no_i = _LETTER_I not in columns
    side = None if rules is not None else _side_without_i(most, len(named))
    skipping = (
        no_i
        and len(named) >= _ENOUGH
        and (side is not None if rules is None else most[0] == rules.width and most[1] < rules.height)
    )
    if rules is None:
        rules = Rules.named("freestyle", side) if skipping and side else rules_with_room(most)
        if rules.width != _SIDES[0]:
            beyond = next(
                stone for stone in named if max(stone.x or 0, stone.y) >= min(max(most), _SIDES[0])
            )
            notes.append(Message("assumed.size", {"size": rules.size_text, "point": shorten(beyond.text)}))
    placed = []
    for stone in stones:
        x = stone.x if stone.x is None or not skipping or stone.x < _LETTER_I else stone.x - 1
        placed.append((_point(x, stone.y, stone.text, rules), stone.colour))
    if skipping:
        last = next(place for place, stone in enumerate(stones) if stone.x == most[0])
        values = {"text": stones[last].text, "point": notation.point_name(placed[last][0], rules.width)}
        notes.append(Message("assumed.without_i", values))
    elif no_i and len(named) >= _MANY and min(columns) < _LETTER_I < max(columns):
        notes.append(Message("assumed.perhaps_without_i"))
    if named and named[0].text[:1].isdigit():
        notes.append(_example("assumed.row_first", named[0], placed[stones.index(named[0])][0], rules))
    return rules, placed, notes


def _side_without_i(most: tuple[int, int], count: int) -> int | None:
    """Return the usual board whose last column has this letter if i is left out; None if unlikely."""
    if most[0] == 15 and most[1] < 15:
        return 15
    return 19 if most[0] == 19 and most[1] < 19 and count >= _MANY else None


def _on_numerals(stones: Sequence[Stone], rules: Rules | None) -> _Placed:
    """Place stones as Chinese diagrams count: columns from the left, rows from the top, both from 1."""
    rules = rules or rules_with_room(_largest(stones, 1))
    placed = [(_from_top(stone, 1, rules), stone.colour) for stone in stones]
    notes = [
        _example("assumed.numerals", stone, point, rules)
        for stone, (point, _) in zip(stones, placed, strict=True)
        if stone.x is not None
    ]
    return rules, placed, notes[:1]


def _on_pairs(stones: Sequence[Stone], rules: Rules | None) -> _Placed:
    """Place stones with a letter for the row, from the top; ``pp`` on 15x15 and ``tt`` are passes."""
    rules = rules or Rules.named("freestyle")
    side = max(rules.width, rules.height)
    placed = []
    for stone in stones:
        out = stone.text.lower() in ("pp", "tt") and stone.x is not None and stone.x >= side
        point = PASS if out else _from_top(stone, 0, rules)
        placed.append((point, stone.colour))
    notes = [
        _example("assumed.pairs", stone, point, rules)
        for stone, (point, _) in zip(stones, placed, strict=True)
        if point != PASS
    ]
    return rules, placed, notes[:1]


def _from_numbers(numbered: NumberedStones, rules: Rules | None) -> MovesRead:
    """Read stones whose columns and rows are numbers."""
    stones = numbered.stones
    offsets = _as_offsets(numbered, rules)
    if offsets is not None:
        return offsets
    values = [value for stone in stones for value in (stone.x or 0, stone.y)]
    largest = max(values)
    if rules is None:
        corner = largest if min(values) == 0 else largest - 1
        rules = rules_with_room((min(corner, _SIDES[-1] - 1),) * 2)
    if min(values) == 0:
        base = 0
    elif any(stone.x == rules.width or stone.y == rules.height for stone in stones):
        base = 1
    else:
        base = _likely_base(stones[0], rules, 1 if numbered.third != "colour" else 0)
    placed = [(_from_top(stone, base, rules), stone.colour) for stone in stones]
    first, point = stones[0], placed[0][0]
    example = {
        "text": first.text,
        "point": notation.point_name(point, rules.width),
        "first": base,
        "size": rules.size_text,
    }
    notes = [Message("assumed.numbers", example)]
    if numbered.third:
        notes.append(Message(f"assumed.third.{numbered.third}"))
    return _recorded(rules, placed, notes)


def _as_offsets(numbered: NumberedStones, rules: Rules | None) -> MovesRead | None:
    """Read steps from the centre; None if the numbers rather count from the corner."""
    stones = numbered.stones
    rules = rules or Rules.named("freestyle")
    centred = (stones[0].x, stones[0].y) == (0, 0) and not numbered.named and not numbered.third
    if not numbered.signed and not centred:
        return None
    placed = []
    for stone in stones:
        x, y = rules.width // 2 + (stone.x or 0), rules.height // 2 + stone.y
        if not numbered.signed and not (x < rules.width and y < rules.height):
            return None
        placed.append((notation.from_gomocup(x, y, rules.width, rules.height), stone.colour))
    first = next((at for at, stone in enumerate(stones) if stone.x or stone.y), 0)
    return _recorded(rules, placed, [_example("assumed.offsets", stones[first], placed[first][0], rules)])


def _likely_base(first: Stone, rules: Rules, otherwise: int) -> int:
    """Guess whether numbers count from 0 or from 1: games begin near the centre."""
    far = [
        abs((first.x or 0) - base - rules.width // 2) + abs(first.y - base - rules.height // 2)
        for base in (0, 1)
    ]
    return otherwise if far[0] == far[1] else far.index(min(far))


def _largest(stones: Sequence[Stone], base: int) -> tuple[int, int]:
    named = [stone for stone in stones if stone.x is not None]
    columns = max((stone.x - base for stone in named if stone.x is not None), default=0)
    return columns, max((stone.y - base for stone in named), default=0)


def _from_top(stone: Stone, base: int, rules: Rules) -> Point:
    if stone.x is None:
        return PASS
    x, y = stone.x - base, stone.y - base
    if not (0 <= x < rules.width and 0 <= y < rules.height):
        raise notation.off_board(shorten(stone.text), rules.width, rules.height)
    return notation.from_gomocup(x, y, rules.width, rules.height)


def _point(x: int | None, y: int, text: str, rules: Rules) -> Point:
    if x is None:
        return PASS
    if not (0 <= x < rules.width and 0 <= y < rules.height):
        raise notation.off_board(shorten(text.lower()), rules.width, rules.height)
    return y * rules.width + x


def _example(key: str, stone: Stone, point: Point, rules: Rules) -> Message:
    return Message(key, {"text": shorten(stone.text), "point": notation.point_name(point, rules.width)})


def _recorded(
    rules: Rules, placed: Sequence[tuple[Point, Colour | None]], notes: list[Message]
) -> MovesRead:
    """Return the game of moves, or the position if the colours of stones do not alternate."""
    colours = [colour for _, colour in placed]
    in_turn = all(
        colour is None
        or colours[0] is None
        or colour == (colours[0] if ply % 2 == 0 else opponent(colours[0]))
        for ply, colour in enumerate(colours)
    )
    builder = RecordBuilder(rules)
    if in_turn:
        for point, colour in placed:
            builder.play(point, colour)
        return MovesRead(builder.record(), notes)
    stones: dict[Point, Colour] = {}
    for point, colour in placed:
        if point in stones:
            raise Occupied("error.occupied", point=notation.point_name(point, rules.width))
        if point == PASS or colour is None:
            raise NotationError("error.notation.stones")
        stones[point] = colour
    builder.set_up(stones)
    return MovesRead(builder.record(), [*notes, Message("assumed.stones")])


@lru_cache(maxsize=64)
def rules_with_room(corners: tuple[int, int]) -> Rules:
    """Return freestyle on the usual board that has room up to these corners, column and row from 0."""
    most = max(corners) + 1
    side = next((side for side in _SIDES if side >= most), min(most, MAX_SIDE))
    return Rules.named("freestyle", side)
