"""The winning line of a proof-number search, from its table and where the table has lost it."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import Board
from tengen.engine.board.conversion import point_of, position_of
from tengen.engine.board.records import PLIES, SCRATCH, new_record
from tengen.engine.threats.pn_kernel import PN_SCRATCH, UNBOUNDED, begin_pn_search, df_pn
from tengen.engine.threats.pn_line import winning_line
from tengen.engine.threats.pn_table import INFINITY, new_pn_table
from tengen.engine.threats.threat_moves import THREES
from tests.engine.games import after, winner_of

BOARD = Board.from_moves("h8h9i8g8j6j9i9o15", "renju")


class Proof:
    """A search of `BOARD` by kernels, with a bound of plies."""

    def __init__(self, plies: int = UNBOUNDED) -> None:
        self.state, self.tables = position_of(BOARD)
        self.state[0]["most_nodes"] = UNBOUNDED
        self.scratch, self.pn = new_record(SCRATCH), np.zeros(1, PN_SCRATCH)
        self.table = new_pn_table(4)
        attacker = int(self.state[0]["turn"])
        self.covers_all = begin_pn_search(self.state, self.pn, attacker, THREES, plies)
        packed = df_pn(self.state, self.tables, self.scratch, self.pn, self.table, INFINITY, INFINITY)
        self.wins = packed >> 40 == 0

    def line(self, shallower: Proof | None = None, nodes: int = UNBOUNDED, plies: int = PLIES) -> list[int]:
        """The points of the line."""
        other, out = shallower or self, np.zeros(PLIES, np.int16)
        length = winning_line(
            self.state,
            self.tables,
            self.scratch,
            self.pn,
            self.table,
            other.pn,
            other.table,
            nodes,
            plies,
            out,
        )
        assert self.state[0]["ply"] == BOARD.ply
        return [point_of(BOARD, cell) for cell in out[:length].tolist()]


def test_which_bounds_cover_all_plies():
    free = BOARD.rules.points - BOARD.ply
    assert Proof().covers_all
    assert Proof(free).covers_all
    assert not Proof(free - 1).covers_all


def test_what_the_table_has_lost_is_searched_again():
    proof = Proof()
    whole = proof.line()
    assert winner_of(after(BOARD, whole)) == BOARD.turn
    proof.table[:] = 0
    assert winner_of(after(BOARD, proof.line())) == BOARD.turn
    proof.table[:] = 0
    assert proof.line(nodes=1) == []


def test_a_line_of_one_ply_is_a_threat_or_a_whole_win_by_fours():
    proof = Proof()
    whole, attack = proof.line(), proof.line(plies=1)
    assert attack == whole[: len(attack)]
    assert len(attack) in (1, len(whole))


@pytest.mark.parametrize("extra", [0, 4])
def test_with_a_search_that_fails_the_line_has_the_shortest_length(extra):
    """The defender plays what holds out longest, as a search of two plies fewer knows."""
    plies = next(plies for plies in range(3, 40, 2) if Proof(plies).wins)
    shallower, proof = Proof(plies - 2), Proof(plies + extra)
    assert proof.wins
    assert not shallower.wins
    line = proof.line(shallower)
    assert winner_of(after(BOARD, line)) == BOARD.turn
    assert plies <= len(line) <= plies + extra
