"""Encodings of text files, and places in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.formats import ascii as drawings
from tengen.formats import jsonformat, movetext, sgf, text
from tengen.formats.common import MAX_BYTES, FormatError, ReadResult
from tengen.formats.text import (
    FileLimits,
    TextPositions,
    check_size,
    decode,
    found,
    list_problem,
    well_formed,
)
from tengen.words import Message
from tests.errors import key_of

CHINESE = "黑先，花月开局必胜。"


@given(
    st.binary(), st.none() | st.text() | st.sampled_from(("gb2312", "utf-8", "shift_jis", "iso-2022-jp"))
)
def test_any_bytes_are_some_text(data, declared):
    assert isinstance(decode(data, declared), str)


@given(st.text())
def test_utf_8_needs_no_declaration(plain):
    data = plain.encode("utf-8", "replace")
    if not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        assert decode(data) == data.decode()
        assert decode(data, "UTF_8") == data.decode()


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_byte_order_marks(codec):
    mark = "" if codec in ("utf-8-sig", "utf-16") else "\ufeff"
    assert decode((mark + CHINESE).encode(codec), "big5") == CHINESE


def test_what_the_bytes_can_be_counts_for_more_than_what_is_declared():
    assert decode(CHINESE.encode(), "gb2312") == CHINESE
    assert decode(CHINESE.encode("gb18030"), "utf-8") == CHINESE
    assert decode(CHINESE.encode("gb18030")) == CHINESE


def test_two_byte_sequences_may_be_either():
    """In GB 2312 these characters are bytes that are UTF-8 for Latin ones."""
    data = "隆庐".encode("gb18030")
    assert data.decode("utf-8") == "¡®"
    assert decode(data, "gb2312") == "隆庐"
    assert decode(data) == "¡®"


def test_codecs_that_are_no_character_encoding_are_not_asked():
    for name in ("rot13", "zip", "idna", "unicode_escape", "utf-7", "\x00"):
        assert decode(b"\\u0041+AEE-", name) == "\\u0041+AEE-"


@given(st.text(st.sampled_from("ab\n\r中")), st.lists(st.integers(0, 30)))
def test_places(plain, offsets):
    places = TextPositions(plain)
    for offset in offsets:
        before = plain[:offset].split("\n")
        if offset <= len(plain):
            assert places.at(offset) == (len(before), len(before[-1]) + 1)


def test_a_file_that_is_too_large(monkeypatch):
    monkeypatch.setattr(text, "MAX_BYTES", 3)
    check_size(b"abc")
    with pytest.raises(FormatError):
        check_size(b"abcd")
    assert MAX_BYTES > 10**8


def test_halves_of_characters():
    assert well_formed("a\ud800中") == "a?中"
    assert well_formed("a") == "a"


def test_files_without_a_game():
    with pytest.raises(FormatError) as caught:
        found(ReadResult())
    assert caught.value.message.key == "error.format.empty"
    games = ReadResult()
    list_problem(games, Message("black"))
    with pytest.raises(FormatError) as caught:
        found(games)
    assert caught.value.message == Message("black")
    list_problem(games, Message("white"))
    with pytest.raises(FormatError) as caught:
        found(games)
    assert caught.value.message.values == {"count": 2, "reason": Message("black")}


def test_very_many_problems():
    games = ReadResult()
    count = 0
    while list_problem(games, Message("black")):
        count += 1
    assert count == text.MAX_PROBLEMS - 1
    assert games.problems[-1].message.key == "error.format.problems"
    assert [problem.game for problem in games.problems] == list(range(1, count + 3))


def test_what_a_file_may_ask_for(monkeypatch):
    monkeypatch.setattr(text, "MAX_GAMES", 2)
    monkeypatch.setattr(text, "MAX_NODES", 3)
    few = FileLimits(0)
    few.game(1_000_000)
    few.nodes(3)
    few.expanded(10_000)
    for call, key in (
        (lambda: few.game(1), "error.format.greedy"),
        (lambda: few.game(0), "error.format.games"),
        (few.nodes, "error.format.nodes"),
        (lambda: few.expanded(1), "error.format.greedy"),
    ):
        assert key_of(call) == key
    many = FileLimits(1_000, points=64)
    many.game(1_064_000)
    many.expanded(10_125)


@pytest.mark.parametrize(
    ("read", "piece"),
    [
        (sgf.read, b"(;GM[3])"),
        (movetext.read, b"x\n"),
        (drawings.read, b"xx\nx\n\n"),
        (jsonformat.read, b"1,"),
    ],
)
def test_reading_stops_after_very_many_problems(monkeypatch, read, piece):
    monkeypatch.setattr(text, "MAX_PROBLEMS", 3)
    good = {sgf.read: b"(;)", movetext.read: b"h8\n", drawings.read: b"x\n\n", jsonformat.read: b"{},"}[
        read
    ]
    data = good + 5 * piece + good
    if read is jsonformat.read:
        data = b'{"format": "tengen record", "version": 1, "games": [' + data.rstrip(b",") + b"]}"
    games = read(data)
    assert len(games.records) == 1
    assert [problem.game for problem in games.problems] == [2, 3, 4, 5]
    assert games.problems[-1].message.key == "error.format.problems"
