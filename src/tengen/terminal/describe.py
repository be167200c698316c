"""What has happened, as messages: shared by everything that writes to a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from tengen.game.board import Board, Outcome
from tengen.game.diagram import diagram
from tengen.game.fouls import Foul
from tengen.game.points import BLACK, WHITE, Colour, Point
from tengen.words import Message

FOUL_SIGN = "!"
WIN_SIGN = "*"
OFFER_SIGN = "+"


def colour(which: Colour) -> Message:
    """The name of a colour."""
    return Message("black" if which == BLACK else "white")


def row(board: Board, points: tuple[Point, ...]) -> str:
    """The points of a row, in order, with blanks between them."""
    return " ".join(board.name(point) for point in points)


def foul(board: Board, point: Point, found: Foul) -> Message:
    """A foul with the lines that make it."""
    return Message(
        "describe.foul",
        {
            "point": board.name(point),
            "kind": Message(f"foul.{found.kind}"),
            "lines": tuple(row(board, line) for line in found.lines),
        },
    )


def outcome(board: Board, result: Outcome) -> Message:
    """How a game has ended."""
    values: dict[str, object] = {"line": row(board, result.line)}
    if result.winner is not None:
        values["winner"] = colour(result.winner)
        values["loser"] = colour(BLACK + WHITE - result.winner)
    if result.foul is not None:
        values["kind"] = Message(f"foul.{result.foul.kind}")
        values["lines"] = tuple(row(board, line) for line in result.foul.lines)
    return Message(f"describe.end.{result.reason}", values)


def drawing(board: Board, signs: Mapping[Point, str] | None = None) -> str:
    """The board as text: the last move in brackets, or a winning row starred, and `signs`."""
    result = board.outcome()
    won = {point for line in (result.lines if result else ()) for point in line}
    stars = dict.fromkeys(won, WIN_SIGN)
    return diagram(board.position, board.width, None if won else board.last, signs, stars)
