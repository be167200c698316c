"""Commands of the protocol, and lines as they come."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.gomocup.command_names import CommandName, start_line, start_size, turn_line
from tengen.gomocup.protocol_lines import LONGEST, ProtocolLine, lines, whole_number


class Stream:
    """Bytes as they come, piece by piece; a piece that is an error ends them."""

    def __init__(self, *pieces):
        self.buffer = self
        self._pieces = list(pieces)

    def read1(self, _):
        piece = self._pieces.pop(0) if self._pieces else b""
        if isinstance(piece, Exception):
            raise piece
        return piece


def read(*pieces):
    return [(line.text, line.first) for line in lines(Stream(*pieces))]


@given(st.integers(1, 50), st.integers(1, 50))
def test_a_beginning_both_ways(width, height):
    text = start_line(width, height)
    assert start_size(ProtocolLine(text, 0.0)) == (width, height)
    assert text.split()[0] == ("START" if width == height else "RECTSTART")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("START 15 15", (15, 15)),  # Yixin-Board
        ("start  15,15", (15, 15)),
        ("START\t15 , 15", (15, 15)),
        ("START 15x15", (15, 15)),
        ("START 15 X 15", (15, 15)),
        ("START 15 20", (15, 20)),
        ("START +15", (15, 15)),
        ("START 15 standard rules", (15, 15)),
        ("START 15 x", (15, 15)),
        ("RECTSTART 20 15", (20, 15)),
        ("rectstart 20 ,15", (20, 15)),
        ("RECTSTART 20x15 board", (20, 15)),
    ],
)
def test_beginnings_as_managers_write_them(text, size):
    assert start_size(ProtocolLine(text, 0.0)) == size


@pytest.mark.parametrize(
    "text",
    [
        "START",
        "START x",
        "START 15.5",
        "START 15th",
        "START 15 15 15",
        "START 15 rule 4",
        "START 9999999999",
        "RECTSTART",
        "RECTSTART 15",
        "RECTSTART 1,",
        "RECTSTART ,1",
        "RECTSTART 15,15,15",
    ],
)
def test_beginnings_without_a_size(text):
    assert start_size(ProtocolLine(text, 0.0)) is None


def test_a_turn():
    assert turn_line(0, 20, 15) == "TURN 0,14"


def test_a_command_and_what_follows():
    line = ProtocolLine("info  Rule 4", 0.0)
    assert (line.word, line.rest) == ("INFO", "Rule 4")
    assert line.word == CommandName.INFO
    assert (ProtocolLine("END", 0.0).word, ProtocolLine("END", 0.0).rest) == ("END", "")


def test_lines_and_the_pieces_that_they_come_in():
    assert read(b"BEG", b"IN\r\nTURN 1,1\n\n", b"\r END", b"\r\n") == [
        ("BEGIN", True),
        ("TURN 1,1", False),
        ("END", True),
    ]
    assert read(b"BEGIN") == [("BEGIN", True)]
    assert read(b"BEGIN\nEND") == [("BEGIN", True), ("END", False)]
    assert read(b"BEGIN\n\nE", b"ND\n", b"ABOUT\n") == [("BEGIN", True), ("END", False), ("ABOUT", True)]
    assert read(b"BEGIN\r", b"\nEND") == [("BEGIN", True), ("END", True)]
    assert read(b"BE", b"GIN\n") == [("BEGIN", True)]
    assert read(b"BEGIN\n", OSError(), b"END\n") == [("BEGIN", True)]
    assert read(b"a\0b\xff\n") == [("a bÿ", True)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("piece", [1, 3, 1000])
def test_marks_that_shells_and_editors_put_in_front(encoding, piece):
    mark = {"utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}.get(encoding, "")
    data = f"{mark}START 15\r\nINFO folder 棋谱\r\n".encode(encoding)
    cut = [data[first : first + piece] for first in range(0, len(data), piece)]
    assert [text for text, _ in read(*cut)] == ["START 15", "INFO folder 棋谱"]


def test_a_stream_of_text():
    assert [line.text for line in lines(io.StringIO("BEGIN\rEND"))] == ["BEGIN", "END"]


def test_a_line_without_end_is_cut():
    found = list(lines(Stream(*[b"x" * 10_000] * 10)))
    assert [len(line.text) for line in found] == [LONGEST, 30_000]


@given(st.lists(st.sampled_from([b"A", b"B 1", b"\n", b"\r\n", b"\r", b" "])))
def test_where_pieces_end_does_not_matter(pieces):
    whole = [text for text, _ in read(b"".join(pieces))]
    assert [text for text, _ in read(*[piece for piece in pieces if piece])] == whole


@pytest.mark.parametrize(
    ("text", "number"), [("15", 15), ("-1", -1), ("+2", 2), ("1.5", None), ("", None), ("9" * 19, None)]
)
def test_whole_numbers(text, number):
    assert whole_number(text) == number
