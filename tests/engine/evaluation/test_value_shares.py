"""The shares of the static value are those of the kernels, whatever way one looks at the position."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Rules
from tengen.engine.board.conversion import cell, point_of
from tengen.engine.board.position import make
from tengen.engine.board.records import SCRATCH, STEPS_AWAY, Kind, cell_of
from tengen.engine.board.techniques import Technique
from tengen.engine.evaluation.network_kernel import begin, correction
from tengen.engine.evaluation.static import static_score
from tengen.engine.evaluation.value_shares import value_shares
from tengen.engine.evaluation.weights import FAMILIES, load
from tengen.engine.search.forced_moves import forced_moves
from tengen.engine.search.move_probabilities import move_probabilities
from tengen.engine.tables import CLASSES_ALONE, prepared, prepared_networks
from tengen.game.points import distance, opponent
from tengen.game.symmetry import symmetries, transform
from tengen.players.windows import Windows
from tengen.training.games.point_classes import positions_of
from tengen.training.games.self_play import Sample
from tests.engine.games import boards, networks_of, scattered, state_of
from tests.engine.helpers import called

pytestmark = pytest.mark.usefixtures("compiled")

NETWORKS = ("freestyle", "standard", "renju")


def shares_of(board):
    return value_shares(*state_of(board), networks_of(board.rules))


def by_point(board, numbers):
    cells = shares_of(board).cells.tolist()
    return {point_of(board, cell): number for cell, number in zip(cells, numbers, strict=True)}


@given(boards())
def test_the_whole_is_the_static_score_and_what_the_network_adds(board):
    (state, tables), networks = state_of(board), networks_of(board.rules)
    shares = value_shares(state, tables, networks)
    assert math.floor(shares.worths.sum()) + shares.threats == called(static_score)(state[0], tables[0])
    assert shares.value == shares.worths.sum() + shares.threats + shares.correction
    if shares.network is None:
        assert shares.correction == 0
        return
    scratch = np.zeros(1, SCRATCH)
    begin(state, networks, scratch)
    assert abs(shares.correction - correction(state, networks, scratch)) <= 1


@given(boards(names=NETWORKS), st.data())
def test_a_share_of_the_network_is_what_the_kernel_loses_without_the_point(board, data):
    """The kernel's own way to leave a point out: taken out of its pools, as when a stone is put there."""
    (state, tables), networks = state_of(board), networks_of(board.rules)
    shares = value_shares(state, tables, networks)
    if shares.network is None:
        return
    place = data.draw(st.integers(0, len(shares.cells) - 1))
    without = left_out(state, networks, int(shares.cells[place]))
    assert abs(shares.network[place] - (shares.correction - without)) <= 1


def left_out(state, networks, cell):
    scratch = np.zeros(1, SCRATCH)
    begin(state, networks, scratch)
    record = scratch[0]
    pools = record["net_pools"].astype(np.int64)
    rows = record["net_sums"].reshape(2, -1, 32)[:, cell].astype(np.int64)
    rows = np.minimum(np.maximum(rows, (rows + 4) >> 3), 511)
    pools.reshape(2, 9, 32)[:, networks[0]["pools"][cell]] -= rows
    record["net_pools"][:] = pools
    return correction(state, networks, scratch)


@pytest.mark.long
@given(boards())
def test_the_eight_symmetries_move_the_classes_with_the_points(board):
    before = by_point(board, shares_of(board).worths.tolist())
    for symmetry in symmetries(board.width, board.height):
        turned = transform(board, symmetry)
        after = by_point(turned, shares_of(turned).worths.tolist())
        assert sorted(after.values()) == sorted(before.values())


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("stones", [(), ("h8",)])
def test_a_symmetric_position_has_symmetric_classes(name, stones):
    """Every line is the same from either end; only the head tells one part of the board from another."""
    board = Board.from_stones(black=stones, white=(), turn=WHITE, rules=name)
    worths = by_point(board, shares_of(board).worths.sum(axis=1).tolist())
    for point, worth in worths.items():
        x, y = point % 15, point // 15
        assert worths[(14 - x) + 15 * y] == worths[x + 15 * (14 - y)] == worths[y + 15 * x] == worth


@given(boards(names=("freestyle", "standard", "caro")))
def test_colours_are_alike_where_the_rules_are(board):
    swapped = Board.from_stones(board.stones(WHITE), board.stones(BLACK), opponent(board.turn), board.rules)
    one, other = shares_of(board), shares_of(swapped)
    assert np.array_equal(one.worths, other.worths)
    assert one.threats == other.threats
    assert (one.network is None) == (other.network is None)
    if one.network is not None and other.network is not None:
        assert np.array_equal(one.network, other.network)


def test_without_a_network_there_is_the_sum_alone():
    rules = Rules.named("freestyle")
    state, tables = prepared(rules, weights=CLASSES_ALONE)
    state = state.copy()
    make(state, tables, cell_of(7, 7))
    shares = value_shares(state, tables, prepared_networks(rules, CLASSES_ALONE))
    assert shares.network is None
    assert shares.correction == 0


@given(boards())
def test_the_chances_are_those_of_moves_near_the_stones(board):
    state, tables = state_of(board)
    before = state.copy()
    chances = move_probabilities(state, tables, networks_of(board.rules))
    assert state["hash"] == before["hash"]
    assert all(0 <= chance <= 1 for chance in chances.values())
    stones = [*board.stones(BLACK), *board.stones(WHITE)]
    if chances:
        assert math.isclose(sum(chances.values()), 1)
    for found in chances:
        point = point_of(board, found)
        assert board.is_legal(point)
        assert forced_moves(state, tables) or min(distance(point, s, board.width) for s in stones) <= 2


@example("renju", 6)  # one near point is a foul
@given(st.sampled_from(sorted(FAMILIES)), st.integers(0, 10_000))
def test_the_moves_are_all_near_ones_or_those_that_make_or_stop_a_four(name, seed):
    board = scattered(Rules.named(name), seed, stones=8 + seed % 12)
    state, tables = state_of(board)
    assume(board.outcome() is None and not forced_moves(state, tables))
    stones = [*board.stones(BLACK), *board.stones(WHITE)]
    legal = board.legal_points()
    wanted = {point for point in legal if min(distance(point, s, board.width) for s in stones) <= 2}
    if state[0]["counts"][opponent(board.turn) - 1, Kind.OPEN_FOUR]:
        windows = Windows(board)
        wanted &= {*windows.fours(BLACK), *windows.fours(WHITE)}
    chances = move_probabilities(state, tables, networks_of(board.rules))
    assert {point_of(board, found) for found in chances} == wanted


@given(st.integers(0, 10_000))
def test_the_moves_and_their_order_are_those_of_training(seed):
    """The softmax that was fitted: over the same moves, with the same numbers, without a policy."""
    board = scattered(Rules.named("renju"), seed, stones=8 + seed % 12)
    state, tables = prepared(board.rules, Technique.POLICY)
    state = state.copy()
    cells = tuple(cell(board, move) for move in board.moves)
    for played in cells:
        make(state, tables, played)
    if board.outcome() is not None or forced_moves(state, tables):
        return
    positions = positions_of(board.rules, [Sample(cells, 0, 0, None)])
    numbers = load("renju")
    side = int(positions.turns[0])
    near = positions.near.astype(bool)
    by_class = numbers.orders[side, 0, positions.own] + numbers.orders[1 - side, 1, positions.other]
    around = positions.contexts + STEPS_AWAY * np.arange(3)
    logits = (by_class + numbers.contexts[side, around].sum(axis=1))[near] / 100
    odds = np.exp(logits - logits.max())
    expected = np.sort(odds / odds.sum())
    chances = move_probabilities(state, tables, networks_of(board.rules))
    assert np.allclose(np.sort(list(chances.values())), expected)


def test_a_five_leaves_nothing_to_choose():
    own = Board.from_moves("h8a1i8a3j8a5k8a7")
    chances = move_probabilities(*state_of(own), networks_of(own.rules))
    assert {own.name(point_of(own, one)) for one in chances} == {"g8", "l8"}
    stops = Board.from_moves("h8g8i8a3j8a5k8")
    (only,) = move_probabilities(*state_of(stops), networks_of(stops.rules))
    assert stops.name(point_of(stops, only)) == "l8"


def test_an_empty_board_has_no_move_near_a_stone():
    board = Board(Rules.named("freestyle"))
    assert move_probabilities(*state_of(board), networks_of(board.rules)) == {}
