from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tengen.plaintext.wrapping import columns, columns_of, wrapped


@given(st.text("ab 天元，。（）“”…–·×±Việt Nam e\u0323\u0302", max_size=40))
def test_columns_are_those_of_terminals(text):
    assert columns(text) == cell_len(text)


def test_what_fits_stays():
    assert wrapped("  a  short line", 20) == ["  a  short line"]
    assert wrapped("", 20) == [""]


def test_words_stay_whole():
    assert wrapped("one two three four", 9) == ["one two", "three", "four"]


def test_what_follows_begins_where_the_text_does():
    assert wrapped("  u  take the last stone back", 18) == ["  u  take the last", "     stone back"]
    assert wrapped("    tree of moves and more", 14) == ["    tree of", "    moves and", "    more"]


def test_a_chinese_character_takes_two_columns_and_punctuation_stays_behind_it():
    assert wrapped("黑方在此落子，白方应。", 14) == ["黑方在此落子，", "白方应。"]
    assert wrapped("黑方在此落子，白方应。", 12) == ["黑方在此落", "子，白方应。"]


def test_a_word_longer_than_a_line_is_broken():
    assert wrapped("h8i9" * 5, 8) == ["h8i9h8i9", "h8i9h8i9", "h8i9"]


@given(st.text("ab 天元，。  ", max_size=80), st.integers(12, 60))
def test_nothing_is_lost_and_every_line_fits(text, width):
    lines = wrapped(text, width)
    assert all(cell_len(line) <= max(width, 2) or not line.strip() for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_only_a_terminal_has_columns():
    assert columns_of(io.StringIO()) is None
