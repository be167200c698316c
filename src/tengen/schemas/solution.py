"""Solutions: wins by threats, defences against them, and exact values."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from tengen.game.board import Board
from tengen.game.points import Colour
from tengen.schemas.base import Schema
from tengen.schemas.points import COLOURS, ColourName, colour_name, named
from tengen.solver.results import Defences, Exact, Solution, WinningPoints

ThreatSet: TypeAlias = Literal["fours", "threes", "any"]
"""The threats that a search makes: fours, fours and threes, or any move."""

_FOULS = Annotated[tuple[str, ...], Field(exclude_if=lambda points: not points)]


class AttackData(Schema):
    """The base of all results of searches for wins by threats."""

    attacker: ColourName
    threats: ThreatSet
    proven: bool
    """True if the result is certain; false if a limit was reached first."""
    nodes: int
    seconds: float


def _attack(found: Solution | WinningPoints | Defences, attacker: Colour, threats: str) -> dict[str, Any]:
    return {
        "attacker": COLOURS[attacker],
        "threats": threats,
        "proven": found.proven,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
    }


class SolutionData(AttackData):
    """The result of a search for a win by threats."""

    winner: ColourName | None
    line: tuple[str, ...]
    """The moves of both sides in turn, the winning five included."""
    length: int
    """Plies of the line."""
    fours: int
    """The attacker's fours, the five not counted."""
    shortest: bool | None = Field(default=None, exclude_if=lambda found: found is None)
    """True if no win takes fewer plies; left out unless the shortest was asked for."""
    if_fouls_lose: _FOULS = ()
    """The line by which White would win if fouls lost instead of being forbidden; left out without one."""

    @classmethod
    def of(
        cls, board: Board, found: Solution, attacker: Colour, threats: str, *, shortest: bool = False
    ) -> SolutionData:
        """Return the result of a search as data; `shortest` is whether the shortest win was asked for."""
        return cls(
            **_attack(found, attacker, threats),
            winner=colour_name(found.winner),
            line=named(board.rules, found.line),
            length=found.length,
            fours=found.fours,
            shortest=found.shortest if shortest else None,
            if_fouls_lose=named(board.rules, found.if_fouls_lose),
        )


class WinningPointsData(AttackData):
    """The first moves by which an attacker wins."""

    points: tuple[str, ...]
    open: tuple[str, ...]
    """The points that a limit has left undecided."""
    if_fouls_lose: _FOULS = ()
    """The points that would win if fouls lost instead of being forbidden; left out if there are none."""

    @classmethod
    def of(cls, board: Board, found: WinningPoints, threats: str) -> WinningPointsData:
        """Return winning points as data."""
        return cls(
            **_attack(found, found.attacker, threats),
            points=named(board.rules, found.points),
            open=named(board.rules, found.open),
            if_fouls_lose=named(board.rules, found.if_fouls_lose),
        )


class DefencesData(AttackData):
    """The replies that stop a win by threats."""

    wins: bool | None
    """True if the attacker would win if it were to move; null if unknown."""
    winner: ColourName | None
    """The attacker, if it would win."""
    line: tuple[str, ...]
    """The attacker's win."""
    stops: tuple[str, ...]
    loses: tuple[str, ...]
    open: tuple[str, ...]
    """The points that a limit has left undecided."""
    if_fouls_lose: _FOULS = ()
    """The points that would not stop it if fouls lost instead of being forbidden; left out without any."""

    @classmethod
    def of(cls, board: Board, found: Defences, attacker: Colour, threats: str) -> DefencesData:
        """Return defences as data."""
        win, rules = found.win, board.rules
        return cls(
            **_attack(found, attacker, threats),
            wins=None if win.winner is None and not win.proven else win.winner is not None,
            winner=colour_name(win.winner),
            line=named(rules, win.line),
            stops=named(rules, found.stops),
            loses=named(rules, found.loses),
            open=named(rules, found.open),
            if_fouls_lose=named(rules, found.if_fouls_lose),
        )


class ExactData(Schema):
    """The proven value of a position, for the side to move."""

    value: int | None
    """1 for a win, 0 for a draw, -1 for a loss; null if a limit was reached first."""
    best: tuple[str, ...]
    complete: bool
    """True if `best` is complete."""
    distance: int | None
    """Plies to the end of the game; null if unknown."""
    positions: int
    bounds: tuple[int, int]
    """The least and the greatest value that are not ruled out."""
    seconds: float

    @classmethod
    def of(cls, board: Board, found: Exact) -> ExactData:
        """Return an exact value as data."""
        return cls(
            value=found.value,
            best=named(board.rules, found.best),
            complete=found.complete,
            distance=found.distance,
            positions=found.positions,
            bounds=found.bounds,
            seconds=round(found.seconds, 6),
        )
