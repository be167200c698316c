"""Iterative deepening, result by result, as a caller without Python has it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import BLACK, WHITE, Board, Engine, Limit, Rules
from tengen.engine.board.conversion import cell, point_of
from tengen.engine.board.position import make
from tengen.engine.board.records import NETWORKS, SCRATCH, STATE, TABLES, Record, new_record
from tengen.engine.board.scores import MATE, WIN
from tengen.engine.evaluation.line_network_kernel import LINE_SCRATCH
from tengen.engine.evaluation.parameter_file import PARAMETERS, set_up
from tengen.engine.search.deepening_kernel import (
    DEEPENING,
    correct_result,
    fall_back,
    fill_table,
    next_result,
)
from tengen.engine.search.table import new_table
from tengen.engine.tables import parameter_file
from tengen.engine.threats.pn_search import PnSearch
from tengen.engine.threats.pn_table import new_pn_table
from tengen.engine.threats.vcf_kernel import UNLIMITED, find_vcf
from tests.engine.games import NAMES, after, boards, networks_of, state_of, winner_of
from tests.engine.search.test_forced_moves import CLOSED
from tests.positions import drawn

MIDGAME = "h8i9g7f6h10i8"
ALL = 1 << 62
SAME = ("ply", "turn", "hash", "lines", "cells", "patterns", "kinds", "counts", "rows", "worth")


@dataclass
class Deepening:
    """A search by calls of kernels, and the records that they work on."""

    board: Board
    state: Record
    tables: Record
    networks: Record
    scratch: Record
    table: Any
    pn_table: Any
    record: Record

    @classmethod
    def of(cls, board: Board, nodes: int = ALL, **limits: float) -> Deepening:
        state, tables = state_of(board)
        state[0]["most_nodes"] = nodes
        record = new_record(DEEPENING)
        usual = {"lines": 1, "most_depth": ALL, "threat_nodes": 1000, "soft_seconds": math.inf}
        for name, value in {**usual, **limits}.items():
            record[0][name] = value
        record[0]["line_state"][0] = state[0]
        networks, scratch = networks_of(board.rules), new_record(SCRATCH)
        return cls(board, state, tables, networks, scratch, new_table(4), new_pn_table(1), record)

    def next(self) -> tuple[int, ...] | None:
        """Number, depth, cell, score and completeness of the next result."""
        if not next_result(
            self.state, self.tables, self.networks, self.scratch, self.table, self.pn_table, self.record
        ):
            return None
        return tuple(int(self.record[0][name]) for name in ("number", "depth", "cell", "score", "complete"))

    def rest(self) -> list[tuple[int, ...]]:
        """All further results."""
        return list(iter(self.next, None))

    @property
    def line(self) -> list[int]:
        """The points of the line of the last result."""
        return [point_of(self.board, one) for one in self.record[0]["line"][: self.record[0]["length"]]]


@settings(max_examples=30)
@given(boards(), st.integers(0, 2000), st.integers(1, 4))
def test_between_results_the_position_is_as_before_and_lines_are_legal(board, nodes, lines):
    search = Deepening.of(board, nodes, lines=min(lines, len(board.legal_points())))
    before = search.state.copy()
    while (result := search.next()) is not None:
        for state in (search.state, search.record["line_state"][0]):
            assert all((before[name] == state[name]).all() for name in SAME)
        assert search.state[0]["nodes"] <= nodes
        assert point_of(board, result[2]) == search.line[0]
        later = after(board, search.line)
        if abs(result[3]) > MATE:
            assert winner_of(later) == (board.turn if result[3] > 0 else 3 - board.turn)
    assert search.next() is None


def test_each_iteration_has_a_result_for_every_line():
    """Their moves differ, and the search goes on where the call before has ended."""
    search = Deepening.of(Board.from_moves(MIDGAME), lines=3, most_depth=4)
    results = search.rest()
    assert [(number, depth) for number, depth, *_ in results] == [
        (number, depth) for depth in range(1, 5) for number in range(3)
    ]
    assert all(complete for *_, complete in results)
    for first in range(0, len(results), 3):
        assert len({cell for _, _, cell, _, _ in results[first : first + 3]}) == 3


def test_lines_end_when_no_move_is_left():
    """White has two points to play on, and one of five lines after another would need more."""
    board, at = drawn(
        """
        X O X O X
        X O X O X
        O X O X O
        X O p X O
        O X q X O
        """,
        turn=WHITE,
        rules="freestyle",
    )
    search = Deepening.of(board, lines=5, most_depth=2)
    results = search.rest()
    assert [(number, depth) for number, depth, *_ in results] == [(0, 1), (1, 1), (0, 2), (1, 2)]
    assert {point_of(board, result[2]) for result in results[:2]} == {at["p"], at["q"]}


def test_a_stop_breaks_the_iteration_off():
    board = Board.from_moves(MIDGAME)
    search = Deepening.of(board)
    results = [search.next() for _ in range(3)]
    search.state[0]["stop"] = 1
    assert results[-1] is not None
    assert search.rest() == [(0, 4, *results[-1][2:4], 0)]  # the best move so far is that of before
    search.state[0]["stop"] = 0
    assert search.next() is None
    stopped = Deepening.of(board)
    stopped.state[0]["stop"] = 1
    assert stopped.next() is None
    assert stopped.record[0]["length"] == 0


def test_an_iteration_that_runs_out_of_nodes_keeps_the_score_of_the_one_before():
    cases = 0
    for nodes in range(300, 3000, 100):
        search = Deepening.of(Board.from_moves(MIDGAME), nodes)
        results = search.rest()
        *before, last = results
        assert [depth for _, depth, *_ in results] == list(range(1, len(results) + 1))
        assert all(complete for *_, complete in before)
        if not last[-1]:
            assert last[3] == before[-1][3]
            cases += 1
    assert cases > 5


def test_no_iteration_begins_after_the_soft_limit():
    """The caller says how late it is; an iteration that has begun gets all of its lines."""
    search = Deepening.of(Board.from_moves(MIDGAME), lines=2, soft_seconds=2.5)
    for depth in range(1, 4):
        for number in range(2):
            result = search.next()
            assert result is not None
            assert result[:2] == (number, depth)
            search.record[0]["seconds"] = depth + number / 2 - 0.5
    search.record[0]["seconds"] = 2.5
    assert search.next() is None


def test_the_first_iteration_is_never_too_late():
    search = Deepening.of(Board.from_moves(MIDGAME), soft_seconds=0.0, seconds=1.0)
    assert [depth for _, depth, *_ in search.rest()] == [1]


@pytest.mark.parametrize("name", NAMES)
def test_a_win_by_threats_is_the_only_result(name):
    board = Board.from_moves("h8a1i8a3j8a5", name)
    search = Deepening.of(board)
    (result,) = search.rest()
    assert result[3] == WIN - 3
    assert winner_of(after(board, search.line)) == BLACK
    several = Deepening.of(board, lines=2, most_depth=3)
    assert [number for number, *_ in several.rest()] == [0, 1] * 3


def test_a_win_by_threats_counts_the_nodes_of_its_search_and_not_those_of_its_line():
    board = Board.from_moves("h8h9i8g8j6j9i9o15", "renju")
    search = Deepening.of(board, threat_nodes=100_000)
    (result,) = search.rest()
    assert MATE < result[3] < WIN
    assert len(search.line) <= WIN - result[3] == result[1]
    assert winner_of(after(board, search.line)) == board.turn
    state, tables = state_of(board)
    state[0]["most_nodes"] = ALL
    assert not find_vcf(state, tables, new_record(SCRATCH), state[0]["ply"], UNLIMITED)
    assert PnSearch(state, tables, new_pn_table(1)).search()
    assert search.state[0]["nodes"] == state[0]["nodes"]
    few = Deepening.of(board, threat_nodes=5, most_depth=1)
    assert few.rest()[-1][3] < MATE


def test_a_settled_loss_ends_the_search():
    board = Board.from_moves("h8a1i8a3j8a5k8")
    search = Deepening.of(board)
    results = search.rest()
    assert results[-1][3] == 2 - WIN
    assert len(results) <= 3
    assert winner_of(after(board, search.line)) == BLACK


def test_a_helper_fills_the_table_until_it_is_stopped_or_out_of_nodes():
    search = Deepening.of(Board.from_moves(MIDGAME), 3000)
    before = search.state.copy()
    fill_table(search.state, search.tables, search.networks, search.scratch, search.table, 2)
    assert search.state[0]["nodes"] == 3000
    assert search.state[0]["ended"]
    assert (search.table[:, 1] != 0).sum() > 100
    assert all((before[name] == search.state[name]).all() for name in SAME)
    stopped = Deepening.of(search.board)
    stopped.state[0]["stop"] = 1
    fill_table(stopped.state, stopped.tables, stopped.networks, stopped.scratch, stopped.table, 1)
    assert not stopped.table.any()


@pytest.mark.parametrize("name", NAMES)
def test_kernels_alone_search_as_the_engine_does(name):
    """From a file of parameters and moves; the only Python is that which calls them."""
    rules = Rules.named(name, 15)
    board = Board.from_moves(MIDGAME, rules)
    parameters = np.frombuffer(bytearray(parameter_file(rules)), PARAMETERS)
    kinds = (STATE, TABLES, NETWORKS, SCRATCH, LINE_SCRATCH, DEEPENING)
    state, tables, networks, scratch, line_scratch, record = map(new_record, kinds)
    assert set_up(parameters, 15, state, tables, networks, line_scratch)
    for point in board.moves:
        make(state, tables, cell(board, point))
    state[0]["most_nodes"] = 2000
    for field, value in {"lines": 1, "most_depth": 9, "threat_nodes": 1000, "soft_seconds": 1e9}.items():
        record[0][field] = value
    record["line_state"][0] = state[0]
    search = Deepening(board, state, tables, networks, scratch, new_table(1), new_pn_table(1), record)
    found = []
    while search.next() is not None:
        correct_result(state, tables, record)
        found.append((point_of(board, record[0]["cell"]), int(state[0]["nodes"]), tuple(search.line)))
    infos = Engine(memory_mb=1).infos(board, Limit(nodes=2000, depth=9))
    assert found == [(info.point, info.nodes, info.line) for info in infos]


# -- results of the position as it is


def corrected(board: Board, line: list[int], number: int = 0) -> tuple[list[int], int]:
    """A line of some points and a score of 100, corrected by the position."""
    search = Deepening.of(board)
    record = search.record[0]
    cells = [cell(board, point) for point in line]
    record["number"], record["cell"], record["score"] = number, cells[0], 100
    record["line"][: len(cells)], record["length"] = cells, len(cells)
    before = search.state.copy()
    correct_result(search.state, search.tables, search.record)
    assert all((before[name] == search.state[name]).all() for name in SAME)
    assert record["cell"] == cell(board, search.line[0])
    return search.line, int(record["score"])


def test_a_first_move_that_does_not_stop_the_five_is_replaced():
    board, at = drawn(CLOSED, rules="caro")
    wrong, right = [at["d"], at["e"]], [at["e"], at["d"]]
    assert corrected(board, wrong) == ([at["e"]], 0)
    assert corrected(board, right) == (right, 100)
    assert corrected(board, wrong, number=1) == (wrong, 100)


def test_a_line_ends_with_the_five_and_before_a_stone():
    board = Board.from_moves("h8a1i8a3j8a5")
    line = [board.point(name) for name in ("k8", "b1", "l8", "c1", "d1")]
    assert corrected(board, line) == (line[:3], 100)
    onto_a_stone = [*line[:2], board.point("a3"), *line[2:]]
    assert corrected(board, onto_a_stone) == (line[:2], 100)


@pytest.mark.parametrize(("fouls", "kept"), [("forbidden", 2), ("loses", 3)])
def test_a_line_ends_before_a_foul_or_with_it_where_it_is_a_legal_move(fouls, kept):
    board = Board.from_moves("d8a1e8a3f8a5h8c1i8c3", Rules.named("renju", fouls=fouls))
    line = [board.point(name) for name in ("o14", "o15", "g8", "a15")]
    assert after(board, line[:2]).foul(line[2]) is not None
    assert corrected(board, line) == (line[:kept], 100)


def without_a_search(board: Board) -> str:
    """The point of the result of a search without any."""
    search = Deepening.of(board)
    search.record[0]["number"] = search.record[0]["score"] = 7
    fall_back(search.state, search.tables, search.record)
    record = search.record[0]
    assert [record[name] for name in ("number", "score", "depth", "complete")] == [0, 0, 0, 0]
    assert [int(record["cell"])] == record["line"][: record["length"]].tolist()
    return board.name(point_of(board, record["cell"]))


def test_without_a_search_a_five_is_made_or_stopped_or_the_centre_taken():
    assert without_a_search(Board.from_moves("h8a1i8a2j8a3k8a4")) == "g8"
    assert without_a_search(Board.from_moves("h8g8i8a2j8a3k8")) == "l8"
    assert without_a_search(Board.from_moves("a1")) == "h8"
    assert without_a_search(Board.from_moves("h8")) == "g7"
    assert without_a_search(Board()) == "h8"
    assert without_a_search(Board(Rules.named("freestyle", 20))) == "j10"
