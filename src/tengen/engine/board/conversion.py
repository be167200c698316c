"""From boards to the engine's records and back, and stopping what runs on them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from tengen.engine.board.position import make, new_position
from tengen.engine.board.records import FRAME, ROW, Record, cell_of, copy_of
from tengen.engine.board.scores import MATE, WIN
from tengen.executors import ended_in_time
from tengen.game.board import Board
from tengen.game.player import Score
from tengen.game.points import BLACK, PASS, WHITE, Colour, Point
from tengen.game.rules import Rules


def position_of(
    board: Board, turn: Colour | None = None, prepared: tuple[Record, Record] | None = None
) -> tuple[Record, Record]:
    """Return the state of a board, its moves made in the order in which they were played, and the tables.

    The moves of the state cannot be taken back.

    Args:
        board: any board that the engine plays on.
        turn: the side to move; the board's if None.
        prepared: the empty state of the board's rules, and their tables, which are returned; if None, those
            without numbers to evaluate by.

    Raises:
        RulesError: rules or a board that the engine does not play.
    """
    empty, tables = _new(board.rules) if prepared is None else prepared
    state = copy_of(empty)
    record = state[0]
    setup = board.setup
    if setup is not None:
        for colour in (BLACK, WHITE):
            for point in setup.stones(colour):
                record["turn"] = colour - 1
                make(state, tables, cell(board, point))
        record["turn"] = setup.turn - 1
    for point in board.moves:
        if point == PASS:
            record["turn"] ^= 1
        else:
            make(state, tables, cell(board, point))
    if turn is not None:
        record["turn"] = turn - 1
    record["changed"] = 0
    return state, tables


def is_empty(board: Board) -> bool:
    """Return whether there is no stone on a board."""
    return not board.stones(BLACK) and not board.stones(WHITE)


def centre_of(board: Board) -> Point:
    """Return the point that the engine plays on an empty board."""
    return (board.width - 1) // 2 * (board.width + 1)


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


def score_of(value: int) -> Score:
    """Return the score that a number of the search stands for."""
    if value > MATE:
        return Score.win_in(WIN - value)
    if value < -MATE:
        return Score.loss_in(WIN + value)
    return Score(value)


@contextmanager
def stopped_in_time(record: Record, seconds: float | None, stop: threading.Event | None) -> Iterator[None]:
    """Stop the kernels that work on a record when the time is up or the signal is set.

    Args:
        record: a position's record; its `stop` is set.
        seconds: from now; None for no bound.
        stop: the signal; None for none.
    """

    def end() -> None:
        record["stop"] = 1

    with ended_in_time(end, seconds, stop):
        yield
