from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tengen import BLACK, EMPTY, WHITE, Board, Rules
from tengen.game.board import Outcome
from tengen.players.windows import Windows, layout, neighbours
from tests.positions import drawn, ended
from tests.strategies import set_up


def names(board, points):
    return [board.name(point) for point in points]


def after(board, point, colour):
    """How the game stands after a stone of either colour, whoever is to move."""
    stones = {c: board.stones(c) for c in (BLACK, WHITE)}
    other = Board.from_stones(stones[BLACK], stones[WHITE], colour, board.rules)
    if not other.is_legal(point):
        return None
    other.push(point)
    return other.outcome()


def wins(board, point, colour):
    outcome = after(board, point, colour)
    return isinstance(outcome, Outcome) and outcome.reason == "five"


@pytest.mark.parametrize(
    ("size", "k", "windows", "most"),
    [((3, 3), 3, 8, 4), ((15, 15), 5, 572, 20), ((7, 6), 4, 69, 13), ((4, 1), 3, 2, 2), ((4, 4), 1, 16, 1)],
)
def test_windows_are_all_the_ways_to_win(size, k, windows, most):
    lines, through = layout(*size, k)
    assert len(lines) == windows
    assert {len(line) for line in lines} == {k}
    assert max(map(len, through)) == most
    assert all(point in lines[window] for point, around in enumerate(through) for window in around)


def test_no_window_wraps_round_the_edge():
    for line in layout(6, 5, 4).lines:
        steps = {(b % 6 - a % 6, b // 6 - a // 6) for a, b in pairwise(line)}
        assert steps in ({(1, 0)}, {(0, 1)}, {(1, 1)}, {(1, -1)})


def test_neighbours_are_within_kings_moves():
    board = Board()
    assert names(board, sorted(neighbours(15, 15, 1)[0])) == ["b1", "a2", "b2"]
    assert len(neighbours(15, 15, 2)[112]) == 24


def test_a_k_that_fits_nowhere_has_no_windows():
    windows = Windows(Board(Rules.mnk(5, 4, 1_000_000_000)))
    windows.place(3, BLACK)
    assert windows.fives(BLACK) == windows.answers(WHITE) == []
    assert windows.fours(BLACK) == {}


def test_fives_fours_and_answers():
    board, at = drawn(
        """
        . . . . . . . . .
        . p X X X X O . .
        . . . . . . . . .
        . q a O O O b r .
        . . . . . . . . .
        """,
        rules="freestyle",
    )
    windows = Windows(board)
    assert windows.fives(BLACK) == windows.answers(BLACK) == [at["p"]]
    assert windows.fives(WHITE) == []
    assert windows.fours(WHITE) == {
        at["q"]: [at["a"]],
        at["a"]: [at["q"], at["b"]],
        at["b"]: [at["a"], at["r"]],
        at["r"]: [at["b"]],
    }
    windows.place(at["b"], WHITE)
    assert windows.fives(WHITE) == [at["a"], at["r"]]
    assert windows.answers(WHITE) == []


def test_under_caro_a_five_is_also_stopped_at_its_far_end():
    board, at = drawn("p X X X X a O .", rules="caro", turn=WHITE)
    assert Windows(board).fives(BLACK) == [at["p"], at["a"]]
    # With White on p, a makes a five between two white stones; with White on a, p makes one at the edge.
    assert Windows(board).answers(BLACK) == [at["p"]]
    board, at = drawn("O e X X X a X O", rules="caro", turn=WHITE)
    assert Windows(board).fives(BLACK) == [at["a"]]
    assert Windows(board).answers(BLACK) == [at["e"], at["a"]]


def test_black_cannot_answer_with_a_foul():
    board, at = drawn(
        """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        X O O O p O . . .
        . . . . . X . . .
        . . . . . . X . .
        . . . . . . . . .
        """
    )
    assert board.fouls()[at["p"]].kind == "double-three"
    assert Windows(board).fives(WHITE) == [at["p"]]
    assert Windows(board).answers(WHITE) == []
    assert Windows(board).is_foul(at["p"], BLACK)
    assert not Windows(board).is_foul(at["p"], WHITE)


@given(set_up(), st.sampled_from((BLACK, WHITE)))
def test_fives_are_the_moves_that_win(board, colour):
    assume(not board.outcome())
    windows = Windows(board)
    expected = [p for p in board.stones(EMPTY) if wins(board, p, colour)]
    assert windows.fives(colour) == expected


@given(set_up(), st.sampled_from((BLACK, WHITE)))
def test_fours_are_the_moves_after_which_other_points_win(board, colour):
    assume(not board.outcome())
    windows = Windows(board)
    before = windows.fives(colour)
    fours = windows.fours(colour)
    for point in board.stones(EMPTY):
        if point in before:
            continue
        windows.place(point, colour)
        new = [p for p in windows.fives(colour) if p not in before]
        windows.lift(point)
        assert [p for p in fours.get(point, []) if p not in before] == new


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(set_up(), st.sampled_from((BLACK, WHITE)))
def test_answers_are_the_points_that_leave_no_five(board, attacker):
    assume(not board.outcome())
    windows, defender = Windows(board), 3 - attacker
    assume(windows.fives(attacker))
    expected = []
    for point in board.stones(EMPTY):
        if windows.is_foul(point, defender):
            continue
        windows.place(point, defender)
        if not windows.fives(attacker):
            expected.append(point)
        windows.lift(point)
    assert windows.answers(attacker) == expected


@given(set_up(), st.data())
def test_what_is_placed_and_lifted_leaves_no_trace(board, data):
    windows = Windows(board)
    codes, fours = list(windows.codes), [windows.fours(c) for c in (BLACK, WHITE)]
    free = windows.empty()
    points = data.draw(st.permutations(free))[:8]
    for point in points:
        windows.place(point, data.draw(st.sampled_from((BLACK, WHITE))))
    fresh = Windows(
        Board.from_stones(
            [p for p, c in enumerate(windows.cells) if c == BLACK],
            [p for p, c in enumerate(windows.cells) if c == WHITE],
            rules=board.rules,
        )
    )
    assert windows.codes == fresh.codes
    for colour in (BLACK, WHITE):
        assert [windows.needing(colour, n) for n in (1, 2)] == [fresh.needing(colour, n) for n in (1, 2)]
    for point in reversed(points):
        windows.lift(point)
    assert windows.codes == codes
    assert [windows.fours(c) for c in (BLACK, WHITE)] == fours
    assert windows.cells == board.position


def test_the_rules_decide_what_wins():
    row = "X X X p X X ."
    for rules, won in (("freestyle", True), ("standard", False), ("renju", False)):
        board, at = drawn(row, rules=rules)
        assert (at["p"] in Windows(board).fives(BLACK)) == won
        if won:
            board.push(at["p"])
            assert ended(board).winner == BLACK
