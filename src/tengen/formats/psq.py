"""Piskvork's ``.psq`` and ``.rec``: one game a file, as tournaments of Gomocup keep them.

``.psq``: a line ``Piskvorky 20x20, 11:11, 0`` (board, levels of both players, 1 in the end where the
second one moves first), a line ``x,y,time`` for each move, the names of both players in games of a
tournament, and a result code, after ``-1`` the winner's number and the division. x and y count from 1, y
from the *top*; times are in milliseconds, 0 where none was taken. In a tournament player 1 is the one who
moves first after the set opening, whose moves took no time: White, where it has an odd number of stones.

``.rec``: the names, ``x,y,time`` with x and y from 0, and the result code. The size of the board is not in
it; it is taken for 15x15 where the game begins nearer the centre of that, or else for 20x20, or larger
if a move lies outside, and this guess is reported.

A division whose name begins with that of a preset, such as Standard or Renju, says the rules; all else is
freestyle. Only the main line is written, without comments and marks: the format has no place for more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tengen.formats.common import FileProblem, FormatError, ReadResult, WriteError
from tengen.formats.encodings import decode
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.rules_text import preset_of
from tengen.formats.text import at_line, check_size
from tengen.game import notation
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, PASS
from tengen.game.record import Record
from tengen.game.rules import MAX_SIDE, NAMES, Rules
from tengen.words import Message

EXTENSIONS = (".psq",)
MAGIC = "Piskvorky"

_HEAD = re.compile(
    r"Piskvorky\W+([0-9]{1,4})\s*[xX×*]\s*([0-9]{1,4})\b"
    r"(?:[\s,;]+([0-9]{1,4})\s*[-:/]\s*([0-9]{1,4})\b)?(?:[\s,;]+([0-9])\b)?[\s,;]*",
    re.IGNORECASE,
)
_MOVE = re.compile(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*(?:,\s*([0-9]{1,12})\s*)?")
_LEVELS = re.compile(r"[0-9]{1,4}:[0-9]{1,4}")
_CODE = re.compile(r"-?[0-9]{1,9}")
_WINNER = re.compile(r"([0-9])\s*,\s*(.*)")
_BREAK = re.compile(r"\r\n|\r|\n")
_REC_SIDES = (15, 20)
_FIRST = 3
"""Moves that say where the centre of the board is."""

_RESULTS = {"black": "1", "white": "2", "draw": "0"}
_OTHER = {"1": "2", "2": "1"}
_SWAPPED = {"black": "white", "white": "black", "draw": "draw"}
_NOBODY = ("homo-1", "homo-2")
"""Piskvork's names of human players; beside another name, and in a rec file, a player without a name."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def read(data: bytes) -> ReadResult:
    """Read the game of a psq file.

    Raises:
        FormatError: it is no psq file; the sentence names the line.
    """
    lines = _lines(data)
    head = _HEAD.match(lines[0].text) if lines else None
    if head is None:
        raise FormatError("error.format.psq.head")
    width, height = int(head.group(1)), int(head.group(2))
    try:
        size = Rules(width=width, height=height)
    except TengenError as error:
        raise at_line(lines[0].number, error.message) from error
    problems: list[FileProblem] = []
    moves, rest = _split(lines[1:], problems)
    names, headers, division = _tail(rest)
    levels = f"{head.group(3)}:{head.group(4)}"
    if head.group(3) is not None and levels != "11:11":
        headers["psq:levels"] = levels
    # Both lines exist only if somebody has a name; in games between two people these are their names.
    names = names if tuple(names) == _NOBODY else _named(names)
    record = _game(moves, _rules(division, size), 1, {}, problems)
    if head.group(5) not in (None, "0") or (
        _after_odd_opening(record) and not _makes_five(record, headers)
    ):
        names = names[::-1]
        if "result" in headers:
            headers["result"] = _SWAPPED[headers["result"]]
    players = dict(zip(("black", "white"), names, strict=False))
    record.headers.update({key: value for key, value in {**players, **headers}.items() if value})
    games = ReadResult([record], problems)
    unread = lines[0].text[head.end() :]
    if unread:
        reason = Message("error.format.psq.rest", {"found": shorten(unread)})
        games.problems.append(FileProblem(1, at_line(lines[0].number, reason).message, "detail"))
    return games


def _after_odd_opening(record: Record) -> bool:
    """Return whether the first move that took time is White's."""
    times = [node.seconds for node in record.main_line()]
    return next((ply for ply, seconds in enumerate(times) if seconds), 0) % 2 == 1


def _makes_five(record: Record, headers: Mapping[str, str]) -> bool:
    """Return whether the result fits a five as numbered, or no winner is given."""
    if headers.get("result") not in ("black", "white"):
        return "result" not in headers
    try:
        outcome = record.board().outcome()
    except TengenError:
        return False
    if outcome is None or outcome.reason != "five":
        return False
    return headers["result"] == ("black" if outcome.winner == BLACK else "white")


def write(records: Sequence[Record]) -> bytes:
    """Write the game as a psq file.

    Raises:
        WriteError: several games, a set-up position, or a pass.
    """
    record = _only(records)
    rules = record.rules
    levels = _kept(record, "psq:levels", _LEVELS, "11:11")
    moves = _moves(record, 1)
    second = _after_odd_opening(record) and record.headers.get("result") in _RESULTS
    head = f"{MAGIC} {rules.size_text}, {levels}, 0"
    return _bytes([head, *moves, *_names(record, reverse=second), *_result(record, reverse=second)])


def read_rec(data: bytes, size: tuple[int, int] | None = None) -> ReadResult:
    """Read the game of a rec file.

    Args:
        data: the file.
        size: size of the board, which it does not state; if None it is guessed, and the guess reported.

    Raises:
        FormatError: it is no rec file; the sentence names the line.
    """
    lines = _lines(data, blank=True)
    if len(lines) < 2 or _MOVE.fullmatch(lines[0].text) or _MOVE.fullmatch(lines[1].text):
        raise FormatError("error.format.psq.names")
    problems: list[FileProblem] = []
    moves, rest = _split([line for line in lines[2:] if line.text], problems)
    headers = dict(zip(("black", "white"), _named([line.text for line in lines[:2]]), strict=True))
    if rest and not _CODE.fullmatch(rest[0].text):
        problems.append(_no_move(rest[0]))
    elif rest and rest[0].text != "0":
        headers["psq:code"] = rest[0].text
    if size is not None:
        return ReadResult([_game(moves, Rules.named("freestyle", size), 0, headers, problems)], problems)
    side = _likely_side([(int(move.group(1)), int(move.group(2))) for _, move in moves])
    rules = Rules.named("freestyle", side)
    guess = FileProblem(1, Message("error.format.psq.size", {"size": rules.size_text}), "nothing")
    return ReadResult([_game(moves, rules, 0, headers, problems)], [guess, *problems])


def _likely_side(moves: Sequence[tuple[int, int]]) -> int:
    """Guess the side of the board of moves counted from 0."""
    most = max((max(move) for move in moves), default=0)
    if most >= _REC_SIDES[0] or not moves:
        return min(max(_REC_SIDES[1], most + 1), MAX_SIDE)
    first = moves[:_FIRST]

    def far(side: int) -> float:
        """The distance of the first moves from the centre."""
        return sum(abs(2 * x - side + 1) + abs(2 * y - side + 1) for x, y in first)

    return min(_REC_SIDES, key=far)


def write_rec(records: Sequence[Record]) -> bytes:
    """Write the game as a rec file, which does not hold the size of the board.

    Raises:
        WriteError: several games, a set-up position, or a pass.
    """
    record = _only(records)
    names = _names(record) or list(_NOBODY)
    return _bytes([*names, *_moves(record, 0), _kept(record, "psq:code", _CODE, "0")])


def _lines(data: bytes, blank: bool = False) -> list[_Line]:
    check_size(data)
    lines = [_Line(n, text.strip()) for n, text in enumerate(_BREAK.split(decode(data)), 1)]
    return lines if blank else [line for line in lines if line.text]


def _split(
    lines: Sequence[_Line], problems: list[FileProblem]
) -> tuple[list[tuple[int, re.Match[str]]], Sequence[_Line]]:
    """Split lines into moves, each with its line number, and the lines after them; add faults."""
    matches = [_MOVE.fullmatch(line.text) for line in lines]
    count = next((place for place, move in enumerate(matches) if move is None), len(lines))
    moves = [(line.number, move) for line, move in zip(lines[:count], matches, strict=False) if move]
    # Moves further on mean that this line should have been a move.
    last = max((place for place, move in enumerate(matches) if move and move.group(3)), default=-1)
    if last > count:
        problems.append(_no_move(lines[count]))
        return moves, lines[last + 1 :]
    timed = [move.group(3) is not None for _, move in moves]
    if count == len(lines) and timed[:-1] and all(timed[:-1]) and not timed[-1]:
        # The file breaks off within a line: its rest may name another point.
        number, move = moves.pop()
        problems.append(_no_move(_Line(number, move.group())))
    return moves, lines[count:]


def _no_move(line: _Line) -> FileProblem:
    reason = Message("error.format.psq.move", {"found": shorten(line.text)})
    return FileProblem(1, at_line(line.number, reason).message, "moves")


def _tail(lines: Sequence[_Line]) -> tuple[list[str], dict[str, str], str]:
    """Parse the lines after the moves: the players' names, headers, and the division."""
    rest = [line.text for line in lines]
    names: list[str] = []
    no_names = len(rest) < 2 or (
        _CODE.fullmatch(rest[0]) and (len(rest) == 2 or _WINNER.fullmatch(rest[1]))
    )
    if not no_names:
        names, rest = rest[:2], rest[2:]
    headers: dict[str, str] = {}
    division = ""
    if rest and _CODE.fullmatch(rest[0]):
        if rest[0] not in ("0", "-1"):
            headers["psq:code"] = rest[0]
        rest = rest[1:]
    winner = _WINNER.fullmatch(rest[0]) if rest else None
    if winner is not None:
        division = winner.group(2).strip()
        result = {number: name for name, number in _RESULTS.items()}.get(winner.group(1))
        if result is not None:
            headers["result"] = result
        if division not in ("", *map(str.title, NAMES)):
            headers["psq:division"] = division
    return names, headers, division


def _rules(division: str, size: Rules) -> Rules:
    return Rules.named(_preset(division), (size.width, size.height))


def _preset(division: str) -> str:
    return next((name for name in NAMES if division.lower().startswith(name)), "freestyle")


def _game(
    moves: Sequence[tuple[int, re.Match[str]]],
    rules: Rules,
    first: int,
    headers: dict[str, str],
    problems: list[FileProblem],
) -> Record:
    """Return the record of moves whose coordinates count from `first`, up to a fault, which is added."""
    builder = RecordBuilder(rules)
    for number, move in moves:
        x, y = int(move.group(1)) - first, int(move.group(2)) - first
        try:
            if not (0 <= x < rules.width and 0 <= y < rules.height):
                values = {"point": shorten(move.group()), "width": rules.width, "height": rules.height}
                raise FormatError("error.format.psq.outside", **values)
            node = builder.play(notation.from_gomocup(x, y, rules.width, rules.height))
        except TengenError as error:
            problems.append(FileProblem(1, at_line(number, error.message).message, "moves"))
            break
        milliseconds = int(move.group(3) or 0)
        if milliseconds:
            node.seconds = milliseconds / 1000
    return builder.record({key: value for key, value in headers.items() if value})


def _named(names: list[str]) -> list[str]:
    """Return the names in a file, with an empty one for a player without a name."""
    return ["" if name == nobody else name for name, nobody in zip(names, _NOBODY, strict=False)]


def _only(records: Sequence[Record]) -> Record:
    if len(records) != 1:
        raise WriteError("error.write.one", count=len(records))
    record = records[0]
    setup = record.setup
    if setup.turn != BLACK or any(setup.position):
        raise WriteError("error.write.setup")
    return record


def _moves(record: Record, first: int) -> list[str]:
    width, height = record.rules.width, record.rules.height
    lines = []
    for node in record.main_line():
        if node.point is None or node.point == PASS:
            raise WriteError("error.write.pass")
        x, y = notation.to_gomocup(node.point, width, height)
        seconds = node.seconds or 0.0
        milliseconds = max(0, round(1000 * seconds)) if math.isfinite(seconds) else 0
        lines.append(f"{x + first},{y + first},{milliseconds}")
    return lines


def _names(record: Record, *, reverse: bool = False) -> list[str]:
    """Write the two lines with the players' names; none if both would be empty."""
    keys = ("white", "black") if reverse else ("black", "white")
    names = [" ".join(record.headers.get(key, "").split()) for key in keys]
    if not any(names):
        return []
    # A name must not be read as a move, or as a line after the names.
    names = [
        name.replace(",", ";") if _MOVE.fullmatch(name) or _WINNER.fullmatch(name) else name
        for name in names
    ]
    return [name or nobody for name, nobody in zip(names, _NOBODY, strict=True)]


def _result(record: Record, *, reverse: bool) -> list[str]:
    headers = record.headers
    winner = _RESULTS.get(headers.get("result", ""))
    if reverse and winner in _OTHER:
        winner = _OTHER[winner]
    if winner is None:
        return [_kept(record, "psq:code", _CODE, "0")]
    name = preset_of(record.rules)
    division = " ".join(headers.get("psq:division", "").split())
    if not division or _preset(division) != name:
        division = name.title()
    return ["-1", f"{winner},{division}"]


def _kept(record: Record, header: str, form: re.Pattern[str], usual: str) -> str:
    """Return a header of this format's own, if it is well-formed, or else the usual value."""
    value = record.headers.get(header, usual)
    return value if form.fullmatch(value) else usual


def _bytes(lines: Sequence[str]) -> bytes:
    """Join lines as Piskvork, a program for Windows, does."""
    return "".join(f"{line}\r\n" for line in lines).encode("utf-8", "replace")
