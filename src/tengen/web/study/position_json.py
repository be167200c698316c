"""What is to be seen of a position, as JSON: stones, fouls, threats, whose turn it is and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tengen.game.board import Board
from tengen.game.points import BLACK, WHITE, Point
from tengen.web.server.board_json import (
    COLOURS,
    fouls_json,
    outcome_json,
    point_names,
    rules_json,
    set_up_json,
    setup_json,
    stones_json,
)
from tengen.web.server.position_request import KEPT, Position, PositionKey, board_of
from tengen.web.server.request_bodies import validated
from tengen.web.study.threats_on_board import threats


def names(board: Board, points: Iterable[Point]) -> list[str]:
    """Points by name."""
    return [board.name(point) for point in points]


def threats_json(board: Board) -> dict[str, list[dict[str, Any]]]:
    """The threats that stand on a board, see `tengen.web.study.threats_on_board`."""
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
    """Whether as many stones as were set up can have come one by one in turn, Black's first."""
    setup = board.setup
    if setup is None:
        return True
    ahead = len(setup.stones(BLACK)) - len(setup.stones(WHITE))
    return ahead == (setup.turn == WHITE)


def position_json(board: Board) -> dict[str, Any]:
    """All that is to be seen of a position.

    ``legal`` tells whether play in turn can have led to so many stones; a set-up may have any.
    """
    outcome, setup = board.outcome(), board.setup
    all_names = point_names(board.rules)
    placed = set_up_json(setup, all_names)
    first = BLACK if setup is None else setup.turn
    return {
        "rules": rules_json(board.rules),
        "fouls_mode": board.rules.fouls,
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
    """What `position_json` tells of a position, as JSON text.

    Raises:
        WrongFields: rules, stones or moves that cannot be.
    """
    return validated(lambda: _text_of(position.key()))


@lru_cache(maxsize=KEPT)
def _text_of(key: PositionKey) -> str:
    return json.dumps(position_json(board_of(key)), separators=(",", ":"))
