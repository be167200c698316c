"""Whatever somebody pastes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen import Board, Record, Rules, TengenError
from tengen.formats import jsonformat, psq, sgf
from tengen.formats.pasted_text import parse_position, read_file, read_text
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


def moves(record):
    return " ".join(record.setup.name(node.point) for node in record.main_line())


def read(text):
    """The games of a text, and the keys of what was assumed or went wrong."""
    result = read_text(text)
    return [moves(record) for record in result.records], {
        problem.message.key for problem in result.problems
    }


@pytest.mark.parametrize(
    ("text", "expected", "told"),
    [
        ("8,8\n9,9\n7,9\n", ["h8 i7 g7"], {"assumed.numbers"}),
        ("1. h8\n2. i9\n3. g7", ["h8 i9 g7"], set()),
        ("1. h8 i9\n2. g7 h7", ["h8 i9 g7 h7"], set()),
        ("h8i9\nj10k11", ["h8 i9 j10 k11"], {"assumed.one_game"}),
        ("h8 i9 g7\nh8 i8 g7", ["h8 i9 g7", "h8 i8 g7"], set()),
        ("1. h8 i9 j10\n2. h8 i8 g7", ["h8 i9 j10", "h8 i8 g7"], set()),
        ("h8\nh8\nh8", ["h8"] * 3, set()),
        ("# rules: renju\nh8\ni9", ["h8", "i9"], set()),
        ("h8 i9\nhello\nh8 j9", ["h8 i9", "h8 j9"], {"error.format.line"}),
        (";B[hh];W[ii]", ["h8 i7"], set()),
        ("B[hh]W[ii]", ["h8 i7"], {"assumed.pairs"}),
        ("BOARD\n7,7,1\n8,8,2\nDONE", ["h8 i7"], {"assumed.own"}),
        (". 1 . 2 .\n. . 3 . .\n. . . . .\n. . . . .\n. . . . .", ["b5 d5 c4"], {"assumed.numbered"}),
    ],
)
def test_a_text_is_one_game_or_several(text, expected, told):
    assert read(text) == (expected, told)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "+1",
            "12!",
            "+1\n+2",
            "12!\n13!",
            "...",
            "---",
            "---\n---\n---",
            "- - -\n- - -",
            "- -\n- -",
            ".",
        ),
        *(
            "?",
            "!",
            "*",
            "#",
            "||",
            "_",
            "__\n__",
            "1-0",
            "1/2-1/2",
            "2024-05-06",
            "10:30",
            "8 8 8",
            "0",
            "15x15",
        ),
        *(
            "hello",
            "hello\nworld",
            "wow",
            "box\nboo",
            "X",
            "b\nw",
            "h8<br>i9",
            "h8 i9 resigns",
            "12",
            "1.",
            "{7}",
        ),
        *(",", ",,\n,,", "1 2 3\n4 5 6", "100%", "a", "hz", "I like h8", "h8 12 i9", "3.14159", "..."),
    ],
)
def test_what_is_not_understood_is_never_an_empty_board(text):
    with pytest.raises(TengenError) as caught:
        read_text(text)
    assert "\n" not in str(caught.value)


@given(st.lists(st.text(st.sampled_from("01289,.-+_!xoXOhi\n"), max_size=12), max_size=4))
def test_nothing_becomes_an_empty_game_without_a_word(pieces):
    """Texts of signs that boards, lists of points and prose share."""
    text = " ".join(pieces)
    try:
        result = read_text(text)
    except TengenError:
        return
    for record in result.records:
        drawn = record.rules.points >= 9 and record.rules.size_text != "15x15"
        assert not text.strip(" ;\n") or drawn or record.main_line() or any(record.setup.position), text


def test_text_files():
    assert [len(record.main_line()) for record in read_file(b"h8i9\n# rules: renju\nh8\n").records] == [
        2,
        1,
    ]
    (record,) = read_file("# 题一\n· · ●\n· ○ ·\n".encode("gb18030")).records
    assert record.rules.size_text == "3x2"
