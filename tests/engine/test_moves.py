"""The moves that a search looks at are all that matter."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import WHITE, Board, Rules
from tengen.engine.moves import candidates
from tengen.engine.position import make, unmake
from tengen.engine.search_state import CELLS, PLACE_BITS, WORK, Kind, cell_of
from tengen.engine.vcf_kernel import may_play
from tests.engine.games import state_of
from tests.positions import drawn, rows_of

GAMES = rows_of("tactics.jsonl")[::3]


def replies(state, tables):
    """The moves that a search looks at below its root, and what orders them."""
    work = np.zeros(1, WORK)
    work[0]["root"] = state[0]["ply"] - 1
    count = int(candidates(state, tables, work, np.int64(1), np.int64(-1), np.int64(-1)))
    cells, order = work[0]["cells"][1, :count].tolist(), work[0]["order"][1, :count] >> PLACE_BITS
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
            looked_at = replies(state, tables)
            for cell in range(CELLS):
                if state[0]["cells"][cell] or cell in looked_at:
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
