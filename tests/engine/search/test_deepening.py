"""Deepening in Python: threads on one table, the clock, and results as the engine reports them."""

from __future__ import annotations

import pytest

from tengen import Board, Rules
from tengen.engine.board.conversion import point_of
from tengen.engine.search.deepening import SearchTask, run
from tengen.engine.search.table import new_table
from tests.engine.games import networks_of, state_of
from tests.engine.search.test_forced_moves import CLOSED
from tests.positions import drawn

MIDGAME = Board.from_moves("h8i9g7f6h10i8")


def task_of(board: Board, **settings: object) -> SearchTask:
    """The search of a board."""
    state, tables = state_of(board)
    return SearchTask(state, tables, networks_of(board.rules), new_table(1), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 3])
def test_each_thread_has_its_share_of_the_nodes_and_they_end_with_the_search(threads):
    task = task_of(MIDGAME, threads=threads, most_nodes=3000)
    results = list(run(task))
    assert len(task.thread_states) == threads
    assert all(state[0]["nodes"] <= 3000 // threads for state in task.thread_states)
    assert all(state[0]["stop"] for state in task.thread_states)
    assert results[-1].nodes <= 3000
    assert [result.depth for result in results] == list(range(1, len(results) + 1))


def test_a_search_that_is_left_ends():
    task = task_of(MIDGAME, threads=2)
    results = run(task)
    assert next(results).depth == 1
    results.close()
    assert task.stopped


def test_no_iteration_begins_after_the_soft_limit():
    assert [result.depth for result in run(task_of(MIDGAME, soft_seconds=0.0))] == [1]


def test_where_the_position_is_known_results_are_corrected_by_it():
    """Under caro the search knows one answer to a five, and here it takes another."""
    board, at = drawn(CLOSED, rules="caro")
    state, _ = state_of(board)
    for result in run(task_of(board, position=state, most_nodes=300)):
        assert point_of(board, result.cell) == at["e"]


def test_where_the_position_is_known_there_is_a_result():
    corner = Board.from_moves("a1", Rules.named("freestyle", 22))
    state, _ = state_of(corner)
    stopped = task_of(corner, position=state, stopped=True)
    (result,) = run(stopped)
    assert (result.depth, result.score, result.complete) == (0, 0, False)
    assert corner.name(point_of(corner, result.cell)) == "k11"
    assert list(run(task_of(corner, stopped=True))) == []
