"""Points as x,y from the top left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.gomocup.coordinates import coordinates, parse_point, point_text
from tengen.gomocup.protocol_lines import ProtocolError

SIDES = st.integers(1, 50)


@given(SIDES, SIDES, st.data())
def test_points_both_ways(width, height, data):
    point = data.draw(st.integers(0, width * height - 1))
    text = point_text(point, width, height)
    assert parse_point(text, width, height) == point
    x, y = coordinates(text) or (-1, -1)
    assert point == (height - 1 - y) * width + x


@pytest.mark.parametrize(
    ("text", "found"), [(" 1 , 2", None), ("1 ,  2", (1, 2)), ("-1,+2", (-1, 2)), ("1", None)]
)
def test_coordinates(text, found):
    assert coordinates(text) == found


@pytest.mark.parametrize("text", ["1,2", "1 2", "1\t2", "1 , 2", "01, +2", "1,2 please", "1 2\t# a remark"])
def test_points_as_managers_write_them(text):
    assert parse_point(text, 20, 15) == parse_point("1,2", 20, 15)


@pytest.mark.parametrize(
    "text", ["", "h8", "1", "1,2,3", "1,2 3", "1,2 3,4", "1,2x", "1 2 3", "1;2", "1,,2", "9" * 12 + ",1"]
)
def test_texts_that_are_no_point(text):
    with pytest.raises(ProtocolError) as caught:
        parse_point(text, 20, 15)
    assert str(caught.value).endswith("is not a point of the board: expected x,y, each from 0 to 19")


@pytest.mark.parametrize(("text", "shown"), [("20,0", "20,0"), ("0,  015", "0,15"), ("-1,0", "-1,0")])
def test_points_off_the_board(text, shown):
    with pytest.raises(ProtocolError) as caught:
        parse_point(text, 20, 15)
    assert caught.value.message.values["text"] == shown
