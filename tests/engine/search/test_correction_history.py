"""What the static score was off by is learned, for each combination of threats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from tengen import Board, Rules
from tengen.engine.board.records import SCRATCH, SITUATIONS
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.board.techniques import Technique
from tengen.engine.search.alpha_beta import search
from tengen.engine.search.correction_history import is_informative, mean_error, update_error
from tengen.engine.search.table import new_table
from tests.engine.games import networks_of, state_of

BOUNDS = st.integers(-MATE + 1, MATE - 1)


@njit
def _usual(scratch_ref, side, threats):
    return mean_error(scratch_ref[0], side, threats)


@njit
def _learn(scratch_ref, side, threats, error, depth):
    update_error(scratch_ref[0], side, threats, error, depth)


@njit
def _tells(static, score, alpha, beta):
    return is_informative(static, score, alpha, beta)


def learned(error, depth, times):
    """What is usual after the same error so many times, and the record."""
    scratch = np.zeros(1, SCRATCH)
    for _ in range(times):
        _learn(scratch, 1, 5, error, depth)
    return int(_usual(scratch, 1, 5)), scratch


@pytest.mark.parametrize("error", [-300, -40, 40, 300])
def test_the_same_error_again_and_again_becomes_the_usual_one(error):
    found, scratch = learned(error, 12, 400)
    assert abs(found - error) <= 2
    others = np.ones((2, SITUATIONS), bool)
    others[1, 5] = False
    assert not scratch[0]["errors"][others].any()


def test_deep_searches_count_for_more():
    usual = [learned(200, depth, 10)[0] for depth in (-2, -1, 0, 3, 7, 15)]
    assert usual[0] == usual[1] == 0
    assert usual[1:] == sorted(set(usual[1:]))
    assert learned(200, 15, 10)[0] == learned(200, 90, 10)[0]


def test_a_single_error_however_large_changes_little():
    assert learned(20_000, 20, 1)[0] == learned(400, 20, 1)[0] <= 400 // 16


@given(BOUNDS, BOUNDS, BOUNDS, st.integers(1, 100))
def test_a_bound_tells_an_error_only_where_it_rules_the_static_score_out(static, score, alpha, width):
    beta = alpha + width
    if alpha < score < beta:
        assert _tells(static, score, alpha, beta)
    elif score >= beta:  # the true score is at least so high
        assert _tells(static, score, alpha, beta) == (static < score)
    else:
        assert _tells(static, score, alpha, beta) == (static > score)


@pytest.mark.parametrize("score", [WIN - 5, 5 - WIN])
def test_a_win_says_nothing_of_the_static_score(score):
    assert not _tells(0, score, -WIN, WIN)


@pytest.mark.parametrize("left_out", [False, True])
def test_a_search_learns_its_errors_unless_that_is_left_out(left_out):
    rules = Rules.named("freestyle", 15)
    state, tables = state_of(Board.from_moves("h8i9g7f6h10i8", rules))
    tables = tables.copy()
    tables[0]["without"] = int(Technique.ERRORS) if left_out else 0
    scratch = np.zeros(1, SCRATCH)
    scratch[0]["root"] = state[0]["ply"]
    state[0]["most_nodes"] = 1 << 40
    search(state, tables, networks_of(rules), scratch, new_table(1), 6, -WIN, WIN, 0)
    assert scratch[0]["errors"].any() != left_out
