"""The moves that a search looks at are all that matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import WHITE, Board, Rules
from tengen.engine.board.position import make, unmake
from tengen.engine.board.records import CELLS, KINDS, PLACE_BITS, SCRATCH, STEPS_AWAY, Kind, cell_of
from tengen.engine.board.steps import steps_away
from tengen.engine.board.techniques import Technique
from tengen.engine.search.moves import generate_moves
from tengen.engine.threats.vcf_kernel import may_play
from tests.engine.games import state_of
from tests.engine.helpers import called
from tests.positions import drawn, rows_of

GAMES = rows_of("tactics.jsonl")[::3]


def replies(state, tables):
    """The moves that a search looks at below its root, and what orders them."""
    scratch = np.zeros(1, SCRATCH)
    scratch[0]["root"] = state[0]["ply"] - 1
    count = int(
        generate_moves(state, tables, scratch, np.int64(1), np.int64(-1), np.int64(-1), np.int64(-1))
    )
    cells, order = scratch[0]["cells"][1, :count].tolist(), scratch[0]["order"][1, :count] >> PLACE_BITS
    return dict(zip(cells, order.tolist(), strict=True))


def is_answered(state):
    """Whether the side to move has to stop an open four, and has no five to make or to stop."""
    counts, side = state[0]["counts"], int(state[0]["turn"])
    return counts[1 - side, Kind.OPEN_FOUR] > 0 and not counts[:, Kind.FIVE].any()


def escapes(state, tables, cell):
    """Whether a move leaves the enemy no open four, or makes a four."""
    side = int(state[0]["turn"])
    make(state, tables, cell)
    counts = state[0]["counts"]
    escaped = counts[1 - side, Kind.OPEN_FOUR] == 0 or counts[side, Kind.FIVE] > 0
    unmake(state, tables)
    return bool(escaped)


@pytest.mark.long
@pytest.mark.parametrize("name", ["freestyle", "standard", "renju"])
def test_whatever_is_left_out_against_an_open_three_does_not_stop_it(name):
    asked = left_out = 0
    for row in GAMES:
        if row["rule"] != name:
            continue
        game = Board.from_moves(row["moves"], Rules.named(name, 15))
        state, tables = state_of(Board(game.rules))
        for point in game.moves:
            make(state, tables, cell_of(point % 15, point // 15))
            if not is_answered(state):
                continue
            asked += 1
            listed = replies(state, tables)
            for cell in range(CELLS):
                if state[0]["cells"][cell] or cell in listed:
                    continue
                if not may_play(state, tables, int(state[0]["turn"]), cell):
                    continue
                left_out += 1
                assert not escapes(state, tables, cell)
    assert asked > 20
    assert left_out > 100 * asked


def test_fours_that_stop_nothing_come_last_of_the_replies():
    board, at = drawn(
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . p X X X q . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        X O O O r s . . . . .
        . . . . . . . . . . .
        """,
        turn=WHITE,
    )
    order = replies(*state_of(board))
    cells = {letter: cell_of(point % 11, point // 11) for letter, point in at.items()}
    fours = [order[cells[letter]] for letter in "rs"]
    assert max(fours) < min(order[cells[letter]] for letter in "pq")


# -- what surrounds a move

PLACES = st.tuples(st.integers(0, 21), st.integers(0, 21))

away_from = called(steps_away)


@given(PLACES, PLACES)
def test_where_a_cell_lies_from_another_is_the_same_in_all_eight_symmetries(one, other):
    found = set()
    for swap in (False, True):
        for flip in range(4):
            turned = []
            for point in (one, other):
                x, y = (21 - place if flip >> axis & 1 else place for axis, place in enumerate(point))
                turned.append(cell_of(y, x) if swap else cell_of(x, y))
            found.add(int(away_from(*turned)))
            found.add(int(away_from(*turned[::-1])))
    (ply,) = found
    assert 0 <= ply < STEPS_AWAY


def test_all_near_cells_are_told_apart():
    middle = cell_of(10, 10)
    near = {int(away_from(cell_of(10 + x, 10 + y), middle)) for x in range(9) for y in range(x + 1)}
    assert len(near) == 45


def test_moves_are_ordered_by_their_context():
    """The numbers for the last move, the one before, and what is made and stopped are added."""
    board = Board.from_moves("h8i9g7f6h10i8", Rules.named("freestyle", 15))
    state, tables = state_of(board)
    before, last = state[0]["moves"][4:6].astype(int)
    tables = tables.copy()
    tables[0]["contexts"] = np.random.default_rng(3).integers(-50, 50, tables[0]["contexts"].shape)
    with_contexts = replies(state, tables)
    tables[0]["without"] = int(Technique.CONTEXTS)
    without = replies(state, tables)
    assert with_contexts.keys() == without.keys()
    kinds, numbers = state[0]["kinds"].astype(int), tables[0]["contexts"][0].astype(int)
    for cell, order in with_contexts.items():
        made = KINDS * kinds[0, cell] + kinds[1, cell]
        places = (
            away_from(cell, last),
            STEPS_AWAY + away_from(cell, before),
            2 * STEPS_AWAY + made,
        )
        assert order == without[cell] + sum(numbers[int(place)] for place in places)
