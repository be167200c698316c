"""Games on one line: move text, addresses that end in it, offsets from the centre, and pairs of letters.

A file of them, ``.txt``, has one game a line. What follows a ``#`` at the beginning of a line is a
comment; ``# rules: renju 15x15`` says what the games below it are played by (see
`tengen.formats.rules_text`). A line with nothing but ``;`` is a game without moves.

Where nothing is said the rules are freestyle, and the board is 15x15, or 20x20 or as large as needed
where a point lies outside.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import unquote

from tengen.formats.common import ReadResult, WriteError
from tengen.formats.encodings import decode
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.rules_text import format_rules, parse_rules
from tengen.formats.text import FileLimits, at_line, check_size, found, list_problem
from tengen.game import notation
from tengen.game.errors import NotationError, Occupied, TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.record import Record
from tengen.game.rules import MAX_SIDE, Rules

EXTENSIONS = (".txt",)

EMPTY_GAME = ";"
"""How a game without moves is written; to `tengen.game.notation` it is a separator."""

_DEFAULT = Rules.named("freestyle")
_SIDES = (15, 20)

_NAME = re.compile(r"(?<![A-Za-z])([A-Za-z]{1,2})([0-9]{1,2})(?![0-9])")
_MOVES = re.compile(r"(?:[A-Za-z]{1,2}[0-9]{1,2}|--|[\s,;])*")
_NUMBER = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,4}[.)]+")
_OFFSETS = re.compile(r"[-+0-9,;\s]*")
_OFFSET = re.compile(r"([-+]?[0-9]{1,4})\s*,\s*([-+]?[0-9]{1,4})(?:[\s,;]+|$)")
_LETTERS = re.compile(r"[A-Za-z]{2}(?:[\s,;]*[A-Za-z]{2})*")
_BREAKS = re.compile(r"[/?&=!\s]")
_RULES = re.compile(r"#\s*rules\s*:\s*(.*)", re.IGNORECASE)


def parse_line(text: str, rules: Rules | None = None) -> Record:
    """The game of one line, in whichever of the forms of this module it is.

    Args:
        text: move text (numbers such as ``1.`` before the moves do no harm), an address, offsets, or
            pairs of letters.
        rules: what it is played by; see the module where None.

    Raises:
        NotationError: none of these forms.
        IllegalMove: a point off the board, or occupied.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    if "#" in plain or "://" in plain:
        return from_address(plain, rules)
    if "," in plain and plain != "," and _OFFSETS.fullmatch(plain):
        return from_offsets(plain, rules)
    if _LETTERS.fullmatch(plain):
        return from_letters(plain, rules)
    # Blanks of the same length keep the places that an error names.
    return from_moves(_NUMBER.sub(lambda number: " " * len(number.group()), text), rules)


def from_moves(text: str, rules: Rules | None = None) -> Record:
    """The game of a move text, ``h8i9j10``.

    Raises:
        NotationError: text that is no move text.
        IllegalMove: a point off the board, or occupied.
    """
    rules = rules or _rules_for(_corners([text]))
    return _played(notation.parse_moves(text, rules.width, rules.height), rules)


def from_address(text: str, rules: Rules | None = None) -> Record:
    """The game that an address ends in, ``https://gomocalc.com/#/h8i9j10``.

    The moves are the last part of what follows the ``#`` (or of the whole, if there is none) that reads
    as move text; an address with an empty fragment is a game without moves.

    Raises:
        NotationError: no moves in it.
        IllegalMove: a point off the board, or occupied.
    """
    before, mark, fragment = text.strip().partition("#")
    parts = [part for part in _BREAKS.split(unquote(fragment if mark else before)) if part]
    moves = next((part for part in reversed(parts) if _MOVES.fullmatch(part)), None)
    if moves is None and (parts or not mark):
        raise NotationError("error.notation.address", text=shorten(text))
    return from_moves(moves or "", rules)


def from_offsets(text: str, rules: Rules | None = None) -> Record:
    """The game of offsets ``dx,dy, dx,dy, ...`` from the centre, as Gomocup writes openings.

    The centre is the point that lies half the size, rounded down, from the top left; dx counts to the
    right and dy *downwards*.

    Raises:
        NotationError: not pairs of whole numbers.
        IllegalMove: a point off the board, or occupied.
    """
    rules = rules or _DEFAULT
    points = []
    place = len(text) - len(text.lstrip())
    while place < len(text):
        match = _OFFSET.match(text, place)
        if match is None:
            raise NotationError(
                "error.notation.offsets", place=place + 1, found=shorten(text[place:] or text)
            )
        x, y = rules.width // 2 + int(match.group(1)), rules.height // 2 + int(match.group(2))
        points.append(notation.from_gomocup(x, y, rules.width, rules.height))
        place = match.end()
    return _played(points, rules)


def from_letters(text: str, rules: Rules | None = None) -> Record:
    """The game of pairs of letters ``hhig``: column from the left, row from the *top*, each from a.

    On 15x15 ``pp`` is a pass.

    Raises:
        NotationError: not pairs of letters.
        IllegalMove: a point off the board, or occupied.
    """
    plain = re.sub(r"[\s,;]+", "", text).lower()
    if not (plain.isascii() and plain.isalpha() and len(plain) % 2 == 0):
        raise NotationError("error.notation.letters", text=shorten(text))
    pairs = [plain[place : place + 2] for place in range(0, len(plain), 2)]
    rules = rules or _DEFAULT
    points = []
    for pair in pairs:
        if pair == "pp" and (rules.width, rules.height) == (15, 15):
            points.append(PASS)
        else:
            x, y = (ord(letter) - ord("a") for letter in pair)
            points.append(notation.from_gomocup(x, y, rules.width, rules.height))
    return _played(points, rules)


def from_stones(
    black: Sequence[str], white: Sequence[str], turn: Colour | None = None, rules: Rules | None = None
) -> Record:
    """A set-up position from two lists of points, in any order.

    Args:
        black: names of the points with black stones.
        white: likewise.
        turn: the side to move; if None Black, unless Black has more stones than White.
        rules: see the module where None.

    Raises:
        NotationError, OffBoard, Occupied: not a point of the board, or one named twice.
    """
    rules = rules or _rules_for(_corners([*black, *white]))
    builder = RecordBuilder(rules, turn=turn)
    stones: dict[Point, Colour] = {}
    for colour, names in ((BLACK, black), (WHITE, white)):
        for name in names:
            point = notation.parse_point(name, rules.width, rules.height)
            if point == PASS:
                raise NotationError("error.notation.point", text=shorten(name))
            if point in stones:
                raise Occupied("error.occupied", point=notation.point_name(point, rules.width))
            stones[point] = colour
    builder.set_up(stones)
    return builder.record()


def read(data: bytes) -> ReadResult:
    """The games of a file, one a line.

    Raises:
        FormatError: no game can be read, or a comment with rules says something else.
    """
    check_size(data)
    games = ReadResult()
    rules = None
    limits = FileLimits(len(data), points=64)
    for number, line in enumerate(decode(data).splitlines(), 1):
        text = line.strip()
        if text.startswith("#"):
            rules = _stated_rules(text, number) or rules
        elif text:
            try:
                record = parse_line(text, rules)
                limits.game(record.rules.points)
                limits.nodes(len(record.main_line()))
                games.records.append(record)
            except TengenError as error:
                if not list_problem(games, at_line(number, error.message).message):
                    break
    return found(games)


def write(records: Sequence[Record]) -> bytes:
    """The main lines of the games as move text, one a line, with the rules where they are not the default.

    Raises:
        WriteError: a game begins from a set-up position.
    """
    lines = []
    rules = _DEFAULT
    for record in records:
        setup = record.setup
        if setup.turn != BLACK or any(setup.position):
            raise WriteError("error.write.setup")
        if record.rules != rules:
            rules = record.rules
            lines.append(f"# rules: {format_rules(rules)}")
        points = [node.point for node in record.main_line() if node.point is not None]
        lines.append(notation.format_moves(points, rules.width) or EMPTY_GAME)
    return "".join(f"{line}\n" for line in lines).encode()


def _stated_rules(comment: str, number: int) -> Rules | None:
    match = _RULES.fullmatch(comment)
    if match is None:
        return None
    try:
        return parse_rules(match.group(1))
    except TengenError as error:
        raise at_line(number, error.message) from error


def _played(points: Iterable[Point], rules: Rules) -> Record:
    builder = RecordBuilder(rules)
    for point in points:
        builder.play(point)
    return builder.record()


def _corners(texts: Iterable[str]) -> tuple[int, int]:
    """The largest column and row, counted from 0, that points named in these texts have."""
    x = y = 0
    for text in texts:
        for letters, digits in _NAME.findall(unicodedata.normalize("NFKC", text)):
            x = max(x, notation.column_number(letters))
            y = max(y, int(digits) - 1)
    return x, y


@lru_cache(maxsize=64)
def _rules_for(corners: tuple[int, int]) -> Rules:
    """Freestyle on the usual board that has room up to these corners."""
    most = max(corners) + 1
    side = next((side for side in _SIDES if side >= most), min(most, MAX_SIDE))
    return Rules.named("freestyle", side)
