"""The commands of the protocol by name, and those of a game's beginning written and read.

Points, stones and INFO values, which follow other commands, are in modules of their own.
"""

from __future__ import annotations

import re
from enum import StrEnum

from tengen.game.points import Point
from tengen.gomocup.coordinates import SEPARATOR, point_text
from tengen.gomocup.protocol_lines import ProtocolLine, without_remark

_SIZE = re.compile(rf"([+-]?[0-9]{{1,9}})(?:(?:{SEPARATOR}|\s*[x*]\s*)([+-]?[0-9]{{1,9}}))?", re.IGNORECASE)


class CommandName(StrEnum):
    """What a manager says; those that begin with YX, and STOP, are of *Yixin protocol* (K. Sun)."""

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
    """The command that begins a game on a board of this size."""
    if width == height:
        return f"{CommandName.START} {width}"
    return f"{CommandName.RECTSTART} {width},{height}"


def start_size(line: ProtocolLine) -> tuple[int, int] | None:
    """Width and height of START or RECTSTART; None where it names no size.

    START may name both, as that of Yixin-Board does.
    """
    found = _SIZE.fullmatch(without_remark(line.rest, _SIZE))
    if found is None or (found[2] is None and line.word != CommandName.START):
        return None
    width = int(found[1])
    return width, width if found[2] is None else int(found[2])


def turn_line(point: Point, width: int, height: int) -> str:
    """The command that tells the opponent's move and asks for the next."""
    return f"{CommandName.TURN} {point_text(point, width, height)}"
