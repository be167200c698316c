"""How many games there are: counts that other programs agree on."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from tengen import BLACK, WHITE, Board, Rules
from tengen.game.symmetry import canonical
from tests.positions import DATA, ended, rows_of

QUICK = 60_000
"""Sequences that are counted on every run; the longer counts are marked slow."""


def perft(board, depth, seen):
    """Sequences of exactly `depth` legal moves from here; `seen` keeps what has been counted."""
    key = board.position, depth
    if key in seen:
        return seen[key]
    points = board.legal_points()
    if depth == 1:
        return len(points)
    count = 0
    for point in points:
        board.push(point)
        count += perft(board, depth - 1, seen)
        board.pop()
    seen[key] = count
    return count


def counted(row):
    size = row.get("width", row.get("size")), row.get("height", row.get("size"))
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], size=size, k=row["k"]))
    seen: dict[tuple[bytes, int], int] = {}
    for depth, expected in enumerate(row["perft"], start=1):
        yield expected, lambda depth=depth: perft(board, depth, seen)


@pytest.mark.uncovered
@pytest.mark.parametrize("row", rows_of("perft.jsonl"), ids=lambda row: row["id"])
def test_sequences_of_moves(row):
    quick = [(expected, count()) for expected, count in counted(row) if expected <= QUICK]
    assert quick
    assert [count for _, count in quick] == [expected for expected, _ in quick]


@pytest.mark.slow
@pytest.mark.parametrize("row", rows_of("perft.jsonl"), ids=lambda row: row["id"])
def test_long_sequences_of_moves(row):
    for expected, count in counted(row):
        if expected > QUICK:
            assert count() == expected


@cache
def tic_tac_toe():
    """Every position of tic-tac-toe, with the results of all games from there on: winner -> number."""
    results: dict[Board, Counter[int | None]] = {}

    def visit(board):
        if board not in results:
            if board.outcome():
                found = Counter([ended(board).winner])
            else:
                found = Counter()
                for point in board.legal_points():
                    board.push(point)
                    found += visit(board)
                    board.pop()
            results[board.copy()] = found
        return results[board]

    visit(Board("tictactoe"))
    return results


def test_tic_tac_toe_has_255168_games():
    games = tic_tac_toe()[Board("tictactoe")]
    assert games == {BLACK: 131_184, WHITE: 77_904, None: 46_080}
    assert games.total() == 255_168


def test_tic_tac_toe_has_5478_positions_and_765_up_to_symmetry():
    assert len(tic_tac_toe()) == 5_478
    assert len({canonical(board)[0] for board in tic_tac_toe()}) == 765


@pytest.mark.slow
def test_tic_tac_toe_has_255168_games_played_one_by_one():
    board = Board("tictactoe")
    games: Counter[int | None] = Counter()

    def play():
        if board.outcome():
            games[ended(board).winner] += 1
        for point in board.legal_points():
            board.push(point)
            play()
            board.pop()

    play()
    assert games == {BLACK: 131_184, WHITE: 77_904, None: 46_080}


LINES = (DATA / "openings.txt").read_text("utf-8").splitlines()
OPENINGS = [line for line in LINES if line and not line.startswith("#")]


@pytest.mark.parametrize("moves", OPENINGS)
def test_the_openings_are_legal(moves):
    for rules in ("renju", "freestyle", "standard", "caro"):
        board = Board.from_moves(moves, rules)
        assert 3 <= board.ply <= 8
        assert board.outcome() is None
