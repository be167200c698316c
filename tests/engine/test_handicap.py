"""A weaker engine sees less, and never gives away a five: the promises of every strength."""

from __future__ import annotations

import threading
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, WHITE, Board, Engine, Limit, Rules, TengenError, player
from tengen.engine.board.conversion import point_of, position_of
from tengen.engine.board.fouls import forbidden_cells
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.playable import LARGEST, SMALLEST
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, STEPS, Kind, copy_of
from tengen.engine.defaults import FULL
from tengen.engine.evaluation.learned_file import record_of
from tengen.engine.evaluation.weights import WEIGHTS_RECORD, load
from tengen.engine.handicap import distort, handicap, overlook
from tengen.engine.search.deepening import SearchTask, run
from tengen.engine.search.forced_moves import fives_of, forced_moves
from tengen.engine.search.table import new_table
from tengen.engine.tables import prepared, prepared_networks
from tengen.players.candidates import playable
from tests.positions import drawn
from tests.strategies import engine_rules, played, set_up

CROWDED = (EMPTY, EMPTY, BLACK, WHITE)
SCATTERED = (*CROWDED, EMPTY, EMPTY)
ENGINE_RULES = engine_rules(st.integers(SMALLEST, LARGEST))
STRENGTHS = st.sampled_from((0, 10, 40, 70, 99, 100))
SEEDS = st.integers(0, 1000)


@settings(max_examples=60)
@given(set_up(engine_rules(), CROWDED) | played(engine_rules()), STRENGTHS, SEEDS)
def test_a_five_is_made_or_stopped_and_no_foul_is_played_at_any_strength(board, strength, seed):
    points = playable(board)
    if not points:
        return
    choice = Engine(strength=strength, seed=seed).choose(board, Limit(nodes=500))
    assert choice.point in points
    forced = [point_of(board, cell) for cell in forced_moves(*position_of(board))]
    assert not forced or choice.point in forced
    line = board.copy()
    for point in choice.line:
        line.push(point)


@settings(max_examples=30)
@given(set_up(engine_rules(), CROWDED), STRENGTHS)
def test_so_it_is_when_it_has_to_answer_at_once(board, strength):
    points = playable(board)
    if not points:
        return
    now = threading.Event()
    now.set()
    for engine in (Engine(strength=strength), Engine()):
        choice = engine.choose(board, stop=now)
        forced = [point_of(board, cell) for cell in forced_moves(*position_of(board))]
        assert choice.point in (forced or points)


@settings(max_examples=20)
@given(played(engine_rules()), STRENGTHS.filter(lambda strength: strength < 50), SEEDS)
def test_the_same_seed_sees_the_same(board, strength, seed):
    if not playable(board):
        return
    engine = Engine(strength=strength, seed=seed)
    again = player(engine.name)
    engine.choose(Board.from_moves("h8i9", "renju"))
    for limit in (None, Limit(nodes=100), Limit(depth=2), Limit(seconds=60)):
        one, other = engine.choose(board, limit), again.choose(board, limit)
        assert (one.line, one.score, one.nodes) == (other.line, other.score, other.nodes)


def test_strength_is_a_way_from_one_stone_to_all_there_is():
    steps = [handicap(strength) for strength in range(FULL)]
    for less, more in pairwise(step for step in steps if step is not None):
        assert less.nodes <= more.nodes
        assert less.depth <= more.depth
        assert less.oversight >= more.oversight
        assert less.distortion >= more.distortion
        assert less.without | more.without == less.without
    assert handicap(FULL) is None


def test_a_limit_shortens_and_does_not_lengthen():
    board = Board.from_moves("h8i9i7g9h9h10g8j8i10f7")
    weak = Engine(strength=10)
    full = weak.choose(board)
    assert weak.choose(board, Limit(seconds=600, nodes=10**9, depth=99)).nodes == full.nodes
    assert weak.choose(board, Limit(nodes=40)).nodes <= 40 < full.nodes
    assert weak.choose(board, Limit(depth=1)).nodes < full.nodes
    assert Engine(strength=10, nodes=40).choose(board).nodes <= 40


@pytest.mark.parametrize("strength", [-1, 101, 2.5, True])
def test_a_strength_is_a_whole_number_to_a_hundred(strength):
    with pytest.raises(TengenError, match="strength is"):
        Engine(strength=strength)


def test_full_strength_is_the_engine_as_it_is():
    board = Board.from_moves("h8i9i7g9h9h10g8j8i10f7")
    one, other = Engine(strength=100, seed=5), Engine()
    assert one.choose(board, Limit(nodes=3000)).line == other.choose(board, Limit(nodes=3000)).line
    assert [Engine(strength=40).name, one.name] == ["engine,strength=40", "engine,seed=5"]


def test_under_caro_the_end_that_closes_a_five_is_found_at_any_strength():
    picture = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X . O O O O e .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    board, at = drawn(picture, rules="caro")
    for strength in (0, 50, 100):
        assert Engine(strength=strength).choose(board, Limit(nodes=500)).point == at["e"]


THREE = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . O . . . . .
    . . . . O . . X . . .
    . . . O . . . . X . .
    . . . . . . . . . . .
    . . . . . . . . X . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """


def test_an_overlooked_row_is_like_the_edge_of_the_board_along_it():
    board, _ = drawn(THREE, rules="freestyle")
    state, tables = position_of(board)
    assert state[0]["counts"][1, Kind.OPEN_FOUR] == 2
    assert overlook(state, tables, board, 0.0, seed=1) == ()
    assert state[0]["counts"][1, Kind.OPEN_FOUR] == 2
    rows = overlook(state, tables, board, 9.0, seed=1)
    assert [board.name(point) for point in rows[0]] == ["d6", "e7", "f8"]
    assert state[0]["counts"][1, Kind.OPEN_FOUR] == 0


@pytest.mark.long
def test_who_overlooks_a_three_need_not_answer_it():
    board, _ = drawn(THREE, rules="freestyle")
    answers = {board.point(name) for name in ("b4", "c5", "g9", "h10")}
    seen: set[int] = set()
    missed: set[int] = set()
    for seed in range(150):
        engine = Engine(strength=0, seed=seed)
        told = str(engine.explain(board).summary)
        (missed if "d6 e7 f8" in told else seen).add(engine.choose(board).point)
    assert seen <= answers
    assert missed - answers


def certain(state, tables):
    """The fives of both sides, and the fouls of Black if it is to move."""
    fouls = np.zeros(CELLS, np.int64)
    count = forbidden_cells(state, tables, fouls) if state[0]["turn"] == 0 else 0
    return fives_of(state, 0), fives_of(state, 1), fouls[:count].tolist()


@settings(max_examples=40)
@given(set_up(engine_rules(), CROWDED), SEEDS)
def test_fives_and_own_fouls_are_never_overlooked(board, seed):
    if board.outcome():
        return
    state, tables = position_of(board)
    before = certain(state, tables)
    overlook(state, tables, board, 9.0, seed)
    assert certain(state, tables) == before


def overlooked(board, seed):
    """The state of a board without the rows that can be overlooked, and its tables."""
    state, tables = position_of(board)
    overlook(state, tables, board, 9.0, seed)
    return state, tables


def patterns_along(state, side, direction):
    """The patterns of all cells on the lines of a direction."""
    return (state[0]["patterns"].astype(np.int64) >> (16 * side + 4 * direction)) & 15


@settings(max_examples=40)
@given(set_up(ENGINE_RULES, SCATTERED), SEEDS)
def test_a_four_beside_overlooked_rows_is_completed_on_the_same_line(board, seed):
    state, tables = overlooked(board, seed)
    empty = state[0]["cells"] == 0
    for side, direction in product(range(2), range(4)):
        patterns = patterns_along(state, side, direction)
        fours = (patterns >= Pattern.FOUR) & (patterns <= Pattern.OPEN_FOUR)
        for cell in np.flatnonzero(fours & empty).tolist():
            state[0]["turn"] = side
            make(state, tables, cell)
            near = [cell + offset * STEPS[direction] for offset in range(-4, 5)]
            fives = patterns_along(state, side, direction)[near] == Pattern.FIVE
            assert (fives & (state[0]["cells"][near] == 0)).any()
            unmake(state, tables)


LEFT_THE_BOARD = Board.from_stones(
    "a1 f1 j1 i2 g3 j3 a4 j5 c8 e8 h8 d9 b10 g10 i10",
    "a3 b3 c3 b4 g4 f5 a6 e6 j9 a10",
    rules=Rules.named("renju", 10),
)
"""A position in which an overlooked row once made the points of a line disagree."""


@pytest.mark.long
@settings(max_examples=60)
@example(LEFT_THE_BOARD, 0)
@given(set_up(ENGINE_RULES, SCATTERED), SEEDS)
def test_a_search_that_overlooks_rows_stays_on_the_board(board, seed):
    if not playable(board):
        return
    state, tables = overlooked(board, seed)
    networks = prepared_networks(board.rules)
    task = SearchTask(state, prepared(board.rules)[1], networks, new_table(1), most_nodes=300)
    for result in run(task):
        after = copy_of(state)
        for cell in result.line:
            assert after[0]["cells"][cell] == 0
            make(after, tables, cell)
    searched, empty = task.thread_states[0], state[0]["cells"] == 0
    for name in ("ply", "turn", "hash", "lines", "cells", "rows", "counts"):
        assert np.array_equal(searched[0][name], state[0][name])
    for name in ("patterns", "classes", "kinds"):
        assert np.array_equal(searched[0][name][..., empty], state[0][name][..., empty])


def distorted(distortion, seed):
    """The worths of freestyle's patterns with errors."""
    record = record_of(load("freestyle"), WEIGHTS_RECORD)
    distort(record, distortion, seed)
    return record[0]["worths"].astype(int)


def test_a_distortion_is_a_factor_for_each_pattern():
    worths = load("freestyle").worths
    assert (distorted(0.0, seed=1) == worths).all()
    one, same, other = (distorted(0.2, seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()
    assert (abs(one - worths) <= abs(worths) * 0.2 + 1).all()


def test_a_seed_may_have_any_number_of_digits():
    """As far as Python writes them."""
    seed = -(10**4000)
    assert (distorted(0.2, seed) != distorted(0.2, 1)).any()
    board, _ = drawn(THREE, rules="freestyle")
    state, tables = position_of(board)
    assert len(overlook(state, tables, board, 9.0, seed)[0]) == 3
