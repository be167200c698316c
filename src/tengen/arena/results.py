"""Finished games of the arena: moves with time and score, the result, and the fault that lost the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from tengen.game import notation
from tengen.game.board import Board, Reason
from tengen.game.errors import TengenError
from tengen.game.player import Score
from tengen.game.points import BLACK, WHITE, Colour, Point, opponent
from tengen.game.record import Record
from tengen.game.rules import Rules

Fault: TypeAlias = Literal["time", "crash", "hang", "illegal", "protocol"]
"""The faults by which a player loses.

"time": it overstepped its time. "crash": it raised an exception or its program ended. "hang": its program
stopped answering. "illegal": it played an illegal move. "protocol": its program's answer is not a move.
"""

End: TypeAlias = Reason | Literal["crash", "hang", "illegal", "protocol"]
"""The reason for the end of a game. An adjudicated win is "resigned" and an adjudicated draw "agreed"."""

FAULTS: tuple[Fault, ...] = get_args(Fault)
_PERSON_LEFT = ("abandoned", "aborted")
"""Ends of games that a person left; players of the arena do not leave."""

ENDS: tuple[str, ...] = (
    *(reason for reason in get_args(Reason) if reason not in _PERSON_LEFT),
    *(fault for fault in FAULTS if fault != "time"),
)
"""The reasons for the end of a game in the arena."""

_COLOURS = {"black": BLACK, "white": WHITE, "draw": None}
_RESULTS = {colour: name for name, colour in _COLOURS.items()}


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move that a player chose.

    Attributes:
        point: the point played.
        seconds: wall-clock time from the request to the answer.
        score: the score that the player reported, from its own point of view; None without a report.
    """

    point: Point
    seconds: float
    score: Score | None = None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game.

    Attributes:
        number: the number of the game in its match or tournament, from 0.
        rules: the rules of the game.
        black: the name of the player that had Black.
        white: the name of the player that had White.
        opening: the prescribed moves at the beginning.
        moves: the players' own moves, after the opening.
        winner: `BLACK`, `WHITE`, or None for a draw.
        end: the reason for its end.
        detail: a sentence in English about the fault; empty without a fault.
        log: the lines to and from external programs, if they are kept; not part of the record.
        trace: the traceback of an exception in a player's own code; empty without an exception.
    """

    number: int
    rules: Rules
    black: str
    white: str
    opening: tuple[Point, ...]
    moves: tuple[PlayedMove, ...]
    winner: Colour | None
    end: End
    detail: str = ""
    log: tuple[str, ...] = field(default=(), compare=False)
    trace: str = field(default="", compare=False)

    @property
    def points(self) -> float:
        """Black's points: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == BLACK)

    @property
    def loser(self) -> str | None:
        """The name of the player that lost; None after a draw."""
        return None if self.winner is None else self.name(opponent(self.winner))

    @property
    def length(self) -> int:
        """The number of moves, including the opening."""
        return len(self.opening) + len(self.moves)

    @property
    def lost_by_fault(self) -> str | None:
        """The name of the player that lost by a fault; None if nobody did."""
        return self.loser if self.end in FAULTS else None

    def name(self, colour: Colour) -> str:
        """Return the name of the player of a colour."""
        return self.black if colour == BLACK else self.white

    def seconds(self, colour: Colour) -> list[float]:
        """Return the times of a colour's moves, without the opening."""
        first = (len(self.opening) + (colour != BLACK)) % 2
        return [move.seconds for move in self.moves[first::2]]

    def record(self) -> Record:
        """Return the game as a record, with time and score at every move."""
        headers = {
            "black": self.black,
            "white": self.white,
            "result": _RESULTS[self.winner],
            "reason": self.end,
            "round": str(self.number + 1),
            "opening": notation.format_moves(self.opening, self.rules.width),
        }
        if self.detail:
            headers["detail"] = self.detail
        if self.trace:
            headers["traceback"] = self.trace
        record = Record(self.rules, headers=headers)
        node = record.root
        for point in self.opening:
            node = node.add(point)
        for move in self.moves:
            node = node.add(move.point)
            node.seconds, node.score = move.seconds, move.score
        return record

    @classmethod
    def from_record(cls, record: Record) -> PlayedGame:
        """Return the game of a record as `record` makes it.

        Raises:
            TengenError: the record is not of a game of the arena.
        """
        headers, line = record.headers, record.main_line()
        rules = record.rules
        opening = notation.parse_moves(headers.get("opening", ""), rules.width, rules.height)
        points = [node.point for node in line if node.point is not None]
        result, end, number = (headers.get(key, "") for key in ("result", "reason", "round"))
        is_number = number.isascii() and number.isdigit()
        begins = points[: len(opening)] == opening
        if not (result in _COLOURS and end in ENDS and is_number and begins):
            raise TengenError("error.arena.game")
        moves = (
            PlayedMove(node.point, node.seconds or 0.0, node.score)
            for node in line[len(opening) :]
            if node.point is not None
        )
        return cls(
            int(number) - 1,
            rules,
            headers.get("black", ""),
            headers.get("white", ""),
            tuple(opening),
            tuple(moves),
            _COLOURS[result],
            end,  # type: ignore[arg-type]
            headers.get("detail", ""),
            trace=headers.get("traceback", ""),
        )

    def board(self) -> Board:
        """Return the final position."""
        return self.record().board()
