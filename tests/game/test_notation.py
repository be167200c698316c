from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import PASS, NotationError, OffBoard
from tengen.game.notation import (
    column_name,
    column_number,
    format_moves,
    from_gomocup,
    from_row_column,
    off_board,
    parse_moves,
    parse_point,
    point_name,
    shorten,
    to_gomocup,
)
from tengen.words import Message
from tests.errors import complaint

SIDES = st.integers(1, 50)

TEXT = st.text() | st.text(alphabet="ahzAH019- ,;\t\n１ａ－ｈ０")
"""Any text, and text that looks like points."""


@pytest.mark.parametrize(
    ("x", "name"),
    [(0, "a"), (8, "i"), (14, "o"), (25, "z"), (26, "aa"), (27, "ab"), (51, "az"), (52, "ba")],
)
def test_columns_are_letters_with_i_among_them(x, name):
    assert column_name(x) == name
    assert column_number(name) == x
    assert column_number(name.upper()) == x


@given(st.integers(0, 10**6))
def test_column_names_round_trip(x):
    assert column_number(column_name(x)) == x


@pytest.mark.parametrize(
    ("point", "name"), [(0, "a1"), (14, "o1"), (15, "a2"), (112, "h8"), (224, "o15"), (PASS, "--")]
)
def test_points_of_15x15(point, name):
    assert point_name(point, 15) == name
    assert parse_point(name, 15, 15) == point


@given(SIDES, SIDES, st.data())
def test_point_names_round_trip(width, height, data):
    point = data.draw(st.integers(PASS, width * height - 1))
    name = point_name(point, width)
    assert parse_point(name, width, height) == point
    assert parse_point(f" {name.upper()}\n", width, height) == point


@pytest.mark.parametrize("text", ["H8", " h8 ", "h08", "ｈ８", "Ｈ８", "h８", "\th8\n"])
def test_one_point_written_in_many_ways(text):
    assert parse_point(text, 15, 15) == 112


@pytest.mark.parametrize(
    "text", ["", " ", "h", "8", "8h", "h-8", "h8i9", "-", "---", "pass", "h8.", "天元", "é1"]
)
def test_text_that_is_no_point(text):
    with pytest.raises(NotationError) as caught:
        parse_point(text, 15, 15)
    assert caught.value.message == Message("error.notation.point", {"text": text})


@pytest.mark.parametrize(
    "text", ["p1", "a16", "a0", "zz1", "aaa1", "a99999999999999999999", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa1"]
)
def test_a_point_outside_the_board_is_off_the_board(text):
    with pytest.raises(OffBoard) as caught:
        parse_point(text, 15, 15)
    values = caught.value.message.values
    assert (values["width"], values["height"], values["last"]) == (15, 15, "o15")
    assert values["point"] == shorten(text)


def test_the_numbers_of_a_long_name_are_never_computed():
    # Python refuses to read more than 4300 digits, with a ValueError of its own.
    with pytest.raises(OffBoard):
        parse_point("a" + "1" * 5000, 15, 15)


def test_a_column_of_two_letters():
    assert parse_point("aa1", 30, 3) == 26
    assert parse_point("ad3", 30, 3) == 89
    with pytest.raises(OffBoard):
        parse_point("ae1", 30, 3)


@pytest.mark.parametrize(
    "text", ["h8i9g7", "h8 i9 g7", "H8,I9;G7", " h8\ni9\tg7 ", "h8, i9, g7,", "ｈ８ｉ９ｇ７", "h8，i9；g7"]
)
def test_moves_run_together_or_apart(text):
    assert parse_moves(text, 15, 15) == [112, 128, 96]


@pytest.mark.parametrize("text", ["", " ", "\n", ",;"])
def test_text_without_moves(text):
    assert parse_moves(text, 15, 15) == []


def test_passes_among_the_moves():
    assert parse_moves("h8--i9 -- --", 15, 15) == [112, PASS, 128, PASS, PASS]
    assert format_moves([112, PASS, 128], 15) == "h8--i9"


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("x", 1, "x"),
        ("h8?", 3, "?"),
        ("h8 i9 10", 7, "10"),
        ("h8i", 3, "i"),
        ("h8-i9", 3, "-i9"),
        ("h8\n\ni9 h", 8, "h"),
        ("h8 天元", 4, "天元"),
        ("h8 " + "!" * 30, 4, "!" * 20 + "..."),
        ("h8 \x00\x1b[2J", 4, "??[2J"),
    ],
)
def test_errors_say_where_in_the_text(text, place, found):
    with pytest.raises(NotationError) as caught:
        parse_moves(text, 15, 15)
    assert caught.value.message == Message("error.notation.moves", {"place": place, "found": found})


def test_moves_off_the_board():
    with pytest.raises(OffBoard):
        parse_moves("h8p1", 15, 15)


@given(SIDES, SIDES, st.sampled_from(["", " ", ",", ", ", "\n"]), st.data())
def test_moves_round_trip(width, height, separator, data):
    points = data.draw(st.lists(st.integers(PASS, width * height - 1), max_size=20))
    assert parse_moves(format_moves(points, width, separator), width, height) == points


@given(TEXT, SIDES, SIDES)
def test_no_text_raises_anything_else(text, width, height):
    for parse in (parse_point, parse_moves):
        assert "\n" not in complaint(parse, text, width, height)


@given(TEXT, SIDES, SIDES)
def test_whatever_is_read_is_on_the_board(text, width, height):
    if not complaint(parse_moves, text, width, height):
        assert all(PASS <= point < width * height for point in parse_moves(text, width, height))
    if not complaint(parse_point, text, width, height):
        assert [parse_point(text, width, height)] == parse_moves(text, width, height)


def test_gomocup_counts_from_the_top_left():
    assert to_gomocup(0, 15, 15) == (0, 14)
    assert to_gomocup(112, 15, 15) == (7, 7)
    assert from_gomocup(0, 0, 20, 15) == 14 * 20
    assert from_gomocup(19, 14, 20, 15) == 19


@given(SIDES, SIDES, st.data())
def test_gomocup_round_trips(width, height, data):
    point = data.draw(st.integers(0, width * height - 1))
    x, y = to_gomocup(point, width, height)
    assert 0 <= x < width
    assert 0 <= y < height
    assert from_gomocup(x, y, width, height) == point


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (20, 0), (0, 15), (15, 20)])
def test_gomocup_points_off_the_board(x, y):
    with pytest.raises(OffBoard) as caught:
        from_gomocup(x, y, 20, 15)
    assert caught.value.message.values["point"] == f"{x},{y}"


def test_rows_and_columns_count_from_one_at_the_top_left():
    # As O4's console had it: "1 1" is the top left cell, "3 3" the bottom right one.
    assert point_name(from_row_column(1, 1, 3, 3), 3) == "a3"
    assert point_name(from_row_column(3, 3, 3, 3), 3) == "c1"
    assert point_name(from_row_column(1, 20, 20, 15), 20) == "t15"


@given(SIDES, SIDES, st.data())
def test_rows_and_columns_round_trip(width, height, data):
    row, column = data.draw(st.integers(1, height)), data.draw(st.integers(1, width))
    assert to_gomocup(from_row_column(row, column, width, height), width, height) == (column - 1, row - 1)


@pytest.mark.parametrize(("row", "column"), [(0, 1), (1, 0), (4, 1), (1, 4), (-1, 1), (0, 0)])
def test_row_zero_does_not_wrap_round(row, column):
    # In O4 row 0 was the last row.
    with pytest.raises(OffBoard) as caught:
        from_row_column(row, column, 3, 3)
    assert str(caught.value) == (
        f"row {row}, column {column} is off the board: rows are 1 to 3, columns 1 to 3"
    )


def test_the_off_board_error_names_the_last_point():
    assert str(off_board("z9", 20, 15)) == "z9 is off the 20x15 board, whose points run from a1 to t15"


@given(st.text(max_size=500), st.integers(1, 300))
def test_shortened_text_fits_into_one_line(text, most):
    short = shorten(text, most)
    assert short.isprintable()
    assert len(short) <= most + 3
    if text.isprintable() and len(text) <= most:
        assert short == text


def test_shortened_text_says_that_it_is_cut():
    assert shorten("abcdef", 3) == "abc..."
    assert shorten("a\nb\0\x1b[31m") == "a?b??[31m"
    assert shorten("x" * 21) == "x" * 20 + "..."
