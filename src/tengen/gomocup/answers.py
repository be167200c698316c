"""The answers of a program: OK, moves, complaints, ABOUT, and messages for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from tengen.game.notation import shorten, to_gomocup
from tengen.game.points import Point
from tengen.gomocup.coordinates import coordinates, point_text

OK = "OK"
SWAP = "SWAP"
"""The answer to SWAP2BOARD that takes the other colour."""

AnswerKind = Literal["ok", "move", "suggestion", "complaint", "about", "message", "debug", "other"]

_FORMS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    ("message", re.compile(r"MESSAGE\b\s*(.*)", re.IGNORECASE | re.DOTALL)),
    ("debug", re.compile(r"DEBUG\b\s*(.*)", re.IGNORECASE | re.DOTALL)),
    ("ok", re.compile(r"(OK\b.*)", re.IGNORECASE | re.DOTALL)),
    ("complaint", re.compile(r"((?:UNKNOWN|ERROR)\b.*)", re.IGNORECASE | re.DOTALL)),
    ("about", re.compile(r"(\w+\s*=\s*\".*)", re.DOTALL)),
)
_SUGGESTION = re.compile(r"SUGGEST\s+(.*)", re.IGNORECASE | re.DOTALL)
_SHOWN = 60


class ProgramAnswer(NamedTuple):
    """A parsed line of a program.

    Attributes:
        kind: ``"move"`` for ``x,y``; ``"suggestion"`` for a move that the manager is to confirm by PLAY;
            ``"complaint"`` for UNKNOWN and ERROR; ``"other"`` for a line outside the protocol.
        text: the text of a message or of a debug line, the move suggested, or the whole line.
    """

    kind: AnswerKind
    text: str


def parse_answer(line: str) -> ProgramAnswer:
    """Parse an answer of a program."""
    if coordinates(line) is not None:
        return ProgramAnswer("move", line)
    for kind, form in _FORMS:
        match = form.fullmatch(line)
        if match is not None:
            return ProgramAnswer(kind, match[1])
    suggestion = _SUGGESTION.fullmatch(line)
    if suggestion is not None and coordinates(suggestion[1]) is not None:
        return ProgramAnswer("suggestion", suggestion[1])
    return ProgramAnswer("other", line)


def moves_line(points: Iterable[Point], width: int, height: int) -> str:
    """Write a move, or the stones of an opening."""
    return " ".join(point_text(point, width, height) for point in points)


def message_line(text: str) -> str:
    """Write a message for people."""
    return f"MESSAGE {_one_line(text)}"


def error_line(text: str) -> str:
    """Write the answer to a command that cannot be carried out."""
    return f"ERROR {_one_line(text)}"


def unknown_line(command: str) -> str:
    """Write the answer to an unknown command."""
    return f"UNKNOWN {shorten(command, _SHOWN)}"


def about_line(values: Mapping[str, str]) -> str:
    """Write the answer to ABOUT: ``name="...", version="..."`` and so on."""
    return ", ".join(f'{key}="{value}"' for key, value in values.items())


def forbid_line(points: Iterable[Point], width: int, height: int) -> str:
    """Write the points of fouls, each as two digits of x and two of y."""
    pairs = (to_gomocup(point, width, height) for point in points)
    return "FORBID {}.".format("".join(f"{x:02}{y:02}" for x, y in pairs))


def _one_line(text: str) -> str:
    return " ".join(text.split())
