"""The network: its sums follow the position, and come to what its definition says."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tengen import BLACK, Board, Engine, Limit, Rules, TengenError
from tengen.engine.board.patterns import REACH, SIDES
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import (
    CEILING,
    CORRECTIONS,
    NETWORKS,
    POOLS,
    SCRATCH,
    UNIT_BITS,
    WIDTH,
    cell_of,
)
from tengen.engine.board.scores import WIN
from tengen.engine.evaluation.line_network import sides
from tengen.engine.evaluation.network import MOST_ADDED, file_of, load, save
from tengen.engine.evaluation.network_kernel import begin, correction
from tengen.engine.evaluation.weights import load as load_numbers
from tengen.engine.evaluation.weights import save as save_numbers
from tengen.engine.search.alpha_beta import search
from tengen.engine.search.table import key_of, new_table
from tengen.engine.tables import CLASSES_ALONE, prepared, prepared_networks
from tengen.game.player import Player
from tengen.players.registry import player as created
from tests.engine.evaluation.filling import fill_with_network
from tests.engine.evaluation.line_rows import line_rows
from tests.engine.helpers import called

pytestmark = pytest.mark.usefixtures("compiled")

SIZE = 15
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

points = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))


@pytest.fixture(scope="module")
def network():
    found = load("freestyle")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def colours(network):
    """A network to which Black's lines and moves are not White's."""
    line, head = network.line_first_bias, network.first_bias
    return replace(
        network,
        line_first_bias=np.concatenate([line, line[:, ::-1]]),
        first_bias=np.concatenate([head, head + (1 << UNIT_BITS)]),
    )


@pytest.fixture(scope="module", params=["one", "two"])
def defined(request, network, colours):
    """A network for both colours, and one that tells them apart; with its rows and the engine's record."""
    found = network if request.param == "one" else colours
    networks = np.zeros(1, NETWORKS)
    fill_with_network(networks, found, SIZE, found.colours)
    return found, line_rows(found).astype(np.int64), networks


def started(networks=None):
    """An empty board with its tables and networks, and a scratch record whose sums begin there."""
    rules = Rules.named("freestyle")
    empty, tables = prepared(rules)
    networks = prepared_networks(rules) if networks is None else networks
    state, scratch = empty.copy(), np.zeros(1, SCRATCH)
    begin(state, networks, scratch)
    return state, tables, networks, scratch


def anew(state, networks):
    """What the network adds, worked out from nothing."""
    state, scratch = state.copy(), np.zeros(1, SCRATCH)
    begin(state, networks, scratch)
    return correction(state, networks, scratch)


def by_definition(network, rows, stones, turn):
    """The same in centi-units, from a board of 0, 1 and 2 by x and y, as slowly as can be."""
    places = {tuple(seen): number for number, seen in enumerate(sides().tolist())}

    def side(x, y, step, own):
        seen = []
        for away in range(1, REACH + 1):
            u, v = x + away * step[0], y + away * step[1]
            inside = 0 <= u < SIZE and 0 <= v < SIZE
            stone = stones[u, v] if inside else 3
            seen.append(int(3 - stone if own == 2 and stone in (1, 2) else stone))
        return places[tuple(seen)]

    pools = np.zeros((2, POOLS, WIDTH), np.int64)
    for x, y in np.ndindex(SIZE, SIZE):
        if stones[x, y]:
            continue
        for view, own in enumerate((turn, 3 - turn)):
            table = rows[min(own, network.colours) - 1]
            total = sum(
                table[side(x, y, (dx, dy), own), side(x, y, (-dx, -dy), own)] for dx, dy in DIRECTIONS
            )
            part = y * 3 // SIZE * 3 + x * 3 // SIZE
            pools[view, part] += np.minimum(np.maximum(total, (total + 4) >> 3), CEILING)
    bias = network.first_bias[min(turn, network.colours) - 1]
    units = pools.reshape(-1) @ network.first.astype(np.int64) + bias
    active = units / 2.0**UNIT_BITS
    active = np.maximum(active, active / 8) @ network.second.astype(float) + network.second_bias
    exact = 200 * (np.maximum(active, active / 8) @ network.last.astype(float) + network.last_bias[0])
    return np.clip(exact, -MOST_ADDED, MOST_ADDED)


# To the network that tells colours apart the last of these is worth more than a network may add.
MANY_CORNERS = [(0, 0), (2, 0), (2, 7), (6, 2), (0, 2), (1, 0), (0, 6), (4, 0), (0, 1), (4, 2), (0, 3)]


@pytest.mark.long
@given(st.lists(points, unique=True, max_size=40))
@example(MANY_CORNERS)
def test_it_comes_to_what_its_definition_says(defined, moves):
    network, rows, networks = defined
    state, tables, _, scratch = started(networks)
    stones = np.zeros((SIZE, SIZE), np.int64)
    for number, (x, y) in enumerate(moves):
        make(state, tables, cell_of(x, y))
        stones[x, y] = 1 + number % 2
    exact = by_definition(network, rows, stones, 1 + len(moves) % 2)
    # Cut off to a whole number, after sums in single precision.
    assert abs(correction(state, networks, scratch) - exact) <= 1 + 1e-6 * abs(exact)


@given(st.lists(st.one_of(points, st.sampled_from(["take off", "ask"])), max_size=120))
def test_the_sums_follow_whatever_is_played_and_taken_off(happening):
    state, tables, networks, scratch = started()
    for what in happening:
        if what == "ask":
            assert correction(state, networks, scratch) == anew(state, networks)
        elif what == "take off":
            if state[0]["ply"]:
                unmake(state, tables)
        elif state[0]["cells"][cell_of(*what)] == 0:
            make(state, tables, cell_of(*what))
    assert correction(state, networks, scratch) == anew(state, networks)


def test_a_search_remembers_what_the_network_said():
    """Of positions one move away those that it has been asked about are found under their keys."""
    state, tables, networks, scratch = started()
    for cell in (cell_of(7, 7), cell_of(8, 8), cell_of(8, 6), cell_of(6, 8), cell_of(7, 5)):
        make(state, tables, cell)
    scratch[0]["root"] = state[0]["ply"]
    begin(state, networks, scratch)
    state[0]["most_nodes"] = 10_000
    search(state, tables, networks, scratch, new_table(16), 5, -WIN, WIN, 0)
    known, mask = 0, CORRECTIONS - 1
    for x, y in np.ndindex(SIZE, SIZE):
        if state[0]["cells"][cell_of(x, y)]:
            continue
        make(state, tables, cell_of(x, y))
        key = int(called(key_of)(state[0]))
        data = int(scratch[0]["net_memory"][key & mask])
        if data & mask and (data ^ key) & ~mask == 0:
            known += 1
            assert (data & mask) - CORRECTIONS // 2 == anew(state, networks)
        unmake(state, tables)
    assert known > 5


def test_a_line_is_the_same_from_either_end(defined):
    network, rows, _ = defined
    assert rows.shape == (network.colours, SIDES, SIDES, WIDTH)
    assert np.array_equal(rows, rows.transpose(0, 2, 1, 3))


def test_a_side_of_a_line_ends_at_the_edge():
    seen = sides()
    assert len({tuple(one) for one in seen.tolist()}) == SIDES
    edge = seen == 3
    assert np.array_equal(edge, np.logical_or.accumulate(edge, axis=1))


@pytest.mark.parametrize("damage", ["short", "foreign", "shape", "missing", "kind", "endless", "none"])
def test_a_damaged_file_is_refused_in_a_line(network, tmp_path, damage):
    save("freestyle", network, tmp_path)
    save_numbers("freestyle", load_numbers("freestyle"), tmp_path)
    file = file_of("freestyle", tmp_path)
    if damage == "short":
        file.write_bytes(file.read_bytes()[:1000])
    elif damage == "foreign":
        file.write_text("no network\n")
    else:
        arrays = {field.name: getattr(network, field.name) for field in fields(network)}
        if damage == "shape":
            arrays["last"] = arrays["last"][:-1]
        elif damage == "kind":
            arrays["last"] = arrays["last"].astype(np.float64)
        elif damage in ("endless", "none"):
            arrays["last"] = np.full_like(arrays["last"], np.inf if damage == "endless" else np.nan)
        else:
            del arrays["last"]
        np.savez(file, **arrays)
    for refuse in (lambda: load("freestyle", tmp_path), lambda: Engine(weights=str(tmp_path))):
        with pytest.raises(
            TengenError, match=r"^[^\n]*freestyle-network\.npz does not contain a network[^\n]*$"
        ):
            refuse()


def test_what_is_written_is_read(defined, tmp_path):
    network, *_ = defined
    save("freestyle", network, tmp_path)
    again = load("freestyle", tmp_path)
    assert again is not None
    for field in fields(network):
        assert np.array_equal(getattr(again, field.name), getattr(network, field.name))


def test_there_need_not_be_one(tmp_path):
    assert load("freestyle", tmp_path) is None


@pytest.mark.parametrize(
    ("rules", "weights", "there"),
    [
        (Rules.named("freestyle"), "", True),
        (Rules.named("freestyle"), CLASSES_ALONE, False),
        (Rules.named("freestyle", 9), "", True),
        (Rules.named("freestyle", 20), "", True),
        (Rules.named("freestyle", 22), "", True),
        (Rules.named("freestyle", 8), "", False),
        (Rules.named("standard"), "", True),
        (Rules.named("standard", 20), "", True),
        (Rules.named("standard", 13), "", False),
        (Rules.named("renju"), "", True),
        (Rules.named("caro"), "", True),
        (Rules.named("caro", 14), "", False),
    ],
)
def test_it_is_used_where_it_fits(rules, weights, there):
    assert bool(prepared_networks(rules, weights)[0]["network"]) is there


def searched(player: Player | Engine):
    board = Board.from_moves("h8i9g7f6h10i8", Rules.named("freestyle"))
    found = player.choose(board, Limit(nodes=2000))
    return found.point, found.score


def test_the_engine_plays_by_it_unless_told_otherwise():
    assert searched(Engine()) != searched(Engine(weights=CLASSES_ALONE))
    assert searched(created("engine,weights=classes")) == searched(Engine(weights=CLASSES_ALONE))


@pytest.mark.parametrize("strength", [25, 90])
def test_it_is_used_below_full_strength_too(strength):
    engines = Engine(strength=strength), Engine(strength=strength, weights=CLASSES_ALONE)
    assert searched(engines[0]) != searched(engines[1])


def test_another_network_plays_otherwise_at_once(network, tmp_path):
    weights = str(tmp_path)
    (tmp_path / "freestyle.npz").write_bytes(file_of("freestyle").with_name("freestyle.npz").read_bytes())
    engine = Engine(weights=weights)
    assert searched(engine) == searched(Engine(weights=CLASSES_ALONE))
    save("freestyle", network, tmp_path)
    assert searched(engine) == searched(Engine())
    save("freestyle", replace(network, last=-network.last), tmp_path)
    assert searched(engine) != searched(Engine())


def test_nobody_sees_more_than_the_other():
    """What it adds depends on who is to move, and not on the colours."""
    state, tables, networks, scratch = started()
    for x, y in ((7, 7), (0, 0), (8, 8), (14, 0)):
        make(state, tables, cell_of(x, y))
    black = correction(state, networks, scratch)
    state, tables, networks, scratch = started()
    state[0]["turn"] = 2 - BLACK
    for x, y in ((7, 7), (0, 0), (8, 8), (14, 0)):
        make(state, tables, cell_of(x, y))
    assert correction(state, networks, scratch) == black
