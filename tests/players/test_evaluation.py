from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, WHITE, Board, Rules
from tengen.players.candidates import closeness
from tengen.players.evaluation import DEFAULTS, MOST, Evaluation
from tengen.players.windows import Windows, layout
from tests.positions import drawn
from tests.strategies import boards

PLAIN = {"need1": 1000, "need2": 100, "need3": 10, "need4": 1, "tempo": 0, "turn": 0}


def evaluation(board, parameters):
    return Evaluation(Windows(board), closeness(board), parameters)


def recounted(board, me, parameters):
    """The balance, window by window."""
    total = 0.0
    k = min(board.rules.k, 51)
    for line in layout(board.width, board.height, k).lines:
        stones = [board[point] for point in line]
        for colour, sign in ((me, 1), (3 - me, -1)):
            own = stones.count(colour)
            if 0 < own < k and stones.count(EMPTY) == k - own:
                total += sign * parameters.get(f"need{k - own}", 0)
    return total


@pytest.mark.parametrize(
    ("row", "balance"),
    [
        (". . . . . . . . .", 0),
        (". . . . X . . . .", 5),
        (". . . X X . . . .", 41),
        (". . . X X X . . .", 320),
        (". . O X X X . . .", 110),
        ("O X X X X . . . .", 1111),
        ("O . X . X O X . .", 0),
        ("O . X . X . O O .", 10),
    ],
)
def test_the_balance_of_a_row(row, balance):
    board, _ = drawn(row, rules="freestyle")
    assert evaluation(board, PLAIN).balance(BLACK) == balance
    assert evaluation(board, PLAIN).balance(WHITE) == -balance


@given(boards(), st.sampled_from((BLACK, WHITE)))
def test_the_balance_is_the_sum_over_the_windows(board, me):
    assert evaluation(board, DEFAULTS).balance(me) == recounted(board, me, DEFAULTS)


@given(boards(), st.sampled_from((BLACK, WHITE)))
def test_a_gain_is_the_change_of_the_balance(board, me):
    windows = Windows(board)
    values = Evaluation(windows, closeness(board), DEFAULTS)
    before = values.balance(me)
    moves = values.sorted(me, windows.empty())
    assert sorted(point for _, point in moves) == windows.empty()
    assert [gain for gain, _ in moves] == sorted((gain for gain, _ in moves), reverse=True)
    for gain, point in moves:
        windows.place(point, me)
        if not any(all(windows.cells[p] == me for p in line) for line in lines_through(windows, point)):
            assert values.balance(me) == before + gain
        windows.lift(point)


def lines_through(windows, point):
    lines = layout(windows.rules.width, windows.rules.height, windows.k).lines
    return [lines[number] for number in windows.through[point]]


def test_the_side_to_move_counts():
    board, _ = drawn(". . X X X . . O O . .", rules="freestyle")
    with_tempo = evaluation(board, {**PLAIN, "tempo": 3, "turn": 0.5})
    balance = with_tempo.balance(BLACK)
    needing_two = Windows(board).needing(BLACK, 2)
    assert needing_two == 3
    assert with_tempo.value(BLACK, balance) == balance + 3 * needing_two + 0.5
    assert with_tempo.value(WHITE, -balance) == -balance + 0.5


def test_a_full_board_is_worth_nothing_and_no_value_is_a_win():
    board = Board.from_stones(range(4), range(4, 8), rules=Rules.mnk(4, 2, 9))
    assert evaluation(board, DEFAULTS).value(BLACK, 123) == 0
    open_board = evaluation(Board(), {**DEFAULTS, "turn": 1_000_000})
    assert open_board.value(BLACK, 0) == MOST
    assert open_board.value(BLACK, -9e9) == -MOST


def test_equal_moves_come_in_the_order_of_their_distance_from_the_centre():
    board = Board("freestyle")
    moves = evaluation(board, DEFAULTS).sorted(BLACK, range(225))
    assert [board.name(point) for _, point in moves[:5]] == ["h8", "h7", "g8", "i8", "h9"]
