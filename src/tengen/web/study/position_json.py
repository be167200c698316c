"""Serialisation of a position for display: stones, fouls, threats, side to move and result."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tengen.game.board import Board
from tengen.game.points import BLACK, WHITE, Point
from tengen.web.computing.board_json import (
    COLOURS,
    fouls_json,
    outcome_json,
    point_names,
    rules_json,
    set_up_json,
    setup_json,
    stones_json,
)
from tengen.web.computing.position_request import KEPT, Position, PositionKey, board_of
from tengen.web.study.threats_on_board import threats
from tengen.web.transport.request_bodies import validated


def names(board: Board, points: Iterable[Point]) -> list[str]:
    """Return the names of points."""
    return [board.name(point) for point in points]


def threats_json(board: Board) -> dict[str, list[dict[str, Any]]]:
    """Return a board's threats as JSON data; see `tengen.web.study.threats_on_board`."""
    return {
        COLOURS[colour]: [
            {
                "kind": threat.kind,
                "points": names(board, threat.points),
                "gains": names(board, threat.gains),
            }
            for threat in found
        ]
        for colour, found in threats(board).items()
    }


def in_turn(board: Board) -> bool:
    """Return whether the numbers of set-up stones are possible in alternate play with Black first."""
    setup = board.setup
    if setup is None:
        return True
    ahead = len(setup.stones(BLACK)) - len(setup.stones(WHITE))
    return ahead == (setup.turn == WHITE)


def position_json(board: Board) -> dict[str, Any]:
    """Return a position as JSON data for display.

    ``legal`` is whether alternate play can lead to these numbers of stones; a set-up may have any numbers.
    """
    outcome, setup = board.outcome(), board.setup
    all_names = point_names(board.rules)
    placed = set_up_json(setup, all_names)
    first = BLACK if setup is None else setup.turn
    return {
        **rules_json(board.rules),
        "setup": None if setup is None else setup_json(setup),
        "stones": placed + stones_json(board.moves, first, all_names),
        "numbered_from": len(placed),
        "moves": names(board, board.moves),
        "ply": board.ply,
        "turn": COLOURS[board.turn] if outcome is None else None,
        "last": None if board.last is None else board.name(board.last),
        "outcome": None if outcome is None else outcome_json(outcome, all_names),
        "fouls": fouls_json(board) if outcome is None and board.turn == BLACK else {},
        "legal": in_turn(board),
        "threats": threats_json(board),
    }


def position_text(position: Position) -> str:
    """Return the result of `position_json` as JSON text.

    Raises:
        WrongFields: the rules, stones or moves are invalid.
    """
    return validated(lambda: _text_of(position.key()))


@lru_cache(maxsize=KEPT)
def _text_of(key: PositionKey) -> str:
    return json.dumps(position_json(board_of(key)), separators=(",", ":"))
