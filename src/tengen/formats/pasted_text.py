"""Any position or game in a text, in any form: pasted, typed, or in a ``.txt`` file.

One function recognises them all, `read_text`. Assumptions about what the text leaves open are among the
problems of the result, as problems that lose nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tengen.formats import ascii as drawings
from tengen.formats import jsonformat, movetext, psq, renjunet, sgf
from tengen.formats.common import FileProblem, FormatError, ReadResult
from tengen.formats.drawn_cells import Redrawn, redrawn
from tengen.formats.encodings import decode
from tengen.formats.move_lists import MovesRead, read_moves
from tengen.formats.protocol_text import looks_like_protocol, read_protocol
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.text import check_size
from tengen.game.errors import TengenError
from tengen.game.record import Record
from tengen.game.rules import Rules
from tengen.plaintext.characters import clean
from tengen.words import Message

_NODES = re.compile(r"\s*;?\s*(?:FF|GM|SZ|B|W|AB|AW)\s*\[")
_NODE = re.compile(r";\s*[A-Z]{1,2}\s*\[")
_NUMBERS = re.compile(r"\{\s*-?[0-9]")
_NUMBERED = re.compile(r"\s*[(#\[]*[0-9]{1,3}[.):\]\s]")
_LONGEST_GAME = 60_000
"""The longest text of one game, in characters; a longer text is a list of games."""

_SAMPLE = 100
"""Lines to examine for a list of games."""

_STATED = re.compile(r"#\s*rules\s*:", re.IGNORECASE)


def parse_position(text: str, rules: Rules | None = None) -> Record:
    """Return the first game or position of a text; see `read_text`.

    Raises:
        NotationError: text of no known form; the sentence names the place.
        IllegalMove: a point off the board, or occupied.
        RulesError: rules that make no sense.
    """
    return read_text(text, rules).records[0]


def read_text(text: str, rules: Rules | None = None) -> ReadResult:
    """Read the games or positions in a text.

    It recognises SGF, RenjuNet's XML, JSON (ours, or lists of stones), Piskvork's psq, a conversation in
    the Gomocup protocol, boards drawn in signs, lists of moves (`tengen.formats.move_lists`) on one or
    several lines, and lists of games, one a line.

    Args:
        text: the text; what holds nothing is the game without moves.
        rules: the rules of a drawing or of moves (a drawing keeps its size); if None as
            `tengen.formats.ascii` and `tengen.formats.move_lists` assume. Other forms state them.

    Raises:
        NotationError: comments alone, or text of none of these forms; the sentence names the place.
        IllegalMove: a point off the board, or occupied.
        RulesError: rules that make no sense.
    """
    body = clean(text).strip("\n")
    start = body.lstrip()
    data = text[max(text.find(start[:1]), 0) :].encode("utf-8", "replace")
    if start.startswith("(") and ";" in start:
        return sgf.read(data)
    if start.startswith("<") and not start.startswith("<0"):
        return renjunet.read(data)
    if start.startswith("{") and not _NUMBERS.match(start):
        return _json(data)
    if start.startswith(psq.MAGIC):
        return psq.read(data)
    if _NODES.match(start) and _NODE.search(start):
        return _unbracketed(start)
    if looks_like_protocol(start):
        return _with_notes(read_protocol(start, rules))
    drawn = redrawn(body)
    if drawn is not None and (drawn.order or drawings.looks_like_board(drawn.text)):
        return _with_notes(_from_drawing(drawn, rules))
    if drawings.looks_like_board(body):
        return _drawings(body, rules)
    return _lists(start, rules)


def check_content(text: str) -> None:
    """Require something to be seen in a text.

    Raises:
        FormatError: there is nothing.
    """
    if not clean(text).strip():
        raise FormatError("error.format.empty")


def read_file(data: bytes, rules: Rules | None = None) -> ReadResult:
    """Read the games or positions of a text file; see `read_text`.

    Raises:
        FormatError: no game can be read.
    """
    check_size(data)
    text = decode(data)
    check_content(text)
    try:
        return read_text(text, rules)
    except FormatError:
        raise
    except TengenError as error:
        raise FormatError(error.message.key, **error.message.values) from error


def _json(data: bytes) -> ReadResult:
    try:
        return jsonformat.read(data)
    except FormatError:
        try:
            return jsonformat.read_lines(data)
        except FormatError:
            pass
        raise


def _unbracketed(text: str) -> ReadResult:
    """Read nodes of SGF that have lost the brackets around them."""
    semicolon = "" if text.lstrip().startswith(";") else ";"
    return sgf.read(f"({semicolon}{text.rstrip().rstrip(')')})".encode("utf-8", "replace"))


def _with_notes(read: MovesRead) -> ReadResult:
    return ReadResult([read.record], [FileProblem(0, note, "nothing") for note in read.notes])


def _from_drawing(drawn: Redrawn, rules: Rules | None) -> MovesRead:
    board = drawings.parse_board(drawn.text, rules)
    if not drawn.order:
        return MovesRead(Record(board.rules, board.setup), drawn.notes)
    builder = RecordBuilder(board.rules)
    for row, column in drawn.order:
        builder.play((board.height - 1 - row) * board.width + column)
    return MovesRead(builder.record(), drawn.notes)


def _drawings(text: str, rules: Rules | None) -> ReadResult:
    """Read one drawing, blank lines among its rows or not, or several with blank lines between them."""
    try:
        board = drawings.parse_board(text, rules)
    except TengenError as error:
        try:
            several = drawings.read(text.encode("utf-8", "replace"), rules)
        except TengenError:
            raise error from None
        if len(several.records) < 2:
            raise
        return several
    return ReadResult([Record(board.rules, board.setup)])


def _lists(text: str, rules: Rules | None) -> ReadResult:
    """Read the moves of one game, on however many lines, or games one a line."""
    lines = [line for line in text.split("\n") if line.strip()]
    moves = [line for line in lines if not movetext.is_comment(line)]
    if len(text) > _LONGEST_GAME or any(_STATED.match(line.strip()) for line in lines):
        return movetext.read(text.encode("utf-8", "replace"), rules)
    if not moves and len(lines) > 1:
        raise FormatError("error.format.empty")
    if len(lines) < 2:
        return _with_notes(read_moves(text, rules))
    try:
        read = read_moves("\n".join(moves), rules)
    except TengenError:
        if not _are_games(moves, rules):
            raise
        return movetext.read(text.encode("utf-8", "replace"), rules)
    count = len(read.record.main_line())
    if count > len(moves) > 1 and not _NUMBERED.match(moves[1]):
        read.notes.append(Message("assumed.one_game", {"lines": len(moves), "moves": count}))
    return _with_notes(read)


def _are_games(lines: Sequence[str], rules: Rules | None) -> bool:
    """Return whether most lines are games of their own, not single moves of one faulty game."""
    lengths = []
    lines = lines[:_SAMPLE]
    for line in lines:
        try:
            lengths.append(len(read_moves(line, rules).record.main_line()))
        except TengenError:
            lengths.append(0)
    games = sum(length > 0 for length in lengths)
    repeated = len({line.strip() for line in lines}) < len(lines)
    return games * 2 >= len(lines) and games > 1 and (max(lengths) > 1 or repeated)
