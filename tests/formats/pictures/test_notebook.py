"""Boards and records draw themselves in notebooks."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import tengen
from tengen import Board, Record, draw
from tengen.game.record import Mark


def shown(thing: Any) -> str | None:
    """What a notebook shows of an object."""
    svg: str | None = thing._repr_svg_()
    return svg


def test_a_board_is_drawn_as_draw_draws_it():
    board = Board.from_moves("h8i9", rules="renju")
    assert shown(board) == draw(board).svg


def test_a_record_is_drawn_at_its_end_with_numbers_and_marks():
    record = Record.from_board(Board.from_moves("h8i9g7"))
    record.main_line()[-1].marks = (Mark(0, "triangle"),)
    assert shown(record) == draw(record.board(), marks={"a1": "triangle"}, numbers=True).svg
    assert shown(Record("tictactoe")) == draw(Board("tictactoe"), numbers=True).svg


def test_a_record_with_an_illegal_move_is_text():
    record = Record()
    record.root.add(0).add(0)
    assert shown(record) is None


def test_it_is_there_with_the_package_and_costs_nothing():
    script = "import sys, tengen; print(tengen.Board()._repr_svg_()[:4])"
    heavy = "print([name for name in sys.modules if 'svg' in name])"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, tengen; {heavy}; {script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n<svg\n"


def test_ipython_shows_it():
    display = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    data, _ = display.format(tengen.Board.from_moves("h8"))
    assert data["image/svg+xml"].startswith("<svg")
