"""The contents of a board: stones, a set-up, fouls, and the outcome of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from tengen.game.board import Board, Outcome, Reason
from tengen.game.fouls import Foul, FoulKind
from tengen.game.points import BLACK, PASS, Colour, Point
from tengen.game.rules import Rules
from tengen.schemas.base import Schema
from tengen.schemas.points import COLOURS, ColourName, colour_name, named, point_names

Stone: TypeAlias = tuple[str, ColourName]
"""A stone: its point and its colour."""


class SetupData(Schema):
    """A set-up position: the stones, and the colour to move."""

    black: tuple[str, ...]
    white: tuple[str, ...]
    turn: ColourName

    @classmethod
    def of(cls, setup: Board) -> SetupData:
        """Return a set-up position as data."""
        black, white = (named(setup.rules, setup.stones(colour)) for colour in COLOURS)
        return cls(black=black, white=white, turn=COLOURS[setup.turn])


class FoulData(Schema):
    """A foul, and the lines that make it."""

    kind: FoulKind
    lines: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, rules: Rules, foul: Foul) -> FoulData:
        """Return a foul on a board with these rules as data."""
        return cls(kind=foul.kind, lines=tuple(named(rules, line) for line in foul.lines))


class OutcomeData(Schema):
    """The outcome of a game."""

    winner: ColourName | None
    """Null for a draw."""
    reason: Reason
    line: tuple[str, ...]
    """The row that won."""
    foul: FoulData | None

    @classmethod
    def of(cls, rules: Rules, result: Outcome) -> OutcomeData:
        """Return the outcome of a game under these rules as data."""
        return cls(
            winner=colour_name(result.winner),
            reason=result.reason,
            line=named(rules, result.line),
            foul=None if result.foul is None else FoulData.of(rules, result.foul),
        )


def fouls_of(board: Board) -> Mapping[str, FoulData]:
    """Return the points forbidden to Black, each with its foul."""
    return _kept_fouls(board) if board.rules.has_fouls else {}


@lru_cache(maxsize=512)
def _kept_fouls(board: Board) -> Mapping[str, FoulData]:
    """Return the fouls of a position, from a cache.

    A position is sent more than once, and finding its fouls takes a few milliseconds.
    """
    names = point_names(board.rules)
    return {names[point]: FoulData.of(board.rules, foul) for point, foul in board.fouls().items()}


def setup_stones(setup: Board | None, names: Sequence[str]) -> tuple[Stone, ...]:
    """Return the stones of a set-up position; none without one."""
    if setup is None:
        return ()
    return tuple((names[point], COLOURS[colour]) for colour in COLOURS for point in setup.stones(colour))


def played_stones(moves: Sequence[Point], first: Colour, names: Sequence[str]) -> tuple[Stone, ...]:
    """Return the stones in order of play, each with its colour; passes are left out."""
    colours: tuple[ColourName, ColourName] = ("black", "white") if first == BLACK else ("white", "black")
    return tuple((names[move], colours[number % 2]) for number, move in enumerate(moves) if move != PASS)
