"""Every player can be told how long to explain itself; one that knows of no limit is asked all the same."""

from __future__ import annotations

import threading

import pytest

from tengen import Board, Explanation, Limit, Rules, player
from tengen.executors.running_search import Search
from tengen.players.registry import ENTRIES

BOARD = Board.from_moves("h8 i9 g9 i7 g7 g8")
SMALL = Rules.mnk(3, 3, 3)
SLOW = (
    "minimax,depth=30,width=60",
    "mcts,playouts=1000000000",
    "threats,nodes=1000000000",
    "engine,nodes=1000000000",
)
"""Players that think much longer than anybody waits, if nobody stops them."""

HARD = Board.from_moves("h8 g7 i9 j10 g9 h10 i7 f10 i8 i10", rules="freestyle")


def board_of(spec: str) -> Board:
    return Board(SMALL) if spec.startswith("lookup") else BOARD.copy()


def is_explained(board: Board, why: Explanation) -> None:
    """It names points that can be played, and its tree and lines begin there."""
    assert why.weights
    assert all(board.is_legal(point) for point in why.weights)
    assert all(board.is_legal(line[0]) for line in why.lines)


def specs() -> list[str]:
    return [name for name in ENTRIES if name != "level"] + ["level:1", "level:2", "level:3", "level:4"]


@pytest.mark.parametrize("spec", specs())
def test_a_player_that_is_stopped_before_it_begins_explains_itself_all_the_same(spec):
    """None of them waits for what it would find otherwise, which may take minutes."""
    board, stop = board_of(spec), threading.Event()
    stop.set()
    why = player(spec).explain(board, None, stop)
    is_explained(board, why)
    assert board == board_of(spec)


@pytest.mark.parametrize("spec", specs())
def test_a_limit_is_taken(spec):
    board = board_of(spec)
    is_explained(board, player(spec).explain(board, Limit(seconds=0.2, nodes=500)))


@pytest.mark.parametrize("spec", SLOW)
def test_an_explanation_that_is_hurried(spec):
    search = Search.start(player(spec).explain, HARD)
    search.join(0.3)
    search.hurry()
    is_explained(HARD, search.result(120))


@pytest.mark.parametrize("spec", SLOW)
def test_an_explanation_within_a_time(spec):
    # Without the limit it would take longer than a test may.
    is_explained(HARD, player(spec).explain(HARD, Limit(seconds=0.3)))


@pytest.mark.parametrize(
    "spec", ["minimax,depth=4", "mcts,playouts=300", "threats", "level:3", "engine,nodes=3000"]
)
def test_it_says_why_choose_answers_as_it_does_within_the_same_limit(spec):
    limit = Limit(nodes=400)
    point = player(spec).choose(BOARD, limit).point
    weights = player(spec).explain(BOARD, limit).weights
    assert max(weights.values()) == weights[point]
