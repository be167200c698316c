"""The policy: what it says of moves is what its definition says, and where a search listens to it."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import WHITE, Board, Engine, Limit, Rules, TengenError
from tengen.engine.board.patterns import REACH
from tengen.engine.board.position import make
from tengen.engine.board.records import (
    MOST_MOVES,
    NETWORKS,
    PLACE_BITS,
    SCRATCH,
    STEPS_AWAY,
    WIDTH,
    cell_of,
)
from tengen.engine.board.steps import steps_away
from tengen.engine.board.vectors import MOST_ACTIVATED
from tengen.engine.evaluation.line_network import HIDDEN, INPUTS, sides
from tengen.engine.evaluation.network import load as load_network
from tengen.engine.evaluation.network import save as save_network
from tengen.engine.evaluation.policy import OUT_BITS, Policy, digest, file_of, load, save
from tengen.engine.evaluation.policy_kernel import order_by_policy, policy_orders
from tengen.engine.evaluation.weights import load as load_numbers
from tengen.engine.evaluation.weights import save as save_numbers
from tengen.engine.search.move_probabilities import move_probabilities
from tengen.engine.search.moves import generate_moves
from tengen.engine.tables import prepared, prepared_networks
from tests.engine.evaluation.filling import fill_with_policy
from tests.engine.evaluation.line_rows import line_rows
from tests.engine.helpers import called

pytestmark = pytest.mark.usefixtures("compiled")

SIZE = 15
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
MOST = 32_767

points = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))


def random_policy(colours: int, seed: int = 3) -> Policy:
    """A policy of numbers about as large as those of one that has been learned."""
    chance = np.random.default_rng(seed)

    def numbers(kind, spread, *shape):
        found = chance.normal(0, spread, shape)
        return found if kind is np.float32 else np.rint(found)

    made = {
        "line_first": numbers(np.int16, 500, INPUTS, HIDDEN).astype(np.int16),
        "line_first_bias": numbers(np.int32, 300, colours, HIDDEN).astype(np.int32),
        "line_second": numbers(np.int16, 180, HIDDEN, HIDDEN).astype(np.int16),
        "line_second_bias": numbers(np.int32, 100, HIDDEN).astype(np.int32),
        "line_last": numbers(np.int16, 150, HIDDEN, WIDTH).astype(np.int16),
        "line_last_bias": numbers(np.int32, 100, WIDTH).astype(np.int32),
        "steps": numbers(np.int16, 100, 2, STEPS_AWAY, WIDTH).astype(np.int16),
        "bias": numbers(np.int16, 100, colours, WIDTH).astype(np.int16),
        "whole": numbers(np.float32, 0.3, WIDTH, WIDTH).astype(np.float32),
        "out": numbers(np.int16, 150, WIDTH).astype(np.int16),
    }
    return Policy(**made)


@pytest.fixture(scope="module", params=[1, 2])
def defined(request):
    """A policy for both colours, and one that tells them apart; with its rows and the engine's record."""
    policy = random_policy(request.param)
    networks = np.zeros(1, NETWORKS)
    fill_with_policy(networks, policy, policy.colours)
    return policy, line_rows(policy).astype(np.int64), networks


def by_definition(policy, rows, stones, moves, places):
    """What it says of moves at places, in the unit of orders, from a board of 0, 1 and 2 by x and y."""
    numbers = {tuple(seen): number for number, seen in enumerate(sides().tolist())}
    own = 1 + len(moves) % 2

    def side(x, y, step):
        seen = []
        for away in range(1, REACH + 1):
            u, v = x + away * step[0], y + away * step[1]
            inside = 0 <= u < SIZE and 0 <= v < SIZE
            stone = stones[u, v] if inside else 3
            seen.append(int(3 - stone if own == 2 and stone in (1, 2) else stone))
        return numbers[tuple(seen)]

    table = rows[min(own, policy.colours) - 1]
    sums = np.array(
        [
            sum(table[side(x, y, (dx, dy)), side(x, y, (-dx, -dy))] for dx, dy in DIRECTIONS)
            for x, y in places
        ]
    )
    mean = np.minimum(np.maximum(sums, sums >> 3), MOST_ACTIVATED).mean(axis=0)
    units = sums + policy.bias[min(own, policy.colours) - 1] + mean @ policy.whole.astype(float)
    last, before = (cell_of(*moves[-1 - back]) for back in range(2))
    for number, (x, y) in enumerate(places):
        cell = cell_of(x, y)
        units[number] += policy.steps[0, called(steps_away)(cell, last)].astype(float)
        units[number] += policy.steps[1, called(steps_away)(cell, before)]
    units = np.clip(units, -MOST - 1, MOST)
    return np.maximum(units, units / 8) @ policy.out.astype(float) / (1 << OUT_BITS)


def played(moves):
    """A position, and its board by x and y."""
    state = prepared(Rules.named("freestyle"))[0].copy()
    tables = prepared(Rules.named("freestyle"))[1]
    stones = np.zeros((SIZE, SIZE), np.int64)
    for number, (x, y) in enumerate(moves):
        make(state, tables, cell_of(x, y))
        stones[x, y] = 1 + number % 2
    return state, stones


@pytest.mark.long
@given(st.lists(points, unique=True, min_size=2, max_size=40), st.integers(1, 30))
def test_it_comes_to_what_its_definition_says(defined, moves, count):
    policy, rows, networks = defined
    state, stones = played(moves)
    places = [place for place in np.ndindex(SIZE, SIZE) if not stones[place]][:: 225 // count][:count]
    cells = [cell_of(*place) for place in places]
    exact = by_definition(policy, rows, stones, moves, places)
    # Units are whole numbers in it: each may be off by one, and an eighth of a negative one by one more.
    slack = 1 + 2 * np.abs(policy.out).sum() / (1 << OUT_BITS)
    assert np.abs(policy_orders(state, networks, cells) - exact).max() <= slack


def test_only_moves_from_a_place_on_are_ordered_but_all_are_seen(defined):
    _, _, networks = defined
    tables = prepared(Rules.named("freestyle"))[1]
    state, _ = played([(7, 7), (8, 8), (8, 6), (6, 8), (7, 5)])
    lists = np.zeros(2, SCRATCH)
    scratch_ref = lists[:1], lists[1:]
    counts = [int(generate_moves(state, tables, scratch, 0, -1, -1, -1)) for scratch in scratch_ref]
    assert counts[0] == counts[1] > 20
    before = scratch_ref[0]["order"][0, 0].copy()
    order_by_policy(state, networks, scratch_ref[0], 0, 1, counts[0])
    order_by_policy(state, networks, scratch_ref[1], 0, 0, counts[0])
    orders = [scratch["order"][0, 0] for scratch in scratch_ref]
    assert orders[0][0] == before[0] != orders[1][0]
    assert (orders[0][1 : counts[0]] == orders[1][1 : counts[0]]).all()
    assert (orders[0][counts[0] :] == before[counts[0] :]).all()
    # Below the order each has its place, as before.
    assert (orders[0] & (MOST_MOVES - 1) == before & (MOST_MOVES - 1)).all()
    assert (orders[0][1 : counts[0]] >> PLACE_BITS != before[1 : counts[0]] >> PLACE_BITS).any()


def test_one_for_both_colours_serves_beside_a_network_that_tells_them_apart():
    policy, state = random_policy(1), played([(7, 7), (8, 8), (8, 6)])[0]
    cells = [cell_of(6, 8), cell_of(7, 5), cell_of(9, 9)]
    found = []
    for colours in (1, 2):
        networks = np.zeros(1, NETWORKS)
        fill_with_policy(networks, policy, colours)
        found.append(policy_orders(state, networks, cells))
    assert found[0] == found[1]


@pytest.fixture
def folder(tmp_path):
    """The numbers and the network that come with Tengen, and a policy of random numbers."""
    save_numbers("freestyle", load_numbers("freestyle"), tmp_path)
    network = load_network("freestyle")
    assert network is not None
    save_network("freestyle", network, tmp_path)
    save("freestyle", random_policy(1), tmp_path)
    return tmp_path


def nodes_of(engine):
    board = Board.from_moves("h8i9g7f6h10i8")
    return engine.analyse(board, Limit(depth=7))[0].nodes


def test_the_engine_searches_with_it_and_without_it_as_if_there_were_none(folder):
    """Other moves are looked at first, so that it takes other nodes to the same depth."""
    usual = nodes_of(Engine(without="policy"))
    assert nodes_of(Engine(weights=str(folder))) != usual
    assert nodes_of(Engine(weights=str(folder), without="policy")) == usual


def test_what_is_seen_at_a_glance_listens_to_it(folder):
    """Where a search would ask it; against an open three the chances are those of the numbers alone."""
    quiet, threatened = Board.from_moves("h8i9g7f6h10i8"), Board.from_moves("h8a1i8a3j8")
    for board, same in ((quiet, False), (threatened, True)):
        empty, tables = prepared(board.rules, weights=str(folder))
        state, networks = empty.copy(), prepared_networks(board.rules, str(folder)).copy()
        for number, point in enumerate(board.moves):
            x, y = point % SIZE, point // SIZE
            make(state, tables, cell_of(x, y))
            assert state[0]["ply"] == number + 1
        with_it = move_probabilities(state, tables, networks)
        networks["policy"] = 0
        without = move_probabilities(state, tables, networks)
        assert with_it.keys() == without.keys()
        assert (with_it == without) is same
        assert abs(sum(with_it.values()) - 1) < 1e-9


def test_one_that_is_written_anew_is_read_again(folder):
    first = nodes_of(Engine(weights=str(folder)))
    save("freestyle", random_policy(1, seed=4), folder)
    assert nodes_of(Engine(weights=str(folder))) != first


def test_it_is_not_asked_where_moves_are_answers(folder):
    """Against an open three a search of one ply is the same with it and without it."""
    found = []
    for without in ("", "policy"):
        engine = Engine(weights=str(folder), without=without)
        board = Board.from_moves("h8a1i8a3j8")
        assert board.turn == WHITE
        found.append(engine.analyse(board, Limit(depth=1))[0].nodes)
    assert found[0] == found[1]


def test_it_is_kept_in_a_file(tmp_path):
    policy = random_policy(2)
    save("renju", policy, tmp_path)
    again = load("renju", tmp_path)
    assert again is not None
    assert all((getattr(policy, one.name) == getattr(again, one.name)).all() for one in fields(policy))
    assert digest(again) == digest(policy) != digest(random_policy(2, seed=4))
    assert load("caro", tmp_path) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda policy: replace(policy, out=policy.out[:-1]),
        lambda policy: replace(policy, steps=policy.steps.astype(np.int32)),
        lambda policy: replace(policy, bias=policy.bias[:1]),
        lambda policy: replace(policy, whole=policy.whole * np.float32(np.inf)),
    ],
    ids=["too short", "other numbers", "one colour among two", "infinite"],
)
def test_what_does_not_fit_is_refused_when_the_player_is_made(folder, change):
    save("freestyle", change(random_policy(2)), folder)
    with pytest.raises(TengenError, match=r"^[^\n]*freestyle-policy\.npz does not contain a policy[^\n]*$"):
        Engine(weights=str(folder))


def test_a_damaged_file_is_refused(folder):
    file_of("freestyle", folder).write_bytes(b"PK")
    with pytest.raises(TengenError, match=r"^[^\n]*freestyle-policy\.npz does not contain a policy[^\n]*$"):
        Engine(weights=str(folder))
