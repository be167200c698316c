"""Text in columns on a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tengen.cli.output.columns import cut, row, table, width


def test_a_chinese_character_takes_two_columns():
    assert (width("天元 a"), width("－"), width("é")) == (6, 2, 1)
    assert cut("天元 a", 3) == "天"
    assert cut("天元 a", 6) == "天元 a"


@given(st.text(), st.integers(0, 30))
def test_what_is_cut_fits(text, columns):
    short = cut(text, columns)
    assert text.startswith(short)
    assert width(short) <= columns or not short
    assert short == text or width(text[: len(short) + 1]) > columns


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
