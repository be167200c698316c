"""Lists of stones, after BOARD, YXBOARD or SWAP2BOARD and up to DONE: written, parsed, and made boards.

The protocol never names colours, only the program's own stones. Colours follow from the side to move: `own`
stones are those of the side that moves next, which is Black if it has at least as many stones as the other
(an equal count is a plain game; more is left by a set-up or a pass).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tengen.game.board import Board
from tengen.game.errors import IllegalMove
from tengen.game.notation import shorten
from tengen.game.points import BLACK, WHITE, Colour, Point, opponent
from tengen.game.rules import Rules
from tengen.gomocup.command_names import CommandName
from tengen.gomocup.coordinates import SEPARATOR, parse_point, point_text
from tengen.gomocup.protocol_lines import ProtocolError
from tengen.words import Message

Stones: TypeAlias = list[tuple[Point, bool]]
"""Points in the order sent, each with a flag: True for the program's own stones."""

_STONE = re.compile(rf"([0-9]{{1,9}}{SEPARATOR}[0-9]{{1,9}}){SEPARATOR}([0-9]{{1,9}})")
_PASS = re.compile(rf"-1{SEPARATOR}-1{SEPARATOR}[12]")
_LIKE_A_STONE = re.compile(rf"[-+]?[0-9]+{SEPARATOR}.*")

_OWN, _OTHER, _FINISHED = 1, 2, 3


def board_lines(stones: Stones, width: int, height: int) -> list[str]:
    """Write the lines of BOARD, from that word to DONE."""
    lines = (f"{point_text(point, width, height)},{_OWN if own else _OTHER}" for point, own in stones)
    return [CommandName.BOARD, *lines, CommandName.DONE]


def like_a_stone(text: str) -> bool:
    """Return whether a line looks like a stone of a list: such lines are no commands."""
    return _LIKE_A_STONE.fullmatch(text) is not None


@dataclass(slots=True)
class StoneList:
    """A list while it is received.

    Attributes:
        command: BOARD, YXBOARD or SWAP2BOARD.
        lines: the lines received after it.
    """

    command: str
    lines: list[str] = field(default_factory=list)

    def stones(self, width: int, height: int) -> Stones:
        """Parse the lines; those of SWAP2BOARD name no owner, and all count as the opponent's.

        Raises:
            ProtocolError: a line that is no stone of this board, or a point sent twice.
        """
        stones: Stones = []
        seen: set[Point] = set()
        for number, text in enumerate(self.lines, 1):
            if self.command == CommandName.YXBOARD and _PASS.fullmatch(text):
                continue  # a pass of Yixin-Board's; the side to move follows from the counts
            try:
                point, own = self._stone(text, width, height)
            except ProtocolError as error:
                raise self._wrong(number, error.message) from None
            if point in seen:
                name = point_text(point, width, height)
                raise self._wrong(number, Message("error.gomocup.occupied", {"point": name}))
            seen.add(point)
            stones.append((point, own))
        return stones

    def _stone(self, text: str, width: int, height: int) -> tuple[Point, bool]:
        if self.command == CommandName.SWAP2BOARD:
            return parse_point(text, width, height), False
        match = _STONE.fullmatch(text)
        if match is None or int(match[2]) not in (_OWN, _OTHER):
            if match is not None and int(match[2]) == _FINISHED:
                raise ProtocolError("error.gomocup.continuous")
            raise ProtocolError("error.gomocup.stone", text=shorten(text))
        return parse_point(match[1], width, height), int(match[2]) == _OWN

    def _wrong(self, number: int, reason: Message) -> ProtocolError:
        return ProtocolError("error.gomocup.line", command=self.command, number=number, reason=reason)


def stones_of(board: Board) -> Stones:
    """List the stones of a position in the order played; own stones are those of the side to move.

    Set-up stones come first, the colours alternating as far as possible, so that the side to move is next.
    """
    setup = board.setup
    stones = [] if setup is None else _in_turn(setup)
    turn = BLACK if setup is None else setup.turn
    for point in board.moves:
        stones.append((point, turn))
        turn = opponent(turn)
    return [(point, colour == board.turn) for point, colour in stones]


def board_of(stones: Stones, rules: Rules) -> Board:
    """Make the board of a list; the side with the own stones is to move.

    Stones in the order of a legal game become its moves. Others are set up, even if earlier moves would
    have been fouls.
    """
    own = [point for point, mine in stones if mine]
    others = [point for point, mine in stones if not mine]
    turn = BLACK if len(own) >= len(others) else WHITE
    first = turn == BLACK
    in_turn = all(mine == (first == (ply % 2 == 0)) for ply, (_, mine) in enumerate(stones))
    if in_turn and (len(stones) % 2 == 0) == first:
        return board_after([point for point, _ in stones], rules)
    black, white = (own, others) if turn == BLACK else (others, own)
    return Board.from_stones(black, white, turn, rules)


def board_after(points: Sequence[Point], rules: Rules) -> Board:
    """Return the board after these moves, or with the stones set up if the rules forbid the moves."""
    try:
        return Board.from_moves(points, rules)
    except IllegalMove:
        turn = BLACK if len(points) % 2 == 0 else WHITE
        return Board.from_stones(points[::2], points[1::2], turn, rules)


def _in_turn(setup: Board) -> list[tuple[Point, Colour]]:
    piles = {colour: setup.stones(colour) for colour in (setup.turn, opponent(setup.turn))}
    last = opponent(setup.turn)
    stones: list[tuple[Point, Colour]] = []
    while any(piles.values()):
        if not piles[last]:
            last = opponent(last)
        stones.append((piles[last].pop(), last))
        last = opponent(last)
    return stones[::-1]
