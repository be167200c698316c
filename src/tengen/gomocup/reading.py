"""Reading the Gomocup protocol: bytes into lines, lines into commands, points and stones."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tengen.game import notation
from tengen.game.errors import OffBoard, TengenError
from tengen.game.notation import shorten
from tengen.game.points import Point
from tengen.words import Message

LONGEST = 65_536
"""Bytes after which a line is taken for ended."""

_ENDS = re.compile(rb"[\r\n]+")
_POINT = re.compile(r"([0-9]{1,9})\s*,\s*([0-9]{1,9})")
_STONE = re.compile(rf"{_POINT.pattern}\s*,\s*([0-9]{{1,9}})")
_PASS = re.compile(r"-1\s*,\s*-1\s*,\s*[12]")
_LIKE_A_STONE = re.compile(r"[-+]?[0-9]+\s*,.*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")

_OWN, _OTHER, _FINISHED = 1, 2, 3

Stones: TypeAlias = list[tuple[Point, bool]]
"""Points in the order told, each with whether the stone is one's own."""


class ProtocolError(TengenError):
    """A line that cannot be obeyed; the position is as it was."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of input.

    Attributes:
        text: without blanks around it, not empty.
        at: when it came, by `time.perf_counter`.
        first: whether it came by itself, not in one piece with a line before it.
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


def lines(stream: Any) -> Iterator[Line]:
    """The lines of a text stream as they come, ended by LF, CR or both; empty ones are left out.

    Args:
        stream: what ``sys.stdin`` is; its bytes are read where it has any.
    """
    for piece in _pieces(stream):
        now, first = time.perf_counter(), True
        for data in piece:
            text = data[:LONGEST].decode("utf-8", "replace").replace("\0", " ").strip()
            if text:
                yield Line(text, now, first)
                first = False


def _pieces(stream: Any) -> Iterator[list[bytes]]:
    """Whole lines, in lists of those that came in one piece."""
    data = getattr(stream, "buffer", None)
    if data is None:
        yield _ENDS.split(stream.read().encode())
        return
    rest = b""
    while chunk := _chunk(data):
        *whole, rest = _ENDS.split(rest + chunk)
        if len(rest) > LONGEST:
            whole, rest = [*whole, rest], b""
        yield whole
    yield [rest]


def _chunk(data: Any) -> bytes:
    try:
        read: bytes = data.read1(LONGEST)
    except (OSError, ValueError):
        return b""
    return read


def whole(text: str) -> int | None:
    """A whole number, or None."""
    return int(text) if _NUMBER.fullmatch(text) else None


def point_at(text: str, size: int) -> Point:
    """The point of ``x,y`` on a square board.

    Raises:
        ProtocolError: the text is none.
    """
    match = _POINT.fullmatch(text)
    if match is None:
        raise ProtocolError("error.gomocup.point", text=shorten(text), most=size - 1)
    return _on_board(match[1], match[2], size)


def _on_board(x: str, y: str, size: int) -> Point:
    try:
        return notation.from_gomocup(int(x), int(y), size, size)
    except OffBoard:
        text = f"{int(x)},{int(y)}"
        raise ProtocolError("error.gomocup.point", text=text, most=size - 1) from None


def point_text(point: Point, size: int) -> str:
    """A point of a square board as ``x,y``."""
    return "{},{}".format(*notation.to_gomocup(point, size, size))


def like_a_stone(text: str) -> bool:
    """Whether a line looks like one of a list: such lines are no commands."""
    return _LIKE_A_STONE.fullmatch(text) is not None


@dataclass(slots=True)
class StoneList:
    """The lines between BOARD, YXBOARD or SWAP2BOARD and DONE.

    Attributes:
        command: which of them.
        lines: as they came.
    """

    command: str
    lines: list[str] = field(default_factory=list)

    def stones(self, size: int) -> Stones:
        """What the lines say; those of SWAP2BOARD name no owner, and all count as the other's.

        Raises:
            ProtocolError: a line that is no stone of this board, or a point told twice.
        """
        stones: Stones = []
        seen: set[Point] = set()
        for number, text in enumerate(self.lines, 1):
            if self.command == "YXBOARD" and _PASS.fullmatch(text):
                continue  # Yixin-Board tells of a pass like this; who is to move follows from the counts
            try:
                point, own = self._stone(text, size)
            except ProtocolError as error:
                raise self._wrong(number, error.message) from None
            if point in seen:
                told = Message("error.gomocup.occupied", {"point": point_text(point, size)})
                raise self._wrong(number, told)
            seen.add(point)
            stones.append((point, own))
        return stones

    def _stone(self, text: str, size: int) -> tuple[Point, bool]:
        if self.command == "SWAP2BOARD":
            return point_at(text, size), False
        match = _STONE.fullmatch(text)
        if match is None or int(match[3]) not in (_OWN, _OTHER):
            if match is not None and int(match[3]) == _FINISHED:
                raise ProtocolError("error.gomocup.continuous")
            raise ProtocolError("error.gomocup.stone", text=shorten(text))
        return _on_board(match[1], match[2], size), int(match[3]) == _OWN

    def _wrong(self, number: int, reason: Message) -> ProtocolError:
        return ProtocolError("error.gomocup.line", command=self.command, number=number, reason=reason)
