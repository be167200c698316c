"""Positions of a search that are kept to learn from."""

from __future__ import annotations

from collections import deque

import pytest

from tengen import Board, Rules
from tengen.engine.board.conversion import cell
from tengen.engine.board.position import make
from tengen.engine.board.records import SAMPLES
from tengen.engine.search.deepening import SearchTask, run
from tengen.engine.search.table import new_table
from tengen.engine.tables import prepared, prepared_networks

MOVES = "f8g8f10g11d8h11i6i11f11f9g10h10h9i8f12e12"


def searched(sampling, name="freestyle", size=15, nodes=5000):
    """A search that keeps one position in so many, and the cells it began with."""
    rules = Rules.named(name, size)
    empty, tables = prepared(rules)
    board, state = Board.from_moves(MOVES, rules), empty.copy()
    cells = tuple(cell(board, point) for point in board.moves)
    for one in cells:
        make(state, tables, one)
    networks = prepared_networks(rules)
    task = SearchTask(state, tables, networks, new_table(1), most_nodes=nodes, sampling=sampling)
    found = deque(run(task), maxlen=1)[0]
    return task, found, cells


def test_none_unless_asked_for():
    assert searched(0)[0].samples == []


# On 13x13 standard has no network.
@pytest.mark.parametrize(("name", "size"), [("freestyle", 15), ("renju", 15), ("standard", 13)])
def test_they_follow_from_the_position_by_other_moves(name, size):
    task, _, cells = searched(16, name, size)
    assert 10 < len(task.samples) == len(set(task.samples)) <= SAMPLES
    for sample in task.samples:
        assert sample[: len(cells)] == cells
        assert len(cells) < len(sample) == len(set(sample))
    assert len({len(sample) for sample in task.samples}) > 3


def test_fewer_where_one_in_more_is_kept():
    some, fewer = (set(searched(sampling)[0].samples) for sampling in (64, 512))
    assert fewer < some


def test_what_the_search_finds_is_the_same():
    (_, before, _), (_, after, _) = searched(0), searched(8)
    assert (before.cell, before.score, before.nodes, before.line) == (
        after.cell,
        after.score,
        after.nodes,
        after.line,
    )
