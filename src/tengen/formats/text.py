"""Places in text files, and limits of files."""

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
"""The most games accepted in one text file."""

MAX_PROBLEMS = 10_000
"""The number of problems after which a reader gives up on the rest of the file."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class TextPositions:
    """Lines and columns of a text, found quickly if requested in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1
        self._break = -1

    def at(self, offset: int) -> tuple[int, int]:
        """Return line and column, both from 1, of the character at `offset`."""
        if offset < self._offset:
            self._offset, self._line, self._break = 0, 1, -1
        self._line += self._text.count("\n", self._offset, offset)
        self._break = max(self._break, self._text.rfind("\n", self._offset, offset))
        self._offset = offset
        return self._line, offset - self._break

    def message(self, offset: int, reason: Message) -> Message:
        """Return the message of a fault at `offset`."""
        line, column = self.at(offset)
        return Message("error.format.place", {"line": line, "column": column, "reason": reason})


def at_line(line: int, reason: Message) -> FormatError:
    """Return the error of a fault in a line, counted from 1."""
    return FormatError("error.format.line", line=line, reason=reason)


class FileLimits:
    """Limits of the content of a file, over all its games.

    A few characters can ask for a large board, for a rectangle full of stones, or for another game; the
    limits allow any sensible content for a file of this size.

    Args:
        size: size of the file, in bytes or characters.
        points: the points of boards allowed for each character.
    """

    def __init__(self, size: int, points: int = 16) -> None:
        self._nodes = MAX_NODES
        self._games = MAX_GAMES
        self._points = 1_000_000 + points * size
        self._expanded = 10_000 + size // 8

    def nodes(self, count: int = 1) -> None:
        """Count moves.

        Raises:
            LimitError: there are too many.
        """
        self._nodes -= count
        if self._nodes < 0:
            raise LimitError("error.format.nodes", most=MAX_NODES)

    def game(self, points: int) -> None:
        """Count another game, on a board of so many points.

        Raises:
            LimitError: there are too many.
        """
        self._games -= 1
        self._points -= points
        if self._games < 0:
            raise LimitError("error.format.games", most=MAX_GAMES)
        if self._points < 0:
            raise LimitError("error.format.greedy")

    def expanded(self, points: int) -> None:
        """Count points besides those that the file names one by one.

        Raises:
            LimitError: there are too many.
        """
        self._expanded -= points
        if self._expanded < 0:
            raise LimitError("error.format.greedy")


def check_size(data: bytes) -> None:
    """Refuse a file that is too large.

    Raises:
        FormatError: it is larger than `MAX_BYTES`.
    """
    if len(data) > MAX_BYTES:
        raise FormatError("error.format.bytes", size=len(data), most=MAX_BYTES)


def well_formed(text: str) -> str:
    """Return `text` without halves of surrogate pairs, which no encoding can write."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def for_xml(text: str) -> str:
    """Return `text` with U+FFFD for characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def list_problem(games: ReadResult, message: Message, number: int, missing: Missing = "game") -> bool:
    """Add a fault to the content of a file.

    Args:
        games: the content read so far.
        message: the fault.
        number: the game's number in the file, from 1.
        missing: the loss caused by it.

    Returns:
        True to read on; after very many faults it is not worth it.
    """
    games.problems.append(FileProblem(number, message, missing))
    if len(games.problems) < MAX_PROBLEMS:
        return True
    games.problems.append(FileProblem(number + 1, Message("error.format.problems", {"most": MAX_PROBLEMS})))
    return False


def require_games(games: ReadResult) -> ReadResult:
    """Return `games` if there are any.

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
