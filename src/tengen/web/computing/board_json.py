"""Boards, rules and outcomes as JSON, shared by the states of games and the analysis of positions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from tengen.game.board import Board, Outcome
from tengen.game.fouls import Foul
from tengen.game.notation import point_name
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.rules import Rules
from tengen.schemas.rules import WithRules, rules_fields

Json: TypeAlias = dict[str, Any]

COLOURS = {BLACK: "black", WHITE: "white"}

SIDES: dict[str, Colour] = {name: colour for colour, name in COLOURS.items()}
"""The colours by name."""


LARGE = 22 * 22
"""The most points of a board on which all fouls are found quickly, whatever the position."""


def fouls_take_long(rules: Rules) -> bool:
    """Return whether finding all fouls may take a second or more: on a large board, set up to be slow."""
    return rules.has_fouls and rules.points > LARGE


@lru_cache(maxsize=64)
def rules_json(rules: Rules) -> Json:
    """Return the fields of `WithRules` as JSON."""
    return WithRules(**rules_fields(rules)).to_dict()


def setup_json(setup: Board) -> Json:
    """Return a set-up position as JSON."""
    return {
        **{COLOURS[colour]: [setup.name(point) for point in setup.stones(colour)] for colour in COLOURS},
        "turn": COLOURS[setup.turn],
    }


def set_up_json(setup: Board | None, names: Sequence[str]) -> list[list[str]]:
    """Return the stones of a set-up position, each with its colour."""
    if setup is None:
        return []
    return [[names[point], COLOURS[colour]] for colour in COLOURS for point in setup.stones(colour)]


def stones_json(moves: Sequence[Point], first: Colour, names: Sequence[str]) -> list[list[str]]:
    """Return the stones in the order in which they were put, each with its colour; passes are left out."""
    colours = ("black", "white") if first == BLACK else ("white", "black")
    return [[names[move], colours[number % 2]] for number, move in enumerate(moves) if move != PASS]


def outcome_json(result: Outcome, names: Sequence[str]) -> Json:
    """Return the outcome of a game as JSON."""
    return {
        "winner": None if result.winner is None else COLOURS[result.winner],
        "reason": result.reason,
        "line": [names[point] for point in result.line],
        "foul": None if result.foul is None else foul_json(result.foul, names),
    }


def fouls_json(board: Board) -> Json:
    """Return the points forbidden to Black, each with the kind of foul and the lines that make it."""
    return _kept_fouls(board) if board.rules.has_fouls else {}


@lru_cache(maxsize=512)
def _kept_fouls(board: Board) -> Json:
    """Return the fouls of a position, from a cache.

    A position is sent more than once, and finding its fouls takes a few milliseconds.
    """
    names = point_names(board.rules)
    return {names[point]: foul_json(foul, names) for point, foul in board.fouls().items()}


def foul_json(foul: Foul, names: Sequence[str]) -> Json:
    """Return a foul as JSON: its kind and the lines that make it."""
    return {"kind": foul.kind, "lines": [[names[point] for point in line] for line in foul.lines]}


def point_names(rules: Rules) -> Sequence[str]:
    """Return the name of every point of a board by its number; index -1 is the pass."""
    return _all_names(rules.width, rules.points)


@lru_cache(maxsize=64)
def _all_names(width: int, points: int) -> Sequence[str]:
    """Return the name of every point, and of the pass as the last item (index -1)."""
    return [*(point_name(point, width) for point in range(points)), point_name(PASS, width)]
