"""Wins by fours, searched depth-first and by proof numbers: both find the same, and so does their union."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import tengen
from tengen import BLACK, Board, Limit, Rules, TengenError
from tengen.solver.limits import ALL_NODES
from tengen.solver.results import Solution
from tengen.solver.threats import vcf
from tengen.solver.threats.df_pn import shortest_win, solve_by_df_pn
from tests.positions import rows_of
from tests.solver.threats.test_vcf import replayed, result
from tests.solver.threats.test_vct import tangles

HARD = rows_of("vcf_hard.jsonl")
NO_LIMIT = Limit(nodes=ALL_NODES)


def hard(row: dict[str, Any]) -> Board:
    """The board of a row of set-up positions, Black to move."""
    rules = Rules.named(row["rule"], row["size"])
    return Board.from_stones(row["black"].split(), row["white"].split(), BLACK, rules)


def by_proof_numbers(board: Board, *, shortest: bool = False) -> Solution:
    """What df-pn finds alone."""
    found = solve_by_df_pn(board, board.turn, NO_LIMIT, None, 4, "fours")
    if shortest and found.winner is not None and found.length > 2:
        found = shortest_win(found, board, NO_LIMIT, None, 4, "fours")
    return found


def check_line(board: Board, found: Solution) -> None:
    """The line is played, and the attacker has won by it; it says how long it is."""
    assert found.length == len(found.line)
    if found.winner is not None:
        assert found.winner == board.turn
        assert found.fours == found.length // 2
        assert result(replayed(board, found.line)) == board.turn


@pytest.mark.parametrize("row", rows_of("vcf.jsonl")[::2], ids=lambda row: row["id"])
def test_every_position_with_a_known_answer(row):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], 15))
    found = by_proof_numbers(board, shortest=True)
    assert found.proven
    assert (found.winner == board.turn) == row["win"]
    check_line(board, found)
    if row["win"]:
        assert found.fours == row["min_fours"]


@pytest.mark.long
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(board=tangles())
def test_all_ways_agree(monkeypatch, board):
    """Under all rules: depth first, by proof numbers, and where one goes on for the other."""
    for shortest in (False, True):
        with monkeypatch.context() as patch:
            depth_first = tengen.solve_vcf(board, shortest=shortest)
            patch.setattr(vcf, "_DEPTH_FIRST_NODES", 4)
            both = tengen.solve_vcf(board, shortest=shortest, memory_mb=1)
        proofs = by_proof_numbers(board, shortest=shortest)
        assert depth_first.proven == both.proven == proofs.proven is True
        assert depth_first.winner == both.winner == proofs.winner
        for found in (depth_first, both, proofs):
            check_line(board, found)
        if shortest:
            assert depth_first.shortest == both.shortest == (both.winner is not None)
            assert depth_first.fours == both.fours
            assert depth_first.length == both.length


@pytest.mark.long
@pytest.mark.parametrize("row", HARD, ids=lambda row: row["id"])
def test_boards_with_fours_everywhere_are_settled_with_few_nodes(row):
    """Depth first alone, 25 million are not enough for some of them."""
    found = tengen.solve_vcf(hard(row), Limit(nodes=2_000_000))
    assert found.proven
    assert (found.winner == BLACK) == row["win"]
    check_line(hard(row), found)
    shortest = tengen.solve_vcf(hard(row), Limit(nodes=2_000_000), shortest=True)
    assert (shortest.winner, shortest.proven) == (found.winner, True)
    if row["win"]:
        assert shortest.fours == row["min_fours"]


def test_all_of_it_keeps_to_the_limits():
    board = hard(HARD[1])
    limits = (
        Limit(nodes=150_000),
        Limit(nodes=100_001),
        Limit(seconds=0.05),
        Limit(nodes=120_000, depth=21),
    )
    for limit in limits:
        found = tengen.solve_vcf(board, limit)
        assert (found.winner, found.proven, found.line) == (None, False, ())
        if limit.nodes is not None:
            assert found.nodes <= limit.nodes


def test_where_it_is_not_known_to_be_the_shortest_a_win_says_so(monkeypatch):
    """Depth first nothing is found; then nodes are left for a win, and not for the shortest."""
    row = max((row for row in rows_of("vcf.jsonl") if row["win"]), key=lambda row: row["min_fours"])
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], 15))
    monkeypatch.setattr(vcf, "_DEPTH_FIRST_NODES", 4)
    enough = tengen.solve_vcf(board).nodes
    some = tengen.solve_vcf(board, Limit(nodes=enough + 10), shortest=True)
    assert (some.winner, some.proven, some.shortest) == (board.turn, True, False)
    check_line(board, some)
    best = tengen.solve_vcf(board, shortest=True)
    assert (best.fours, best.shortest) == (row["min_fours"], True)


def test_the_memory_is_checked():
    with pytest.raises(TengenError, match="0 megabytes for positions"):
        tengen.solve_vcf(Board(), memory_mb=0)
