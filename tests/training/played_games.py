"""A few games of the engine against itself, played once for all tests that learn from them."""

from __future__ import annotations

from functools import cache

from tengen import Rules
from tengen.engine.board.position import make
from tengen.engine.board.records import Record, cell_of
from tengen.engine.tables import CLASSES_ALONE, prepared
from tengen.training.games.board_positions import BoardPositions
from tengen.training.games.point_classes import TrainingData, gathered
from tengen.training.games.self_play import SelfPlayGame, SelfPlaySettings, play


@cache
def _played(rules: str, size: int, number: int) -> SelfPlayGame:
    return play(SelfPlaySettings(Rules.named(rules, size), nodes=40, seed=5), number)


def played_games(rules: str = "freestyle", count: int = 12, size: int = 9) -> tuple[SelfPlayGame, ...]:
    """Quick games."""
    return tuple(_played(rules, size, number) for number in range(count))


@cache
def games(rules: str = "freestyle") -> TrainingData:
    """The same, described."""
    return gathered(Rules.named(rules, 9), played_games(rules))


def state_of(positions: BoardPositions, number: int, rules: Rules) -> tuple[Record, Record]:
    """A position, and tables without a network."""
    empty, tables = prepared(rules, weights=CLASSES_ALONE)
    state, mover, size = empty.copy(), positions.movers[number], positions.size
    for point, stone in enumerate(positions.boards[number]):
        if stone:
            state[0]["turn"] = mover if stone == 1 else 1 - mover
            make(state, tables, cell_of(point % size, point // size))
    state[0]["turn"] = mover
    return state, tables
