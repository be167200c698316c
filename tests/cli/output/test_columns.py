"""Text in columns on a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tengen.cli.output.columns import cut, row, table


def test_a_chinese_character_takes_two_columns():
    assert cut("天元 a", 6) == "天元 a"
    assert cut("天元 a", 3) == "天 "
    assert cut("天元 a", 2) == "天"
    assert row(["－", "e\u0301"], [3, 3]) == " －    e\u0301"


@given(st.text(), st.integers(0, 30))
def test_what_is_cut_fits(text, columns):
    short = cut(text, columns)
    assert short == text or cell_len(short) == columns
    assert text.startswith(short.removesuffix(" "))


def test_numbers_stand_to_the_right():
    assert row(["a", "12"], [2, 4]) == " a    12"
    assert row(["a", "12"], [2, 4], left=(0,)) == "a     12"
    assert row(["longer", ""], [2, 0]) == "longer"


def test_columns_are_as_wide_as_their_widest_cell():
    assert table([["棋手", "Elo"], ["a", "5"], ["random", "1200"]], left=(0,)).splitlines() == [
        "棋手     Elo",
        "a          5",
        "random  1200",
    ]
