"""Threats that are left unanswered, and those that nothing answers, by the rules of every game."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tengen import BLACK, PASS, WHITE, Board, Rules
from tengen.players.windows import Windows
from tengen.study.unanswered_threats import quick_win, unanswered_threat
from tests.positions import drawn
from tests.strategies import engine_rules, played

FIVES = ("freestyle", "standard", "renju", "caro")


def left(moves: str, move: str, rules: Rules | str = "freestyle") -> int | None:
    """What a move after some others leaves unanswered."""
    board = Board.from_moves(moves, rules)
    return unanswered_threat(board, board.point(move))


@pytest.mark.parametrize("rules", FIVES)
@pytest.mark.parametrize("before", ["", "a1"])
class TestFiveInARow:
    """The same stones, with Black and, after a stone in the corner, with White as the attacker."""

    def test_an_open_three(self, rules, before):
        moves = before + "h8c1i9o15g7"
        assert left(moves, "a15", rules) == 3
        for answer in ("j10", "f6"):
            assert left(moves, answer, rules) is None

    def test_a_broken_three(self, rules, before):
        moves = before + "h8c1i8o15k8"
        assert left(moves, "a15", rules) == 3
        assert left(moves, "j8", rules) is None

    def test_a_four(self, rules, before):
        moves = before + "h8g8i8c1j8o15k8"
        assert (
            left(moves, "a15", rules) == (None if rules == "caro" and not before else 1) or rules == "caro"
        )
        assert left(moves, "l8", rules) is None

    def test_an_open_four_is_stopped_by_nothing(self, rules, before):
        moves = before + "h8c1i9o15g7a15j10"
        assert left(moves, "o1", rules) is None
        assert left(moves, "k11", rules) is None

    def test_two_open_threes_are_stopped_by_nothing(self, rules, before):
        # Five stones that cross in h8; a foul of Black's in renju as a move, but here it stands.
        moves = before + "h9c1h10o15i8c3j8o13h8"
        if rules == "renju" and not before:
            return
        assert left(moves, "a15", rules) is None

    def test_a_row_of_ones_own_is_quicker(self, rules, before):
        # The other side has four stones in a column, with the edge beside them.
        moves = before + "h8c1i9c2o1c3o3c4g7"
        assert left(moves, "c5", rules) is None
        # It has to be stopped before anything else, if it is forgotten.
        assert left(moves, "a15", rules) is None


def test_a_threat_of_ones_own_comes_first():
    """White leaves an open three to make a four, which has to be answered; then there is time."""
    moves = "h8c1i9c2g7"
    assert left(moves, "a15") == 3
    moves = "h8c1i9c2a15c3g7"
    assert left(moves, "c4") is None
    assert left(moves, "d4") == 3


def test_gaining_time_is_no_answer():
    """Two open threes: fours of one's own put the end off, and so do not make other moves mistakes."""
    moves = "h9c1h10c2i8c3j8o13h8"
    assert left(moves, "a15") is None
    assert left(moves, "c4") is None


def test_a_four_that_cannot_be_stopped_without_a_foul():
    """White's row can only be met on a double-three of Black's: nothing that Black plays is to blame."""
    board, at = drawn(
        """
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . X . . . . . . .
        . . . . . . . X . . . . . . .
        . . X O O O O p . . . . . . .
        . . . . . . . . X . . . . . .
        . . . . . . . . . X . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . q
        """
    )
    for enforced in ("forbidden", "loses", "claimed"):
        rules = Rules.named("renju", fouls=enforced)
        again = Board.from_stones(board.stones(BLACK), board.stones(WHITE), BLACK, rules)
        assert unanswered_threat(again, at["q"]) is None
    plain = Board.from_stones(board.stones(BLACK), board.stones(WHITE), BLACK, "freestyle")
    assert unanswered_threat(plain, at["q"]) == 1
    assert unanswered_threat(plain, at["p"]) is None


def test_a_three_that_only_a_foul_would_extend_threatens_nothing():
    """Black's three becomes an open four on no point that is not a foul, and so need not be answered."""
    blocked = "h8g8i8l8j8"
    assert left(blocked, "a15", "standard") is None
    # Six in a row would win in freestyle only; with stones on g8 and l8 there is one five at most.
    assert left(blocked, "a15") is None


def test_three_in_a_row():
    assert left("a1b2c3", "a3", "tictactoe") == 3
    assert left("a1b2c3", "b1", "tictactoe") is None
    assert left("a1b2b1", "a3", "tictactoe") == 1
    assert left("a1b2b1", "c1", "tictactoe") is None
    # Two rows at once are stopped by nothing.
    assert left("a1b2c3a3c1", "b1", "tictactoe") is None


def test_four_in_a_row():
    rules = Rules.mnk(7, 7, 4)
    assert left("d4a1e4", "a7", rules) == 3
    assert left("d4a1e4", "f4", rules) is None
    assert left("d4a1e4c4f4", "a7", rules) == 1
    assert left("d4a1e4a7f4", "g7", rules) is None  # open at both ends


def test_a_pass_and_a_quiet_board():
    passing = Rules.named("freestyle", passing=True)
    assert unanswered_threat(Board(passing), PASS) is None
    assert left("", "h8") is None
    assert left("h8i9", "a1") is None


def wins_within_three(board: Board) -> int | None:
    """The plies in which the side to move wins against every reply, by trying all of them."""
    if any(_wins(board, point) for point in board.legal_points()):
        return 1
    mover = board.turn
    for point in board.legal_points():
        board.push(point)
        won = board.outcome() is None and _every_reply_loses(board, mover)
        board.pop()
        if won:
            return 3
    return None


def _wins(board: Board, point: int) -> bool:
    mover = board.turn
    board.push(point)
    outcome = board.outcome()
    board.pop()
    return outcome is not None and outcome.winner == mover


def _every_reply_loses(board: Board, winner: int) -> bool:
    replies = board.legal_points()
    for reply in replies:
        board.push(reply)
        outcome = board.outcome()
        lost = (
            outcome.winner == winner
            if outcome is not None
            else any(_wins(board, point) for point in board.legal_points())
        )
        board.pop()
        if not lost:
            return False
    return bool(replies)


SMALL = st.builds(Rules.mnk, st.integers(3, 5), st.integers(3, 5), st.integers(3, 4))


@settings(suppress_health_check=[HealthCheck.filter_too_much], deadline=None)
@given(played(SMALL | engine_rules(st.just(5)), most=20))
def test_a_quick_win_is_one_against_every_reply(board):
    if board.outcome() is None and board.rules.k >= 3:
        assert quick_win(Windows(board), board.turn) == wins_within_three(board)


@settings(deadline=None)
@given(played(SMALL | engine_rules(st.integers(5, 6)), most=24), st.integers(0))
def test_what_is_left_unanswered_was_there_and_could_be_answered(board, number):
    if board.outcome() is not None or not board.legal_points():
        return
    points = [point for point in board.legal_points() if point != PASS]
    if not points:
        return
    before = board.position
    move = points[number % len(points)]
    plies = unanswered_threat(board, move)
    assert board.position == before
    board.push(move)
    if plies is not None and board.outcome() is None:
        assert wins_within_three(board) == plies
