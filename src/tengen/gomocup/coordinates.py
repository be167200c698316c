"""Points as the protocol writes them: ``x,y``, both from 0, y from the top."""

from __future__ import annotations

import re

from tengen.game import notation
from tengen.game.errors import OffBoard
from tengen.game.notation import shorten
from tengen.game.points import Point
from tengen.gomocup.protocol_lines import ProtocolError, without_remark

_COORDINATES = re.compile(r"([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})")

SEPARATOR = r"(?:\s*,\s*|\s+)"
"""What stands between the numbers of a command: a comma, as the protocol has it, or blanks."""

_TOLD = re.compile(rf"([+-]?[0-9]{{1,9}}){SEPARATOR}([+-]?[0-9]{{1,9}})")


def point_text(point: Point, width: int, height: int) -> str:
    """A point of a board of this size."""
    return "{},{}".format(*notation.to_gomocup(point, width, height))


def coordinates(text: str) -> tuple[int, int] | None:
    """The numbers of ``x,y``, on whatever board; None for any other text."""
    match = _COORDINATES.fullmatch(text)
    return None if match is None else (int(match[1]), int(match[2]))


def parse_point(text: str, width: int, height: int) -> Point:
    """The point that a manager names on a board of this size: ``x,y`` or ``x y``, and words after it.

    Raises:
        ProtocolError: it is none.
    """
    found = _TOLD.fullmatch(without_remark(text, _TOLD))
    if found is not None:
        x, y = int(found[1]), int(found[2])
        try:
            return notation.from_gomocup(x, y, width, height)
        except OffBoard:
            text = f"{x},{y}"
    raise ProtocolError("error.gomocup.point", text=shorten(text), most=max(width, height) - 1)
