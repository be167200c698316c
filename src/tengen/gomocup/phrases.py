"""How the Gomocup protocol says what Tengen says: rules, positions and limits, and what may go wrong.

The words and numbers here are the protocol's; who says them, and when, is in
`tengen.players.gomocup_client`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from tengen.game import notation
from tengen.game.board import Board
from tengen.game.errors import TengenError
from tengen.game.player import Limit
from tengen.game.points import BLACK, Colour, Point, opponent
from tengen.game.rules import Rules
from tengen.words import Message

UNLIMITED = 2_147_483_647
"""What `time_left` is where the game has no time limit, and the largest number that is sent."""

Kind = Literal["crash", "hang", "protocol", "illegal"]

_CODES = {
    # Overlines, threes and fours, fives blocked at both ends.
    ("wins", False, False, "wins"): 0,
    ("no_win", False, False, "wins"): 1,
    ("foul", True, True, "wins"): 4,
    ("wins", False, False, "no_win"): 8,
    ("no_win", False, False, "no_win"): 9,
}
_NAMES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "caro"}


class ProgramError(TengenError):
    """What a program does wrong: it has ended, is silent, or gives an answer that is none."""

    @property
    def kind(self) -> Kind:
        """What it was.

        ``"crash"``: the program has ended. ``"hang"``: it did not answer in time. ``"protocol"``: its
        answer is no move. ``"illegal"``: its move is off the board, or on a stone.
        """
        return cast("Kind", self.message.key.split(".")[2])


@dataclass(frozen=True, slots=True)
class Settings:
    """What a spec says of its program; see `tengen.players.external.External`."""

    settle: float = 10
    start: float = 0
    seconds: float = 5
    patience: float = 60
    ready: float = 10
    tolerance: float = 1
    memory: float = 0
    threads: int = 0
    folder: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Game:
    """What the moves of a game begin from, as far as the protocol has words for it.

    Attributes:
        rule: the code of the rules.
        width: columns.
        height: rows.
        setup: the stones and the side to move of a set-up position, None for the empty board.
    """

    rule: int
    width: int
    height: int
    setup: tuple[bytes, Colour] | None

    @classmethod
    def of(cls, board: Board) -> Game:
        """The game on this board.

        Raises:
            TengenError: the protocol has no code for its rules.
        """
        rules = board.rules
        fouls = rules.double_three, rules.double_four
        code = _CODES.get((rules.overline, *fouls, rules.blocked_five)) if rules.k == 5 else None
        if code is None:
            raise TengenError("error.program.rules", rules=_name(rules))
        setup = board.setup
        start = None if setup is None else (setup.position, setup.turn)
        return cls(code, board.width, board.height, start)

    @property
    def rules(self) -> Message:
        """What the rules are called."""
        return Message(f"rules.{_NAMES[self.rule]}")

    @property
    def start(self) -> str:
        """The command that begins it."""
        if self.width == self.height:
            return f"START {self.width}"
        return f"RECTSTART {self.width},{self.height}"


@dataclass(frozen=True, slots=True)
class Bounds:
    """A `Limit` as programs are told of it.

    Attributes:
        infos: INFO keys and values.
        left: milliseconds left of the game.
        seconds: how long the program is waited for.
    """

    infos: Mapping[str, int]
    left: int
    seconds: float

    @classmethod
    def of(cls, limit: Limit, settings: Settings) -> Bounds:
        """What a program with these settings is told of a limit."""
        clock = limit.time
        increment = 0.0
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
            wait = settings.patience
            turn = settings.seconds if limit.nodes is None and limit.depth is None else wait
        infos = {
            "timeout_match": 0 if game is None else _milliseconds(game),
            "timeout_turn": _milliseconds(turn or 0.0),
            "time_increment": _milliseconds(increment),
        }
        if limit.depth is not None:
            infos["max_depth"] = limit.depth
        if limit.nodes is not None:
            infos["max_node"] = limit.nodes
        return cls(infos, UNLIMITED if left is None else _milliseconds(left), max(wait, 0.0))

    def at_once(self) -> Bounds:
        """The same, with no time to think."""
        return Bounds({**self.infos, "timeout_turn": 0}, 0, 0.0)


def placing(board: Board, known: tuple[Point, ...]) -> list[str]:
    """The commands that put a program before a position and ask it to move.

    Args:
        board: the position.
        known: the moves on the program's own board; empty where that is.
    """
    if known and board.moves[:-1] == known:
        return [f"TURN {_text(board, board.moves[-1])}"]
    stones = in_order(board)
    if not stones:
        return ["BEGIN"]
    if not known and len(stones) == 1 and stones[0][1] != board.turn:
        return [f"TURN {_text(board, stones[0][0])}"]
    lines = (f"{_text(board, point)},{1 if colour == board.turn else 2}" for point, colour in stones)
    return ["BOARD", *lines, "DONE"]


def in_order(board: Board) -> list[tuple[Point, Colour]]:
    """The stones of a position in the order played, with their colours.

    Set-up stones come first, the colours in turn as far as they go, so that the side to move is next.
    """
    setup = board.setup
    stones = [] if setup is None else _in_turn(setup)
    turn = BLACK if setup is None else setup.turn
    for point in board.moves:
        stones.append((point, turn))
        turn = opponent(turn)
    return stones


def _in_turn(setup: Board) -> list[tuple[Point, Colour]]:
    piles = {colour: setup.stones(colour) for colour in (setup.turn, opponent(setup.turn))}
    last = opponent(setup.turn)
    found: list[tuple[Point, Colour]] = []
    while any(piles.values()):
        if not piles[last]:
            last = opponent(last)
        found.append((piles[last].pop(), last))
        last = opponent(last)
    return found[::-1]


def _text(board: Board, point: Point) -> str:
    x, y = notation.to_gomocup(point, board.width, board.height)
    return f"{x},{y}"


def _milliseconds(seconds: float) -> int:
    """Whole milliseconds; 0 is said of no time at all, and of nothing else."""
    if seconds <= 0:
        return 0
    return max(1, int(min(seconds * 1000, UNLIMITED)))


def _name(rules: Rules) -> Message | str:
    return rules.name if ":" in rules.name else Message(f"rules.{rules.name}")
