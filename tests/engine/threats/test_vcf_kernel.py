"""The search for wins by fours, as the engine's own search asks for it; `tests/solver` has the answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Rules
from tengen.engine.board.conversion import cell, point_of
from tengen.engine.board.records import SCRATCH
from tengen.engine.threats import vcf_kernel
from tengen.engine.threats.vcf_kernel import UNLIMITED, find_vcf, may_play, winning_cell
from tests.engine.games import NAMES, after, boards, state_of, winner_of
from tests.engine.helpers import called
from tests.positions import rows_of

ALL = 1 << 40
SAME = ("ply", "turn", "hash", "changed", "lines", "cells", "patterns", "kinds", "counts", "rows", "worth")


def asked(board, nodes=ALL, most=UNLIMITED):
    """What a search for fours finds, the state before and after it, and whether it was broken off."""
    state, tables = state_of(board)
    state[0]["changed"] = 0
    state[0]["most_nodes"] = nodes
    before, scratch = state.copy(), np.zeros(1, SCRATCH)
    length = int(find_vcf(state, tables, scratch, state[0]["ply"], most))
    line = [point_of(board, number) for number in scratch[0]["line"][:length]]
    return line, before, state, bool(state[0]["ended"])


@given(boards(), st.integers(0, 300))
def test_a_win_is_a_win_and_the_position_is_as_before(board, nodes):
    line, before, state, ended = asked(board, nodes)
    assert all((before[name] == state[name]).all() for name in SAME)
    assert state[0]["nodes"] <= nodes
    if line:
        assert not ended
        assert winner_of(after(board, line)) == board.turn


@given(boards())
def test_broken_off_or_not_the_answers_agree(board):
    """A search with few nodes says less than one with many, and nothing else."""
    whole, few = asked(board, 3000), asked(board, 20)
    if few[0]:
        assert whole[0]
    if not few[0] and not few[3]:
        assert not whole[0]


@pytest.mark.parametrize("row", rows_of("vcf.jsonl"), ids=lambda row: row["id"])
def test_a_brief_search_finds_only_wins_and_does_not_hide_them_from_another(row):
    """It leaves out fours that make nothing else; what it remembers is not what there is."""
    state, tables = state_of(Board.from_moves(row["moves"], Rules.named(row["rule"], 15)))
    state[0]["most_nodes"] = ALL
    scratch = np.zeros(1, SCRATCH)
    scratch[0]["brief"] = 1
    brief = int(find_vcf(state, tables, scratch, state[0]["ply"], UNLIMITED))
    scratch[0]["brief"] = 0
    whole = int(find_vcf(state, tables, scratch, state[0]["ply"], UNLIMITED))
    assert (whole > 0) == row["win"]
    assert row["win"] or not brief


def test_a_brief_search_leaves_out_most_of_the_fours():
    """Nineteen fours win here, some of which make nothing else; without them there is little to look at."""
    board = Board.from_moves(
        "j7g14g2g5d12f3c5e12j4n11f5i7e2e11b11b6f8e4g11d7n6h11c2c9k12m5j9e9e13b7b14k13e10c12b4g4n3h7b9c4g7g10n7h4e5"
        "d4g12c13",
        Rules.named("standard", 15),
    )
    spent = []
    for brief in (1, 0):
        state, tables = state_of(board)
        state[0]["most_nodes"] = ALL
        scratch = np.zeros(1, SCRATCH)
        scratch[0]["brief"] = brief
        find_vcf(state, tables, scratch, state[0]["ply"], UNLIMITED)
        spent.append(int(state[0]["nodes"]))
    assert spent[0] * 20 < spent[1]


@pytest.mark.parametrize("row", rows_of("vcf.jsonl")[::6], ids=lambda row: row["id"])
def test_no_win_with_fewer_fours_than_it_takes(row):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], 15))
    if row["win"]:
        line, *_ = asked(board, most=row["min_fours"])
        assert len(line) == 2 * row["min_fours"] + 1
        assert winner_of(after(board, line)) == board.turn
        assert not asked(board, most=row["min_fours"] - 1)[0]
    else:
        assert not asked(board)[0]


shortest_vcf = called(vcf_kernel.shortest_vcf)


@pytest.mark.parametrize("row", rows_of("vcf.jsonl")[::9], ids=lambda row: row["id"])
def test_the_shortest_win_has_the_fewest_fours(row):
    state, tables = state_of(Board.from_moves(row["moves"], Rules.named(row["rule"], 15)))
    state[0]["most_nodes"] = ALL
    fewest = row["min_fours"] if row["win"] else 0
    for most in (UNLIMITED, fewest, fewest - 1):
        length = shortest_vcf(state, tables, np.zeros(1, SCRATCH), most)
        assert length == (2 * fewest + 1 if row["win"] and most >= fewest else 0)


@pytest.mark.parametrize("name", NAMES)
def test_where_a_five_is_made(name):
    board = Board.from_moves("h8g8i8a2j8a3k8a4", name)
    state, _ = state_of(board)
    assert board.name(point_of(board, winning_cell(state, 0))) == "l8"
    assert winning_cell(state, 1) == -1


def test_who_may_play_where():
    """Fouls bind Black, under renju."""
    row = next(row for row in rows_of("forbidden.jsonl") if len(row["forbidden"]) > 2)
    board = Board.from_moves(row["moves"], Rules.named("renju", row["size"]))
    free = [point for point in range(board.rules.points) if not board[point]]
    state, tables = state_of(board)
    for side in (BLACK, WHITE):
        barred = {
            board.name(point) for point in free if not may_play(state, tables, side - 1, cell(board, point))
        }
        assert barred == (set(row["forbidden"]) if side == BLACK else set())
