"""Who has won: recorded games, a text scan of all lines, and the faults of the systems this grew from."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from tengen import BLACK, PASS, WHITE, Board, Forbidden, Occupied, OffBoard, Outcome, Rules
from tengen.game.notation import from_gomocup, from_row_column, parse_moves
from tengen.game.points import opponent
from tests import oracle, strategies
from tests.positions import drawn, ended, foul_at, rows_of

COLOURS = {"black": BLACK, "white": WHITE, "draw": None}
GAMES = rows_of("outcomes.jsonl")
FOUL_GAMES = [row for row in GAMES if row.get("reason", "").startswith("forbidden")]
DECIDED_ON_THE_BOARD = [row for row in GAMES if row not in FOUL_GAMES]


def rules_of(row, **overrides):
    return Rules.named(row["rule"], size=row["size"], **overrides)


def by_id(row):
    return row["id"]


@pytest.mark.parametrize("row", DECIDED_ON_THE_BOARD, ids=by_id)
def test_recorded_games(row):
    board = Board.from_moves(row["moves"], rules_of(row))
    if row["outcome"] is None:
        assert board.outcome() is None
        return
    outcome = ended(board)
    assert outcome.winner == COLOURS[row["outcome"]]
    if row["outcome"] == "draw":
        assert outcome == Outcome(None, "full")
        return
    lines = row.get("lines", [row["line"]])
    assert outcome.reason == "five"
    assert outcome.line == outcome.lines[0]
    assert len(outcome.lines) == len(lines)
    assert {frozenset(map(board.name, line)) for line in outcome.lines} == {
        frozenset(line) for line in lines
    }
    assert all(board.last in line for line in outcome.lines)


@pytest.mark.parametrize("row", DECIDED_ON_THE_BOARD, ids=by_id)
@pytest.mark.parametrize("fouls", ["loses", "claimed"])
def test_recorded_games_end_the_same_however_fouls_are_enforced(row, fouls):
    board = Board.from_moves(row["moves"], rules_of(row, fouls=fouls))
    assert board.outcome() == Board.from_moves(row["moves"], rules_of(row)).outcome()


@pytest.mark.parametrize("row", FOUL_GAMES, ids=by_id)
def test_recorded_fouls(row):
    kind = row["reason"].removeprefix("forbidden ")
    *before, last = parse_moves(row["moves"], row["size"], row["size"])

    refused = Board.from_moves(before, rules_of(row))
    with pytest.raises(Forbidden):
        refused.push(last)
    assert refused.outcome() is None

    lost = Board.from_moves([*before, last], rules_of(row, fouls="loses"))
    assert (ended(lost).winner, ended(lost).reason) == (WHITE, "foul")
    assert ended(lost).foul == refused.foul(last)
    assert foul_at(refused, last).kind == kind

    claimed = Board.from_moves([*before, last], rules_of(row, fouls="claimed"))
    assert claimed.outcome() is None
    assert claimed.claimable() == refused.foul(last)
    claimed.claim()
    assert claimed.outcome() == lost.outcome()

    lapsed = Board.from_moves([*before, last], rules_of(row, fouls="claimed"))
    lapsed.push(lapsed.legal_points()[0])
    assert (lapsed.claimable() is not None) == (kind == "overline")


@given(strategies.boards())
def test_outcomes_are_those_of_a_text_scan(board):
    rows = {colour: oracle.winning_rows(board.rules, board.position, colour) for colour in (BLACK, WHITE)}
    outcome = board.outcome()
    if outcome is None:
        assert not rows[BLACK]
        assert not rows[WHITE]
    elif outcome.reason == "five":
        assert set(outcome.lines) == rows[outcome.winner]
        if board.ply:
            assert not rows[opponent(outcome.winner)]
            assert all(board.last in line for line in outcome.lines)
    elif outcome.reason == "full":
        assert outcome.winner is None
        fouls = oracle.fouls(board.rules, board.position) if board.turn == BLACK else {}
        assert set(fouls) == set(board.stones(0))
        assert not fouls or board.rules.fouls == "forbidden"
    elif outcome.reason == "foul":
        assert board.rules.fouls == "loses"
        assert outcome.winner == WHITE
        *_, last = board.moves
        before = oracle.put(board.position, last, 0)
        assert oracle.foul(board.rules, before, last) == outcome.foul.kind
    else:
        assert outcome == Outcome(None, "passes")
        assert board.moves[-2:] == (PASS, PASS)


@given(strategies.played())
def test_nobody_has_won_before_the_last_move(board):
    while board.ply:
        board.pop()
        assert board.outcome() is None
        assert not oracle.winning_rows(board.rules, board.position, BLACK)
        assert not oracle.winning_rows(board.rules, board.position, WHITE)


def test_an_outcome_is_always_true():
    assert Outcome(None, "full")
    assert Outcome(BLACK, "five", (1, 2, 3), ((1, 2, 3),))


# -- O1, tic-tac-toe on a micro:bit


def o1_point(x, y):
    """O1's cells lie at x, y in {0, 2, 4}, with y running down."""
    return from_gomocup(x // 2, y // 2, 3, 3)


def test_o1s_worked_example():
    board = Board("tictactoe")
    for x, y in [(2, 2), (4, 0), (2, 0), (2, 4), (0, 0), (4, 4), (4, 2)]:
        board.push(o1_point(x, y))
        assert board.outcome() is None
    board.push(o1_point(0, 4))
    assert ended(board).winner == WHITE
    # Counter 5, the row y = 4, reached -3: the bottom row of the board.
    assert [board.name(point) for point in ended(board).line] == ["a1", "b1", "c1"]


def test_o1s_eight_lines_are_all_there_are():
    counters = [[(x, y) for y in (0, 2, 4)] for x in (0, 2, 4)]
    counters += [[(x, y) for x in (0, 2, 4)] for y in (0, 2, 4)]
    counters += [[(0, 0), (2, 2), (4, 4)], [(4, 0), (2, 2), (0, 4)]]
    for cells in counters:
        line = sorted(o1_point(x, y) for x, y in cells)
        outcome = ended(Board.from_stones(line, rules="tictactoe"))
        assert outcome == Outcome(BLACK, "five", outcome.line, (outcome.line,))
        assert sorted(outcome.line) == line
    assert len([line for line in oracle.lines(3, 3) if len(line) == 3]) == len(counters)


def test_o1_a_taken_cell_changes_nothing_and_the_same_player_tries_again():
    board = Board("tictactoe")
    board.push(o1_point(2, 2))
    with pytest.raises(Occupied):
        board.push(o1_point(2, 2))
    board.push(o1_point(4, 0))
    assert board[o1_point(4, 0)] == WHITE


def test_o1_nine_stones_without_a_line_are_a_draw():
    board = Board.from_moves("b2a1a2c2b1b3c1a3c3", "tictactoe")
    assert board.outcome() == Outcome(None, "full")


# -- O3, gomoku with fouls


def test_o3_the_board_has_fifteen_lines_each_way():
    # It drew sixteen.
    board = Board("freestyle")
    assert board.point("o15") == 224
    for point in ("p1", "a16", "p16"):
        with pytest.raises(OffBoard):
            board.push(point)


def test_o3_more_than_five_in_a_row_also_wins():
    board, at = drawn("X X p X X X .", rules="freestyle")
    board.push(at["p"])
    assert (ended(board).winner, len(ended(board).line)) == (BLACK, 6)


@pytest.mark.parametrize("fouls", ["forbidden", "loses", "claimed"])
def test_o3_five_and_a_foul_by_one_stone_win_for_black(fouls):
    board, at = drawn(
        """
        . . . . . . .
        . . . X X . .
        . . . X . X .
        . X X p X X .
        . . . X X . .
        . . . X . X .
        . . . X . . .
        """,
        fouls=fouls,
    )
    board.push(at["p"])
    assert (ended(board).winner, ended(board).reason) == (BLACK, "five")
    assert board.claimable() is None


# -- O4, the tic-tac-toe robot


def test_o4_rows_and_columns_count_from_the_top_left_and_zero_does_not_wrap():
    board = Board("tictactoe")
    board.push(from_row_column(1, 1, 3, 3))
    assert board["a3"] == BLACK
    with pytest.raises(OffBoard):
        board.push(from_row_column(0, 1, 3, 3))


def test_o4_a_draw_is_announced_and_a_full_board_takes_no_move():
    board = Board("tictactoe")
    for row, column in [(2, 2), (1, 1), (1, 2), (3, 2), (2, 1), (2, 3), (3, 1), (1, 3), (3, 3)]:
        assert board.outcome() is None
        board.push(from_row_column(row, column, 3, 3))
    assert board.outcome() == Outcome(None, "full")
    assert board.legal_points() == []
    # It fell through to the cell in row 1, column 1 and overwrote the stone.
    assert not board.is_legal(from_row_column(1, 1, 3, 3))
    assert board[from_row_column(1, 1, 3, 3)] == WHITE


def test_o4_the_centre_has_two_diagonals():
    for corners in (["a1", "c3"], ["a3", "c1"]):
        board = Board.from_stones(corners, ["a2", "c2"], BLACK, "tictactoe")
        board.push("b2")
        assert ended(board).winner == BLACK


# -- O5, a one-dimensional board


@pytest.mark.parametrize(
    "stones",
    [
        "m1n1o1a2b2",  # a row that goes on in the next one
        "m3n3o3a3b3",  # the same row joined around the edges
        "h1h2h14h15h3",  # a column joined around the edges
        "l1m2n3o4a6",  # a diagonal one step on in the list
        "d1c2b3a4o4",
        "m13n14o15a1b2",  # a diagonal round the corner
    ],
)
def test_o5_no_line_wraps_round_the_edge(stones):
    board = Board.from_stones(parse_moves(stones, 15, 15))
    assert board.outcome() is None


@given(strategies.played(strategies.rules().filter(lambda rules: rules.k > 1)))
def test_o5_every_winning_row_is_a_straight_line_of_neighbours(board):
    outcome = board.outcome()
    if outcome is None:
        return
    for row in outcome.lines:
        places = [divmod(point, board.width) for point in row]
        steps = {(ya - yb, xa - xb) for (yb, xb), (ya, xa) in pairwise(places)}
        assert len(steps) == 1
        assert max(abs(step) for pair in steps for step in pair) == 1
