"""The errors of a weaker player: which rows it overlooks, how often, and what it thinks of patterns."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tengen import BLACK, WHITE, Board, Rules
from tengen.engine.board.conversion import cell, position_of
from tengen.engine.board.patterns import Pattern
from tengen.engine.board.point_classes import class_patterns
from tengen.engine.board.records import Record, new_record
from tengen.engine.evaluation.learned_file import record_of
from tengen.engine.evaluation.weights import LARGEST_WORTH, WEIGHTS_RECORD, load
from tengen.engine.handicap_kernel import HANDICAP, distort_worths, overlook_rows


def errors_of(seed: str, **numbers: float) -> Record:
    """A record with a seed and other numbers."""
    record = new_record(HANDICAP)
    for name, number in numbers.items():
        record[0][name] = number
    record[0]["random"]["text"][: len(seed)] = np.frombuffer(seed.encode(), np.uint8)
    record[0]["random"]["length"] = len(seed)
    return record


def overlooked(board: Board, seed: str = "1", **numbers: float) -> list[list[int]]:
    """The cells of the overlooked rows, line by line."""
    state, tables = position_of(board)
    errors = errors_of(seed, **numbers)
    overlook_rows(state, tables, errors)
    rows = zip(errors[0]["row_cells"], errors[0]["row_lengths"][: errors[0]["rows"]], strict=False)
    return [cells[:length].tolist() for cells, length in rows]


def cells_of(board: Board, *rows: str) -> list[list[int]]:
    return [[cell(board, board.point(name)) for name in row.split()] for row in rows]


def test_rows_are_within_a_possible_five_and_of_the_other_side_alone():
    """Not with a stone between or an edge too near, nor too far apart; of a long row its first five."""
    black = ["a1", "c1", "h8", "i8", "o3", "o4", "d14", "i14"]
    white = ["b1", "o5", "o1", "a8", "n14"]
    board = Board.from_stones(black, white, WHITE)
    assert overlooked(board, oversight=9.0) == cells_of(board, "h8 i8")
    long = Board.from_stones(["b3", "d3", "f3", "h3"], ["a15"], WHITE)
    assert overlooked(long, oversight=9.0) == cells_of(long, "b3 d3 f3")


def test_a_five_is_not_hidden():
    board = Board.from_stones(["h8", "i8", "j8", "k8", "c3", "d4"], ["a15", "n1"], WHITE)
    assert overlooked(board, oversight=9.0) == cells_of(board, "c3 d4")


@pytest.mark.parametrize(
    ("black", "recent", "factor"),
    [
        ("h8 i8", 0, 1.0),
        ("h8 h9", 0, 1.0),
        ("h8 i9", 0, 1.5),
        ("h8 i7", 0, 1.5),
        ("h8 i8 j8", 0, 0.5),
        ("h8 i9 j10", 0, 0.75),
        ("h8 i8", 2, 0.5),
        ("h8 i9", 2, 0.75),
    ],
)
def test_the_probability_of_an_oversight(black, recent, factor):
    """It is drawn by the seed: the row is overlooked if the first number is below the probability."""
    board = Board.from_stones(black.split(), ["a15"], WHITE)
    # The stones of a set-up are made Black's first, so the last two are Black's last one and White's.
    for seed in map(str, range(10)):
        drawn = random.Random(seed).random()
        for probability, seen in ((drawn + 1e-9, False), (drawn - 1e-9, True)):
            rows = overlooked(board, seed, oversight=probability / factor, recent=recent)
            assert rows == ([] if seen else cells_of(board, black))


def test_the_state_is_that_of_a_board_with_an_edge_there():
    board = Board.from_moves("h8a1i8", Rules.named("freestyle"))
    state, tables = position_of(board)
    before = state.copy()
    overlook_rows(state, tables, errors_of("1", oversight=9.0, recent=2))
    assert (state["lines"] != before["lines"]).sum() == 1
    assert (state["patterns"] != before["patterns"]).any()
    assert (state["cells"] == before["cells"]).all()
    assert board.turn != BLACK


@pytest.mark.parametrize("distortion", [0.2, 1.0])
def test_the_factor_of_a_class_is_that_of_its_strongest_pattern(distortion):
    weights = load("renju")
    record, numbers = record_of(weights, WEIGHTS_RECORD), random.Random("5 taste")
    distort_worths(record, errors_of("5 taste", distortion=distortion))
    low, high = 1 - distortion, 1 + distortion
    factors = np.array([[numbers.uniform(low, high) for _ in Pattern] for _ in range(2)])
    expected = np.rint(weights.worths * factors[:, None, class_patterns()[:, -1]])
    assert (record[0]["worths"] == expected.clip(-LARGEST_WORTH, LARGEST_WORTH)).all()
    assert (record[0]["orders"] == weights.orders).all()


def test_large_worths_are_cut_off():
    record = new_record(WEIGHTS_RECORD)
    record[0]["worths"][:] = LARGEST_WORTH
    distort_worths(record, errors_of("1", distortion=1.0))
    assert record[0]["worths"].max() == LARGEST_WORTH
    assert record[0]["worths"].min() >= 0
