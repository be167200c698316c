"""A game as a Gomocup program is sent it: rules, limits and positions; and the faults of programs.

The text is that of `tengen.gomocup`; the conversation is in `tengen.players.external.gomocup_client`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast

from tengen.game import rule_numbers
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Limit
from tengen.game.points import Colour, Point
from tengen.game.rules import Rules
from tengen.gomocup.command_names import CommandName, start_line, turn_line
from tengen.gomocup.info_values import UNLIMITED, InfoValues
from tengen.gomocup.stones import board_lines, stones_of
from tengen.words import Message

ProgramErrorKind = Literal["crash", "hang", "protocol", "illegal"]

_NAMES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "caro"}
_PROGRAM = 1
"""The game_type of a game against another program."""


class ProgramError(TengenError):
    """A fault of a program: it has ended, is silent, or its answer is no move.

    Examples:
        >>> import sys
        >>> import tengen
        >>> with tengen.external([sys.executable, "-c", "print('no engine')"]) as program:
        ...     try:
        ...         program.choose(tengen.Board())
        ...     except tengen.ProgramError as error:
        ...         print(error.kind)
        crash
    """

    @property
    def kind(self) -> ProgramErrorKind:
        """The kind of fault.

        ``"crash"``: the program has ended. ``"hang"``: it did not answer in time. ``"protocol"``: its
        answer is no move. ``"illegal"``: its move is off the board, or on a stone.
        """
        return cast("ProgramErrorKind", self.message.key.split(".")[2])


@dataclass(frozen=True, slots=True)
class ProgramSettings:
    """The settings of a program; see `tengen.players.external.external_player.External`."""

    settle: float = 10
    start: float = 0
    seconds: float = 5
    patience: float = 60
    ready: float = 30
    tolerance: float = 1
    memory: float = 0
    threads: int = 0
    folder: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class GomocupGame:
    """The start of a game, as far as the protocol can express it.

    Attributes:
        rule: the number of the rules.
        width: columns.
        height: rows.
        setup: the stones and the side to move of a set-up position, None for the empty board.
    """

    rule: int
    width: int
    height: int
    setup: tuple[bytes, Colour] | None

    @classmethod
    def of(cls, board: Board) -> GomocupGame:
        """The game on this board.

        Raises:
            TengenError: the protocol has no number for its rules.
        """
        number = rule_numbers.number_of(board.rules)
        if number is None:
            raise TengenError("error.program.rules", rules=_name(board.rules))
        setup = board.setup
        start = None if setup is None else (setup.position, setup.turn)
        return cls(number, board.width, board.height, start)

    @property
    def rules(self) -> Message:
        """The name of the rules."""
        return Message(f"rules.{_NAMES[self.rule]}")

    @property
    def start(self) -> str:
        """The command that begins it."""
        return start_line(self.width, self.height)


@dataclass(frozen=True, slots=True)
class MoveTime:
    """A `Limit` as programs are sent it.

    Attributes:
        info: the values of INFO, apart from the rules.
        seconds: the wait for the answer.
        timed: the wait is a limit; else any line of the program is a sign of life and restarts the wait.
    """

    info: InfoValues
    seconds: float
    timed: bool = True

    @classmethod
    def of(cls, limit: Limit, settings: ProgramSettings) -> MoveTime:
        """Return a limit as a program with these settings is sent it."""
        clock = limit.time
        increment, timed = 0.0, True
        game = left = None
        if clock is not None and (clock.game, clock.left, clock.turn) != (None, None, None):
            left = clock.game if clock.left is None else clock.left
            game = left if clock.game is None else clock.game
            turn = game if clock.turn is None else clock.turn
            wait = min(bound for bound in (turn, left) if bound is not None)
            increment = clock.increment
        elif limit.seconds is not None:
            turn = wait = limit.seconds
        else:
            wait, timed = settings.patience, False
            turn = settings.seconds if limit.nodes is None and limit.depth is None else wait
        info = InfoValues(
            max_memory=round(settings.memory * 2**20),
            timeout_match=0 if game is None else _milliseconds(game),
            timeout_turn=_milliseconds(turn or 0.0),
            time_increment=_milliseconds(increment),
            max_depth=limit.depth or 0,
            max_node=limit.nodes or 0,
            game_type=_PROGRAM,
            folder=settings.folder,
            thread_num=settings.threads or None,
            time_left=UNLIMITED if left is None else _milliseconds(left),
        )
        return cls(info, max(wait, 0.0), timed)

    def at_once(self) -> MoveTime:
        """Return a copy with no time to think."""
        return MoveTime(replace(self.info, timeout_turn=0, time_left=0), 0.0)


def position_lines(board: Board, known: tuple[Point, ...]) -> list[str]:
    """The lines that put a program before a position and ask it to move.

    Args:
        board: the position.
        known: the moves on the program's own board; empty where that is.
    """
    size = board.width, board.height
    if known and board.moves[:-1] == known:
        return [turn_line(board.moves[-1], *size)]
    stones = stones_of(board)
    if not stones:
        return [CommandName.BEGIN]
    if not known and len(stones) == 1 and not stones[0][1]:
        return [turn_line(stones[0][0], *size)]
    return board_lines(stones, *size)


def _milliseconds(seconds: float) -> int:
    """Milliseconds as an integer, at least 1 for any time above 0."""
    if seconds <= 0:
        return 0
    return max(1, int(min(seconds * 1000, UNLIMITED)))


def _name(rules: Rules) -> Message | str:
    return rules.name if ":" in rules.name else Message(f"rules.{rules.name}")
