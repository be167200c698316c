"""Positions as lines of the Gomocup protocol."""

from __future__ import annotations

import pytest

from tengen import BLACK, WHITE, Rules
from tengen.formats.common import FormatError
from tengen.formats.protocol_text import looks_like_protocol, read_protocol
from tests.errors import key_of


def moves(record):
    return " ".join(record.setup.name(node.point) for node in record.main_line())


@pytest.mark.parametrize(
    ("text", "expected", "rules"),
    [
        ("BOARD\n7,7,1\n8,8,2\nDONE", "h8 i7", Rules.named("freestyle")),
        ("board\r\n7,7,2\r\ndone\r\nend\r\n", "h8", Rules.named("freestyle")),
        ("START 20\nINFO rule 1\nBOARD\n7,7,2\nDONE", "h13", Rules.named("standard", 20)),
        ("START 15 15\nINFO timeout_turn 500\nYXBOARD\n7, 7, 2\nDONE", "h8", Rules.named("freestyle")),
        ("RECTSTART 20,10\nBEGIN\n0,0", "a10", Rules.named("freestyle", (20, 10))),
        ("START 15\nOK\nBEGIN\n7,7\nTURN 8,8\nMESSAGE depth 3\n6,6", "h8 i7 g9", Rules.named("freestyle")),
        ("START 15\nTURN 7,7\n8,8\nTURN 6,6", "h8 i7 g9", Rules.named("freestyle")),
        ("BOARD\n7,7,1\n8,8,2\nDONE\n6,6\nTURN 5,5", "h8 i7 g9 f10", Rules.named("freestyle")),
        ("BOARD\n19,19,2\nDONE", "t1", Rules.named("freestyle", 20)),
    ],
)
def test_conversations(text, expected, rules):
    assert looks_like_protocol(text)
    read = read_protocol(text)
    assert (moves(read.record), read.record.rules) == (expected, rules)


def test_stones_in_any_order_are_a_position():
    read = read_protocol("BOARD\n7,7,2\n8,8,2\n6,6,1\nDONE")
    setup = read.record.setup
    assert (len(setup.stones(BLACK)), len(setup.stones(WHITE)), setup.turn) == (2, 1, WHITE)
    assert [note.values["colour"].key for note in read.notes] == ["white"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("BOARD\n7,7,1\n7,7,2\nDONE", "error.occupied"),
        ("BOARD\n7,7,9\nDONE", "error.format.protocol.stone"),
        ("START 15\nBOARD\n15,7,1\nDONE", "error.off_board"),
        ("START 15\nTURN 7,7\nTURN 8,8", "error.format.protocol.unanswered"),
        ("BEGIN\nhello", "error.format.protocol.line"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, key):
    with pytest.raises(FormatError, match=r"line [23]") as caught:
        read_protocol(text)
    assert caught.value.message.values["reason"].key == key


def test_a_board_too_large():
    assert key_of(read_protocol, "START 99\nBEGIN") == "error.format.board.size"
