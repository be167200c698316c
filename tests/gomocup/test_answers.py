"""What programs answer, written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.gomocup.answers import (
    OK,
    SWAP,
    about_line,
    error_line,
    forbid_line,
    message_line,
    moves_line,
    parse_answer,
    unknown_line,
)


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("OK", "ok", "OK"),
        ("ok - all right", "ok", "ok - all right"),
        ("7,7", "move", "7,7"),
        ("-1 , 99", "move", "-1 , 99"),
        ("SUGGEST 7,7", "suggestion", "7,7"),
        ("suggest  7 , 7", "suggestion", "7 , 7"),
        ("SUGGEST h8", "other", "SUGGEST h8"),
        ("ERROR no", "complaint", "ERROR no"),
        ("unknown", "complaint", "unknown"),
        ("MESSAGE hello", "message", "hello"),
        ("message", "message", ""),
        ("DEBUG  a b", "debug", "a b"),
        ('name="x", version="1"', "about", 'name="x", version="1"'),
        ("MESSAGES", "other", "MESSAGES"),
        ("OKAY", "other", "OKAY"),
        ("7,7,1", "other", "7,7,1"),
        ("", "other", ""),
        (SWAP, "other", "SWAP"),
    ],
)
def test_kinds(line, kind, text):
    assert parse_answer(line) == (kind, text)


@given(st.text())
def test_any_text_is_some_answer(text):
    assert parse_answer(text).kind
    for line, kind in (
        (message_line(text), "message"),
        (error_line(text), "complaint"),
        (unknown_line(text), "complaint"),
    ):
        assert len(line.splitlines()) == 1
        assert parse_answer(line).kind == kind
    assert parse_answer(message_line(text)).text == " ".join(text.split())


@given(st.integers(0, 20 * 15 - 1))
def test_moves(point):
    assert parse_answer(moves_line([point], 20, 15)).kind == "move"
    assert moves_line([point, 0], 20, 15) == f"{moves_line([point], 20, 15)} 0,14"


def test_the_rest():
    assert parse_answer(OK).kind == "ok"
    assert parse_answer(about_line({"name": "Tengen", "version": "1"})).kind == "about"
    assert about_line({"name": "Tengen", "version": "1"}) == 'name="Tengen", version="1"'
    assert forbid_line([112, 0], 15, 15) == "FORBID 07070014."
    assert forbid_line([], 15, 15) == "FORBID ."
