"""Positions for tests: drawn by hand, or read from the files in `tests/data`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tengen import BLACK, EMPTY, PASS, WHITE, Board, Foul, Outcome, Rules
from tengen.game.board import Move
from tengen.game.points import Colour, Point

DATA = Path(__file__).parent / "data"


def rows_of(name: str) -> list[dict[str, Any]]:
    """The rows of a ``.jsonl`` file in `tests/data`."""
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def drawn(
    picture: str, rules: str = "renju", turn: Colour = BLACK, **overrides: Any
) -> tuple[Board, dict[str, Point]]:
    """A board set up from a drawing, the top row first, and its marked points.

    ``X`` is a black stone, ``O`` a white one, ``.`` an empty point; any other sign is an empty point that
    the test calls by that sign.

    >>> board, at = drawn('''
    ...     . . O
    ...     . X p
    ...     . . .
    ... ''')
    >>> board.name(at["p"]), board["b2"], board["c3"]
    ('c2', 1, 2)
    """
    rows = [line.split() for line in reversed(picture.strip().splitlines())]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise ValueError("the rows of the drawing differ in length")
    stones: dict[str, list[Point]] = {"X": [], "O": []}
    marks: dict[str, Point] = {}
    for point, sign in enumerate(sign for row in rows for sign in row):
        if sign in stones:
            stones[sign].append(point)
        elif sign != ".":
            if sign in marks:
                raise ValueError(f"two points are called {sign}")
            marks[sign] = point
    played = Rules.named(rules, size=(width, len(rows)), **overrides)
    return Board.from_stones(stones["X"], stones["O"], turn, played), marks


def ended(board: Board) -> Outcome:
    """The outcome of a game that is over."""
    outcome = board.outcome()
    assert outcome is not None
    return outcome


def foul_at(board: Board, point: Move) -> Foul:
    """The foul on a point that has one."""
    foul = board.foul(point)
    assert foul is not None
    return foul


def state(board: Board) -> tuple[object, ...]:
    """Everything that can be seen of a board from outside."""
    return (
        board.rules,
        board.position,
        board.turn,
        board.moves,
        board.ply,
        board.last,
        board.outcome(),
        board.setup,
        board.claimable(),
        board.claimed,
        board.fouls(),
        board.legal_points(),
        board.is_legal(PASS),
        [board.stones(colour) for colour in (EMPTY, BLACK, WHITE)],
        str(board),
        repr(board),
        hash(board),
    )
