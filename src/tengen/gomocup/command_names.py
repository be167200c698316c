"""The commands of the protocol by name, and those that start a game, written and parsed.

The arguments of other commands (points, stones and INFO values) have modules of their own.
"""

from __future__ import annotations

import re
from enum import StrEnum

from tengen.game.points import Point
from tengen.gomocup.coordinates import SEPARATOR, point_text
from tengen.gomocup.protocol_lines import ProtocolLine, without_remark

_SIZE = re.compile(rf"([+-]?[0-9]{{1,9}})(?:(?:{SEPARATOR}|\s*[x*]\s*)([+-]?[0-9]{{1,9}}))?", re.IGNORECASE)


class CommandName(StrEnum):
    """Commands of a manager; STOP and those beginning with YX are from *Yixin protocol* (K. Sun)."""

    ABOUT = "ABOUT"
    BEGIN = "BEGIN"
    BOARD = "BOARD"
    DONE = "DONE"
    END = "END"
    INFO = "INFO"
    PLAY = "PLAY"
    RECTSTART = "RECTSTART"
    RESTART = "RESTART"
    START = "START"
    STOP = "STOP"
    SWAP2BOARD = "SWAP2BOARD"
    TAKEBACK = "TAKEBACK"
    TURN = "TURN"
    YXBOARD = "YXBOARD"
    YXHASHCLEAR = "YXHASHCLEAR"
    YXNBEST = "YXNBEST"
    YXSHOWFORBID = "YXSHOWFORBID"
    YXSTOP = "YXSTOP"


def start_line(width: int, height: int) -> str:
    """Write the command that starts a game on a board of this size."""
    if width == height:
        return f"{CommandName.START} {width}"
    return f"{CommandName.RECTSTART} {width},{height}"


def start_size(line: ProtocolLine) -> tuple[int, int] | None:
    """Parse width and height of START or RECTSTART; None if it names no size.

    START may name both, as Yixin-Board's does.
    """
    match = _SIZE.fullmatch(without_remark(line.rest, _SIZE))
    if match is None or (match[2] is None and line.word != CommandName.START):
        return None
    width = int(match[1])
    return width, width if match[2] is None else int(match[2])


def turn_line(point: Point, width: int, height: int) -> str:
    """Write the command that sends the opponent's move and requests the next."""
    return f"{CommandName.TURN} {point_text(point, width, height)}"
