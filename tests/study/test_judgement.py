"""What is called an inaccuracy, a mistake, a blunder: by win rate, by wins and losses, by threats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.study.judgement import (
    BLUNDER,
    INACCURACY,
    MISTAKE,
    MoveVerdict,
    Outlook,
    accuracy,
    effective_loss,
    judge,
)


def rate(win_rate: float) -> Outlook:
    return Outlook(win_rate, None)


def win(plies: int) -> Outlook:
    return Outlook(1.0, plies)


def loss(plies: int) -> Outlook:
    return Outlook(0.0, -plies)


@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        (0.0, None),
        (INACCURACY - 0.01, None),
        (INACCURACY, "inaccuracy"),
        (MISTAKE - 0.01, "inaccuracy"),
        (MISTAKE, "mistake"),
        (BLUNDER - 0.01, "mistake"),
        (BLUNDER, "blunder"),
        (0.5, "blunder"),
    ],
)
def test_the_win_rate_that_is_lost(lost, expected):
    verdict = judge(rate(0.5), rate(0.5 - lost))
    assert verdict == (None if expected is None else (expected, "win_rate"))


@pytest.mark.parametrize(
    ("had", "left", "expected"),
    [
        # The row that could be completed: the game won all the same, won in all but name, open, lost.
        (win(1), win(2), ("mistake", "missed_win_at_once")),
        (win(1), rate(0.99), ("blunder", "missed_win_at_once")),
        (win(1), rate(0.5), ("blunder", "missed_win_at_once")),
        (win(1), loss(1), ("blunder", "missed_win_at_once")),
        # A short win.
        (win(3), rate(0.99), ("mistake", "missed_win")),
        (win(7), rate(0.80), ("mistake", "missed_win")),
        (win(7), rate(0.70), ("blunder", "missed_win")),
        (win(3), win(2), None),
        (win(3), win(4), None),
        (win(3), win(6), ("inaccuracy", "slower_win")),
        (win(5), win(12), ("mistake", "slower_win")),
        # A long one: who sees it must not be blamed for another that is about as long.
        (win(9), rate(0.97), None),
        (win(9), rate(0.92), ("inaccuracy", "missed_win")),
        (win(25), rate(0.5), ("blunder", "missed_win")),
        (win(15), win(20), None),
        (win(11), win(30), ("inaccuracy", "slower_win")),
    ],
)
def test_a_win_that_is_missed_or_comes_later(had, left, expected):
    assert judge(had, left) == expected


@pytest.mark.parametrize(
    ("had", "left", "expected"),
    [
        (loss(4), loss(1), None),
        (loss(6), loss(5), None),
        (loss(20), loss(19), None),
        (loss(20), loss(13), None),
        (loss(14), loss(5), ("inaccuracy", "faster_loss")),
        (loss(20), loss(3), ("mistake", "faster_loss")),
        (rate(0.02), loss(7), ("inaccuracy", "faster_loss")),
        (rate(0.02), loss(21), None),
        (rate(0.3), loss(21), ("blunder", "win_rate")),
        # A foul, or whatever else ends the game at once.
        (loss(20), loss(0), ("mistake", "faster_loss")),
        (rate(0.5), loss(0), ("blunder", "win_rate")),
        # A draw is no loss, nor is a draw kept.
        (rate(0.5), rate(0.5), None),
        (win(5), rate(0.5), ("blunder", "missed_win")),
    ],
)
def test_a_loss_that_comes_sooner(had, left, expected):
    assert judge(had, left) == expected


@pytest.mark.parametrize(
    ("had", "threat", "expected"),
    [
        (rate(0.5), 1, ("blunder", "ignored_win_at_once")),
        (rate(0.5), 3, ("blunder", "ignored_threat")),
        # Near its end the win rate tells nothing.
        (rate(0.001), 1, ("blunder", "ignored_win_at_once")),
        (rate(0.001), 3, ("blunder", "ignored_threat")),
        (loss(22), 3, ("blunder", "ignored_threat")),
        (loss(12), 3, ("blunder", "ignored_threat")),
        (loss(10), 3, ("mistake", "ignored_threat")),
        (loss(6), 1, ("mistake", "ignored_win_at_once")),
        # As soon as the best defence would have lost.
        (loss(4), 3, None),
        (loss(2), 1, None),
    ],
)
def test_a_threat_left_unanswered(had, threat, expected):
    assert judge(had, loss(threat), threat) == expected


def test_who_misses_a_win_and_lets_the_other_win_is_told_of_the_win():
    assert judge(win(1), loss(1), 1) == ("blunder", "missed_win_at_once")
    assert judge(win(5), loss(3), 3) == ("blunder", "missed_win")


OUTLOOKS = (
    st.builds(rate, st.floats(0, 1))
    | st.builds(win, st.integers(1, 40))
    | st.builds(loss, st.integers(0, 40))
)


@given(OUTLOOKS)
def test_what_keeps_everything_is_never_blamed(had):
    left = had if had.mate is None else Outlook(had.win_rate, had.mate - 1 if had.win else had.mate + 1)
    if had.loss != 0:
        assert judge(had, left) is None


@given(OUTLOOKS, OUTLOOKS, st.sampled_from((None, 1, 3)))
def test_a_move_that_loses_more_is_judged_no_better(had, left, threat):
    order = [None, "inaccuracy", "mistake", "blunder"]

    def gravity(verdict: MoveVerdict | None) -> int:
        return order.index(None if verdict is None else verdict.judgement)

    if left.win_rate <= had.win_rate:
        worse = judge(had, Outlook(0.0, -1), threat)
        assert gravity(worse) >= gravity(judge(had, left, threat)) or (had.loss or 99) < 16


def test_accuracy_falls_from_a_hundred_with_what_is_lost():
    assert accuracy([]) is None
    assert accuracy([0.0, 0.0]) == 100.0
    assert accuracy([0.10]) == pytest.approx(63.6, abs=0.1)
    assert accuracy([0.25]) == pytest.approx(31.6, abs=0.1)
    assert accuracy([1.0]) == 0.0
    assert accuracy([0.0, 1.0]) == 50.0


def test_what_the_win_rate_does_not_show_counts_for_accuracy():
    assert effective_loss(0.0, "blunder") == BLUNDER
    assert effective_loss(0.6, "blunder") == 0.6
    assert effective_loss(0.02, None) == 0.02
