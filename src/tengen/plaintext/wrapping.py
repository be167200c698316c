"""Line wrapping for terminals, measured in columns: a Chinese character takes two."""

from __future__ import annotations

import re
import shutil
from typing import TextIO
from unicodedata import category, east_asian_width

_GAP = re.compile(r"^ *\S.*? {2,}(?=\S)")
"""A pattern for the first column of a list, with the gap after it."""

_DEEPEST = 36
"""The widest first column, in screen columns, for which continuation lines are indented."""

_PIECE = re.compile(
    r"\s+|[^\s\u2e80-\uffef]+"
    r"|[\u2e80-\uffef][\uff0c\u3002\uff1b\uff1a\u3001\uff01\uff1f\uff09\u3011\u300b\u201d\u2019\u2026]*"
)
"""A pattern for unbreakable pieces: a word, or a Chinese character with the punctuation after it."""


def columns(text: str) -> int:
    """Return the number of columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        2 if east_asian_width(each) in ("W", "F") else category(each) not in ("Mn", "Me") for each in text
    )


def columns_of(stream: TextIO) -> int | None:
    """Return the columns of the terminal that a stream writes to; None if it is not a terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def wrapped(line: str, width: int) -> list[str]:
    """Wrap a line to at most `width` columns; continuation lines are indented to the start of its text."""
    if columns(line) <= width:
        return [line]
    gap = _GAP.match(line)
    plain = len(line) - len(line.lstrip())
    indent = columns(gap.group()) if gap else plain
    if indent > min(_DEEPEST, width // 2):
        gap, indent = None, plain
    lines, current = [], gap.group() if gap else line[:plain]
    for piece in _pieces(line[len(current) :], width - indent):
        if columns((current + piece).rstrip()) > width and current.strip():
            lines.append(current.rstrip())
            current = " " * indent
        if piece.strip() or current.strip():
            current += piece
    return [*lines, current.rstrip()]


def _pieces(text: str, width: int) -> list[str]:
    """Return the unbreakable pieces of a text, split only if they are wider than a whole line."""
    return [
        piece[place : place + width]
        for piece in _PIECE.findall(text)
        for place in range(0, len(piece), max(width, 1))
    ]
