"""Whatever somebody pastes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Board, Record, Rules, TengenError
from tengen.formats import jsonformat, psq, sgf
from tengen.formats.pasted_text import parse_position, read_text
from tests.errors import key_of
from tests.formats import strategies


def game():
    record = Record(headers={"black": "林"})
    record.add("h8i9")
    return record


@pytest.mark.parametrize(
    "text",
    [
        sgf.write([game()]).decode(),
        "\ufeff\n" + sgf.write([game()]).decode(),
        jsonformat.write([game()]).decode(),
        psq.write([game()]).decode() + "\n",
    ],
)
def test_files(text):
    record = parse_position(text)
    assert [node.point for node in record.main_line()] == [112, 128]
    assert record.headers == {"black": "林"} or record.headers["black"] == "林"


@pytest.mark.parametrize(
    "text",
    ["h8i9", "h8\n i9\n", "https://gomocalc.com/#/h8i9", "0,0, 1,-1", "hhig", '{"stones": ["h8", "i9"]}'],
)
def test_lines(text):
    assert parse_position(text) == Record.from_board(Board.from_moves("h8i9"))


def test_a_drawing():
    record = parse_position(". . X\n. O .\n. . .\n")
    assert record.setup.stones(1) == [8]
    assert record.rules == Rules.named("tictactoe")
    assert parse_position(str(Board.from_moves("h8i9")), Rules.named("renju")).rules == Rules.named("renju")


def test_rules_for_what_does_not_say_them():
    renju = Rules.named("renju", 13)
    assert parse_position("g7", renju).rules == renju
    assert parse_position("", renju) == Record(renju)
    assert parse_position(sgf.write([game()]).decode(), renju).rules == Rules.named("freestyle")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("hello", "error.notation.moves"),
        ("(hello; world)", "error.format.sgf.start"),
        ("{", "error.format.json"),
        ("Piskvorky", "error.format.psq.head"),
        (". X\n. . .", "error.format.line"),
    ],
)
def test_what_is_no_position(text, key):
    assert key_of(parse_position, text) == key


@given(st.text() | strategies.records().map(lambda record: sgf.write([record]).decode()))
def test_any_text(text):
    try:
        record = parse_position(text)
    except TengenError:
        return
    assert isinstance(record, Record)


def test_text_files():
    assert [len(record.main_line()) for record in read_text(b"h8i9\n# rules: renju\nh8\n").records] == [
        2,
        1,
    ]
    (record,) = read_text("# 题一\n· · ●\n· ○ ·\n".encode("gb18030")).records
    assert record.rules.size_text == "3x2"
