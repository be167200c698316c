"""Wins by continuous fours, against positions with known answers."""

from __future__ import annotations

import threading

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tengen
from tengen import BLACK, EMPTY, WHITE, Board, GameOver, Limit, Rules, RulesError
from tengen.game.player import SOONEST
from tengen.players.threats import find_vcf
from tests.positions import drawn, rows_of

ROWS = rows_of("vcf.jsonl")


def replayed(board: Board, line) -> Board:
    """The board after a line; every move of it has to be legal."""
    after = board.copy()
    for point in line:
        after.push(point)
    return after


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_every_position_with_a_known_answer(row):
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], 15))
    found = tengen.solve_vcf(board)
    assert found.proven
    assert (found.winner == board.turn) == row["win"]
    if not row["win"]:
        assert (found.line, found.length, found.fours) == ((), 0, 0)
        return
    outcome = replayed(board, found.line).outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (board.turn, "five")
    shortest = tengen.solve_vcf(board, shortest=True)
    assert shortest.fours == row["min_fours"]
    assert shortest.length == len(shortest.line) == 2 * shortest.fours + 1
    assert replayed(board, shortest.line).outcome() is not None


def test_a_five_at_once_is_a_win_of_no_fours():
    board = Board.from_moves("h8a1i8a2j8a3k8a4")
    found = tengen.solve_vcf(board)
    assert (found.winner, found.fours, found.length) == (BLACK, 0, 1)


def test_whites_four_whose_only_answer_is_a_foul_wins():
    """Black has to play h8, which would make a double-three."""
    board, _ = drawn(
        """
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . X . . . . . . .
        . . . . . . . X . . . . . . .
        . . . . . . . . O O O . X . .
        . . . . . . X . . . . . . . .
        . . . . . X . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        """,
        turn=WHITE,
    )
    found = tengen.solve_vcf(board)
    assert (found.winner, found.length) == (WHITE, 3)
    assert find_vcf(board.copy()).line


ONLY_A_FOUL = """
    X O O O X X
    X X X O O X
    X O O O X O
    f O O O p X
    X O X X O O
    X O O X X X
"""
"""White makes a four at p, and nothing is left to Black but f, six in a row."""


def test_whites_four_after_which_black_has_only_fouls_is_a_draw():
    board, _ = drawn(ONLY_A_FOUL, turn=WHITE)
    assert tengen.solve_vcf(board).proven
    assert tengen.solve_vcf(board).winner is None
    assert tengen.solve_vct(board).winner is None


@pytest.mark.parametrize("fouls", ["loses", "claimed"])
def test_whites_four_after_which_black_has_to_play_a_foul_wins(fouls):
    board, at = drawn(ONLY_A_FOUL, turn=WHITE, fouls=fouls)
    for found in (tengen.solve_vcf(board), tengen.solve_vct(board)):
        assert (found.winner, found.fours, found.line) == (WHITE, 1, (at["p"], at["f"]))
        assert result(replayed(board, found.line)) == WHITE


def result(board: Board) -> int | None:
    """Who has won; White claims whatever foul there is."""
    if board.claimable():
        board.claim()
    outcome = board.outcome()
    return None if outcome is None else outcome.winner


def value(board: Board) -> int:
    """What a game with few points left comes to for the side to move: 1, 0 or -1."""
    outcome = board.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == board.turn else -1
    best = -1
    for point in board.legal_points():
        board.push(point)
        best = max(best, -value(board))
        board.pop()
        if best == 1:
            break
    return best


@settings(max_examples=40)
@given(
    st.dictionaries(st.integers(0, 35), st.sampled_from((EMPTY, EMPTY, BLACK, WHITE)), max_size=6),
    st.sampled_from(("forbidden", "loses")),
    st.sampled_from(("wins", "no_win")),
    st.sampled_from((BLACK, WHITE)),
)
def test_nothing_false_is_said_of_boards_with_few_points_left(changed, fouls, blocked_five, turn):
    """With few points left many are fouls; `value` knows the result."""
    cells = [*drawn(ONLY_A_FOUL)[0].position]
    for point, stone in changed.items():
        cells[point] = stone
    black, white = ([point for point in range(36) if cells[point] == colour] for colour in (BLACK, WHITE))
    rules = Rules.named("renju", 6, fouls=fouls, blocked_five=blocked_five)
    board = Board.from_stones(black, white, turn, rules)
    assume(board.outcome() is None)
    for found in (tengen.solve_vcf(board), tengen.solve_vct(board)):
        if found.winner is not None:
            assert value(board.copy()) == 1
            assert result(replayed(board, found.line)) == board.turn
    (info,) = tengen.Engine().analyse(board, Limit(nodes=2000))
    replayed(board, info.line)
    if info.score.mate is not None:
        assert value(board.copy()) == (1 if info.score.mate > 0 else -1)


def test_under_caro_one_stone_may_stop_several_fives():
    """White may make a five on d1 or d6. A stone on d1 spoils the other, too: d7 is Black's."""
    stones = "1110020100200010220010002001000210000200011001000"
    black, white = ([at for at, stone in enumerate(stones) if stone == side] for side in "12")
    board = Board.from_stones(black, white, BLACK, Rules.named("caro", 7))
    found = tengen.solve_vcf(board, shortest=True)
    assert (found.winner, found.fours, board.name(found.line[0])) == (BLACK, 2, "d1")
    assert len(find_vcf(board.copy()).line) == found.length
    outcome = replayed(board, found.line).outcome()
    assert outcome is not None
    assert outcome.winner == BLACK


def test_either_side_may_be_asked_about():
    board = Board.from_moves("h8a1i8a3j8a5", rules="freestyle")
    assert tengen.solve_vcf(board, colour=WHITE).winner is None
    assert tengen.solve_vcf(board, colour=BLACK).winner == BLACK


def test_limits():
    row = max((row for row in ROWS if row["win"]), key=lambda row: row["min_fours"])
    board = Board.from_moves(row["moves"], Rules.named(row["rule"], 15))
    for limit in (Limit(nodes=3), Limit(depth=3), Limit(seconds=SOONEST)):
        found = tengen.solve_vcf(board, limit)
        assert (found.winner, found.proven, found.line) == (None, False, ())
    assert tengen.solve_vcf(board, Limit(depth=2 * row["min_fours"] + 1)).winner == board.turn
    stop = threading.Event()
    stop.set()
    stopped = tengen.solve_vcf(board, stop=stop)
    assert stopped.proven == (stopped.winner == board.turn), "found before the signal was seen, or not"


def test_what_cannot_be_solved():
    with pytest.raises(GameOver):
        tengen.solve_vcf(Board.from_moves("h8a1i8a2j8a3k8a4l8"))
    with pytest.raises(RulesError):
        tengen.solve_vcf(Board("tictactoe"))


@given(st.data())
def test_the_readable_player_agrees(data):
    """`tengen.players.threats` looks for the same wins, a thousand times slower."""
    rules = Rules.named(data.draw(st.sampled_from(["freestyle", "standard", "renju", "caro"])), 9)
    points = data.draw(st.lists(st.integers(0, 80), unique=True, min_size=10, max_size=30))
    board = Board(rules)
    for point in points:
        if board.outcome() is None and board.is_legal(point):
            board.push(point)
    if board.outcome() is not None:
        return
    fast, slow = tengen.solve_vcf(board), find_vcf(board.copy(), limit=Limit(nodes=3000))
    assert fast.proven
    if slow.proven:
        assert bool(fast.line) == bool(slow.line)
    if fast.line:
        outcome = replayed(board, fast.line).outcome()
        assert outcome is not None
        assert outcome.winner == board.turn
