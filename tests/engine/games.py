"""What several tests of the engine need: boards it plays on, lines played out, and games against itself."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import lru_cache

from hypothesis import assume
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Engine, Limit, Rules
from tengen.engine.board.conversion import position_of
from tengen.engine.board.records import Record
from tengen.engine.tables import prepared, prepared_networks
from tengen.game.points import Point, distance

NAMES = ("freestyle", "standard", "renju", "caro")

SIZES = (5, 6, 10, 15, 22)
"""Sizes to draw from: making the tables of many would take longer than the tests."""

_prepared = lru_cache(maxsize=len(NAMES) * len(SIZES))(prepared)
_prepared_networks = lru_cache(maxsize=len(NAMES) * len(SIZES))(prepared_networks)


@st.composite
def boards(
    draw: st.DrawFn, names: Sequence[str] = NAMES, most: int = 40, sizes: Sequence[int] = SIZES
) -> Board:
    """A set-up position of a game that is not over, the stones near each other more often than not."""
    size = draw(st.sampled_from(sizes))
    rules = Rules.named(draw(st.sampled_from(names)), size)
    span = draw(st.integers(5, size))
    point = st.builds(lambda x, y: y * size + x, st.integers(0, span - 1), st.integers(0, span - 1))
    stones = draw(st.lists(point, unique=True, min_size=1, max_size=min(most, span * span - 1)))
    turn = draw(st.sampled_from((BLACK, WHITE)))
    board = Board.from_stones(stones[::2], stones[1::2], turn, rules)
    assume(board.outcome() is None)
    return board


def scattered(rules: Rules, seed: int, stones: int, away: int = 3) -> Board:
    """A game of random moves near the centre; it ends earlier where somebody wins."""
    rng, board = random.Random(seed), Board(rules)
    centre = rules.points // 2 if rules.width % 2 else (rules.points + rules.width) // 2
    for _ in range(stones):
        near = [point for point in board.legal_points() if distance(point, centre, rules.width) <= away]
        if board.outcome() is not None or not near:
            break
        board.push(rng.choice(near))
    return board


def state_of(board: Board) -> tuple[Record, Record]:
    """The engine's state with the stones of a board, and its tables, with the numbers to evaluate by."""
    return position_of(board, prepared=_prepared(board.rules))


def networks_of(rules: Rules) -> Record:
    """The networks of some rules."""
    return _prepared_networks(rules)


def after(board: Board, line: Iterable[Point]) -> Board:
    """The board after a line; every move of it has to be legal."""
    later = board.copy()
    for point in line:
        later.push(point)
    return later


def winner_of(board: Board) -> int | None:
    """Who has made a five; None where nobody has."""
    outcome = board.outcome()
    return outcome.winner if outcome is not None and outcome.reason == "five" else None


def played_out(engine: Engine, rules: Rules, seed: int, nodes: int = 200) -> Board:
    """A game of an engine against itself from a few random moves; the board refuses what is not legal."""
    board = scattered(rules, seed, stones=seed % 7, away=2)
    while board.outcome() is None:
        board.push(engine.choose(board, Limit(nodes=nodes)).point)
    return board
