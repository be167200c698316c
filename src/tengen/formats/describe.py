"""Descriptions of positions, decisions and outcomes, as messages and drawings."""

from __future__ import annotations

from collections.abc import Mapping

from tengen.game.board import Board, Outcome
from tengen.game.diagram import diagram
from tengen.game.fouls import Foul
from tengen.game.opening_rules import CENTRE, Decision
from tengen.game.points import BLACK, WHITE, Colour, Point
from tengen.words import Message

FOUL_SIGN = "!"
WIN_SIGN = "*"
OFFER_SIGN = "+"


def colour(which: Colour) -> Message:
    """Return the name of a colour."""
    return Message("black" if which == BLACK else "white")


def row(board: Board, points: tuple[Point, ...]) -> str:
    """Return the points of a row, in order, separated by spaces."""
    return " ".join(board.name(point) for point in points)


def rows(board: Board, lines: tuple[tuple[Point, ...], ...]) -> tuple[str, ...]:
    """Return several rows, for a message to join."""
    return tuple(row(board, line) for line in lines)


def foul(board: Board, point: Point, found: Foul, key: str = "describe.foul") -> Message:
    """Return the description of a foul with the lines that make it."""
    kind = Message(f"foul.{found.kind}")
    return Message(key, {"point": board.name(point), "kind": kind, "lines": rows(board, found.lines)})


def outcome(board: Board, result: Outcome) -> Message:
    """Return the description of a game's outcome."""
    values: dict[str, object] = {"lines": rows(board, result.lines)}
    if result.winner is not None:
        values["winner"] = colour(result.winner)
        values["loser"] = colour(BLACK + WHITE - result.winner)
    if result.foul is not None:
        values["kind"] = Message(f"foul.{result.foul.kind}")
        values["lines"] = rows(board, result.foul.lines)
    return Message(f"describe.end.{result.reason}", values)


def question(board: Board, decision: Decision) -> Message:
    """Return the question of an opening rule, with its possible answers."""
    if decision.options and decision.options[0].isdigit():
        return Message("describe.ask.number", {"question": decision.message, "most": decision.options[-1]})
    if decision.options:
        return Message("describe.ask.choice", {"options": "/".join(decision.options)})
    where, centre = decision.where, board.rules.points // 2
    if decision.kind != "place" or where.side == "anywhere":
        return decision.message
    if where == CENTRE:
        area = Message("describe.point", {"point": board.name(centre)})
    else:
        corner = where.size // 2 * (board.width + 1)
        ends = {"first": board.name(centre - corner), "last": board.name(centre + corner)}
        area = Message("describe.area", ends)
    return Message("describe.ask.place", {"question": decision.message, "area": area})


def drawing(board: Board, signs: Mapping[Point, str] | None = None) -> str:
    """Return the board as text, with marks.

    The last move is in brackets; in a finished game instead the winning row or the losing foul is marked.
    """
    result = board.outcome()
    sides: dict[Point, str] = {}
    if result is not None:
        sides = {point: WIN_SIGN for line in result.lines for point in line}
        if result.foul is not None:
            sides = {point: FOUL_SIGN for line in result.foul.lines for point in line}
    return diagram(board.position, board.width, None if sides else board.last, signs, sides)
