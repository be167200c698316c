"""Files of games, ``.txt``, one game a line, and the strict forms that programs write.

A line that begins with ``#`` is a comment; ``# rules: renju 15x15`` states the rules of the games below it
(see `tengen.formats.rules_text`). A line with nothing but ``;`` is a game without moves. For the notations
of a line see `tengen.formats.move_lists`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from tengen.formats.common import FileProblem, ReadResult, WriteError
from tengen.formats.encodings import decode
from tengen.formats.move_lists import read_moves, rules_with_room
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.rules_text import format_rules, parse_rules
from tengen.formats.text import FileLimits, at_line, check_size, list_problem, require_games
from tengen.game import notation
from tengen.game.errors import NotationError, Occupied, TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.record import Record
from tengen.game.rules import Rules
from tengen.plaintext.characters import clean

EXTENSIONS = (".txt",)

EMPTY_GAME = ";"
"""A game without moves; to `tengen.game.notation` it is a separator."""

_DEFAULT = Rules.named("freestyle")

_NAME = re.compile(r"(?<![A-Za-z])([A-Za-z]{1,2})([0-9]{1,2})(?![0-9])")
_OFFSETS = re.compile(r"\s*[-+0-9][-+0-9;\s]*,[-+0-9,;\s]*")
_OFFSET = re.compile(r"([-+]?[0-9]{1,4})\s*,\s*([-+]?[0-9]{1,4})(?:[\s,;]+|$)")
_RULES = re.compile(r"#\s*rules\s*:\s*(.*)", re.IGNORECASE)
_COMMENT = re.compile(r"\s*#(?:\s|$|rules)", re.IGNORECASE)


def parse_line(text: str, rules: Rules | None = None) -> Record:
    """Return the game of one line, in any notation of `tengen.formats.move_lists`.

    Raises:
        NotationError: no list of moves.
        IllegalMove: a point off the board, or occupied.
    """
    return read_moves(text, rules).record


def opening_line(text: str, rules: Rules) -> Record:
    """Return the game of one line of a book of openings, where numbers are steps from the centre.

    Raises:
        NotationError: no list of moves.
        IllegalMove: a point off the board, or occupied.
    """
    steps = unicodedata.normalize("NFKC", text)
    return from_offsets(steps, rules) if _OFFSETS.fullmatch(steps) else parse_line(text, rules)


def is_comment(line: str) -> bool:
    """Return whether a line is a comment, not an address that begins with ``#``, nor a ``#1``."""
    return _COMMENT.match(line) is not None


def from_moves(text: str, rules: Rules | None = None) -> Record:
    """Return the game of a move text, ``h8i9j10``.

    Raises:
        NotationError: text that is no move text.
        IllegalMove: a point off the board, or occupied.
    """
    rules = rules or rules_with_room(_corners([text]))
    return _played(notation.parse_moves(text, rules.width, rules.height), rules)


def from_offsets(text: str, rules: Rules | None = None) -> Record:
    """Return the game of offsets ``dx,dy, dx,dy, ...`` from the centre, as Gomocup writes openings.

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


def from_stones(
    black: Sequence[str], white: Sequence[str], turn: Colour | None = None, rules: Rules | None = None
) -> Record:
    """Return a set-up position from two lists of points, in any order.

    Args:
        black: names of the points with black stones.
        white: names of the points with white stones.
        turn: the side to move; if None Black, unless Black has more stones than White.
        rules: see the module where None.

    Raises:
        NotationError, OffBoard, Occupied: not a point of the board, or one named twice.
    """
    rules = rules or rules_with_room(_corners([*black, *white]))
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


def read(data: bytes, rules: Rules | None = None) -> ReadResult:
    """Read the games of a file, one a line.

    Args:
        data: the file.
        rules: the rules of games before the file states any.

    Raises:
        FormatError: no game can be read, or a comment states rules that make no sense.
    """
    check_size(data)
    games, failed = ReadResult(), 0
    reported: set[tuple[str, str]] = set()
    limits = FileLimits(len(data), points=64)
    for number, line in enumerate(clean(decode(data)).split("\n"), 1):
        text = line.strip()
        if is_comment(text):
            rules = _stated_rules(text, number) or rules
        elif text:
            try:
                read = read_moves(text, rules)
                limits.game(read.record.rules.points)
                limits.nodes(len(read.record.main_line()))
                games.records.append(read.record)
            except TengenError as error:
                failed += 1
                message = at_line(number, error.message).message
                if not list_problem(games, message, len(games.records) + failed):
                    break
                continue
            for note in read.notes:
                kind = note.key, str(note.values.get("first", ""))
                if kind not in reported:  # once a file
                    reported.add(kind)
                    message = at_line(number, note).message
                    games.problems.append(FileProblem(0, message, "nothing"))
    return require_games(games)


def write(records: Sequence[Record]) -> bytes:
    """Write the main lines of games as move text, one a line, with the rules unless they are the default.

    The rules above them distinguish several games from one game on several lines.

    Raises:
        WriteError: a game begins from a set-up position.
    """
    lines = []
    rules = None if _might_be_one(records) else _DEFAULT
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


def _might_be_one(records: Sequence[Record]) -> bool:
    """Return whether games, one a line, could be read as the moves of one game: no point occurs twice."""
    if len(records) < 2 or len(records) > _DEFAULT.points or any(r.rules != _DEFAULT for r in records):
        return False
    points = [node.point for record in records for node in record.main_line()]
    return len(set(points)) == len(points)


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
