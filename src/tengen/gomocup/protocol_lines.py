"""Lines of the protocol: bytes into lines, and a line into its command and what follows it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tengen.game.errors import TengenError
from tengen.plaintext.characters import clean
from tengen.plaintext.streams import as_utf8

LONGEST = 65_536
"""Bytes after which a line is taken for ended."""

_ENDS = re.compile(rb"[\r\n]+")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_DIGIT = re.compile(r"[0-9]")


class ProtocolError(TengenError):
    """A line that cannot be obeyed; the position is as it was."""


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """A line that has come, of a manager or of a program.

    Attributes:
        text: without blanks around it, not empty.
        at: when it came, by `time.perf_counter`.
        first: whether it came by itself; it, or its beginning, not in one piece with a line before it.
    """

    text: str
    at: float
    first: bool = True

    @property
    def word(self) -> str:
        """The command, in upper case."""
        return self.text.split(maxsplit=1)[0].upper()

    @property
    def rest(self) -> str:
        """What follows the command."""
        return self.text.partition(self.text.split(maxsplit=1)[0])[2].strip()


def lines(stream: Any) -> Iterator[ProtocolLine]:
    """The lines of a text stream as they come; empty ones are left out.

    Args:
        stream: what ``sys.stdin`` is; its bytes are read where it has any, in whatever encoding they are.
    """
    data = getattr(stream, "buffer", None)
    if data is None:
        split = iter([(_ENDS.split(stream.read().encode()), False)])
    else:
        split = pieces(as_utf8(lambda: data.read1(LONGEST)))
    first = True
    for piece, unfinished in split:
        now = time.perf_counter()
        for line in piece:
            for text in clean(line[:LONGEST].decode("utf-8", "replace").replace("\0", " ")).split("\n"):
                if text.strip():
                    yield ProtocolLine(text.strip(), now, first)
                    first = False
        first = first or not unfinished


def pieces(read: Callable[[], bytes]) -> Iterator[tuple[list[bytes], bool]]:
    """Whole lines, ended by LF, CR or both, in lists of those that came in one piece.

    With each comes whether the next line has begun in the same piece. A line that does not end comes in
    pieces longer than `LONGEST`.

    Args:
        read: gives the next bytes, none at the end; a stream that fails has ended.
    """
    rest = b""
    while chunk := _chunk(read):
        *whole, rest = _ENDS.split(rest + chunk)
        if len(rest) > LONGEST:
            whole, rest = [*whole, rest], b""
        yield whole, bool(rest)
    yield [rest], False


def _chunk(read: Callable[[], bytes]) -> bytes:
    try:
        return read()
    except (OSError, ValueError):
        return b""


def whole_number(text: str) -> int | None:
    """A whole number, or None."""
    return int(text) if _NUMBER.fullmatch(text) else None


def without_remark(text: str, value: re.Pattern[str]) -> str:
    """The beginning of a text that has the form of a value, where only words without a digit follow it.

    Some managers add a unit or a remark. A digit in it may be a value that is not understood, so the whole
    text is returned then, and where the text begins with no value.
    """
    found = value.match(text)
    if found is None or _DIGIT.search(text, found.end()) or text[found.end() : found.end() + 1].strip():
        return text
    return found[0]
