"""A finished game: its moves with time and score, its result, and the fault that ended it, if any."""

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
"""The faults by which a player loses: out of time; ended; silent; an illegal move; an answer that is no
move."""

End: TypeAlias = Reason | Literal["crash", "hang", "illegal", "protocol"]
"""The reason why a game ended. An adjudicated win is "resigned" and an adjudicated draw "agreed"."""

FAULTS: tuple[Fault, ...] = get_args(Fault)
_AWAY = ("abandoned", "aborted")
"""Ends of games in which a person has left."""

ENDS: tuple[str, ...] = (
    *(reason for reason in get_args(Reason) if reason not in _AWAY),
    *(fault for fault in FAULTS if fault != "time"),
)
"""The reasons why games of the arena end."""

_COLOURS = {"black": BLACK, "white": WHITE, "draw": None}
_RESULTS = {colour: name for name, colour in _COLOURS.items()}


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move that a player chose.

    Attributes:
        point: the point played.
        seconds: wall-clock time from asking to the answer.
        score: the score that the player reported, for itself; None if it reported none.
    """

    point: Point
    seconds: float
    score: Score | None = None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game.

    Attributes:
        number: its place in the match or tournament, from 0.
        rules: the rules it was played by.
        black: the name of the player that had Black.
        white: the name of the player that had White.
        opening: the moves that were given; the players' own follow.
        moves: the players' moves.
        winner: `BLACK`, `WHITE`, or None for a draw.
        end: the reason of its end.
        detail: a sentence about a fault, in English; empty where there was none.
        log: the lines to and from external programs, if they are kept; not part of the record.
        trace: the traceback of a player's own code that has failed; empty where none has.
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
        """The name of the player that lost, None after a draw."""
        return None if self.winner is None else self.name(opponent(self.winner))

    @property
    def length(self) -> int:
        """Moves on the board, the opening's included."""
        return len(self.opening) + len(self.moves)

    def name(self, colour: Colour) -> str:
        """Return the name of the player of that colour."""
        return self.black if colour == BLACK else self.white

    def record(self) -> Record:
        """The game as a record, with time and score at every move."""
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
        """The game that `record` made a record of.

        Raises:
            TengenError: it is the record of some other game.
        """
        headers, line = record.headers, record.main_line()
        rules = record.rules
        given = notation.parse_moves(headers.get("opening", ""), rules.width, rules.height)
        points = [node.point for node in line if node.point is not None]
        result, end, number = (headers.get(key, "") for key in ("result", "reason", "round"))
        whole = number.isascii() and number.isdigit()
        if not (result in _COLOURS and end in ENDS and whole and points[: len(given)] == given):
            raise TengenError("error.arena.game")
        moves = (
            PlayedMove(node.point, node.seconds or 0.0, node.score)
            for node in line[len(given) :]
            if node.point is not None
        )
        return cls(
            int(number) - 1,
            rules,
            headers.get("black", ""),
            headers.get("white", ""),
            tuple(given),
            tuple(moves),
            _COLOURS[result],
            end,  # type: ignore[arg-type]
            headers.get("detail", ""),
            trace=headers.get("traceback", ""),
        )

    def board(self) -> Board:
        """The position at the end."""
        return self.record().board()
