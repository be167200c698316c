"""Text through pipes, as shells and editors write it."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.plaintext.streams import LineReader, as_utf8, piped_lines


def in_pieces(data, sizes):
    """A function that gives the bytes in pieces of these sizes, over and over."""
    source, at = io.BytesIO(data), 0

    def read():
        nonlocal at
        at += 1
        return source.read(sizes[at % len(sizes)])

    return read


def lines(data, sizes=(1 << 16,)):
    reader = LineReader(in_pieces(data, sizes))
    found = []
    while line := reader.readline():
        found.append(line)
    assert all(line.endswith("\n") for line in found)
    return [line[:-1] for line in found]


TEXT = "h8\ni9\n\n悔棋\nlast"
EXPECTED = ["h8", "i9", "", "悔棋", "last"]


@pytest.mark.parametrize("sizes", [(1 << 16,), (1,), (2,), (3, 1)])
@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.encode("utf-16"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.replace("\n", "\r\n").encode("utf-16"),
        TEXT.replace("\n", "\u2028").encode(),
        TEXT.replace("\n", "\x0c").encode(),
        TEXT.replace("h8", "h\u200b8\ufeff").encode(),
        TEXT.replace("h8", "\0h8\0").encode(),
    ],
)
def test_lines(data, sizes):
    assert lines(data, sizes) == EXPECTED


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(codec):
    assert lines(TEXT.encode(codec)) == EXPECTED
    assert lines(b"h\0008\0\n\0", (1,)) == ["h8"]


@pytest.mark.parametrize("sizes", [(1 << 16,), (7,)])
def test_code_pages(sizes):
    assert lines("悔棋\r\nh8\r\n提示\r\n".encode("gbk"), sizes) == ["悔棋", "h8", "提示"]
    assert lines("é h8\r\n".encode("cp1252")) == ["é h8"]


def test_nothing_and_blanks():
    assert lines(b"") == []
    assert lines(b"\n") == [""]
    assert lines("\xa0h8\u3000\n".encode()) == [" h8 "]


def test_a_stream_that_fails_has_ended():
    def read():
        raise OSError

    assert LineReader(read).readline() == ""


@given(st.text(), st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_utf_8_stays_what_it_is_in_any_pieces(text, sizes):
    data = text.encode("utf-8", "replace")
    read = as_utf8(in_pieces(data, sizes))
    whole = b"".join(iter(read, b""))
    if "\0" not in text[:70]:
        assert whole == data.removeprefix(b"\xef\xbb\xbf") or whole == data


@given(st.binary(max_size=60), st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_any_bytes_are_some_text(data, sizes):
    read = as_utf8(in_pieces(data, sizes))
    b"".join(iter(read, b"")).decode()
    lines(data, sizes)


def test_a_stream_of_text_stays_as_it_is():
    stream = io.StringIO("h8\n")
    assert piped_lines(stream) is stream
    wrapped = piped_lines(io.TextIOWrapper(io.BytesIO(b"h8\ri9")))
    assert [wrapped.readline(), wrapped.readline(), wrapped.readline()] == ["h8\n", "i9\n", ""]
