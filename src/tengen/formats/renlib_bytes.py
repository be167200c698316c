"""The bytes of a RenLib library: its header, flags of nodes, points, and encodings of its text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tengen.formats.common import MAX_TEXT
from tengen.formats.encodings import decode_pieces
from tengen.game.points import PASS, Point
from tengen.game.record import MarkKind

START_HEADER = "renlib:start"
"""The header of a record with the position at which RenLib opens the library, as move text."""

SIZE = 15
MAGIC = b"\xffRenLib\xff"
HEADER_LENGTH = 20
NEWEST = (3, 4)
H8 = 0x78

# The names of the flags are RenLib's: its tree grows to the right, and variations lie below each other.
DOWN = 0x80  # another variation of the same position follows later
RIGHT = 0x40  # nothing follows this move
OLD_COMMENT = 0x20
MARK = 0x10
COMMENT = 0x08
START = 0x04
NO_MOVE = 0x02
EXTENSION = 0x01
MORE = OLD_COMMENT | MARK | COMMENT | START | NO_MOVE | EXTENSION
BOARD_TEXT = 0x0001  # in the two bytes that the extension adds

ONE_LINE = 80  # characters that fit above RenLib's board
SEPARATOR = b"\b"
OLD_END = re.compile(rb"[\x80-\xff]")
MAX_BYTES_OF_TEXT = 4 * MAX_TEXT

SHAPES: dict[MarkKind, str] = {"triangle": "△", "square": "□", "circle": "○", "cross": "×"}
KINDS = {text: kind for kind, text in SHAPES.items()}

OFF = -2


def _point_of(number: int) -> Point:
    """Return the point of a byte, `PASS`, or `OFF`."""
    if number == 0:
        return PASS
    row, column = divmod(number, 16)
    return (SIZE - 1 - row) * SIZE + column - 1 if column and row < SIZE else OFF


POINTS = tuple(_point_of(number) for number in range(256))
NUMBERS = {point: number for number, point in enumerate(POINTS) if point != OFF}


def encoding_for(texts: Iterable[str]) -> str:
    """Return the encoding to write: one that other programs show, if it will be recognised."""
    foreign = [text for text in texts if not text.isascii()]
    for encoding in ("cp1252", "gb18030"):
        try:
            raw = [text.encode(encoding) for text in foreign]
        except UnicodeEncodeError:
            continue
        if decode_pieces(raw)[0] == foreign:
            return encoding
    return "utf-8"
