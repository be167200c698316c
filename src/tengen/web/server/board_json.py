"""Boards, rules and outcomes as JSON: what the state of a game and the look at a position tell alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from tengen.game import opening_rules
from tengen.game.board import Board, Outcome
from tengen.game.fouls import Foul
from tengen.game.notation import point_name
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.rules import Rules

Json: TypeAlias = dict[str, Any]

COLOURS = {BLACK: "black", WHITE: "white"}

SIDES: dict[str, Colour] = {name: colour for colour, name in COLOURS.items()}
"""The colours by name."""


LARGE = 22 * 22
"""Points of a board on which fouls are found at once, whatever stands there."""


def fouls_take_long(rules: Rules) -> bool:
    """Whether to find all fouls may take a second or more: on a large board, set up to make it so."""
    return rules.has_fouls and rules.points > LARGE


@lru_cache(maxsize=64)
def rules_json(rules: Rules) -> Json:
    """Rules with their name, whether they have fouls, and the opening rules that go with them."""
    return {
        **rules.to_dict(),
        "name": rules.name,
        "has_fouls": rules.has_fouls,
        "opening_names": list(opening_rules.available(rules)),
    }


def setup_json(setup: Board) -> Json:
    """A set-up position."""
    return {
        **{COLOURS[colour]: [setup.name(point) for point in setup.stones(colour)] for colour in COLOURS},
        "turn": COLOURS[setup.turn],
    }


def set_up_json(setup: Board | None, names: Sequence[str]) -> list[list[str]]:
    """The stones of a set-up position, each with its colour."""
    if setup is None:
        return []
    return [[names[point], COLOURS[colour]] for colour in COLOURS for point in setup.stones(colour)]


def stones_json(moves: Sequence[Point], first: Colour, names: Sequence[str]) -> list[list[str]]:
    """The stones in the order in which they were put, each with its colour."""
    colours = ("black", "white") if first == BLACK else ("white", "black")
    return [[names[move], colours[number % 2]] for number, move in enumerate(moves) if move != PASS]


def outcome_json(result: Outcome, names: Sequence[str]) -> Json:
    """How a game ended."""
    return {
        "winner": None if result.winner is None else COLOURS[result.winner],
        "reason": result.reason,
        "line": [names[point] for point in result.line],
        "foul": None if result.foul is None else foul_json(result.foul, names),
    }


def fouls_json(board: Board) -> Json:
    """The points forbidden to Black, each with the kind of foul and the lines that make it."""
    return _kept_fouls(board) if board.rules.has_fouls else {}


@lru_cache(maxsize=512)
def _kept_fouls(board: Board) -> Json:
    """The same, kept because a position is told of more than once; a few milliseconds each."""
    names = point_names(board.rules)
    return {names[point]: foul_json(foul, names) for point, foul in board.fouls().items()}


def foul_json(foul: Foul, names: Sequence[str]) -> Json:
    """A foul: its kind and the lines that make it."""
    return {"kind": foul.kind, "lines": [[names[point] for point in line] for line in foul.lines]}


def point_names(rules: Rules) -> Sequence[str]:
    """The name of every point of a board by its number; index -1 is the pass."""
    return _all_names(rules.width, rules.points)


@lru_cache(maxsize=64)
def _all_names(width: int, points: int) -> Sequence[str]:
    """The name of every point; the last one, which is also number -1, is the pass."""
    return [*(point_name(point, width) for point in range(points)), point_name(PASS, width)]
