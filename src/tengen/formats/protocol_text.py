"""A position sent in the Gomocup protocol: the lines of a conversation between programs.

``BOARD`` (``YXBOARD``) to ``DONE`` is a position; 1 are the stones of the side to move. Without one it is
the moves after ``BEGIN`` or ``TURN``, and those between that the program answers. ``START`` and
``RECTSTART`` say the size, ``INFO rule`` the rules; other lines are passed over. Coordinates count from 0
at the top left.
"""

from __future__ import annotations

import re

from tengen.formats.common import FormatError
from tengen.formats.move_lists import MovesRead, rules_with_room
from tengen.formats.record_builder import RecordBuilder
from tengen.formats.text import at_line
from tengen.game import notation
from tengen.game.errors import TengenError
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE, Colour, Point, opponent
from tengen.game.rule_numbers import rules_of
from tengen.game.rules import MAX_SIDE, Rules
from tengen.plaintext.characters import plain
from tengen.words import Message

_LIKELY = re.compile(
    r"^\s*(?:(?:YX|SWAP2)?BOARD|TURN\s+[0-9]+\s*,\s*[0-9]+|BEGIN)\s*$", re.IGNORECASE | re.MULTILINE
)
_SIZE = re.compile(r"(?:RECT)?START\s+([0-9]{1,2})(?:[\s,]+([0-9]{1,2}))?", re.IGNORECASE)
_RULE = re.compile(r"INFO\s+rule\s+([0-9]{1,2})", re.IGNORECASE)
_BOARD = re.compile(r"(?:YX|SWAP2)?BOARD", re.IGNORECASE)
_MOVE = re.compile(r"(?:(TURN|PLAY)\s+)?([0-9]{1,2})\s*,\s*([0-9]{1,2})", re.IGNORECASE)
_STONE = re.compile(r"([0-9]{1,2})\s*,\s*([0-9]{1,2})(?:\s*,\s*([12]))?")
_OTHER = re.compile(
    r"(?:OK|ERROR|UNKNOWN|MESSAGE|DEBUG|SUGGEST|INFO|ABOUT|END|RESTART|BEGIN|DONE|YX\w+|\w+=)\b.*",
    re.IGNORECASE,
)
_Place = tuple[int, int, int]
"""The number of a line, and the column and row in it."""


def looks_like_protocol(text: str) -> bool:
    """Return whether a text has lines of the protocol that give a position."""
    return _LIKELY.search(plain(text)) is not None


def read_protocol(text: str, rules: Rules | None = None) -> MovesRead:
    """Read the last position of a conversation.

    Args:
        text: its lines.
        rules: the rules, unless ``INFO rule`` and ``START`` state them; if None freestyle on 15x15, or
            20x20 or as large as needed.

    Raises:
        FormatError: a line outside the protocol; the sentence names it.
        IllegalMove: a point off the board, or occupied.
    """
    lines = [
        (number, line.strip()) for number, line in enumerate(plain(text).split("\n"), 1) if line.strip()
    ]
    size: tuple[int, int] | None = None
    number_of_rules: int | None = None
    moves: list[_Place] = []
    stones: list[tuple[_Place, bool]] | None = None
    answered = True
    at = 0
    while at < len(lines):
        number, line = lines[at]
        at += 1
        if (match := _SIZE.fullmatch(line)) is not None:
            size = int(match[1]), int(match[2] or match[1])
            moves, stones = [], None
        elif (match := _RULE.fullmatch(line)) is not None:
            number_of_rules = int(match[1])
        elif _BOARD.fullmatch(line):
            stones, moves = [], []
            while at < len(lines) and (match := _STONE.fullmatch(lines[at][1])) is not None:
                own = match[3] == "1" if match[3] else len(stones) % 2 == 0
                stones.append(((lines[at][0], int(match[1]), int(match[2])), own))
                at += 1
            if at < len(lines) and lines[at][1].upper() != "DONE":
                raise at_line(
                    lines[at][0], Message("error.format.protocol.stone", {"text": shorten(lines[at][1])})
                )
            answered = True
        elif (match := _MOVE.fullmatch(line)) is not None:
            turn = (match[1] or "").upper() == "TURN"
            if turn and not answered:
                raise at_line(number, Message("error.format.protocol.unanswered"))
            answered = not turn
            moves.append((number, int(match[2]), int(match[3])))
        elif not _OTHER.fullmatch(line):
            raise at_line(number, Message("error.format.protocol.line", {"text": shorten(line)}))
    places = [place for place, _ in stones or []] + moves
    chosen = _rules(size, number_of_rules, places, rules)
    return _recorded(chosen, stones or [], moves)


def _rules(
    size: tuple[int, int] | None, number: int | None, places: list[_Place], rules: Rules | None
) -> Rules:
    if size is not None and max(size) > MAX_SIDE:
        raise FormatError("error.format.board.size", width=size[0], height=size[1], most=MAX_SIDE)
    room = rules_with_room((max((max(x, y) for _, x, y in places), default=0),) * 2)
    base = rules or room
    width, height = size or (base.width, base.height)
    stated = None if number is None else rules_of(number, (width, height))
    return stated or Rules.from_dict({**base.to_dict(), "width": width, "height": height})


def _recorded(rules: Rules, stones: list[tuple[_Place, bool]], moves: list[_Place]) -> MovesRead:
    own = [place for place, mine in stones if mine]
    others = [place for place, mine in stones if not mine]
    turn: Colour = BLACK if len(own) >= len(others) else WHITE
    builder = RecordBuilder(rules)
    in_turn = all(mine == ((ply + len(stones)) % 2 == 0) for ply, (_, mine) in enumerate(stones))
    notes = []
    if stones and not in_turn:
        placed: dict[Point, Colour] = {}
        for place, mine in stones:
            point = _point(place, rules)
            if point in placed:
                raise at_line(
                    place[0], Message("error.occupied", {"point": notation.point_name(point, rules.width)})
                )
            placed[point] = turn if mine else opponent(turn)
        builder.set_up(placed, turn)
    elif stones:
        moves = [place for place, _ in stones] + moves
    if stones:
        colour = Message("black" if turn == BLACK else "white")
        notes.append(Message("assumed.own", {"colour": colour}))
    for place in moves:
        try:
            builder.play(_point(place, rules))
        except TengenError as error:
            raise at_line(place[0], error.message) from error
    return MovesRead(builder.record(), notes)


def _point(place: _Place, rules: Rules) -> Point:
    number, x, y = place
    try:
        return notation.from_gomocup(x, y, rules.width, rules.height)
    except TengenError as error:
        raise at_line(number, error.message) from error
