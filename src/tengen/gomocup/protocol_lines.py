"""Lines of the protocol: bytes split into lines, and a line into its command and arguments."""

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
"""The longest line in bytes; a longer one is split."""

_ENDS = re.compile(rb"[\r\n]+")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_DIGIT = re.compile(r"[0-9]")


class ProtocolError(TengenError):
    """A line that cannot be carried out; the position is unchanged."""


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """A line received from a manager or a program.

    Attributes:
        text: the line, stripped and not empty.
        at: the time of its arrival, by `time.perf_counter`.
        first: True if it, or its beginning, arrived apart from the line before it.
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
        """The arguments of the command."""
        return self.text.partition(self.text.split(maxsplit=1)[0])[2].strip()


def lines(stream: Any) -> Iterator[ProtocolLine]:
    """Iterate over the lines of a text stream as they arrive, without empty ones.

    Args:
        stream: a stream such as ``sys.stdin``; its bytes are read if it has a buffer, in any encoding.
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
    """Split bytes into whole lines, ended by LF, CR or both, one list for each piece read.

    Each list comes with a flag: the next line has begun in the same piece. A line that does not end is
    split into pieces longer than `LONGEST`.

    Args:
        read: returns the next bytes, none at the end; a stream that fails has ended.
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
    """Parse a whole number; None for any other text."""
    return int(text) if _NUMBER.fullmatch(text) else None


def without_remark(text: str, value: re.Pattern[str]) -> str:
    """Strip the words after a value, which some managers add as a unit or a remark.

    A digit among them may belong to a value that is not understood: then the whole text is returned, as it
    is if it does not begin with a value.
    """
    match = value.match(text)
    if match is None or _DIGIT.search(text, match.end()) or text[match.end() : match.end() + 1].strip():
        return text
    return match[0]
