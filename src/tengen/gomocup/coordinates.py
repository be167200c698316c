"""Points in the protocol: ``x,y``, both from 0, y from the top."""

from __future__ import annotations

import re

from tengen.game import notation
from tengen.game.errors import OffBoard
from tengen.game.notation import shorten
from tengen.game.points import Point
from tengen.gomocup.protocol_lines import ProtocolError, without_remark

_COORDINATES = re.compile(r"([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})")

SEPARATOR = r"(?:\s*,\s*|\s+)"
"""The separator of numbers in a command: a comma, as in the protocol, or blanks."""

_POINT = re.compile(rf"([+-]?[0-9]{{1,9}}){SEPARATOR}([+-]?[0-9]{{1,9}})")


def point_text(point: Point, width: int, height: int) -> str:
    """Write a point of a board of this size."""
    return "{},{}".format(*notation.to_gomocup(point, width, height))


def coordinates(text: str) -> tuple[int, int] | None:
    """Parse ``x,y``, on whatever board; None for any other text."""
    match = _COORDINATES.fullmatch(text)
    return None if match is None else (int(match[1]), int(match[2]))


def parse_point(text: str, width: int, height: int) -> Point:
    """Parse the point that a manager sends for a board of this size: ``x,y`` or ``x y``, words after it.

    Raises:
        ProtocolError: the text is no point of the board.
    """
    match = _POINT.fullmatch(without_remark(text, _POINT))
    if match is not None:
        x, y = int(match[1]), int(match[2])
        try:
            return notation.from_gomocup(x, y, width, height)
        except OffBoard:
            text = f"{x},{y}"
    raise ProtocolError("error.gomocup.point", text=shorten(text), most=max(width, height) - 1)
