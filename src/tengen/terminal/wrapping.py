"""Text in lines that fit a terminal, counted in its columns: a Chinese character takes two."""

from __future__ import annotations

import re
import shutil
from typing import TextIO

from rich.cells import cell_len

_GAP = re.compile(r"^ *\S.*? {2,}(?=\S)")
"""The first column of a list, with the space behind it."""

_DEEPEST = 32
"""Columns of the widest first column that the text behind it keeps clear of."""

_PIECE = re.compile(
    r"\s+|[^\s\u2e80-\uffef]+"
    r"|[\u2e80-\uffef][\uff0c\u3002\uff1b\uff1a\u3001\uff01\uff1f\uff09\u3011\u300b\u201d\u2019\u2026]*"
)
"""What stays together: a word, or a Chinese character with the punctuation that may not begin a line."""


def columns_of(stream: TextIO) -> int | None:
    """Columns of the terminal that a stream writes to; None where it is none."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def wrapped(line: str, width: int) -> list[str]:
    """A line in pieces of at most `width` columns; those that follow begin where its text does."""
    if cell_len(line) <= width:
        return [line]
    gap = _GAP.match(line)
    plain = len(line) - len(line.lstrip())
    indent = cell_len(gap.group()) if gap else plain
    if indent > min(_DEEPEST, width // 2):
        gap, indent = None, plain
    lines, current = [], gap.group() if gap else line[:plain]
    for piece in _pieces(line[len(current) :], width - indent):
        if cell_len((current + piece).rstrip()) > width and current.strip():
            lines.append(current.rstrip())
            current = " " * indent
        if piece.strip() or current.strip():
            current += piece
    return [*lines, current.rstrip()]


def _pieces(text: str, width: int) -> list[str]:
    """What stays together, unless it is wider than a whole line."""
    return [
        piece[place : place + width]
        for piece in _PIECE.findall(text)
        for place in range(0, len(piece), max(width, 1))
    ]
