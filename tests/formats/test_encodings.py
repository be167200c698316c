"""Encodings of text files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.formats.encodings import decode

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


@pytest.mark.parametrize(
    ("text", "codec"),
    [("(;PB[曹冬])", "gb18030"), ("(;PB[Söderström])", "latin-1"), ("(;C[黒の勝ち])", "cp932")],
)
def test_a_name_is_enough(text, codec):
    assert decode(text.encode(codec)) == text
