"""A game looked through: wins that are known, what each move has lost, and what is called a mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import BLACK, PASS, WHITE, Board, Engine, Limit, Score
from tengen.engine.info import Info
from tengen.web.study.review import (
    BLUNDER,
    MISTAKE,
    Review,
    ReviewedPosition,
    ended,
    for_black,
    judged,
    turn_at,
)
from tests.strategies import engine_rules, played


def says(board: Board, score: Score, best: str = "") -> Info:
    """What an engine might say of a position."""
    point = board.point(best) if best else board.legal_points()[0]
    return Info(point, score, 1, 1, 1, 0.0, (point,))


def reviewed(board: Board, look: Callable[[Board], Info | None]) -> list[ReviewedPosition]:
    """The whole review, from the end to the beginning."""
    review, found = Review(board), []
    while not review.done:
        complete = review.step(look)
        assert complete is not None
        found += complete
    return found


def even(board: Board) -> Info:
    return says(board, Score(0))


# -- what is known from later


def test_a_win_that_follows_is_known_before():
    """Black wins by a row that an engine which calls everything even has never seen."""
    board = Board.from_moves("h8a1i8c1j8e1k8g1l8")
    verdicts = {verdict.ply: verdict for verdict in reviewed(board, even)}
    assert (verdicts[9].win_rate, verdicts[9].mate) == (0.0, 0)
    assert (verdicts[8].win_rate, verdicts[8].mate) == (1.0, 1)
    assert board.name(verdicts[8].best or 0) == "l8"
    # White, to move before that, might have done otherwise.
    assert verdicts[7].win_rate == 0.5
    assert (verdicts[8].loss, verdicts[8].judgement) == (0.5, "blunder")
    assert verdicts[9].loss == 0.0


def test_a_position_is_worth_what_the_move_played_leads_to():
    board = Board.from_moves("h8i9")
    rates = {2: 0.2, 1: 0.3, 0: 0.5}
    verdicts = {v.ply: v for v in reviewed(board, lambda b: says(b, Score.from_win_rate(rates[b.ply])))}
    # White's i9 has led to 0.8, which is more than the 0.3 that was seen before it.
    assert verdicts[1].win_rate == pytest.approx(0.8, abs=0.01)
    assert verdicts[1].best == board.point("i9")
    assert verdicts[2].loss == 0.0
    assert verdicts[1].loss == pytest.approx(0.3, abs=0.01)


def test_a_shorter_win_than_the_one_played_is_kept():
    board = Board.from_moves("h8")
    after = ReviewedPosition(1, 0.0, -6, None, ())
    short = says(Board(), Score.win_in(3), "g7")
    assert judged(0, short, board.point("h8"), after).mate == 3
    longer = says(Board(), Score.win_in(9), "g7")
    assert judged(0, longer, board.point("h8"), after).mate == 7


def test_a_foul_that_loses_is_a_blunder():
    board = Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
    rules = board.rules.from_dict({**board.rules.to_dict(), "fouls": "loses"})
    lost = Board.from_moves(list(board.moves), rules)
    lost.push("h8")
    last = reviewed(lost, even)[0]
    assert (last.ply, last.win_rate, last.judgement) == (9, 1.0, "blunder")


def test_a_draw_is_worth_half():
    board = Board.from_moves("a1b1c1b2a2a3b3c2c3", "tictactoe")
    last = ended(board)
    assert (last.win_rate, last.mate) == (0.5, None)


def test_a_win_that_was_missed():
    board = Board.from_moves("h8i9")
    scores = {2: Score(0), 1: Score.win_in(5), 0: Score(0)}
    verdicts = {v.ply: v for v in reviewed(board, lambda b: says(b, scores[b.ply]))}
    assert verdicts[2].missed
    assert verdicts[2].loss == 0.5
    assert not verdicts[1].missed


# -- what is a mistake


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (None, None),
        (0.0, None),
        (MISTAKE - 0.01, None),
        (MISTAKE, "mistake"),
        (BLUNDER - 0.01, "mistake"),
        (BLUNDER, "blunder"),
        (1.0, "blunder"),
    ],
)
def test_how_much_is_a_mistake(loss, expected):
    assert ReviewedPosition(1, 0.5, None, PASS, (), loss).judgement == expected


def test_blacks_view():
    verdict = ReviewedPosition(3, 0.25, -4, None, ())
    assert for_black(verdict, BLACK) == (0.25, -4)
    assert for_black(verdict, WHITE) == (0.75, 4)
    setup = Board.from_stones(["a1"], [], WHITE)
    setup.push("b2")
    assert (turn_at(setup, 0), turn_at(setup, 1)) == (WHITE, BLACK)


# -- the whole of it


def test_an_interrupted_step_is_taken_again():
    board = Board.from_moves("h8i9")
    review = Review(board)
    assert review.step(lambda _: None) is None
    assert review.step(even) == []
    assert review.step(lambda _: None) is None
    assert [verdict.ply for verdict in review.step(even) or []] == [2]
    assert [verdict.ply for verdict in review.step(even) or []] == [1, 0]
    assert review.done
    assert review.step(even) == []


def test_the_board_stays_as_it_is():
    board = Board.from_moves("h8i9")
    reviewed(board, even)
    assert board == Board.from_moves("h8i9")


@given(played(engine_rules(), most=12), st.randoms(use_true_random=False))
def test_whatever_the_engine_says_the_review_is_sound(board, random):
    def look(position: Board) -> Info:
        score = random.choice((Score(random.randint(-500, 500)), Score.win_in(5), Score.loss_in(4)))
        return says(position, score)

    verdicts = reviewed(board, look)
    assert [verdict.ply for verdict in verdicts] == list(range(board.ply, -1, -1))
    by_ply = {verdict.ply: verdict for verdict in verdicts}
    for ply, verdict in by_ply.items():
        assert 0 <= verdict.win_rate <= 1
        if ply == 0:
            assert verdict.loss is None
            continue
        before = by_ply[ply - 1]
        assert verdict.loss is not None
        assert 0 <= verdict.loss <= 1
        assert before.win_rate == pytest.approx(1 - verdict.win_rate + verdict.loss, abs=1e-4)
        if verdict.win_rate == 0 and verdict.mate is not None:
            assert before.win_rate == 1
            assert (before.mate or 0) > 0


@pytest.mark.usefixtures("compiled")
def test_the_engine_finds_the_blunder():
    """Black wastes a move, and then lets three in a row grow; from then on White has won."""
    board = Board.from_moves("h8g9i8i9a1h9a2j9a3k9")
    engine = Engine(memory_mb=8)
    verdicts = reviewed(board, lambda b: engine.analyse(b, Limit(seconds=5, nodes=5000))[0])
    blunders = [verdict.ply for verdict in verdicts if verdict.judgement == "blunder"]
    assert blunders == [5]
    assert all(v.win_rate == (1.0 if v.ply % 2 else 0.0) for v in verdicts if v.ply >= 7)
