"""The engine's board is the specification's, after any moves made and unmade."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, Board, Rules
from tengen.engine.board.conversion import cell
from tengen.engine.board.fouls import FOUL_KINDS, forbidden_cells, foul_kind, is_forbidden
from tengen.engine.board.position import look_up, make, new_position, unmake
from tengen.engine.board.records import CELLS, Kind, cell_of
from tengen.engine.tables import prepared
from tengen.game.errors import RulesError
from tests.positions import rows_of

NAMES = ("freestyle", "standard", "renju", "caro")
LIVE = ("size", "ply", "turn", "hash", "changed", "lines", "cells", "patterns", "kinds", "counts", "worth")


def same(one, other) -> bool:
    return all((one[name] == other[name]).all() for name in LIVE)


def played(moves, rules):
    """A state after moves, and its tables."""
    state, tables = new_position(rules)
    for x, y in moves:
        make(state, tables, cell_of(x, y))
    return state, tables


@st.composite
def games(draw, sizes=tuple(range(5, 23))):
    """Rules, and different points of a board in any order, near each other more often than not."""
    size = draw(st.sampled_from(sizes))
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


@given(games(sizes=(5, 9, 15)), st.lists(st.booleans(), max_size=80))
def test_the_learned_numbers_are_kept_up_to_date_as_stones_come_and_go(game, steps):
    """With the numbers of a real engine, which are not all zero."""
    rules, moves = game
    empty, tables = prepared(rules)
    state, waiting, played = empty.copy(), moves[::-1], []
    for forward in steps:
        if forward and waiting:
            played.append(waiting.pop())
            make(state, tables, cell_of(*played[-1]))
        elif not forward and played:
            waiting.append(played.pop())
            unmake(state, tables)
        anew = state.copy()
        look_up(anew, tables)
        assert same(state, anew)


@given(games())
def test_the_hash_tells_positions_apart_whatever_the_order(game):
    rules, moves = game
    state, _ = played(moves, rules)
    other, _ = played(moves[2:4] + moves[:2] + moves[4:] if len(moves) > 3 else moves, rules)
    assert state["hash"] == other["hash"]


@pytest.mark.long
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
    kinds = {point: foul_kind(state, tables, cell(board, point)) for point in free}
    fouls = {point: FOUL_KINDS[number] for point, number in kinds.items() if number >= 0}
    assert fouls == {point: foul.kind for point, foul in board.fouls().items()}


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


GAMES = [row for row in rows_of("outcomes.jsonl") if 5 <= row["size"] <= 22]


@pytest.mark.parametrize("row", GAMES, ids=lambda row: row["id"])
def test_the_last_move_of_recorded_games(row):
    """It makes a five, or is a foul, or neither."""
    rules = Rules.named(row["rule"], row["size"], fouls="loses")
    board = Board.from_moves(row["moves"], rules)
    outcome, last = board.outcome(), board.pop()
    state, tables = new_position(rules)
    for point in board.moves:
        make(state, tables, cell(board, point))
    five = state[0]["kinds"][board.turn - 1, cell(board, last)] == Kind.FIVE
    assert five == (outcome is not None and outcome.reason == "five")
    foul = board.turn == BLACK and is_forbidden(state, tables, cell(board, last))
    assert foul == (outcome is not None and outcome.reason == "foul")


PERFT = [row for row in rows_of("perft.jsonl") if row["k"] == 5]
QUICK = 45_000
"""Sequences that are counted on every run; the longer counts are marked slow."""


def perft(state, tables, depth, seen):
    """Sequences of exactly `depth` legal moves; a five ends one. `seen` keeps what has been counted."""
    record = state[0]
    key = int(record["hash"]), depth
    if key not in seen:
        free = np.flatnonzero(record["cells"] == 0).tolist()
        if record["turn"] == 0:
            free = [number for number in free if not is_forbidden(state, tables, number)]
        count = len(free)
        if depth > 1:
            count = 0
            for number in free:
                if record["kinds"][record["turn"], number] != Kind.FIVE:
                    make(state, tables, number)
                    count += perft(state, tables, depth - 1, seen)
                    unmake(state, tables)
        seen[key] = count
    return seen[key]


def counted(row):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], row["size"]))
    state, tables = new_position(board.rules)
    for point in board.moves:
        make(state, tables, cell(board, point))
    seen: dict[tuple[int, int], int] = {}
    for depth, expected in enumerate(row["perft"], start=1):
        yield expected, lambda depth=depth: perft(state, tables, depth, seen)


@pytest.mark.parametrize("row", PERFT, ids=lambda row: row["id"])
def test_sequences_of_moves(row):
    quick = [(expected, count()) for expected, count in counted(row) if expected <= QUICK]
    assert quick
    assert [count for _, count in quick] == [expected for expected, _ in quick]


@pytest.mark.slow
@pytest.mark.parametrize("row", PERFT, ids=lambda row: row["id"])
def test_long_sequences_of_moves(row):
    for expected, count in counted(row):
        assert count() == expected


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("tictactoe", "from 5x5 to 22x22, not 3x3"),
        ("mnk:7,7,4", "five in a row only, not 4"),
        ("mnk:15,10,5", "square boards only"),
        ("mnk:23,23,5", "from 5x5 to 22x22, not 23x23"),
    ],
)
def test_what_the_engine_does_not_play(rules, said):
    with pytest.raises(RulesError, match=said):
        new_position(Rules.parse(rules))
