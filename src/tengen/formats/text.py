"""Places in text files, and how much a file may ask for."""

from __future__ import annotations

import re

from tengen.formats.common import (
    MAX_BYTES,
    MAX_NODES,
    FileProblem,
    FormatError,
    LimitError,
    Missing,
    ReadResult,
)
from tengen.words import Message

MAX_GAMES = 500_000
"""The most games that one file of text may hold."""

MAX_PROBLEMS = 10_000
"""After so many games that cannot be read a reader gives up on the rest of the file."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class TextPositions:
    """Lines and columns of a text, quick to find as long as they are asked for in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1
        self._break = -1

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at `offset`."""
        if offset < self._offset:
            self._offset, self._line, self._break = 0, 1, -1
        self._line += self._text.count("\n", self._offset, offset)
        self._break = max(self._break, self._text.rfind("\n", self._offset, offset))
        self._offset = offset
        return self._line, offset - self._break

    def message(self, offset: int, reason: Message) -> Message:
        """That something is wrong with the character at `offset`."""
        line, column = self.at(offset)
        return Message("error.format.place", {"line": line, "column": column, "reason": reason})


def at_line(line: int, reason: Message) -> FormatError:
    """The error that something is wrong in that line, counted from 1."""
    return FormatError("error.format.line", line=line, reason=reason)


class FileLimits:
    """What may come of a file, in all its games together.

    A few characters can ask for a large board, for a rectangle full of stones, or for one game more; what
    a file as large as this can sensibly mean is enough.

    Args:
        size: of the file, in bytes or characters.
        points: how many points of a board a character may be worth.
    """

    def __init__(self, size: int, points: int = 16) -> None:
        self._nodes = MAX_NODES
        self._games = MAX_GAMES
        self._points = 1_000_000 + points * size
        self._expanded = 10_000 + size // 8

    def nodes(self, count: int = 1) -> None:
        """Take up moves.

        Raises:
            LimitError: there were too many.
        """
        self._nodes -= count
        if self._nodes < 0:
            raise LimitError("error.format.nodes", most=MAX_NODES)

    def game(self, points: int) -> None:
        """Take up another game, on a board of so many points.

        Raises:
            LimitError: there were too many.
        """
        self._games -= 1
        self._points -= points
        if self._games < 0:
            raise LimitError("error.format.games", most=MAX_GAMES)
        if self._points < 0:
            raise LimitError("error.format.greedy")

    def expanded(self, points: int) -> None:
        """Take up points besides those that the file names one by one.

        Raises:
            LimitError: there were too many.
        """
        self._expanded -= points
        if self._expanded < 0:
            raise LimitError("error.format.greedy")


def check_size(data: bytes) -> None:
    """Refuse a file larger than any that is read.

    Raises:
        FormatError: it is.
    """
    if len(data) > MAX_BYTES:
        raise FormatError("error.format.bytes", size=len(data), most=MAX_BYTES)


def well_formed(text: str) -> str:
    """`text` without halves of surrogate pairs, which no encoding can write."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def for_xml(text: str) -> str:
    """`text` with U+FFFD for characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def list_problem(
    games: ReadResult, message: Message, number: int | None = None, missing: Missing = "game"
) -> bool:
    """Add a fault to what a file held.

    Args:
        games: what has been read so far.
        message: what is wrong.
        number: the game's number in the file, from 1; the next one if None.
        missing: what could not be kept for it.

    Returns:
        Whether to read on; after very many faults it is not worth it.
    """
    number = len(games.records) + len(games.unread) + 1 if number is None else number
    games.problems.append(FileProblem(number, message, missing))
    if len(games.problems) < MAX_PROBLEMS:
        return True
    games.problems.append(FileProblem(number + 1, Message("error.format.problems", {"most": MAX_PROBLEMS})))
    return False


def found(games: ReadResult) -> ReadResult:
    """`games`, if there are any.

    Raises:
        FormatError: a file with no game that could be read.
    """
    if games.records:
        return games
    lost = games.unread
    if not lost:
        raise FormatError("error.format.empty")
    first = lost[0].message
    if len(lost) == 1:
        raise FormatError(first.key, **first.values)
    raise FormatError("error.format.none", count=len(lost), reason=first)
