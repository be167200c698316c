"""Boards on kernels are those of the specification: every mask, plane and outcome of random games."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Board, Rules, arrays
from tengen.engine.batch.board_batch import BoardBatch
from tengen.engine.batch.play import Field
from tests.engine.batch.games import check_games, variants
from tests.positions import rows_of
from tests.strategies import rules

NAMES = ("tictactoe", "freestyle", "standard", "renju", "caro")

MNK = (
    Rules.mnk(4, 3, 3),
    Rules.mnk(7, 4, 4),
    Rules.mnk(1, 5, 2),
    Rules.mnk(50, 50, 5),
    Rules.mnk(3, 3, 10**30),
)

pytestmark = pytest.mark.usefixtures("compiled")


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_hundreds_of_random_games_under_each_preset(name):
    for number, variant in enumerate(variants(name)):
        side = min(variant.width, 9)
        small = Rules.named(name, side, fouls=variant.fouls, passing=variant.passing)
        assert check_games(small, 120 if variant.has_fouls else 300, seed=number) >= 120


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_random_games_under_each_preset(name, part):
    """In four parts, which several processes can share."""
    assert check_games(Rules.named(name), 2500, seed=7 + part, boards=64) >= 2500


@pytest.mark.long
@pytest.mark.parametrize("variant", MNK, ids=lambda variant: variant.name[:20])
def test_boards_of_every_shape(variant):
    assert check_games(variant, 12, seed=3, boards=3, actions=1500)


@pytest.mark.long
@given(variant=rules(), seed=st.integers(0, 1 << 30))
def test_rules_of_every_kind(variant, seed):
    check_games(variant, 6, seed, boards=3, actions=60)


@pytest.mark.long
@pytest.mark.parametrize(
    "fields",
    [
        {"k": 4},
        {"k": 6},
        {"overline": "wins"},
        {"overline": "no_win", "blocked_five": "no_win"},
        {"k": 4, "overline": "wins", "blocked_five": "no_win"},
        {"double_four": False},
        {"double_three": False},
    ],
    ids=str,
)
def test_fouls_of_other_rules(fields):
    """Many black stones, few white ones: fouls everywhere, whatever counts as a five."""
    variant = Rules.named("renju", (9, 8), **fields)
    for seed in range(40):
        check_position(variant, np.random.default_rng(seed))


def check_position(variant, rng):
    """Black and White in turn, Black where stones are, and White far from there."""
    batch, board = BoardBatch(variant, 1), Board(variant)
    for ply in range(50):
        legal = np.flatnonzero(arrays.legal_mask(board))
        if not len(legal):
            break
        if ply % 2:
            action = legal[rng.integers(len(legal))] if ply % 4 == 1 else legal[-1]
        else:
            near = [point for point in legal if point % 9 < 6 and point // 9 < 6]
            action = rng.choice(near if near else legal)
        arrays.play(board, int(action))
        batch.step(np.array([action]), False, 0, 1)
        assert np.array_equal(batch.legal[0], arrays.legal_mask(board)), repr(board)
    assert (board.outcome() is not None) == batch.over[0]


@pytest.mark.long
def test_fouls_of_composed_positions():
    """Positions that only a search decides, to any depth; with colours in turn, as games have them."""
    tried = 0
    for row in rows_of("forbidden.jsonl"):
        board = (
            Board.from_moves(row["moves"], Rules.named("renju", row.get("size")))
            if "moves" in row
            else None
        )
        if board is None or board.outcome() is not None:
            continue
        batch = BoardBatch(board.rules, 1)
        for point in board.moves:
            batch.step(np.array([point]), False, 0, 1)
        assert np.array_equal(batch.legal[0], arrays.legal_mask(board)), repr(board)
        tried += 1
    assert tried > 10


def test_copies_of_boards_go_their_own_ways():
    batch = BoardBatch(Rules.named("renju", 9), 5)
    batch.seed(np.arange(5, dtype=np.uint64))
    chosen = np.zeros(5, np.int64)
    for _ in range(20):
        batch.random_actions(chosen, 0, 5)
        batch.step(chosen, True, 0, 5)
    copies = batch.taken(np.array([3, 3, 0]))
    assert len(copies) == 3
    assert copies.board(0) == copies.board(1) == batch.board(3)
    assert copies.board(2) == batch.board(0)
    before = batch.board(3)
    action = int(np.flatnonzero(copies.legal[0])[0])
    copies.step(np.array([action, action, action]), False, 0, 1)
    assert batch.board(3) == before == copies.board(1)
    assert copies.board(0).last == action
    assert np.array_equal(copies.planes[0], arrays.planes(copies.board(0)))


def test_random_actions_are_equally_likely():
    """With few actions left they are drawn from a list, with many by trial."""
    count = 20_000
    for moves, width in (("", 3), ("a1b1a2b2c1", 3)):
        variant = Rules.mnk(width, 3, 3)
        batch = BoardBatch(variant, count)
        batch.seed(np.random.default_rng(1).integers(1 << 64, size=count, dtype=np.uint64))
        for point in Board(variant).parse_moves(moves):
            batch.step(np.full(count, point), False, 0, count)
        drawn = np.zeros(count, np.int64)
        batch.random_actions(drawn, 0, count)
        legal = np.flatnonzero(batch.legal[0])
        found = np.bincount(drawn, minlength=9)
        assert found.sum() == found[legal].sum()
        expected = count / len(legal)
        assert (abs(found[legal] - expected) < 5 * expected**0.5).all()


def test_a_range_of_boards_leaves_the_others_alone():
    batch = BoardBatch(Rules.named("freestyle", 5), 4)
    batch.step(np.array([0, 1, 2, 3]), True, 1, 3)
    assert batch.plies.tolist() == [0, 1, 1, 0]
    assert batch.turns.tolist() == [1, 2, 2, 1]
    batch.clear(0, 2)
    assert batch.plies.tolist() == [0, 0, 1, 0]
    assert not batch._fields[:, Field.OVER].any()
