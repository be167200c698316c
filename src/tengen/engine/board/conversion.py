"""From boards to the engine's records and back, and stopping what runs on them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from tengen.engine.board.position import make, new_position
from tengen.engine.board.records import FRAME, ROW, Record, cell_of, copy_of
from tengen.game.board import Board
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.rules import Rules

_PAUSE = 0.02
"""Seconds between two looks at a stop signal."""


def position_of(board: Board, turn: Colour | None = None) -> tuple[Record, Record]:
    """The state with the stones of a board, and the tables of its rules.

    Args:
        board: any board that the engine plays on.
        turn: who is to move; whose turn it is if None.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    empty, tables = _new(board.rules)
    state = copy_of(empty)
    record = state[0]
    for colour in (BLACK, WHITE):
        for point in board.stones(colour):
            record["turn"] = colour - 1
            make(state, tables, cell(board, point))
    record["turn"] = (board.turn if turn is None else turn) - 1
    record["ply"] = record["changed"] = record["nodes"] = 0
    return state, tables


@lru_cache(maxsize=8)
def _new(rules: Rules) -> tuple[Record, Record]:
    return new_position(rules)


def cell(board: Board, point: Point) -> int:
    """The engine's cell of a point; a pass has none."""
    assert point != PASS  # a caller's fault
    return cell_of(point % board.width, point // board.width)


def point_of(board: Board, cell: int) -> Point:
    """The point of a cell."""
    return (int(cell) // ROW - FRAME) * board.width + int(cell) % ROW - FRAME


@contextmanager
def stopped_in_time(
    end: Callable[[], None], seconds: float | None, stop: threading.Event | None
) -> Iterator[None]:
    """Call `end` when the time is up, or when `stop` is set.

    Args:
        end: what stops a compiled function; called in another thread.
        seconds: from now; None is no bound.
        stop: ends it when set; None for nothing.
    """
    if seconds is not None and seconds > threading.TIMEOUT_MAX:
        seconds = None  # nobody can wait so long
    if seconds is None and stop is None:
        yield
        return
    over = threading.Event()
    deadline = None if seconds is None else time.perf_counter() + seconds

    def watch() -> None:
        while not over.is_set():
            left = None if deadline is None else deadline - time.perf_counter()
            if (left is not None and left <= 0) or (stop is not None and stop.is_set()):
                end()
                return
            over.wait(_PAUSE if left is None else left if stop is None else min(left, _PAUSE))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
