"""The engine's board is the specification's, after any moves made and unmade."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, Board, Rules
from tengen.engine.fouls import forbidden_cells
from tengen.engine.position import look_up, make, new_position, unmake
from tengen.engine.state import CELLS, Kind, cell_of
from tengen.game.errors import RulesError
from tests.positions import rows_of

NAMES = ("freestyle", "standard", "renju", "caro")
LIVE = ("size", "ply", "turn", "hash", "changed", "lines", "cells", "patterns", "kinds", "counts")


def cell(board: Board, point: int) -> int:
    return cell_of(point % board.width, point // board.width)


def same(one, other) -> bool:
    return all((one[name] == other[name]).all() for name in LIVE)


def played(moves, rules):
    """A state after moves, and its tables."""
    state, tables = new_position(rules)
    for x, y in moves:
        make(state, tables, cell_of(x, y))
    return state, tables


@st.composite
def games(draw):
    """Rules, and different points of a board in any order, near each other more often than not."""
    size = draw(st.integers(5, 22))
    rules = Rules.named(draw(st.sampled_from(NAMES)), size)
    span = draw(st.integers(5, size))
    point = st.tuples(st.integers(0, span - 1), st.integers(0, span - 1))
    return rules, draw(st.lists(point, unique=True, max_size=min(60, span * span)))


@given(games())
def test_what_is_kept_up_to_date_is_what_one_would_find_anew(game):
    rules, moves = game
    state, tables = played(moves, rules)
    anew = state.copy()
    look_up(anew, tables)
    assert same(state, anew)


@given(games())
def test_taking_back_leaves_nothing_behind(game):
    rules, moves = game
    state, tables = new_position(rules)
    seen = [state.copy()]
    for x, y in moves:
        make(state, tables, cell_of(x, y))
        seen.append(state.copy())
    for before in reversed(seen[:-1]):
        unmake(state, tables)
        assert same(state, before)


@given(games())
def test_the_hash_tells_positions_apart_whatever_the_order(game):
    rules, moves = game
    state, _ = played(moves, rules)
    other, _ = played(moves[2:4] + moves[:2] + moves[4:] if len(moves) > 3 else moves, rules)
    assert state["hash"] == other["hash"]


@given(games())
def test_fives_and_fouls_are_those_of_the_specification(game):
    """Fives of both colours, and every foul, as the stones lie."""
    rules, moves = game
    stones = [y * rules.width + x for x, y in moves]
    board = Board.from_stones(black=stones[::2], white=stones[1::2], turn=BLACK, rules=rules)
    state, tables = played(moves, rules)
    free = [point for point, colour in enumerate(board.position) if not colour]
    if board.outcome() is not None:
        return
    for colour in (1, 2):
        fives = []
        for point in free:
            after = Board.from_stones(
                black=stones[::2] + [point] * (colour == 1),
                white=stones[1::2] + [point] * (colour == 2),
                turn=BLACK,
                rules=rules,
            )
            outcome = after.outcome()
            if outcome is not None and outcome.reason == "five":
                fives.append(point)
        kinds = state[0]["kinds"][colour - 1]
        assert fives == [point for point in free if kinds[cell(board, point)] == Kind.FIVE]
    assert forbidden(state, tables, board) == set(board.fouls())


def forbidden(state, tables, board):
    found = np.zeros(CELLS, np.int64)
    count = forbidden_cells(state, tables, found)
    cells = {cell(board, point): point for point in range(board.rules.points)}
    return {cells[int(number)] for number in found[:count]}


@pytest.mark.parametrize("row", rows_of("forbidden.jsonl"), ids=lambda row: row["id"])
def test_every_foul_of_the_fixtures(row):
    board = Board.from_moves(row["moves"], Rules.named("renju", row["size"]))
    state, tables = new_position(board.rules)
    for point in board.moves:
        make(state, tables, cell(board, point))
    before = state.copy()
    assert forbidden(state, tables, board) == {board.point(name) for name in row["forbidden"]}
    assert same(state, before)


@pytest.mark.parametrize("rules", ["tictactoe", "mnk:7,7,4", "mnk:15,10,5", "mnk:23,23,5"])
def test_what_the_engine_does_not_play(rules):
    with pytest.raises(RulesError, match="5 to 22"):
        new_position(Rules.parse(rules))
