"""A game looked through: wins that are known, what each move has lost, and what is called a mistake."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tengen
from tengen import BLACK, WHITE, Board, Engine, Limit, Record, Rules, RulesError, Score
from tengen.engine.info import Info
from tengen.study.review import (
    ReviewedPosition,
    Reviewer,
    check_reviewable,
    ended,
    evaluated,
    for_black,
    review,
    turn_at,
)
from tests.strategies import engine_rules, played


def says(board: Board, score: Score, best: str = "") -> Info:
    """What an engine might say of a position."""
    point = board.point(best) if best else board.legal_points()[0]
    return Info(point, score, 1, 1, 1, 0.0, (point,))


def reviewed(board: Board, look: Callable[[Board], Info | None]) -> list[ReviewedPosition]:
    """The whole review, from the end to the beginning."""
    review, found = Reviewer(board), []
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
    assert evaluated(0, short, board.point("h8"), after).mate == 3
    longer = says(Board(), Score.win_in(9), "g7")
    assert evaluated(0, longer, board.point("h8"), after).mate == 7


def test_a_foul_that_loses_is_a_blunder():
    board = Board.from_moves("f8i10g8j7h7e9h6g5", "renju")
    rules = board.rules.from_dict({**board.rules.to_dict(), "fouls": "loses"})
    lost = Board.from_moves(list(board.moves), rules)
    lost.push("h8")
    last = reviewed(lost, even)[0]
    assert (last.ply, last.win_rate, last.judgement) == (9, 1.0, "blunder")


def test_the_move_that_the_engine_chooses_too_is_not_blamed():
    """What is known after it says only that the position was worth less."""
    board = Board.from_moves("h8i9g7")
    rates = {3: 0.9, 2: 0.6, 1: 0.5, 0: 0.5}
    best = {2: "g7", 1: "c3", 0: "c3", 3: "c3"}
    verdicts = {
        v.ply: v for v in reviewed(board, lambda b: says(b, Score.from_win_rate(rates[b.ply]), best[b.ply]))
    }
    assert verdicts[2].win_rate == pytest.approx(0.1, abs=0.01)
    assert (verdicts[3].loss, verdicts[3].judgement) == (0.0, None)


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


# -- whose view


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
    review = Reviewer(board)
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
    """Black wastes a move, and then lets three in a row grow; from then on White has won.

    The four, open at both ends, cannot be stopped: a3 loses nothing."""
    board = Board.from_moves("h8g9i8i9a1h9a2j9a3k9")
    engine = Engine(memory_mb=8)
    verdicts = reviewed(board, lambda b: engine.analyse(b, Limit(seconds=5, nodes=5000))[0])
    blunders = [verdict.ply for verdict in verdicts if verdict.judgement == "blunder"]
    assert sorted(blunders) == [5, 7]
    assert all(v.win_rate == (1.0 if v.ply % 2 else 0.0) for v in verdicts if v.ply >= 7)


# -- games, as a library's user has them reviewed


def blamed(moves: str, rules: Rules | str = "freestyle") -> dict[int, tuple[str, str]]:
    """The mistakes and blunders of a game by their plies, and the reasons."""
    found = review(Record.from_board(Board.from_moves(moves, rules)), Limit(nodes=5000))
    return {
        mistake.ply: (mistake.judgement, mistake.reason)
        for mistake in found.mistakes
        if mistake.judgement != "inaccuracy"
    }


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("rules", ["freestyle", "standard", "renju", "caro"])
class TestThreatsOfALostGame:
    """The loser has given everything away before; what it does near the end is judged all the same."""

    def test_white_ignores_an_open_three(self, rules):
        found = blamed("h8a1i9o15g7a15j10o1f6", rules)
        assert found[6] == ("blunder", "ignored_threat")
        # An open four cannot be stopped.
        assert 8 not in found

    def test_black_ignores_an_open_three(self, rules):
        found = blamed("a1h8o15i9a15g7o1j10c13f6", rules)
        assert found[7] == ("blunder", "ignored_threat")
        assert 9 not in found

    def test_a_four_is_ignored_although_it_could_be_stopped(self, rules):
        found = blamed("h8g8i8a1j8o15k8o1l8", rules)
        assert found[8] == ("blunder", "ignored_win_at_once")

    def test_black_ignores_a_four(self, rules):
        found = blamed("a1h8g8i8o15j8o1k8a15l8", rules)
        assert found[9] == ("blunder", "ignored_win_at_once")

    def test_the_winner_forgets_to_complete_the_row(self, rules):
        """Black has four in a row, open at both ends, and plays elsewhere; White stops one end only."""
        found = blamed("h8a1i9o15g7a15j10o1c13k11f6", rules)
        assert found[9][0] in {"mistake", "blunder"}
        assert found[9][1] == "missed_win_at_once"

    def test_the_winner_lets_the_win_slip(self, rules):
        """Black does not complete the row, and White stops it: nothing is left of the win."""
        found = blamed("h8g8i8a1j8o15k8o1a15l8", rules)
        assert found[9] == ("blunder", "missed_win_at_once")


@pytest.mark.usefixtures("compiled")
def test_a_double_three_in_freestyle_is_to_be_stopped_before():
    """White lets Black make two open threes at once; after that nothing helps, and nothing is blamed."""
    found = blamed("h9a1h10o15i8a15j8o1h8c13h7c14h11")
    assert 10 not in found
    assert 12 not in found


@pytest.mark.usefixtures("compiled")
def test_the_only_move_is_not_blamed_although_it_loses():
    """White stops a four, as it must; the three that is left wins for Black."""
    found = blamed("h9a1h10o15i8a15j8o1h8c13k8l8h11")
    assert 12 not in found


@pytest.mark.usefixtures("compiled")
def test_a_foul_that_loses_the_game_is_a_blunder():
    rules = Rules.named("renju", fouls="loses")
    found = blamed("h9a1h10o15i8a15j8o1h8", rules)
    assert found[9][0] == "blunder"


@pytest.mark.usefixtures("compiled")
def test_small_games_are_judged_exactly():
    assert blamed("a1b2c3a3b1c1", "tictactoe") == {
        4: ("blunder", "ignored_threat"),
        5: ("blunder", "missed_win"),
    }
    assert blamed("b2a1c1a3a2c2b1b3c3", "tictactoe") == {}
    assert blamed("b2a2a1b1c3", "tictactoe")[2][0] == "blunder"
    assert blamed("a1b1a2b2c3c1a4", Rules.mnk(4, 4, 3))[5] == ("blunder", "missed_win_at_once")


@pytest.mark.usefixtures("compiled")
def test_the_review_of_a_game():
    board = Board.from_moves("h8a1i9o15g7a15j10o1f6")
    record = Record.from_board(board)
    record.root.children[0].add(board.point("h9"))  # variations are left alone
    found = tengen.review(record, Limit(nodes=5000))
    assert [position.ply for position in found.positions] == list(range(10))
    assert len(found.graph) == 10
    assert found.graph[-1] == 1.0
    assert found.turning_point is not None
    assert all(rate >= 0.75 for rate in found.graph[found.turning_point :])
    assert found.accuracy[BLACK] > 90 > found.accuracy[WHITE]
    threat = next(mistake for mistake in found.mistakes if mistake.ply == 6)
    assert (threat.colour, board.name(threat.point), threat.loss < 0.1) == (WHITE, "a15", True)
    assert board.name(threat.better[0]) in {"f6", "j10", "e5", "k11"}


@pytest.mark.usefixtures("compiled")
def test_games_of_no_moves_unfinished_ones_and_set_up_positions():
    empty = tengen.review(Record())
    assert (empty.mistakes, empty.accuracy, empty.turning_point) == ((), {}, None)
    assert len(empty.positions) == 1
    setup = Board.from_stones(["h8", "i9", "g7"], ["a1", "o15"], WHITE)
    record = Record(setup=setup)
    record.add("a15j10")
    found = tengen.review(record, Limit(nodes=2000))
    assert [(mistake.ply, mistake.colour) for mistake in found.mistakes] == [(1, WHITE)]
    assert found.turning_point == 0


def test_an_interrupted_review_keeps_what_it_has():
    stop = threading.Event()
    stop.set()
    found = tengen.review(Record.from_board(Board.from_moves("a1b2", "tictactoe")), stop=stop)
    assert (found.positions, found.mistakes, found.graph) == ((), (), ())


def test_what_nobody_can_judge_is_refused():
    with pytest.raises(RulesError):
        tengen.review(Record(Rules.mnk(10, 10, 6)))
    with pytest.raises(RulesError):
        check_reviewable(Rules.named("freestyle", passing=True))
    check_reviewable(Rules.named("tictactoe"))
    check_reviewable(Rules.named("renju"))


def test_an_interrupted_review_says_so_and_states_nothing_about_the_whole_game():
    record = Record.from_board(Board.from_moves("a1b2c3a3b1c1", "tictactoe"))
    whole = tengen.review(record)
    assert (whole.complete, whole.total, len(whole.accuracy)) == (True, 7, 2)
    stop = threading.Event()

    def stop_at_four(position, _):
        if position.ply == 4:
            stop.set()

    found = tengen.review(record, stop=stop, progress=stop_at_four)
    assert (found.complete, found.total, len(found.positions)) == (False, 7, 3)
    assert (found.accuracy, [mistake.ply for mistake in found.mistakes]) == ({}, [5])
    assert found.turning_point == 5
    graph = found.draw()
    assert (graph.first, graph.missing) == (4, 4)
    assert graph.title == "Black's winning chances, of an interrupted review: 3 of 7 positions"
    # A game that was decided in all positions reviewed may have been decided before them.
    stop.clear()
    found = tengen.review(record, stop=stop, progress=lambda *_: stop.set())
    assert (found.turning_point, found.mistakes) == (None, ())
