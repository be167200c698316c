"""Any position or game that somebody pastes, in whichever form it comes."""

from __future__ import annotations

from tengen.formats import ascii as drawings
from tengen.formats import jsonformat, movetext, psq, sgf
from tengen.formats.common import ReadResult
from tengen.formats.encodings import decode
from tengen.game.record import Record
from tengen.game.rules import Rules


def parse_position(text: str, rules: Rules | None = None) -> Record:
    """The game or position that a text holds; the first, where it holds several.

    Recognised are SGF, Piskvork's psq, JSON (ours, or lists of stones), a board drawn in signs, and on one
    line move text, an address that ends in it, offsets from the centre and pairs of letters.

    Args:
        text: what was pasted, or typed.
        rules: what a drawing or a line of moves is played by (the drawing keeps its size); if None as
            `tengen.formats.ascii` and `tengen.formats.movetext` assume. The other forms say it themselves.

    Raises:
        NotationError: text of none of these forms; the sentence names the place.
        IllegalMove: a point off the board, or occupied.
        RulesError: rules that make no sense.
    """
    start = text.lstrip("\ufeff").lstrip()
    if start.startswith("(") and ";" in start:
        return sgf.read(text.encode("utf-8", "replace")).records[0]
    if start.startswith("{"):
        return jsonformat.read(text.encode("utf-8", "replace")).records[0]
    if start.startswith(psq.MAGIC):
        return psq.read(text.encode("utf-8", "replace")).records[0]
    if drawings.looks_like_board(text):
        board = drawings.parse_board(text, rules)
        return Record(board.rules, board.setup)
    return movetext.parse_line(" ".join(text.split()), rules)


def read_text(data: bytes) -> ReadResult:
    """The games of a text file: drawings of boards, or else one game a line.

    Raises:
        FormatError: no game can be read.
    """
    if drawings.looks_like_board(decode(data)):
        return drawings.read(data)
    return movetext.read(data)
